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
		{"06\u202f12\u202f34\u202f56\u202f78", "FR", "+33612345678"},
		{"06\u00a012\u00a034\u00a056\u00a078", "FR", "+33612345678"},
		{"+33\u00a06\u202f12\u200934\u300056\t78", "FR", "+33612345678"},
		{"\u202a+33 6 12 34 56 78\u202c", "FR", "+33612345678"},
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
