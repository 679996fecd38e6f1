package sites

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

// valuesPage is a criterion or a list with its values, which can be put in order,
// labelled and retired.
type valuesPage struct {
	Form *kit.Form
	// Heading is the key, Label what people read.
	Heading, Label  string
	State           *kit.State
	Back, BackLabel string
	Facts           []kit.Fact
	MayChange       bool
	Action          string
	Rows            []valueRow
	Empty           kit.Empty
}

func (p valuesPage) TabTitle() string { return p.Heading }

// valueRow is a value, at its place in the order.
type valueRow struct {
	Place       int
	Code, Label string
	Active      bool
	State       kit.State
	// Unsaved is what had been typed, where somebody else changed the values meanwhile.
	Unsaved string
	Wrong   *kit.Wrong
}

// ID returns what the fields of the row are called by.
func (r valueRow) ID() string { return "value-" + strconv.Itoa(r.Place) }

// valueRows returns values in their order.
func valueRows(values []office.ReferentialValueState) []valueRow {
	rows := make([]valueRow, len(values))
	for i, value := range values {
		rows[i] = valueRow{Place: i + 1, Code: value.Model, Label: value.Label, Active: value.IsActive, State: activity(value.IsActive)}
	}
	return rows
}

// typedRows returns the values as a form has them, in the order that its numbers say. A
// value that is given the place of another one comes before it on its way up, and
// after it on its way down: so each is where its number says if it alone moves.
func typedRows(typed url.Values) []valueRow {
	type moved struct {
		valueRow
		rank int
	}
	var all []moved
	for i, code := range typed["model"] {
		was, to := i+1, i+1
		if number, err := strconv.Atoi(kit.Nth(typed["place"], i)); err == nil {
			to = number
		}
		active := slices.Contains(typed["active"], code)
		all = append(all, moved{valueRow{Code: code, Label: kit.Nth(typed["label"], i), Active: active, State: activity(active)}, 2*to + cmp.Compare(to, was)})
	}
	slices.SortStableFunc(all, func(a, b moved) int { return cmp.Compare(a.rank, b.rank) })
	rows := make([]valueRow, len(all))
	for i, m := range all {
		rows[i] = m.valueRow
		rows[i].Place = i + 1
	}
	return rows
}

// shownRows returns the values to be shown: those there are, or, after something was
// wrong, those that were typed, with what is wrong next to them. Values that came
// meanwhile follow. Where somebody else has changed the values, what was typed is said
// beside those there are now.
func shownRows(f *kit.Form, stored []valueRow) []valueRow {
	switch {
	case f.Unsaved != nil:
		return besideUnsaved(f, stored, typedRows(f.Unsaved))
	case f.Typed == nil:
		return stored
	}
	rows := typedRows(f.Typed)
	for i := range rows {
		rows[i].Wrong = f.Problem(fmt.Sprintf("values[%d]", i))
	}
	for _, s := range stored {
		if !slices.ContainsFunc(rows, func(r valueRow) bool { return r.Code == s.Code }) {
			s.Place = len(rows) + 1
			rows = append(rows, s)
		}
	}
	return rows
}

// besideUnsaved returns the stored values, each with what was typed for it and not saved.
func besideUnsaved(f *kit.Form, stored, typed []valueRow) []valueRow {
	for i, now := range stored {
		n := slices.IndexFunc(typed, func(r valueRow) bool { return r.Code == now.Code })
		if n < 0 {
			continue
		}
		var had []string
		if typed[n].Place != now.Place {
			had = append(had, f.Say("place %d", typed[n].Place))
		}
		if typed[n].Label != now.Label {
			had = append(had, cmp.Or(typed[n].Label, f.Say("no label")))
		}
		if typed[n].Active != now.Active {
			had = append(had, f.Show(typed[n].State.Word))
		}
		stored[i].Unsaved = strings.Join(had, ", ")
	}
	return stored
}

// valueChanges returns what a form asks for.
func valueChanges(v *kit.Request) []office.ValueChange {
	var changes []office.ValueChange
	for _, r := range typedRows(v.HTTP.PostForm) {
		changes = append(changes, office.ValueChange{Model: r.Code, Label: opt.Of(r.Label), IsActive: opt.Of(r.Active)})
	}
	return changes
}

func showCriterion(v *kit.Request) (any, error) {
	// The version is read first: a change that comes between the two is noticed then.
	c, own, err := settings(v)
	if err != nil {
		return nil, err
	}
	d, err := v.Site.Office.GetCriterion(v.Ctx, c, office.ReadCriterion{Criteria: v.HTTP.PathValue("key")})
	if err != nil {
		return nil, err
	}
	f, active := v.Form(), activity(d.IsActive)
	return valuesPage{
		Form: f, Heading: d.Key, Label: d.Label, State: &active, Back: v.Link("site", "criteria"), BackLabel: v.Say("Criteria"),
		Facts: criterionFacts(v, d.CriteriaResource), MayChange: v.Actor.May(operator.ManageSites), Action: v.ActionOn(own.Version, "site", "criteria", d.Key, "values"),
		Rows:  shownRows(f, valueRows(d.Values)),
		Empty: kit.Empty{Title: "It has no values to choose from", Text: "What products have for it is written freely, within the bounds above."},
	}, nil
}

// criterionFacts returns what is known of a criterion besides its values.
func criterionFacts(v *kit.Request, d office.CriteriaResource) []kit.Fact {
	return kit.Facts(
		v.Fact("Type", typeOf(d)), v.Fact("Number", strconv.FormatInt(d.ID, 10)), v.Fact("Description", kit.Said(d.Description)), v.Fact("Group", kit.Said(d.Group)),
		v.Fact("Traits", traits(v, d)), v.Fact("Types of property", strings.Join(d.PropertyTypes, ", ")),
		v.Fact("At least", bound(d.Min)), v.Fact("At most", bound(d.Max)), v.Fact("Decimals", digits(d.Decimals)), v.Fact("Characters", digits(d.MaxLength)),
	)
}

func bound(limit *float64) string {
	if limit == nil {
		return ""
	}
	return strconv.FormatFloat(*limit, 'f', -1, 64)
}

func digits(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func changeCriterionValues(v *kit.Request) (kit.Done, error) {
	key := v.HTTP.PathValue("key")
	_, err := v.Backoffice.ChangeCriterionValues(v.Ctx, v.Actor, kit.At(v, office.ChangeCriterionValues{IfMatch: v.IfStill(), Criteria: key, Values: valueChanges(v)}))
	return kit.Went("site", "criteria", key).Saying("The values are changed."), err
}

func showList(v *kit.Request) (any, error) {
	id, err := v.ID("id")
	if err != nil {
		return nil, err
	}
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	all, err := v.Site.Office.ListLists(v.Ctx, c, kernel.Nothing{})
	if err != nil {
		return nil, err
	}
	n := slices.IndexFunc(all, func(l office.ListResource) bool { return l.ID == id })
	if n < 0 {
		return nil, kernel.Unknown("no list has this id")
	}
	own, err := v.Site.Office.Settings(v.Ctx, c, kernel.Nothing{})
	if err != nil {
		return nil, err
	}
	values, err := listValues(v, c, id)
	f := v.Form()
	return valuesPage{
		Form: f, Heading: all[n].Key, Label: all[n].Label, Back: v.Link("site", "lists"), BackLabel: v.Say("Lists"),
		MayChange: v.Actor.May(operator.ManageSites), Action: v.ActionOn(own.Version, "site", "lists", id, "values"),
		Rows: shownRows(f, valueRows(values)), Empty: kit.Empty{Title: "It has no values yet", Text: "A provisioning file brings them."},
	}, err
}

// listValues returns the values of a list. The use case tells which can be chosen by
// leaving the others out.
func listValues(v *kit.Request, c kernel.Caller, id int64) ([]office.ReferentialValueState, error) {
	all, err := v.Site.Office.ListListValues(v.Ctx, c, office.ReadListValues{List: id, IncludeInactive: true})
	if err != nil {
		return nil, err
	}
	active, err := v.Site.Office.ListListValues(v.Ctx, c, office.ReadListValues{List: id})
	states := make([]office.ReferentialValueState, len(all))
	for i, value := range all {
		states[i] = office.ReferentialValueState{ReferentialValue: value, IsActive: slices.Contains(active, value)}
	}
	return states, err
}

func changeListValues(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.ChangeListValues(v.Ctx, v.Actor, kit.At(v, office.ChangeListValues{IfMatch: v.IfStill(), List: id, Values: valueChanges(v)}))
	return kit.Went("site", "lists", id).Saying("The values are changed."), err
}
