#compdef vitrine
# source <(vitrine completion zsh)
_vitrine() {
    local line
    local -a found
    for line in "${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        if [[ $line == :files ]]; then
            compset -P '--*='
            _files
            return
        elif [[ -n $line ]]; then
            found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
        fi
    done
    (( $#found )) && _describe vitrine found
}
compdef _vitrine vitrine
