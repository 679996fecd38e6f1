package overview

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
)

func TestGoldenTemplates(t *testing.T) {
	kittest.Templates(t, Room(), map[string]any{
		"overview": overviewPage{}, "sites": sitesPage{}, "found": foundPage{},
	})
}
