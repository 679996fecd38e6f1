package people

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// LeadInput is what leads of sellers and buyers have in common. It takes an e-mail
// address or a phone number, or else nobody could answer.
type LeadInput struct {
	_ struct{} `anyOf:"email,phone"`

	AgencyID     opt.Field[int64]                 `json:"agency_id" doc:"one of the token's agencies; required when there are several"`
	UserID       opt.Field[int64]                 `json:"user_id" doc:"assigned agent"`
	Civility     opt.Field[string]                `json:"civility" doc:"code of list 6"`
	Firstname    opt.Field[string]                `json:"firstname" max:"form.MaxName"`
	Lastname     opt.Field[string]                `json:"lastname" max:"form.MaxName"`
	Email        opt.Field[string]                `json:"email" max:"form.MaxName" format:"email"`
	Phone        opt.Field[string]                `json:"phone" max:"customer.MaxNumber"`
	Message      opt.Field[string]                `json:"message" max:"form.MaxComment"`
	Origin       opt.Field[string]                `json:"origin" doc:"code of list 10"`
	OriginDetail opt.Field[string]                `json:"origin_detail" max:"form.MaxName"`
	ExternalID   opt.Field[string]                `json:"external_id" max:"form.MaxName" doc:"the sender's own id"`
	Consent      opt.Field[customer.ConsentInput] `json:"consent"`
	UTM          opt.Field[CampaignInput]         `json:"utm"`
	Metadata     opt.Field[kernel.Object]         `json:"metadata" max:"demand.MaxMetadata" doc:"an object of the sender's own, shown as it came"`
}

// CampaignInput is the campaign a lead came by.
type CampaignInput struct {
	Source   opt.Field[string] `json:"source" max:"form.MaxName"`
	Medium   opt.Field[string] `json:"medium" max:"form.MaxName"`
	Campaign opt.Field[string] `json:"campaign" max:"form.MaxName"`
}

// CreateSellerLead is POST /leads/sellers.
type CreateSellerLead struct {
	LeadInput
	Project           opt.Field[string]                   `json:"project" enum:"VENTE,LOCATION,ESTIMATION" doc:"ESTIMATION without"`
	Address           opt.Field[string]                   `json:"address" max:"form.MaxName"`
	PostalCode        opt.Field[string]                   `json:"postal_code" max:"customer.MaxPostalCode"`
	City              opt.Field[string]                   `json:"city" max:"form.MaxName"`
	Country           opt.Field[string]                   `json:"country" max:"people.MaxCountry" doc:"ISO 3166"`
	Criteria          opt.Field[[]product.CriterionInput] `json:"criteria" alias:"criterias" max:"people.MaxOffered" doc:"of the product that is created, as in POST /products"`
	Rooms             opt.Field[[]product.RoomInput]      `json:"rooms" max:"product.MaxRooms" doc:"of the product that is created"`
	EstimatedPriceMin opt.Field[float64]                  `json:"estimated_price_min"`
	EstimatedPriceMax opt.Field[float64]                  `json:"estimated_price_max"`
	EstimationTool    opt.Field[string]                   `json:"estimation_tool" max:"form.MaxName"`
	SaleHorizon       opt.Field[string]                   `json:"sale_horizon" max:"form.MaxName"`
}

// CreateBuyerLead is POST /leads/buyers.
type CreateBuyerLead struct {
	LeadInput
	ProductID       opt.Field[int64]                     `json:"product_id" doc:"the product asked about"`
	TransactionType opt.Field[string]                    `json:"transaction_type" doc:"code of TypeTransaction; the product's without"`
	Criterias       opt.Field[[]criteria.ConditionInput] `json:"criterias" alias:"criteria" max:"criteria.MaxConditions" doc:"what is looked for; derived from the product without"`
	Areas           opt.Field[[]demand.AreaInput]        `json:"areas" max:"demand.MaxAreas" doc:"where; the product's city without"`
	PriceMax        opt.Field[float64]                   `json:"price_max"`
	VisitWish       opt.Field[VisitWishInput]            `json:"visit_wish"`
}

// VisitWishInput says when a buyer would visit.
type VisitWishInput struct {
	Date opt.Field[string] `json:"date" format:"date"`
	Slot opt.Field[string] `json:"slot" max:"form.MaxName"`
}

// CreatedLead is the answer to the creation of a lead.
type CreatedLead struct {
	kernel.Created
	// DuplicateLead is "true" when the lead had been sent before.
	DuplicateLead string `json:"-" header:"X-Duplicate-Lead"`
}

// LeadPath is a lead, named in the path.
type LeadPath struct {
	ID int64 `path:"leadId"`
}

// UpdateLead is PATCH /leads/{leadId}: only what is given changes.
type UpdateLead struct {
	ID      int64             `path:"leadId"`
	IfMatch kernel.IfMatch    `header:"If-Match"`
	Status  opt.Field[string] `json:"status" enum:"NOUVEAU,ATTRIBUE,CONTACTE,QUALIFIE,TRANSFORME,PERDU"`
	UserID  opt.Field[int64]  `json:"user_id" doc:"assigned agent; makes a NOUVEAU lead ATTRIBUE, and null an ATTRIBUE one NOUVEAU, unless status is given"`
}

// ListLeads is GET /leads.
type ListLeads struct {
	Kind       string           `query:"kind" enum:"seller,buyer"`
	Status     string           `query:"status" enum:"NOUVEAU,ATTRIBUE,CONTACTE,QUALIFIE,TRANSFORME,PERDU"`
	CustomerID opt.Field[int64] `query:"customer_id"`
	AgencyID   opt.Field[int64] `query:"agency_id" doc:"one of the token's agencies"`
	Cursor     opt.Field[int64] `query:"cursor" doc:"next_cursor of the previous page"`
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
	ID              int64         `json:"id"`
	Kind            string        `json:"kind" enum:"seller,buyer"`
	Status          string        `json:"status" enum:"NOUVEAU,ATTRIBUE,CONTACTE,QUALIFIE,TRANSFORME,PERDU"`
	AgencyID        int64         `json:"agency_id"`
	UserID          *int64        `json:"user_id"`
	CustomerID      *int64        `json:"customer_id" ref:"customer"`
	CustomerCreated bool          `json:"customer_created" doc:"false: the customer was known already"`
	ProductID       *int64        `json:"product_id" ref:"product" doc:"of a seller, what was created; of a buyer, what was asked about"`
	SearchID        *int64        `json:"search_id" ref:"search"`
	FollowUpID      *int64        `json:"follow_up_id" ref:"followup"`
	DuplicateOf     *int64        `json:"duplicate_of" doc:"always null: a lead sent again is the same lead"`
	Civility        *string       `json:"civility"`
	Firstname       *string       `json:"firstname"`
	Lastname        *string       `json:"lastname"`
	Email           *string       `json:"email"`
	Phone           *string       `json:"phone"`
	OtherEmails     []string      `json:"other_emails" doc:"given beside email when the lead was sent again"`
	OtherPhones     []string      `json:"other_phones" doc:"given beside phone when the lead was sent again"`
	Message         *string       `json:"message"`
	Origin          *string       `json:"origin"`
	OriginDetail    *string       `json:"origin_detail"`
	ExternalID      *string       `json:"external_id"`
	UTM             UTM           `json:"utm"`
	Metadata        kernel.Object `json:"metadata"`

	Project           *string  `json:"project"`
	Address           *string  `json:"address"`
	PostalCode        *string  `json:"postal_code"`
	City              *string  `json:"city"`
	Country           *string  `json:"country"`
	EstimatedPriceMin *float64 `json:"estimated_price_min"`
	EstimatedPriceMax *float64 `json:"estimated_price_max"`
	EstimationTool    *string  `json:"estimation_tool"`
	SaleHorizon       *string  `json:"sale_horizon"`

	TransactionType *string        `json:"transaction_type"`
	PriceMax        *float64       `json:"price_max"`
	VisitWish       *VisitWish     `json:"visit_wish"`
	DateAdded       kernel.Instant `json:"date_added"`
	LastModified    kernel.Instant `json:"last_modified"`

	Version kernel.Version `json:"-" header:"ETag"`
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
