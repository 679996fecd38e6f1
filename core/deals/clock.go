package deals

import (
	"context"
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/core/agreement"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/letting"
	"github.com/vitrine-crm/vitrine/core/offer"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

// dueBatch is how many records the clock changes in one unit of work.
const dueBatch = 50

// FollowClock stores what the clock made of offers, agreements and leases, until
// ctx ends: at once, and whenever tick says so. Every half minute is often enough
// for what is stored to be at most a minute late; whoever reads sees it from its
// moment on anyway. Any number of processes may do so from one store: each change
// is made once. trouble is told what goes wrong, and may be nil; what failed is
// tried again at the next tick.
func (s *Service) FollowClock(ctx context.Context, tick <-chan time.Time, trouble func(error)) {
	for {
		if _, err := s.StoreDue(ctx); err != nil && ctx.Err() == nil && trouble != nil {
			trouble(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// StoreDue stores everything that the clock has made of offers, agreements and
// leases by now, and reports how many records it changed.
func (s *Service) StoreDue(ctx context.Context) (changed int, err error) {
	due := s.k.Moment()
	for _, kind := range []func(context.Context, *Service, time.Time) (int, error){storeDueOffers, storeDueAgreements, storeDueLeases} {
		n, failed := kind(ctx, s, due)
		changed, err = changed+n, errors.Join(err, failed)
	}
	return changed, err
}

func storeDueOffers(ctx context.Context, s *Service, due time.Time) (int, error) {
	return storeDue(ctx, s, due, port.Tx.Offers, offerPlace, Unit.settleOffer)
}

func storeDueAgreements(ctx context.Context, s *Service, due time.Time) (int, error) {
	return storeDue(ctx, s, due, port.Tx.Agreements, agreementPlace, Unit.settleAgreement)
}

func storeDueLeases(ctx context.Context, s *Service, due time.Time) (int, error) {
	return storeDue(ctx, s, due, port.Tx.Lettings, leasePlace, Unit.settleLease)
}

// place is whose a record is.
type place[ID ~int64] struct {
	site site.ID
	id   ID
}

// storeDue goes through the records of a kind that are due, site by site. What was
// not changed, though it was due, is left for the next time: it would be found
// again and again.
func storeDue[ID ~int64, T any](
	ctx context.Context, s *Service, due time.Time, in func(port.Tx) port.Deals[ID, T], where func(T) place[ID], settle func(Unit, ID) (bool, error),
) (changed int, err error) {
	for {
		var found []T
		if err := s.k.Store.View(ctx, func(tx port.Tx) error {
			found, err = in(tx).Due(due, dueBatch)
			return err
		}); err != nil {
			return changed, err
		}
		bySite := map[site.ID][]ID{}
		for _, v := range found {
			at := where(v)
			bySite[at.site] = append(bySite[at.site], at.id)
		}
		stored := 0
		for of, ids := range bySite {
			n, failed := s.settleSite(ctx, of, func(u Unit) (n int, err error) {
				for _, id := range ids {
					done, err := settle(u, id)
					if err != nil {
						return n, err
					}
					if done {
						n++
					}
				}
				return n, nil
			})
			stored, err = stored+n, errors.Join(err, failed)
		}
		changed += stored
		if stored == 0 || len(found) < dueBatch || err != nil {
			return changed, err
		}
	}
}

// settleSite runs a unit of work on behalf of nobody at a site.
func (s *Service) settleSite(ctx context.Context, of site.ID, do func(Unit) (int, error)) (int, error) {
	c, err := s.k.System(ctx, of)
	if err != nil {
		return 0, err
	}
	return api.Write(ctx, s.k, c, func(u api.Unit) (int, error) { return do(NewUnit(u)) })
}

// settled stores what the clock made of a record that is held, as a change of its
// own, and reports whether it stored anything. Where the clock has made nothing of
// it, because the site got another time zone, it stores when it will.
func settled[ID ~int64, T any](u Unit, life api.Resource[ID, T], id ID, at func(T) T) (bool, error) {
	before, err := life.Table(u).Get(u.Site.ID, id)
	if errors.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	after := at(before)
	if life.Same(before, after) {
		err = life.Table(u).Put(before)
		return err == nil, err
	}
	_, err = life.Replace(u, after)
	return err == nil, err
}

func offerPlace(o offer.Offer) place[offer.ID] { return place[offer.ID]{o.Site, o.ID} }

func agreementPlace(a agreement.Agreement) place[agreement.ID] {
	return place[agreement.ID]{a.Site, a.ID}
}

func leasePlace(l letting.Lease) place[letting.ID] { return place[letting.ID]{l.Site, l.ID} }

func (u Unit) settleOffer(id offer.ID) (bool, error) {
	return settled(u, u.offers(), id, func(o offer.Offer) offer.Offer { return o.At(u.Now) })
}

func (u Unit) settleAgreement(id agreement.ID) (bool, error) {
	return settled(u, u.agreements(), id, func(a agreement.Agreement) agreement.Agreement { return a.At(u.Now, u.Site.Zone) })
}

func (u Unit) settleLease(id letting.ID) (bool, error) {
	return settled(u, u.leases(), id, func(l letting.Lease) letting.Lease { return l.At(u.Now, u.Site.Zone) })
}
