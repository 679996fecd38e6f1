package exchange

import (
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/criteria"
)

// translation turns what a file says into a value of a criterion, and back. A
// text that means nothing gives nil; one that is not in it comes through as it
// is, for the site to judge.
type translation struct {
	read  func(text string) any
	write func(criteria.Value) string // nil: the file is not told
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
	case criteria.Date:
		return v.At.Format("02/01/2006")
	case criteria.Flag:
		if v {
			return "OUI"
		}
		return "NON"
	}
	return ""
}

var (
	text   = translation{same, plain}
	date   = translation{same, plain}
	number = translation{decimal, plain}
	// amount is a number of which software writes 0 when it is unknown.
	amount = translation{func(text string) any {
		if strings.Trim(text, "0.,") == "" {
			return nil
		}
		return decimal(text)
	}, plain}
	yesNo = translation{func(text string) any {
		switch criteria.Fold(text) {
		case "oui", "o", "true", "1":
			return true
		case "non", "n", "false", "0":
			return false
		}
		return text
	}, plain}
)

// decimal brings a number into the one form that criteria have.
func decimal(text string) any {
	return strings.NewReplacer(",", ".", " ", "", "\u00a0", "", "\u202f", "").Replace(text)
}

// pair is a word of the file and the code of a choice.
type pair struct{ word, code string }

// codes translates by a list of words. Among those for one code the first is
// written; a word without a code means nothing.
func codes(pairs ...pair) translation {
	return translation{
		read: func(text string) any {
			for _, p := range pairs {
				if criteria.Fold(p.word) == criteria.Fold(text) {
					if p.code == "" {
						return nil
					}
					return p.code
				}
			}
			return text
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
	read := t.read
	t.read = func(text string) any {
		for _, p := range pairs {
			if criteria.Fold(p.word) == criteria.Fold(text) {
				return read(text)
			}
		}
		return nil
	}
	return t
}

// unwritten is for what a file tells and portals are not told.
func (t translation) unwritten() translation { t.write = nil; return t }

// bits translates a number that is a sum of parts.
func bits(parts ...struct {
	bit  int
	code string
}) translation {
	return translation{
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
