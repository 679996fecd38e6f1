package exchange

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestAFileInOpenImmoSaysThatItHasChangesAlone(t *testing.T) {
	const listing = `<anbieter><anbieternr>A</anbieternr><immobilie><verwaltung_techn><objektnr_extern>1</objektnr_extern></verwaltung_techn></immobilie></anbieter></openimmo>`
	for begins, want := range map[string]bool{
		`<openimmo><uebertragung art="ONLINE" umfang="TEIL" version="1.2.7"/>`: true,
		`<?xml version="1.0"?><openimmo><uebertragung umfang='teil' art="x"/>`: true,
		`<openimmo><uebertragung art="ONLINE" umfang="VOLL" version="1.2.7"/>`: false,
		`<openimmo><uebertragung art="TEIL"/>`:                                 false,
		`<openimmo>`:                                                           false,
	} {
		name := filepath.Join(t.TempDir(), "a.xml")
		if err := os.WriteFile(name, []byte(begins+listing), 0o600); err != nil {
			t.Fatal(err)
		}
		var file transfer.PartFile = opened(t, name, webhook.Allowance{})
		if got, err := file.IsPart(); got != want || err != nil {
			t.Errorf("%s: %v, %v", begins, got, err)
		}
	}
}
