package memstore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) Archive() port.Archive {
	s := t.state
	return port.Archive{
		Ledgers: archived[port.LedgerState]{
			t.unit, func(port.LedgerState) string { return "" }, t.ledgers,
			func(l port.LedgerState) error {
				if !l.Last.IsZero() {
					s.times = s.times.with(key(int64(l.Site)), l.Last)
				}
				return fresh(t.unit, &s.heads, key(int64(l.Site)), port.Head{Seq: l.Seq, Settings: l.Settings, Access: l.Access, Rejections: l.Rejections})
			},
		},
		Events: inTree(t.unit, &s.events, func(e event.Event) (site.ID, string) { return e.Site, key(int64(e.Site), e.Seq) }),
		Families: archived[access.Family]{
			t.unit, func(f access.Family) string { return key(int64(f.ID)) },
			ofSite(&s.families, func(f access.Family) site.ID { return f.Site }),
			func(f access.Family) error { return fresh(t.unit, &s.families, key(int64(f.ID)), f) },
		},
		Tokens: archived[access.Token]{
			t.unit, func(k access.Token) string { return key(int64(k.Family)) + string(k.Hash) },
			ofSite(&s.tokens, func(k access.Token) site.ID { return k.Site }),
			func(k access.Token) error { return fresh(t.unit, &s.tokens, string(k.Hash), k) },
		},
		Products: archived[port.StoredProduct]{
			t.unit, func(p port.StoredProduct) string { return productKey(p.Site, p.ID) }, t.storedProducts, t.restoreProduct,
		},
		Counters: inTree(t.unit, &s.counters, func(c port.ReferenceCounter) (site.ID, string) {
			return c.Site, key(int64(c.Site), int64(c.Agency))
		}),
		DealNumbers: inTree(t.unit, &s.dealNumbers, func(c port.DealNumber) (site.ID, string) {
			return c.Site, dealNumberKey(c.Site, c.Agency, c.Kind)
		}),
		ImportedBusy: inTree(t.unit, &s.imported, func(i slot.Imported) (site.ID, string) {
			return i.Site, importedKey(i.Site, i.User, i.Source)
		}),
		Claims: archived[port.LeadClaim]{
			t.unit, func(c port.LeadClaim) string { return c.Key }, t.leadClaims,
			func(c port.LeadClaim) error { return fresh(t.unit, &s.claims, key(int64(c.Site))+c.Key, c.Claim) },
		},
		Actions: archived[customer.Action]{
			t.unit, func(a customer.Action) string { return key(int64(a.ID)) },
			ofSite(&s.actions, func(a customer.Action) site.ID { return a.Site }), t.restoreAction,
		},
		Deliveries: archived[webhook.Delivery]{
			t.unit, func(d webhook.Delivery) string { return key(int64(d.Hook), int64(d.ID)) },
			ofSite(&s.deliveries, func(d webhook.Delivery) site.ID { return d.Site }), t.restoreDelivery,
		},
		Attempts: inTree(t.unit, &s.attempts, func(a port.DeliveryAttempt) (site.ID, string) { return a.Site, attemptKey(a) }),
		Rejections: archived[webhook.Rejection]{
			t.unit, func(j webhook.Rejection) string { return j.Kind + "\x00" + key(j.Resource, int64(j.Hook)) },
			ofSite(&s.rejections, func(j webhook.Rejection) site.ID { return j.Site }),
			func(j webhook.Rejection) error {
				return fresh(t.unit, &s.rejections, rejectionKey(j.Site, j.Kind, j.Resource, j.Hook), j)
			},
		},
		Redactions: archived[port.Redaction]{
			t.unit, func(r port.Redaction) string { return r.Kind + "\x00" + key(r.Resource) },
			ofSite(&s.redacted, func(r port.Redaction) site.ID { return r.Site }),
			func(r port.Redaction) error {
				return fresh(t.unit, &s.redacted, redactionKey(r.Site, r.Kind, r.Resource), r)
			},
		},
		Log: inTree(t.unit, &s.log, func(e port.LogEntry) (site.ID, string) { return e.Site, key(int64(e.Site), e.ID) }),
	}
}

// archived is a port.Records.
type archived[T any] struct {
	*unit
	key func(T) string
	// all are the records of a site, in any order.
	all     func(site.ID) []T
	restore func(T) error
}

// inTree are records that are kept under their site and key alone.
func inTree[T any](u *unit, records *tree[T], place func(T) (of site.ID, key string)) port.Records[T] {
	return archived[T]{
		u, func(v T) string { _, key := place(v); return key },
		ofSite(records, func(v T) site.ID { of, _ := place(v); return of }),
		func(v T) error { _, key := place(v); return fresh(u, records, key, v) },
	}
}

// ofSite picks the records of a site.
func ofSite[T any](records *tree[T], owner func(T) site.ID) func(site.ID) []T {
	return func(id site.ID) (found []T) {
		for v := range valuesOf(*records) {
			if owner(v) == id {
				found = append(found, v)
			}
		}
		return found
	}
}

func (r archived[T]) After(id site.ID, last *T, n int) ([]T, error) {
	if err := r.reading(); err != nil {
		return nil, err
	}
	found := r.all(id)
	if last != nil {
		found = slices.DeleteFunc(found, func(v T) bool { return r.key(v) <= r.key(*last) })
	}
	slices.SortFunc(found, func(a, b T) int { return cmp.Compare(r.key(a), r.key(b)) })
	found = found[:min(len(found), max(n, 0))]
	for i, v := range found {
		found[i] = deep(v)
	}
	return found, nil
}

func (r archived[T]) Restore(records []T) error {
	for _, v := range records {
		if err := r.writing(); err != nil {
			return err
		}
		if err := r.restore(deep(v)); err != nil {
			return err
		}
	}
	return r.writing()
}

// fresh stores a record under a key that must be free.
func fresh[V any](u *unit, records *tree[V], key string, v V) error {
	if _, found := records.get(key); found {
		u.broken = port.ErrTaken
		return u.broken
	}
	*records = records.with(key, v)
	return nil
}

func (u *unit) ledgers(id site.ID) []port.LedgerState {
	head, err := u.state.head(id)
	if err != nil {
		return nil
	}
	last, _ := u.state.times.get(key(int64(id)))
	return []port.LedgerState{{
		Site: id, Seq: head.Seq, Settings: head.Settings, Access: head.Access, Rejections: head.Rejections, Last: last,
	}}
}

func (u *unit) leadClaims(id site.ID) (found []port.LeadClaim) {
	prefix := key(int64(id))
	for k, c := range u.state.claims.from(prefix) {
		name, ours := strings.CutPrefix(k, prefix)
		if !ours {
			break
		}
		found = append(found, port.LeadClaim{Site: id, Key: name, Claim: c})
	}
	return found
}

func (u *unit) storedProducts(id site.ID) (found []port.StoredProduct) {
	for p := range valuesOf(u.state.products) {
		if p.Site == id {
			found = append(found, port.StoredProduct{Product: p, Purged: products{u}.isPurged(p)})
		}
	}
	return found
}

func (u *unit) restoreProduct(p port.StoredProduct) error {
	if err := fresh(u, &u.state.references, referenceOf(p.Product), p.ID); err != nil {
		return err
	}
	if p.Purged {
		u.state.purged = u.state.purged.with(productKey(p.Site, p.ID), true)
	}
	return fresh(u, &u.state.products, productKey(p.Site, p.ID), p.Product)
}

func (u *unit) restoreAction(a customer.Action) error {
	for known := range valuesOf(u.state.actions) {
		if known.Site == a.Site && known.ID == a.ID {
			u.broken = port.ErrTaken
			return u.broken
		}
	}
	return actions{u}.Append(a)
}

func (u *unit) restoreDelivery(d webhook.Delivery) error {
	if _, found := u.state.deliveries.get(deliveryKey(d.Site, d.ID)); found {
		u.broken = port.ErrTaken
		return u.broken
	}
	return deliveries{u}.Add([]webhook.Delivery{d})
}
