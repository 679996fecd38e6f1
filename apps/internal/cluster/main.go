// Command cluster runs a command next to a private PostgreSQL cluster that exists only for it.
//
//	go run ./apps/internal/cluster [-durable] [COMMAND [ARGUMENT…]]
//
// Without a command it keeps the cluster until it is interrupted. The command finds the
// cluster in its environment:
//
//	VITRINE_TEST_POSTGRES          its URL
//	VITRINE_TEST_POSTGRES_CRASH    a program that crashes it and starts it again
//	VITRINE_TEST_POSTGRES_STANDBY  a program: "start NAME" starts a standby of it and prints
//	                               the port, "stop NAME" ends that
//
// If VITRINE_TEST_POSTGRES is already set, the command runs next to that server and none is started.
//
// The cluster lives in a temporary folder and belongs to an unprivileged user when the caller is
// root. It is gone, with every process that the command left behind, when the command ends, when
// this program gets a signal, or when the program that started this one has ended. Nothing is
// flushed to the disk, which is what tests want; with -durable everything is, and settings are
// those of a benchmark.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// The environment of the command, and the names of the programs in the folder of the cluster.
const (
	variable       = "VITRINE_TEST_POSTGRES"
	crashProgram   = "crash"
	standbyProgram = "standby"
)

func main() {
	ctx := untilSignal()
	var err error
	// The two programs of a cluster are links to this one.
	switch folder, name := filepath.Split(os.Args[0]); name {
	case crashProgram:
		err = crash(ctx, folder)
	case standbyProgram:
		err = standby(ctx, folder, os.Args[1:])
	default:
		err = run(ctx, os.Args[1:])
	}
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended):
		os.Exit(status(ended.ProcessState))
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// received is why a context ended.
type received struct{ syscall.Signal }

func (r received) Error() string { return r.String() }

// untilSignal returns a context that ends with the first signal, or with the process that started this one.
func untilSignal() context.Context {
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	parent := os.Getppid()
	go func() {
		for {
			select {
			case s := <-signals:
				end(received{s.(syscall.Signal)})
			case <-time.After(time.Second):
				if os.Getppid() != parent {
					end(received{syscall.SIGTERM})
				}
			}
		}
	}()
	return ctx
}

// status returns what a shell calls the end of a process.
func status(p *os.ProcessState) int {
	if how, ok := p.Sys().(syscall.WaitStatus); ok && how.Signaled() {
		return 128 + int(how.Signal())
	}
	return p.ExitCode()
}

func crash(ctx context.Context, folder string) error {
	c, err := open(ctx, folder)
	if err != nil {
		return err
	}
	return c.Crash(ctx)
}

func standby(ctx context.Context, folder string, args []string) error {
	c, err := open(ctx, folder)
	switch {
	case err != nil:
		return err
	case len(args) == 2 && args[0] == "start":
		port, err := c.Standby(ctx, args[1])
		if err == nil {
			fmt.Println(port)
		}
		return err
	case len(args) == 2 && args[0] == "stop":
		return c.EndStandby(args[1])
	}
	return errors.New("usage: standby start|stop NAME")
}

func run(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("cluster", flag.ContinueOnError)
	durable := flags.Bool("durable", false, "flush everything to the disk, with the settings of a benchmark")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	args = flags.Args()
	environ := os.Environ()                         //nolint:forbidigo // the command gets what this program has
	if len(args) > 0 && os.Getenv(variable) != "" { //nolint:forbidigo // the server of the caller
		return beside(ctx, environ, args)
	}
	c, err := Start(ctx, *durable)
	if err != nil {
		return err
	}
	defer func() {
		if failed := c.Close(); err == nil {
			err = failed
		}
	}()
	if len(args) == 0 {
		fmt.Printf("export %s=%q\nCtrl-C ends it.\n", variable, c.URL())
		<-ctx.Done()
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	environ = append(environ, variable+"="+c.URL())
	for name, at := range map[string]string{"_CRASH": crashProgram, "_STANDBY": standbyProgram} {
		program := filepath.Join(c.folder, at)
		if err := os.Symlink(self, program); err != nil {
			return err
		}
		environ = append(environ, variable+name+"="+program)
	}
	return beside(ctx, environ, args)
}

// beside runs a command in a process group of its own, passes the signal to all of it that ends
// the context, and ends what it left running.
func beside(ctx context.Context, environ, args []string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = environ, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// A group in the background may not read the terminal, so it does not get it.
	if input, err := os.Stdin.Stat(); err == nil && input.Mode()&fs.ModeCharDevice == 0 {
		cmd.Stdin = os.Stdin
	}
	cmd.Cancel = func() error {
		how := received{syscall.SIGTERM}
		errors.As(context.Cause(ctx), &how)
		return syscall.Kill(-cmd.Process.Pid, how.Signal)
	}
	cmd.WaitDelay = 30 * time.Second
	if err := cmd.Start(); err != nil {
		return err
	}
	defer endGroup(cmd.Process.Pid)
	err := cmd.Wait()
	if errors.Is(err, context.Canceled) {
		return nil // the command ended well after the signal
	}
	return err
}

// endGroup ends a process group: politely, then not.
func endGroup(group int) {
	for range 20 {
		if syscall.Kill(-group, syscall.SIGTERM) != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	_ = syscall.Kill(-group, syscall.SIGKILL)
}
