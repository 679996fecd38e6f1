package people

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// anonymizeCustomer finds nothing left to remove of one who was anonymised
// before.
func (u Unit) anonymizeCustomer(in CustomerPath) (kernel.None, error) {
	person, err := u.Customer(in.ID)
	if err != nil || person.IsAnonymous() {
		return kernel.None{}, err
	}
	f, err := u.footprint(person)
	if err != nil {
		return kernel.None{}, err
	}
	if err := f.deals.CheckAnonymizable(u.Unit.Unit); err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, u.inTurn(f, Unit.anonymizeDemand, Unit.anonymizeDeals, Unit.anonymizeAgenda, Unit.anonymizeLeads, Unit.anonymizeMentions, Unit.anonymizePerson, Unit.forgetAnswers)
}

func (u Unit) anonymizeDemand(f footprint) error {
	for _, before := range f.searches {
		if after := before.Anonymous(); !after.Same(before) {
			if _, err := Searches.Replace(u, after); err != nil {
				return err
			}
		}
	}
	for _, before := range f.followUps {
		if after := before.Anonymous(); !after.Same(before) {
			if _, err := FollowUpsOf(f.person).Replace(u, after); err != nil {
				return err
			}
		}
	}
	return nil
}

func (u Unit) anonymizeDeals(f footprint) error { return f.deals.Anonymize(u.Unit.Unit) }

func (u Unit) anonymizeAgenda(f footprint) error { return f.agenda.Anonymize(u.Unit.Unit) }

// anonymizeLeads also frees the keys of the leads: what the person sends from now
// on is a new lead. The keys are locked first, as in a unit of work that receives a
// lead again.
func (u Unit) anonymizeLeads(f footprint) error {
	ids := make([]demand.LeadID, len(f.leads))
	for i, l := range f.leads {
		ids[i] = l.ID
	}
	if err := u.Claims().Release(f.person.Site, ids); err != nil {
		return err
	}
	for _, before := range f.leads {
		if _, err := leads.Replace(u, before.Anonymous()); err != nil {
			return err
		}
	}
	return nil
}

func (u Unit) anonymizeMentions(f footprint) error {
	for _, before := range f.mentioning {
		if after := before.WithoutWordsOf(f.person.ID); !after.Same(before) {
			if _, err := Customers.Replace(u, after); err != nil {
				return err
			}
		}
	}
	return nil
}

// anonymizePerson comes last of those that record events, so that the receipt of
// this very request is about the person.
func (u Unit) anonymizePerson(f footprint) error {
	recorded, err := Customers.Record(u, Customers.Deleted, f.person)
	if err != nil {
		return err
	}
	after := f.person.Anonymous(recorded.At)
	after.Version, after.Modified = recorded.Seq, kernel.Latest(recorded.At, f.person.Modified)
	if err := u.Customers().Put(after); err != nil {
		return err
	}
	return u.Receipts().Forget(after.Site, after.ID)
}

// forgetAnswers forgets what agents wrote and what receivers said about the
// person, and the values in the history of their record, and keeps nothing of what receivers say of them later: a receiver may
// answer the event of the removal with the person's name.
func (u Unit) forgetAnswers(f footprint) error {
	id := f.person.Site
	subjects, err := u.Actions().Forget(id, f.person.ID)
	if err != nil {
		return err
	}
	if err := u.Ledger().Touch(id, port.AspectRejections); err != nil {
		return err
	}
	if err := u.Ledger().Forget(id, event.CustomerUpdate.Resource(), []int64{int64(f.person.ID)}); err != nil {
		return err
	}
	appointments := numbers(f.agenda.Appointments, func(a planning.Appointment) int64 { return int64(a.ID) })
	theirs := []about{
		{event.CustomerUpdate, []int64{int64(f.person.ID)}},
		{event.SearchUpdate, numbers(f.searches, func(r demand.SearchRequest) int64 { return int64(r.ID) })},
		{event.FollowUpUpdate, numbers(f.followUps, func(f demand.FollowUp) int64 { return int64(f.ID) })},
		{event.LeadUpdate, numbers(f.leads, func(l demand.Lead) int64 { return int64(l.ID) })},
		{event.OfferUpdate, numbers(f.deals.Offers, func(o offer.Offer) int64 { return int64(o.ID) })},
		{event.AgreementUpdate, numbers(f.deals.Agreements, func(a agreement.Agreement) int64 { return int64(a.ID) })},
		{event.AppointmentUpdate, appointments},
		{event.ReminderCreate, appointments},
		{event.LeaseUpdate, numbers(f.deals.Leases, func(l letting.Lease) int64 { return int64(l.ID) })},
	}
	for _, about := range theirs {
		if err := u.Deliveries().Redact(id, about.event.Resource(), about.resources); err != nil {
			return err
		}
	}
	for _, about := range append(theirs,
		about{event.CustomerUpdate, numbers(f.mentioning, func(c customer.Customer) int64 { return int64(c.ID) })},
		about{event.ProductUpdate, numbers(f.owned, func(p product.Product) int64 { return int64(p.ID) })},
		about{event.ActionCreate, numbers(subjects, func(s customer.ActionSubject) int64 { return s.ID })},
	) {
		if err := about.forget(u); err != nil {
			return err
		}
	}
	_, err = u.Rejections().ClearResource(id, event.CustomerUpdate.Resource(), int64(f.person.ID))
	return err
}

// about are resources of the kind that an event is about.
type about struct {
	event     event.Type
	resources []int64
}

// forget empties what receivers said, in deliveries before rejections: a unit of
// work that settles a delivery stores the rejection after it.
func (a about) forget(u Unit) error {
	if len(a.resources) == 0 {
		return nil
	}
	if err := u.Deliveries().Forget(u.Site.ID, a.event.Resource(), a.resources); err != nil {
		return err
	}
	return u.Rejections().Forget(u.Site.ID, a.event.Resource(), a.resources)
}

// numbers returns the ids of some records.
func numbers[T any](records []T, id func(T) int64) []int64 {
	out := make([]int64, len(records))
	for i, r := range records {
		out[i] = id(r)
	}
	return out
}
