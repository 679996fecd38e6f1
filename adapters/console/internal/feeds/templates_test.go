package feeds

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
)

func TestGoldenTemplates(t *testing.T) {
	kittest.Templates(t, Room(), map[string]any{
		"imports":             importsPage{},
		"import":              importPage{},
		"import-source":       sourcePage{},
		"publication-targets": targetsPage{},
		"publication-target":  targetPage{},
	})
}
