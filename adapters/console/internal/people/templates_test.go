package people

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
)

func TestGoldenTemplates(t *testing.T) {
	kittest.Templates(t, Room(), map[string]any{
		"people":   peoplePage{},
		"customer": customerPage{},
		"search":   searchPage{},
		"leads":    leadsPage{},
		"lead":     leadPage{},
		"privacy":  privacyPage{},
		"person":   personPage{},
	})
}
