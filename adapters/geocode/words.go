package geocode

import (
	"errors"
	"strings"
	"unicode"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

var errGarbage = errors.New("not what was asked for")

// orGarbage is err, or what stands for an answer that is well-formed and means
// nothing.
func orGarbage(err error) error {
	if err == nil {
		return errGarbage
	}
	return err
}

const france = "fr"

// national is the country a code belongs to, in lower case: the French overseas
// have codes of their own, and are part of France to geocoders.
func national(code string) string {
	code = strings.ToLower(strings.TrimSpace(code))
	switch code {
	case "gp", "mq", "gf", "re", "yt", "pm", "bl", "mf":
		return france
	}
	return code
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// townKey is the form in which two spellings of a town are one: "St-Étienne
// Cedex 2" and "saint etienne".
func townKey(name string) string {
	words := strings.FieldsFunc(criteria.Fold(name), func(r rune) bool { return !isLetterOrDigit(r) })
	for i, word := range words {
		switch word {
		case "st":
			words[i] = "saint"
		case "ste":
			words[i] = "sainte"
		case "cedex":
			return strings.Join(words[:i], " ")
		}
	}
	return strings.Join(words, " ")
}
