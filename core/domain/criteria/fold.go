package criteria

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Normalise brings text into the form it is stored in: NFC, without outer
// spaces.
func Normalise(s string) string { return strings.TrimSpace(norm.NFC.String(s)) }

// Fold brings text into the form it is compared in: without case, accents and
// outer spaces, inner runs of space as one, ligatures spelt out. "Saint-Étienne
// " and "saint-etienne" fold to the same text.
func Fold(s string) string {
	if folded, ok := foldASCII(s); ok {
		return folded
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
			continue
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		switch r = unicode.ToLower(r); r {
		case 'œ':
			b.WriteString("oe")
		case 'æ':
			b.WriteString("ae")
		case 'ß':
			b.WriteString("ss")
		case 'ø':
			b.WriteByte('o')
		case 'ł':
			b.WriteByte('l')
		case '’', 'ʼ', '‘':
			b.WriteByte('\'')
		case '‐', '‑', '–':
			b.WriteByte('-')
		default:
			b.WriteRune(r)
		}
	}
	// Without the accents between them, other marks may have to change places.
	return norm.NFKD.String(b.String())
}

// foldASCII folds text that needs nothing but lower case, which is most of it.
func foldASCII(s string) (string, bool) {
	upper := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 0x80, c < ' ', c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' '):
			return "", false
		case 'A' <= c && c <= 'Z':
			upper = true
		}
	}
	if upper {
		return strings.ToLower(s), true
	}
	return s, true
}
