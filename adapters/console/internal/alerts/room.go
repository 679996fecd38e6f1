// Package alerts has the pages of the console about what stands, and who is told of it.
package alerts

import (
	"embed"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

//go:embed *.html
var templates embed.FS

// Room returns the pages of this package.
func Room() kit.Room {
	return kit.Room{Pages: alertPages(), Templates: templates, French: kit.Merged(french, frenchCodes), FrenchPhrases: frenchPhrases}
}
