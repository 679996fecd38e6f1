package listing

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

const (
	actionsPerPage = 50
	// maxLatestActions is how many actions a block shows.
	maxLatestActions = 20
	MaxResult        = 10_000
)

func (u Unit) listProductActions(in ReadActions) (ActionPage, error) {
	if _, err := Products.Get(u, product.ID(in.ID)); err != nil {
		return ActionPage{}, err
	}
	return u.History(customer.ActionSubject{Kind: customer.AimedAtProduct, ID: in.ID}, in.Cursor)
}

// History returns a page of the history of a subject, latest first: the actions whose
// type has an active child now.
func (u Unit) History(about customer.ActionSubject, cursor opt.Field[int64]) (ActionPage, error) {
	var problems fault.Problems
	before := kernel.ID[customer.ActionID]("cursor", cursor, &problems)
	if err := problems.Err(); err != nil {
		return ActionPage{}, err
	}
	found, err := u.Actions().Page(port.ActionQuery{
		Site: u.Site.ID, Subject: about, Types: u.Site.ActionTypes.InHistory(), Before: before, Limit: actionsPerPage + 1,
	})
	page := ActionPage{HasMore: len(found) > actionsPerPage}
	if page.HasMore {
		found = found[:actionsPerPage]
		page.NextCursor = kernel.Nullable(int64(found[actionsPerPage-1].ID))
	}
	page.Data = historyRecords(found, u.Site.SiteView)
	return page, err
}

func historyRecords(actions []customer.Action, known *kernel.SiteView) []ActionHistoryItem {
	records := []ActionHistoryItem{}
	for _, a := range actions {
		kind := known.ActionTypes[a.Type]
		child, _ := kind.Child(a.Child)
		record := ActionHistoryItem{
			ID: int64(a.ID), ActionID: int64(a.Type), ActionLabel: kind.Label, ChildActionID: kernel.Nullable(a.Child), ChildActionLabel: kernel.Nullable(child.Label),
			UserID: kernel.Nullable(int64(a.User)), CustomerID: kernel.Nullable(int64(a.Customer)), Result: kernel.Nullable(a.Result),
			DatePerformed: kernel.Instant{Time: a.Performed}, DateAdded: kernel.Instant{Time: a.Added},
		}
		if a.Subject.Kind == customer.AimedAtProduct {
			record.ProductID = &a.Subject.ID
		} else {
			record.CustomerID = &a.Subject.ID
		}
		records = append(records, record)
	}
	return records
}

func logRecords(actions []customer.Action, known *kernel.SiteView) []ActionLogItem {
	records := []ActionLogItem{}
	for _, a := range actions {
		records = append(records, ActionLogItem{
			ID: int64(a.ID), ActionID: kernel.Nullable(int64(a.Type)), Label: a.Label, UserID: kernel.Nullable(int64(a.User)),
			Actor: cmp.Or(known.Users[a.User].FullName(), string(a.Credential), "system"), Result: kernel.Nullable(a.Result),
			DatePerformed: kernel.Instant{Time: a.Performed}, DateAdded: kernel.Instant{Time: a.Added},
		})
	}
	return records
}

// createProductAction leaves the product as it is.
func (u Unit) createProductAction(in CreateProductAction) (ActionCreated, error) {
	if err := u.hold(product.ID(in.ID), Relations{CustomerID: in.CustomerID}); err != nil {
		return ActionCreated{}, err
	}
	p, err := Products.GetUnlocked(u, product.ID(in.ID))
	if err != nil {
		return ActionCreated{}, err
	}
	var problems fault.Problems
	a := u.NewAction(customer.ActionSubject{Kind: customer.AimedAtProduct, ID: in.ID}, in.ActionInput, &problems)
	a.Customer = kernel.ID[customer.ID]("customer_id", in.CustomerID, &problems)
	err = u.CheckCustomer("customer_id", a.Customer, &problems)
	if err := kernel.FirstError(err, problems.Err()); err != nil {
		return ActionCreated{}, err
	}
	return u.Perform(a, p.Agency)
}

// NewAction reads an action about a subject out of a request, and reports
// everything wrong with it.
func (u Unit) NewAction(about customer.ActionSubject, in ActionInput, problems *fault.Problems) customer.Action {
	kind, child := u.actionType(about.Kind, in, problems)
	u.CheckUser(in.UserID, 0, problems)
	result := criteria.Normalise(in.Result.Or(""))
	kernel.CheckText("result", result, MaxResult, problems)
	return customer.Action{
		Site: u.Site.ID, Subject: about, Type: kind.ID, Child: child.ID, Label: kind.Label, User: site.UserID(in.UserID.Or(0)),
		Result: result, Credential: u.Grant.Credential, Performed: u.Site.Date("date_performed", in.DatePerformed.Or(""), problems),
	}
}

// actionType finds the type of an action about a kind of subject, and its child
// if the request names one.
func (u Unit) actionType(about customer.ActionKind, in ActionInput, problems *fault.Problems) (kind customer.ActionType, child customer.ActionChild) {
	if !in.ActionID.Given() {
		problems.Add("action_id", fault.CodeRequired, "action_id is required")
		return kind, child
	}
	refuse := func(field string, id int64, code fault.Code, format string, args ...any) {
		problems.Wrong(field, code, id, format, args...)
	}
	id := in.ActionID.Value
	kind, found := u.Site.ActionTypes[customer.ActionTypeID(id)]
	switch {
	case !found || !kind.Fits(about):
		refuse("action_id", id, fault.CodeUnknownAction, "no action about %s has this id", named(about))
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

// named returns a kind of subject in a message.
func named(k customer.ActionKind) fault.Text {
	if k == customer.AimedAtCustomer {
		return fault.Textf("a customer")
	}
	return fault.Textf("a product")
}

// Perform writes an action down and records it, on behalf of the agency its
// subject belongs to. It is always in the application log, and in the history as
// long as its type has an active child.
func (u Unit) Perform(a customer.Action, agency site.AgencyID) (ActionCreated, error) {
	id, err := u.log(a)
	if err != nil {
		return ActionCreated{}, err
	}
	_, err = u.Record(event.Event{
		Type: event.ActionCreate, Resource: a.Subject.ID, Subject: strings.ToUpper(string(a.Subject.Kind)), Agency: agency,
	})
	return ActionCreated{ID: a.Subject.ID, ActionID: strconv.FormatInt(int64(id), 10)}, err
}

// log adds an entry to the application log, whole but for its id and times.
func (u Unit) log(a customer.Action) (id customer.ActionID, err error) {
	if a.ID, err = kernel.NextID[customer.ActionID](u, port.ActionIDs); err != nil {
		return 0, err
	}
	a.Added = u.Now
	if a.Performed.IsZero() {
		a.Performed = a.Added
	}
	return a.ID, u.Actions().Append(a)
}

// logTransition adds a change of Statut to the application log.
func logTransition(u kernel.Unit, before, after product.Product) error {
	if before.Status() == after.Status() {
		return nil
	}
	_, err := Unit{u}.log(customer.Action{
		Site: u.Site.ID, Subject: customer.ActionSubject{Kind: customer.AimedAtProduct, ID: int64(after.ID)}, Label: criteria.KeyStatus,
		Result: before.Status() + " → " + after.Status(), Credential: u.Grant.Credential,
	})
	return err
}
