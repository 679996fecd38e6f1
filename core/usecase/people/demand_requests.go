package people

import (
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// CreateSearchRequest is POST /customers/{customerId}/searches.
type CreateSearchRequest struct {
	_          struct{} `required:"transaction_type"`
	CustomerID int64    `path:"customerId"`
	demand.Change
}

// UpdateSearchRequest is PATCH /customers/{customerId}/searches/{searchId}.
type UpdateSearchRequest struct {
	CustomerID int64          `path:"customerId"`
	ID         int64          `path:"searchId"`
	IfMatch    kernel.IfMatch `header:"If-Match"`
	demand.Change
}

// SearchRequestPath is a search request of a customer, named in the path.
type SearchRequestPath struct {
	CustomerID int64 `path:"customerId"`
	ID         int64 `path:"searchId"`
}

// DeleteSearchRequest is DELETE /customers/{customerId}/searches/{searchId}.
type DeleteSearchRequest struct {
	CustomerID int64          `path:"customerId"`
	ID         int64          `path:"searchId"`
	IfMatch    kernel.IfMatch `header:"If-Match"`
}

// FollowUpInput is what creating and updating a follow-up have in common.
type FollowUpInput struct {
	UserID        opt.Field[int64]  `json:"user_id"`
	Status        opt.Field[string] `json:"status" doc:"code of list 9; PROPOSE for a new one without"`
	RefusalReason opt.Field[string] `json:"refusal_reason" doc:"code of list 15"`
	Rating        opt.Field[int]    `json:"rating" minimum:"1" maximum:"5"`
	Comment       opt.Field[string] `json:"comment" max:"form.MaxComment"`
	NextContact   opt.Field[string] `json:"next_contact" format:"date"`
}

// CreateFollowUp is POST /customers/{customerId}/follow-ups.
type CreateFollowUp struct {
	CustomerID int64            `path:"customerId"`
	ProductID  opt.Field[int64] `json:"product_id" required:"true"`
	SearchID   opt.Field[int64] `json:"search_id" doc:"a search request of the customer"`
	FollowUpInput
}

// UpdateFollowUp is PATCH /customers/{customerId}/follow-ups/{followUpId}.
type UpdateFollowUp struct {
	CustomerID int64          `path:"customerId"`
	ID         int64          `path:"followUpId"`
	IfMatch    kernel.IfMatch `header:"If-Match"`
	FollowUpInput
}

// DeleteFollowUp is DELETE /customers/{customerId}/follow-ups/{followUpId}.
type DeleteFollowUp struct {
	CustomerID int64          `path:"customerId"`
	ID         int64          `path:"followUpId"`
	IfMatch    kernel.IfMatch `header:"If-Match"`
}
