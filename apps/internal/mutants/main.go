// Command mutants puts faults into the program, one at a time, and demands that the test
// named next to each notices it. So nobody makes the tests faster by making them blind.
//
// A fault is a changed copy of one file, in a temporary folder, that the compiler takes in
// the place of the file. The sources stay as they are. Faults that only PostgreSQL shows are
// tried where VITRINE_TEST_POSTGRES is set, as go run ./apps/internal/cluster does.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	source := flag.String("source", ".", "`FOLDER` of the repository")
	only := flag.String("only", "", "`PATTERN` of the names of the mutants to try")
	flag.Parse()
	if err := run(ctx, *source, *only); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, source, only string) error {
	named, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if source, err = filepath.Abs(source); err != nil {
		return err
	}
	postgres := os.Getenv("VITRINE_TEST_POSTGRES") != "" //nolint:forbidigo // the cluster go run ./apps/internal/cluster started
	const row = "%-52s  %9s  %9s  %s\n"
	fmt.Printf(row, "mutant", "compiled", "caught", "by")
	var wrong []string
	for _, m := range mutants() {
		if !named.MatchString(m.name) {
			continue
		}
		if m.postgres && !postgres {
			fmt.Printf(row, m.name, "", "", "not tried: VITRINE_TEST_POSTGRES is not set")
			continue
		}
		tried, err := try(ctx, source, m)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		told := m.folder + " " + m.run
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", m.name, err))
			told = "NOBODY"
		}
		fmt.Printf(row, m.name, seconds(tried.compiled), seconds(tried.caught), told)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%d were not caught:\n%s", len(wrong), strings.Join(wrong, "\n"))
	}
	return nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// times are what compiling a mutant and its test took, and running the test.
type times struct{ compiled, caught time.Duration }

// try fails unless a mutant compiles and its test fails.
func try(ctx context.Context, source string, m mutant) (took times, err error) {
	folder, err := os.MkdirTemp("", "vitrine-mutant-")
	if err != nil {
		return took, err
	}
	defer os.RemoveAll(folder)
	overlay, err := m.write(source, folder)
	if err != nil {
		return took, err
	}
	test := filepath.Join(folder, "mutant.test")
	started := time.Now()
	build := exec.CommandContext(ctx, "go", "test", "-overlay", overlay, "-vet=off", "-ldflags=-s -w", "-c", "-o", test, "./"+m.folder)
	build.Dir = source
	out, err := build.CombinedOutput()
	took.compiled = time.Since(started)
	if err != nil {
		return took, fmt.Errorf("it does not compile: %w\n%s", err, out)
	}
	args := []string{"-test.run", m.run, "-test.timeout", "10m"}
	if m.rapid {
		args = append(args, "-rapid.nofailfile", "-rapid.shrinktime=1s")
	}
	started = time.Now()
	noticing := exec.CommandContext(ctx, test, args...)
	noticing.Dir = filepath.Join(source, filepath.FromSlash(m.folder))
	out, err = noticing.CombinedOutput()
	took.caught = time.Since(started)
	return took, verdict(out, err)
}

// verdict fails unless a test has failed, by what it printed and how it ended.
func verdict(printed []byte, ended error) error {
	switch {
	case ended == nil:
		return fmt.Errorf("it survives:\n%s", printed)
	case !strings.Contains(string(printed), "--- FAIL: "):
		return fmt.Errorf("no test has failed, but: %w\n%s", ended, printed)
	}
	return nil
}

// write writes the changed file into a folder, and the overlay that puts it in its place.
func (m mutant) write(source, folder string) (overlay string, err error) {
	original := filepath.Join(source, filepath.FromSlash(m.file))
	content, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	changed, err := m.change(string(content))
	if err != nil {
		return "", err
	}
	replaced := filepath.Join(folder, filepath.Base(original))
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: replaced}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(replaced, []byte(changed), 0o600); err != nil {
		return "", err
	}
	overlay = filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// change puts the fault into the text of the file.
func (m mutant) change(content string) (string, error) {
	if n := strings.Count(content, m.text); n != 1 {
		return "", fmt.Errorf("%s has the text %q %d times, not once", m.file, m.text, n)
	}
	return strings.Replace(content, m.text, m.replacement, 1), nil
}
