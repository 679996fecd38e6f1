// Package clients has the pages of the console about credentials and keys of the API.
package clients

import (
	"embed"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

//go:embed *.html
var templates embed.FS

// Room returns the pages of this package.
func Room() kit.Room {
	return kit.Room{Pages: credentialPages(), Templates: templates, French: kit.Merged(french, frenchCodes), FrenchPhrases: frenchPhrases}
}
