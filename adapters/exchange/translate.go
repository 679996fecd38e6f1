package exchange

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// translation turns what a file says into a value of a criterion, and back. A
// text that means nothing gives nil; one that is not in it comes through as it
// is, for the site to judge.
type translation struct {
	read  func(text string) any       // nil: the file is not believed
	write func(criteria.Value) string // nil: the file is not told
	// flag: OUI and NON are written, in the words of the format.
	flag bool
	// when reports whether the file is told of a product with these values; nil: of any.
	when func(criteria.Values) bool
	// knows reports whether the text is one that the column has; nil: any is.
	knows func(text string) bool
}

// plausible reports whether the column may have this text.
func (t translation) plausible(text string) bool {
	if t.knows == nil {
		return true
	}
	text, _ = plainText(text)
	return text == "" || t.knows(text)
}

func same(text string) any { return text }

func plain(v criteria.Value) string {
	switch v := v.(type) {
	case criteria.Number:
		return v.String()
	case criteria.Unique:
		return string(v)
	case criteria.Text:
		return string(v)
	case criteria.Flag:
		if v {
			return "OUI"
		}
		return "NON"
	}
	return ""
}

var (
	text     = translation{read: same, write: plain}
	readOnly = text.unwritten()
	// writeOnly is what nobody believes.
	writeOnly = text.unread()
	upper     = translation{read: same, write: func(v criteria.Value) string { return strings.ToUpper(plain(v)) }}
	number    = numeral{}.translation()
	// amount is a number of which software writes 0 when it is unknown.
	amount = numeral{unknown: true}.translation()
	money  = numeral{units: euros, group: thousands}.translation()
	fees   = numeral{units: euros, words: withTax, group: thousands, unknown: true}.translation()
	// rent is what is paid by the month, dues by the year.
	rent   = numeral{units: euros, words: monthly, group: thousands}.translation()
	dues   = numeral{units: euros, words: eachYear, group: thousands}.translation()
	price  = numeral{units: euros, words: monthly, group: thousands, unknown: true}.translation()
	area   = numeral{units: squares, unknown: true}.translation()
	land   = numeral{units: squares, group: either, unknown: true}.translation()
	energy = numeral{units: yearly, unknown: true}.translation()

	yesNo = translation{read: func(text string) any {
		if flag, known := flagOf(text); known {
			return flag
		}
		return text
	}, write: plain, flag: true, knows: func(text string) bool { _, known := flagOf(text); return known }}

	// some is a number of things that is told only as yes or no.
	some = translation{read: func(text string) any {
		if n, ok := (numeral{}).read(text); ok {
			return strings.Trim(n, "0.-") != ""
		}
		return yesNo.read(text)
	}, write: func(v criteria.Value) string {
		if v == criteria.Flag(true) {
			return "1"
		}
		return "0"
	}, knows: func(text string) bool { return number.knows(text) || yesNo.knows(text) }}

	// floor is a number, or the word for the ground floor.
	floor = translation{read: func(text string) any {
		switch criteria.Fold(text) {
		case "rdc", "rez-de-chaussee", "rez de chaussee":
			return "0"
		}
		return number.read(text)
	}, write: plain, knows: func(text string) bool { return number.knows(text) || strings.HasPrefix(criteria.Fold(text), "r") }}

	postalCode = translation{read: same, write: plain, knows: func(text string) bool { code, is := postalCodeIn("", text); return is && code != "" || text == "0" }}
)

// letter is that of an energy label.
var letter = codes(pair{"A", "A"}, pair{"B", "B"}, pair{"C", "C"}, pair{"D", "D"}, pair{"E", "E"}, pair{"F", "F"}, pair{"G", "G"}, pair{"X", ""})

// day is date, written in the order of ISO.
var day = func() translation {
	t := date
	t.write = func(v criteria.Value) string {
		if d, ok := v.(criteria.Date); ok {
			return d.At.Format(time.DateOnly)
		}
		return ""
	}
	return t
}()

// date is a day in the order of French or of ISO. Zeros say that it is not known.
var date = translation{read: func(text string) any {
	if day, ok := dayOf(text); ok {
		return day
	}
	return text
}, write: func(v criteria.Value) string {
	if d, ok := v.(criteria.Date); ok {
		return d.At.Format("02/01/2006")
	}
	return ""
}, knows: func(text string) bool { _, ok := dayOf(text); return ok }}

var (
	dayFirst  = regexp.MustCompile(`^(\d{2})[-./](\d{2})[-./](\d{4})(?:[ T]0?0:00(?::00)?)?$`)
	yearFirst = regexp.MustCompile(`^(\d{4})[-./]?(\d{2})[-./]?(\d{2})(?:[ T]0?0:00(?::00)?(?:\.0+)?)?$`)
)

// dayOf returns the day that a text names, as criteria have it; nil when it names none.
func dayOf(text string) (any, bool) {
	parts := yearFirst.FindStringSubmatch(text)
	if m := dayFirst.FindStringSubmatch(text); m != nil {
		parts = []string{m[0], m[3], m[2], m[1]}
	}
	if parts == nil {
		_, known := criteria.ParseDate(text, nil)
		return text, known
	}
	if parts[2] == "00" && parts[3] == "00" {
		return nil, true
	}
	return strings.Join(parts[1:], "-"), true
}

// year is a number, or a day in that year.
var year = translation{read: func(text string) any {
	if day, ok := dayOf(text); ok && len(text) > 4 {
		if day, ok := day.(string); ok {
			return day[:min(4, len(day))]
		}
		return nil
	}
	return amount.read(text)
}, write: plain, knows: func(text string) bool { return amount.knows(text) || date.knows(text) }}

func flagOf(text string) (flag, known bool) {
	switch criteria.Fold(text) {
	case "oui", "o", "true", "1":
		return true, true
	case "non", "n", "false", "0":
		return false, true
	}
	return false, false
}

// onlyYes returns a column that says OUI for some codes of a choice and leaves the
// others to other columns. The first of them is read.
func onlyYes(codes ...string) translation {
	return translation{read: func(text string) any {
		switch flag, known := flagOf(text); {
		case !known:
			return text
		case flag:
			return codes[0]
		}
		return nil
	}, write: func(v criteria.Value) string {
		if slices.Contains(codes, plain(v)) {
			return "OUI"
		}
		return ""
	}, flag: true, knows: yesNo.knows}
}

// onlyNo returns a column that says NON for some codes, and OUI for others.
func onlyNo(codes ...string) translation {
	return translation{write: func(v criteria.Value) string {
		if slices.Contains(codes, plain(v)) {
			return "NON"
		}
		return "OUI"
	}, flag: true}
}

// codesOfFlag returns a column that has words for yes and no, of which empty ones are not written, and more
// words for yes.
func codesOfFlag(yes, no string, alsoYes ...string) translation {
	return translation{read: func(text string) any {
		is := func(word string) bool { return strings.EqualFold(word, text) }
		switch {
		case is(yes) || slices.ContainsFunc(alsoYes, is):
			return true
		case is(no):
			return false
		}
		return yesNo.read(text)
	}, write: func(v criteria.Value) string {
		if v == criteria.Flag(true) {
			return yes
		}
		return no
	}}
}

// opposite says yes for no.
func (t translation) opposite() translation {
	read, write := t.read, t.write
	t.read = func(text string) any {
		if flag, is := read(text).(bool); is {
			return !flag
		}
		return text
	}
	t.write = func(v criteria.Value) string {
		if flag, is := v.(criteria.Flag); is {
			return write(!flag)
		}
		return ""
	}
	return t
}

// pair is a word of the file and the code of a choice.
type pair struct{ word, code string }

// codes translates by a list of words. Among those for one code the first is
// written; a word without a code means nothing.
func codes(pairs ...pair) translation {
	known := func(text string) (pair, bool) {
		for _, p := range pairs {
			if criteria.Fold(p.word) == criteria.Fold(text) {
				return p, true
			}
		}
		return pair{}, false
	}
	return translation{
		knows: func(text string) bool { _, ok := known(text); return ok },
		read: func(text string) any {
			switch p, ok := known(text); {
			case !ok:
				return text
			case p.code == "":
				return nil
			default:
				return p.code
			}
		},
		write: func(v criteria.Value) string {
			for _, p := range pairs {
				if p.code == plain(v) {
					return p.word
				}
			}
			return ""
		},
	}
}

// or writes a word for the values that the list has none for.
func (t translation) or(word string) translation {
	write := t.write
	t.write = func(v criteria.Value) string {
		if known := write(v); known != "" {
			return known
		}
		return word
	}
	return t
}

// someOf is codes for a column with many more words, which are ignored.
func someOf(pairs ...pair) translation {
	t := codes(pairs...)
	read, knows := t.read, t.knows
	t.read = func(text string) any {
		if knows(text) {
			return read(text)
		}
		return nil
	}
	return t.anything()
}

// anything lets the column have more words than are known.
func (t translation) anything() translation { t.knows = nil; return t }

// only tells the file of products with these values alone.
func (t translation) only(when func(criteria.Values) bool) translation { t.when = when; return t }

// is reads a code of whatever is there.
func is(code string) translation { return translation{read: func(string) any { return code }} }

// always is for what a file says of every listing alike, and nothing is read from.
func always(said string) translation {
	return translation{write: func(criteria.Value) string { return said }}
}

// unread is for what portals are told, and nobody believes.
func (t translation) unread() translation { t.read = nil; return t }

// unwritten is for what a file tells and portals are not told.
func (t translation) unwritten() translation { t.write = nil; return t }

// bits translates a number that is a sum of parts.
func bits(parts ...struct {
	bit  int
	code string
}) translation {
	return translation{
		knows: number.knows,
		read: func(text string) any {
			sum, err := strconv.Atoi(text)
			if err != nil {
				return text
			}
			for _, p := range parts {
				if sum&p.bit != 0 {
					return p.code
				}
			}
			return nil
		},
		write: func(v criteria.Value) string {
			for _, p := range parts {
				if p.code == plain(v) {
					return strconv.Itoa(p.bit)
				}
			}
			return ""
		},
	}
}
