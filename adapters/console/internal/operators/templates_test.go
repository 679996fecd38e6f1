package operators

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
)

func TestGoldenTemplates(t *testing.T) {
	kittest.Templates(t, Room(), map[string]any{
		"operators": operatorsPage{},
		"operator":  operatorPage{},
		"audit":     auditPage{},
	})
}
