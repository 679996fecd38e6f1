package main

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const asProgram = "VITRINE_CLUSTER_TEST"

// The tests start this program as a process of its own, and so do the links in the folder of a cluster.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is this program as a process, whose cluster is in a folder of the test. Whoever
// owns the cluster must reach the folder.
func program(t *testing.T, args ...string) (_ *exec.Cmd, folder string) {
	t.Helper()
	if find() == "" {
		t.Skip("PostgreSQL is not installed")
	}
	folder, err := os.MkdirTemp("/tmp", "cluster-test.") //nolint:usetesting // another user has to reach it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", variable+"=", "TMPDIR="+folder)
	cmd.Stderr = os.Stderr
	return cmd, folder
}

// started has the lines of a process until it and all that has its output have ended.
func started(t *testing.T, cmd *exec.Cmd) *bufio.Reader {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(out)
}

func line(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	text, err := from.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text)
}

func answers(at string) bool {
	connection, err := net.Dial("tcp", at)
	if err == nil {
		connection.Close()
	}
	return err == nil
}

func hostOf(t *testing.T, database string) string {
	t.Helper()
	at, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	return at.Host
}

// gone holds that nothing runs and nothing is left.
func gone(t *testing.T, folder, at string) {
	t.Helper()
	if answers(at) {
		t.Errorf("something still answers at %s", at)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

func TestTheCommandHasAClusterAndItsStatusCounts(t *testing.T) {
	t.Parallel()
	cmd, folder := program(t, "sh", "-c", `echo "$VITRINE_TEST_POSTGRES"; read -r _; exit 7`)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out := started(t, cmd)
	at := hostOf(t, line(t, out))
	if !answers(at) {
		t.Errorf("nothing answers at %s", at)
	}
	in.Close()
	var ended *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &ended) || ended.ExitCode() != 7 {
		t.Errorf("the program ended with %v", err)
	}
	gone(t, folder, at)
}

// endless prints where the cluster is, and leaves a process running that only SIGKILL ends.
const endless = `echo "$VITRINE_TEST_POSTGRES"; sh -c 'trap "" INT TERM HUP; while :; do sleep 1000; done' & wait`

func TestASignalEndsAll(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			cmd, folder := program(t, "sh", "-c", endless)
			out := started(t, cmd)
			at := hostOf(t, line(t, out))
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(out); err != nil {
				t.Error(err)
			}
			var ended *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &ended) || ended.ExitCode() < 128 {
				t.Errorf("the program ended with %v", err)
			}
			gone(t, folder, at)
		})
	}
}

// `go run` ends without a word to the program it runs.
func TestTheEndOfTheParentEndsAll(t *testing.T) {
	t.Parallel()
	cmd, folder := program(t, "sh", "-c", endless)
	parent := exec.Command("sh", append([]string{"-c", `"$@" & wait`, "sh"}, cmd.Args...)...)
	parent.Env, parent.Stderr = cmd.Env, cmd.Stderr
	out := started(t, parent)
	at := hostOf(t, line(t, out))
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(out); err != nil {
		t.Error(err)
	}
	_ = parent.Wait()
	gone(t, folder, at)
}

func TestAServerOfTheCallerIsUsed(t *testing.T) {
	t.Parallel()
	cmd, folder := program(t, "sh", "-c", `echo "$VITRINE_TEST_POSTGRES"`)
	cmd.Env = append(cmd.Env, variable+"=postgres://elsewhere")
	if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != "postgres://elsewhere" {
		t.Errorf("%s, %v", out, err)
	}
	gone(t, folder, "127.0.0.1:1")
}

func TestClustersCrashAndHaveStandbys(t *testing.T) {
	t.Parallel()
	cmd, folder := program(t, "-durable", "sh", "-c",
		`echo "$VITRINE_TEST_POSTGRES"; "$VITRINE_TEST_POSTGRES_CRASH" && "$VITRINE_TEST_POSTGRES_STANDBY" start one && "$VITRINE_TEST_POSTGRES_STANDBY" start two && read -r _ && "$VITRINE_TEST_POSTGRES_STANDBY" stop one && echo stopped && read -r _`)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out := started(t, cmd)
	at := hostOf(t, line(t, out))
	one, two := "127.0.0.1:"+line(t, out), "127.0.0.1:"+line(t, out)
	for _, at := range []string{at, one, two} {
		if !answers(at) {
			t.Errorf("nothing answers at %s", at)
		}
	}
	if _, err := in.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	if line(t, out); answers(one) || !answers(two) {
		t.Error("another standby has ended than the first")
	}
	if logs, err := filepath.Glob(filepath.Join(folder, "*", "data", "server.log")); err != nil || len(logs) != 1 || !recovered(logs[0]) {
		t.Errorf("the cluster has not recovered from a crash: %v, %v", logs, err)
	}
	in.Close()
	_ = cmd.Wait()
	gone(t, folder, at)
	gone(t, folder, two)
}

func recovered(log string) bool {
	said, err := os.ReadFile(log)
	return err == nil && strings.Contains(string(said), "automatic recovery in progress")
}

func TestWithoutACommandTheClusterIsKept(t *testing.T) {
	t.Parallel()
	cmd, folder := program(t)
	out := started(t, cmd)
	text, found := strings.CutPrefix(line(t, out), "export "+variable+"=")
	at := hostOf(t, strings.Trim(text, `"`))
	if !found || !answers(at) {
		t.Errorf("nothing answers at %s", at)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	gone(t, folder, at)
}

func TestOpenNeedsACluster(t *testing.T) {
	if _, err := open(t.Context(), t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
