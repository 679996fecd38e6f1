package customer

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ActionID identifies an action among those of all sites. Later actions have higher ids.
type ActionID int64

// ActionKind is a kind of subject.
type ActionKind string

// The kinds. Both is the target of types that fit products and customers; no
// single action is about both.
const (
	AimedAtProduct  ActionKind = "product"
	AimedAtCustomer ActionKind = "customer"
	AimedAtBoth     ActionKind = "both"
)

// ActionKinds lists what an action type can aim at.
func ActionKinds() []ActionKind { return []ActionKind{AimedAtProduct, AimedAtCustomer, AimedAtBoth} }

// ActionSubject is what an action is about: a product, or a customer.
type ActionSubject struct {
	Kind ActionKind
	ID   int64
}

// Action is something that was done, or is planned, about a subject. Zero ids
// stand for "none".
type Action struct {
	ID      ActionID
	Site    site.ID
	Subject ActionSubject
	// Type is 0 for what the system itself logs.
	Type  ActionTypeID
	Child int64 // the child action of the type that it was
	// Label is what the type was called, or what the system logged.
	Label string
	User  site.UserID // who did it
	// Customer is whom it was done with, when the subject is something else.
	Customer ID
	Result   string
	// Credential is on whose behalf it was written down.
	Credential access.CredentialID
	// Performed may lie in the future: a visit that is planned.
	Performed, Added time.Time
}

// Doubles reports whether two actions are one that was written down twice.
func (a Action) Doubles(b Action) bool {
	at := a.Performed.Equal(b.Performed)
	a.ID, a.Credential, a.Added, a.Performed = b.ID, b.Credential, b.Added, b.Performed
	return at && a == b
}

// ActionTally counts the actions about one subject.
type ActionTally struct {
	Subject int64
	// Customers is with how many different customers there was an action.
	Customers int
	// VisitsDone and VisitsPlanned are the visits before a moment, and from then on.
	VisitsDone, VisitsPlanned int
}
