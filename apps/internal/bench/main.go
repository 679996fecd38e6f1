// Command bench measures the server and says which goals it meets; `make bench`
// runs it beside a durable PostgreSQL. docs/performance.md tells how it measures
// and what the figures mean.
//
// Ratios are between servers that answer in turn within this one run, so that
// they hold on a slow or busy machine as well. Absolute figures do not.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime/pprof"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case clientMode:
			serve(os.Stdin, os.Stdout, job.run)
			return
		case receiverMode:
			if err := receive(os.Stdin, os.Stdout); err != nil {
				fmt.Fprintln(os.Stderr, "bench:", err)
				os.Exit(1)
			}
			return
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options are what a run can be told.
type options struct {
	products int
	rounds   int
	round    time.Duration
	postgres string
	only     *regexp.Regexp
	profile  string
}

func parse(args []string) (options, error) {
	var o options
	var short bool
	var only string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&o.products, "products", 100_000, "products of the big site")
	flags.BoolVar(&short, "short", false, "10,000 products and few, short rounds: to try things, not to quote")
	flags.StringVar(&only, "only", "", "measure only what matches `REGEX`, such as 'get postgres'")
	flags.StringVar(&o.postgres, "postgres", os.Getenv("VITRINE_TEST_POSTGRES"), //nolint:forbidigo // the cluster scripts/with-postgres.sh started
		"`URL` of a PostgreSQL server on which a database can be made; without one only SQLite is measured")
	flags.StringVar(&o.profile, "cpuprofile", "", "write a CPU profile of the servers to `FILE`")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.rounds, o.round = 15, 300*time.Millisecond
	if short {
		o.products, o.rounds, o.round = min(o.products, 10_000), 5, 200*time.Millisecond
	}
	var err error
	o.only, err = regexp.Compile(only)
	return o, err
}

func run(ctx context.Context, args []string) (err error) {
	o, err := parse(args)
	if err != nil {
		return err
	}
	b, err := newBench(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if o.profile != "" {
		file, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	started := time.Now()
	fmt.Println(machine())
	if err := b.measure(ctx); err != nil {
		return err
	}
	b.report.print(os.Stdout)
	fmt.Printf("\n%s; took %s\n", b.versions(), time.Since(started).Round(time.Second))
	return nil
}
