package siteapi

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

const (
	actionsPerPage = 50
	// latestActions is how many actions a block shows.
	latestActions = 20
	maxResult     = 10_000
)

// ListActionTypes lists the action types of the site, active or not, by position
// (contract: GET /actions/types).
func (s *Service) ListActionTypes(_ context.Context, c Caller, _ Nothing) ([]ActionType, error) {
	types := slices.SortedFunc(maps.Values(c.settings.actions), func(a, b action.Type) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ID, b.ID))
	})
	records := []ActionType{}
	for _, t := range types {
		r := ActionType{
			ID: int64(t.ID), Model: t.Code, Label: t.Label, IsActive: t.Active, Target: string(t.Target), Color: nullable(t.Color),
			Position: t.Position, Children: []ChildAction{}, AppearsInHistory: t.InHistory(),
		}
		for _, child := range t.Children {
			r.Children = append(r.Children, ChildAction{ID: child.ID, Model: child.Code, Label: child.Label, IsActive: child.Active})
		}
		records = append(records, r)
	}
	return records, nil
}

// ListProductActions reads the action history of a product, latest first: the
// actions whose type has an active child now (contract: GET
// /products/{productId}/actions).
func (s *Service) ListProductActions(ctx context.Context, c Caller, in ReadActions) (page ActionPage, err error) {
	err = s.ports.Store.View(ctx, func(tx port.Tx) error {
		if _, err := c.product(tx, product.ID(in.ID)); err != nil {
			return err
		}
		page, err = c.history(tx, action.Subject{Kind: action.Product, ID: in.ID}, in.Cursor)
		return err
	})
	return page, err
}

// ListCustomerActions reads the action history of a customer, latest first: what
// was done about them, and what was done with them about products.
func (s *Service) ListCustomerActions(ctx context.Context, c Caller, in ReadCustomerActions) (page ActionPage, err error) {
	err = s.ports.Store.View(ctx, func(tx port.Tx) error {
		if _, err := c.customer(tx, in.ID); err != nil {
			return err
		}
		page, err = c.history(tx, action.Subject{Kind: action.Customer, ID: in.ID}, in.Cursor)
		return err
	})
	return page, err
}

// history is a page of the history of a subject, latest first.
func (c Caller) history(tx port.Tx, about action.Subject, cursor Opt[int64]) (ActionPage, error) {
	var problems fault.Problems
	before := positive("cursor", cursor, &problems)
	if err := problems.Err(); err != nil {
		return ActionPage{}, err
	}
	found, err := tx.Actions().Page(port.ActionQuery{
		Site: c.Site(), Subject: about, Types: c.settings.actions.InHistory(), Before: action.ID(before), Limit: actionsPerPage + 1,
	})
	page := ActionPage{HasMore: len(found) > actionsPerPage}
	if page.HasMore {
		found = found[:actionsPerPage]
		page.NextCursor = nullable(int64(found[actionsPerPage-1].ID))
	}
	page.Data = historyRecords(found, c.settings)
	return page, err
}

func historyRecords(actions []action.Action, known *settings) []ActionHistoryItem {
	records := []ActionHistoryItem{}
	for _, a := range actions {
		kind := known.actions[a.Type]
		child, _ := kind.Child(a.Child)
		record := ActionHistoryItem{
			ID: int64(a.ID), ActionID: int64(a.Type), ActionLabel: kind.Label, ChildActionID: nullable(a.Child), ChildActionLabel: nullable(child.Label),
			UserID: nullable(int64(a.User)), CustomerID: nullable(int64(a.Customer)), Result: nullable(a.Result),
			DatePerformed: Instant{a.Performed}, DateAdded: Instant{a.Added},
		}
		if a.Subject.Kind == action.Product {
			record.ProductID = &a.Subject.ID
		} else {
			record.CustomerID = &a.Subject.ID
		}
		records = append(records, record)
	}
	return records
}

func logRecords(actions []action.Action, known *settings) []ActionLogItem {
	records := []ActionLogItem{}
	for _, a := range actions {
		records = append(records, ActionLogItem{
			ID: int64(a.ID), ActionID: nullable(int64(a.Type)), Label: a.Label, UserID: nullable(int64(a.User)),
			Actor: cmp.Or(known.users[a.User].FullName(), string(a.Credential), "system"), Result: nullable(a.Result),
			DatePerformed: Instant{a.Performed}, DateAdded: Instant{a.Added},
		})
	}
	return records
}

// CreateProductAction writes down an action about a product (contract: POST
// /products/{productId}/actions). It is always in the application log, and in
// the history as long as its type has an active child. The product does not
// change by it.
func (s *Service) CreateProductAction(ctx context.Context, c Caller, in CreateProductAction) (ActionCreated, error) {
	return write(ctx, s, c, func(tx port.Tx) (ActionCreated, error) {
		p, err := c.product(tx, product.ID(in.ID))
		if err != nil {
			return ActionCreated{}, err
		}
		var problems fault.Problems
		a := c.action(action.Subject{Kind: action.Product, ID: in.ID}, in.ActionInput, &problems)
		a.Customer = customer.ID(positive("customer_id", in.CustomerID, &problems))
		err = c.checkCustomer(tx, a.Customer, &problems)
		if err := firstError(err, problems.Err()); err != nil {
			return ActionCreated{}, err
		}
		return s.perform(tx, c, a, p.Agency)
	})
}

// CreateCustomerAction writes down an action about a customer. It is always in
// the application log, and in the history as long as its type has an active
// child. The customer does not change by it, but for when the last contact was.
func (s *Service) CreateCustomerAction(ctx context.Context, c Caller, in CreateCustomerAction) (ActionCreated, error) {
	return write(ctx, s, c, func(tx port.Tx) (ActionCreated, error) {
		who, err := c.person(tx, in.ID)
		if err != nil {
			return ActionCreated{}, err
		}
		var problems fault.Problems
		a := c.action(action.Subject{Kind: action.Customer, ID: in.ID}, in.ActionInput, &problems)
		if err := problems.Err(); err != nil {
			return ActionCreated{}, err
		}
		return s.perform(tx, c, a, who.Agency)
	})
}

// action reads an action about a subject out of a request, and reports
// everything wrong with it.
func (c Caller) action(about action.Subject, in ActionInput, problems *fault.Problems) action.Action {
	kind, child := c.actionType(about.Kind, in, problems)
	c.checkUser(in.UserID, problems)
	result := criteria.Normalise(in.Result.Or(""))
	checkText("result", result, maxResult, problems)
	return action.Action{
		Site: c.Site(), Subject: about, Type: kind.ID, Child: child.ID, Label: kind.Label, User: site.UserID(in.UserID.Or(0)),
		Result: result, Credential: c.Grant.Credential, Performed: c.moment("date_performed", in.DatePerformed.Or(""), problems),
	}
}

// actionType finds the type of an action about a kind of subject, and its child
// if the request names one.
func (c Caller) actionType(about action.Kind, in ActionInput, problems *fault.Problems) (kind action.Type, child action.Child) {
	if !in.ActionID.Given() {
		problems.Add("action_id", fault.CodeRequired, "action_id is required")
		return kind, child
	}
	refuse := func(field string, id int64, code fault.Code, message string) {
		problems.Wrong(field, code, id, "%s", message)
	}
	id := in.ActionID.Value
	kind, found := c.settings.actions[action.TypeID(id)]
	switch {
	case !found || !kind.Fits(about):
		refuse("action_id", id, fault.CodeUnknownAction, "no action about a "+string(about)+" has this id")
		return kind, child
	case !kind.Active:
		refuse("action_id", id, fault.CodeActionInactive, "the action is not active for the site")
	}
	if !in.ChildActionID.Given() {
		return kind, child
	}
	id = in.ChildActionID.Value
	switch child, found = kind.Child(id); {
	case !found:
		refuse("child_action_id", id, fault.CodeUnknownAction, "the action has no child with this id")
	case !child.Active:
		refuse("child_action_id", id, fault.CodeActionInactive, "the child action is not active for the site")
	}
	return kind, child
}

// perform writes an action down and records it, on behalf of the agency its
// subject belongs to.
func (s *Service) perform(tx port.Tx, c Caller, a action.Action, agency site.AgencyID) (ActionCreated, error) {
	id, err := s.log(tx, a)
	if err != nil {
		return ActionCreated{}, err
	}
	_, err = s.record(tx, c.author(), a.Site, event.Event{Type: event.ActionCreate, Resource: a.Subject.ID, Agency: agency})
	return ActionCreated{ID: a.Subject.ID, ActionID: strconv.FormatInt(int64(id), 10)}, err
}

// log adds an entry to the application log, whole but for its id and times.
func (s *Service) log(tx port.Tx, a action.Action) (action.ID, error) {
	ids, err := tx.NextIDs(port.ActionIDs, 1)
	if err != nil {
		return 0, err
	}
	a.ID, a.Added = action.ID(ids[0]), s.now()
	if a.Performed.IsZero() {
		a.Performed = a.Added
	}
	return a.ID, tx.Actions().Append(a)
}

// logTransition adds a change of Statut to the application log.
func (s *Service) logTransition(tx port.Tx, c Caller, before, after product.Product) error {
	if before.Status() == after.Status() {
		return nil
	}
	_, err := s.log(tx, action.Action{
		Site: c.Site(), Subject: action.Subject{Kind: action.Product, ID: int64(after.ID)}, Label: criteria.KeyStatus,
		Result: before.Status() + " → " + after.Status(), Credential: c.Grant.Credential,
	})
	return err
}
