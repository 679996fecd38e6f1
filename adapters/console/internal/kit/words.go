package kit

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// Moment is a time as a page shows it: how long ago, with the exact time behind it.
type Moment struct {
	// Ago is such as "2 h ago", or "never".
	Ago string
	// Exact is as attributes want it, Title for people; both empty for never.
	Exact, Title string
}

// when shows a time as it looks at now; the zero time is never.
func when(now, at time.Time) Moment {
	if at.IsZero() {
		return Moment{Ago: "never"}
	}
	at = at.UTC()
	return Moment{Ago: ago(now.Sub(at)), Exact: at.Format("2006-01-02T15:04:05.000Z"), Title: at.Format("2 January 2006, 15:04:05.000 UTC")}
}

// Clock shows a time by itself, as logs do: UTC with milliseconds, with the day
// unless it is that of now.
func Clock(now, at time.Time) Moment {
	m := when(now, at)
	if at.IsZero() {
		return m
	}
	layout := "2 Jan 15:04:05.000"
	if at.UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly) {
		layout = "15:04:05.000"
	}
	m.Ago = at.UTC().Format(layout)
	return m
}

// ago returns how long something is past, or, where negative, in how long it will be.
func ago(past time.Duration) string {
	switch {
	case past.Abs() < time.Second:
		return "now"
	case past < 0:
		return "in " + Nearly(-past)
	}
	return Span(past) + " ago"
}

const day = 24 * time.Hour

// units are what a duration is told in, each up to a length.
var units = []struct {
	name       string
	size, upTo time.Duration
}{
	{"s", time.Second, time.Minute}, {"min", time.Minute, time.Hour}, {"h", time.Hour, 2 * day}, {"days", day, 90 * day},
}

// Nearly is span to the nearest unit: what has just begun to last three days lasts
// three days.
func Nearly(d time.Duration) string {
	for _, unit := range units {
		if d < unit.upTo {
			return Span(d + unit.size/2)
		}
	}
	return Span(d)
}

// Span returns how long something is, in its one most telling unit.
func Span(d time.Duration) string {
	for _, unit := range units {
		if d < unit.upTo {
			return strconv.FormatInt(int64(d/unit.size), 10) + " " + unit.name
		}
	}
	if months := int64(d / (30 * day)); months < 24 {
		return strconv.FormatInt(months, 10) + " months"
	}
	return strconv.FormatInt(int64(d/(365*day)), 10) + " years"
}

// Count writes a number with commas between thousands.
func Count[N ~int | ~int64 | ~uint64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Counted returns a number with its word, which has an s at the end unless it is one.
func Counted[N ~int | ~int64 | ~uint64](n N, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if stem, ends := strings.CutSuffix(word, "y"); ends {
		return Count(n) + " " + stem + "ies"
	}
	return Count(n) + " " + word + "s"
}

// Milliseconds writes a duration in milliseconds with three significant digits.
func Milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 100:
		return strconv.FormatFloat(ms, 'f', 0, 64)
	case ms >= 10:
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return strconv.FormatFloat(ms, 'f', 2, 64)
}

// Percent writes part of whole with one digit after the point.
func Percent[N ~int | ~int64 | ~uint64](part, whole N) string {
	if whole == 0 {
		return "0"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64)
}

// Tone is how urgent a state is. A page never says it by colour alone: each tone
// has a shape, and stands next to a word.
type Tone string

// The tones: a dot for what is well and for what is told, a square for what wants
// attention, a diamond for what is broken, a ring for what is over.
const (
	Well   Tone = "ok"
	Told   Tone = "info"
	Wanted Tone = "warn"
	Broken Tone = "bad"
	Over   Tone = "quiet"
)

// State is a word with its tone.
type State struct {
	Tone Tone
	Word string
}

// Plural reports whether n is one, in words.
func Plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Numbered returns the id of something with a word for what it is, empty for none.
func Numbered(kind string, id *int64) string {
	if id == nil {
		return ""
	}
	return kind + " " + strconv.FormatInt(*id, 10)
}

// Between writes a range of which either end may be open; empty for both.
func Between(from, to *float64) string {
	switch {
	case from != nil && to != nil:
		return Amount(from, "") + " to " + Amount(to, "")
	case from != nil:
		return "at least " + Amount(from, "")
	case to != nil:
		return "at most " + Amount(to, "")
	}
	return ""
}

// Plain writes a value of a criterion.
func Plain(value any) string {
	switch value := value.(type) {
	case nil:
		return "nothing"
	case string:
		return value
	case float64:
		return Amount(&value, "")
	case []string:
		return strings.Join(value, ", ")
	}
	return fmt.Sprint(value)
}

// UnlessZero returns the number, or nothing.
func UnlessZero(n int64) string {
	if n == 0 {
		return ""
	}
	return Count(n)
}

// Joined returns the words that are not empty, with dots between them.
func Joined(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " · ")
}

// OrNone returns a text, or a dash in place of an empty one.
func OrNone(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// UnitOf returns the unit of a number, empty where there is no number.
func UnitOf(n *float64, unit string) string {
	if n == nil {
		return ""
	}
	return unit
}

// Said returns a text that may be absent.
func Said(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Amount returns a number with its unit, to two decimals and with commas between thousands;
// empty when there is none.
func Amount(n *float64, unit string) string {
	if n == nil {
		return ""
	}
	digits, decimals, _ := strings.Cut(strconv.FormatFloat(math.Abs(criteria.Cents(*n)), 'f', 2, 64), ".")
	whole, err := strconv.ParseInt(digits, 10, 64)
	if err != nil { // no price or surface has so many digits
		return strings.TrimSpace(strconv.FormatFloat(*n, 'g', -1, 64) + " " + unit)
	}
	text := strings.TrimSuffix(Count(whole)+"."+strings.TrimRight(decimals, "0"), ".")
	if *n < 0 {
		text = "-" + text
	}
	return strings.TrimSpace(text + " " + unit)
}
