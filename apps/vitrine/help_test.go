package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestWithoutACommandThereIsHelp(t *testing.T) {
	for _, c := range []struct {
		args  string
		wants []string
	}{
		{"", []string{"Usage: vitrine <command>", "Serving:\n  serve ", "Who has access:\n  credential "}},
		{"credential", []string{"Usage: vitrine credential <command>", "\n  credential rotate "}},
		{"secret-key", []string{"\n  secret-key rotate "}},
	} {
		text, err := said(t, strings.Fields(c.args)...)
		if err != nil {
			t.Errorf("vitrine %s: %v", c.args, err)
		}
		for _, want := range c.wants {
			if !strings.Contains(text, want) {
				t.Errorf("vitrine %s does not say %q:\n%s", c.args, want, text)
			}
		}
	}
}

func TestWhatIsWrongIsNotAnsweredWithHelp(t *testing.T) {
	for args, want := range map[string]string{
		"serv":             "did you mean \"serve\"?\nRun \"vitrine --help\"",
		"credential crate": "Run \"vitrine credential --help\"",
		"serve --lisen=:1": "did you mean \"--listen\"?\nRun \"vitrine serve --help\"",
		"credential --x":   "unknown flag --x",
	} {
		text, err := said(t, strings.Fields(args)...)
		if err == nil || !strings.Contains(err.Error(), want) || text != "" {
			t.Errorf("vitrine %s: %v, and it says %q", args, err, text)
		}
	}
}

// Who set a variable may not know the flag.
func TestErrorsNameTheVariableOfAValue(t *testing.T) {
	for _, c := range []struct{ variable, value, args, want string }{
		{"VITRINE_RATE_BURST", "0", "serve", "--rate-burst must be at least 1 (--rate-burst is set by VITRINE_RATE_BURST)"},
		{"VITRINE_RATE_BURST", "many", "serve", `VITRINE_RATE_BURST="many"`},
		{"VITRINE_LOG_LEVEL", "loud", "serve", "(--log-level is set by VITRINE_LOG_LEVEL)"},
		{"VITRINE_PUBLIC_URL", "crm", "serve", "(--public-url is set by VITRINE_PUBLIC_URL)"},
		{"VITRINE_HOOKS_LEASE", "1s", "dispatch", "(--hooks-lease is set by VITRINE_HOOKS_LEASE)"},
		{"VITRINE_DATABASE", "", "migrate", "(--database is set by VITRINE_DATABASE)"},
	} {
		t.Run(c.variable+"="+c.value, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			if _, err := said(t, c.args); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	t.Setenv("VITRINE_RATE_BURST", "7")
	_, err := said(t, "serve", "--rate-burst=0")
	if err == nil || strings.Contains(err.Error(), "VITRINE_RATE_BURST") {
		t.Errorf("a flag that wins over its variable: %v", err)
	}
}

// The help of a server is read by headings.
func TestEveryOptionOfAServerIsBelowAHeading(t *testing.T) {
	parser, err := newParser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	visit(parser.Model.Node, "", func(path string, command *kong.Node) {
		if command.ClosestGroup() == nil || headings[command.ClosestGroup().Key] == "" {
			t.Errorf("vitrine %s has no heading", path)
		}
		for _, flag := range command.Flags {
			switch {
			case flag.Group != nil && headings[flag.Group.Key] == "":
				t.Errorf("vitrine %s --%s: there is no heading %s", path, flag.Name, flag.Group.Key)
			case flag.Group == nil && len(flag.Envs) > 0 && slices.Contains([]string{"serve", "sandbox", "dispatch"}, path):
				t.Errorf("vitrine %s --%s has no heading", path, flag.Name)
			}
		}
	})
}

// The library calls an argument <file>, and so do pages, from which it may be copied.
func TestArgumentsAreNamedByWhatTheyAre(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	for args, want := range map[string]string{
		"provision":                     "an argument is missing, the file: YAML file;",
		"backup":                        "an argument is missing, the file: File to write",
		"restore":                       "an argument is missing, the file: File that vitrine backup wrote",
		"credential rotate":             "an argument is missing, the id: ",
		"restore " + missing:            missing + ": no such file or directory",
		"import " + missing:             missing + ": no such file or directory",
		"provision " + missing:          missing + ": no such file or directory",
		"provision <file>":              "an argument is <file>, which stands in the documentation",
		"restore <backup.tar>":          "an argument is <backup.tar>, which stands",
		"credential rotate <client_id>": "an argument is <client_id>, which stands",
		"serve --database=<file>":       "--database is <file>, which stands",
		"migrate --database <file>":     "an argument is <file>, which stands",
	} {
		_, err := said(t, strings.Fields(args)...)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(want, "<") && strings.Contains(err.Error(), "<") {
			t.Errorf("vitrine %s: %v, want %s", args, err, want)
		}
	}
	t.Setenv("VITRINE_PUBLIC_URL", "")
	t.Setenv("VITRINE_DATABASE", "<your database>")
	if _, err := said(t, "migrate"); err == nil || !strings.Contains(err.Error(), "--database is <your database>, ") || !strings.Contains(err.Error(), "set by VITRINE_DATABASE") {
		t.Error(err)
	}
}
