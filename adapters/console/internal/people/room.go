// Package people has the pages of the console about customers, leads and search requests, and the rights of persons.
package people

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
		Pages: slices.Concat(peoplePages(), leadPages(), privacyPages()), Templates: templates,
		French: kit.Merged(french, frenchCodes), FrenchPhrases: frenchPhrases,
	}
}
