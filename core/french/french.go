// Package french has the French of every text that clients of the API are shown.
//
// Texts are found by the format they are written in, in English. A French format has
// the same verbs; where the arguments come in another order, it says so, as in %[2]s.
package french

import (
	"iter"
	"maps"
	"slices"
)

// pair is a format in English, and in French.
type pair struct{ english, french string }

var formats = byEnglish(common, http, tokens, office, criteria, listing, people, deals, agenda, hooks, console, meanings)

func byEnglish(rooms ...[]pair) map[string]string {
	formats := map[string]string{}
	for _, p := range slices.Concat(rooms...) {
		formats[p.english] = p.french
	}
	return formats
}

// Of is the French of a format that is written in English.
func Of(english string) (french string, known bool) {
	french, known = formats[english]
	return french, known
}

// All lists every format, in English, with its French.
func All() iter.Seq2[string, string] { return maps.All(formats) }
