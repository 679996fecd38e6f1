package e2e_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// onDatabases runs a scenario on an empty database of each engine, at once. Its
// server is a process.
func onDatabases(t *testing.T, scenario func(t *testing.T, database string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		scenario(t, filepath.Join(t.TempDir(), "vitrine.db"))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		if os.Getenv(clusterVariable) == "" {
			t.Skipf("%s is not set: run the tests through go run ./apps/internal/cluster", clusterVariable)
		}
		database, drop, err := newSchema()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(drop)
		scenario(t, database)
	})
}

// process is the program, running beside the test.
type process struct {
	// world is where clients reach it, nil where they cannot.
	*world
	t       *testing.T
	command *exec.Cmd
	log     *bytes.Buffer // to be read when it has ended
}

func started(t *testing.T, args ...string) (p *process, firstWords func() string) {
	t.Helper()
	return startedWith(t, nil, args...)
}

// startedWith starts the program with more variables in its environment.
func startedWith(t *testing.T, variables []string, args ...string) (p *process, firstWords func() string) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	p = &process{t: t, command: exec.Command(path, args...), log: new(bytes.Buffer)}
	p.command.Stderr = p.log
	p.command.Env = append(os.Environ(),
		"VITRINE_SECRET_KEY="+base64.StdEncoding.EncodeToString([]byte("32 bytes that only tests seal by")), "VITRINE_LOG_LEVEL=debug",
		"VITRINE_HOOKS_ALLOW_HTTP=true", "VITRINE_HOOKS_ALLOW=127.0.0.0/8:*",
		"VITRINE_DRAIN_DELAY=0s",       // nobody balances
		"VITRINE_DATABASE_PATIENCE=1m", // the machine may be busy
		"VITRINE_GEOCODER=none",        // scenarios count what happens to products
		"TMPDIR="+t.TempDir())
	p.command.Env = append(p.command.Env, variables...)
	lines := running(t, p.command)
	return p, func() string {
		if !lines.Scan() {
			_ = p.command.Wait()
			t.Fatalf("the process says nothing: %s", p.log)
		}
		return lines.Text()
	}
}

// serving starts a sandbox on a database, as it was left if it was one.
func serving(t *testing.T, database string, args ...string) *process {
	t.Helper()
	return servingWith(t, nil, database, args...)
}

// servingWith starts a sandbox with more variables in its environment.
func servingWith(t *testing.T, variables []string, database string, args ...string) *process {
	t.Helper()
	p, words := startedWith(t, variables, append([]string{"sandbox", "--keep", "--listen=127.0.0.1:0", "--rate-limit=0", "--geocoder=none", "--no-pictures", "--database", database}, args...)...)
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	for p.world == nil {
		if found := address.FindString(words()); found != "" {
			p.world = &world{url: found, http: &http.Client{}, tokens: map[string]string{}}
		}
	}
	return p
}

// told sends the process a signal to end.
func (p *process) told() {
	p.t.Helper()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
}

// ends waits until the process has ended, well.
func (p *process) ends() {
	p.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- p.command.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			p.t.Fatalf("the process ends with %v: %s", err, p.log)
		}
	case <-time.After(patience):
		p.t.Fatal("the process does not end")
	}
}

// stop ends the process.
func (p *process) stop() { p.t.Helper(); p.told(); p.ends() }

// ready is the status of /readyz, 0 when nobody answers.
func (p *process) ready() int {
	response, err := p.http.Get(p.url + "/readyz")
	if err != nil {
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}

// dump is a PostgreSQL schema as pg_dump writes it.
func dump(t *testing.T, database string) string {
	t.Helper()
	tool, err := exec.LookPath("pg_dump")
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_dump")
		if len(found) == 0 {
			t.Log("there is no pg_dump: the dump is not looked at")
			return ""
		}
		tool = found[0]
	}
	cluster, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	query := cluster.Query()
	schema := query.Get("search_path")
	query.Del("search_path")
	cluster.RawQuery = query.Encode()
	command := exec.Command(tool, "--schema", schema, "--dbname", cluster.String())
	var errs bytes.Buffer
	command.Stderr = &errs
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	return string(out)
}

// content is everything a database holds, as somebody finds it who steals it.
func content(t *testing.T, database string) string {
	t.Helper()
	if strings.HasPrefix(database, "postgres") {
		return dump(t, database)
	}
	files, err := filepath.Glob(database + "*")
	if err != nil || len(files) == 0 {
		t.Fatal(errors.Join(err, fmt.Errorf("%s is not there", database)))
	}
	var all strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(raw)
	}
	return all.String()
}
