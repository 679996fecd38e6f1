// Package phones brings phone numbers into their international form, by the
// numbering plans of Google's libphonenumber.
package phones

import "github.com/nyaruka/phonenumbers"

// alsoFrance are the numbering plans of the French departments overseas, whose
// numbers are dialled from France, and written in France, like any other.
var alsoFrance = []string{"GP", "GF", "MQ", "RE", "YT", "PM", "BL", "MF"}

// E164 is the international form of a number as it is dialled in a country (ISO
// 3166), such as +33612345678; empty when it has none. It is what
// api.Ports.E164 wants.
func E164(number, country string) string {
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
