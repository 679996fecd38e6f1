package people

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
)

// footprint is a person and the records about them.
type footprint struct {
	person    customer.Customer
	searches  []demand.SearchRequest
	followUps []demand.FollowUp
	leads     []demand.Lead
	owned     []product.Product
	// deals are the offers, agreements and leases the person is a party to.
	deals dealrecords.Party
	// agenda is what the person attends and booked.
	agenda agendarecords.Agenda
	// mentioning are the customers who name the person. They are locked.
	mentioning []customer.Customer
}

// footprint reads what there is about a customer who is locked, as does any unit of
// work that adds to it.
func (u Unit) footprint(of customer.Customer) (f footprint, err error) {
	f.person = of
	if f.searches, err = u.SearchRequests().Of(of.Site, of.ID); err != nil {
		return f, err
	}
	if f.followUps, err = u.FollowUps().Of(of.Site, of.ID); err != nil {
		return f, err
	}
	if f.leads, err = u.Leads().Of(of.Site, of.ID); err != nil {
		return f, err
	}
	if f.owned, err = u.Products().OwnedBy(of.Site, of.ID); err != nil {
		return f, err
	}
	if f.deals, err = dealrecords.PartyOf(u.Unit.Unit, of.ID); err != nil {
		return f, err
	}
	if f.deals, err = f.deals.Held(u.Unit.Unit); err != nil {
		return f, err
	}
	if f.agenda, err = agendarecords.AgendaOf(u.Unit.Unit, of.ID); err != nil {
		return f, err
	}
	if f.agenda, err = f.agenda.Held(u.Unit.Unit); err != nil {
		return f, err
	}
	found, err := u.Customers().Mentioning(of.Site, of.ID)
	if err != nil {
		return f, err
	}
	for _, other := range found {
		held, err := u.Customers().Get(of.Site, other.ID)
		if err != nil && !kernel.IsAbsent(err) {
			return f, err
		}
		if err == nil && held.ID != of.ID && held.Mentions(of.ID) {
			f.mentioning = append(f.mentioning, held)
		}
	}
	return f, nil
}

// remove deletes a customer who owns nothing. What stays elsewhere, such as a
// lead, could no longer be exported or anonymised on request, so it is anonymised
// now.
func (u Unit) remove(f footprint) error {
	for _, attached := range f.followUps {
		if err := FollowUpsOf(f.person).Remove(u, attached, kernel.IfMatch{}); err != nil {
			return err
		}
	}
	for _, wanted := range f.searches {
		if err := Searches.Remove(u, wanted, kernel.IfMatch{}); err != nil {
			return err
		}
	}
	if err := f.deals.Leave(u.Unit.Unit); err != nil {
		return err
	}
	if err := f.agenda.Leave(u.Unit.Unit); err != nil {
		return err
	}
	if !f.person.IsAnonymous() {
		if err := u.inTurn(f, Unit.anonymizeLeads, Unit.anonymizeMentions); err != nil {
			return err
		}
	}
	if err := Customers.Remove(u, f.person, kernel.IfMatch{}); err != nil {
		return err
	}
	if err := u.Receipts().Forget(f.person.Site, f.person.ID); err != nil {
		return err
	}
	return u.forgetAnswers(f)
}

// inTurn takes steps one after the other, as far as the first that fails.
func (u Unit) inTurn(f footprint, steps ...func(Unit, footprint) error) error {
	for _, step := range steps {
		if err := step(u, f); err != nil {
			return err
		}
	}
	return nil
}
