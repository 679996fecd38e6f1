package deals

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

func (u Unit) offerRules(by site.AgencyID, of dealrecords.Property) offer.Rules {
	return offer.Rules{Dictionary: u.Site.Dictionary, Zone: u.Site.ZoneOf(by), Now: u.Now, VATRate: of.VATRate()}
}

func (u Unit) createOffer(in CreateOffer) (kernel.Created, error) {
	peeked, err := u.productFor(in.ProductID)
	if err != nil {
		return kernel.Created{}, err
	}
	if err := u.holdParties(given(in.Buyers), given(in.Sellers), []customer.ID{peeked.Customer}); err != nil {
		return kernel.Created{}, err
	}
	var problems fault.Problems
	p, err := u.checkProduct(in.ProductID, &problems)
	if err != nil {
		return kernel.Created{}, err
	}
	owner, err := u.ownerOf(p)
	if err != nil {
		return kernel.Created{}, err
	}
	made := u.offerRules(site.AgencyID(in.AgencyID.Or(int64(p.Agency))), dealrecords.PropertyOf(p, u.Site.SiteView)).Create(in.Change, in.Status,
		offer.Defaults{Product: p.ID, Agency: p.Agency, User: p.User, Owner: owner}, &problems)
	if err := u.checkOffer(in.Change, offer.Offer{Sellers: []customer.ID{owner}}, made, &problems); err != nil {
		return kernel.Created{}, err
	}
	if made.Status == offer.Open {
		if err := checkAvailable(p); err != nil {
			return kernel.Created{}, err
		}
	}
	if made.Number, err = u.number(made.Agency, deal.Offers); err != nil {
		return kernel.Created{}, err
	}
	made.Site = u.Site.ID
	if err := u.offerEffects(offer.Offer{}, made); err != nil {
		return kernel.Created{}, err
	}
	added, err := u.offers().Create(u, made)
	return u.Created("/sale-offers/", int64(added.ID)), err
}

// checkOffer reports everything that a request names and that does not exist, next
// to what is wrong otherwise.
func (u Unit) checkOffer(in offer.Change, before, after offer.Offer, problems *fault.Problems) error {
	outside := u.CheckAgency(in.AgencyID, problems)
	u.CheckUser(in.UserID, before.User, problems)
	err := kernel.FirstError(
		u.checkParties("buyers", before.Buyers, after.Buyers, problems),
		u.checkParties("sellers", before.Sellers, after.Sellers, problems),
	)
	if err == nil && (after.Search != before.Search || !slices.Equal(after.Buyers, before.Buyers)) {
		err = u.checkSearch(after.Search, in.SearchID.Given(), after.Buyers, problems)
	}
	return kernel.FirstError(err, outside, problems.Err())
}

// heldOffer returns an offer that is locked with everything that its changes touch.
func (u Unit) heldOffer(id int64) (offer.Offer, product.Product, error) {
	return held(u, u.offers(), u.Offers(), offer.ID(id), deal.OfOffer)
}

func (u Unit) updateOffer(in UpdateOffer) (kernel.Changed, error) {
	before, p, err := u.heldOffer(in.ID)
	if err != nil {
		return kernel.Changed{}, err
	}
	if err := u.holdParties(given(in.Buyers), given(in.Sellers)); err != nil {
		return kernel.Changed{}, err
	}
	return u.offers().Change(u, before, in.IfMatch, func(o offer.Offer) (offer.Offer, error) {
		after, refused := u.offerRules(o.Agency, dealrecords.PropertyOf(p, u.Site.SiteView)).Update(o, in.Change)
		return after, judged(refused, func(problems *fault.Problems) error { return u.checkOffer(in.Change, o, after, problems) })
	})
}

func (u Unit) deleteOffer(in DeleteOffer) (kernel.None, error) {
	before, _, err := u.heldOffer(in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	if err := offer.CheckDeletable(before); err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, u.offers().Remove(u, before, in.IfMatch)
}

func (u Unit) getOffer(in OfferPath) (dealrecords.SaleOffer, error) {
	found, err := u.offers().Get(u, offer.ID(in.ID))
	return dealrecords.OfOffer(found, u.Now), err
}

// moveOffer takes an offer from one status to another, with what follows from it.
func (u Unit) moveOffer(in OfferTransition, move func(offer.Offer, product.Product, offer.Moment) (offer.Offer, error)) (kernel.Changed, error) {
	before, p, err := u.heldOffer(in.ID)
	if err != nil {
		return kernel.Changed{}, err
	}
	life := u.offers()
	life.Changing = func(_ kernel.Unit, before, after offer.Offer) error { return u.offerEffects(before.At(u.Now), after) }
	return life.Change(u, before, in.IfMatch, func(o offer.Offer) (offer.Offer, error) { return move(o, p, u.offerMoment(o.User)) })
}

// offerEffects is what a new state of an offer entails, which comes before the
// offer's own event.
func (u Unit) offerEffects(before, after offer.Offer) error {
	if after.Status == before.Status {
		return nil
	}
	switch after.Status {
	case offer.Open:
		return u.reach(people.Wanted{Product: after.Product, By: after.Buyers, Search: after.Search, User: after.User}, people.FollowUpOffer, true)
	case offer.Accepted:
		return u.advance(after.Product, offered)
	case offer.Cancelled:
		return u.releaseProduct(after)
	case offer.Draft, offer.Countered, offer.Refused, offer.Withdrawn, offer.Expired:
	}
	return nil
}

// releaseProduct takes the status of a product back once an accepted offer for it
// is cancelled, unless somebody else has it.
func (u Unit) releaseProduct(cancelled offer.Offer) error {
	free, err := u.isFree(cancelled.Product, cancelled.ID, live)
	if err != nil || !free {
		return err
	}
	return u.advance(cancelled.Product, unoffer)
}

func (u Unit) sendOffer(in OfferTransition) (kernel.Changed, error) {
	return u.moveOffer(in, func(o offer.Offer, p product.Product, m offer.Moment) (offer.Offer, error) {
		after, err := o.Send(m)
		return after, kernel.FirstError(err, checkAvailable(p))
	})
}

func (u Unit) counterOffer(in CounterOffer) (kernel.Changed, error) {
	return u.moveOffer(in.OfferTransition, func(o offer.Offer, p product.Product, m offer.Moment) (offer.Offer, error) {
		var problems fault.Problems
		answer := u.offerRules(o.Agency, dealrecords.PropertyOf(p, u.Site.SiteView)).Answer(in.CounterInput, &problems)
		if err := problems.Err(); err != nil {
			return o, err
		}
		return o.CounterWith(answer, m)
	})
}

func (u Unit) acceptOffer(in OfferTransition) (kernel.Changed, error) {
	return u.moveOffer(in, func(o offer.Offer, p product.Product, m offer.Moment) (offer.Offer, error) {
		after, err := o.Accept(m)
		if err != nil {
			return after, err
		}
		if err := u.checkNoOffer(o.Product, o.ID); err != nil {
			return after, err
		}
		return after, kernel.FirstError(u.checkNoAgreement(o.Product, live), checkAvailable(p))
	})
}

func (u Unit) refuseOffer(in RefuseOffer) (kernel.Changed, error) {
	return u.moveOffer(in.OfferTransition, func(o offer.Offer, _ product.Product, m offer.Moment) (offer.Offer, error) {
		var problems fault.Problems
		reason := u.offerRules(o.Agency, dealrecords.Property{}).Reason(in.RefuseInput, &problems)
		if err := problems.Err(); err != nil {
			return o, err
		}
		return o.Refuse(reason, m)
	})
}

func (u Unit) withdrawOffer(in OfferTransition) (kernel.Changed, error) {
	return u.moveOffer(in, func(o offer.Offer, _ product.Product, m offer.Moment) (offer.Offer, error) { return o.Withdraw(m) })
}

func (u Unit) cancelOffer(in CancelOffer) (kernel.Changed, error) {
	return u.moveOffer(in.OfferTransition, func(o offer.Offer, _ product.Product, m offer.Moment) (offer.Offer, error) {
		reason, err := u.cancellationReason(in.CancellationReason)
		if err != nil {
			return o, err
		}
		after, err := o.Cancel(offer.Cancel, reason, m)
		if err != nil {
			return after, err
		}
		return after, u.checkNoAgreement(o.Product, madeFrom(o))
	})
}
