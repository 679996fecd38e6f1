package memstore

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (r ledger) Find(q port.EventQuery) ([]event.Event, error) {
	found, err := all(r.unit, r.state.events, key(int64(q.Site)), same)
	found = slices.DeleteFunc(found, func(e event.Event) bool { return !matches(q, e) })
	slices.Reverse(found)
	if !q.Values {
		for i := range found {
			found[i].Values = ""
		}
	}
	return found[:min(len(found), max(q.Limit, 0))], err
}

func (r ledger) Forget(id site.ID, kind string, resources []int64) error {
	return revise(r.unit, &r.state.events, key(int64(id)), func(e event.Event) (event.Event, bool) {
		if e.Type.Resource() == kind && slices.Contains(resources, e.Resource) {
			e.Values = ""
		}
		return e, true
	})
}

func matches(q port.EventQuery, e event.Event) bool {
	return (len(q.Types) == 0 || slices.Contains(q.Types, e.Type)) &&
		(q.Resource == 0 || e.Resource == q.Resource) && (q.Agency == 0 || e.Agency == q.Agency) &&
		(q.From.IsZero() || !e.At.Before(q.From)) && (q.To.IsZero() || e.At.Before(q.To)) &&
		(q.Above == 0 || e.Seq > q.Above) && (q.Below == 0 || e.Seq < q.Below) && (q.Request == "" || e.Request == q.Request)
}
