package webhooks

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
)

func TestGoldenTemplates(t *testing.T) {
	kittest.Templates(t, Room(), map[string]any{
		"webhooks":          webhooksPage{},
		"webhook":           webhookPage{},
		"webhook-over-time": overTimePage{},
		"events":            eventsPage{},
	})
}
