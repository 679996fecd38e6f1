// Package engine runs the programs that several servers stand on: PostgreSQL with
// standbys, HAProxy, PgBouncer. Each runs in a folder of its own, on
// loopback addresses that were free, as a user who may do little, and is ended by its
// process.
package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// Host is where engines run. Close ends those that are left.
type Host struct {
	folder string
	// owner is who they run as: PostgreSQL refuses to run as root. Nil is the user of this process.
	owner *syscall.Credential
	// Env are variables of all programs.
	Env     []string
	closers []func() error
}

// NewHost makes a host in a folder, which every user must be able to reach.
func NewHost(folder string) (*Host, error) {
	h := &Host{folder: folder}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	if os.Getuid() != 0 {
		return h, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if account, err := user.Lookup(name); err == nil {
			if h.owner, err = credential(account); err != nil {
				return nil, err
			}
			return h, h.give(folder)
		}
	}
	return nil, errors.New("PostgreSQL refuses to run as root, and there is no user 'postgres' or 'nobody'")
}

func credential(account *user.User) (*syscall.Credential, error) {
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

// give makes the owner of engines that of a file.
func (h *Host) give(path string) error {
	if h.owner == nil {
		return nil
	}
	return os.Chown(path, int(h.owner.Uid), int(h.owner.Gid))
}

// Close ends what is left, what was started last first.
func (h *Host) Close() error {
	var err error
	for _, end := range slices.Backward(h.closers) {
		err = errors.Join(err, end())
	}
	h.closers = nil
	return err
}

// AtClose has something undone when the host is closed.
func (h *Host) AtClose(undo func() error) { h.closers = append(h.closers, undo) }

// Folder makes a folder for an engine.
func (h *Host) Folder(name string) (string, error) {
	path := filepath.Join(h.folder, name)
	if err := os.Mkdir(path, 0o700); err != nil {
		return "", err
	}
	return path, h.give(path)
}

// file writes a file for an engine.
func (h *Host) file(path, text string) error {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	return h.give(path)
}

// Find returns where a program is: on the path, or where Debian puts those of servers.
func Find(program string) (string, error) {
	found, err := exec.LookPath(program)
	if err == nil {
		return found, nil
	}
	places, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.Reverse(places) // the newest first
	for _, place := range append(places, "/usr/sbin", "/usr/local/sbin") {
		if path, err := exec.LookPath(filepath.Join(place, program)); err == nil {
			return path, nil
		}
	}
	return "", err
}

// Missing returns those of some programs that this machine lacks.
func Missing(programs ...string) []string {
	return slices.DeleteFunc(slices.Clone(programs), func(name string) bool {
		_, err := Find(name)
		return err == nil
	})
}

// Run runs a program of an engine to its end, and returns what it says.
func (h *Host) Run(ctx context.Context, program string, args ...string) (string, error) {
	command, err := h.command(ctx, program, args...)
	if err != nil {
		return "", err
	}
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return string(out), nil
}

func (h *Host) command(ctx context.Context, program string, args ...string) (*exec.Cmd, error) {
	path, err := Find(program)
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, path, args...)
	command.Dir = h.folder
	// Settings that are meant for clusters of the caller's own.
	command.Env = slices.DeleteFunc(command.Environ(), func(variable string) bool { return len(variable) > 2 && variable[:2] == "PG" })
	command.Env = slices.Concat(command.Env, []string{"HOME=" + h.folder}, h.Env)
	command.SysProcAttr = &syscall.SysProcAttr{Credential: h.owner}
	return command, nil
}

// process is a program that goes on.
type process struct {
	command *exec.Cmd
	log     string
	ended   chan struct{}
}

// start starts a program. What it says goes into a log file.
func (h *Host) start(log, program string, args ...string) (*process, error) {
	// Not bound to the context of a run: it is ended by hand, in an order.
	command, err := h.command(context.Background(), program, args...)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	command.Stdout, command.Stderr = file, file
	p := &process{command: command, log: log, ended: make(chan struct{})}
	if err := command.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = command.Wait()
		close(p.ended)
	}()
	return p, nil
}

// endsWithin is how long a process may take to end before it is killed.
const endsWithin = 30 * time.Second

// end ends the process with a signal, and kills it if that does not.
func (p *process) end(how syscall.Signal) error {
	if p == nil {
		return nil
	}
	if err := p.signal(how); err != nil {
		return err
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(endsWithin):
	}
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-p.ended
	return nil
}

func (p *process) signal(how syscall.Signal) error {
	err := p.command.Process.Signal(how)
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// gone reports whether the process has ended.
func (p *process) gone() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// readyWithin is how long an engine may take to be ready.
const readyWithin = time.Minute

// until waits until the process is ready for something.
func (p *process) until(ctx context.Context, ready func() bool) error {
	for deadline := time.Now().Add(readyWithin); !ready(); {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case p.gone():
			return fmt.Errorf("%s ended at its start: %s", p.command.Path, p.lastWords())
		case time.Now().After(deadline):
			return fmt.Errorf("%s does not get ready: %s", p.command.Path, p.lastWords())
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil
}

func (p *process) lastWords() string {
	text, err := tail(p.log, 2000)
	if err != nil {
		return err.Error()
	}
	return text
}

func tail(path string, most int64) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > most {
		if _, err := file.Seek(-most, io.SeekEnd); err != nil {
			return "", err
		}
	}
	text, err := io.ReadAll(file)
	return string(text), err
}
