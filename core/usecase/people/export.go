package people

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
)

// maxExported bounds each list of an export.
const maxExported = 1000

// exportCustomer reads everything, by whichever agency it was written: it is the
// customer's.
func (u Unit) exportCustomer(in CustomerPath) (CustomerExport, error) {
	of, err := u.Customer(in.ID)
	if err != nil {
		return CustomerExport{}, err
	}
	return u.exportOf(of)
}

func (u Unit) exportOf(of customer.Customer) (e CustomerExport, err error) {
	e.ExportedAt, e.Truncated = kernel.Instant{Time: u.Now}, []string{}
	if e.Customer, err = u.customerRecord(of); err != nil {
		return e, err
	}
	searches, err := u.SearchRequests().Of(of.Site, of.ID)
	if err != nil {
		return e, err
	}
	followUps, err := u.FollowUps().Of(of.Site, of.ID)
	if err != nil {
		return e, err
	}
	leads, err := u.Leads().Of(of.Site, of.ID)
	if err != nil {
		return e, err
	}
	actions, err := u.Actions().Page(port.ActionQuery{
		Site: of.Site, Subject: customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: int64(of.ID)}, Limit: maxExported + 1,
	})
	if err != nil {
		return e, err
	}
	products, err := u.Products().OwnedBy(of.Site, of.ID)
	if err != nil {
		return e, err
	}
	mentions, err := u.Customers().Mentioning(of.Site, of.ID)
	if err != nil {
		return e, err
	}
	deals, err := dealrecords.PartyOf(u.Unit.Unit, of.ID)
	if err != nil {
		return e, err
	}
	if err := u.exportDeals(&e, deals); err != nil {
		return e, err
	}
	if err := u.exportAgenda(&e, of); err != nil {
		return e, err
	}
	e.Searches = exported(&e, "searches", searches, searchRecord)
	e.FollowUps = exported(&e, "follow_ups", followUps, followUpRecord)
	e.Leads = exported(&e, "leads", leads, leadRecord)
	e.Actions = exported(&e, "actions", actions, exportedAction)
	e.Products = exported(&e, "products", products, func(p product.Product) OwnedProduct {
		return OwnedProduct{ID: int64(p.ID), Model: p.Reference, AgencyID: int64(p.Agency)}
	})
	e.Mentions = exported(&e, "mentions", mentions, func(by customer.Customer) Mention { return mentionOf(of.ID, by) })
	return e, nil
}

// exportDeals adds what the customer is a party to.
func (u Unit) exportDeals(e *CustomerExport, p dealrecords.Party) error {
	var about []product.ID
	for _, a := range p.Agreements {
		about = append(about, a.Product)
	}
	for _, l := range p.Leases {
		about = append(about, l.Product)
	}
	slices.Sort(about)
	of, err := dealrecords.Properties(u.Unit.Unit, slices.Compact(about))
	e.SaleOffers = exported(e, "sale_offers", p.Offers, func(o offer.Offer) dealrecords.SaleOffer { return dealrecords.OfOffer(o, u.Now) })
	e.SaleAgreements = exported(e, "sale_agreements", p.Agreements, func(a agreement.Agreement) dealrecords.SaleAgreement {
		return dealrecords.OfAgreement(a, of[a.Product], u.Now, u.Site.ZoneOf(a.Agency))
	})
	e.Leases = exported(e, "leases", p.Leases, func(l letting.Lease) dealrecords.Lease {
		return dealrecords.OfLease(l, of[l.Product], u.Now, u.Site.ZoneOf(l.Agency))
	})
	return err
}

// exportAgenda adds what the customer attends and booked.
func (u Unit) exportAgenda(e *CustomerExport, of customer.Customer) error {
	a, err := agendarecords.AgendaOf(u.Unit.Unit, of.ID)
	if err != nil {
		return err
	}
	ids := make([]planning.ID, len(a.Bookings))
	for i, b := range a.Bookings {
		ids[i] = b.Appointment
	}
	booked, err := u.Appointments().Many(of.Site, ids)
	if err != nil {
		return err
	}
	visits := map[planning.ID]planning.Appointment{}
	for _, one := range booked {
		visits[one.ID] = one
	}
	e.Appointments = exported(e, "appointments", a.Appointments, func(one planning.Appointment) agendarecords.AttendedEvent {
		return agendarecords.OfAttended(one, a)
	})
	e.Bookings = exported(e, "bookings", a.Bookings, func(b planning.Booking) agendarecords.BookedVisit {
		return agendarecords.OfBooking(b, visits[b.Appointment])
	})
	return nil
}

// exported returns the records of a list, as many as there may be.
func exported[T, R any](e *CustomerExport, name string, items []T, record func(T) R) []R {
	if len(items) > maxExported {
		items, e.Truncated = items[:maxExported], append(e.Truncated, name)
	}
	records := make([]R, len(items))
	for i, item := range items {
		records[i] = record(item)
	}
	return records
}

func exportedAction(a customer.Action) ExportedAction {
	record := ExportedAction{
		ID: int64(a.ID), ActionID: kernel.Nullable(int64(a.Type)), ChildActionID: kernel.Nullable(a.Child), Label: a.Label, UserID: kernel.Nullable(int64(a.User)),
		Result: kernel.Nullable(a.Result), DatePerformed: kernel.Instant{Time: a.Performed}, DateAdded: kernel.Instant{Time: a.Added},
	}
	if a.Subject.Kind == customer.AimedAtProduct {
		record.ProductID = &a.Subject.ID
	}
	return record
}

// mentionOf returns what one customer's record says of another.
func mentionOf(id customer.ID, by customer.Customer) Mention {
	whole := plainCustomer(by)
	m := Mention{CustomerID: int64(by.ID), RelatedContacts: []RelatedContact{}}
	if by.Notary.Customer == id {
		m.Notary = whole.Notary
	}
	for i, r := range by.Related {
		if r.Customer == id {
			m.RelatedContacts = append(m.RelatedContacts, whole.RelatedContacts[i])
		}
	}
	return m
}
