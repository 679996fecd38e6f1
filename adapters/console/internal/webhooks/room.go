// Package webhooks has the pages of the console about webhooks with their deliveries, and the ledger of events.
package webhooks

import (
	"embed"
	"slices"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

//go:embed *.html
var templates embed.FS

// Room returns the pages of this package.
func Room() kit.Room {
	return kit.Room{Pages: slices.Concat(webhookPages(), eventPages()), Templates: templates, French: kit.Merged(french, frenchCodes), FrenchPhrases: frenchPhrases}
}
