package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/transcript"
)

// shell is a bash in which somebody enters what pages say. Variables, functions and
// jobs last until it is closed; the first command that fails ends it.
type shell struct {
	// folder has the scripts and what they print.
	folder string
	// pages is the repository; instead tells what is entered in place of what pages say,
	// such as another port.
	pages   string
	instead *strings.Replacer

	command *exec.Cmd
	entered io.WriteCloser
	done    *bufio.Reader
	blocks  int
}

// prompt reads the names of scripts, and runs each as if it had been typed.
const prompt = `
set -eo pipefail -m
trap 'for job in $(jobs -p); do kill -TERM -- "-$job" 2>/dev/null || true; done; wait' EXIT
while read -r script; do
	export WALKTHROUGH_STATUSES="$script.statuses"
	. "$script.sh" >"$script.out" 2>"$script.err" </dev/null
	echo done >&3
done
`

// curl stands before the real one in the path, and notes the status of every answer.
const curl = `#!/bin/sh
heads=$(mktemp)
PATH=${PATH#*:}
curl --dump-header "$heads" "$@"
code=$?
sed -n 's|^HTTP/[0-9.]* \([0-9]*\).*|\1|p' "$heads" | tail -n 1 >>"$WALKTHROUGH_STATUSES"
rm -f "$heads"
exit $code
`

// open starts a shell in a folder; what it needs for itself is put into another.
func open(ctx context.Context, folder, in, pages string, instead ...string) (*shell, error) {
	s := &shell{folder: folder, pages: pages, instead: strings.NewReplacer(instead...)}
	programs := filepath.Join(folder, "programs")
	if err := os.MkdirAll(programs, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(programs, "curl"), []byte(curl), 0o755); err != nil { //nolint:gosec // it is run
		return nil, err
	}
	done, ends, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer ends.Close()
	s.done = bufio.NewReader(done)
	s.command = exec.CommandContext(ctx, "bash", "-c", prompt)
	s.command.Dir, s.command.ExtraFiles = in, []*os.File{ends}
	// What make was told to run this test is nothing to the make of the reader.
	s.command.Env = append(s.command.Environ(), "MAKEFLAGS=", "ARGS=", "PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH")) //nolint:forbidigo // what readers have
	s.command.Cancel = func() error { return s.command.Process.Signal(syscall.SIGTERM) }
	s.command.WaitDelay = time.Minute
	if s.entered, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	return s, s.command.Start()
}

// close ends the shell, and what runs in the background.
func (s *shell) close() error { return errors.Join(s.entered.Close(), s.command.Wait()) }

// read returns the blocks of a section of a page.
func (s *shell) read(page, section string) ([]transcript.Block, error) {
	text, err := os.ReadFile(filepath.Join(s.pages, page))
	if err != nil {
		return nil, err
	}
	part, err := transcript.Section(string(text), section)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", page, err)
	}
	blocks := transcript.Blocks(part)
	if len(blocks) == 0 {
		return nil, fmt.Errorf("%s: nothing is done in %q", page, section)
	}
	return blocks, nil
}

// line returns the line of a section that begins so.
func (s *shell) line(page, section, beginning string) (string, error) {
	blocks, err := s.read(page, section)
	if err != nil {
		return "", err
	}
	for _, b := range blocks {
		for line := range strings.Lines(b.Commands) {
			if strings.HasPrefix(line, beginning) {
				return line, nil
			}
		}
	}
	return "", fmt.Errorf("%s: no line of %q begins with %s", page, section, beginning)
}

// do enters every block of the sections of a page.
func (s *shell) do(page string, sections ...string) error {
	for _, section := range sections {
		blocks, err := s.read(page, section)
		if err != nil {
			return err
		}
		for _, b := range blocks {
			if err := s.try(b); err != nil {
				return fmt.Errorf("%s, %s: %w", page, section, err)
			}
		}
	}
	return nil
}

// enter enters commands that no page says.
func (s *shell) enter(commands string) error { return s.try(transcript.Block{Commands: commands}) }

// patience is how long something may take that pages say takes a moment.
const patience = 30 * time.Second

// try enters a block until it prints what the page shows. What only reads is entered
// again for a while, for some of what it reads is done after the answer to a write.
func (s *shell) try(b transcript.Block) error {
	b = transcript.Block{Commands: s.instead.Replace(b.Commands), Answer: s.instead.Replace(b.Answer)}
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		err := s.once(b)
		if err == nil || !onlyReads(b.Commands) || errors.Is(err, errEnded) || time.Now().After(end) {
			return err
		}
	}
}

func onlyReads(commands string) bool {
	return strings.HasPrefix(commands, "api ") && !strings.Contains(commands, " -d ") && !strings.Contains(commands, " -X ")
}

var errEnded = errors.New("a command failed")

func (s *shell) once(b transcript.Block) error {
	s.blocks++
	script := filepath.Join(s.folder, fmt.Sprintf("block-%d", s.blocks))
	if err := os.WriteFile(script+".sh", []byte(andWait(b.Commands)), 0o644); err != nil { //nolint:gosec // nothing secret
		return err
	}
	if _, err := fmt.Fprintln(s.entered, script); err != nil {
		return err
	}
	_, ended := s.done.ReadString('\n')
	printed, err := contentOf(script+".out", script+".err", script+".statuses")
	if err != nil {
		return err
	}
	told := func(why error) error {
		return fmt.Errorf("%w\nentered: %s\nprinted: %s\n%s", why, b.Commands, printed[0], printed[1])
	}
	if ended != nil {
		return told(errEnded)
	}
	// A page that shows an answer shows also that it is an error.
	holds := transcript.Holds
	if b.Answer == "" {
		holds = func(_, _ string) error { return statusesHold(b.Commands, printed[2]) }
	}
	if err := holds(b.Answer, printed[0]); err != nil {
		return told(err)
	}
	return nil
}

// contentOf returns the contents of files; one that is not there is empty.
func contentOf(files ...string) (all []string, err error) {
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		all = append(all, string(text))
	}
	return all, nil
}

var refusal = regexp.MustCompile(`(?m)# (4\d\d)\b`)

// statusesHold reports whether exactly those calls were refused that say so in a comment.
func statusesHold(commands, statuses string) error {
	var announced, refused []string
	for _, found := range refusal.FindAllStringSubmatch(commands, -1) {
		announced = append(announced, found[1])
	}
	for status := range strings.FieldsSeq(statuses) {
		if status >= "400" {
			refused = append(refused, status)
		}
	}
	if !slices.Equal(announced, refused) {
		return fmt.Errorf("answers with %v, the page says %v", refused, announced)
	}
	return nil
}

// inBackground is a block whose last command is a server that goes on.
var inBackground = regexp.MustCompile(`(?:--listen |--addr |VITRINE_LISTEN=)([^ :]+):([0-9]+).*&\n$`)

// andWait returns the block, followed by waiting until its server listens, or has ended.
func andWait(commands string) string {
	server := inBackground.FindStringSubmatch(commands)
	if server == nil {
		return commands
	}
	return commands + fmt.Sprintf("until (: </dev/tcp/%s/%s) 2>/dev/null; do kill -0 $!; sleep 0.2; done\n", server[1], server[2])
}
