package kit_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kittest"
)

func TestGoldenTemplates(t *testing.T) {
	kittest.Templates(t, kit.Room{}, map[string]any{
		kit.FailureTemplate: kit.Failure{}, kit.WhichSiteTemplate: kit.WhichSite{}, "confirm": kit.ConfirmPage{}, "form": kit.FormPage{},
	})
}

// Consoles share their templates: what a page names is below its own console all the same.
func TestPagesNameAssetsBelowTheirPrefix(t *testing.T) {
	prepared, err := kit.Prepare(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, prefix := range []string{"/console", "/office"} {
		var drawn strings.Builder
		if err := prepared.Draw(&drawn, kit.FailureTemplate, kit.Frame{Prefix: prefix, Page: kit.Failure{}}); err != nil {
			t.Fatal(err)
		}
		page := drawn.String()
		if below, all := strings.Count(page, `"`+prefix+"/assets/"), strings.Count(page, "/assets/"); below == 0 || below != all {
			t.Errorf("%d of %d assets are named below %s", below, all, prefix)
		}
	}
}
