package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// proof is a guarantee that is put to the test.
type proof struct {
	name string
	// run puts a server to the test and says what came of it.
	run func(context.Context, *trial) ([]figure, error)
	// sabotages are servers that the proof must not pass.
	sabotages []sabotage
}

// trial is one run of a proof: with the product, or with a sabotaged server.
type trial struct {
	*chaos
	size
	sabotage string
	// breaks is the figure that the sabotage must break; empty for the product.
	breaks string
}

// sabotage is a mistake, and the figure it must break.
type sabotage struct{ name, breaks string }

// chaos is one run: what was asked for, the tools, and everything it started.
type chaos struct {
	options
	folder  string
	vitrine string // the server's binary
	self    string // this program, which can be a sabotaged server
	worlds  int
}

func newChaos(ctx context.Context, o options) (*chaos, error) {
	folder, err := os.MkdirTemp("", "vitrine-chaos-")
	if err != nil {
		return nil, err
	}
	c := &chaos{options: o, folder: folder, vitrine: filepath.Join(folder, "vitrine")}
	if c.self, err = os.Executable(); err != nil {
		return nil, errors.Join(err, c.close())
	}
	if err := rig.Build(ctx, c.vitrine); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

func (c *chaos) close() error { return os.RemoveAll(c.folder) }

// prove runs what was asked for and counts what did not end as it must.
func (c *chaos) prove(ctx context.Context) (failed int, err error) {
	for _, p := range proofs() {
		for _, s := range append([]sabotage{{}}, p.sabotages...) {
			name := p.name
			if s.name != "" {
				name += ", sabotaged: " + s.name
			}
			if !c.Only.MatchString(name) {
				continue
			}
			good, err := c.try(ctx, p, s, name)
			if ctx.Err() != nil {
				return failed, ctx.Err()
			}
			if err != nil {
				fmt.Printf("could not be carried out: %v\n", err)
			}
			if err != nil || !good {
				failed++
			}
		}
	}
	return failed, nil
}

// try runs a proof once and reports whether it ended as it must.
func (c *chaos) try(ctx context.Context, p proof, s sabotage, name string) (bool, error) {
	t := &trial{chaos: c, size: c.size, sabotage: s.name, breaks: s.breaks}
	if s.name != "" {
		t.size = sabotagedSize(c.size)
	}
	fmt.Printf("\n## %s\n\n", name)
	started := time.Now()
	figures, err := p.run(ctx, t)
	if err != nil {
		return false, err
	}
	table(os.Stdout, figures)
	good, verdict := t.judge(figures)
	fmt.Printf("\n%s (%s)\n", verdict, time.Since(started).Round(time.Second))
	return good, nil
}

// sabotagedSize is as much as a mistake needs to show.
func sabotagedSize(s size) size {
	s.kills, s.events, s.crashes = min(s.kills, 12), min(s.events, 2500), min(s.crashes, 6)
	s.rounds, s.round, s.outage = 1, min(s.round, 6*time.Second), min(s.outage, 24*time.Second)
	return s
}

func (t *trial) judge(figures []figure) (good bool, verdict string) {
	var broken []string
	for _, f := range figures {
		if !f.holds {
			broken = append(broken, f.name)
		}
	}
	switch {
	case t.breaks == "" && len(broken) == 0:
		return true, "PROVED"
	case t.breaks == "":
		return false, "FAILED: " + strings.Join(broken, ", ")
	case slices.Contains(broken, t.breaks):
		return true, "RED as it must be: " + strings.Join(broken, ", ")
	}
	return false, "NOT NOTICED: the sabotage should have broken \"" + t.breaks + "\""
}

// proofs lists everything there is to prove.
func proofs() []proof {
	return []proof{
		{"kill sqlite", killing("sqlite"), []sabotage{
			{markBeforeSend, lostDeliveries}, {ackBeforeCommit, lostWrites}, {hoards, duplicates},
		}},
		{"kill postgres", killing("postgres"), []sabotage{
			{markBeforeSend, lostDeliveries}, {ackBeforeCommit, lostWrites}, {hoards, duplicates},
		}},
		{"clock sqlite", ticking("sqlite"), []sabotage{{tellsFirst, toldTwice}}},
		{"clock postgres", ticking("postgres"), []sabotage{{tellsFirst, toldTwice}}},
		{"postgres", crashing, []sabotage{
			{asyncCommit, lostWrites}, {blindRetry, doubledWrites}, {bareErrors, otherAnswers},
		}},
		{"replicas", replicating, []sabotage{
			{skipWaiting, inversions}, {weakLease, duplicates}, {forgetAttempts, notSuspended},
		}},
		{"head-of-line", stalling, []sabotage{{onePlace, stalledRatio}}},
		{"requests", stallingLog, []sabotage{{sharesWriter, waitedForLog}}},
		{"egress", unplugging, []sabotage{{noBreakers, suspendedForNothing}}},
	}
}
