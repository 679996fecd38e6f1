package criteria

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// Value is the value of a criterion: exactly one of Unique, Number, Flag, Text,
// Multiple and Date. Values are normalised by parsing: equal values are equal
// under Equal and write the same text.
type Value interface {
	// Type is the type of criterion this is a value of.
	Type() Type
	sealed()
}

// Unique is the code of a choice.
type Unique string

// Number is any finite number but -0.
type Number float64

// Flag is yes or no.
type Flag bool

// Text is free text, NFC-normalised and trimmed.
type Text string

// Multiple is a set of codes in the order of their referential.
type Multiple []string

// Date is a day, or an instant when it has a time of day. It is always in UTC,
// a day as its midnight there. Criteria are read to the millisecond, which is
// how they are written; the type itself holds microseconds.
type Date struct {
	At time.Time
	// Timed reports that it is an instant and not a day.
	Timed bool
}

// Type implements Value.
func (Unique) Type() Type { return UNIQUE }

// Type implements Value.
func (Number) Type() Type { return NUMBER }

// Type implements Value.
func (Flag) Type() Type { return FLAG }

// Type implements Value.
func (Text) Type() Type { return TEXT }

// Type implements Value.
func (Multiple) Type() Type { return MULTIPLE }

// Type implements Value.
func (Date) Type() Type { return DATE }

func (Unique) sealed()   {}
func (Number) sealed()   {}
func (Flag) sealed()     {}
func (Text) sealed()     {}
func (Multiple) sealed() {}
func (Date) sealed()     {}

// Equal compares two values; values of different types differ, and nil equals
// only nil.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case Multiple:
		b, ok := b.(Multiple)
		return ok && slices.Equal(a, b)
	case Date:
		b, ok := b.(Date)
		return ok && a.Timed == b.Timed && a.At.Equal(b.At)
	default:
		return a == b
	}
}

// String writes the number without exponent and without needless digits.
func (n Number) String() string { return strconv.FormatFloat(float64(n), 'f', -1, 64) }

// String writes the date as the contract shows it: 2026-09-16 for a day,
// RFC 3339 in UTC with milliseconds for an instant.
func (d Date) String() string {
	if d.Timed {
		return d.At.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return d.At.Format(time.DateOnly)
}

// Scalar places the date on an axis with all others of its kind, days or
// instants, in microseconds since 1970 UTC, so that they compare as numbers. How
// days compare with instants is for Among to say.
func (d Date) Scalar() float64 { return float64(d.At.UnixMicro()) }

// Instant returns the moment the date stands for; a day stands for its beginning in
// zone, UTC if nil.
func (d Date) Instant(zone *time.Location) time.Time {
	if d.Timed {
		return d.At
	}
	if zone == nil {
		zone = time.UTC
	}
	// Clocks that are changed at midnight leave it out, or show it twice: a day
	// begins with the first moment that has its date or a later one.
	for at := d.At.Add(-26 * time.Hour).In(zone); ; {
		from, to := at.ZoneBounds()
		_, offset := at.Zone()
		begin := d.At.Add(-time.Duration(offset) * time.Second)
		if !from.IsZero() && begin.Before(from) {
			begin = from
		}
		if to.IsZero() || begin.Before(to) {
			return begin.UTC()
		}
		at = to
	}
}

// Among places the date among days, on their axis, and among instants, where a
// day is its beginning in zone. An instant within a day lies between this day and
// the next.
func (d Date) Among(zone *time.Location) (days float64, instant time.Time) {
	instant = d.Instant(zone)
	if !d.Timed {
		return d.Scalar(), instant
	}
	if zone == nil {
		zone = time.UTC
	}
	local := instant.In(zone)
	day := Date{At: time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)}
	for next := day; ; day = next {
		next.At = next.At.AddDate(0, 0, 1)
		if next.Instant(zone).After(instant) {
			break
		}
	}
	if day.Instant(zone).Equal(instant) {
		return day.Scalar(), instant
	}
	return Date{At: day.At.Add(12 * time.Hour)}.Scalar(), instant
}

// Codes returns the codes a UNIQUE or MULTIPLE value consists of.
func Codes(v Value) []string {
	switch v := v.(type) {
	case Unique:
		return []string{string(v)}
	case Multiple:
		return v
	}
	return nil
}

// Plain returns the value as responses carry it: a string, a number (float64), 0 or
// 1, or a list of codes.
func Plain(v Value) any {
	switch v := v.(type) {
	case Unique:
		return string(v)
	case Number:
		return float64(v)
	case Flag:
		if v {
			return 1
		}
		return 0
	case Text:
		return string(v)
	case Multiple:
		return []string(v)
	case Date:
		return v.String()
	}
	return nil
}

// Values are the criteria of one product by the key of the criterion.
type Values map[string]Value

// Clone copies the map; the values themselves never change.
func (v Values) Clone() Values {
	out := make(Values, len(v)+4)
	for key, value := range v {
		out[key] = value
	}
	return out
}

// Equal compares two sets of values.
func (v Values) Equal(w Values) bool {
	if len(v) != len(w) {
		return false
	}
	for key, a := range v {
		if b, ok := w[key]; !ok || !Equal(a, b) {
			return false
		}
	}
	return true
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// Code returns the code of a UNIQUE criterion, empty without one.
func (v Values) Code(key string) string { code, _ := v[key].(Unique); return string(code) }

// Text returns the text of a TEXT criterion, empty without one.
func (v Values) Text(key string) string { text, _ := v[key].(Text); return string(text) }

// Number returns the number of a NUMBER criterion, and whether there is one.
func (v Values) Number(key string) (float64, bool) { n, ok := v[key].(Number); return float64(n), ok }

// Flag reports whether a FLAG criterion is set.
func (v Values) Flag(key string) bool { set, _ := v[key].(Flag); return bool(set) }
