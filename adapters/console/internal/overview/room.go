// Package overview has the pages of the console about the page that operators come to first, and the box that goes to what is typed.
package overview

import (
	"embed"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

//go:embed *.html
var templates embed.FS

// Room returns the pages of this package.
func Room() kit.Room {
	return kit.Room{Pages: overviewPages(), Templates: templates, French: french, FrenchPhrases: frenchPhrases}
}
