package rig

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

// ServerOptions returns what every server under test is told: where its data is, that
// nobody asks too much of it, and that receivers are on this machine.
func ServerOptions(database, photos string) []string {
	return []string{
		"--database=" + database, "--photos=file://" + photos, "--rate-limit=0", "--rate-daily=0", "--rate-searches=0", "--drain-delay=0s",
		"--hooks-allow=127.0.0.0/8:*", "--hooks-allow-http",
	}
}

// Parse reads the options of a server into a struct with a config.Server, for a
// program that puts a server together itself.
func Parse(options []string, into any) error {
	parser, err := kong.New(into, kong.Vars{"database": "", "geocoder": "none", "drain": "0s"})
	if err != nil {
		return err
	}
	_, err = parser.Parse(options)
	return err
}

// Overridden drops the options that are given again: some would add up.
func Overridden(options, more []string) []string {
	return slices.DeleteFunc(options, func(option string) bool {
		name, _, _ := strings.Cut(option, "=")
		return slices.ContainsFunc(more, func(other string) bool { return strings.HasPrefix(other, name+"=") })
	})
}

// Build makes the server's binary.
func Build(ctx context.Context, binary string) error { return BuildProgram(ctx, "vitrine", binary) }

// BuildProgram makes the binary of a program, vitrine or vitrine-mirror.
func BuildProgram(ctx context.Context, program, binary string) error {
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", binary, "github.com/vitrine-crm/vitrine/apps/"+program)
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w: %s", program, err, out)
	}
	return nil
}

// Process is a server in a process of its own, which can be ended and started
// again.
type Process struct {
	// Address is where it listens, and Ready the path that answers 200 once it is ready.
	Address, Ready string

	command []string
	log     string
	process *exec.Cmd
	ended   chan error
}

// NewProcess makes a server at a free address, without starting it: the command
// is told where to listen. What it says goes into a log file.
func NewProcess(log string, command ...string) (*Process, error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	return &Process{Address: address, Ready: "/readyz", command: append(slices.Clip(command), "--listen="+address), log: log}, nil
}

// Add adds an option that depends on the address.
func (p *Process) Add(option string) { p.command = append(p.command, option) }

// Start starts the process and waits until it is ready.
func (p *Process) Start(ctx context.Context) error {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	process, ended := exec.Command(p.command[0], p.command[1:]...), make(chan error, 1)
	process.Env = append(process.Environ(), "VITRINE_SECRET_KEY="+Secrets.SecretKey)
	process.Stdout, process.Stderr = log, log
	if err := process.Start(); err != nil {
		return err
	}
	p.process, p.ended = process, ended
	go func() { ended <- process.Wait() }()
	return p.ready(ctx)
}

const startsWithin = time.Minute

func (p *Process) ready(ctx context.Context) error {
	for deadline := time.Now().Add(startsWithin); time.Now().Before(deadline); {
		response, err := http.Get("http://" + p.Address + p.Ready)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case err := <-p.ended:
			p.ended <- err
			return fmt.Errorf("the server ended at its start: %w: %s", err, p.lastWords())
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return errors.New("the server does not get ready: " + p.lastWords())
}

// Kill ends the process at once, wherever it is.
func (p *Process) Kill() error { return p.end(syscall.SIGKILL) }

// Stop lets the process finish what it is doing.
func (p *Process) Stop() error { return p.end(syscall.SIGTERM) }

func (p *Process) end(how syscall.Signal) error {
	if p.process == nil {
		return nil
	}
	if err := p.process.Process.Signal(how); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	err := <-p.ended
	p.process = nil
	if how == syscall.SIGKILL || err == nil {
		return nil
	}
	return fmt.Errorf("the server did not end well: %w: %s", err, p.lastWords())
}

// Replace stops the process, and starts another program with the same arguments.
func (p *Process) Replace(ctx context.Context, program string) error {
	if err := p.Stop(); err != nil {
		return err
	}
	p.command[0] = program
	return p.Start(ctx)
}

// ID returns the number of the process while it runs.
func (p *Process) ID() int { return p.process.Process.Pid }

// Pause stops the process in its tracks for a while, as a machine that is
// moved or out of memory does. It does not know it was away.
func (p *Process) Pause(ctx context.Context, d time.Duration) error {
	if err := p.process.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	Wait(ctx, d)
	return p.process.Process.Signal(syscall.SIGCONT)
}

// lastWords returns the end of the log.
func (p *Process) lastWords() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-1500):])
}
