# vitrine completion fish | source
function __vitrine_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    for line in (command $before[1] complete -- $before[2..-1] "$word" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (string replace --regex '^--[a-z-]+=' '' -- $word)
        else
            echo $line
        end
    end
end
complete --command vitrine --no-files --arguments '(__vitrine_complete)'
