package feeds

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
)

func targetPages() []kit.Page {
	const one = "/publication-targets/{id}"
	manages := operator.ManageImports
	return []kit.Page{
		{
			Path: "/publication-targets", Title: "Portals", Template: "publication-targets", Show: showTargets, Powers: manages,
			Menu: &kit.Menu{Section: kit.Data, Label: "Portals", Icon: "out"},
		},
		{Path: "/publication-targets/new", Title: "New portal", Template: "form", Show: showNewTarget, Do: createTarget, Under: "/publication-targets", Powers: manages},
		{Path: one + "/edit", Title: "Edit portal", Template: "form", Show: showEditTarget, Do: updateTarget, Under: "/publication-targets", Powers: manages},
		{Path: one + "/delete", Title: "Delete a portal", Template: "form", Show: showDeleteTarget, Do: deleteTarget, Under: "/publication-targets", Powers: manages},
		{Path: one, Title: "Portal", Template: "publication-target", Show: showTarget, Under: "/publication-targets", Powers: manages},
		{Path: one + "/send", Do: sendToTarget, On: one, Powers: manages},
		{Path: one + "/pause", Do: pauseTarget, On: one, Powers: manages},
		{Path: one + "/reject", Do: rejectListing, On: one, Powers: manages},
	}
}

// targetsPage lists the publication targets of a site.
type targetsPage struct {
	Rows  []targetRow
	Empty kit.Empty
}

type targetRow struct {
	ID                  int64
	Name, Format, Place string
	State               kit.State
	Good, Due           kit.Moment
}

func showTargets(v *kit.Request) (any, error) {
	all, err := v.Backoffice.ListPublicationTargets(v.Ctx, v.Actor, kit.At(v, kernel.Nothing{}))
	p := targetsPage{Empty: kit.Empty{Title: "No portals yet", Text: "A portal gets the listings of this site as a file, again whenever they change: in a folder of the server, or at an address. Make one for each portal."}}
	for _, t := range all {
		p.Rows = append(p.Rows, newTargetRow(v, t))
	}
	return p, err
}

func newTargetRow(v *kit.Request, t operator.PublicationTarget) targetRow {
	return targetRow{
		ID: int64(t.ID), Name: t.Name, Format: operator.ImportFormatTitle(t.Settings.Format), Place: t.Settings.Place(), State: targetState(v, t),
		Good: v.When(t.State.Good), Due: nextLook(v, t.Settings.Paused, t.State.Due),
	}
}

// targetState returns how a target stands.
func targetState(v *kit.Request, t operator.PublicationTarget) kit.State {
	return standing(t.Settings.Paused, t.State.Run != 0 && t.State.Due.After(v.Time), t.State.Problem, t.State.Looked)
}

// targetPage is one target with its last runs.
type targetPage struct {
	Form *kit.Form
	targetRow
	Problem string
	// Agencies is empty for all, Pictures for none; Criteria and Pictures are settings in words.
	Agencies, Pictures, Criteria, Every string
	Looked                              kit.Moment
	Runs                                []targetRun
	Lines                               []targetLine
	More                                string
	Fields                              []kit.Field
	Empty                               kit.Empty
	MaySend                             bool
	// Pauses reports that the button pauses the target.
	Pauses bool
}

func (p targetPage) TabTitle() string { return p.Name }

type targetRun struct {
	ID                                           int64
	State                                        kit.State
	Current                                      bool
	Listings, Added, Changed, Withdrawn, LeftOut string
	Ended                                        kit.Moment
	Problem                                      string
}

type targetLine struct {
	Action         kit.State
	Product        int64
	Reference, Why string
}

func showTarget(v *kit.Request) (any, error) {
	id, err := v.ID("id")
	if err != nil {
		return nil, err
	}
	run, _ := strconv.ParseInt(v.Query("run"), 10, 64) // 0 is the last
	t, err := v.Backoffice.GetPublicationTarget(v.Ctx, v.Actor, kit.At(v, portals.TargetPath{ID: id, Run: run}))
	if err != nil {
		return nil, err
	}
	set, f := t.Settings, v.Form()
	p := targetPage{
		Form: f, targetRow: newTargetRow(v, t.PublicationTarget), Problem: v.Read(t.State.Problem), Pauses: !set.Paused, MaySend: !set.Paused,
		Agencies: agencyCodes(v, set), Criteria: cmp.Or(conditionWords(set), v.Say("none")), Every: everyInWords(set.Every), Looked: v.When(t.State.Looked),
		Fields: []kit.Field{
			f.Text("product", "Listing", "Its number.", "").MustFill(),
			f.Text("reason", "Reason", "What the portal said; empty when it took the listing after all.", ""),
		},
		Empty: kit.Empty{Title: "Nothing was sent yet", Text: "What was sent, and what was left out and why, appears here."},
	}
	if set.Pictures != operator.NoPictures {
		p.Pictures = labelOf(pictureChoices(v.Language), set.Pictures)
	}
	for i, r := range t.Runs {
		row := targetRun{
			ID: int64(r.ID), State: kit.State{Tone: kit.Well, Word: kit.Text(r.State)}, Listings: v.Count(int64(r.Listings)), Added: v.Count(int64(r.Added)), Changed: v.Count(int64(r.Changed)), Withdrawn: v.Count(int64(r.Withdrawn)),
			LeftOut: v.Count(int64(r.LeftOut)), Ended: v.When(r.Ended), Problem: v.Read(r.Problem), Current: run == 0 && i == 0 || run == int64(r.ID),
		}
		if r.State == operator.TargetFailed {
			row.State.Tone = kit.Broken
		}
		p.Runs = append(p.Runs, row)
		for _, l := range r.Lines {
			p.Lines = append(p.Lines, targetLine{kit.State{Tone: lineTones[l.Action], Word: kit.Text(l.Action)}, int64(l.Product), l.Reference, v.Read(l.Why)})
		}
		if len(r.Lines) == operator.MaxTargetLines {
			p.More = v.Say("The first %d are shown.", operator.MaxTargetLines)
		}
	}
	return p, nil
}

var lineTones = map[operator.TargetAction]kit.Tone{
	operator.TargetAdded: kit.Well, operator.TargetChanged: kit.Told, operator.TargetWithdrawn: kit.Over, operator.TargetLeftOut: kit.Wanted,
}

// agencyCodes returns what the portal calls the agencies.
func agencyCodes(v *kit.Request, s operator.TargetSettings) string {
	var words []string
	for _, id := range s.AllAgencies() {
		words = append(words, v.Say("%d as %s", id, s.Agencies[id]))
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

func sendToTarget(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.SendToPublicationTarget(v.Ctx, v.Actor, kit.At(v, portals.TargetPath{ID: id}))
	return kit.Went("publication-targets", id).Saying("It is sent within seconds."), err
}

func pauseTarget(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	paused, said := pausing(v)
	_, err = v.Backoffice.PausePublicationTarget(v.Ctx, v.Actor, kit.At(v, portals.PauseTarget{ID: id, Paused: paused}))
	return kit.Went("publication-targets", id).Saying(said), err
}

func rejectListing(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	product, _ := strconv.ParseInt(v.Sent("product"), 10, 64) // no listing has the number 0
	_, err = v.Backoffice.RejectListing(v.Ctx, v.Actor, kit.At(v, portals.RejectListing{ID: id, Product: product, Reason: v.Sent("reason")}))
	return kit.Went("publication-targets", id).Saying("It is noted."), err
}
