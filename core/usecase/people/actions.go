package people

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// ReadCustomerActions is GET /customers/{customerId}/actions.
type ReadCustomerActions struct {
	ID     int64            `path:"customerId"`
	Cursor opt.Field[int64] `query:"cursor" minimum:"1" doc:"next_cursor of the previous page"`
}

// CreateCustomerAction is POST /customers/{customerId}/actions.
type CreateCustomerAction struct {
	ID int64 `path:"customerId"`
	listing.ActionInput
}

func (u Unit) listCustomerActions(in ReadCustomerActions) (listing.ActionPage, error) {
	if _, err := u.Customer(in.ID); err != nil {
		return listing.ActionPage{}, err
	}
	return u.History(customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: in.ID}, in.Cursor)
}

// createCustomerAction leaves the customer as they are, but for when the last
// contact was.
func (u Unit) createCustomerAction(in CreateCustomerAction) (listing.ActionCreated, error) {
	who, err := u.unlockedCustomer(in.ID)
	if err != nil {
		return listing.ActionCreated{}, err
	}
	var problems fault.Problems
	a := u.NewAction(customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: in.ID}, in.ActionInput, &problems)
	if err := problems.Err(); err != nil {
		return listing.ActionCreated{}, err
	}
	return u.Perform(a, who.Agency)
}
