// Package language chooses the language that somebody prefers of those that Vitrine speaks.
package language

import (
	"strings"

	"golang.org/x/text/language"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// languages matches what is preferred against what texts are written in. The
// first one is for everybody who prefers none of them.
var languages = language.NewMatcher([]language.Tag{fault.English: language.English, fault.French: language.French})

// Preferred returns the language that the lines of an Accept-Language ask for. One that
// cannot be read asks for none.
func Preferred(lines []string) fault.Language {
	wanted, _, err := language.ParseAcceptLanguage(strings.Join(lines, ","))
	if err != nil {
		return fault.English
	}
	_, index, _ := languages.Match(wanted...)
	return fault.Language(index)
}
