package deals

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// conflict is what a rule does not admit, with the value that stands in the way.
func conflict(code fault.Code, field string, value any, format string, args ...any) error {
	return fault.New(fault.Conflict, code, format, args...).At(field, value)
}

// checkAvailable is a Conflict when a product, which is locked, is sold, let or
// archived, or gone.
func checkAvailable(p product.Product) error {
	if p.ID != 0 && !slices.Contains(notAvailable, p.Status()) {
		return nil
	}
	return conflict(fault.CodeProductNotAvailable, "product_id", p.Status(), "the product cannot be promised to anybody")
}

// checkThere is a Conflict when a product is gone.
func checkThere(p product.Product) error {
	if p.ID != 0 {
		return nil
	}
	return conflict(fault.CodeProductNotAvailable, "product_id", "", "the product is gone")
}

// checkNoOffer is a Conflict when an offer for a product is accepted, and is not a
// given one.
func (u Unit) checkNoOffer(id product.ID, but offer.ID) error {
	found, err := u.Offers().About(u.Site.ID, []product.ID{id})
	if err != nil {
		return err
	}
	for _, o := range found {
		if o.Status == offer.Accepted && o.ID != but {
			return conflict(fault.CodeOfferAccepted, "sale_offer_id", int64(o.ID), "the offer %s for the product is accepted", o.Number)
		}
	}
	return nil
}

// checkNoAgreement is a Conflict when an agreement about a product stands in the
// way.
func (u Unit) checkNoAgreement(id product.ID, stands func(agreement.Agreement) bool) error {
	found, err := u.Agreements().About(u.Site.ID, []product.ID{id})
	if err != nil {
		return err
	}
	for _, a := range found {
		if stands(a) {
			return conflict(fault.CodeAgreementExists, "sale_agreement_id", int64(a.ID), "there is the sale agreement %s", a.Number)
		}
	}
	return nil
}

// madeFrom returns the agreements that an offer cannot have next to another one:
// drafts and live ones that were made from it.
func madeFrom(o offer.Offer) func(agreement.Agreement) bool {
	return func(a agreement.Agreement) bool { return a.Offer == o.ID && (a.Live() || a.Status == agreement.Draft) }
}

// checkNoLease is a Conflict when a product is let on a day of a lease already.
func (u Unit) checkNoLease(l letting.Lease) error {
	others, err := u.bindingLeases(l)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other.Overlaps(l) {
			return conflict(fault.CodeLeaseExists, "lease_id", int64(other.ID), "the lease %s has a day in common", other.Number)
		}
	}
	return nil
}

// bindingLeases returns the other leases of a product that occupy it now or will.
func (u Unit) bindingLeases(l letting.Lease) ([]letting.Lease, error) {
	found, err := u.Lettings().About(u.Site.ID, []product.ID{l.Product})
	var binding []letting.Lease
	for _, other := range found {
		if other = other.At(u.Now, u.Site.ZoneOf(other.Agency)); other.ID != l.ID && other.Binding() {
			binding = append(binding, other)
		}
	}
	return binding, err
}

// isFree reports whether no other offer for a product is accepted, and no agreement
// about it stands in the way.
func (u Unit) isFree(id product.ID, but offer.ID, stands func(agreement.Agreement) bool) (bool, error) {
	err := kernel.FirstError(u.checkNoOffer(id, but), u.checkNoAgreement(id, stands))
	if isConflict(err) {
		return false, nil
	}
	return err == nil, err
}
