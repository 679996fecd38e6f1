package port

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Standby is a copy of a Store that follows it, and may be behind or away.
type Standby interface {
	// ViewAt runs fn against one consistent snapshot of the copy in which the site stands at a
	// head of the Store or beyond, and reports whether it did. If not, whatever fn has done
	// counts for nothing: ask the Store. fn must keep no state between runs.
	ViewAt(ctx context.Context, id site.ID, head Head, fn func(Tx) error) bool
}
