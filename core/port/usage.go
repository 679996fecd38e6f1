package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
)

// Usage counts the requests of credentials by day, and holds when they and their keys were
// last used. A day is named by the moment at which it begins.
type Usage interface {
	// Used stores that something was used, unless a later use of it is known.
	Used(access.Use) error
	// LastUses lists the last uses by credential and key.
	LastUses() ([]access.Use, error)
	// Add adds n requests to those a credential sent on a day. Units that add to the
	// same count take turns.
	Add(day time.Time, of access.CredentialID, n int64) error
	// Of is how many requests each credential sent on a day. Those that sent none
	// are missing.
	Of(day time.Time) (map[access.CredentialID]int64, error)
	// Purge removes at most n counts of days before the given moment, those of the
	// oldest days first, and reports how many.
	Purge(before time.Time, n int) (int, error)
}
