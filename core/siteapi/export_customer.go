package siteapi

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
)

// maxExported bounds each list of an export.
const maxExported = 1000

// ExportCustomer reads everything that is kept about a customer, whatever their
// agency: it is theirs (contract: persons' rights). A list that is too long says
// so in truncated.
func (s *Service) ExportCustomer(ctx context.Context, c Caller, in CustomerPath) (record CustomerExport, err error) {
	err = s.ports.Store.View(ctx, func(tx port.Tx) error {
		found, err := c.customer(tx, in.ID)
		if err != nil {
			return err
		}
		record, err = s.exportOf(ctx, tx, c, found)
		return err
	})
	return record, err
}

func (s *Service) exportOf(ctx context.Context, tx port.Tx, c Caller, of customer.Customer) (e CustomerExport, err error) {
	e.ExportedAt, e.Truncated = Instant{s.now()}, []string{}
	if e.Customer, err = s.customerRecord(ctx, tx, c, of); err != nil {
		return e, err
	}
	searches, err := tx.SearchRequests().Of(of.Site, of.ID)
	if err != nil {
		return e, err
	}
	followUps, err := tx.FollowUps().Of(of.Site, of.ID)
	if err != nil {
		return e, err
	}
	leads, err := tx.Leads().Of(of.Site, of.ID)
	if err != nil {
		return e, err
	}
	actions, err := tx.Actions().Page(port.ActionQuery{
		Site: of.Site, Subject: action.Subject{Kind: action.Customer, ID: int64(of.ID)}, Limit: maxExported + 1,
	})
	if err != nil {
		return e, err
	}
	products, err := s.owned(ctx, tx, c, of.ID)
	if err != nil {
		return e, err
	}
	mentions, err := tx.Customers().Mentioning(of.Site, of.ID)
	if err != nil {
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
		ID: int64(a.ID), ActionID: nullable(int64(a.Type)), ChildActionID: nullable(a.Child), Label: a.Label, UserID: nullable(int64(a.User)),
		Result: nullable(a.Result), DatePerformed: Instant{a.Performed}, DateAdded: Instant{a.Added},
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
