package siteapi

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
)

// CreateFollowUp attaches a product to a customer's follow-up (contract: What
// the service does, point 9d). The same product, for the same search request,
// is attached once: a second time is a Conflict that names the first.
func (s *Service) CreateFollowUp(ctx context.Context, c Caller, in CreateFollowUp) (Created, error) {
	return write(ctx, s, c, func(tx port.Tx) (Created, error) {
		owner, err := c.person(tx, in.CustomerID)
		if err != nil {
			return Created{}, err
		}
		var problems fault.Problems
		made := demand.FollowUp{Customer: owner.ID}
		made.Product = product.ID(positive("product_id", in.ProductID, &problems))
		made.Search = demand.SearchID(positive("search_id", in.SearchID, &problems))
		if err := c.checkAttached(tx, in, &problems); err != nil {
			return Created{}, err
		}
		if in.Status.Or("") == "" {
			in.Status = Opt[string]{Value: demand.StatusProposed, Set: true}
		}
		made = s.followUp(c, made, in.FollowUpInput, &problems)
		if err := problems.Err(); err != nil {
			return Created{}, err
		}
		added, err := s.attach(tx, c.author(), owner, made)
		return s.created(fmt.Sprintf("/customers/%d/follow-ups/", owner.ID), int64(added.ID)), err
	})
}

// checkAttached reports a product that is not in scope, or a search request that
// is not the customer's.
func (c Caller) checkAttached(tx port.Tx, in CreateFollowUp, problems *fault.Problems) error {
	if !in.ProductID.Given() {
		problems.Add("product_id", fault.CodeRequired, "product_id is required")
	} else if p, err := tx.Products().Get(c.Site(), product.ID(in.ProductID.Value)); isAbsent(err) || err == nil && !c.Scope.Has(p.Agency) {
		problems.Wrong("product_id", fault.CodeUnknownProduct, in.ProductID.Value, "no product of the token's agencies has this id")
	} else if err != nil {
		return err
	}
	if !in.SearchID.Given() {
		return nil
	}
	r, err := tx.SearchRequests().Get(c.Site(), demand.SearchID(in.SearchID.Value))
	if err != nil && !isAbsent(err) {
		return err
	}
	if err != nil || int64(r.Customer) != in.CustomerID {
		problems.Wrong("search_id", fault.CodeUnknownSearch, in.SearchID.Value, "the customer has no search request with this id")
	}
	return nil
}

// attach stores a new follow-up and records its creation.
func (s *Service) attach(tx port.Tx, a author, owner customer.Customer, made demand.FollowUp) (demand.FollowUp, error) {
	existing, err := tx.FollowUps().Of(owner.Site, owner.ID)
	if err != nil {
		return made, err
	}
	if n := slices.IndexFunc(existing, made.Attaches); n >= 0 {
		return existing[n], &fault.Error{
			Kind: fault.Conflict, Code: fault.CodeAlreadyAttached, Message: "the product is attached to the customer's follow-up already",
			Details: []fault.Detail{{
				Field: "product_id", Code: fault.CodeAlreadyAttached, Value: int64(existing[n].ID),
				Message: "follow-up " + strconv.FormatInt(int64(existing[n].ID), 10) + " has it",
			}},
		}
	}
	ids, err := tx.NextIDs(port.FollowUpIDs, 1)
	if err != nil {
		return made, err
	}
	made.ID, made.Site, made.Customer = demand.FollowUpID(ids[0]), owner.Site, owner.ID
	recorded, err := s.recordFollowUp(tx, a, event.FollowUpCreate, owner, made)
	if err != nil {
		return made, err
	}
	made.Version, made.Added, made.Modified = recorded.Seq, recorded.At, recorded.At
	return made, tx.FollowUps().Put(made)
}

func (s *Service) recordFollowUp(tx port.Tx, a author, t event.Type, owner customer.Customer, f demand.FollowUp) (event.Event, error) {
	return s.record(tx, a, owner.Site, event.Event{Type: t, Resource: int64(f.ID), Agency: owner.Agency})
}

// followUp applies a request to a follow-up.
func (s *Service) followUp(c Caller, it demand.FollowUp, in FollowUpInput, problems *fault.Problems) demand.FollowUp {
	f := form.Form{Problems: problems}
	status := it.Status
	statuses, _ := c.settings.dictionary.List(criteria.FollowUpStatuses)
	f.Choice("status", &status, in.Status, statuses)
	if in.Status.Set && in.Status.Or("") == "" {
		problems.Add("status", fault.CodeRequired, "a follow-up always has a status")
	}
	reasons, _ := c.settings.dictionary.List(criteria.RefusalReasons)
	f.Choice("refusal_reason", &it.RefusalReason, in.RefusalReason, reasons)
	f.Between("rating", &it.Rating, in.Rating, 1, 5)
	f.Text("comment", &it.Comment, in.Comment, form.MaxComment)
	f.Day("next_contact", &it.NextContact, in.NextContact)
	c.checkUser(in.UserID, problems)
	form.ID(f, "user_id", &it.User, in.UserID)
	it.Reach(status, s.now(), it.User)
	return it
}

// followUpOf reads a follow-up of a customer of the caller's site, and the
// customer.
func (c Caller) followUpOf(tx port.Tx, customerID, id int64) (customer.Customer, demand.FollowUp, error) {
	owner, err := c.customer(tx, customerID)
	if err != nil {
		return owner, demand.FollowUp{}, err
	}
	unknown := fault.New(fault.NotFound, fault.CodeNotFound, "the customer has no follow-up with this id")
	found, err := tx.FollowUps().Get(c.Site(), demand.FollowUpID(id))
	if err != nil {
		return owner, found, absentIs(err, unknown)
	}
	if found.Customer != owner.ID {
		return owner, found, unknown
	}
	return owner, found, nil
}

// ListFollowUps lists the follow-ups of a customer, by id.
func (s *Service) ListFollowUps(ctx context.Context, c Caller, in CustomerPath) ([]FollowUp, error) {
	records := []FollowUp{}
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		owner, err := c.customer(tx, in.ID)
		if err != nil {
			return err
		}
		found, err := tx.FollowUps().Of(c.Site(), owner.ID)
		records = []FollowUp{}
		for _, f := range found {
			records = append(records, followUpRecord(f))
		}
		return err
	})
	return records, err
}

// UpdateFollowUp changes the given fields of a follow-up.
func (s *Service) UpdateFollowUp(ctx context.Context, c Caller, in UpdateFollowUp) (Changed, error) {
	return write(ctx, s, c, func(tx port.Tx) (Changed, error) {
		owner, before, err := c.followUpOf(tx, in.CustomerID, in.ID)
		if err := firstError(err, stillKnown(owner)); err != nil {
			return Changed{}, err
		}
		var problems fault.Problems
		after := s.followUp(c, before, in.FollowUpInput, &problems)
		if err := firstError(problems.Err(), in.IfMatch.check(Version(before.Version))); err != nil {
			return Changed{}, err
		}
		if after.Same(before) {
			return Changed{Version(before.Version)}, nil
		}
		recorded, err := s.recordFollowUp(tx, c.author(), event.FollowUpUpdate, owner, after)
		if err != nil {
			return Changed{}, err
		}
		after.Version, after.Modified = recorded.Seq, latest(recorded.At, before.Modified)
		return Changed{Version(after.Version)}, tx.FollowUps().Put(after)
	})
}

// DeleteFollowUp detaches a product from a customer's follow-up.
func (s *Service) DeleteFollowUp(ctx context.Context, c Caller, in DeleteFollowUp) (None, error) {
	return write(ctx, s, c, func(tx port.Tx) (None, error) {
		owner, before, err := c.followUpOf(tx, in.CustomerID, in.ID)
		if err := firstError(err, in.IfMatch.check(Version(before.Version))); err != nil {
			return None{}, err
		}
		return None{}, s.dropFollowUp(tx, c.author(), owner, before)
	})
}

func (s *Service) dropFollowUp(tx port.Tx, a author, owner customer.Customer, f demand.FollowUp) error {
	if _, err := s.recordFollowUp(tx, a, event.FollowUpDelete, owner, f); err != nil {
		return err
	}
	return tx.FollowUps().Delete(f.Site, f.ID)
}

func followUpRecord(f demand.FollowUp) FollowUp {
	record := FollowUp{
		ID: int64(f.ID), CustomerID: int64(f.Customer), ProductID: int64(f.Product), SearchID: nullable(int64(f.Search)),
		UserID: nullable(int64(f.User)), Status: f.Status, RefusalReason: nullable(f.RefusalReason), Rating: nullable(f.Rating),
		Comment: nullable(f.Comment), NextContact: nullable(f.NextContact), Events: []FollowUpEvent{},
		DateAdded: Instant{f.Added}, LastModified: Instant{f.Modified},
	}
	for _, step := range f.History {
		record.Events = append(record.Events, FollowUpEvent{Status: step.Status, At: Instant{step.At}, UserID: nullable(int64(step.User))})
	}
	return record
}
