package criteria

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Literal is a number exactly as a request wrote it.
type Literal string

// Raw is a value as a request carries it, before its type is known: nil, bool,
// string, Literal, or []any of these. Anything else is of no criterion's type.
type Raw struct{ V any }

// Empty reports whether the value clears a criterion: null, "" or [].
func (r Raw) Empty() bool {
	switch v := r.V.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	}
	return false
}

// Restate returns a value as a request would carry it, to be parsed again.
func Restate(v Value) Raw {
	switch v := v.(type) {
	case Unique:
		return Raw{string(v)}
	case Number:
		return Raw{Literal(v.String())}
	case Flag:
		return Raw{bool(v)}
	case Text:
		return Raw{string(v)}
	case Multiple:
		codes := make([]any, len(v))
		for i, code := range v {
			codes[i] = code
		}
		return Raw{codes}
	case Date:
		return Raw{v.String()}
	}
	return Raw{}
}

// Reading says how values are read.
type Reading struct {
	// Zone is where dates without an offset are.
	Zone *time.Location
	// Operand reads what a search compares with rather than what a product is
	// given: codes that are not active any more count, and the bounds and the
	// form of the criterion do not, for part of a position or a price above the
	// maximum may well be searched for.
	Operand bool
	// Public reads a search of somebody to whom private criteria do not exist.
	Public bool
}

// Parse reads a value of the criterion, or reports the problem as a detail
// without a field: criteria_value_unrecognised when a code is not in the
// referential, invalid_coordinates for Alentour, out_of_range beyond the
// definition's bounds, invalid_criteria_value for everything of the wrong type.
// A Raw that is Empty has no value: the caller decides what that means.
func (d Definition) Parse(raw Raw, how Reading) (Value, *fault.Detail) {
	switch d.Type {
	case UNIQUE:
		return d.parseUnique(raw, how)
	case NUMBER:
		return d.parseNumber(raw, how)
	case FLAG:
		return d.parseFlag(raw)
	case TEXT:
		return d.parseText(raw, how)
	case MULTIPLE:
		return d.parseMultiple(raw, how)
	case DATE:
		return d.parseDate(raw, how)
	}
	return nil, d.wrong(raw, "the criterion has no known type")
}

func (d Definition) wrong(raw Raw, format string, args ...any) *fault.Detail {
	return d.refused(raw, fault.CodeInvalidCriteriaValue, fault.Textf(format, args...))
}

func (d Definition) refused(raw Raw, code fault.Code, why fault.Text) *fault.Detail {
	return &fault.Detail{Code: code, Message: fault.Textf("%s: %s", d.Key, why), Value: shown(raw.V)}
}

// shown returns a request's value as an error repeats it; lists and other large
// things are not repeated.
func shown(v any) any {
	switch v := v.(type) {
	case bool:
		return v
	case Literal:
		return string(v)
	case string:
		if utf8.RuneCountInString(v) > 100 {
			return string([]rune(v)[:100]) + "…"
		}
		return v
	}
	return nil
}

func (d Definition) unrecognised(code any) *fault.Detail {
	detail := &fault.Detail{
		Code: fault.CodeCriteriaValueUnknown, Value: shown(code),
		Message: fault.Textf("%s: the value is not a code of the criterion's referential", d.Key),
	}
	for _, c := range d.Choices {
		if c.Active && len(detail.Accepted) < fault.MaxAccepted {
			detail.Accepted = append(detail.Accepted, c.Code)
		}
	}
	return detail
}

func (d Definition) knows(code string, how Reading) bool {
	c, found := d.Choice(code)
	return found && (c.Active || how.Operand)
}

func (d Definition) parseUnique(raw Raw, how Reading) (Value, *fault.Detail) {
	switch v := raw.V.(type) {
	case string:
		if d.knows(v, how) {
			return Unique(v), nil
		}
		return nil, d.unrecognised(v)
	case Literal, bool:
		return nil, d.unrecognised(v)
	}
	return nil, d.wrong(raw, "expected one code as a string")
}

func (d Definition) parseMultiple(raw Raw, how Reading) (Value, *fault.Detail) {
	items, ok := raw.V.([]any)
	if !ok {
		items = []any{raw.V}
	}
	given := make(map[string]bool, len(items))
	for _, item := range items {
		code, ok := item.(string)
		switch {
		case !ok && (item == nil || isList(item)):
			return nil, d.wrong(raw, "expected an array of codes")
		case !ok || !d.knows(code, how):
			return nil, d.unrecognised(item)
		}
		given[code] = true
	}
	set := make(Multiple, 0, len(given))
	for _, c := range d.Choices {
		if given[c.Code] {
			set = append(set, c.Code)
		}
	}
	return set, nil
}

func isList(v any) bool {
	switch v.(type) {
	case string, bool, Literal:
		return false
	}
	return true
}

var decimal = regexp.MustCompile(`^[+-]?\d+(\.\d+)?$`)

func (d Definition) parseNumber(raw Raw, how Reading) (Value, *fault.Detail) {
	var text string
	switch v := raw.V.(type) {
	case Literal:
		text = string(v)
	case string:
		text = strings.TrimSpace(v)
		if !decimal.MatchString(text) {
			return nil, d.wrong(raw, "expected a number with a decimal point, without spaces or unit")
		}
	default:
		return nil, d.wrong(raw, "expected a number")
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !finite(n) {
		return nil, d.wrong(raw, "the number is too large")
	}
	n += 0 // -0 is 0
	if how.Operand {
		return Number(n), nil
	}
	if d.IsMoney() {
		n = Cents(n)
	}
	if d.Decimals != nil {
		fitting, ok := Fit(n, *d.Decimals)
		if !ok {
			return nil, d.wrong(raw, "the most decimals are %d", *d.Decimals)
		}
		n = fitting
	}
	least := d.Min
	if zero := 0.0; (d.Key == KeyConsumption || d.Key == KeyEmission) && (least == nil || *least < 0) {
		least = &zero
	}
	switch {
	case least != nil && n < *least:
		return nil, d.outOfRange(raw, "must be at least %s", Number(*least))
	case d.Max != nil && n > *d.Max:
		return nil, d.outOfRange(raw, "must be at most %s", Number(*d.Max))
	}
	return Number(n), nil
}

func (d Definition) outOfRange(raw Raw, format string, args ...any) *fault.Detail {
	return d.refused(raw, fault.CodeOutOfRange, fault.Textf(format, args...))
}

func (d Definition) parseFlag(raw Raw) (Value, *fault.Detail) {
	switch v := raw.V.(type) {
	case bool:
		return Flag(v), nil
	case string:
		if v == "0" || v == "1" {
			return Flag(v == "1"), nil
		}
	case Literal:
		if n, err := strconv.ParseFloat(string(v), 64); err == nil && (n == 0 || n == 1) {
			return Flag(n == 1), nil
		}
	}
	return nil, d.wrong(raw, "expected 0 or 1")
}

func (d Definition) parseText(raw Raw, how Reading) (Value, *fault.Detail) {
	text, ok := raw.V.(string)
	if !ok {
		return nil, d.wrong(raw, "expected a string")
	}
	text = Normalise(text)
	if detail := CheckText(text, d.TextLimit()); detail != nil {
		detail.Message = fault.Textf("%s: %s", d.Key, detail.Message)
		return nil, detail
	}
	if d.Key != KeyPosition || how.Operand {
		return Text(text), nil
	}
	p, err := ParsePosition("", text)
	if err != nil {
		detail := fault.From(err).Details[0]
		return nil, &detail
	}
	return Text(p.String()), nil
}

// CheckText reports text no store could keep or that is longer than limit
// characters, as a detail without a field; nil when it is fine.
func CheckText(text string, limit int) *fault.Detail {
	switch {
	case strings.ContainsRune(text, 0):
		return &fault.Detail{Code: fault.CodeInvalidFormat, Message: fault.Textf("text cannot contain the character U+0000")}
	case !utf8.ValidString(text):
		return &fault.Detail{Code: fault.CodeInvalidFormat, Message: fault.Textf("text must be valid UTF-8")}
	case utf8.RuneCountInString(text) > limit:
		return &fault.Detail{Code: fault.CodeOutOfRange, Message: fault.Textf("text can have at most %d characters", limit)}
	}
	return nil
}

func (d Definition) parseDate(raw Raw, how Reading) (Value, *fault.Detail) {
	text, ok := raw.V.(string)
	if !ok {
		return nil, d.wrong(raw, "expected a date as a string")
	}
	date, ok := ParseDate(strings.TrimSpace(text), how.Zone)
	if !ok {
		return nil, d.wrong(raw, "expected a date: 2026-09-16, 2026-09-16T08:30:00Z, 16/09/2026 or 16/09/2026 08:30")
	}
	// Responses show no more, and what they show can be sent back unchanged.
	date.At = date.At.Truncate(time.Millisecond)
	return date, nil
}

var (
	dayLayouts     = []string{time.DateOnly, "02/01/2006"}
	offsetLayouts  = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00"}
	noOffsetLayout = []string{"2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05.999999999", "02/01/2006 15:04"}
)

// maxOffset is that of the easternmost islands, in seconds. A text with more
// has miscalculated.
const maxOffset = 14 * 60 * 60

// ParseDate reads a day or an instant in any form the contract knows. Without
// an offset the instant is in zone, UTC if nil: of a time that clocks show twice the
// first, and one that they skip by the clocks before the change. Impossible days, years outside 1
// to 9999 and offsets beyond 14 hours are not dates.
func ParseDate(text string, zone *time.Location) (Date, bool) {
	if zone == nil {
		zone = time.UTC
	}
	text = strings.ToUpper(text) // RFC 3339 knows t and z as well
	for _, layout := range dayLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			return Date{At: at}, at.Year() >= 1
		}
	}
	for _, layout := range offsetLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			if _, offset := at.Zone(); offset > maxOffset || offset < -maxOffset {
				return Date{}, false
			}
			return instant(at)
		}
	}
	for _, layout := range noOffsetLayout {
		if wall, err := time.Parse(layout, text); err == nil {
			at, _ := calendar.On(wall, time.UTC).At(calendar.Clock(wall, time.UTC), zone)
			return instant(at)
		}
	}
	return Date{}, false
}

func instant(at time.Time) (Date, bool) {
	at = at.UTC().Truncate(time.Microsecond)
	return Date{At: at, Timed: true}, at.Year() >= 1 && at.Year() <= 9999
}
