package deals

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
)

// dueBatch is how many records the clock changes in one unit of work.
const dueBatch = 50

// zonesApart is how far apart two time zones can be. What is stored says when the
// clock changes a record in the zone that the site had then; in the zone that it has
// now that may be so much earlier.
const zonesApart = 26 * time.Hour

// FollowClock stores what the clock made of offers, agreements and leases, until
// ctx ends: at once, and whenever tick says so. Every half minute is often enough
// for what is stored to be at most a minute late; reads show it from its
// moment on anyway. Any number of processes may do so from one store: each change
// is made once. trouble is called with errors, and may be nil; what failed is
// tried again at the next tick.
func (s *Service) FollowClock(ctx context.Context, tick <-chan time.Time, trouble func(error)) error {
	for {
		if _, err := s.StoreDue(ctx); err != nil && ctx.Err() == nil && trouble != nil {
			trouble(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick:
		}
	}
}

// StoreDue stores everything that the clock has made of offers, agreements and
// leases by now, and reports how many records it changed. What cannot be changed
// does not keep it from the others.
func (s *Service) StoreDue(ctx context.Context) (changed int, err error) {
	now := s.k.Moment()
	for _, kind := range []func(context.Context, *Service, time.Time) (int, error){
		dueOffers.store, dueAgreements.store, dueLeases.store,
	} {
		n, failed := kind(ctx, s, now)
		changed, err = changed+n, errors.Join(err, failed)
	}
	return changed, err
}

var dueOffers = dueKind[offer.ID, offer.Offer]{
	in: port.Tx.Offers, life: func(dealrecords.Zones) kernel.Resource[offer.ID, offer.Offer] { return dealrecords.Offers() },
	where: func(o offer.Offer) (site.ID, offer.ID) { return o.Site, o.ID },
	at:    func(o offer.Offer, now time.Time, _ *time.Location) offer.Offer { return o.At(now) },
	ahead: func(o offer.Offer, _ *time.Location) (stored, present []transition.Phase) {
		return o.Ahead, o.Foresee().Ahead
	},
}

var dueAgreements = dueKind[agreement.ID, agreement.Agreement]{
	in: port.Tx.Agreements, life: dealrecords.Agreements,
	where: func(a agreement.Agreement) (site.ID, agreement.ID) { return a.Site, a.ID },
	at:    agreement.Agreement.At,
	ahead: func(a agreement.Agreement, zone *time.Location) (stored, present []transition.Phase) {
		return a.Ahead, a.Foresee(zone).Ahead
	},
}

var dueLeases = dueKind[letting.ID, letting.Lease]{
	in: port.Tx.Lettings, life: dealrecords.Leases,
	where: func(l letting.Lease) (site.ID, letting.ID) { return l.Site, l.ID },
	at:    letting.Lease.At,
	ahead: func(l letting.Lease, zone *time.Location) (stored, present []transition.Phase) {
		return l.Ahead, l.Foresee(zone).Ahead
	},
}

// dueKind is a kind of record that the clock changes.
type dueKind[ID ~int64, T any] struct {
	in    func(port.Tx) port.Deals[ID, T]
	life  func(dealrecords.Zones) kernel.Resource[ID, T]
	where func(T) (site.ID, ID)
	// at is a record as it is at a moment in a zone.
	at func(T, time.Time, *time.Location) T
	// ahead is what the clock makes of a record: as it is stored, and as it is in a
	// zone.
	ahead func(T, *time.Location) (stored, present []transition.Phase)
}

// place is whose a record is.
type place[ID ~int64] struct {
	site site.ID
	id   ID
}

// store goes through the records that may be due, the first due first, and tries
// each once.
func (k dueKind[ID, T]) store(ctx context.Context, s *Service, now time.Time) (changed int, err error) {
	tried := map[place[ID]]bool{}
	for limit := dueBatch; ; {
		var found []T
		if failed := s.k.Store.View(ctx, func(tx port.Tx) (err error) {
			found, err = k.in(tx).Due(now.Add(zonesApart), limit)
			return err
		}); failed != nil {
			return changed, errors.Join(err, failed)
		}
		next := map[site.ID][]T{}
		fresh := 0
		for _, v := range found {
			of, id := k.where(v)
			if tried[place[ID]{of, id}] || fresh == dueBatch {
				continue
			}
			tried[place[ID]{of, id}] = true
			next[of] = append(next[of], v)
			fresh++
		}
		if fresh == 0 && len(found) < limit {
			return changed, err
		}
		for of, some := range next {
			n, failed := k.storeSite(ctx, s, of, some, now)
			changed, err = changed+n, errors.Join(err, failed)
			if ctx.Err() != nil || errors.Is(failed, fault.Unavailable) {
				return changed, err
			}
		}
		// What was tried and is still there stands before the others.
		limit = len(found) - fresh + 2*dueBatch
	}
}

// storeSite stores the due transitions of some records of a site: all of them as one
// unit of work, and where that fails each by itself.
func (k dueKind[ID, T]) storeSite(ctx context.Context, s *Service, of site.ID, some []T, now time.Time) (changed int, err error) {
	c, err := s.k.System(ctx, of)
	if err != nil || !c.IsOpen() {
		return 0, err
	}
	var ids []ID
	for _, v := range some {
		if k.isDue(v, now, c.Site.ZoneOf) {
			_, id := k.where(v)
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return 0, nil
	}
	changed, err = k.storeDue(ctx, s, c, ids)
	if err == nil || len(ids) == 1 || ctx.Err() != nil || errors.Is(err, fault.Unavailable) {
		return changed, err
	}
	err = nil
	for _, id := range ids {
		n, failed := k.storeDue(ctx, s, c, []ID{id})
		changed, err = changed+n, errors.Join(err, failed)
	}
	return changed, err
}

// isDue reports whether the clock has made something else of a record than what is
// stored, or will at another moment.
func (k dueKind[ID, T]) isDue(v T, now time.Time, zones dealrecords.Zones) bool {
	life := k.life(zones)
	zone := zones(life.Agency(v))
	stored, present := k.ahead(v, zone)
	return !life.Same(v, k.at(v, now, zone)) || !slices.EqualFunc(stored, present, transition.Phase.Equal)
}

// storeDue stores the due transitions of some records of a site, each as a change of
// its own on behalf of nobody, and reports how many changed. Where it has made
// nothing of one, because the site got another time zone, it stores when it will.
func (k dueKind[ID, T]) storeDue(ctx context.Context, s *Service, c kernel.Caller, ids []ID) (int, error) {
	return kernel.Write(ctx, s.k, c, func(u kernel.Unit) (changed int, err error) {
		life := k.life(u.Site.ZoneOf)
		for _, id := range ids {
			before, err := life.Table(u.Tx).Get(u.Site.ID, id)
			if errors.Is(err, fault.NotFound) {
				continue
			}
			if err != nil {
				return 0, err
			}
			after := k.at(before, u.Now, u.Site.ZoneOf(life.Agency(before)))
			if life.Same(before, after) {
				err = life.Table(u.Tx).Put(before)
			} else {
				_, err = life.Replace(u, after)
				changed++
			}
			if err != nil {
				return 0, err
			}
		}
		return changed, nil
	})
}
