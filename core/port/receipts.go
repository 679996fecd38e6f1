package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Receipts holds what was answered to requests that may be repeated. Answers are
// kept so that whoever reads the storage cannot read them.
type Receipts interface {
	// Get finds a receipt.
	Get(ReceiptID) (Receipt, error)
	// Claim stores a receipt unless there is one with its id, and returns the one
	// that is there. It is held until the unit ends: units that claim the same
	// one take turns, and the later ones see what the first made of it.
	Claim(Receipt) (Receipt, error)
	// Put stores a receipt, whether or not there is one with its id.
	Put(Receipt) error
	// Forget removes the receipts of requests about a customer.
	Forget(site.ID, customer.ID) error
	// Purge removes at most n receipts older than the given moment, the oldest
	// first, and reports how many.
	Purge(before time.Time, n int) (int, error)
}

// ReceiptID names a request: a key that a credential chose for one operation on
// one site.
type ReceiptID struct {
	Site       site.ID
	Credential access.CredentialID
	Operation  string
	Key        string
}

// Receipt is what was answered to a request.
type Receipt struct {
	ReceiptID
	// Fingerprint is the same for the same request.
	Fingerprint string
	// Answer is in the form of whoever made it; empty while there is none.
	Answer string
	// Customer is whom the request was about; 0 is nobody.
	Customer customer.ID
	At       time.Time
}
