package dealrecords

import (
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// bonds are the records that stand in the way of something.
type bonds []fault.Detail

func (b *bonds) add(code fault.Code, field string, id int64, number string) {
	*b = append(*b, fault.Detail{Field: field, Code: code, Value: id, Message: fault.Verbatim(number)})
}

// err is the Conflict that names the records, nil without any.
func (b bonds) err(code fault.Code, format string, args ...any) error {
	if len(b) == 0 {
		return nil
	}
	return &fault.Error{Kind: fault.Conflict, Code: code, Message: fault.Textf(format, args...), Details: b}
}

// CheckDeletable is a Conflict while a product, which is locked, has an accepted
// offer, a live agreement, or a lease that occupies it.
func CheckDeletable(u kernel.Unit, id product.ID) error {
	of, about := u.Site.ID, []product.ID{id}
	offers, err := u.Offers().About(of, about)
	if err != nil {
		return err
	}
	agreements, err := u.Agreements().About(of, about)
	if err != nil {
		return err
	}
	leases, err := u.Lettings().About(of, about)
	if err != nil {
		return err
	}
	var found bonds
	for _, o := range offers {
		if o.Status == offer.Accepted {
			found.add(fault.CodeConflict, "sale_offer_id", int64(o.ID), o.Number)
		}
	}
	for _, a := range agreements {
		if a.Live() {
			found.add(fault.CodeConflict, "sale_agreement_id", int64(a.ID), a.Number)
		}
	}
	for _, l := range leases {
		if l.At(u.Now, u.Site.ZoneOf(l.Agency)).Binding() {
			found.add(fault.CodeConflict, "lease_id", int64(l.ID), l.Number)
		}
	}
	return found.err(fault.CodeConflict, "the product is promised, sold or let; the details name the records")
}

// CheckDeletable is a Conflict while the customer is a party to an offer that is
// not over, or to any agreement or lease but drafts: those are kept for ten years.
func (p Party) CheckDeletable(u kernel.Unit) error {
	return p.bonds(u, fault.CodeConflict,
		func(a agreement.Agreement) bool { return a.Status != agreement.Draft },
		func(l letting.Lease) bool { return l.Status != letting.Draft },
	).err(fault.CodeConflict, "the customer is a party to transactions; the details name them")
}

// CheckAnonymizable is a Conflict while the customer is a party to an offer that is
// not over, a live agreement, or a lease that runs or will (RGPD art. 17 § 3).
func (p Party) CheckAnonymizable(u kernel.Unit) error {
	return p.bonds(u, fault.CodeInTransaction, agreement.Agreement.Live, letting.Lease.Binding).
		err(fault.CodeInTransaction, "the customer is a party to transactions that are under way; the details name them")
}

func (p Party) bonds(u kernel.Unit, code fault.Code, agreed func(agreement.Agreement) bool, let func(letting.Lease) bool) (found bonds) {
	for _, o := range p.Offers {
		if o.At(u.Now).Binding() {
			found.add(code, "sale_offer_id", int64(o.ID), o.Number)
		}
	}
	for _, a := range p.Agreements {
		if agreed(a.At(u.Now, u.Site.ZoneOf(a.Agency))) {
			found.add(code, "sale_agreement_id", int64(a.ID), a.Number)
		}
	}
	for _, l := range p.Leases {
		if let(l.At(u.Now, u.Site.ZoneOf(l.Agency))) {
			found.add(code, "lease_id", int64(l.ID), l.Number)
		}
	}
	return found
}

// Roles returns what the customer is by agreements that are live or completed, and by
// leases from their signature on.
func (p Party) Roles(u kernel.Unit) (roles []string) {
	for _, a := range p.Agreements {
		if a = a.At(u.Now, u.Site.ZoneOf(a.Agency)); !a.Live() && a.Status != agreement.Completed {
			continue
		}
		if a.Buys(p.Customer) {
			roles = append(roles, demand.RoleBuyer)
		} else {
			roles = append(roles, demand.RoleSeller)
		}
	}
	for _, l := range p.Leases {
		l = l.At(u.Now, u.Site.ZoneOf(l.Agency))
		switch {
		case l.Status == letting.Draft || l.Status == letting.Cancelled:
		case l.Rents(p.Customer):
			roles = append(roles, demand.RoleTenant)
		case l.Lets(p.Customer):
			roles = append(roles, demand.RoleLandlord)
		}
	}
	return roles
}

// held reads records again, which locks them, as far as they are there.
func held[ID ~int64, T any](u kernel.Unit, found []T, get func(site.ID, ID) (T, error), id func(T) ID) ([]T, error) {
	var all []T
	for _, one := range found {
		again, err := get(u.Site.ID, id(one))
		if kernel.IsAbsent(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, again)
	}
	return all, nil
}
