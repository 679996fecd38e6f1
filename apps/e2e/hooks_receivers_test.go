package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/receiver"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// built is where the program lies that the tests have built.
var built string

// program builds the server, once.
var program = sync.OnceValues(func() (path string, err error) {
	if built, err = os.MkdirTemp("", "vitrine-e2e-"); err != nil {
		return "", err
	}
	path = filepath.Join(built, "vitrine")
	return path, rig.Build(context.Background(), path)
})

// running starts the program for the length of a test.
func running(t *testing.T, command *exec.Cmd) *bufio.Scanner {
	t.Helper()
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if command.ProcessState == nil {
			_ = command.Process.Kill()
			_ = command.Wait()
		}
	})
	return bufio.NewScanner(out)
}

// listener is a receiver process: vitrine listen.
type listener struct {
	t testing.TB
	// url is to be subscribed, page shows what came.
	url, page string
}

// listening starts a receiver with arguments of vitrine listen.
func listening(t *testing.T, args ...string) *listener {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	lines := running(t, exec.Command(path, append([]string{"listen", "--addr", "127.0.0.1:0"}, args...)...))
	if !lines.Scan() {
		t.Fatal("vitrine listen says nothing")
	}
	l := &listener{t: t}
	l.page = regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(lines.Text())
	l.url = l.page + "hook"
	go func() {
		for lines.Scan() { // lest it waits for somebody to read
		}
	}()
	return l
}

func (l *listener) got() []receiver.Received {
	l.t.Helper()
	response, err := http.Get(l.page)
	if err != nil {
		l.t.Fatal(err)
	}
	defer response.Body.Close()
	var page struct{ Data []receiver.Received }
	if err := json.NewDecoder(response.Body).Decode(&page); err != nil {
		l.t.Fatal(err)
	}
	return page.Data
}

// waitFor waits until n requests have come, and no more.
func (l *listener) waitFor(n int) []receiver.Received {
	l.t.Helper()
	var got []receiver.Received
	eventually(l.t, fmt.Sprintf("%d requests arrive", n), func() bool { got = l.got(); return len(got) >= n })
	if len(got) > n {
		l.t.Fatalf("%d requests came, want %d; the last is %+v", len(got), n, got[len(got)-1])
	}
	return got
}

// recorder is a receiver within the test that keeps requests as they were on the
// wire.
type recorder struct {
	t   testing.TB
	url string
	// release ends the silence of those that are not answered.
	release func()
	quiet   chan struct{}
	// connections counts those that were opened.
	connections atomic.Int64

	mu      sync.Mutex
	answers []string
	got     []recorded
}

// recorded is a request: its lines up to the empty one, and its body.
type recorded struct {
	lines []string
	body  string
}

// header is the value of a header that is spelt exactly so and comes once.
func (r recorded) header(name string) string {
	var values []string
	for _, line := range r.lines[1:] {
		if value, found := strings.CutPrefix(line, name+": "); found {
			values = append(values, value)
		}
	}
	if len(values) != 1 {
		return fmt.Sprintf("%q", values)
	}
	return values[0]
}

// answering is an answer with a status and a body.
func answering(status int, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d -\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
}

const (
	// silence is an answer that does not come until it is released.
	silence = ""
	// echo is a 422 with the whole request as its body.
	echo = "echo"
)

// recording starts a recorder that gives each answer once, and 200 from then on.
func recording(t testing.TB, answers ...string) *recorder {
	t.Helper()
	return recordingAt(t, "127.0.0.1:0", answers...)
}

func recordingAt(t testing.TB, address string, answers ...string) *recorder {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{t: t, url: "http://" + l.Addr().String() + "/hook", answers: answers, quiet: make(chan struct{})}
	r.release = sync.OnceFunc(func() { close(r.quiet) })
	t.Cleanup(func() { l.Close(); r.release() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			r.connections.Add(1)
			go r.serve(conn)
		}
	}()
	return r
}

func (r *recorder) serve(conn net.Conn) {
	defer conn.Close()
	var wire bytes.Buffer
	request, err := http.ReadRequest(bufio.NewReader(io.TeeReader(conn, &wire)))
	if err != nil {
		return
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	head, _, _ := strings.Cut(wire.String(), "\r\n\r\n")
	r.mu.Lock()
	r.got = append(r.got, recorded{strings.Split(head, "\r\n"), string(body)})
	answer := answering(200, "")
	if len(r.answers) > 0 {
		answer, r.answers = r.answers[0], r.answers[1:]
	}
	r.mu.Unlock()
	switch answer {
	case silence:
		<-r.quiet
		answer = answering(200, "")
	case echo:
		answer = answering(422, wire.String())
	}
	_, _ = io.WriteString(conn, answer) // whoever had enough of it has left
}

// waitFor waits until n requests have come, and no more.
func (r *recorder) waitFor(n int) []recorded {
	r.t.Helper()
	var got []recorded
	eventually(r.t, fmt.Sprintf("%d requests arrive", n), func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		got = append([]recorded{}, r.got...)
		return len(got) >= n
	})
	if len(got) > n {
		r.t.Fatalf("%d requests came, want %d", len(got), n)
	}
	return got
}

// next waits for one request after n have come.
func (r *recorder) next(n int) recorded { r.t.Helper(); return r.waitFor(n + 1)[n] }
