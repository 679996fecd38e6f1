package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
)

func targetPages() []page {
	const one = "/publication-targets/{id}"
	manages := operator.ManageImports
	return []page{
		{
			path: "/publication-targets", title: "Portals", template: "publication-targets", show: showTargets, powers: manages,
			menu: &menu{section: data, label: "Portals", icon: "out"},
		},
		{path: one, title: "Portal", template: "publication-target", show: showTarget, under: "/publication-targets", powers: manages},
		{path: one + "/send", do: sendToTarget, on: one, powers: manages},
		{path: one + "/pause", do: pauseTarget, on: one, powers: manages},
		{path: one + "/reject", do: rejectListing, on: one, powers: manages},
	}
}

// targetsPage lists the publication targets of a site.
type targetsPage struct {
	Rows  []targetRow
	Empty empty
}

type targetRow struct {
	ID                  int64
	Name, Format, Place string
	State               state
	Good, Due           moment
}

func showTargets(v *pageRequest) (any, error) {
	all, err := v.Backoffice.ListPublicationTargets(v.ctx, v.actor, at(v, kernel.Nothing{}))
	p := targetsPage{Empty: empty{Title: "No portals", Text: "A setup file names the portals that get the listings: publication_targets."}}
	for _, t := range all {
		p.Rows = append(p.Rows, v.targetRow(t))
	}
	return p, err
}

func (v *pageRequest) targetRow(t operator.PublicationTarget) targetRow {
	row := targetRow{ID: int64(t.ID), Name: t.Name, Format: t.Settings.Format, Place: t.Settings.Place(), State: v.targetState(t), Good: v.when(t.State.Good), Due: v.when(t.State.Due)}
	if t.Settings.Paused {
		row.Due = moment{}
	}
	return row
}

// targetState returns how a target stands.
func (v *pageRequest) targetState(t operator.PublicationTarget) state {
	return standing(t.Settings.Paused, t.State.Run != 0 && t.State.Due.After(v.now), t.State.Problem, t.State.Looked)
}

// targetPage is one target with its last runs.
type targetPage struct {
	Form *form
	targetRow
	Problem string
	Facts   []fact
	Runs    []targetRun
	Lines   []targetLine
	More    string
	Fields  []field
	Empty   empty
	MaySend bool
	// Pauses reports that the button pauses the target.
	Pauses bool
}

func (p targetPage) title() string { return p.Name }

type targetRun struct {
	ID                                           int64
	State                                        state
	Current                                      bool
	Listings, Added, Changed, Withdrawn, LeftOut string
	Ended                                        moment
	Problem                                      string
}

type targetLine struct {
	Action         state
	Product        int64
	Reference, Why string
}

func showTarget(v *pageRequest) (any, error) {
	id, err := v.id("id")
	if err != nil {
		return nil, err
	}
	run, _ := strconv.ParseInt(v.query("run"), 10, 64) // 0 is the last
	t, err := v.Backoffice.GetPublicationTarget(v.ctx, v.actor, at(v, portals.TargetPath{ID: id, Run: run}))
	if err != nil {
		return nil, err
	}
	set, f := t.Settings, v.form()
	p := targetPage{
		Form: f, targetRow: v.targetRow(t.PublicationTarget), Problem: t.State.Problem, Pauses: !set.Paused, MaySend: !set.Paused,
		Facts: []fact{
			{"Format", set.Format}, {"Pictures", set.Pictures}, {"Agencies", cmp.Or(agencyCodes(set), "all")}, {"Criteria", cmp.Or(conditionWords(set), "none")},
			{"Every", set.Every.String()}, {"Looked at", v.when(t.State.Looked).Ago},
		},
		Fields: []field{
			f.text("product", "Listing", "Its number.", "").required(),
			f.text("reason", "Reason", "What the portal said; empty when it took the listing after all.", ""),
		},
		Empty: empty{Title: "Nothing was sent yet", Text: "What was sent, and what was left out and why, appears here."},
	}
	for i, r := range t.Runs {
		row := targetRun{
			ID: int64(r.ID), State: state{well, string(r.State)}, Listings: count(r.Listings), Added: count(r.Added), Changed: count(r.Changed), Withdrawn: count(r.Withdrawn),
			LeftOut: count(r.LeftOut), Ended: v.when(r.Ended), Problem: r.Problem, Current: run == 0 && i == 0 || run == int64(r.ID),
		}
		if r.State == operator.TargetFailed {
			row.State.Tone = broken
		}
		p.Runs = append(p.Runs, row)
		for _, l := range r.Lines {
			p.Lines = append(p.Lines, targetLine{state{lineTones[l.Action], string(l.Action)}, int64(l.Product), l.Reference, l.Why})
		}
		if len(r.Lines) == operator.MaxTargetLines {
			p.More = fmt.Sprintf("The first %d are shown.", operator.MaxTargetLines)
		}
	}
	return p, nil
}

var lineTones = map[operator.TargetAction]tone{
	operator.TargetAdded: well, operator.TargetChanged: told, operator.TargetWithdrawn: over, operator.TargetLeftOut: wanted,
}

// agencyCodes returns what the portal calls the agencies.
func agencyCodes(s operator.TargetSettings) string {
	var words []string
	for _, id := range s.AllAgencies() {
		words = append(words, fmt.Sprintf("%d as %s", id, s.Agencies[id]))
	}
	return strings.Join(words, ", ")
}

func conditionWords(s operator.TargetSettings) string {
	var words []string
	for _, c := range s.Criterias {
		words = append(words, c.Criterion+" "+c.Operator+" "+strings.Join(c.Values, ", "))
	}
	return strings.Join(slices.Compact(words), "; ")
}

func sendToTarget(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	_, err = v.Backoffice.SendToPublicationTarget(v.ctx, v.actor, at(v, portals.TargetPath{ID: id}))
	return went("publication-targets", id).saying("It is sent within seconds."), err
}

func pauseTarget(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	paused, said := v.pausing()
	_, err = v.Backoffice.PausePublicationTarget(v.ctx, v.actor, at(v, portals.PauseTarget{ID: id, Paused: paused}))
	return went("publication-targets", id).saying(said), err
}

func rejectListing(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	product, _ := strconv.ParseInt(v.sent("product"), 10, 64) // no listing has the number 0
	_, err = v.Backoffice.RejectListing(v.ctx, v.actor, at(v, portals.RejectListing{ID: id, Product: product, Reason: v.sent("reason")}))
	return went("publication-targets", id).saying("It is noted."), err
}
