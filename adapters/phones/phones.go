// Package phones brings phone numbers into their international form, by the
// numbering plans of Google's libphonenumber.
package phones

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

// french are the numbering plans of France and its departments overseas, whose
// numbers are dialled in all of France, and written there, like any other.
var french = []string{"FR", "GP", "GF", "MQ", "RE", "YT", "PM", "BL", "MF"}

const mainland = 33

// overseas are the country codes of the departments overseas, by what their national
// numbers begin with (ARCEP, plan national de numérotation).
var overseas = map[string]int{
	"590": 590, "690": 590, "691": 590,
	"594": 594, "694": 594,
	"596": 596, "696": 596, "697": 596,
	"262": 262, "263": 262, "269": 262, "639": 262, "692": 262, "693": 262,
	"508": 508,
}

// E164 returns the international form of a number as it is dialled in a country (ISO
// 3166), such as +33612345678; empty when it has none. It is what
// kernel.Ports.E164 wants.
func E164(number, country string) string {
	number = strings.Map(plain, number)
	regions := []string{country}
	if slices.Contains(french, country) {
		regions = append(regions, french...)
	}
	for _, region := range regions {
		parsed, err := phonenumbers.Parse(number, region)
		if err != nil {
			continue
		}
		if own := fromOverseas(parsed); own != "" {
			return own
		}
		if phonenumbers.IsValidNumber(parsed) {
			return phonenumbers.Format(parsed, phonenumbers.E164)
		}
	}
	return ""
}

// fromOverseas returns the international form of a number of a department overseas; empty
// for any other. They are dialled as if they were of the mainland, or of another
// department, and the mainland's plan has room for some of them: what they begin
// with decides.
func fromOverseas(number *phonenumbers.PhoneNumber) string {
	national := strconv.FormatUint(number.GetNationalNumber(), 10)
	if len(national) != 9 {
		return ""
	}
	code := int(number.GetCountryCode())
	own, known := overseas[national[:3]]
	if !known || code != mainland && !slices.Contains([]int{590, 594, 596, 262, 508}, code) {
		return ""
	}
	return "+" + strconv.Itoa(own) + strings.TrimPrefix(national, "508")
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
