package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// server is a server process that can be killed and started again.
type server struct {
	address string
	program []string
	log     string
	process *exec.Cmd
	ended   chan error
}

// serving are the options every server gets. Retries and leases are short, so
// that a run need not wait for them.
func serving(w *world) []string {
	return []string{
		"--database=" + w.database, "--photos=file://" + filepath.Join(w.folder, "photos"), "--rate-limit=0", "--polling=off", "--log-level=warn", "--log-format=text",
		"--hooks-allow=127.0.0.0/8:*", "--hooks-allow-http",
		"--hooks-retry-delays=100ms,300ms,900ms", "--hooks-timeout=3s", "--hooks-lease=3s", "--shutdown-timeout=5s",
	}
}

// server makes a server of a world, without starting it: the product's, or a
// sabotaged one if that is what the trial is about.
func (t *trial) server(w *world, more ...string) (*server, error) {
	if t.sabotage == "" || t.sabotage == asyncCommit { // which is a setting of the database
		return newServer(w, append([]string{t.vitrine, "serve"}, overridden(serving(w), more)...), more)
	}
	return t.ownServer(w, more...)
}

// overridden drops the options that are given again: some would add up.
func overridden(options, more []string) []string {
	return slices.DeleteFunc(options, func(option string) bool {
		name, _, _ := strings.Cut(option, "=")
		return slices.ContainsFunc(more, func(other string) bool { return strings.HasPrefix(other, name+"=") })
	})
}

// ownServer is put together by this program, whether sabotaged or not.
func (t *trial) ownServer(w *world, more ...string) (*server, error) {
	return newServer(w, append([]string{t.self, serverMode, "--sabotage=" + t.sabotage}, overridden(serving(w), more)...), more)
}

func newServer(w *world, program, more []string) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	s := &server{
		address: address, program: slices.Concat(program, []string{"--listen=" + address}, more),
		log: filepath.Join(w.folder, fmt.Sprintf("server-%d.log", len(w.servers))),
	}
	w.servers = append(w.servers, s)
	return s, nil
}

// freeAddress is one that nobody listens on at the moment.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// start starts the process and waits until it is ready.
func (s *server) start(ctx context.Context) error {
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.process = exec.Command(s.program[0], s.program[1:]...)
	s.process.Env = append(s.process.Environ(), "VITRINE_SECRET_KEY="+secrets.SecretKey)
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		return err
	}
	process, ended := s.process, make(chan error, 1)
	s.ended = ended
	go func() { ended <- process.Wait() }()
	return s.ready(ctx)
}

const startsWithin = time.Minute

func (s *server) ready(ctx context.Context) error {
	for deadline := time.Now().Add(startsWithin); time.Now().Before(deadline); {
		response, err := http.Get("http://" + s.address + "/readyz")
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case err := <-s.ended:
			s.ended <- err
			return fmt.Errorf("the server ended at its start: %w: %s", err, s.lastWords())
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return errors.New("the server does not get ready: " + s.lastWords())
}

// kill ends the process at once, wherever it is.
func (s *server) kill() error { return s.end(syscall.SIGKILL) }

// stop lets the process finish what it is doing.
func (s *server) stop() error { return s.end(syscall.SIGTERM) }

func (s *server) end(how syscall.Signal) error {
	if s.process == nil {
		return nil
	}
	if err := s.process.Process.Signal(how); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	err := <-s.ended
	s.process = nil
	if how == syscall.SIGKILL {
		return nil
	}
	return err
}

// pause stops the process in its tracks for a while, as a machine that is
// moved or out of memory does. It does not know it was away.
func (s *server) pause(ctx context.Context, d time.Duration) error {
	if err := s.process.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	wait(ctx, d)
	return s.process.Process.Signal(syscall.SIGCONT)
}

// lastWords is the end of the log.
func (s *server) lastWords() string {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-1500):])
}

// wait waits, unless ctx ends first.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
