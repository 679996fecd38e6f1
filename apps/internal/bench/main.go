// Command bench measures the server and says which goals it meets; `make bench`
// runs it next to a durable PostgreSQL. docs/performance.md tells how it measures
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
	"runtime/pprof"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

func main() {
	rig.Main("bench", run, map[string]rig.Mode{clientMode: serveJobs, receiverMode: receive})
}

// options are what a run can be told.
type options struct {
	rig.Flags
	products int
	rounds   int
	round    time.Duration
	profile  string
	large    bool
	growth   bool
	limit    time.Duration
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	o.Add(flags, "10,000 products and few, short rounds: to try things, not to quote",
		"measure only what matches `REGEX`, such as 'get postgres'",
		"`URL` of a PostgreSQL server on which a database can be made; without one only SQLite is measured")
	flags.IntVar(&o.products, "products", 100_000, "products of the big site")
	flags.BoolVar(&o.large, "large", false, "also search 1,000,000 products in process, which takes some minutes and 450 MiB")
	flags.BoolVar(&o.growth, "growth", false, "also search sites of 2,000 to 1,000,000 products and up to 2,000 sites in process, which takes some minutes and 4 GiB")
	flags.DurationVar(&o.limit, "limit", stepLimit, "end the run when a step takes longer than `DURATION`")
	flags.StringVar(&o.profile, "cpuprofile", "", "write a CPU profile of the servers to `FILE`")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.rounds, o.round = 15, 300*time.Millisecond
	if o.Short {
		o.products, o.rounds, o.round = min(o.products, 10_000), 5, 200*time.Millisecond
	}
	return o, nil
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
	fmt.Println(rig.Machine(rig.Hardware()...))
	err = b.measure(ctx)
	b.report.print(os.Stdout) // what was measured before something failed, too
	if err != nil {
		return err
	}
	fmt.Printf("\n%s; took %s\n", b.versions(), time.Since(started).Round(time.Second))
	return nil
}
