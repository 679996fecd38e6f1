package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/git"
)

const repository = "../../.."

// TestMain has clones compile without their paths, so that what one has compiled serves
// the others.
func TestMain(m *testing.M) {
	if err := os.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -trimpath"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestTheNewcomerGetsToTheFirstListing(t *testing.T) { plays(t, newcomer) }

func TestTheOperatorRestoresABackup(t *testing.T) { plays(t, operator) }

// TestTheEmbedderServesATableOfACRM compiles the modules anew, outside the workspace: some minutes of the processor after a
// change of the core.
func TestTheEmbedderServesATableOfACRM(t *testing.T) {
	if os.Getenv("VITRINE_PROOF") == "" {
		t.Skip("make proof runs it, and make walkthrough")
	}
	has(t, "sqlite3")
	plays(t, embedder)
}

// TestTheAuthorOfAClientGetsToBothUseCases has programs of the client in Go run; `make
// document-check` has those of the other one too, which needs Node.
func TestTheAuthorOfAClientGetsToBothUseCases(t *testing.T) {
	t.Parallel()
	compiles(t)
	has(t, "bash", "curl")
	clients := filepath.Join(repository, "scripts", "document-check")
	reach := exec.CommandContext(t.Context(), "go", "mod", "download")
	reach.Dir, reach.Env = filepath.Join(clients, "go"), append(os.Environ(), "GOWORK=off")
	if out, err := reach.CombinedOutput(); err != nil {
		t.Skipf("the generator is out of reach: %s", out)
	}
	if out, err := exec.CommandContext(t.Context(), "bash", filepath.Join(clients, "check.sh"), "go").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// has skips the test where the machine lacks a program that the pages ask for.
func has(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
}

// compiles skips a test that does so for minutes.
func compiles(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles for minutes")
	}
}

func plays(t *testing.T, play func(person) error) {
	t.Parallel()
	compiles(t)
	has(t, "bash", "make", "git", "curl", "jq", "openssl", "tar", "sha256sum")
	source, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(source, ".git")); err != nil {
		t.Skip("there is nothing to clone: ", err)
	}
	if err := play(person{t.Context(), source, t.TempDir()}); err != nil {
		t.Error(err)
	}
}

// in is a shell beside a page.
func in(t *testing.T, page string, instead ...string) *shell {
	t.Helper()
	has(t, "bash", "curl")
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "page.md"), []byte(strings.ReplaceAll(page, "'''", "```")), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := open(t.Context(), t.TempDir(), folder, folder, instead...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAPageIsHeldAgainstWhatItsCommandsDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		page  string
		fails bool
	}{
		"what is shown is printed":           {"## It\n'''sh\nNAME=Léa\n'''\n'''sh\necho \"{\\\"name\\\": \\\"$NAME\\\"}\"\n'''\n'''json\n{\"name\":\"Léa\"}\n'''\n", false},
		"something else is printed":          {"## It\n'''sh\necho '{\"id\": 1}'\n'''\n'''json\n{\"id\":2}\n'''\n", true},
		"nothing is printed":                 {"## It\n'''sh\ntrue\n'''\n'''json\n{\"id\":2}\n'''\n", true},
		"a command fails":                    {"## It\n'''sh\nfalse\ntrue\n'''\n", true},
		"a command in a pipe fails":          {"## It\n'''sh\nfalse | true\n'''\n", true},
		"a section without commands":         {"## It\n'''\ntrue\n'''\n", true},
		"another section":                    {"## That\n'''sh\ntrue\n'''\n", true},
		"a server that ends at once":         {"## It\n'''sh\nfalse --listen 127.0.0.1:1 &\n'''\n", true},
		"a refusal that is announced":        {"## It\n'''sh\ncurl -s $REFUSES # 404 not_found\n'''\n", false},
		"a refusal that is not":              {"## It\n'''sh\ncurl -s $REFUSES\n'''\n", true},
		"an announcement that is not so":     {"## It\n'''sh\ntrue # 404 not_found\n'''\n", true},
		"a refusal in place of another":      {"## It\n'''sh\ncurl -s $REFUSES # 403 forbidden\n'''\n", true},
		"an answer that is shown as refused": {"## It\n'''sh\ncurl -s $REFUSES\n'''\n'''json\n{\"error\": \"…\"}\n'''\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := in(t, "# Page\n\n"+c.page, "$REFUSES", refuses(t))
			err := s.do("page.md", "It")
			if closed := s.close(); !c.fails {
				err = errors.Join(err, closed)
			}
			if (err != nil) != c.fails {
				t.Error(err)
			}
		})
	}
}

func TestWhatOnlyReadsIsEnteredUntilItShowsWhatThePageShows(t *testing.T) {
	t.Parallel()
	s := in(t, "# Page\n\n## It\n'''sh\napi() { echo x >> calls; wc -l < calls; }\n'''\n'''sh\napi $API/products/1\n'''\n'''json\n3\n'''\n")
	if err := errors.Join(s.do("page.md", "It"), s.close()); err != nil {
		t.Error(err)
	}
	for commands, want := range map[string]bool{
		"api $API/x\n": true, "api \"$API/x?a=b\" | jq .\n": true, "api $API/x -d '{}'\n": false, "api $API/x -X DELETE\n": false, "echo\n": false,
	} {
		if onlyReads(commands) != want {
			t.Errorf("%s reads only: %t", commands, !want)
		}
	}
}

func TestAServerInTheBackgroundIsWaitedFor(t *testing.T) {
	for commands, want := range map[string]string{
		"bin/vitrine serve --database my.db --listen 127.0.0.1:8081 &\n": "/dev/tcp/127.0.0.1/8081",
		"true\nVITRINE_LISTEN=127.0.0.1:9 make run &\n":                  "/dev/tcp/127.0.0.1/9)",
	} {
		if got := andWait(commands); !strings.HasPrefix(got, commands) || !strings.Contains(got, want) {
			t.Error(got)
		}
	}
	for _, commands := range []string{"vitrine serve --listen 127.0.0.1:8081\n", "sleep 1 &\n", "vitrine serve --listen 127.0.0.1:8081 &\nls\n"} {
		if got := andWait(commands); got != commands {
			t.Error(got)
		}
	}
}

func TestACloneHasWhatIsNotCommitted(t *testing.T) {
	t.Parallel()
	has(t, "git")
	source, cloned := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) { must(os.WriteFile(filepath.Join(source, name), []byte(text), 0o600)) }
	run := func(args ...string) {
		_, err := git.Run(t.Context(), source, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		must(err)
	}
	run("init", "--quiet")
	for _, name := range []string{"kept", "changed", "deleted", ".gitignore"} {
		write(name, "ignored\n")
	}
	run("add", "--all")
	run("commit", "--quiet", "--message", "a")
	write("changed", "new")
	write("added", "new")
	write("ignored", "new")
	must(os.Remove(filepath.Join(source, "deleted")))
	must(clone(t.Context(), source, cloned))
	for name, want := range map[string]string{"kept": "ignored\n", "changed": "new", "added": "new", "deleted": "none", "ignored": "none"} {
		got, err := os.ReadFile(filepath.Join(cloned, name))
		if err != nil {
			got = []byte("none")
		}
		if string(got) != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// refuses is the address of a server that answers 404.
func refuses(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error": "not_found"}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
