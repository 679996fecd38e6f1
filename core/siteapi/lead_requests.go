package siteapi

import (
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/product"
)

// LeadInput is what leads of sellers and buyers have in common. Somebody who can
// be reached by neither e-mail nor phone is no lead.
type LeadInput struct {
	AgencyID     Opt[int64]                 `json:"agency_id" doc:"one of the token's agencies; required when there are several"`
	UserID       Opt[int64]                 `json:"user_id" doc:"assigned agent"`
	Civility     Opt[string]                `json:"civility" doc:"code of list 6"`
	Firstname    Opt[string]                `json:"firstname"`
	Lastname     Opt[string]                `json:"lastname"`
	Email        Opt[string]                `json:"email" format:"email" doc:"this or phone is required"`
	Phone        Opt[string]                `json:"phone" doc:"this or email is required"`
	Message      Opt[string]                `json:"message" doc:"at most 10,000 characters"`
	Origin       Opt[string]                `json:"origin" doc:"code of list 10"`
	OriginDetail Opt[string]                `json:"origin_detail"`
	ExternalID   Opt[string]                `json:"external_id" doc:"the sender's own id; a lead with the same one is the same lead"`
	Consent      Opt[customer.ConsentInput] `json:"consent"`
	UTM          Opt[CampaignInput]         `json:"utm"`
	Metadata     Opt[Object]                `json:"metadata" doc:"an object of the sender's own, at most 50 keys, shown as it came"`
}

// CampaignInput is the campaign a lead came by.
type CampaignInput struct {
	Source   Opt[string] `json:"source"`
	Medium   Opt[string] `json:"medium"`
	Campaign Opt[string] `json:"campaign"`
}

// CreateSellerLead is POST /leads/sellers.
type CreateSellerLead struct {
	LeadInput
	Project           Opt[string]                   `json:"project" enum:"VENTE,LOCATION,ESTIMATION" doc:"ESTIMATION without"`
	Address           Opt[string]                   `json:"address"`
	PostalCode        Opt[string]                   `json:"postal_code"`
	City              Opt[string]                   `json:"city"`
	Country           Opt[string]                   `json:"country" doc:"ISO 3166"`
	Criteria          Opt[[]product.CriterionInput] `json:"criteria" alias:"criterias" doc:"of the product that is created, as in POST /products"`
	Rooms             Opt[[]product.RoomInput]      `json:"rooms" doc:"of the product that is created"`
	EstimatedPriceMin Opt[float64]                  `json:"estimated_price_min"`
	EstimatedPriceMax Opt[float64]                  `json:"estimated_price_max"`
	EstimationTool    Opt[string]                   `json:"estimation_tool"`
	SaleHorizon       Opt[string]                   `json:"sale_horizon"`
}

// CreateBuyerLead is POST /leads/buyers.
type CreateBuyerLead struct {
	LeadInput
	ProductID       Opt[int64]                     `json:"product_id" doc:"the product asked about"`
	TransactionType Opt[string]                    `json:"transaction_type" doc:"code of TypeTransaction; the product's without"`
	Criterias       Opt[[]criteria.ConditionInput] `json:"criterias" alias:"criteria" doc:"what is looked for; derived from the product without"`
	Areas           Opt[[]demand.AreaInput]        `json:"areas" doc:"where; the product's city without"`
	PriceMax        Opt[float64]                   `json:"price_max"`
	VisitWish       Opt[VisitWishInput]            `json:"visit_wish"`
}

// VisitWishInput says when a buyer would visit.
type VisitWishInput struct {
	Date Opt[string] `json:"date" format:"date"`
	Slot Opt[string] `json:"slot"`
}

// CreatedLead is the answer to the creation of a lead.
type CreatedLead struct {
	Created
	// DuplicateLead is "true" when the lead had been sent before.
	DuplicateLead string `json:"-" header:"X-Duplicate-Lead"`
}

// LeadPath is a lead, named in the path.
type LeadPath struct {
	ID int64 `path:"leadId"`
}

// UpdateLead is PATCH /leads/{leadId}: only what is given changes.
type UpdateLead struct {
	ID      int64       `path:"leadId"`
	IfMatch IfMatch     `header:"If-Match"`
	Status  Opt[string] `json:"status" enum:"NOUVEAU,ATTRIBUE,CONTACTE,QUALIFIE,TRANSFORME,PERDU"`
	UserID  Opt[int64]  `json:"user_id" doc:"assigned agent; makes a NOUVEAU lead ATTRIBUE, and null an ATTRIBUE one NOUVEAU, unless status is given"`
}

// ListLeads is GET /leads.
type ListLeads struct {
	Kind       string     `query:"kind" enum:"seller,buyer"`
	Status     string     `query:"status" enum:"NOUVEAU,ATTRIBUE,CONTACTE,QUALIFIE,TRANSFORME,PERDU"`
	CustomerID Opt[int64] `query:"customer_id"`
	AgencyID   Opt[int64] `query:"agency_id" doc:"one of the token's agencies"`
	Cursor     Opt[int64] `query:"cursor" doc:"next_cursor of the previous page"`
}

// LeadPage is a page of leads, latest first.
type LeadPage struct {
	Data       []Lead `json:"data"`
	NextCursor *int64 `json:"next_cursor"`
	HasMore    bool   `json:"has_more"`
}

// Lead is somebody who got in touch through an external tool, and what came of
// it.
type Lead struct {
	ID              int64   `json:"id"`
	Kind            string  `json:"kind" enum:"seller,buyer"`
	Status          string  `json:"status" enum:"NOUVEAU,ATTRIBUE,CONTACTE,QUALIFIE,TRANSFORME,PERDU"`
	AgencyID        int64   `json:"agency_id"`
	UserID          *int64  `json:"user_id"`
	CustomerID      *int64  `json:"customer_id" doc:"null once the customer is gone"`
	CustomerCreated bool    `json:"customer_created" doc:"false: the customer was known already"`
	ProductID       *int64  `json:"product_id" doc:"of a seller, what was created; of a buyer, what was asked about"`
	SearchID        *int64  `json:"search_id"`
	FollowUpID      *int64  `json:"follow_up_id"`
	DuplicateOf     *int64  `json:"duplicate_of" doc:"always null: a lead sent again is the same lead"`
	Civility        *string `json:"civility"`
	Firstname       *string `json:"firstname"`
	Lastname        *string `json:"lastname"`
	Email           *string `json:"email"`
	Phone           *string `json:"phone"`
	Message         *string `json:"message"`
	Origin          *string `json:"origin"`
	OriginDetail    *string `json:"origin_detail"`
	ExternalID      *string `json:"external_id"`
	UTM             UTM     `json:"utm"`
	Metadata        Object  `json:"metadata"`

	Project           *string  `json:"project"`
	Address           *string  `json:"address"`
	PostalCode        *string  `json:"postal_code"`
	City              *string  `json:"city"`
	Country           *string  `json:"country"`
	EstimatedPriceMin *float64 `json:"estimated_price_min"`
	EstimatedPriceMax *float64 `json:"estimated_price_max"`
	EstimationTool    *string  `json:"estimation_tool"`
	SaleHorizon       *string  `json:"sale_horizon"`

	TransactionType *string    `json:"transaction_type"`
	PriceMax        *float64   `json:"price_max"`
	VisitWish       *VisitWish `json:"visit_wish"`
	DateAdded       Instant    `json:"date_added"`
	LastModified    Instant    `json:"last_modified"`

	Version Version `json:"-" header:"ETag"`
}

// UTM is the campaign a lead came by.
type UTM struct {
	Source   *string `json:"source"`
	Medium   *string `json:"medium"`
	Campaign *string `json:"campaign"`
}

// VisitWish says when a buyer would visit.
type VisitWish struct {
	Date *string `json:"date" format:"date"`
	Slot *string `json:"slot"`
}
