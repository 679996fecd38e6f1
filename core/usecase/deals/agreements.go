package deals

import (
	"cmp"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

func (u Unit) agreementRules(by site.AgencyID, of dealrecords.Property) agreement.Rules {
	return agreement.Rules{Moment: u.agreementMoment(by, of), VATRate: of.VATRate()}
}

func (u Unit) createAgreement(in CreateAgreement) (kernel.Created, error) {
	var problems fault.Problems
	from, err := u.offerFor(in.SaleOfferID, &problems)
	if err = kernel.FirstError(err, problems.Err()); err != nil {
		return kernel.Created{}, err // what it would have given is not missing
	}
	if from.ID != 0 && !in.ProductID.Given() {
		in.ProductID = opt.Of(int64(from.Product))
	}
	peeked, err := u.productFor(in.ProductID)
	if err != nil {
		return kernel.Created{}, err
	}
	if err := u.holdParties(from.Parties(), given(in.Buyers), given(in.Sellers), []customer.ID{peeked.Customer}); err != nil {
		return kernel.Created{}, err
	}
	p, err := u.checkProduct(in.ProductID, &problems)
	if err != nil {
		return kernel.Created{}, err
	}
	if from.ID != 0 {
		// Now that the product is locked nobody else changes the offer.
		if from, err = u.Offers().Get(u.Site.ID, from.ID); err != nil {
			return kernel.Created{}, err
		}
		from = from.At(u.Now)
		if from.Product != p.ID {
			problems.Wrong("sale_offer_id", fault.CodeUnknownOffer, int64(from.ID), "the offer is for another product")
		}
	}
	made, err := u.describedAgreement(in, p, from, &problems)
	if err != nil {
		return kernel.Created{}, err
	}
	if from.ID != 0 {
		if err := u.mayBecomeAgreement(from); err != nil {
			return kernel.Created{}, err
		}
	}
	if made.Number, err = u.number(made.Agency, deal.Agreements); err != nil {
		return kernel.Created{}, err
	}
	made.Site = u.Site.ID
	if made.ID, err = kernel.NextID[agreement.ID](u, port.AgreementIDs); err != nil {
		return kernel.Created{}, err
	}
	if err := dealrecords.NameAgreement(u.kernel(), from, made.ID); err != nil {
		return kernel.Created{}, err
	}
	added, err := u.agreements().Create(u, made)
	return u.Created("/sale-agreements/", int64(added.ID)), err
}

// offerFor reads the offer in a request without locking it, and adds a problem if it does not
// exist in scope.
func (u Unit) offerFor(field opt.Field[int64], problems *fault.Problems) (offer.Offer, error) {
	if !field.Given() {
		return offer.Offer{}, nil
	}
	found, err := u.Offers().Many(u.Site.ID, []offer.ID{offer.ID(field.Value)})
	if err != nil {
		return offer.Offer{}, err
	}
	if len(found) == 0 || !u.Scope.Has(found[0].Agency) {
		problems.Wrong("sale_offer_id", fault.CodeUnknownOffer, field.Value, "no offer of the token's agencies has this id")
		return offer.Offer{}, nil
	}
	return found[0], nil
}

// mayBecomeAgreement returns a Conflict unless an offer is accepted and has no agreement that
// is a draft or live.
func (u Unit) mayBecomeAgreement(o offer.Offer) error {
	if err := offer.CheckAccepted(o); err != nil {
		return err
	}
	return u.checkNoAgreement(o.Product, madeFrom(o))
}

// describedAgreement returns the agreement that a request describes, with values from its
// offer, product and parties.
func (u Unit) describedAgreement(in CreateAgreement, p product.Product, from offer.Offer, problems *fault.Problems) (made agreement.Agreement, err error) {
	property := dealrecords.PropertyOf(p, u.Site.SiteView)
	rules := u.agreementRules(site.AgencyID(in.AgencyID.Or(int64(cmp.Or(from.Agency, p.Agency)))), property)
	like := agreement.Agreement{Product: p.ID, Agency: p.Agency, User: p.User, Fees: money.Fees{VATRate: rules.VATRate}}
	if from.ID != 0 {
		like.Offer, like.Agency, like.User, like.Buyers, like.Sellers = from.ID, from.Agency, from.User, from.Buyers, from.Sellers
		// An offer that is not accepted is refused later.
		like.Price, like.Fees = from.Price(), from.Fees
	} else if owner, err := u.ownerOf(p); err != nil {
		return made, err
	} else if owner != 0 {
		like.Sellers = []customer.ID{owner}
	}
	buyers, sellers := like.Buyers, like.Sellers
	if in.Buyers.Given() {
		buyers = given(in.Buyers)
	}
	if in.Sellers.Given() {
		sellers = given(in.Sellers)
	}
	if like.SellerNotary, err = u.notaryOf(sellers); err != nil {
		return made, err
	}
	if like.BuyerNotary, err = u.notaryOf(buyers); err != nil {
		return made, err
	}
	who, err := u.Customers().Many(u.Site.ID, sorted(buyers))
	if err != nil {
		return made, err
	}
	like.MayWithdraw = agreement.MayWithdraw(property.Type, who)
	made = rules.Create(in.Change, like, problems)
	return made, u.checkAgreement(in.Change, like, made, problems)
}

// checkAgreement adds problems for everything in a request that does not exist, and for all
// else that is wrong.
func (u Unit) checkAgreement(in agreement.Change, before, after agreement.Agreement, problems *fault.Problems) error {
	outside := u.CheckAgency(in.AgencyID, problems)
	u.CheckUser(in.UserID, before.User, problems)
	err := kernel.FirstError(
		u.checkParties("buyers", before.Buyers, after.Buyers, problems),
		u.checkParties("sellers", before.Sellers, after.Sellers, problems),
	)
	if err == nil && after.SellerNotary != before.SellerNotary {
		err = u.checkNotary("seller_notary_id", after.SellerNotary, problems)
	}
	if err == nil && after.BuyerNotary != before.BuyerNotary {
		err = u.checkNotary("buyer_notary_id", after.BuyerNotary, problems)
	}
	for n, c := range in.Commissions.Value {
		isOf := func(b agreement.Commission) bool {
			return b.Agency == site.AgencyID(c.AgencyID.Or(0)) && b.User == site.UserID(c.UserID.Or(0))
		}
		if slices.ContainsFunc(before.Commissions, isOf) {
			continue
		}
		at := form.Form{Problems: problems}.In("commissions[%d]", n)
		if beyond := u.CheckAgencyAt(at.At+"agency_id", c.AgencyID, problems); outside == nil {
			outside = beyond
		}
		u.CheckUserAt(at.At+"user_id", c.UserID, problems)
	}
	return kernel.FirstError(err, outside, problems.Err())
}

// heldAgreement locks an agreement and everything that its changes touch, and returns it with
// its product.
func (u Unit) heldAgreement(id int64) (agreement.Agreement, product.Product, error) {
	return held(u, u.agreements(), u.Agreements(), agreement.ID(id), deal.OfAgreement)
}

func (u Unit) updateAgreement(in UpdateAgreement) (kernel.Changed, error) {
	before, p, err := u.heldAgreement(in.ID)
	if err != nil {
		return kernel.Changed{}, err
	}
	if err := u.holdParties(given(in.Buyers), given(in.Sellers)); err != nil {
		return kernel.Changed{}, err
	}
	return u.agreements().Change(u, before, in.IfMatch, func(a agreement.Agreement) (agreement.Agreement, error) {
		property := dealrecords.PropertyOf(p, u.Site.SiteView)
		after, refused := u.agreementRules(a.Agency, property).Update(a, in.Change)
		if in.Buyers.Set && !in.RetractionApplies.Set && after.Status == agreement.Draft {
			// A buyer who joins may have the right that the first buyers had not.
			who, err := u.Customers().Many(u.Site.ID, sorted(after.Buyers))
			if err != nil {
				return after, err
			}
			after.MayWithdraw = after.MayWithdraw || agreement.MayWithdraw(property.Type, who)
		}
		return after, judged(refused, func(problems *fault.Problems) error { return u.checkAgreement(in.Change, a, after, problems) })
	})
}

func (u Unit) deleteAgreement(in DeleteAgreement) (kernel.None, error) {
	before, _, err := u.heldAgreement(in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	if err := agreement.CheckDeletable(before); err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, dealrecords.RemoveAgreement(u.kernel(), before, in.IfMatch)
}

func (u Unit) getAgreement(in AgreementPath) (dealrecords.SaleAgreement, error) {
	found, err := u.agreements().Get(u, agreement.ID(in.ID))
	if err != nil {
		return dealrecords.SaleAgreement{}, err
	}
	of, err := u.propertyOf(found.Product)
	return dealrecords.OfAgreement(found, of, u.Now, u.Site.ZoneOf(found.Agency)), err
}

// moveAgreement changes the status of an agreement, with all consequences.
func (u Unit) moveAgreement(in AgreementTransition, move func(agreement.Agreement, product.Product, agreement.Moment) (agreement.Agreement, error)) (kernel.Changed, error) {
	before, p, err := u.heldAgreement(in.ID)
	if err != nil {
		return kernel.Changed{}, err
	}
	life := u.agreements()
	life.Changing = func(_ kernel.Unit, before, after agreement.Agreement) error {
		return u.agreementEffects(before.At(u.Now, u.Site.ZoneOf(before.Agency)), after)
	}
	return life.Change(u, before, in.IfMatch, func(a agreement.Agreement) (agreement.Agreement, error) {
		return move(a, p, u.agreementMoment(a.Agency, dealrecords.PropertyOf(p, u.Site.SiteView)))
	})
}

// agreementEffects stores the consequences of a new state of an agreement, before the event of
// the agreement.
func (u Unit) agreementEffects(before, after agreement.Agreement) error {
	switch {
	case after.Status == before.Status:
	case before.Status == agreement.Draft && after.Live():
		return u.advance(after.Product, agreed)
	case after.Status == agreement.Completed:
		return u.completed(after)
	case after.Status == agreement.Withdrawn, after.Status == agreement.Failed, after.Status == agreement.Cancelled:
		return u.ended(before, after)
	}
	return nil
}

// completed stores the consequences of the deed.
func (u Unit) completed(a agreement.Agreement) error {
	w := people.Wanted{Product: a.Product, By: a.Buyers, User: a.User}
	if a.Offer != 0 {
		from, err := u.Offers().Many(u.Site.ID, []offer.ID{a.Offer})
		if err != nil {
			return err
		}
		if len(from) > 0 {
			w.Search = from[0].Search
		}
	}
	if err := u.advance(a.Product, deeded); err != nil {
		return err
	}
	return kernel.FirstError(u.achieve(w.Search), u.reach(w, people.FollowUpAcquired, true))
}

// ended stores the consequences of the end of an agreement without a deed. The new state is not
// stored yet, so the offer is given its id.
func (u Unit) ended(before, after agreement.Agreement) error {
	var steps []step
	if before.Live() {
		steps = append(steps, disagree)
	}
	if after.Offer == 0 {
		return u.advance(after.Product, steps...)
	}
	from, err := u.Offers().Get(u.Site.ID, after.Offer)
	if err != nil && !kernel.IsAbsent(err) {
		return err
	}
	if err != nil || from.Status != offer.Accepted {
		return u.advance(after.Product, steps...)
	}
	others := func(a agreement.Agreement) bool { return a.ID != after.ID && a.Live() }
	free, err := u.isFree(after.Product, from.ID, others)
	if err != nil {
		return err
	}
	if free {
		steps = append(steps, unoffer)
	}
	if err := u.advance(after.Product, steps...); err != nil {
		return err
	}
	_, err = u.offers().Change(u, from, kernel.IfMatch{}, func(o offer.Offer) (offer.Offer, error) {
		return o.Cancel(offer.AgreementEnds, agreementEnded, u.offerMoment(o.User))
	})
	return err
}

// agreementEnded is the code of list 17 of offers whose agreement ended.
const agreementEnded = "AGREEMENT"

func (u Unit) signAgreement(in SignAgreement) (kernel.Changed, error) {
	return u.moveAgreement(in.AgreementTransition, func(a agreement.Agreement, p product.Product, m agreement.Moment) (agreement.Agreement, error) {
		var problems fault.Problems
		date := u.requiredDay(a.Agency, "date_signature", in.DateSignature, &problems)
		err := kernel.FirstError(problems.Err(), a.MaySign(m), checkAvailable(p))
		if err == nil {
			err = u.checkNoAgreement(a.Product, live)
		}
		if err == nil {
			err = u.checkNoOffer(a.Product, a.Offer)
		}
		if err != nil {
			return a, err
		}
		return a.Sign(date, p.Criteria.Text(criteria.KeyMandateNumber), m)
	})
}

func (u Unit) notifyBuyers(in NotifyBuyers) (kernel.Changed, error) {
	return u.moveAgreement(in.AgreementTransition, func(a agreement.Agreement, _ product.Product, m agreement.Moment) (agreement.Agreement, error) {
		notified, err := readNotifications(in)
		if err != nil {
			return a, err
		}
		consumers, err := u.consumers(a.Buyers)
		if err != nil {
			return a, err
		}
		return a.Notify(notified, consumers, m)
	})
}

func readNotifications(in NotifyBuyers) (notified []agreement.Notification, err error) {
	var problems fault.Problems
	all := form.Form{Problems: &problems}
	if len(in.Notifications.Value) == 0 {
		all.Wrong("notifications", fault.CodeRequired, nil, "notifications has at least one")
	}
	if !all.Few("notifications", len(in.Notifications.Value), offer.MaxParties) {
		return nil, problems.Err()
	}
	seen := map[int64]bool{}
	for n, given := range in.Notifications.Value {
		f := all.In("notifications[%d]", n)
		var made agreement.Notification
		if form.ID(f, "customer_id", &made.Customer, given.CustomerID); given.CustomerID.Given() {
			form.Once(f, "customer_id", given.CustomerID.Value, seen)
		}
		f.CalendarDay("date", &made.Date, given.Date)
		form.OneOf(f, "method", &made.Method, given.Method, agreement.Methods())
		f.Required("customer_id", !given.CustomerID.Given())
		f.Required("date", !given.Date.Set || given.Date.Null)
		f.Required("method", given.Method.Or("") == "")
		notified = append(notified, made)
	}
	return notified, problems.Err()
}

func (u Unit) retractAgreement(in RetractAgreement) (kernel.Changed, error) {
	return u.moveAgreement(in.AgreementTransition, func(a agreement.Agreement, _ product.Product, m agreement.Moment) (agreement.Agreement, error) {
		var problems fault.Problems
		by := kernel.ID[customer.ID]("customer_id", in.CustomerID, &problems)
		if !in.CustomerID.Given() {
			problems.Add("customer_id", fault.CodeRequired, "customer_id is required")
		}
		sent := u.requiredDay(a.Agency, "date_sent", in.DateSent, &problems)
		if err := problems.Err(); err != nil {
			return a, err
		}
		consumers, err := u.consumers(a.Buyers)
		if err != nil {
			return a, err
		}
		return a.Retract(by, sent, consumers, m)
	})
}

func (u Unit) notariseAgreement(in NotariseAgreement) (kernel.Changed, error) {
	return u.moveAgreement(in.AgreementTransition, func(a agreement.Agreement, _ product.Product, m agreement.Moment) (agreement.Agreement, error) {
		var problems fault.Problems
		deed := u.requiredDay(a.Agency, "date_deed", in.DateDeed, &problems)
		if err := problems.Err(); err != nil {
			return a, err
		}
		return a.Notarise(deed, m)
	})
}

func (u Unit) cancelAgreement(in CancelAgreement) (kernel.Changed, error) {
	return u.moveAgreement(in.AgreementTransition, func(a agreement.Agreement, _ product.Product, m agreement.Moment) (agreement.Agreement, error) {
		reason, err := u.cancellationReason(in.CancellationReason)
		if err != nil {
			return a, err
		}
		return a.Cancel(reason, m)
	})
}

func (u Unit) liftCondition(in LiftCondition) (kernel.Changed, error) {
	return u.endCondition(in.ConditionTransition, in.Settlement, in.Waived.Or(false), agreement.Agreement.Lift)
}

func (u Unit) failCondition(in FailCondition) (kernel.Changed, error) {
	return u.endCondition(in.ConditionTransition, in.Settlement, false, agreement.Agreement.Fail)
}

func (u Unit) endCondition(
	in ConditionTransition, how Settlement, waived bool,
	end func(agreement.Agreement, agreement.ConditionID, agreement.Settlement, agreement.Moment) (agreement.Agreement, error),
) (kernel.Changed, error) {
	return u.moveAgreement(AgreementTransition{in.ID, in.IfMatch}, func(a agreement.Agreement, _ product.Product, m agreement.Moment) (agreement.Agreement, error) {
		if err := checkCondition(a, in.ConditionID); err != nil {
			return a, err
		}
		var problems fault.Problems
		s := agreement.Settlement{Date: u.pastDay(a.Agency, "date", how.Date, &problems), Waived: waived}
		form.Form{Problems: &problems}.Text("note", &s.Note, how.Note, form.MaxComment)
		if err := problems.Err(); err != nil {
			return a, err
		}
		return end(a, agreement.ConditionID(in.ConditionID), s, m)
	})
}

// checkCondition returns NotFound when an agreement has no condition with an id.
func checkCondition(a agreement.Agreement, id int64) error {
	if slices.ContainsFunc(a.Conditions, func(c agreement.Condition) bool { return int64(c.ID) == id }) {
		return nil
	}
	return kernel.Unknown("the agreement has no condition with this id")
}
