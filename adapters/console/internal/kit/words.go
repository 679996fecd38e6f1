package kit

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Moment is a time as a page shows it: how long ago, with the exact time behind it.
type Moment struct {
	// Ago is such as "2 h ago", or "never".
	Ago string
	// Clock is the same in hours and minutes, with the day unless it is today; empty where Ago has it.
	Clock string
	// Exact is as attributes want it, Title for people; both empty for never.
	Exact, Title string
}

// when shows a time as it looks at now, in the time zone of now; the zero time is never.
func (l Language) when(now, at time.Time) Moment {
	if at.IsZero() {
		return Moment{Ago: l.Say("never")}
	}
	at = at.In(now.Location())
	layout := "2 Jan 15:04"
	switch {
	case isSameDay(now, at):
		layout = "15:04"
	case at.Year() != now.Year():
		layout = "2 Jan 2006"
	}
	return Moment{
		Ago: l.ago(now.Sub(at)), Clock: l.Date(at, layout), Exact: at.UTC().Format("2006-01-02T15:04:05.000Z"), Title: l.Date(at, "2 January 2006, 15:04:05.000 MST"),
	}
}

// isSameDay reports whether a time is on the day of now.
func isSameDay(now, at time.Time) bool { return at.Format(time.DateOnly) == now.Format(time.DateOnly) }

// Clock shows a time by itself, as logs do: with milliseconds, in the time zone of now, with the day
// unless it is that of now.
func (l Language) Clock(now, at time.Time) Moment {
	m := l.when(now, at)
	if at.IsZero() {
		return m
	}
	at = at.In(now.Location())
	layout := "2 Jan 15:04:05.000"
	if isSameDay(now, at) {
		layout = "15:04:05.000"
	}
	m.Ago, m.Clock = l.Date(at, layout), ""
	return m
}

// Date writes a time by a layout of the package time, with the months of the language.
func (l Language) Date(at time.Time, layout string) string {
	if l.API == fault.English {
		return at.Format(layout)
	}
	names := strings.NewReplacer("January", frenchMonths[at.Month()-1], "Jan", shortFrenchMonths[at.Month()-1])
	return at.Format(names.Replace(layout))
}

// The months of French, whole and short.
var (
	frenchMonths      = []string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"}
	shortFrenchMonths = []string{"janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."}
)

// ago returns how long something is past, or, where negative, in how long it will be.
func (l Language) ago(past time.Duration) string {
	switch {
	case past.Abs() < time.Second:
		return l.Say("now")
	case past < 0:
		return l.Say("in %s", l.Nearly(-past))
	}
	return l.Say("%s ago", l.Span(past))
}

const day = 24 * time.Hour

// units are what a duration is told in, each up to a length.
var units = []struct {
	name       Text
	size, upTo time.Duration
}{
	{"%d s", time.Second, time.Minute}, {"%d min", time.Minute, time.Hour}, {"%d h", time.Hour, 2 * day}, {"%d days", day, 90 * day},
}

// Nearly is span to the nearest unit: what has just begun to last three days lasts
// three days.
func (l Language) Nearly(d time.Duration) string {
	for _, unit := range units {
		if d < unit.upTo {
			return l.Span(d + unit.size/2)
		}
	}
	return l.Span(d)
}

// Span returns how long something is, in its one most telling unit.
func (l Language) Span(d time.Duration) string {
	for _, unit := range units {
		if d < unit.upTo {
			return l.Say(unit.name, int64(d/unit.size))
		}
	}
	if months := int64(d / (30 * day)); months < 24 {
		return l.Say("%d months", months)
	}
	return l.Say("%d years", int64(d/(365*day)))
}

// Count writes a number with its thousands apart.
func (l Language) Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + l.thousands() + digits[i:]
	}
	return sign + digits
}

// thousands returns what stands between thousands: in French a narrow space that does not break.
func (l Language) thousands() string {
	if l.API == fault.French {
		return "\u202f"
	}
	return ","
}

// decimals writes a number as the language has it that has a point between whole and decimals.
func (l Language) decimals(number string) string {
	if l.API == fault.French {
		return strings.Replace(number, ".", ",", 1)
	}
	return number
}

// Plural returns the word for so many of something: in French nothing and one have the same.
func (l Language) Plural(n int64, one, more Text) string {
	if n == 1 || n == 0 && l.API == fault.French {
		return l.Show(one)
	}
	return l.Show(more)
}

// Counted returns a number with its word.
func (l Language) Counted(n int64, one, more Text) string {
	return l.Count(n) + " " + l.Plural(n, one, more)
}

// Milliseconds writes a duration in milliseconds with three significant digits.
func (l Language) Milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 100:
		return l.decimals(strconv.FormatFloat(ms, 'f', 0, 64))
	case ms >= 10:
		return l.decimals(strconv.FormatFloat(ms, 'f', 1, 64))
	}
	return l.decimals(strconv.FormatFloat(ms, 'f', 2, 64))
}

// Percent writes part of whole with one digit after the point.
func (l Language) Percent(part, whole int64) string {
	if whole == 0 {
		return "0"
	}
	return l.decimals(strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64))
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

// State is a word with its tone. Said stands in place of Word where it is one of people, such as
// that of a site for a status.
type State struct {
	Tone Tone
	Word Text
	Said string
}

// Numbered returns the id of something with a word for what it is, empty for none.
func (l Language) Numbered(kind Text, id *int64) string {
	if id == nil {
		return ""
	}
	return l.Show(kind) + " " + strconv.FormatInt(*id, 10)
}

// Between writes a range of which either end may be open; empty for both.
func (l Language) Between(from, to *float64) string {
	switch {
	case from != nil && to != nil:
		return l.Say("%s to %s", l.Amount(from, ""), l.Amount(to, ""))
	case from != nil:
		return l.Say("at least %s", l.Amount(from, ""))
	case to != nil:
		return l.Say("at most %s", l.Amount(to, ""))
	}
	return ""
}

// Plain writes a value of a criterion.
func (l Language) Plain(value any) string {
	switch value := value.(type) {
	case nil:
		return l.Say("nothing")
	case string:
		return value
	case float64:
		return l.Amount(&value, "")
	case []string:
		return strings.Join(value, ", ")
	}
	return fmt.Sprint(value)
}

// UnlessZero returns the number, or nothing.
func (l Language) UnlessZero(n int64) string {
	if n == 0 {
		return ""
	}
	return l.Count(n)
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
func UnitOf(n *float64, unit string) Text {
	if n == nil {
		return ""
	}
	return Text(unit)
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
func (l Language) Amount(n *float64, unit string) string {
	if n == nil {
		return ""
	}
	digits, decimals, _ := strings.Cut(strconv.FormatFloat(math.Abs(criteria.Cents(*n)), 'f', 2, 64), ".")
	whole, err := strconv.ParseInt(digits, 10, 64)
	if err != nil { // no price or surface has so many digits
		return strings.TrimSpace(strconv.FormatFloat(*n, 'g', -1, 64) + " " + unit)
	}
	text := strings.TrimSuffix(l.Count(whole)+l.decimals("."+strings.TrimRight(decimals, "0")), l.decimals("."))
	if *n < 0 {
		text = "-" + text
	}
	return strings.TrimSpace(text + " " + unit)
}
