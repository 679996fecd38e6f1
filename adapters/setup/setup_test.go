package setup_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/setup"
)

// A telephone number or a postal code that begins with 0 must not become an
// octal number.
func TestNumbersAreReadAsTheyAreWrittenOrNotAtAll(t *testing.T) {
	agency := func(fields string) string {
		return "sites:\n  - id: 1\n    name: Réseau\n    agencies:\n      - {id: 1, name: x, " + fields + "}\n"
	}
	for _, wrong := range []string{"phone: 0240000000", "postal_code: 01000", "phone: 0x10", "phone: 1_000"} {
		_, err := setup.Decode(strings.NewReader(agency(wrong)))
		if err == nil || !strings.Contains(err.Error(), "line 5") || !strings.Contains(err.Error(), "in quotes") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	s, err := setup.Decode(strings.NewReader(agency(`phone: "0240000000", postal_code: '01000', city: 12, address: 0 rue`)))
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Sites[0].Agencies[0]; a.Phone != "0240000000" || a.PostalCode != "01000" || a.City != "12" || a.Address != "0 rue" {
		t.Errorf("it is read as %+v", a)
	}
}
