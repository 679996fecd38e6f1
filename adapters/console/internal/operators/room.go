// Package operators has the pages of the console about who may sign in, and the audit of what they did.
package operators

import (
	"embed"
	"slices"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

//go:embed *.html
var templates embed.FS

// Room returns the pages of this package.
func Room() kit.Room {
	return kit.Room{Pages: slices.Concat(operatorPages(), auditPages()), Templates: templates, French: kit.Merged(french, frenchCodes), FrenchPhrases: frenchPhrases}
}
