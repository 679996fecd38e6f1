package memstore

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

type actions struct{ *tx }

// aboutKey begins the keys of the actions about a subject.
func aboutKey(id site.ID, s action.Subject) string {
	return key(int64(id)) + string(s.Kind) + key(s.ID)
}

func (r actions) Append(a action.Action) error {
	return put(r.tx, &r.state.actions, aboutKey(a.Site, a.Subject)+key(int64(a.ID)), a, same)
}

func (r actions) Page(q port.ActionQuery) ([]action.Action, error) {
	found, err := all(r.tx, r.state.actions, aboutKey(q.Site, q.Subject), same)
	found = slices.DeleteFunc(found, func(a action.Action) bool {
		return q.Before != 0 && a.ID >= q.Before || q.Types != nil && !slices.Contains(q.Types, a.Type)
	})
	slices.Reverse(found)
	return found[:min(len(found), max(q.Limit, 0))], err
}

func (r actions) Latest(id site.ID, k action.Kind, subjects []int64, types []action.TypeID, n int) ([]action.Action, error) {
	var found []action.Action
	for _, subject := range distinct(subjects) {
		page, err := r.Page(port.ActionQuery{Site: id, Subject: action.Subject{Kind: k, ID: subject}, Types: types, Limit: n})
		if err != nil {
			return nil, err
		}
		found = append(found, page...)
	}
	return found, r.reading()
}

func (r actions) Tally(id site.ID, k action.Kind, subjects []int64, visits []action.TypeID, now time.Time) ([]action.Tally, error) {
	var tallies []action.Tally
	for _, subject := range distinct(subjects) {
		found, err := all(r.tx, r.state.actions, aboutKey(id, action.Subject{Kind: k, ID: subject}), same)
		if err != nil {
			return nil, err
		}
		tally, met := action.Tally{Subject: subject}, map[customer.ID]bool{}
		for _, a := range found {
			if a.Customer != 0 {
				met[a.Customer] = true
			}
			switch {
			case !slices.Contains(visits, a.Type):
			case a.Performed.Before(now):
				tally.VisitsDone++
			default:
				tally.VisitsPlanned++
			}
		}
		tally.Customers = len(met)
		if len(found) > 0 {
			tallies = append(tallies, tally)
		}
	}
	return tallies, r.reading()
}

// distinct are numbers in ascending order, each once.
func distinct[T cmp.Ordered](numbers []T) []T {
	numbers = slices.Clone(numbers)
	slices.Sort(numbers)
	return slices.Compact(numbers)
}
