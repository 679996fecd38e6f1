// Package requests has the pages of the console about what clients asked and were answered, and how much.
package requests

import (
	"embed"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

//go:embed *.html
var templates embed.FS

// Room returns the pages of this package.
func Room() kit.Room {
	return kit.Room{Pages: requestPages(), Templates: templates, French: french, FrenchPhrases: frenchPhrases}
}
