package operator

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// EntryID identifies an entry of the audit; later entries have higher ones.
type EntryID int64

// Entry is what the audit says of one thing that was done: who did what to which,
// from which address. It never has a secret in it, nor anything personal but the
// address.
type Entry struct {
	ID EntryID
	At time.Time
	// Operator is who did it; 0 is nobody who had signed in.
	Operator ID
	// Client is the client of the API that did it in its portal; empty for an operator.
	Client access.CredentialID
	// Peer is the address it was asked from; empty for the command line.
	Peer string
	// Operation is its name in the table of operations.
	Operation string
	// Site is where it was done; 0 when it was not about one site.
	Site site.ID
	// Subject is what it was done to: a kind and a name, such as "webhook 7".
	Subject string
	Changes []edit.Edit
}
