package siteapi

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// AnonymizeCustomer removes everything personal about a customer, wherever it is
// kept, and for good (contract: persons' rights). What is left has their id, so
// that mandates, follow-ups and figures stay whole; to everybody else they are
// gone. Of one who was anonymised before nothing is left to remove.
func (s *Service) AnonymizeCustomer(ctx context.Context, c Caller, in CustomerPath) (None, error) {
	return write(ctx, s, c, func(tx port.Tx) (None, error) {
		person, err := c.customer(tx, in.ID)
		if err != nil || person.IsAnonymous() {
			return None{}, err
		}
		t, err := s.traces(ctx, tx, c, person)
		if err != nil {
			return None{}, err
		}
		return None{}, s.anonymize(tx, c, t)
	})
}

// traces are a person and the records that tell of them.
type traces struct {
	person    customer.Customer
	searches  []demand.SearchRequest
	followUps []demand.FollowUp
	leads     []lead.Lead
	owned     []product.Product
	// mentioning are the customers who name the person. They are held.
	mentioning []customer.Customer
}

// traces reads what there is about a customer who is held: who adds to it holds
// them too.
func (s *Service) traces(ctx context.Context, tx port.Tx, c Caller, of customer.Customer) (t traces, err error) {
	t.person = of
	if t.searches, err = tx.SearchRequests().Of(of.Site, of.ID); err != nil {
		return t, err
	}
	if t.followUps, err = tx.FollowUps().Of(of.Site, of.ID); err != nil {
		return t, err
	}
	if t.leads, err = tx.Leads().Of(of.Site, of.ID); err != nil {
		return t, err
	}
	if t.owned, err = s.owned(ctx, tx, c, of.ID); err != nil {
		return t, err
	}
	found, err := tx.Customers().Mentioning(of.Site, of.ID)
	if err != nil {
		return t, err
	}
	for _, other := range found {
		held, err := tx.Customers().Get(of.Site, other.ID)
		if err != nil && !isAbsent(err) {
			return t, err
		}
		if err == nil && held.ID != of.ID && held.Mentions(of.ID) {
			t.mentioning = append(t.mentioning, held)
		}
	}
	return t, nil
}

func (s *Service) anonymize(tx port.Tx, c Caller, t traces) error {
	for _, step := range []func(port.Tx, Caller, traces) error{
		s.anonymizeDemand, s.anonymizeLeads, s.anonymizeMentions, s.anonymizePerson, s.forgetAnswers,
	} {
		if err := step(tx, c, t); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) anonymizeDemand(tx port.Tx, c Caller, t traces) error {
	for _, before := range t.searches {
		after := before.Anonymous()
		if after.Same(before) {
			continue
		}
		recorded, err := s.recordSearch(tx, c.author(), event.SearchUpdate, after)
		if err != nil {
			return err
		}
		after.Version, after.Modified = recorded.Seq, latest(recorded.At, before.Modified)
		if err := tx.SearchRequests().Put(after); err != nil {
			return err
		}
	}
	for _, before := range t.followUps {
		after := before.Anonymous()
		if after.Same(before) {
			continue
		}
		recorded, err := s.recordFollowUp(tx, c.author(), event.FollowUpUpdate, t.person, after)
		if err != nil {
			return err
		}
		after.Version, after.Modified = recorded.Seq, latest(recorded.At, before.Modified)
		if err := tx.FollowUps().Put(after); err != nil {
			return err
		}
	}
	return nil
}

// anonymizeLeads also frees the keys of the leads: what the person sends from now
// on is news.
func (s *Service) anonymizeLeads(tx port.Tx, c Caller, t traces) error {
	for _, before := range t.leads {
		after := before.Anonymous()
		recorded, err := s.recordLead(tx, c.author(), event.LeadUpdate, after)
		if err != nil {
			return err
		}
		after.Version, after.Modified = recorded.Seq, latest(recorded.At, before.Modified)
		// The key comes first, as with those who send the lead again.
		if err := firstError(tx.Leads().Release(after.Site, after.ID), tx.Leads().Put(after)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) anonymizeMentions(tx port.Tx, c Caller, t traces) error {
	for _, before := range t.mentioning {
		after := before.WithoutWordsOf(t.person.ID)
		if after.Same(before) {
			continue
		}
		if _, err := s.replaceCustomer(tx, c.author(), after); err != nil {
			return err
		}
	}
	return nil
}

// anonymizePerson comes last of those that record events, so that the receipt of
// this very request is about the person.
func (s *Service) anonymizePerson(tx port.Tx, c Caller, t traces) error {
	recorded, err := s.recordCustomer(tx, c.author(), event.CustomerDelete, t.person)
	if err != nil {
		return err
	}
	after := t.person.Anonymous(recorded.At)
	after.Version, after.Modified = recorded.Seq, latest(recorded.At, t.person.Modified)
	return firstError(tx.Customers().Put(after), tx.Receipts().Forget(after.Site, after.ID))
}

// forgetAnswers forgets what agents wrote and what receivers said about the
// person, and keeps nothing of what receivers say of them later: they may well
// answer to the news that somebody is gone by naming them.
func (s *Service) forgetAnswers(tx port.Tx, _ Caller, t traces) error {
	id := t.person.Site
	subjects, err := tx.Actions().Forget(id, t.person.ID)
	if err != nil {
		return err
	}
	if err := tx.Ledger().Touch(id, port.AspectRejections); err != nil {
		return err
	}
	theirs := []about{
		{event.CustomerUpdate, []int64{int64(t.person.ID)}},
		{event.SearchUpdate, numbers(t.searches, func(r demand.SearchRequest) int64 { return int64(r.ID) })},
		{event.FollowUpUpdate, numbers(t.followUps, func(f demand.FollowUp) int64 { return int64(f.ID) })},
		{event.LeadUpdate, numbers(t.leads, func(l lead.Lead) int64 { return int64(l.ID) })},
	}
	for _, about := range theirs {
		if err := tx.Deliveries().Redact(id, about.event.Resource(), about.resources); err != nil {
			return err
		}
	}
	for _, about := range append(theirs,
		about{event.CustomerUpdate, numbers(t.mentioning, func(c customer.Customer) int64 { return int64(c.ID) })},
		about{event.ProductUpdate, numbers(t.owned, func(p product.Product) int64 { return int64(p.ID) })},
		about{event.ActionCreate, numbers(subjects, func(s action.Subject) int64 { return s.ID })},
	) {
		if err := about.forget(tx, id); err != nil {
			return err
		}
	}
	_, err = tx.Rejections().ClearResource(id, event.CustomerUpdate.Resource(), int64(t.person.ID))
	return err
}

// about are resources of the kind that an event is about.
type about struct {
	event     event.Type
	resources []int64
}

// forget empties what receivers said, in deliveries before marks: whoever settles
// a delivery marks its resource then.
func (a about) forget(tx port.Tx, id site.ID) error {
	if len(a.resources) == 0 {
		return nil
	}
	if err := tx.DeliveryLog().Forget(id, a.event.Resource(), a.resources); err != nil {
		return err
	}
	return tx.Rejections().Forget(id, a.event.Resource(), a.resources)
}

// numbers are the ids of some records.
func numbers[T any](records []T, id func(T) int64) []int64 {
	out := make([]int64, len(records))
	for i, r := range records {
		out[i] = id(r)
	}
	return out
}
