package people

import (
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

func (u Unit) createFollowUp(in CreateFollowUp) (kernel.Created, error) {
	owner, err := u.knownCustomer(in.CustomerID)
	if err != nil {
		return kernel.Created{}, err
	}
	var problems fault.Problems
	made := demand.FollowUp{Customer: owner.ID}
	made.Product = kernel.ID[product.ID]("product_id", in.ProductID, &problems)
	made.Search = kernel.ID[demand.SearchID]("search_id", in.SearchID, &problems)
	if err := u.checkAttached(in, &problems); err != nil {
		return kernel.Created{}, err
	}
	if in.Status.Or("") == "" {
		in.Status = opt.Of(demand.StatusProposed)
	}
	made = u.FollowUp(made, in.FollowUpInput, &problems)
	if err := problems.Err(); err != nil {
		return kernel.Created{}, err
	}
	added, err := u.Attach(owner, made)
	return u.Created(fmt.Sprintf("/customers/%d/follow-ups/", owner.ID), int64(added.ID)), err
}

// checkAttached reports a product that is not in scope, or a search request that
// is not the customer's.
func (u Unit) checkAttached(in CreateFollowUp, problems *fault.Problems) error {
	if !in.ProductID.Given() {
		problems.Add("product_id", fault.CodeRequired, "product_id is required")
	} else if _, err := u.CheckProduct("product_id", product.ID(in.ProductID.Value), problems); err != nil {
		return err
	}
	if !in.SearchID.Given() {
		return nil
	}
	r, err := u.SearchRequests().Get(u.Site.ID, demand.SearchID(in.SearchID.Value))
	if err != nil && !kernel.IsAbsent(err) {
		return err
	}
	if err != nil || int64(r.Customer) != in.CustomerID {
		problems.Wrong("search_id", fault.CodeUnknownSearch, in.SearchID.Value, "%s", Searches.Unknown)
	}
	return nil
}

// Attach stores a new follow-up of a customer who is locked. The same product, for
// the same search request, is attached once: a second time is a Conflict that
// names the first, which is returned.
func (u Unit) Attach(owner customer.Customer, made demand.FollowUp) (demand.FollowUp, error) {
	existing, err := u.FollowUps().Of(owner.Site, owner.ID)
	if err != nil {
		return made, err
	}
	if n := slices.IndexFunc(existing, made.Attaches); n >= 0 {
		return existing[n], &fault.Error{
			Kind: fault.Conflict, Code: fault.CodeAlreadyAttached, Message: fault.Textf("the product is attached to the customer's follow-up already"),
			Details: []fault.Detail{{
				Field: "product_id", Code: fault.CodeAlreadyAttached, Value: int64(existing[n].ID),
				Message: fault.Textf("follow-up %d has it", existing[n].ID),
			}},
		}
	}
	made.Site, made.Customer = owner.Site, owner.ID
	return FollowUpsOf(owner).Create(u, made)
}

// FollowUp applies a request to a follow-up.
func (u Unit) FollowUp(it demand.FollowUp, in FollowUpInput, problems *fault.Problems) demand.FollowUp {
	f := form.Form{Problems: problems}
	status := it.Status
	statuses, _ := u.Site.Dictionary.List(criteria.FollowUpStatuses)
	f.Choice("status", &status, in.Status, statuses)
	if in.Status.Set && in.Status.Or("") == "" {
		problems.Add("status", fault.CodeRequired, "a follow-up always has a status")
	}
	reasons, _ := u.Site.Dictionary.List(criteria.RefusalReasons)
	f.Choice("refusal_reason", &it.RefusalReason, in.RefusalReason, reasons)
	f.Between("rating", &it.Rating, in.Rating, 1, 5)
	f.Text("comment", &it.Comment, in.Comment, form.MaxComment)
	f.Day("next_contact", &it.NextContact, in.NextContact)
	u.CheckUser(in.UserID, it.User, problems)
	form.ID(f, "user_id", &it.User, in.UserID)
	it.Reach(status, u.Now, it.User)
	return it
}

// followUpOf reads a follow-up of a customer of the caller's site, and the
// customer.
func (u Unit) followUpOf(customerID, id int64) (customer.Customer, demand.FollowUp, error) {
	owner, err := u.Customer(customerID)
	if err != nil {
		return owner, demand.FollowUp{}, err
	}
	found, err := FollowUpsOf(owner).Get(u, demand.FollowUpID(id))
	if err == nil && found.Customer != owner.ID {
		err = kernel.Unknown("%s", FollowUpsOf(owner).Unknown)
	}
	return owner, found, err
}

func (u Unit) listFollowUps(in CustomerList) (kernel.CursorPage[FollowUp], error) {
	return pageOf(u, in, u.FollowUps(), func(f demand.FollowUp) demand.FollowUpID { return f.ID }, followUpRecord)
}

func (u Unit) updateFollowUp(in UpdateFollowUp) (kernel.Changed, error) {
	owner, before, err := u.followUpOf(in.CustomerID, in.ID)
	if err := kernel.FirstError(err, checkKnown(owner)); err != nil {
		return kernel.Changed{}, err
	}
	return FollowUpsOf(owner).Change(u, before, in.IfMatch, func(before demand.FollowUp) (demand.FollowUp, error) {
		var problems fault.Problems
		after := u.FollowUp(before, in.FollowUpInput, &problems)
		return after, problems.Err()
	})
}

func (u Unit) deleteFollowUp(in DeleteFollowUp) (kernel.None, error) {
	owner, before, err := u.followUpOf(in.CustomerID, in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, FollowUpsOf(owner).Remove(u, before, in.IfMatch)
}

func followUpRecord(f demand.FollowUp) FollowUp {
	record := FollowUp{
		ID: int64(f.ID), CustomerID: int64(f.Customer), ProductID: kernel.Nullable(int64(f.Product)), SearchID: kernel.Nullable(int64(f.Search)),
		UserID: kernel.Nullable(int64(f.User)), Status: f.Status, RefusalReason: kernel.Nullable(f.RefusalReason), Rating: kernel.Nullable(f.Rating),
		Comment: kernel.Nullable(f.Comment), NextContact: kernel.Nullable(f.NextContact), Events: []FollowUpEvent{},
		DateAdded: kernel.Instant{Time: f.Added}, LastModified: kernel.Instant{Time: f.Modified},
	}
	for _, step := range f.History {
		record.Events = append(record.Events, FollowUpEvent{Status: step.Status, At: kernel.Instant{Time: step.At}, UserID: kernel.Nullable(int64(step.User))})
	}
	return record
}
