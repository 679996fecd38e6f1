package geocode

import (
	"errors"
	"strings"
	"unicode"
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

// national returns the country a code belongs to, in lower case: the French overseas
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
