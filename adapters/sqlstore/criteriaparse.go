package sqlstore

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// ParseCriteria reads criteria in the stored form. What it returns shares no
// memory with s.
func ParseCriteria(s string) (criteria.Values, error) {
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

// appendFacts reads criteria in the stored form, and appends them to facts, with the codes
// of those that have several in codes. They share the memory of s.
func appendFacts(facts criteria.Facts, codes []string, s string) (criteria.Facts, []string, error) {
	p := parser{s: s, facts: facts, choices: codes}
	if err := p.object(); err != nil {
		return facts, codes, fmt.Errorf("criteria, at byte %d: %w", p.i, err)
	}
	return p.facts, p.choices, nil
}

// parser reads one text after another, and keeps what they have in common.
type parser struct {
	s string
	i int
	// facts are what was read, and choices the codes of those that have several.
	facts   criteria.Facts
	choices []string
	// names are keys and codes met before, codes the values made of the latter.
	names map[string]string
	codes map[string]criteria.Value
}

// A parser keeps no more than this, and nothing long.
const (
	maxShared       = 4096
	maxSharedLength = 64
)

var parsers = sync.Pool{New: func() any {
	return &parser{names: map[string]string{}, codes: map[string]criteria.Value{}}
}}

// values reads a text into memory of its own, and shares what was met before.
func (p *parser) values() (criteria.Values, error) {
	p.facts, p.choices = p.facts[:0], p.choices[:0]
	// What stays here must not keep the text in memory.
	defer func() {
		clear(p.facts)
		clear(p.choices)
	}()
	if err := p.object(); err != nil {
		return nil, err
	}
	values := make(criteria.Values, len(p.facts))
	for i := range p.facts {
		f := &p.facts[i]
		values[p.name(f.Key)] = p.value(f)
	}
	return values, nil
}

// value is the value of a fact.
func (p *parser) value(f *criteria.Fact) criteria.Value {
	switch f.Type {
	case criteria.UNIQUE:
		return p.code(f.Text)
	case criteria.TEXT:
		return criteria.Text(strings.Clone(f.Text))
	case criteria.MULTIPLE:
		codes := make(criteria.Multiple, len(f.Codes))
		for i, code := range f.Codes {
			codes[i] = p.name(code)
		}
		return codes
	case criteria.NUMBER, criteria.FLAG, criteria.DATE:
	}
	return f.Value()
}

// name is a key or a code, which are few.
func (p *parser) name(s string) string {
	known, ok := p.names[s]
	if ok {
		return known
	}
	s = strings.Clone(s)
	if len(s) <= maxSharedLength && len(p.names) < maxShared {
		p.names[s] = s
	}
	return s
}

// code is the value of a UNIQUE criterion.
func (p *parser) code(s string) criteria.Value {
	known, ok := p.codes[s]
	if ok {
		return known
	}
	s = p.name(s)
	v := criteria.Value(criteria.Unique(s))
	if len(s) <= maxSharedLength && len(p.codes) < maxShared {
		p.codes[s] = v
	}
	return v
}

// object reads the whole text.
func (p *parser) object() error {
	if !p.skip('{') {
		return p.expected("{")
	}
	previous := ""
	for first := true; !p.skip('}'); first = false {
		if !first && !p.skip(',') {
			return p.expected("a comma")
		}
		key, err := p.string()
		if err != nil {
			return err
		}
		if !first && key <= previous {
			return fmt.Errorf("the key %q is out of order", key)
		}
		if previous = key; !p.skip(':') {
			return p.expected("a colon")
		}
		p.facts = append(p.facts, criteria.Fact{Key: key})
		if err := p.fact(&p.facts[len(p.facts)-1]); err != nil {
			return err
		}
	}
	if p.i != len(p.s) {
		return p.expected("the end")
	}
	return nil
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

// string reads a string.
func (p *parser) string() (string, error) {
	raw, plain, err := p.text()
	if err != nil {
		return "", err
	}
	return unescape(raw, plain)
}

// unescape is the text of a string.
func unescape(raw string, plain bool) (string, error) {
	if plain {
		return raw, nil
	}
	var s string
	err := json.Unmarshal([]byte(`"`+raw+`"`), &s)
	return s, err
}

// fact reads the value of a fact.
func (p *parser) fact(f *criteria.Fact) (err error) {
	if p.i == len(p.s) {
		return p.expected("a value")
	}
	switch c := p.s[p.i]; {
	case c == '"':
		return p.prefixed(f)
	case c == '[':
		f.Type = criteria.MULTIPLE
		f.Codes, err = p.multiple()
	case p.skipWord("true"):
		f.Type, f.Flag = criteria.FLAG, true
	case p.skipWord("false"):
		f.Type = criteria.FLAG
	default:
		f.Type = criteria.NUMBER
		f.Number, err = p.number()
	}
	return err
}

// prefixed is a value whose type is its first letter.
func (p *parser) prefixed(f *criteria.Fact) (err error) {
	raw, plain, err := p.text()
	if err != nil {
		return err
	}
	if raw == "" {
		return p.expected("the letter of a type")
	}
	switch letter, raw := raw[0], raw[1:]; letter {
	case 'u':
		f.Type = criteria.UNIQUE
		f.Text, err = unescape(raw, plain)
		return err
	case 't':
		f.Type = criteria.TEXT
		f.Text, err = unescape(raw, plain)
		return err
	case 'd':
		at, ok := parseDay(raw)
		if !ok || len(raw) != len(time.DateOnly) {
			return fmt.Errorf("%q is no day", raw)
		}
		f.Type, f.Date, f.Text = criteria.DATE, criteria.Date{At: at}, raw
		return nil
	case 'i':
		at, ok := parseInstant(raw)
		if !ok {
			return fmt.Errorf("%q is no instant", raw)
		}
		f.Type, f.Date = criteria.DATE, criteria.Date{At: at, Timed: true}
		f.Text = f.Date.String()
		return nil
	}
	return fmt.Errorf("%q is the letter of no type", raw[:1])
}

func (p *parser) multiple() ([]string, error) {
	p.i++
	from := len(p.choices)
	for first := true; !p.skip(']'); first = false {
		if !first && !p.skip(',') {
			return nil, p.expected("a comma")
		}
		code, err := p.string()
		if err != nil {
			return nil, err
		}
		p.choices = append(p.choices, code)
	}
	if len(p.choices) == from {
		return []string{}, nil
	}
	return p.choices[from:len(p.choices):len(p.choices)], nil
}

// number reads what appendNumber writes. A mantissa and a power of ten that
// float64 holds exactly make the nearest number with one division; the rest is
// the library's.
func (p *parser) number() (float64, error) {
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
		return 0, p.expected("a value")
	}
	if p.skip('.') {
		for ; p.i < len(p.s) && isDigit(p.s[p.i]); p.i++ {
			mantissa = mantissa*10 + uint64(p.s[p.i]-'0')
			digits++
			decimals++
		}
		if decimals == 0 {
			return 0, p.expected("decimals")
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
			return 0, p.expected("an exponent")
		}
		digits = math.MaxInt
	}
	if digits > 15 {
		return strconv.ParseFloat(p.s[start:p.i], 64)
	}
	f := float64(mantissa) / powers[decimals]
	if negative {
		f = -f
	}
	return f, nil
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
