package deals

import (
	"math"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// leaseRules returns what changes of a lease are judged by, once everybody whom the
// lease may name is read.
func (u Unit) leaseRules(by site.AgencyID, of dealrecords.Property, parties ...[]customer.ID) (letting.Rules, error) {
	companies := map[customer.ID]bool{}
	for _, some := range parties {
		found, err := u.Customers().Many(u.Site.ID, sorted(some))
		if err != nil {
			return letting.Rules{}, err
		}
		for _, c := range found {
			companies[c.ID] = c.Company != ""
		}
	}
	return letting.Rules{
		Moment: u.leaseMoment(by), VATRate: of.VATRate(), FeeCaps: feeCaps(u.Site.Settings()),
		Value: indexValues(u.Site.Settings(), letting.TerritoryOf(of.PostalCode)), IsCompany: func(id customer.ID) bool { return companies[id] },
	}, nil
}

func (u Unit) createLease(in CreateLease) (kernel.Created, error) {
	peeked, err := u.productFor(in.ProductID)
	if err != nil {
		return kernel.Created{}, err
	}
	if err := u.holdParties(given(in.Landlords), given(in.Tenants), given(in.Guarantors), []customer.ID{peeked.Customer}); err != nil {
		return kernel.Created{}, err
	}
	var problems fault.Problems
	p, err := u.checkProduct(in.ProductID, &problems)
	if err != nil {
		return kernel.Created{}, err
	}
	like := letting.Lease{Product: p.ID, Agency: p.Agency, User: p.User, Surface: surfaceOf(p)}
	owner, err := u.ownerOf(p)
	if err != nil {
		return kernel.Created{}, err
	}
	if owner != 0 {
		like.Landlords = []customer.ID{owner}
	}
	rules, err := u.leaseRules(site.AgencyID(in.AgencyID.Or(int64(p.Agency))), dealrecords.PropertyOf(p, u.Site.SiteView), like.Landlords, given(in.Landlords))
	if err != nil {
		return kernel.Created{}, err
	}
	made := rules.Create(in.Change, like, &problems)
	if err := u.checkLease(in.Change, like, made, &problems); err != nil {
		return kernel.Created{}, err
	}
	if made.Number, err = u.number(made.Agency, deal.Leases); err != nil {
		return kernel.Created{}, err
	}
	made.Site = u.Site.ID
	added, err := u.leases().Create(u, made)
	return u.Created("/leases/", int64(added.ID)), err
}

// surfaceOf returns the surface of a product in m², nil where it has none that a lease
// could state.
func surfaceOf(p product.Product) *float64 {
	surface, known := p.Criteria.Number(criteria.KeySurface)
	if !known || surface <= 0 || surface > letting.MaxSurface || math.IsNaN(surface) {
		return nil
	}
	return &surface
}

// checkLease reports everything that a request names and that does not exist, next
// to what is wrong otherwise.
func (u Unit) checkLease(in letting.Change, before, after letting.Lease, problems *fault.Problems) error {
	outside := u.CheckAgency(in.AgencyID, problems)
	u.CheckUser(in.UserID, before.User, problems)
	err := kernel.FirstError(
		u.checkParties("landlords", before.Landlords, after.Landlords, problems),
		u.checkParties("tenants", before.Tenants, after.Tenants, problems),
		u.checkParties("guarantors", before.Guarantors, after.Guarantors, problems),
	)
	return kernel.FirstError(err, outside, problems.Err())
}

// heldLease returns a lease that is locked with everything that its changes touch.
func (u Unit) heldLease(id int64) (letting.Lease, product.Product, error) {
	return held(u, u.leases(), u.Lettings(), letting.ID(id), deal.OfLease)
}

func (u Unit) updateLease(in UpdateLease) (kernel.Changed, error) {
	before, p, err := u.heldLease(in.ID)
	if err != nil {
		return kernel.Changed{}, err
	}
	if err := u.holdParties(given(in.Landlords), given(in.Tenants), given(in.Guarantors)); err != nil {
		return kernel.Changed{}, err
	}
	rules, err := u.leaseRules(before.Agency, dealrecords.PropertyOf(p, u.Site.SiteView), before.Landlords, given(in.Landlords))
	if err != nil {
		return kernel.Changed{}, err
	}
	return u.leases().Change(u, before, in.IfMatch, func(l letting.Lease) (letting.Lease, error) {
		after, refused := rules.Update(l, in.Change)
		return after, judged(refused, func(problems *fault.Problems) error { return u.checkLease(in.Change, l, after, problems) })
	})
}

func (u Unit) deleteLease(in DeleteLease) (kernel.None, error) {
	before, _, err := u.heldLease(in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	if err := letting.CheckDeletable(before); err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, u.leases().Remove(u, before, in.IfMatch)
}

func (u Unit) getLease(in LeasePath) (dealrecords.Lease, error) {
	found, err := u.leases().Get(u, letting.ID(in.ID))
	if err != nil {
		return dealrecords.Lease{}, err
	}
	of, err := u.propertyOf(found.Product)
	return dealrecords.OfLease(found, of, u.Now, u.Site.ZoneOf(found.Agency)), err
}

// moveLease takes a lease from one status to another, with what follows from it.
func (u Unit) moveLease(in LeaseTransition, move func(letting.Lease, product.Product, letting.Moment) (letting.Lease, error)) (kernel.Changed, error) {
	before, p, err := u.heldLease(in.ID)
	if err != nil {
		return kernel.Changed{}, err
	}
	life := u.leases()
	life.Changing = func(_ kernel.Unit, before, after letting.Lease) error {
		return u.leaseEffects(before.At(u.Now, u.Site.ZoneOf(before.Agency)), after)
	}
	return life.Change(u, before, in.IfMatch, func(l letting.Lease) (letting.Lease, error) { return move(l, p, u.leaseMoment(l.Agency)) })
}

// leaseEffects is what a new state of a lease entails, which comes before the
// lease's own event.
func (u Unit) leaseEffects(before, after letting.Lease) error {
	switch {
	case after.Status == before.Status:
	case before.Status == letting.Draft && after.Status != letting.Cancelled:
		if err := u.advance(after.Product, letOut); err != nil {
			return err
		}
		return u.reach(people.Wanted{Product: after.Product, By: after.Tenants, User: after.User}, people.FollowUpAcquired, false)
	case before.Status == letting.Signed && after.Status == letting.Cancelled:
		others, err := u.bindingLeases(after)
		if err != nil || len(others) > 0 {
			return err
		}
		return u.advance(after.Product, unlet)
	}
	return nil
}

func (u Unit) signLease(in SignLease) (kernel.Changed, error) {
	return u.moveLease(in.LeaseTransition, func(l letting.Lease, p product.Product, m letting.Moment) (letting.Lease, error) {
		var problems fault.Problems
		date := u.requiredDay(l.Agency, "date_signature", in.DateSignature, &problems)
		if err := problems.Err(); err != nil {
			return l, err
		}
		after, err := l.Sign(date, m)
		if err := kernel.FirstError(err, checkThere(p)); err != nil {
			return l, err
		}
		// The caps of fees are those of the day of the signature.
		rules, err := u.leaseRules(l.Agency, dealrecords.PropertyOf(p, u.Site.SiteView), l.Landlords)
		if err == nil {
			after.ByCompany = slices.ContainsFunc(after.Landlords, rules.IsCompany)
			err = rules.Check(after)
		}
		if err == nil && after.Binding() {
			err = u.checkNoLease(after)
		}
		return after, err
	})
}

func (u Unit) giveNotice(in GiveNotice) (kernel.Changed, error) {
	return u.moveLease(in.LeaseTransition, func(l letting.Lease, _ product.Product, m letting.Moment) (letting.Lease, error) {
		var problems fault.Problems
		f := form.Form{Problems: &problems}
		var n letting.Notice
		if form.OneOf(f, "by", &n.By, in.By, []letting.Side{letting.Tenant, letting.Landlord}); in.By.Or("") == "" {
			problems.Add("by", fault.CodeRequired, "by is required: LOCATAIRE or BAILLEUR")
		}
		n.Received = u.requiredDay(l.Agency, "received_on", in.ReceivedOn, &problems)
		f.Text("reason", &n.Reason, in.Reason, form.MaxName)
		if err := problems.Err(); err != nil {
			return l, err
		}
		return l.GiveNotice(n, m)
	})
}

func (u Unit) cancelNotice(in LeaseTransition) (kernel.Changed, error) {
	return u.moveLease(in, func(l letting.Lease, _ product.Product, m letting.Moment) (letting.Lease, error) {
		after, err := l.CancelNotice(m)
		if err == nil && after.Binding() {
			// Somebody may have signed for the days after the notice.
			err = u.checkNoLease(after)
		}
		return after, err
	})
}

func (u Unit) endLease(in EndLease) (kernel.Changed, error) {
	return u.moveLease(in.LeaseTransition, func(l letting.Lease, _ product.Product, m letting.Moment) (letting.Lease, error) {
		var problems fault.Problems
		date := u.requiredDay(l.Agency, "date", in.Date, &problems)
		if err := problems.Err(); err != nil {
			return l, err
		}
		return l.End(date, in.InventoryConform.Or(false), m)
	})
}

func (u Unit) cancelLease(in CancelLease) (kernel.Changed, error) {
	return u.moveLease(in.LeaseTransition, func(l letting.Lease, _ product.Product, m letting.Moment) (letting.Lease, error) {
		reason, err := u.cancellationReason(in.CancellationReason)
		if err != nil {
			return l, err
		}
		return l.Cancel(reason, m)
	})
}

func (u Unit) reviseRent(in ReviseRent) (Revised, error) {
	made := Revised{}
	changed, err := u.moveLease(in.LeaseTransition, func(l letting.Lease, p product.Product, m letting.Moment) (letting.Lease, error) {
		var problems fault.Problems
		of := dealrecords.PropertyOf(p, u.Site.SiteView)
		where := letting.TerritoryOf(of.PostalCode)
		r := letting.Revised{
			Asked: u.pastDay(l.Agency, "asked_on", in.AskedOn, &problems), EnergyLetter: of.Letter, Territory: where,
			Value: indexValues(u.Site.Settings(), where),
		}
		if r.Asked == 0 {
			r.Asked = u.today(l.Agency)
		}
		if in.Quarter.Given() {
			var err error
			if r.Quarter, err = letting.ParseQuarter(in.Quarter.Value); err != nil {
				problems.Wrong("quarter", fault.CodeInvalidFormat, in.Quarter.Value, "quarter is written 2025-T3")
			}
		}
		if err := problems.Err(); err != nil {
			return l, err
		}
		after, err := l.Revise(r, m)
		if err == nil {
			made.ID = int64(after.Revisions[len(after.Revisions)-1].ID)
		}
		return after, err
	})
	made.Version = changed.Version
	made.Location = u.Created("/leases/", in.ID).Location
	return made, err
}
