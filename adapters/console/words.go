package console

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// moment is a time as a page shows it: how long ago, with the exact time behind it.
type moment struct {
	// Ago is such as "2 h ago", or "never".
	Ago string
	// Exact is as attributes want it, Title for people; both empty for never.
	Exact, Title string
}

// when shows a time as it looks at now; the zero time is never.
func when(now, at time.Time) moment {
	if at.IsZero() {
		return moment{Ago: "never"}
	}
	at = at.UTC()
	return moment{Ago: ago(now.Sub(at)), Exact: at.Format("2006-01-02T15:04:05.000Z"), Title: at.Format("2 January 2006, 15:04:05.000 UTC")}
}

// clock shows a time by itself, as logs do: UTC with milliseconds, with the day
// unless it is that of now.
func clock(now, at time.Time) moment {
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
		return "in " + nearly(-past)
	}
	return span(past) + " ago"
}

const day = 24 * time.Hour

// units are what a duration is told in, each up to a length.
var units = []struct {
	name       string
	size, upTo time.Duration
}{
	{"s", time.Second, time.Minute}, {"min", time.Minute, time.Hour}, {"h", time.Hour, 2 * day}, {"days", day, 90 * day},
}

// nearly is span to the nearest unit: what has just begun to last three days lasts
// three days.
func nearly(d time.Duration) string {
	for _, unit := range units {
		if d < unit.upTo {
			return span(d + unit.size/2)
		}
	}
	return span(d)
}

// span returns how long something is, in its one most telling unit.
func span(d time.Duration) string {
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

// count writes a number with commas between thousands.
func count[N ~int | ~int64 | ~uint64](n N) string {
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

// counted returns a number with its word, which has an s at the end unless it is one.
func counted[N ~int | ~int64 | ~uint64](n N, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if stem, ends := strings.CutSuffix(word, "y"); ends {
		return count(n) + " " + stem + "ies"
	}
	return count(n) + " " + word + "s"
}

// milliseconds writes a duration in milliseconds with three significant digits.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 100:
		return strconv.FormatFloat(ms, 'f', 0, 64)
	case ms >= 10:
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return strconv.FormatFloat(ms, 'f', 2, 64)
}

// percent writes part of whole with one digit after the point.
func percent[N ~int | ~int64 | ~uint64](part, whole N) string {
	if whole == 0 {
		return "0"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64)
}

// tone is how urgent a state is. A page never says it by colour alone: each tone
// has a shape, and stands next to a word.
type tone string

// The tones: a dot for what is well and for what is told, a square for what wants
// attention, a diamond for what is broken, a ring for what is over.
const (
	well   tone = "ok"
	told   tone = "info"
	wanted tone = "warn"
	broken tone = "bad"
	over   tone = "quiet"
)

// state is a word with its tone.
type state struct {
	Tone tone
	Word string
}

// plural reports whether n is one, in words.
func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// numbered returns the id of something with a word for what it is, empty for none.
func numbered(kind string, id *int64) string {
	if id == nil {
		return ""
	}
	return kind + " " + strconv.FormatInt(*id, 10)
}

// between writes a range of which either end may be open; empty for both.
func between(from, to *float64) string {
	switch {
	case from != nil && to != nil:
		return amount(from, "") + " to " + amount(to, "")
	case from != nil:
		return "at least " + amount(from, "")
	case to != nil:
		return "at most " + amount(to, "")
	}
	return ""
}

// plain writes a value of a criterion.
func plain(value any) string {
	switch value := value.(type) {
	case nil:
		return "nothing"
	case string:
		return value
	case float64:
		return amount(&value, "")
	case []string:
		return strings.Join(value, ", ")
	}
	return fmt.Sprint(value)
}
