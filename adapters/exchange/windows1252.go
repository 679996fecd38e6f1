package exchange

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/encoding/charmap"
)

// encode writes a text in Windows-1252. A character that it lacks becomes what it
// is called in Latin letters, a question mark if there is no such name; marks and
// signs that nobody sees are left out.
func encode(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		switch known, ok := charmap.Windows1252.EncodeRune(r); {
		case breaksLine(r):
			b.WriteByte('\n')
		case r == '\t':
			b.WriteByte(' ')
		case unicode.IsControl(r):
		case ok:
			b.WriteByte(known)
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			b.WriteString(latin(r))
		}
	}
	return b.String()
}

func breaksLine(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func latin(r rune) string {
	if name := strings.TrimSpace(unidecode.Unidecode(string(r))); name != "" {
		return name
	}
	return "?"
}

// decode reads what a file says, which is UTF-8 or Windows-1252. Control
// characters say nothing.
func decode(content string, isUTF8 bool) string {
	if !isUTF8 {
		decoded, err := charmap.Windows1252.NewDecoder().String(content)
		if err != nil {
			decoded = strings.ToValidUTF8(content, string(utf8.RuneError))
		}
		content = decoded
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r) && !breaksLine(r):
			return -1
		}
		return r
	}, content))
}
