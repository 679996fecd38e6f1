package sqlstore

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/criteria"
)

// parseValues reads criteria in the stored form. What it returns shares no
// memory with s.
func parseValues(s string) (criteria.Values, error) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	p.s, p.i = s, 0
	values, err := p.values()
	p.s = ""
	if err != nil {
		return nil, fmt.Errorf("criteria, at byte %d: %w", p.i, err)
	}
	return values, nil
}

// parser reads one text after another, and keeps what they have in common.
type parser struct {
	s string
	i int
	// names are keys and codes met before, codes the values made of the latter.
	names map[string]string
	codes map[string]criteria.Value
	// size is how many criteria the last product had.
	size int
}

// A parser keeps no more than this, and nothing long.
const (
	maxShared       = 4096
	maxSharedLength = 64
)

var parsers = sync.Pool{New: func() any {
	return &parser{names: map[string]string{}, codes: map[string]criteria.Value{}}
}}

func (p *parser) values() (criteria.Values, error) {
	if !p.skip('{') {
		return nil, p.expected("{")
	}
	values := make(criteria.Values, p.size)
	previous := ""
	for first := true; !p.skip('}'); first = false {
		if !first && !p.skip(',') {
			return nil, p.expected("a comma")
		}
		raw, plain, err := p.text()
		if err != nil {
			return nil, err
		}
		key, err := p.name(raw, plain)
		if err != nil {
			return nil, err
		}
		if !first && key <= previous {
			return nil, fmt.Errorf("the key %q is out of order", key)
		}
		if previous = key; !p.skip(':') {
			return nil, p.expected("a colon")
		}
		if values[key], err = p.value(); err != nil {
			return nil, err
		}
	}
	if p.i != len(p.s) {
		return nil, p.expected("the end")
	}
	p.size = len(values)
	return values, nil
}

func (p *parser) skip(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *parser) skipWord(word string) bool {
	if strings.HasPrefix(p.s[p.i:], word) {
		p.i += len(word)
		return true
	}
	return false
}

func (p *parser) expected(what string) error { return fmt.Errorf("expected %s", what) }

// text finds the end of a string. What it returns lies between the quotes;
// plain is false if it has escapes in it.
func (p *parser) text() (raw string, plain bool, err error) {
	if !p.skip('"') {
		return "", false, p.expected("a string")
	}
	plain = true
	for start := p.i; p.i < len(p.s); p.i++ {
		switch c := p.s[p.i]; {
		case c == '"':
			p.i++
			return p.s[start : p.i-1], plain, nil
		case c == '\\':
			plain = false
			p.i++
		case c < ' ':
			return "", false, p.expected("no control character")
		}
	}
	return "", false, p.expected("the end of a string")
}

// unescape copies the text of a string.
func unescape(raw string, plain bool) (string, error) {
	if plain {
		return strings.Clone(raw), nil
	}
	var s string
	err := json.Unmarshal([]byte(`"`+raw+`"`), &s)
	return s, err
}

// name is a key or a code, which are few.
func (p *parser) name(raw string, plain bool) (string, error) {
	if known, ok := p.names[raw]; ok && plain {
		return known, nil
	}
	s, err := unescape(raw, plain)
	if err == nil && plain && len(s) <= maxSharedLength && len(p.names) < maxShared {
		p.names[s] = s
	}
	return s, err
}

// code is the value of a UNIQUE criterion.
func (p *parser) code(raw string, plain bool) (criteria.Value, error) {
	if known, ok := p.codes[raw]; ok && plain {
		return known, nil
	}
	s, err := p.name(raw, plain)
	if err != nil {
		return nil, err
	}
	v := criteria.Value(criteria.Unique(s))
	if plain && len(s) <= maxSharedLength && len(p.codes) < maxShared {
		p.codes[s] = v
	}
	return v, nil
}

func (p *parser) value() (criteria.Value, error) {
	if p.i == len(p.s) {
		return nil, p.expected("a value")
	}
	switch c := p.s[p.i]; {
	case c == '"':
		return p.prefixed()
	case c == '[':
		return p.multiple()
	case p.skipWord("true"):
		return criteria.Flag(true), nil
	case p.skipWord("false"):
		return criteria.Flag(false), nil
	default:
		return p.number()
	}
}

// prefixed is a value whose type is its first letter.
func (p *parser) prefixed() (criteria.Value, error) {
	raw, plain, err := p.text()
	if err != nil {
		return nil, err
	}
	if raw == "" {
		return nil, p.expected("the letter of a type")
	}
	switch letter, raw := raw[0], raw[1:]; letter {
	case 'u':
		return p.code(raw, plain)
	case 't':
		s, err := unescape(raw, plain)
		return criteria.Text(s), err
	case 'd':
		at, ok := parseDay(raw)
		if !ok || len(raw) != len(time.DateOnly) {
			return nil, fmt.Errorf("%q is no day", raw)
		}
		return criteria.Date{At: at}, nil
	case 'i':
		at, ok := parseInstant(raw)
		if !ok {
			return nil, fmt.Errorf("%q is no instant", raw)
		}
		return criteria.Date{At: at, Timed: true}, nil
	}
	return nil, fmt.Errorf("%q is the letter of no type", raw[:1])
}

func (p *parser) multiple() (criteria.Value, error) {
	p.i++
	codes := criteria.Multiple{}
	for first := true; !p.skip(']'); first = false {
		if !first && !p.skip(',') {
			return nil, p.expected("a comma")
		}
		raw, plain, err := p.text()
		if err != nil {
			return nil, err
		}
		code, err := p.name(raw, plain)
		if err != nil {
			return nil, err
		}
		codes = append(codes, code)
	}
	return codes, nil
}

// number reads what appendNumber writes. A mantissa and a power of ten that
// float64 holds exactly make the nearest number with one division; the rest is
// the library's.
func (p *parser) number() (criteria.Value, error) {
	start := p.i
	var mantissa uint64
	digits, decimals := 0, 0
	negative := p.skip('-')
	whole := p.i
	for ; p.i < len(p.s) && isDigit(p.s[p.i]); p.i++ {
		mantissa = mantissa*10 + uint64(p.s[p.i]-'0')
		digits++
	}
	if digits == 0 || digits > 1 && p.s[whole] == '0' {
		return nil, p.expected("a value")
	}
	if p.skip('.') {
		for ; p.i < len(p.s) && isDigit(p.s[p.i]); p.i++ {
			mantissa = mantissa*10 + uint64(p.s[p.i]-'0')
			digits++
			decimals++
		}
		if decimals == 0 {
			return nil, p.expected("decimals")
		}
	}
	if p.skip('e') {
		if !p.skip('-') {
			p.skip('+')
		}
		exponent := p.i
		for p.i < len(p.s) && isDigit(p.s[p.i]) {
			p.i++
		}
		if p.i == exponent {
			return nil, p.expected("an exponent")
		}
		digits = math.MaxInt
	}
	if digits > 15 {
		f, err := strconv.ParseFloat(p.s[start:p.i], 64)
		return criteria.Number(f), err
	}
	f := float64(mantissa) / powers[decimals]
	if negative {
		f = -f
	}
	return criteria.Number(f), nil
}

var powers = [16]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// parseDay reads the day a text begins with.
func parseDay(s string) (time.Time, bool) {
	if len(s) < len(time.DateOnly) || s[4] != '-' || s[7] != '-' {
		return time.Time{}, false
	}
	y, okYear := parseDigits(s[:4])
	m, okMonth := parseDigits(s[5:7])
	d, okDay := parseDigits(s[8:10])
	at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	// time.Date takes the 30th of February for a day in March.
	return at, okYear && okMonth && okDay && m >= 1 && m <= 12 && at.Day() == d
}

func parseInstant(s string) (time.Time, bool) {
	at, ok := parseDay(s)
	if !ok || len(s) != len(instantLayout) || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != '.' || s[26] != 'Z' {
		return time.Time{}, false
	}
	hours, okHours := parseDigits(s[11:13])
	minutes, okMinutes := parseDigits(s[14:16])
	seconds, okSeconds := parseDigits(s[17:19])
	micros, okMicros := parseDigits(s[20:26])
	if !okHours || !okMinutes || !okSeconds || !okMicros || hours > 23 || minutes > 59 || seconds > 59 {
		return time.Time{}, false
	}
	return at.Add(time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute +
		time.Duration(seconds)*time.Second + time.Duration(micros)*time.Microsecond), true
}

func parseDigits(s string) (int, bool) {
	n := 0
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
