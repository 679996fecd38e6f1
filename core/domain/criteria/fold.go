package criteria

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Normalise brings text into the form it is stored in: NFC, without outer
// spaces.
func Normalise(s string) string { return strings.TrimSpace(norm.NFC.String(s)) }

// Visible takes out of text what nobody sees, such as U+200B, U+FEFF and U+00AD, but
// the joiners, without which some scripts and emoji are written otherwise.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unseen(r) && !unicode.Is(unicode.Join_Control, r) && !unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, s)
}

// Bare takes everything that nobody sees out of text, the joiners included.
func Bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unseen(r) {
			return -1
		}
		return r
	}, s)
}

// unseen reports whether a character shows nothing and takes no room.
func unseen(r rune) bool {
	return r > unicode.MaxASCII && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) &&
		unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// letters are those of Latin script that Unicode takes for letters of their own, as
// they are compared.
var letters = map[rune]string{
	'œ': "oe", 'æ': "ae", 'ß': "ss", 'ø': "o", 'ł': "l", 'ı': "i", 'ȷ': "j", 'đ': "d", 'ð': "d", 'ɖ': "d", 'ɗ': "d", 'þ': "th", 'ħ': "h", 'ŧ': "t", 'ŋ': "n",
	'ĸ': "k", 'ƙ': "k", 'ƀ': "b", 'ɓ': "b", 'ƈ': "c", 'ȼ': "c", 'ǝ': "e", 'ə': "e", 'ɛ': "e", 'ɇ': "e", 'ƒ': "f", 'ǥ': "g", 'ɠ': "g", 'ɣ': "g", 'ɨ': "i", 'ɉ': "j",
	'ƚ': "l", 'ɫ': "l", 'ƞ': "n", 'ɲ': "n", 'ɔ': "o", 'ɵ': "o", 'ƥ': "p", 'ɍ': "r", 'ʃ': "s", 'ȿ': "s", 'ƭ': "t", 'ʈ': "t", 'ⱥ': "a", 'ⱦ': "t", 'ʉ': "u", 'ʋ': "v", 'ɏ': "y",
	'ƴ': "y", 'ƶ': "z", 'ʒ': "z", 'ȥ': "z",
}

// Fold brings text into the form it is compared in: without case, accents, outer
// spaces and what nobody sees, inner runs of space as one, ligatures spelt out, one
// apostrophe and one hyphen. "Saint-Étienne " and "saint-etienne" fold to the same
// text.
func Fold(s string) string {
	if folded, ok := foldASCII(s); ok {
		return folded
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range norm.NFKD.String(acutes.Replace(s)) {
		switch {
		case unicode.Is(unicode.Mn, r), unseen(r):
			continue
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		r = unicode.ToLower(r)
		switch plain, known := letters[r]; {
		case known:
			b.WriteString(plain)
		case strings.ContainsRune(apostrophes, r):
			b.WriteByte('\'')
		case unicode.Is(unicode.Pd, r), r == '−':
			b.WriteByte('-')
		default:
			b.WriteRune(r)
		}
	}
	// Without the accents between them, other marks may have to change places.
	return norm.NFKD.String(b.String())
}

// apostrophes are the characters that people type for one.
const apostrophes = "`’‘‛ʼʻʽʹ′‵"

// acutes are apostrophes that Unicode takes for a space with an accent.
var acutes = strings.NewReplacer("´", "'", "\u1ffd", "'")

// FoldPlace is Fold for names of places, in which hyphens, apostrophes and spaces are
// one, ST and STE are SAINT and SAINTE before another word, and CEDEX ends the name:
// "St-Étienne Cedex 2" and "saint etienne" fold to the same text.
func FoldPlace(name string) string {
	words := strings.FieldsFunc(Fold(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		switch last := i == len(words)-1; {
		case word == "st" && !last:
			words[i] = "saint"
		case word == "ste" && !last:
			words[i] = "sainte"
		case word == "cedex":
			return strings.Join(words[:i], " ")
		}
	}
	return strings.Join(words, " ")
}

// foldASCII folds text that needs nothing but lower case, which is most of it.
func foldASCII(s string) (string, bool) {
	upper := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 0x80, c < ' ', c == '`', c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' '):
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
