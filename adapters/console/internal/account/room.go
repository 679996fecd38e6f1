// Package account has the pages of the console about signing in, by password, passkey or invitation, and what operators see of themselves.
package account

import (
	"embed"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

//go:embed *.html
var templates embed.FS

// Room returns the pages of this package.
func Room() kit.Room {
	return kit.Room{Pages: mePages(), Templates: templates, Doors: doors, Others: []string{"sign-in", "passkey", "enter", "shown-again"}, French: kit.Merged(french, frenchCodes), FrenchPhrases: frenchPhrases}
}
