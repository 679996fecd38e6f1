// Package sites has the pages of the console about sites with their settings, agencies, users and vocabulary.
package sites

import (
	"embed"
	"slices"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

//go:embed *.html
var templates embed.FS

// Room returns the pages of this package.
func Room() kit.Room {
	return kit.Room{
		Pages: slices.Concat(sitePages(), staffPages()), Templates: templates,
		French: kit.Merged(french, frenchCodes), FrenchPhrases: frenchPhrases,
	}
}
