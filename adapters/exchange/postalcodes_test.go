package exchange

import (
	"slices"
	"strings"
	"testing"
)

func TestPostalCodesComeWithTheirZeroAndWithoutMore(t *testing.T) {
	for _, c := range []struct {
		country, said, want string
		is                  bool
	}{
		{"", "69003", "69003", true}, {"", "6000", "06000", true}, {"France", "6000", "06000", true}, {"FR", "69003.0", "69003", true}, {"", "6000.0", "06000", true},
		{"", "6000,00", "06000", true}, {"", "F-69003", "69003", true}, {"FRANCE", "F69003", "69003", true}, {"", "FR-6000", "06000", true}, {"", "69 003", "69003", true},
		{"", "0", "", true}, {"", "00000", "", true}, {"Belgique", "6000", "6000", true}, {"BE", "6000.0", "6000", true}, {"Suisse", "CH-1200", "CH-1200", true}, {"", "L-1234", "L-1234", true},
		{"GB", "SW1A 1AA", "SW1A 1AA", true}, {"NL", "1234 AB", "1234 AB", true}, {"France", "690", "690", false}, {"", "Lyon", "Lyon", false}, {"France", "B-6000", "B-6000", false},
		{"", "20A", "20A", true}, {"", "250000.00", "250000.00", false},
	} {
		if code, is := postalCodeIn(c.country, c.said); code != c.want || is != c.is {
			t.Errorf("%q in %q is %q, %v", c.said, c.country, code, is)
		}
	}
}

// The country may come behind the code, and says which codes there are.
func TestThePostalCodeIsReadInTheCountryOfTheListing(t *testing.T) {
	feed := func(code, country string) string {
		return "<LISTEPA><BIEN><AFF_NUM>R1</AFF_NUM><LOC><CODE_POSTAL>" + code + "</CODE_POSTAL><PAYS>" + country + "</PAYS></LOC></BIEN></LISTEPA>"
	}
	for _, c := range [][3]string{{"6000", "Belgique", "6000"}, {"6000", "France", "06000"}, {"F-69003", "", "69003"}, {"Lyon", "France", ""}} {
		for _, content := range []string{rowOf(map[int]string{referenceColumn: "R1", 5: c[0], countryColumn: c[1]}), feed(c[0], c[1])} {
			l := readFile(t, content)[0]
			got, _ := told(l)["CodePostal"].(string)
			unreadable := slices.Contains(l.Unreadable, "CodePostal")
			if got != c[2] || unreadable != (c[2] == "") || unreadable != strings.Contains(strings.Join(missing(l), " "), "CodePostal") {
				t.Errorf("%q is read as %q: %+v", c, got, l)
			}
		}
	}
}
