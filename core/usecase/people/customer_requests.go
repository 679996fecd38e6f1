package people

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// CreateCustomer is POST /customers.
type CreateCustomer struct {
	_ struct{} `required:"type" anyOf:"lastname,company,email,phone,emails,phone_numbers"`
	customer.Change
}

// UpdateCustomer is PATCH /customers/{customerId}: only what is given changes.
type UpdateCustomer struct {
	ID      int64          `path:"customerId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
	customer.Change
}

// DeleteCustomer is DELETE /customers/{customerId}.
type DeleteCustomer struct {
	ID      int64          `path:"customerId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// CustomerPath is a customer, named in the path.
type CustomerPath struct {
	ID int64 `path:"customerId"`
}

// MergeCustomers is POST /customers/{customerId}/merge.
type MergeCustomers struct {
	ID      int64            `path:"customerId"`
	Goes    opt.Field[int64] `json:"customer_id" required:"true" minimum:"1" doc:"the record of the same person that goes"`
	Preview opt.Field[bool]  `json:"preview" doc:"true only tells what would be done"`
}

// CustomerProducts is GET /customers/{customerId}/products.
type CustomerProducts struct {
	ID    int64         `path:"customerId"`
	Fetch listing.Fetch `query:"fetch" doc:"blocks"`
	kernel.CursorQuery
}

// CustomerList asks for a page of what belongs to a customer.
type CustomerList struct {
	ID int64 `path:"customerId"`
	kernel.CursorQuery
}

// SearchCustomers is POST /customers/search. All of it is optional; what is
// given must all hold, except that either of email and phone may.
type SearchCustomers struct {
	Email        opt.Field[string] `json:"email" max:"kernel.MaxText" doc:"any e-mail address of the customer, case aside"`
	Phone        opt.Field[string] `json:"phone" max:"kernel.MaxText" doc:"any phone number of the customer, in any formatting"`
	Keyword      opt.Field[string] `json:"keyword" max:"kernel.MaxText" doc:"part of the name, the company, an e-mail address or a phone number"`
	Type         opt.Field[string] `json:"type" doc:"code of list 5"`
	AgencyID     opt.Field[int64]  `json:"agency_id" doc:"one of the token's agencies"`
	UserID       opt.Field[int64]  `json:"user_id" doc:"assigned agent"`
	LastModified opt.Field[string] `json:"last_modified" format:"date-time" doc:"modified on or after"`
	IsArchived   opt.Field[bool]   `json:"is_archived"`
	SortType     opt.Field[string] `json:"sort_type" enum:"id,name,date,date_added"`
	SortOrder    opt.Field[string] `json:"sort_order" enum:"asc,desc"`
	kernel.Paging
}

// CustomerResult is a page of customers.
type CustomerResult struct {
	Data       []listing.CustomerSummary `json:"data"`
	NextCursor *string                   `json:"next_cursor"`
	HasMore    bool                      `json:"has_more"`
	// Mode is cursor or offset.
	Mode string `json:"-" header:"X-Pagination-Mode"`
}

// CreatedCustomer is the answer to POST /customers.
type CreatedCustomer struct {
	kernel.Created
	// PossibleDuplicates are the ids of customers with the same e-mail address or
	// phone number, separated by commas.
	PossibleDuplicates string `json:"-" header:"X-Possible-Duplicates"`
}
