package people

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/agendarecords"
	"github.com/vitrine-crm/vitrine/core/agreement"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/appointment"
	"github.com/vitrine-crm/vitrine/core/booking"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/dealrecords"
	"github.com/vitrine-crm/vitrine/core/letting"
	"github.com/vitrine-crm/vitrine/core/offer"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
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
	e.ExportedAt, e.Truncated = api.Instant{Time: u.Now}, []string{}
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
		Site: of.Site, Subject: action.Subject{Kind: action.Customer, ID: int64(of.ID)}, Limit: maxExported + 1,
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
		return dealrecords.OfAgreement(a, of[a.Product], u.Now, u.Site.Zone)
	})
	e.Leases = exported(e, "leases", p.Leases, func(l letting.Lease) dealrecords.Lease {
		return dealrecords.OfLease(l, of[l.Product], u.Now, u.Site.Zone)
	})
	return err
}

// exportAgenda adds what the customer attends and booked.
func (u Unit) exportAgenda(e *CustomerExport, of customer.Customer) error {
	a, err := agendarecords.AgendaOf(u.Unit.Unit, of.ID)
	if err != nil {
		return err
	}
	ids := make([]appointment.ID, len(a.Bookings))
	for i, b := range a.Bookings {
		ids[i] = b.Appointment
	}
	booked, err := u.Appointments().Many(of.Site, ids)
	if err != nil {
		return err
	}
	visits := map[appointment.ID]appointment.Appointment{}
	for _, one := range booked {
		visits[one.ID] = one
	}
	e.Appointments = exported(e, "appointments", a.Appointments, func(one appointment.Appointment) agendarecords.AttendedEvent {
		return agendarecords.OfAttended(one, a)
	})
	e.Bookings = exported(e, "bookings", a.Bookings, func(b booking.Booking) agendarecords.BookedVisit {
		return agendarecords.OfBooking(b, visits[b.Appointment])
	})
	return nil
}

// exported are the records of a list, as many as there may be.
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

func exportedAction(a action.Action) ExportedAction {
	record := ExportedAction{
		ID: int64(a.ID), ActionID: api.Nullable(int64(a.Type)), ChildActionID: api.Nullable(a.Child), Label: a.Label, UserID: api.Nullable(int64(a.User)),
		Result: api.Nullable(a.Result), DatePerformed: api.Instant{Time: a.Performed}, DateAdded: api.Instant{Time: a.Added},
	}
	if a.Subject.Kind == action.Product {
		record.ProductID = &a.Subject.ID
	}
	return record
}

// mentionOf is what one customer's record says of another.
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
