// Package catalogue has the pages of the console about products.
package catalogue

import (
	"embed"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

//go:embed *.html
var templates embed.FS

// Room returns the pages of this package.
func Room() kit.Room {
	return kit.Room{Pages: productPages(), Templates: templates, French: french, FrenchPhrases: frenchPhrases}
}
