package sites

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestGoldenTemplates(t *testing.T) {
	kittest.Templates(t, Room(), map[string]any{
		"site":         sitePage{},
		"users":        usersPage{},
		"criteria":     criteriaPage{},
		"lists":        listsPage{},
		"action-types": actionTypesPage{},
		"values":       valuesPage{},
	})
}

// Every text of an agency and of a user is asked for, once.
func TestFormsAskForEveryText(t *testing.T) {
	for kind, c := range map[string]struct {
		asked []textField
		texts []transfer.Text
	}{
		"agency": {agencyFields(), transfer.AgencyTexts(&site.Agency{})}, "user": {userFields(), transfer.UserTexts(&site.User{})},
	} {
		var asked, texts []string
		for _, f := range c.asked {
			asked = append(asked, f.name)
		}
		for _, text := range c.texts {
			texts = append(texts, text.Name)
		}
		slices.Sort(asked)
		slices.Sort(texts)
		if !slices.Equal(asked, texts) {
			t.Errorf("the form of the %s asks for %q, of %q", kind, asked, texts)
		}
	}
}
