package exchange

import (
	"regexp"
	"strings"
	"unicode"
)

// numeral is how a column writes its numbers.
type numeral struct {
	// units are what may stand next to the number, in lower case.
	units []string
	// group is what three digits after one point or comma are.
	group group
	// words are what may come behind the number and its unit, in lower case; nil is nothing.
	words *regexp.Regexp
	// unknown: a 0 says that the number is not known.
	unknown bool
}

// group is what the last three digits of 12.500 are, which does not show.
type group int

const (
	decimals  group = iota
	thousands       // of money, which has at most two decimals
	either          // the number cannot be read
)

var (
	euros   = []string{"euros", "euro", "eur", "€"}
	squares = []string{"m²", "m2"}
	// monthly are words behind a price or a rent, by the month if it is one; eachYear those behind
	// what is paid by the year. "1 mois" is no amount of money.
	monthly = phrases("fai", "hai", "cc", "hc", "ttc", "par mois", "mensuel", "mensuels", "charges comprises", "hors charges",
		"honoraires inclus", "honoraires d agence inclus", "honoraires compris", "frais d agence inclus", "frais inclus")
	eachYear = phrases("par an", "annuel", "annuels")
	withTax  = phrases("ttc")

	yearly = []string{"kwh/m²/an", "kwh/m2/an", "kwhep/m²/an", "kwhep/m2/an", "kwhep/m².an", "kgco2/m²/an", "kgco2/m2/an", "kg/m²/an", "kg co2/m²/an"}
)

// The numbers, with spaces already plain and single.
var (
	plainNumber = regexp.MustCompile(`^([+-]?\d+)(?:([.,])(\d+))?$`)
	// Groups of three digits behind one kind of sign, and decimals behind another.
	spaced = regexp.MustCompile(`^([+-]?\d{1,3}(?:[ '’]\d{3})+)(?:[.,](\d+))?$`)
	dotted = regexp.MustCompile(`^([+-]?\d{1,3}(?:\.\d{3})+),(\d+)$|^([+-]?\d{1,3}(?:\.\d{3}){2,})$`)
	comma  = regexp.MustCompile(`^([+-]?\d{1,3}(?:,\d{3})+)\.(\d+)$|^([+-]?\d{1,3}(?:,\d{3}){2,})$`)
)

// read brings a number into the one form that criteria have, and reports whether
// the text is one.
func (n numeral) read(text string) (string, bool) {
	text = n.bare(text)
	if m := plainNumber.FindStringSubmatch(text); m != nil {
		whole, fraction := m[1], m[3]
		digits := strings.TrimLeft(whole, "+-")
		if len(fraction) == 3 && len(digits) <= 3 && strings.Trim(digits, "0") != "" {
			switch n.group {
			case thousands:
				return joined(whole+fraction, ""), true
			case either:
				return "", false
			case decimals:
			}
		}
		return joined(whole, fraction), true
	}
	for _, form := range []*regexp.Regexp{spaced, dotted, comma} {
		if m := form.FindStringSubmatch(text); m != nil {
			return joined(strings.Join(m[1:2], "")+strings.Join(m[3:], ""), m[2]), true
		}
	}
	return "", false
}

// phrases matches any of some phrases, one after the other.
func phrases(all ...string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:` + strings.Join(all, "|") + `)(?: |$))+$`)
}

var (
	afterNumber = regexp.MustCompile(`^(.*?\d)[^\d]*$`)
	anyMark     = regexp.MustCompile(`[^\p{L}€]+`)
)

// worded returns the text without the words behind the number, if they are those that it may have.
func (n numeral) worded(text string) string {
	found := afterNumber.FindStringSubmatch(text)
	if n.words == nil || found == nil {
		return text
	}
	said := strings.TrimSpace(anyMark.ReplaceAllString(strings.NewReplacer(".", "", "/", " par ").Replace(text[len(found[1]):]), " "))
	for _, unit := range n.units {
		if rest, is := strings.CutPrefix(said, unit); is && (rest == "" || rest[0] == ' ') {
			said = strings.TrimSpace(rest)
		}
	}
	if n.words.MatchString(said) {
		return found[1]
	}
	return text
}

// bare returns the text without units, with a plain space for every run of spaces.
func (n numeral) bare(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToLower(text), unicode.IsSpace), " ")
	text = n.worded(strings.NewReplacer("\u2212", "-", "- ", "-").Replace(text))
	for _, unit := range n.units {
		for _, rest := range []string{strings.TrimSuffix(text, unit), strings.TrimPrefix(text, unit)} {
			if rest = strings.TrimSpace(rest); rest != text && rest != "" {
				return rest
			}
		}
	}
	return text
}

// grouping is what stands between groups of three digits.
var grouping = strings.NewReplacer(" ", "", "'", "", "’", "", ".", "", ",", "", "+", "")

func joined(whole, fraction string) string {
	whole = grouping.Replace(whole)
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

func (n numeral) translation() translation {
	return translation{
		read: func(text string) any {
			number, ok := n.read(text)
			switch {
			case !ok:
				return text
			case n.unknown && strings.Trim(number, "0.-") == "":
				return nil
			}
			return number
		},
		knows: func(text string) bool { _, ok := n.read(text); return ok },
		write: plain,
	}
}
