// Package rig is what the programs share that put the server to the test: the
// program itself, the machine it runs on, databases, servers, a client, a
// receiver of deliveries, and figures.
package rig

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"syscall"
)

// Mode is what a program does with its arguments.
type Mode func(ctx context.Context, args []string) error

// Main runs a program until it is done or interrupted, and exits with 1 if it
// failed. A first argument that is the name of another mode runs that one: so a
// program starts processes of its own.
func Main(name string, run Mode, modes map[string]Mode) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	args := os.Args[1:]
	if len(args) > 0 && modes[args[0]] != nil {
		run, args = modes[args[0]], args[1:]
	}
	if err := run(ctx, args); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Flags are the flags that the programs have in common.
type Flags struct {
	Short    bool
	Only     *regexp.Regexp
	Postgres string
}

// Add defines the flags, each with what it means to the program.
func (f *Flags) Add(flags *flag.FlagSet, short, only, postgres string) {
	f.Only = regexp.MustCompile("")
	flags.BoolVar(&f.Short, "short", false, short)
	flags.Func("only", only, func(text string) (err error) {
		f.Only, err = regexp.Compile(text)
		return err
	})
	flags.StringVar(&f.Postgres, "postgres", os.Getenv("VITRINE_TEST_POSTGRES"), postgres) //nolint:forbidigo // the cluster that apps/internal/cluster started
}
