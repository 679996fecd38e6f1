package dealrecords

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// NameAgreement makes an offer that is locked name the latest agreement that was made
// from it, 0 for none; an offer without an id is none.
func NameAgreement(u kernel.Unit, of offer.Offer, id agreement.ID) error {
	if of.ID == 0 {
		return nil
	}
	_, err := Offers().Change(u, of, kernel.IfMatch{}, func(o offer.Offer) (offer.Offer, error) {
		o = o.At(u.Now)
		o.Agreement = id
		return o, nil
	})
	return err
}

// RemoveAgreement deletes a draft that is locked. The offer that it was made from
// names the agreement before it.
func RemoveAgreement(u kernel.Unit, gone agreement.Agreement, match kernel.IfMatch) error {
	if err := match.Check(kernel.Version(gone.Version)); err != nil {
		return err
	}
	if gone.Offer != 0 {
		if err := unnameAgreement(u, gone); err != nil {
			return err
		}
	}
	return Agreements(u.Site.ZoneOf).Remove(u, gone, kernel.IfMatch{})
}

func unnameAgreement(u kernel.Unit, gone agreement.Agreement) error {
	from, err := u.Offers().Get(u.Site.ID, gone.Offer)
	if err != nil {
		return kernel.AbsentIs(err, nil)
	}
	others, err := u.Agreements().About(u.Site.ID, []product.ID{gone.Product})
	if err != nil {
		return err
	}
	latest := agreement.ID(0)
	for _, other := range others {
		if other.Offer == gone.Offer && other.ID != gone.ID {
			latest = max(latest, other.ID)
		}
	}
	return NameAgreement(u, from, latest)
}

// Leave takes a customer who is deleted out of the drafts they are a party to. A
// draft that is left without buyers or tenants is deleted. What is over stays, as
// of somebody whom nobody may know.
func (p Party) Leave(u kernel.Unit) error {
	zones := u.Site.ZoneOf
	for _, o := range p.Offers {
		after := o.At(u.Now).Anonymous()
		if o.Status == offer.Draft {
			after = o.Without(p.Customer)
		}
		if err := p.leave(len(after.Buyers) > 0,
			func() (kernel.Changed, error) { return Offers().Change(u, o, kernel.IfMatch{}, becomes(after)) },
			func() error { return Offers().Remove(u, o, kernel.IfMatch{}) }); err != nil {
			return err
		}
	}
	for _, a := range p.Agreements {
		after := a.Without(p.Customer)
		if err := p.leave(len(after.Buyers) > 0,
			func() (kernel.Changed, error) {
				return Agreements(zones).Change(u, a, kernel.IfMatch{}, becomes(after))
			},
			func() error { return RemoveAgreement(u, a, kernel.IfMatch{}) }); err != nil {
			return err
		}
	}
	for _, l := range p.Leases {
		after := l.Without(p.Customer)
		if err := p.leave(len(after.Tenants) > 0,
			func() (kernel.Changed, error) { return Leases(zones).Change(u, l, kernel.IfMatch{}, becomes(after)) },
			func() error { return Leases(zones).Remove(u, l, kernel.IfMatch{}) }); err != nil {
			return err
		}
	}
	return nil
}

func (Party) leave(stays bool, change func() (kernel.Changed, error), remove func() error) error {
	if !stays {
		return remove()
	}
	_, err := change()
	return err
}

// becomes returns the edit that leads to a state.
func becomes[T any](after T) func(T) (T, error) {
	return func(T) (T, error) { return after, nil }
}

// Anonymize takes everything personal out of what an anonymised customer is a party
// to. Ids, dates and amounts stay.
func (p Party) Anonymize(u kernel.Unit) error {
	zones := u.Site.ZoneOf
	for _, o := range p.Offers {
		if _, err := Offers().Change(u, o, kernel.IfMatch{}, becomes(o.At(u.Now).Anonymous())); err != nil {
			return err
		}
	}
	for _, a := range p.Agreements {
		if _, err := Agreements(zones).Change(u, a, kernel.IfMatch{}, becomes(a.At(u.Now, zones(a.Agency)).Anonymous())); err != nil {
			return err
		}
	}
	for _, l := range p.Leases {
		if _, err := Leases(zones).Change(u, l, kernel.IfMatch{}, becomes(l.At(u.Now, zones(l.Agency)).Anonymous())); err != nil {
			return err
		}
	}
	return nil
}

// Party is a customer with everything that they are a party to.
type Party struct {
	Customer   customer.ID
	Offers     []offer.Offer
	Agreements []agreement.Agreement
	Leases     []letting.Lease
}

// PartyOf reads what a customer is a party to. The records are locked if the customer
// is: nobody adds a party without holding them.
func PartyOf(u kernel.Unit, id customer.ID) (p Party, err error) {
	p.Customer = id
	if p.Offers, err = u.Offers().With(u.Site.ID, id); err != nil {
		return p, err
	}
	if p.Agreements, err = u.Agreements().With(u.Site.ID, id); err != nil {
		return p, err
	}
	p.Leases, err = u.Lettings().With(u.Site.ID, id)
	return p, err
}

// Held returns what a customer who is locked is a party to, each record locked as well, for
// those who change it.
func (p Party) Held(u kernel.Unit) (Party, error) {
	var err error
	if p.Offers, err = held(u, p.Offers, u.Offers().Get, func(o offer.Offer) offer.ID { return o.ID }); err != nil {
		return p, err
	}
	if p.Agreements, err = held(u, p.Agreements, u.Agreements().Get, func(a agreement.Agreement) agreement.ID { return a.ID }); err != nil {
		return p, err
	}
	p.Leases, err = held(u, p.Leases, u.Lettings().Get, func(l letting.Lease) letting.ID { return l.ID })
	p.Offers = slices.DeleteFunc(p.Offers, func(o offer.Offer) bool { return !o.Has(p.Customer) })
	p.Agreements = slices.DeleteFunc(p.Agreements, func(a agreement.Agreement) bool { return !a.Has(p.Customer) })
	p.Leases = slices.DeleteFunc(p.Leases, func(l letting.Lease) bool { return !l.Has(p.Customer) })
	return p, err
}
