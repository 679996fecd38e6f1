package fault

import (
	"iter"
	"maps"
	"slices"
)

// translation is a format in English, and in French.
type translation struct{ english, french string }

var frenchFormats = frenchByEnglish(frenchCommon, frenchHTTP, frenchTokens, frenchOffice, frenchCriteria, frenchListing, frenchPeople, frenchDeals, frenchAgenda, frenchHooks, frenchConsole, frenchAlerts, frenchFeeds, frenchMeanings)

func frenchByEnglish(rooms ...[]translation) map[string]string {
	formats := map[string]string{}
	for _, p := range slices.Concat(rooms...) {
		formats[p.english] = p.french
	}
	return formats
}

// InFrench returns the French of a format that is written in English.
func InFrench(english string) (french string, known bool) {
	french, known = frenchFormats[english]
	return french, known
}

// FrenchFormats lists every format, in English, with its French.
func FrenchFormats() iter.Seq2[string, string] { return maps.All(frenchFormats) }
