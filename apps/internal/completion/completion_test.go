package completion

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

type program struct {
	Serve struct {
		Listen   string `help:"Address; more of it."`
		Level    string `enum:"debug,info" default:"info" help:"Least level."`
		Pictures bool   `default:"true" negatable:"" help:"Draw."`
		Pooled   bool
		Secret   string `hidden:""`
	} `cmd:"" help:"Serve the API."`
	Key struct {
		Create struct {
			Name   string `arg:""`
			File   string `arg:"" type:"existingfile"`
			Format string `enum:"csv,xml" default:"csv"`
			Out    string `type:"path"`
		} `cmd:"" help:"Add a key."`
		List struct{} `cmd:""`
	} `cmd:"" help:"Manage keys."`
	Shell struct {
		Name string `arg:"" enum:"bash,fish"`
	} `cmd:""`
	Internal struct{} `cmd:"" hidden:""`
}

func TestALineIsCompleted(t *testing.T) {
	parser, err := kong.New(&program{}, kong.Name("vitrine"))
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"":                           "serve\tServe the API, key\tManage keys, shell\t",
		"s":                          "serve\tServe the API, shell\t",
		"in":                         "",
		"key ":                       "create\tAdd a key, list\t",
		"key create ":                "",
		"key create nightly ":        Files,
		"key create nightly file ":   "",
		"key create --out ":          Files,
		"key create --out=":          Files,
		"key create --out x --form":  "--format\t",
		"key create --format c":      "csv",
		"key create --format=x":      "--format=xml",
		"key create --format = ":     "csv, xml",
		"key create --format =":      "csv, xml",
		"key create --format = csv ": "",
		"serve --l":                  "--listen\tAddress, --level\tLeast level",
		"serve --p":                  "--pictures\tDraw, --pooled\t",
		"serve --n":                  "--no-pictures",
		"serve --se":                 "",
		"serve --listen key":         "",
		"serve --pooled --lev":       "--level\tLeast level",
		"serve --listen=:1 --lev":    "--level\tLeast level",
		"serve --unknown --lev":      "--level\tLeast level",
		"serve -- --l":               "",
		"shell f":                    "fish",
	} {
		if got := strings.Join(Complete(parser.Model, strings.Split(line, " ")), ", "); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if got := Complete(parser.Model, nil); got != nil {
		t.Errorf("nothing is completed to %q", got)
	}
}

// fake is a folder with a program that answers two commands and a name of a file.
func fake(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	const answers = `#!/bin/sh
shift 2
case "$*" in
"se") printf 'serve\tServe the API\nsecret-key\tManage the key\n' ;;
"import a") printf ':files\n' ;;
"key ") printf 'create\tAdd a key\n' ;;
*) echo "asked for '$*'" >&2; exit 1 ;;
esac
`
	for name, content := range map[string]string{"vitrine": answers, "annonces.csv": ""} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o700); err != nil { //nolint:gosec // a program is executable
			t.Fatal(err)
		}
	}
	return folder
}

// asked runs commands of a shell that has read its script, beside a fake.
func asked(t *testing.T, shell, commands string) []string {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("there is no %s", shell)
	}
	script, err := Script(shell)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), path, "-c", string(script)+"\n"+commands)
	command.Dir = fake(t)
	command.Env = append(command.Environ(), "PATH="+command.Dir+":"+os.Getenv("PATH"), "HOME="+command.Dir)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

func TestBashAsksTheProgram(t *testing.T) {
	got := asked(t, "bash", `
compopt() { echo "options $*"; }
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vitrine; echo "${COMPREPLY[*]}"; }
try vitrine se
try vitrine key ''
try vitrine import a
complete -p vitrine`)
	if want := []string{"serve secret-key", "create", "options -o default", "", "complete -F _vitrine vitrine"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFishAsksTheProgram(t *testing.T) {
	got := asked(t, "fish", `
complete --do-complete 'vitrine se'
complete --do-complete 'vitrine key '
complete --do-complete 'vitrine import a'`)
	want := []string{"secret-key\tManage the key", "serve\tServe the API", "create\tAdd a key", "annonces.csv"}
	if len(got) != len(want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for _, line := range want {
		if !slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, line) }) {
			t.Errorf("%q is not in %q", line, got)
		}
	}
}

// What zsh completes is only seen on a terminal: here it reads the script, and is asked
// through functions that say what they are given.
func TestZshAsksTheProgram(t *testing.T) {
	script, err := Script("zsh")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(script), "#compdef vitrine\n") {
		t.Error("it cannot be put where zsh looks for completions")
	}
	path, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("there is no zsh")
	}
	const before = `compdef() { print compdef $* }; compset() { }; _files() { print files }; _describe() { print -l -- ${(P)2} }
`
	const after = `
try() { words=("$@"); CURRENT=$#; _vitrine }
try vitrine se
try vitrine key ''
try vitrine import a
`
	command := exec.CommandContext(t.Context(), path, "-f", "-c", before+string(script)+after)
	command.Dir = fake(t)
	command.Env = append(command.Environ(), "PATH="+command.Dir+":"+os.Getenv("PATH"))
	out, err := command.CombinedOutput()
	if want := "compdef _vitrine vitrine\nserve:Serve the API\nsecret-key:Manage the key\ncreate:Add a key\nfiles\n"; err != nil || string(out) != want {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
}
