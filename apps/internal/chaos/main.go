// Command chaos kills what must survive being killed, and says what was lost.
// `make chaos` runs it next to a durable PostgreSQL that it may crash;
// docs/reliability.md tells what it shows.
//
// Every proof is run twice: with the server as it is, which must pass, and with
// one that was sabotaged on purpose, which must not.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

func main() {
	rig.Main("chaos", run, map[string]rig.Mode{serverMode: serveSabotaged})
}

// options are what a run can be told.
type options struct {
	rig.Flags
	size
	crash string
	list  bool
}

// size is how much a run does.
type size struct {
	kills     int           // of proof kill, on each engine
	events    int           // acknowledged, of proofs kill and replicas
	crashes   int           // of PostgreSQL
	stalled   int           // events queued for the webhook that stalls
	rounds    int           // of head-of-line, each with and without it
	round     time.Duration // of head-of-line
	outage    time.Duration // of the network
	manySites int           // of proof memory
	sabotaged time.Duration // how long a sabotaged server works
}

var (
	fullSize  = size{kills: 60, events: 20_000, crashes: 25, stalled: 1000, rounds: 6, round: 7 * time.Second, outage: 80 * time.Second, manySites: 3000, sabotaged: 15 * time.Second}
	shortSize = size{kills: 6, events: 1000, crashes: 3, stalled: 200, rounds: 3, round: 4 * time.Second, outage: 8 * time.Second, manySites: 1500, sabotaged: 6 * time.Second}
)

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	o.Add(flags, "a tenth of everything: to try things, not to quote",
		"run only what matches `REGEX`, such as 'kill sqlite' or 'replicas$'",
		"`URL` of a PostgreSQL server on which databases can be made")
	flags.BoolVar(&o.list, "list", false, "list the proofs, their sabotages and what they need, and run none")
	kills := flags.Int("kills", 0, "how often proof kill kills the server, on each engine")
	events := flags.Int("events", 0, "how many acknowledged events proofs kill (on both engines together) and replicas take")
	crashes := flags.Int("crashes", 0, "how often proof postgres crashes the database")
	flags.StringVar(&o.crash, "crash", os.Getenv("VITRINE_TEST_POSTGRES_CRASH"), //nolint:forbidigo // what crashes that cluster
		"`PROGRAM` that crashes this server and starts it again")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.size = fullSize
	if o.Short {
		o.size = shortSize
	}
	flags.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "kills":
			o.kills = *kills
		case "events":
			o.events = *events
		case "crashes":
			o.crashes = *crashes
		}
	})
	if o.Postgres == "" && !o.list {
		return o, errors.New("no PostgreSQL: run it through go run ./apps/internal/cluster -durable, as make chaos does")
	}
	return o, nil
}

func run(ctx context.Context, args []string) (err error) {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.list {
		list(os.Stdout, proofs())
		return nil
	}
	c, err := newChaos(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	started := time.Now()
	fmt.Println(rig.Machine(runtime.Version()))
	failed, err := c.prove(ctx)
	if err != nil {
		return err
	}
	c.report.write(os.Stdout)
	fmt.Printf("\ntook %s\n", time.Since(started).Round(time.Second))
	if failed > 0 {
		return fmt.Errorf("%d of the proofs or their sabotages did not end as they must", failed)
	}
	return nil
}
