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
	yearly  = []string{"kwh/m²/an", "kwh/m2/an", "kwhep/m²/an", "kwhep/m2/an", "kwhep/m².an", "kgco2/m²/an", "kgco2/m2/an", "kg/m²/an", "kg co2/m²/an"}
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

// bare returns the text without units, with a plain space for every run of spaces.
func (n numeral) bare(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToLower(text), unicode.IsSpace), " ")
	text = strings.NewReplacer("\u2212", "-", "- ", "-").Replace(text)
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
