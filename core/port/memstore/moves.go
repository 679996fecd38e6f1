package memstore

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// isOpen reports whether a site is worked for. One that is not known to the ledger has
// nothing that says otherwise.
func (s *state) isOpen(id site.ID) bool {
	head, _ := s.heads.get(key(int64(id)))
	return head.State == site.Open
}

func (r sites) Move(id site.ID) (site.Move, error) {
	if err := r.reading(); err != nil {
		return site.Move{}, err
	}
	if _, err := r.state.head(id); err != nil {
		return site.Move{}, err
	}
	m, _ := r.state.moves.get(key(int64(id)))
	m.Site = id
	return m, nil
}

func (r sites) PutMove(m site.Move) error {
	if err := r.writing(); err != nil {
		return err
	}
	head, err := r.state.head(m.Site)
	if err != nil {
		return err
	}
	head.State = m.State
	k := key(int64(m.Site))
	r.state.heads, r.state.moves = r.state.heads.with(k, head), r.state.moves.with(k, m)
	return nil
}

func (r sites) PurgeMoved(before time.Time, n int) (int, error) {
	if err := r.writing(); err != nil {
		return 0, err
	}
	gone := removal{left: n}
	for m := range r.state.moves.values() {
		if m.State == site.Moved && m.Until.Before(before) {
			r.state.remove(m.Site, &gone)
		}
	}
	return n - gone.left, nil
}

// removal counts down how many more records may go.
type removal struct{ left int }

// remove removes the records of a site, and that it was there when nothing else is left.
func (s *state) remove(id site.ID, gone *removal) {
	prefix := key(int64(id))
	for _, k := range port.Kinds {
		under(&s.records, recordsUnder(k, int64(id)), gone)()
	}
	for _, some := range []func(){
		under(&s.events, prefix, gone), under(&s.times, prefix, gone), under(&s.sites, prefix, gone),
		under(&s.actions, prefix, gone), under(&s.contacts, prefix, gone), under(&s.customers, prefix, gone),
		under(&s.claims, prefix, gone), under(&s.dealNumbers, prefix, gone),
		under(&s.products, prefix, gone), under(&s.purged, prefix, gone),
		under(&s.references, prefix, gone), under(&s.counters, prefix, gone), under(&s.receipts, prefix, gone),
		under(&s.webhooks, prefix, gone),
		under(&s.deliveries, prefix, gone), under(&s.pending, prefix, gone), under(&s.attempts, prefix, gone),
		under(&s.leases, prefix, gone), under(&s.rejections, prefix, gone), under(&s.redacted, prefix, gone),
		under(&s.followers, prefix, gone), under(&s.runs, prefix, gone), under(&s.reports, prefix, gone),
		those(&s.tokens, "", func(t access.Token) bool { return t.Site == id }, gone),
		those(&s.families, "", func(f access.Family) bool { return f.Site == id }, gone),
		under(&s.heads, prefix, gone), under(&s.moves, prefix, gone),
	} {
		some()
	}
}

// under removes the records whose key begins with prefix.
func under[V any](records *tree[V], prefix string, gone *removal) func() {
	return those(records, prefix, func(V) bool { return true }, gone)
}

func those[V any](records *tree[V], prefix string, mine func(V) bool, gone *removal) func() {
	return func() {
		for k, v := range records.under(prefix) {
			if gone.left <= 0 {
				return
			}
			if mine(v) {
				*records = records.without(k)
				gone.left--
			}
		}
	}
}
