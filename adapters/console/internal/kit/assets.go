package kit

import (
	"embed"

	"github.com/vitrine-crm/vitrine/adapters/internal/look"
)

// files are what browsers load besides the pages and besides what all pages share.
// assets/README.md says where they come from, and under which licences.
//
//go:embed assets
var files embed.FS

// loadAssets returns all assets, at their places below the prefix of a console.
func loadAssets() (*look.Assets, error) {
	a, err := look.NewAssets("/assets/")
	if err != nil {
		return nil, err
	}
	return a, a.AddFrom(files, "console.css", "htmx.min.js", "hx-csp.min.js", "console.js", "passkeys.js")
}
