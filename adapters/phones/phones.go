// Package phones brings phone numbers into their international form, by the
// numbering plans of Google's libphonenumber.
package phones

import (
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

// alsoFrance are the numbering plans of the French departments overseas, whose
// numbers are dialled from France, and written in France, like any other.
var alsoFrance = []string{"GP", "GF", "MQ", "RE", "YT", "PM", "BL", "MF"}

// E164 is the international form of a number as it is dialled in a country (ISO
// 3166), such as +33612345678; empty when it has none. It is what
// kernel.Ports.E164 wants.
func E164(number, country string) string {
	number = strings.Map(plain, number)
	regions := []string{country}
	if country == "FR" {
		regions = append(regions, alsoFrance...)
	}
	for _, region := range regions {
		parsed, err := phonenumbers.Parse(number, region)
		if err == nil && phonenumbers.IsValidNumber(parsed) {
			return phonenumbers.Format(parsed, phonenumbers.E164)
		}
	}
	return ""
}

// plain makes every space a plain one, and removes marks that nobody sees, such as
// those that say in which direction a number is written. The library knows few of
// them.
func plain(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}
