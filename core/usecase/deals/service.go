package deals

import (
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// Service is the use cases about offers, agreements and leases.
type Service struct {
	API
	kernel.Area[API]

	k *kernel.Kernel
}

// New makes the area on a kernel.
func New(k *kernel.Kernel) *Service {
	s := &Service{k: k}
	s.Area = kernel.NewArea(&s.API, s.table)
	return s
}

// Unit is what the code inside a unit of work about offers, agreements and leases
// has.
type Unit struct{ people.Unit }

// NewUnit returns the unit of this area.
func NewUnit(u kernel.Unit) Unit { return Unit{people.NewUnit(u)} }

// kernel returns the unit without what the areas add to it.
func (u Unit) kernel() kernel.Unit { return u.Unit.Unit.Unit }

// today returns the day where an agency is.
func (u Unit) today(of site.AgencyID) calendar.Day { return calendar.On(u.Now, u.Site.ZoneOf(of)) }

func (u Unit) offers() kernel.Resource[offer.ID, offer.Offer] { return dealrecords.Offers() }

func (u Unit) agreements() kernel.Resource[agreement.ID, agreement.Agreement] {
	return dealrecords.Agreements(u.Site.ZoneOf)
}

func (u Unit) leases() kernel.Resource[letting.ID, letting.Lease] {
	return dealrecords.Leases(u.Site.ZoneOf)
}

// offerMoment returns when an offer is changed; the user is the one who is in charge.
func (u Unit) offerMoment(by site.UserID) offer.Moment { return offer.Moment{Now: u.Now, By: by} }

func (u Unit) agreementMoment(by site.AgencyID, of dealrecords.Property) agreement.Moment {
	return agreement.Moment{Now: u.Now, Zone: u.Site.ZoneOf(by), Region: of.Region()}
}

func (u Unit) leaseMoment(by site.AgencyID) letting.Moment {
	return letting.Moment{Now: u.Now, Zone: u.Site.ZoneOf(by)}
}

// propertyOf returns what rules depend on of a product, which may be gone.
func (u Unit) propertyOf(id product.ID) (dealrecords.Property, error) {
	found, err := dealrecords.Properties(u.kernel(), []product.ID{id})
	return found[id], err
}
