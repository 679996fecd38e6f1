// Package feeds has the pages of the console about imports, import sources and publication targets.
package feeds

import (
	"embed"
	"slices"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

//go:embed *.html
var templates embed.FS

// Room returns the pages of this package.
func Room() kit.Room {
	return kit.Room{Pages: slices.Concat(importPages(), targetPages()), Templates: templates, French: kit.Merged(french, frenchCodes), FrenchPhrases: frenchPhrases}
}
