package phones_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/phones"
)

func TestANumberHasOneInternationalFormWhateverItsFormatting(t *testing.T) {
	for _, c := range []struct{ number, country, want string }{
		{"06 12 34 56 78", "FR", "+33612345678"},
		{"06.12.34.56.78", "FR", "+33612345678"},
		{"+33612345678", "FR", "+33612345678"},
		{"0033 6 12 34 56 78", "FR", "+33612345678"},
		{"+33 (0)6 12 34 56 78", "FR", "+33612345678"},
		{"+33612345678", "BE", "+33612345678"},
		{"0470 12 34 56", "BE", "+32470123456"},
		{"0262 12 34 56", "FR", "+262262123456"},
		{"3631", "FR", ""},
		{"06 12 34", "FR", ""},
		{"not a number", "FR", ""},
		{"06 12 34 56 78", "", ""},
	} {
		if got := phones.E164(c.number, c.country); got != c.want {
			t.Errorf("%q in %q is %q, not %q", c.number, c.country, got, c.want)
		}
	}
}
