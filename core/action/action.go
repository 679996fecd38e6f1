// Package action knows what agencies do about products and customers: calls,
// visits, reports. Together they are the application log, of which a part is
// the history of a product or customer. What was done never changes.
package action

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/site"
)

// ID identifies an action among those of all sites. Later actions have higher ids.
type ID int64

// Kind is a kind of subject.
type Kind string

// The kinds. Both is the target of types that fit products and customers; no
// single action is about both.
const (
	Product  Kind = "product"
	Customer Kind = "customer"
	Both     Kind = "both"
)

// Kinds lists what an action type can aim at.
func Kinds() []Kind { return []Kind{Product, Customer, Both} }

// Subject is what an action is about: a product, or a customer.
type Subject struct {
	Kind Kind
	ID   int64
}

// Action is something that was done, or is planned, about a subject. Zero ids
// stand for "none".
type Action struct {
	ID      ID
	Site    site.ID
	Subject Subject
	// Type is 0 for what the system itself logs.
	Type  TypeID
	Child int64 // the child action of the type that it was
	// Label is what the type was called, or what the system logged.
	Label string
	User  site.UserID // who did it
	// Customer is whom it was done with, when the subject is something else.
	Customer customer.ID
	Result   string
	// Credential is on whose behalf it was written down.
	Credential access.CredentialID
	// Performed may lie in the future: a visit that is planned.
	Performed, Added time.Time
}

// Tally counts the actions about one subject.
type Tally struct {
	Subject int64
	// Customers is with how many different customers there was an action.
	Customers int
	// VisitsDone and VisitsPlanned are the visits before a moment, and from then on.
	VisitsDone, VisitsPlanned int
}
