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

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// proof is a guarantee that is put to the test.
type proof struct {
	name string
	// run puts a server to the test and says what came of it.
	run func(context.Context, *trial) ([]figure, error)
	// sabotages are servers that the proof must not pass.
	sabotages []sabotage
	// needs are programs, next to PostgreSQL, without which it cannot be carried out.
	needs []string
}

// skip is why a proof cannot be carried out on this machine.
type skip string

func (why skip) Error() string { return string(why) }

// trial is one run of a proof: with the product, or with a sabotaged server.
type trial struct {
	*chaos
	size
	sabotage string
	// breaks are the figures that the sabotage must break; none for the product.
	breaks []string
	// host runs what the trial starts next to servers.
	host *engine.Host
}

// sabotage is a mistake, and the figures it must break.
type sabotage struct {
	name   string
	breaks []string
}

func mistake(name string, breaks ...string) sabotage { return sabotage{name, breaks} }

// chaos is one run: what was asked for, the tools, and everything it started.
type chaos struct {
	options
	folder  string
	vitrine string // the server's binary
	self    string // this program, which can be a sabotaged server
	worlds  int
	trials  int
	report  report
}

func newChaos(ctx context.Context, o options) (*chaos, error) {
	folder, err := os.MkdirTemp("", "vitrine-chaos-")
	if err != nil {
		return nil, err
	}
	c := &chaos{options: o, folder: folder, vitrine: filepath.Join(folder, "vitrine")}
	// Engines run as a user of their own, and have folders in it.
	if err := os.Chmod(folder, 0o711); err != nil { //nolint:gosec // what is in it, nobody can list
		return nil, errors.Join(err, c.close())
	}
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
		for _, s := range p.runs() {
			name := p.called(s)
			if !c.Only.MatchString(name) {
				continue
			}
			good, err := c.try(ctx, p, s, name)
			if ctx.Err() != nil {
				return failed, ctx.Err()
			}
			if why, skipped := errors.AsType[skip](err); skipped {
				fmt.Printf("SKIPPED: %s\n", why)
				c.report.skipped = append(c.report.skipped, name)
				continue
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

// runs returns the product, and the sabotages.
func (p proof) runs() []sabotage { return append([]sabotage{{}}, p.sabotages...) }

// called returns the name of a run of the proof.
func (p proof) called(s sabotage) string {
	if s.name == "" {
		return p.name
	}
	return p.name + ", sabotaged: " + s.name
}

// try runs a proof once and reports whether it ended as it must.
func (c *chaos) try(ctx context.Context, p proof, s sabotage, name string) (good bool, err error) {
	fmt.Printf("\n## %s\n\n", name)
	if missing := engine.Missing(p.needs...); len(missing) > 0 {
		return false, skip(strings.Join(missing, ", ") + " not found; make chaos-deps installs it where there is apt-get")
	}
	t := &trial{chaos: c, size: c.size, sabotage: s.name, breaks: s.breaks}
	if s.name != "" {
		t.size = sabotagedSize(c.size)
	}
	c.trials++
	if t.host, err = engine.NewHost(filepath.Join(c.folder, fmt.Sprint("host", c.trials))); err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, t.host.Close()) }()
	started := time.Now()
	figures, err := p.run(ctx, t)
	if err != nil {
		return false, err
	}
	table(os.Stdout, figures)
	good, verdict := t.judge(figures)
	fmt.Printf("\n%s (%s)\n", verdict, time.Since(started).Round(time.Second))
	c.report.add(p.name, s.name, figures)
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
	unbroken := slices.DeleteFunc(slices.Clone(t.breaks), func(name string) bool { return slices.Contains(broken, name) })
	switch {
	case t.sabotage == "" && len(broken) == 0:
		return true, "PROVED"
	case t.sabotage == "":
		return false, "FAILED: " + strings.Join(broken, ", ")
	case len(unbroken) == 0:
		return true, "RED as it must be: " + strings.Join(broken, ", ")
	}
	return false, "NOT NOTICED: the sabotage should have broken \"" + strings.Join(unbroken, "\", \"") + "\""
}
