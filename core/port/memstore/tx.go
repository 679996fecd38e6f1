package memstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// unit is one unit of work on a state nobody else changes: all that the roles need.
type unit struct {
	ctx    context.Context
	store  *Store
	state  *state
	writes bool
	over   bool
	broken error // why the unit can no longer succeed
}

// tx is a port.Tx. Roles hold the unit instead, so that they do not get a method for each role.
type tx struct{ *unit }

var (
	errReadOnly = errors.New("a view cannot write")
	errOver     = errors.New("the unit of work is over")
)

// reading says why nothing can be read now, if so.
func (u *unit) reading() error {
	if u.over {
		return errOver
	}
	return errors.Join(u.broken, u.ctx.Err())
}

// writing says why nothing can be written now, if so.
func (u *unit) writing() error {
	if !u.writes {
		return errReadOnly
	}
	return u.reading()
}

func (t tx) Ledger() port.Ledger           { return ledger(t) }
func (t tx) Sites() port.Sites             { return sites(t) }
func (t tx) Actions() port.Actions         { return actions(t) }
func (t tx) Credentials() port.Credentials { return credentials(t) }
func (t tx) Tokens() port.Tokens           { return tokens(t) }
func (t tx) Products() port.Products       { return products(t) }
func (t tx) Receipts() port.Receipts       { return receipts(t) }
func (t tx) Webhooks() port.Webhooks       { return webhooks(t) }
func (t tx) Deliveries() port.Deliveries   { return deliveries(t) }
func (t tx) Rejections() port.Rejections   { return rejections(t) }
func (t tx) Imports() port.Imports         { return imports(t) }

// NextIDs draws outside the state, so that ids of a unit that failed are gone.
func (t tx) NextIDs(s port.Sequence, n int) ([]int64, error) {
	if err := t.writing(); err != nil || n <= 0 {
		return nil, err
	}
	ids := make([]int64, n)
	last := t.store.drawn[s].Add(int64(n))
	for i := range ids {
		ids[i] = last - int64(n-1-i)
	}
	return ids, nil
}

func (t tx) ReserveID(s port.Sequence, id int64) error {
	if err := t.writing(); err != nil {
		return err
	}
	// Units that write take turns, so nobody draws in between.
	if drawn := &t.store.drawn[s]; drawn.Load() < id {
		drawn.Store(id)
	}
	return nil
}

func (t tx) LastID(s port.Sequence) (int64, error) { return t.store.drawn[s].Load(), t.reading() }

// absent is the fault of what is not there.
func absent(what string, id any) error {
	return fmt.Errorf("%s %v: %w", what, id, fault.NotFound)
}

// one finds a record and gives out a copy.
func one[V any](u *unit, records tree[V], key, what string, id any, clone func(V) V) (V, error) {
	var none V
	if err := u.reading(); err != nil {
		return none, err
	}
	v, found := records.get(key)
	if !found {
		return none, absent(what, id)
	}
	return clone(v), nil
}

// all copies the records whose key begins with prefix, by key.
func all[V any](u *unit, records tree[V], prefix string, clone func(V) V) ([]V, error) {
	if err := u.reading(); err != nil {
		return nil, err
	}
	var out []V
	for _, v := range records.under(prefix) {
		out = append(out, clone(v))
	}
	return out, nil
}

// put stores a copy of a record.
func put[V any](u *unit, records *tree[V], key string, v V, clone func(V) V) error {
	if err := u.writing(); err != nil {
		return err
	}
	*records = records.with(key, clone(v))
	return nil
}

// drop removes a record that must be there.
func drop[V any](u *unit, records *tree[V], key, what string, id any) error {
	if err := u.writing(); err != nil {
		return err
	}
	if _, found := records.get(key); !found {
		return absent(what, id)
	}
	*records = records.without(key)
	return nil
}

// discard removes the records whose key begins with prefix and that are of no
// more use.
func discard[V any](u *unit, records *tree[V], prefix string, useless func(V) bool) error {
	return revise(u, records, prefix, func(v V) (V, bool) { return v, !useless(v) })
}

// revise changes the records whose key begins with prefix, and removes those
// that are not to be kept.
func revise[V any](u *unit, records *tree[V], prefix string, change func(V) (changed V, keep bool)) error {
	if err := u.writing(); err != nil {
		return err
	}
	for k, v := range records.under(prefix) {
		if changed, keep := change(v); keep {
			*records = records.with(k, changed)
		} else {
			*records = records.without(k)
		}
	}
	return nil
}

func same[V any](v V) V { return v }

func (s *state) head(id site.ID) (port.Head, error) {
	h, found := s.heads.get(key(int64(id)))
	if !found {
		return h, absent("site", id)
	}
	return h, nil
}

type ledger struct{ *unit }

func (l ledger) Append(id site.ID, at time.Time, events []event.Event) (last event.Event, err error) {
	if err := l.writing(); err != nil || len(events) == 0 {
		return last, err
	}
	head, err := l.changing(id)
	if err != nil {
		return last, err
	}
	if before, _ := l.state.times.get(key(int64(id))); before.After(at) {
		at = before
	}
	for _, e := range events {
		head.Seq++
		e.Site, e.Seq, e.At = id, head.Seq, at
		l.state.events = l.state.events.with(key(int64(id), e.Seq), e)
		last = e
	}
	l.state.heads = l.state.heads.with(key(int64(id)), head)
	l.state.times = l.state.times.with(key(int64(id)), at)
	return last, nil
}

func (l ledger) After(id site.ID, seq int64, n int) ([]event.Event, error) {
	return after(l.unit, l.state.events, int64(id), seq, n, func(e event.Event) (event.Event, bool) {
		e.By, e.Request, e.Values = "", "", ""
		return e, true
	})
}

// after copies at most n records of a site with an id above the given one that
// choose picks.
func after[V any](u *unit, records tree[V], siteID, id int64, n int, choose func(V) (V, bool)) ([]V, error) {
	if err := u.reading(); err != nil {
		return nil, err
	}
	var out []V
	prefix, start := key(siteID), key(siteID, id)
	for k, v := range records.from(start) {
		if len(out) >= n || !strings.HasPrefix(k, prefix) {
			break
		}
		if v, ok := choose(v); ok && k > start {
			out = append(out, v)
		}
	}
	return out, nil
}

func (l ledger) Head(id site.ID) (port.Head, error) {
	if err := l.reading(); err != nil {
		return port.Head{}, err
	}
	return l.state.head(id)
}

func (l ledger) Touch(id site.ID, aspect port.Aspect) error {
	if err := l.writing(); err != nil {
		return err
	}
	head, err := l.changing(id)
	if err != nil {
		return err
	}
	switch aspect {
	case port.AspectSettings:
		head.Settings++
	case port.AspectAccess:
		head.Access++
	case port.AspectRejections:
		head.Rejections++
	}
	l.state.heads = l.state.heads.with(key(int64(id)), head)
	return nil
}

// changing is the head of a site that takes changes. Otherwise the unit, which may have
// written something else, cannot go on.
func (l ledger) changing(id site.ID) (port.Head, error) {
	head, err := l.state.head(id)
	if err == nil && !head.State.TakesChanges() {
		l.broken = port.NotOpen()
		err = l.broken
	}
	return head, err
}

func (l ledger) KeepOpen(id site.ID) error {
	if err := l.writing(); err != nil {
		return err
	}
	_, err := l.changing(id)
	return err
}

func (l ledger) Purge(before time.Time, n int) (int, error) {
	gone, err := purge(l.unit, &l.state.events, before, n, func(e event.Event) time.Time { return e.At })
	return len(gone), err
}

// purge removes at most n records that are older than before, the oldest first,
// and returns their keys. A record whose age is zero stays.
func purge[V any](u *unit, records *tree[V], before time.Time, n int, age func(V) time.Time) ([]string, error) {
	if err := u.writing(); err != nil {
		return nil, err
	}
	type aged struct {
		key string
		at  time.Time
	}
	var old []aged
	for k, v := range records.under("") {
		if at := age(v); !at.IsZero() && at.Before(before) {
			old = append(old, aged{k, at})
		}
	}
	slices.SortStableFunc(old, func(a, b aged) int { return a.at.Compare(b.at) })
	var gone []string
	for _, r := range old[:min(len(old), max(n, 0))] {
		*records = records.without(r.key)
		gone = append(gone, r.key)
	}
	return gone, nil
}

type tokens struct{ *unit }

func (r tokens) Get(hash access.Hash) (access.Token, error) {
	return one(r.unit, r.state.tokens, string(hash), "token", "", same)
}

func (r tokens) Put(t access.Token) error {
	return put(r.unit, &r.state.tokens, string(t.Hash), t, same)
}

func (r tokens) Family(id access.FamilyID) (access.Family, error) {
	return one(r.unit, r.state.families, key(int64(id)), "token family", id, same)
}

func (r tokens) PutFamily(f access.Family) error {
	return put(r.unit, &r.state.families, key(int64(f.ID)), f, same)
}

func (r tokens) Purge(before time.Time, n int) (int, error) {
	if err := r.writing(); err != nil {
		return 0, err
	}
	var gone []access.Token
	for t := range r.state.tokens.values() {
		if t.Expires.Before(before) {
			gone = append(gone, t)
		}
	}
	// The keys are the hashes, so among equals the order stays theirs.
	slices.SortStableFunc(gone, func(a, b access.Token) int { return a.Expires.Compare(b.Expires) })
	gone = gone[:min(len(gone), max(n, 0))]
	for _, t := range gone {
		r.state.tokens = r.state.tokens.without(string(t.Hash))
	}
	used := map[access.FamilyID]bool{}
	for t := range r.state.tokens.values() {
		used[t.Family] = true
	}
	for _, t := range gone {
		if !used[t.Family] {
			r.state.families = r.state.families.without(key(int64(t.Family)))
		}
	}
	return len(gone), nil
}
