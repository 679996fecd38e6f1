package requests

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
)

func TestGoldenTemplates(t *testing.T) {
	kittest.Templates(t, Room(), map[string]any{
		"requests":  requestsPage{},
		"request":   requestPage{},
		"readiness": readinessPage{},
		"traffic":   trafficPage{},
	})
}
