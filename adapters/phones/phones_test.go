package phones_test

import (
	"strings"
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

// TestANumberOfADepartmentOverseasHasItsOwnCode writes numbers of each prefix of the
// plan in every way in which they are dialled.
func TestANumberOfADepartmentOverseasHasItsOwnCode(t *testing.T) {
	prefixes := map[string]string{
		"590": "+590590", "690": "+590690", "691": "+590691",
		"594": "+594594", "694": "+594694",
		"596": "+596596", "696": "+596696", "697": "+596697",
		"262": "+262262", "263": "+262263", "269": "+262269", "639": "+262639", "692": "+262692", "693": "+262693",
		"508": "+508",
	}
	for prefix, code := range prefixes {
		for _, rest := range []string{"301234", "123456", "412233", "000000"} {
			want := code + rest
			own := strings.TrimSuffix(want, prefix+rest)
			for _, c := range []struct{ number, country string }{
				{"0" + prefix + " " + rest, "FR"}, {"0" + prefix + rest, "GP"}, {"0" + prefix + rest, "MQ"}, {"0" + prefix + rest, "GF"}, {"0" + prefix + rest, "RE"},
				{"0" + prefix + rest, "PM"}, {"+33 " + prefix + rest, "BE"}, {"+33 (0)" + prefix + rest, "US"}, {"0033" + prefix + rest, "DE"},
				{"011 33 " + prefix + rest, "US"}, {own + prefix + rest, "FR"}, {own + prefix + rest, "IT"}, {"00" + own[1:] + prefix + rest, "FR"}, {own + " (0)" + prefix + rest, "FR"},
			} {
				if prefix == "508" && strings.HasPrefix(strings.Replace(c.number, "00", "+", 1), own) {
					continue // what is dialled in France is no part of the number
				}
				if got := phones.E164(c.number, c.country); got != want {
					t.Errorf("%q in %q is %q, not %q", c.number, c.country, got, want)
				}
			}
		}
	}
	for _, c := range []struct{ number, country, want string }{
		{"0596 30 12 34", "FR", "+596596301234"}, {"+596 596 30 12 34", "FR", "+596596301234"}, {"0508 41 12 34", "FR", "+508411234"}, {"+508 41 12 34", "FR", "+508411234"},
		{"05 56 30 12 34", "FR", "+33556301234"}, {"05 95 30 12 34", "FR", "+33595301234"}, {"02 61 30 12 34", "FR", "+33261301234"},
		{"06 12 34 56 78", "GP", "+33612345678"}, {"01 42 34 56 78", "RE", "+33142345678"},
		{"059 630 1234", "IT", "+390596301234"}, // that of Modena begins like one of Martinique
		{"+39 059 630 1234", "FR", "+390596301234"},
	} {
		if got := phones.E164(c.number, c.country); got != c.want {
			t.Errorf("%q in %q is %q, not %q", c.number, c.country, got, c.want)
		}
	}
}
