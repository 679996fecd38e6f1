// Package demand knows what customers look for: their search requests, how well a
// product answers one, and leads: people who got in touch through an external
// tool, to sell or to buy.
package demand

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// SearchID identifies a search request.
type SearchID int64

// Keys of criteria that search requests have fields for, besides those the
// criteria package names.
const (
	KeyLand     = "SurfaceTerrain"
	KeyBedrooms = "NbChambres"
)

// SearchRequest is a customer's search project ("projet de recherche"): what
// they would buy or rent, and where. Zero ids mean "none".
type SearchRequest struct {
	ID       SearchID
	Site     site.ID
	Customer customer.ID
	Agency   site.AgencyID
	User     site.UserID

	Name   string
	Active bool
	// Status is one of Statuses.
	Status string

	// TransactionType is a code of TypeTransaction, never empty.
	TransactionType string
	// PropertyTypes are codes of TypeBien; empty is any.
	PropertyTypes []string
	// Criteria must all hold, as in a search of products. The bounds of price,
	// surface, land, rooms and bedrooms live here: see Bound.
	Criteria  []criteria.Condition
	KeyPoints []KeyPoint
	Areas     []Area

	Financing Financing
	Alerts    Alerts
	Urgency   string // list 14
	Origin    string // list 10
	Comment   string

	Added, Modified time.Time
	// Deleted is when the request was deleted; zero while it lives.
	Deleted time.Time
	// Version is the site's ledger sequence at the last change.
	Version int64
}

// Statuses of search requests.
const (
	StatusActive    = "ACTIVE"
	StatusPaused    = "EN_PAUSE"
	StatusDone      = "ABOUTIE"
	StatusAbandoned = "ABANDONNEE"
)

// Statuses lists the statuses a search request can have.
func Statuses() []string {
	return []string{StatusActive, StatusPaused, StatusDone, StatusAbandoned}
}

// Importance says what a key point means to the customer.
type Importance string

// The importances of the contract.
const (
	Indispensable Importance = "INDISPENSABLE"
	Souhaite      Importance = "SOUHAITE"
	Exclu         Importance = "EXCLU"
)

// Importances lists the importances.
func Importances() []Importance { return []Importance{Indispensable, Souhaite, Exclu} }

// KeyPoint is a quality that matters to the customer.
type KeyPoint struct {
	// ID is the key of a criterion or a code of list 13.
	ID         string
	Importance Importance
	// Condition is how a product has the quality; nil for a code that no
	// criterion speaks of, which is for people to judge.
	Condition *criteria.Condition
	Comment   string
}

// Financing is how the customer would pay. Amounts are in the site's currency;
// nil is unknown.
type Financing struct {
	BudgetTotal  *float64
	Contribution *float64
	LoanAgreed   *bool
	ToSellFirst  *bool
	Broker       string
}

// Alerts says how the customer wants to hear of new products.
type Alerts struct {
	Email, SMS bool
	// Frequency is one of Frequencies.
	Frequency string
}

// Frequencies lists how often alerts can be sent.
func Frequencies() []string { return []string{"IMMEDIATE", "DAILY", "WEEKLY"} }

// Open reports whether the request is to be matched at all.
func (r SearchRequest) Open() bool {
	return r.Deleted.IsZero() && r.Active && r.Status == StatusActive
}

// Bound is a limit on a numeric criterion that has a field of its own in search
// requests.
type Bound struct {
	// Field is its name on the wire.
	Field     string
	Criterion string
	Operator  criteria.Operator
}

// Bounds lists the limits that have a field of their own.
func Bounds() []Bound {
	return []Bound{
		{"price_min", criteria.KeyPrice, criteria.SUPERIEUR},
		{"price_max", criteria.KeyPrice, criteria.INFERIEUR},
		{"surface_min", criteria.KeySurface, criteria.SUPERIEUR},
		{"surface_max", criteria.KeySurface, criteria.INFERIEUR},
		{"land_min", KeyLand, criteria.SUPERIEUR},
		{"rooms_min", criteria.KeyRooms, criteria.SUPERIEUR},
		{"rooms_max", criteria.KeyRooms, criteria.INFERIEUR},
		{"bedrooms_min", KeyBedrooms, criteria.SUPERIEUR},
	}
}

func (b Bound) is(c criteria.Condition) bool {
	return c.Criterion == b.Criterion && c.Operator == b.Operator
}

// Bound returns the strictest limit of a kind, if the request has one.
func (r SearchRequest) Bound(b Bound) (limit float64, ok bool) {
	for _, c := range r.Criteria {
		switch {
		case !b.is(c):
		case !ok, b.Operator == criteria.SUPERIEUR && c.Number > limit, b.Operator == criteria.INFERIEUR && c.Number < limit:
			limit, ok = c.Number, true
		}
	}
	return limit, ok
}

// SetBound makes the request have exactly one limit of a kind, or none when
// limit is nil.
func (r *SearchRequest) SetBound(b Bound, limit *float64) {
	r.Criteria = slices.DeleteFunc(slices.Clone(r.Criteria), b.is)
	if limit != nil {
		r.Criteria = append(r.Criteria, criteria.Condition{Criterion: b.Criterion, Type: criteria.NUMBER, Operator: b.Operator, Number: *limit})
	}
}

// Without returns the request without what it demands of some criteria, which is left
// to people.
func (r SearchRequest) Without(criterias map[string]bool) SearchRequest {
	r = r.Clone()
	r.Criteria = slices.DeleteFunc(r.Criteria, func(c criteria.Condition) bool { return criterias[c.Criterion] })
	for i, k := range r.KeyPoints {
		if k.Condition != nil && criterias[k.Condition.Criterion] {
			r.KeyPoints[i].Condition = nil
		}
	}
	return r
}

// Clone copies the request so that the copy can be changed freely.
func (r SearchRequest) Clone() SearchRequest {
	r.PropertyTypes = slices.Clone(r.PropertyTypes)
	r.Criteria = slices.Clone(r.Criteria)
	r.KeyPoints = slices.Clone(r.KeyPoints)
	r.Areas = slices.Clone(r.Areas)
	return r
}
