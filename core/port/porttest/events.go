package porttest

import (
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func eventExamples() []example {
	return []example{
		{"EventsAreFoundByWhatTheyAre", eventsAreFound},
		{"EventsAreFoundAPageAtATime", eventsArePaged},
	}
}

// recordsDays fills the ledger of a new site with an event a day.
func (w *world) recordsDays(t *testing.T, happened []event.Event) site.ID {
	t.Helper()
	id, other := w.site(t), w.site(t)
	for n, e := range happened {
		w.update(t, func(tx port.Tx) error {
			for _, s := range []site.ID{other, id} {
				if _, err := tx.Ledger().Append(s, instant(n), []event.Event{e}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return id
}

// found are the sequences of events that a query finds, in a view and in a unit that
// writes.
func (w *world) found(t *testing.T, q port.EventQuery) (seqs []int64) {
	t.Helper()
	find := func(tx port.Tx) error {
		events, err := tx.Ledger().Find(q)
		seqs = nil
		for _, e := range events {
			seqs = append(seqs, e.Seq)
		}
		return err
	}
	w.update(t, find)
	written := seqs
	w.view(t, find)
	same(t, fmt.Sprintf("what is found in a view, with %+v", q), written, seqs)
	return seqs
}

func eventsAreFound(t *testing.T, w *world) {
	changed := event.ChangeOf([]string{"Prix", "É \\ \"<&>"})
	id := w.recordsDays(t, []event.Event{
		{Type: event.ProductCreate, Resource: 7, Agency: 1},
		{Type: event.ProductUpdate, Resource: 7, Agency: 1, Changed: changed},
		{Type: event.CustomerUpdate, Resource: 7, Agency: 2},
		{Type: event.ProductUpdate, Resource: 8, Agency: 2},
		{Type: event.ActionCreate, Resource: 7, Subject: "PRODUCT", Agency: 1},
		{Type: event.CriteriaUpdate, Resource: 1 << 40},
	})
	for _, c := range []struct {
		q    port.EventQuery
		want []int64
	}{
		{port.EventQuery{}, []int64{6, 5, 4, 3, 2, 1}},
		{port.EventQuery{Types: []event.Type{event.ProductUpdate}}, []int64{4, 2}},
		{port.EventQuery{Types: []event.Type{event.ProductUpdate, event.ActionCreate}, Resource: 7}, []int64{5, 2}},
		{port.EventQuery{Types: []event.Type{event.LeaseUpdate}}, nil},
		{port.EventQuery{Resource: 7}, []int64{5, 3, 2, 1}},
		{port.EventQuery{Resource: 1 << 40}, []int64{6}},
		{port.EventQuery{Resource: 9}, nil},
		{port.EventQuery{Agency: 2}, []int64{4, 3}},
		{port.EventQuery{From: instant(2)}, []int64{6, 5, 4, 3}},
		{port.EventQuery{From: instant(1), To: instant(3)}, []int64{3, 2}},
		{port.EventQuery{To: instant(1).Add(-time.Microsecond)}, []int64{1}},
		{port.EventQuery{Above: 4}, []int64{6, 5}},
		{port.EventQuery{Above: 1, Below: 4}, []int64{3, 2}},
	} {
		c.q.Site, c.q.Limit = id, 10
		same(t, fmt.Sprintf("what %+v finds", c.q), c.want, w.found(t, c.q))
	}
	w.view(t, func(tx port.Tx) error {
		got, err := tx.Ledger().Find(port.EventQuery{Site: id, Below: 3, Limit: 1})
		same(t, "an event", []event.Event{{Site: id, Seq: 2, Type: event.ProductUpdate, Resource: 7, Agency: 1, At: instant(1), Changed: changed}}, got)
		same(t, "what it changed", []string{"Prix", "É \\ \"<&>"}, got[0].Changes())
		return err
	})
}

func eventsArePaged(t *testing.T, w *world) {
	id := w.recordsDays(t, someEvents(5))
	for _, c := range []struct {
		below int64
		limit int
		want  []int64
	}{{0, 2, []int64{5, 4}}, {4, 2, []int64{3, 2}}, {2, 2, []int64{1}}, {1, 2, nil}, {0, 0, nil}, {0, -1, nil}} {
		q := port.EventQuery{Site: id, Below: c.below, Limit: c.limit}
		same(t, fmt.Sprintf("what %+v finds", q), c.want, w.found(t, q))
	}
	same(t, "what is found at a site that does not exist", []int64(nil), w.found(t, port.EventQuery{Site: 1 << 50, Limit: 9}))
}
