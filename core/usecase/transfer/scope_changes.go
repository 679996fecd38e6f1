package transfer

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// tellBatch bounds how many records one unit of work looks at to tell that they
// left the scope, or came into it.
const tellBatch = 200

// keepScopeChanges keeps, with the change, that agencies left the scope or came
// into it, for TellScopeChanges. Nothing belongs to a new agency yet, so it comes
// before anything is added.
func (p provisioner) keepScopeChanges(before standing) error {
	var left, entered []site.AgencyID
	for id := range before.agencies {
		switch was, is := before.scope.Has(id), p.Site.Scope.Has(id); {
		case was && !is:
			left = append(left, id)
		case !was && is:
			entered = append(entered, id)
		}
	}
	if len(left)+len(entered) == 0 {
		return nil
	}
	// Described products with pictures have their ids already.
	above, err := kernel.NextID[product.ID](p, port.ProductIDs)
	if err != nil {
		return err
	}
	for _, fresh := range p.pictured {
		above = min(above, fresh.id)
	}
	for _, change := range []site.ScopeChange{{Agencies: left}, {Agencies: entered, Entered: true}} {
		if len(change.Agencies) == 0 {
			continue
		}
		id, err := kernel.NextID[site.ScopeChangeID](p, port.ScopeChangeIDs)
		if err != nil {
			return err
		}
		slices.Sort(change.Agencies)
		change.ID, change.Site, change.At, change.Products = id, p.Site.ID, p.Now, int64(above)
		if err := p.ScopeChanges().Put(change); err != nil {
			return err
		}
	}
	return nil
}

// TellScopeChanges records events of all records of agencies which left the
// scope of their site, or came into it: that it is gone, or that it is there. It
// does so in small units of work, each of which keeps how far it came, until
// no event is left to record. Any number of processes may do so.
func (s *Service) TellScopeChanges(ctx context.Context) error {
	var sites []site.ID
	err := kernel.View(ctx, s.k, kernel.Caller{}, func(u kernel.Unit) (err error) {
		sites, err = pendingSites(u)
		return err
	})
	for _, id := range sites {
		for more := true; more && err == nil; {
			more, err = kernel.Write(ctx, s.k, kernel.Caller{}, func(u kernel.Unit) (bool, error) { return tellNext(u, id, s.k.Zone) })
		}
	}
	return err
}

// pendingSites returns the sites with changes whose events are not all recorded.
func pendingSites(u kernel.Unit) ([]site.ID, error) {
	all, err := u.Sites().All()
	if err != nil {
		return nil, err
	}
	var pending []site.ID
	for _, s := range all {
		first, err := u.ScopeChanges().Scan(s.ID, 0, 1)
		if err != nil {
			return nil, err
		}
		if len(first) == 0 {
			continue
		}
		head, err := u.Ledger().Head(s.ID)
		if err != nil {
			return nil, err
		}
		if head.State == site.Open {
			pending = append(pending, s.ID)
		}
	}
	return pending, nil
}

// tellNext goes on with the earliest change of a site, and reports whether there
// may be more to tell. The change is locked meanwhile, so that nothing is told
// twice.
func tellNext(u kernel.Unit, id site.ID, zone func(string) (*time.Location, error)) (more bool, err error) {
	pending, err := u.ScopeChanges().Scan(id, 0, 1)
	if err != nil || len(pending) == 0 {
		return false, err
	}
	change, err := u.ScopeChanges().Get(id, pending[0].ID)
	if err != nil {
		// When it is absent, somebody else has just told the rest of it.
		return true, kernel.AbsentIs(err, nil)
	}
	view, err := kernel.ReadSiteView(u.Tx, id, zone)
	if err != nil {
		return false, err
	}
	return true, teller{u.At(view), change}.tell()
}

// teller records the events of one change of scope.
type teller struct {
	kernel.Unit
	change site.ScopeChange
}

// belonging is a record of an agency, of whatever kind.
type belonging struct {
	id     int64
	agency site.AgencyID
	// later: it was added after the change.
	later bool
}

// kind is a kind of record that agencies have.
type kind struct {
	created, deleted event.Type
	scan             func(after int64, n int) ([]belonging, error)
}

func (k kind) name() string { return k.created.Resource() }

// tell records events of the next records, and stores its position.
func (t teller) tell() error {
	kinds := t.kinds()
	n := max(0, slices.IndexFunc(kinds, func(k kind) bool { return k.name() == t.change.Kind }))
	found, err := kinds[n].scan(t.change.After, tellBatch)
	if err != nil {
		return err
	}
	what := kinds[n].deleted
	if t.change.Entered {
		what = kinds[n].created
	}
	var told []event.Event
	for _, b := range found {
		// What came later was told of then, unless its agency had left by then.
		known := b.later && (t.change.Entered || t.Scope.Has(b.agency))
		if !known && slices.Contains(t.change.Agencies, b.agency) {
			told = append(told, event.Event{Type: what, Resource: b.id, Agency: b.agency})
		}
	}
	if _, err := t.RecordAll(told); err != nil {
		return err
	}
	after := t.change
	switch {
	case len(found) == tellBatch:
		after.Kind, after.After = kinds[n].name(), found[len(found)-1].id
	case n+1 < len(kinds):
		after.Kind, after.After = kinds[n+1].name(), 0
	default:
		return t.ScopeChanges().Delete(after.Site, after.ID)
	}
	return t.ScopeChanges().Put(after)
}

// kinds returns what agencies have, in the order it is told of: what is referred to
// comes first and goes last. Users are told of with the change itself.
func (t teller) kinds() []kind {
	later := func(added time.Time) bool { return !added.Before(t.change.At) }
	all := []kind{
		{event.ProductCreate, event.ProductDelete, scanning(t, t.Products().Scan, func(p product.Product) belonging {
			return belonging{int64(p.ID), p.Agency, int64(p.ID) >= t.change.Products}
		})},
		{event.CustomerCreate, event.CustomerDelete, scanning(t, t.Customers().Scan, func(c customer.Customer) belonging {
			return belonging{int64(c.ID), c.Agency, later(c.Added)}
		})},
		{event.SearchCreate, event.SearchDelete, scanning(t, t.SearchRequests().Scan, func(r demand.SearchRequest) belonging {
			return belonging{int64(r.ID), r.Agency, later(r.Added)}
		})},
		{event.FollowUpCreate, event.FollowUpDelete, t.scanFollowUps(later)},
		{event.OfferCreate, event.OfferDelete, scanning(t, t.Offers().Scan, func(o offer.Offer) belonging {
			return belonging{int64(o.ID), o.Agency, later(o.Added)}
		})},
		{event.AgreementCreate, event.AgreementDelete, scanning(t, t.Agreements().Scan, func(a agreement.Agreement) belonging {
			return belonging{int64(a.ID), a.Agency, later(a.Added)}
		})},
		{event.LeaseCreate, event.LeaseDelete, scanning(t, t.Lettings().Scan, func(l letting.Lease) belonging {
			return belonging{int64(l.ID), l.Agency, later(l.Added)}
		})},
		{event.AppointmentCreate, event.AppointmentDelete, scanning(t, t.Appointments().Scan, func(a planning.Appointment) belonging {
			return belonging{int64(a.ID), a.Agency, later(a.Added)}
		})},
		{event.PermanenceCreate, event.PermanenceDelete, scanning(t, t.Duties().Scan, func(p planning.Duty) belonging {
			return belonging{int64(p.ID), p.Agency, later(p.Added)}
		})},
	}
	if !t.change.Entered {
		slices.Reverse(all)
	}
	return all
}

// scanning reads records by id.
func scanning[ID ~int64, T any](t teller, scan func(site.ID, ID, int) ([]T, error), of func(T) belonging) func(int64, int) ([]belonging, error) {
	return func(after int64, n int) ([]belonging, error) {
		records, err := scan(t.change.Site, ID(after), n)
		all := make([]belonging, len(records))
		for i, r := range records {
			all[i] = of(r)
		}
		return all, err
	}
}

// scanFollowUps reads follow-ups, which are of the agencies of their customers.
func (t teller) scanFollowUps(later func(time.Time) bool) func(int64, int) ([]belonging, error) {
	return func(after int64, n int) ([]belonging, error) {
		followUps, err := t.FollowUps().Scan(t.change.Site, demand.FollowUpID(after), n)
		if err != nil {
			return nil, err
		}
		var ids []customer.ID
		for _, f := range followUps {
			ids = append(ids, f.Customer)
		}
		slices.Sort(ids)
		owners, err := t.Customers().Many(t.change.Site, slices.Compact(ids))
		all := make([]belonging, len(followUps))
		for i, f := range followUps {
			all[i] = belonging{id: int64(f.ID), later: later(f.Added)}
			if n, found := slices.BinarySearchFunc(owners, f.Customer, func(c customer.Customer, id customer.ID) int { return cmp.Compare(c.ID, id) }); found {
				all[i].agency = owners[n].Agency
			}
		}
		return all, err
	}
}
