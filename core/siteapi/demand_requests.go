package siteapi

// SearchRequestInput is what creating and updating a search request have in
// common.
type SearchRequestInput struct {
	AgencyID        Opt[int64]            `json:"agency_id" doc:"the customer's, where a new one has none"`
	UserID          Opt[int64]            `json:"user_id" doc:"the customer's, where a new one has none"`
	Name            Opt[string]           `json:"name"`
	IsActive        Opt[bool]             `json:"is_active" doc:"true for a new one"`
	Status          Opt[string]           `json:"status" enum:"ACTIVE,EN_PAUSE,ABOUTIE,ABANDONNEE"`
	TransactionType Opt[string]           `json:"transaction_type" doc:"code of TypeTransaction; required for a new one"`
	PropertyTypes   Opt[[]string]         `json:"property_types" doc:"codes of TypeBien; none is any"`
	PriceMin        Opt[float64]          `json:"price_min" doc:"this and the seven that follow are short for criteria"`
	PriceMax        Opt[float64]          `json:"price_max"`
	SurfaceMin      Opt[float64]          `json:"surface_min"`
	SurfaceMax      Opt[float64]          `json:"surface_max"`
	LandMin         Opt[float64]          `json:"land_min"`
	RoomsMin        Opt[float64]          `json:"rooms_min"`
	RoomsMax        Opt[float64]          `json:"rooms_max"`
	BedroomsMin     Opt[float64]          `json:"bedrooms_min"`
	Criteria        Opt[[]ConditionInput] `json:"criteria" alias:"criterias" doc:"as in a search of products; replaces the list"`
	KeyPoints       Opt[[]KeyPointInput]  `json:"key_points" doc:"replaces the list; at most 50"`
	Areas           Opt[[]AreaInput]      `json:"areas" doc:"replaces the list; at most 100"`
	Financing       Opt[FinancingInput]   `json:"financing"`
	Alerts          Opt[AlertsInput]      `json:"alerts"`
	Urgency         Opt[string]           `json:"urgency" doc:"code of list 14"`
	Origin          Opt[string]           `json:"origin" doc:"code of list 10"`
	Comment         Opt[string]           `json:"comment" doc:"at most 10,000 characters"`
}

// KeyPointInput names a quality that matters to the customer.
type KeyPointInput struct {
	ID         Opt[string] `json:"id" required:"true" doc:"key or id of a criterion, or a code of list 13" coerce:"string"`
	Importance Opt[string] `json:"importance" enum:"INDISPENSABLE,SOUHAITE,EXCLU" doc:"SOUHAITE without"`
	Value      Raw         `json:"value" doc:"what the criterion should be: a number or date is the least, codes and texts are any of, a flag is set"`
	Comment    Opt[string] `json:"comment"`
}

// AreaInput names somewhere the customer would live, or would not.
type AreaInput struct {
	ID        Opt[int64]        `json:"id" doc:"of an area that is kept"`
	Type      Opt[string]       `json:"type" required:"true" enum:"CITY,POSTAL_CODE,INSEE,DEPARTMENT,RADIUS,POLYGON"`
	Code      Opt[string]       `json:"code" doc:"INSEE code of a CITY or INSEE area, postal code, or department"`
	Label     Opt[string]       `json:"label" doc:"name for people; finds a CITY without code"`
	Latitude  Opt[float64]      `json:"latitude" doc:"center of a RADIUS"`
	Longitude Opt[float64]      `json:"longitude"`
	RadiusKm  Opt[float64]      `json:"radius_km" doc:"at most 1000"`
	Polygon   Opt[GeoJSONInput] `json:"polygon" doc:"GeoJSON Polygon or MultiPolygon"`
	Excluded  Opt[bool]         `json:"excluded" doc:"true: anywhere but here"`
}

// GeoJSONInput is a geometry (RFC 7946).
type GeoJSONInput struct {
	Type        Opt[string] `json:"type" enum:"Polygon,MultiPolygon"`
	Coordinates Raw         `json:"coordinates" doc:"nested arrays of [longitude, latitude]; at most 2,000 positions"`
}

// FinancingInput says how the customer would pay.
type FinancingInput struct {
	BudgetTotal  Opt[float64] `json:"budget_total"`
	Contribution Opt[float64] `json:"contribution"`
	LoanAgreed   Opt[bool]    `json:"loan_agreed"`
	ToSellFirst  Opt[bool]    `json:"to_sell_first"`
	Broker       Opt[string]  `json:"broker"`
}

// AlertsInput says how the customer wants to hear of new products.
type AlertsInput struct {
	Email     Opt[bool]   `json:"email"`
	SMS       Opt[bool]   `json:"sms"`
	Frequency Opt[string] `json:"frequency" enum:"IMMEDIATE,DAILY,WEEKLY"`
}

// CreateSearchRequest is POST /customers/{customerId}/searches.
type CreateSearchRequest struct {
	CustomerID int64 `path:"customerId"`
	SearchRequestInput
}

// UpdateSearchRequest is PATCH /customers/{customerId}/searches/{searchId}.
type UpdateSearchRequest struct {
	CustomerID int64   `path:"customerId"`
	ID         int64   `path:"searchId"`
	IfMatch    IfMatch `header:"If-Match"`
	SearchRequestInput
}

// SearchRequestPath is a search request of a customer, named in the path.
type SearchRequestPath struct {
	CustomerID int64 `path:"customerId"`
	ID         int64 `path:"searchId"`
}

// DeleteSearchRequest is DELETE /customers/{customerId}/searches/{searchId}.
type DeleteSearchRequest struct {
	CustomerID int64   `path:"customerId"`
	ID         int64   `path:"searchId"`
	IfMatch    IfMatch `header:"If-Match"`
}

// FollowUpInput is what creating and updating a follow-up have in common.
type FollowUpInput struct {
	UserID        Opt[int64]  `json:"user_id"`
	Status        Opt[string] `json:"status" doc:"code of list 9; PROPOSE for a new one without"`
	RefusalReason Opt[string] `json:"refusal_reason" doc:"code of list 15"`
	Rating        Opt[int]    `json:"rating" minimum:"1" maximum:"5"`
	Comment       Opt[string] `json:"comment" doc:"at most 10,000 characters"`
	NextContact   Opt[string] `json:"next_contact" format:"date"`
}

// CreateFollowUp is POST /customers/{customerId}/follow-ups.
type CreateFollowUp struct {
	CustomerID int64      `path:"customerId"`
	ProductID  Opt[int64] `json:"product_id" required:"true"`
	SearchID   Opt[int64] `json:"search_id" doc:"a search request of the customer"`
	FollowUpInput
}

// UpdateFollowUp is PATCH /customers/{customerId}/follow-ups/{followUpId}.
type UpdateFollowUp struct {
	CustomerID int64   `path:"customerId"`
	ID         int64   `path:"followUpId"`
	IfMatch    IfMatch `header:"If-Match"`
	FollowUpInput
}

// DeleteFollowUp is DELETE /customers/{customerId}/follow-ups/{followUpId}.
type DeleteFollowUp struct {
	CustomerID int64   `path:"customerId"`
	ID         int64   `path:"followUpId"`
	IfMatch    IfMatch `header:"If-Match"`
}
