package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// program is one of somebody who embeds the core and serves it over HTTP.
const program = `package main

import (
	"crypto/rand"
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/httpapi"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

func main() {
	service, err := siteapi.New(
		kernel.Ports{Store: memstore.New(), Now: time.Now, Rand: rand.Reader, Zone: time.LoadLocation, E164: func(string, string) string { return "" }},
		kernel.Options{Domain: "https://crm.example.org", Pepper: []byte("sixteen and more")},
	)
	if err != nil {
		panic(err)
	}
	answer := httptest.NewRecorder()
	httpapi.New(service, httpapi.Options{}).ServeHTTP(answer, httptest.NewRequest("GET", "/api/v2/site/discovery", nil))
	fmt.Println(answer.Code)
}
`

// TestTaggedModulesAreRequiredWithoutReplace tags a copy of the source, and has a
// program require the modules at their tags, which the go command fetches with git
// as it would from a forge. What it fetches has the sums that the tagged modules
// know.
func TestTaggedModulesAreRequiredWithoutReplace(t *testing.T) {
	const version = "v0.9.0"
	folder, git := repository(t)
	for _, name := range modules {
		if path.Dir(name) != "." {
			continue // within one that is copied
		}
		if err := os.CopyFS(filepath.Join(folder, name), os.DirFS(filepath.Join(here().folder, name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"LICENSE", ".gitignore", "go.work"} {
		copyFile(t, filepath.Join(here().folder, name), filepath.Join(folder, name))
	}
	git("init", "--quiet")
	git("config", "user.name", "a")
	git("config", "user.email", "a@example.org")
	git("config", "commit.gpgsign", "false")
	git("config", "tag.gpgsign", "false")
	git("add", ".")
	git("commit", "--quiet", "--message=All")
	if err := tag(t.Context(), folder, version); err != nil {
		t.Fatal(err)
	}
	if s, err := sourceIn(t.Context(), folder); err != nil || s.modified || s.version == version {
		t.Errorf("the branch is %+v, %v", s, err)
	}

	g := newFetcher(t, folder)
	g.write("go.mod", "module example.org/crm\n\ngo 1.26.0\n\nrequire (\n\t"+modulesPath+"core "+version+"\n\t"+modulesPath+"adapters "+version+"\n)\n")
	g.write("main.go", program)
	if out := g.run("run", "."); out != "401\n" {
		t.Errorf("the program says %q", out)
	}
	required := modulesPath + "core " + version + "\n" + modulesPath + "adapters " + version + "\n" // one that is replaced has => behind it
	if out := g.run("list", "-m", modulesPath+"core", modulesPath+"adapters"); out != required {
		t.Errorf("it requires %s", out)
	}
	// Compiling all of the program once more takes a minute: without proof only what it is made of is told.
	if program := modulesPath + "apps/vitrine@" + version; os.Getenv("VITRINE_PROOF") == "" {
		g.run("install", "-n", program)
	} else {
		g.run("install", program)
		said, err := exec.CommandContext(t.Context(), filepath.Join(g.folder, "bin", "vitrine"), "version").Output()
		if err != nil || !strings.Contains(string(said), version) {
			t.Errorf("the installed program says %q, %v", said, err)
		}
	}
	git("checkout", "--quiet", "apps/"+version)
	if s, err := sourceIn(t.Context(), folder); err != nil || s.modified || s.version != version {
		t.Errorf("the tag is %+v, %v", s, err)
	}
	for _, name := range []string{"core", "adapters", "adapters/client"} {
		var fetched struct{ Sum, GoModSum string }
		if err := json.Unmarshal([]byte(g.run("mod", "download", "-json", modulesPath+name+"@"+version)), &fetched); err != nil {
			t.Fatal(err)
		}
		known, err := os.ReadFile(filepath.Join(folder, "apps", "go.sum"))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{version + " " + fetched.Sum, version + "/go.mod " + fetched.GoModSum} {
			if !strings.Contains(string(known), "\n"+modulesPath+name+" "+line+"\n") {
				t.Errorf("apps/go.sum has not %s %s", name, line)
			}
		}
	}
	for _, name := range modules {
		if text, err := os.ReadFile(filepath.Join(folder, name, "go.mod")); err != nil || strings.Contains(string(text), "replace") {
			t.Errorf("%s/go.mod at the tag: %v\n%s", name, err, text)
		}
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		var packed struct {
			Version  string
			Packages map[string]struct{ Version string }
		}
		text, err := os.ReadFile(filepath.Join(folder, clientFolder, "typescript", name))
		if err == nil {
			err = json.Unmarshal(text, &packed)
		}
		if own, locked := packed.Packages[""]; err != nil || packed.Version != "0.9.0" || locked && own.Version != packed.Version {
			t.Errorf("%s at the tag is of version %q: %v", name, packed.Version, err)
		}
	}
	if err := tag(t.Context(), folder, version); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("again: %v", err)
	}
}

func TestOnlyAVersionIsTagged(t *testing.T) {
	folder, git := repository(t)
	git("init", "--quiet")
	git("commit", "--quiet", "--allow-empty", "--message=One")
	for _, version := range []string{"", "0.1.0", "v1", "v1.2", "v2.0.0", "v10.0.0", "v1.0.0+build", "v0.0.0-20270115083000-0123456789ab", "latest"} {
		if err := tag(t.Context(), folder, version); err == nil || !strings.Contains(err.Error(), "is not a version") {
			t.Errorf("%q: %v", version, err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := tag(t.Context(), folder, "v0.1.0"); err == nil || !strings.Contains(err.Error(), "not committed") {
		t.Errorf("with changes: %v", err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fetcher runs the go command in a module of its own, with a module cache of its
// own. It fetches the modules of the repository with git, out of a folder, and all
// others out of the module cache of the machine.
type fetcher struct {
	t           *testing.T
	folder      string
	environment []string
}

func newFetcher(t *testing.T, repositoryFolder string) fetcher {
	t.Helper()
	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	g := fetcher{t: t, folder: t.TempDir()}
	g.environment = append(os.Environ(),
		"GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=-mod=mod -modcacherw -trimpath", "GOMODCACHE="+t.TempDir(), "GOBIN="+filepath.Join(g.folder, "bin"),
		"GOPROXY=file://"+filepath.Join(strings.TrimSpace(string(cache)), "cache", "download"), "GOSUMDB=off",
		"GOPRIVATE="+strings.TrimSuffix(modulesPath, "/"),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=url.file://"+repositoryFolder+".insteadOf", "GIT_CONFIG_VALUE_0=https://"+strings.TrimSuffix(modulesPath, "/"),
		"GIT_CONFIG_KEY_1=safe.directory", "GIT_CONFIG_VALUE_1=*")
	return g
}

func (g fetcher) write(name, text string) {
	g.t.Helper()
	if err := os.WriteFile(filepath.Join(g.folder, name), []byte(text), 0o600); err != nil {
		g.t.Fatal(err)
	}
}

// run gives back what a go command prints.
func (g fetcher) run(args ...string) string {
	g.t.Helper()
	command := exec.CommandContext(g.t.Context(), "go", args...)
	command.Dir, command.Env = g.folder, g.environment
	var failed strings.Builder
	command.Stderr = &failed
	out, err := command.Output()
	if err != nil {
		g.t.Fatalf("go %v: %v: %s", args, err, failed.String())
	}
	return string(out)
}
