package exchange

import (
	"regexp"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

var (
	// anyPostalCode is what may be a postal code of some country.
	anyPostalCode = regexp.MustCompile(`^[A-Za-z]{0,2}[- ]?\d[\dA-Za-z -]{1,8}$`)
	// sheetNumber is a postal code that a spreadsheet took for a number.
	sheetNumber    = regexp.MustCompile(`^(\d{4,5})[.,]0{1,2}$`)
	frenchPrefix   = regexp.MustCompile(`^(?i:FR?)[- ]?(\d{4,5})$`)
	fourOrFive     = regexp.MustCompile(`^\d{4,5}$`)
	withinIsSpaced = regexp.MustCompile(`^(\d{2}) (\d{3})$`)
)

// isFrance reports whether a country is France, or none is said.
func isFrance(country string) bool {
	switch criteria.Fold(country) {
	case "", "fr", "fra", "f", "france", "fx":
		return true
	}
	return false
}

// postalCodeIn returns a postal code as its country writes it, and reports whether it is one. A file that
// names no country is of France, whose codes have five digits: spreadsheets and databases lose the zero
// before them. Empty is a code that is not known.
func postalCodeIn(country, said string) (code string, is bool) {
	code = strings.Join(strings.Fields(said), " ")
	if m := sheetNumber.FindStringSubmatch(code); m != nil {
		code = m[1]
	}
	if strings.Trim(code, "0") == "" {
		return "", true
	}
	if !isFrance(country) {
		return code, anyPostalCode.MatchString(code)
	}
	for _, form := range []*regexp.Regexp{frenchPrefix, withinIsSpaced} {
		if m := form.FindStringSubmatch(code); m != nil {
			code = strings.Join(m[1:], "")
		}
	}
	if fourOrFive.MatchString(code) {
		return strings.Repeat("0", 5-len(code)) + code, true
	}
	return code, country == "" && anyPostalCode.MatchString(code)
}

// addPostalCode adds the postal code of a listing, or names what is none.
func addPostalCode(l *transfer.Listing, source, country, said string) {
	code, is := postalCodeIn(country, said)
	switch {
	case !is:
		l.NotUnderstood = append(l.NotUnderstood, transfer.NotUnderstood{Source: source, Value: said, Why: fault.Textf("this is no postal code").String()})
		l.Unreadable = append(l.Unreadable, criteria.KeyPostalCode)
	case code != "":
		l.Criteria = append(l.Criteria, transfer.ListingCriterion{Source: source, Key: criteria.KeyPostalCode, Value: criteria.Raw{V: code}})
	}
}
