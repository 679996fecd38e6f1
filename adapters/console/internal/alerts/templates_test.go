package alerts

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
)

func TestTemplates(t *testing.T) {
	kittest.Templates(t, Room(), map[string]any{"alerts": alertsPage{}})
}
