package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// report gathers what a run found, in the tables of docs/reliability.md.
type report struct {
	found, broken [][]string
	skipped       []string
}

// add notes the figures of one run of a proof.
func (r *report) add(proof, sabotage string, figures []figure) {
	if sabotage == "" {
		for _, f := range figures {
			if f.wanted != "" {
				r.found = append(r.found, []string{"`" + proof + "`", f.name, f.shown(), f.wanted})
			}
		}
		return
	}
	var broken []string
	for _, f := range figures {
		if !f.holds {
			broken = append(broken, f.name+": "+f.shown())
		}
	}
	r.broken = append(r.broken, []string{sabotage, "`" + proof + "`", strings.Join(broken, "; ")})
}

func (r *report) write(out io.Writer) {
	if len(r.found) > 0 {
		fmt.Fprint(out, "\n## What was found\n\n")
		rig.Table(out, append([][]string{{"proof", "figure", "found", "must be"}}, r.found...))
	}
	if len(r.broken) > 0 {
		fmt.Fprint(out, "\n## What the sabotages broke\n\n")
		rig.Table(out, append([][]string{{"sabotage", "of proof", "what it broke"}}, r.broken...))
	}
	if len(r.skipped) > 0 {
		fmt.Fprintf(out, "\nSKIPPED, and not proved: %s\n", strings.Join(r.skipped, "; "))
	}
}

// list says what proofs there are.
func list(out io.Writer, all []proof) {
	rows := [][]string{{"proof", "sabotages", "needs", "missing here"}}
	for _, p := range all {
		var names []string
		for _, s := range p.sabotages {
			names = append(names, s.name)
		}
		rows = append(rows, []string{p.name, strings.Join(names, "; "), strings.Join(p.needs, ", "), strings.Join(engine.Missing(p.needs...), ", ")})
	}
	rig.Table(out, rows)
}
