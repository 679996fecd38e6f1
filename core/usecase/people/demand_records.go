package people

import "github.com/vitrine-crm/vitrine/core/kernel"

// SearchRequest is what a customer looks for ("projet de recherche").
type SearchRequest struct {
	ID              int64               `json:"id"`
	CustomerID      int64               `json:"customer_id"`
	AgencyID        int64               `json:"agency_id"`
	UserID          *int64              `json:"user_id"`
	Name            *string             `json:"name"`
	IsActive        bool                `json:"is_active"`
	Status          string              `json:"status"`
	TransactionType string              `json:"transaction_type"`
	PropertyTypes   []string            `json:"property_types"`
	PriceMin        *float64            `json:"price_min"`
	PriceMax        *float64            `json:"price_max"`
	SurfaceMin      *float64            `json:"surface_min"`
	SurfaceMax      *float64            `json:"surface_max"`
	LandMin         *float64            `json:"land_min"`
	RoomsMin        *float64            `json:"rooms_min"`
	RoomsMax        *float64            `json:"rooms_max"`
	BedroomsMin     *float64            `json:"bedrooms_min"`
	Criteria        []SearchedCriterion `json:"criteria"`
	KeyPoints       []KeyPoint          `json:"key_points"`
	Areas           []Area              `json:"areas"`
	Financing       Financing           `json:"financing"`
	Alerts          Alerts              `json:"alerts"`
	Urgency         *string             `json:"urgency"`
	Origin          *string             `json:"origin"`
	Comment         *string             `json:"comment"`
	MatchesCount    *int                `json:"matches_count" doc:"how many active products match; null in lists"`
	LastMatchAt     *kernel.Instant     `json:"last_match_at" doc:"latest last_modified of the products that match; null without any, and in lists"`
	DateAdded       kernel.Instant      `json:"date_added"`
	LastModified    kernel.Instant      `json:"last_modified"`

	Version kernel.Version `json:"-" header:"ETag"`
}

// SearchedCriterion is one clause on a criterion.
type SearchedCriterion struct {
	ID       string `json:"id"`
	Operator string `json:"operator"`
	Value    any    `json:"value" type:"string,number,strings" doc:"what it is held against, by the criterion's type"`
}

// KeyPoint is a quality that matters to a customer.
type KeyPoint struct {
	ID         string  `json:"id"`
	Importance string  `json:"importance"`
	Value      any     `json:"value" type:"string,number,strings,null" doc:"what the criterion should be; null without a criterion"`
	Comment    *string `json:"comment"`
}

// Area is somewhere a customer would live, or would not.
type Area struct {
	ID        int64    `json:"id"`
	Type      string   `json:"type"`
	Code      *string  `json:"code"`
	Label     *string  `json:"label"`
	Latitude  *float64 `json:"latitude"`
	Longitude *float64 `json:"longitude"`
	RadiusKm  *float64 `json:"radius_km"`
	Polygon   *GeoJSON `json:"polygon"`
	Excluded  bool     `json:"excluded"`
}

// GeoJSON is a geometry (RFC 7946), always a MultiPolygon.
type GeoJSON struct {
	Type        string           `json:"type"`
	Coordinates [][][][2]float64 `json:"coordinates"`
}

// Financing says how a customer would pay.
type Financing struct {
	BudgetTotal  *float64 `json:"budget_total"`
	Contribution *float64 `json:"contribution"`
	LoanAgreed   *bool    `json:"loan_agreed"`
	ToSellFirst  *bool    `json:"to_sell_first"`
	Broker       *string  `json:"broker"`
}

// Alerts says how a customer wants to hear of new products.
type Alerts struct {
	Email     bool    `json:"email"`
	SMS       bool    `json:"sms"`
	Frequency *string `json:"frequency"`
}

// FollowUp keeps track of what a customer thinks of a product ("suivi").
type FollowUp struct {
	ID            int64           `json:"id"`
	CustomerID    int64           `json:"customer_id"`
	ProductID     *int64          `json:"product_id" ref:"product"`
	SearchID      *int64          `json:"search_id" ref:"search"`
	UserID        *int64          `json:"user_id"`
	Status        string          `json:"status"`
	RefusalReason *string         `json:"refusal_reason"`
	Rating        *int            `json:"rating"`
	Comment       *string         `json:"comment"`
	NextContact   *string         `json:"next_contact" format:"date"`
	Events        []FollowUpEvent `json:"events" doc:"the statuses it has had, the present one last"`
	DateAdded     kernel.Instant  `json:"date_added"`
	LastModified  kernel.Instant  `json:"last_modified"`
}

// FollowUpEvent is a status a follow-up got.
type FollowUpEvent struct {
	Status string         `json:"status"`
	At     kernel.Instant `json:"at"`
	UserID *int64         `json:"user_id"`
}
