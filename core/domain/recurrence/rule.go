// Package recurrence says when something that repeats takes place: rules of
// RFC 5545, section 3.3.10, on the clock of a zone.
//
// A rule repeats days; the time of the day is the same by the clock each time. A
// time that clocks skip is left out and not counted, one that they show twice is
// the first.
package recurrence

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Bounds of the numbers of a rule.
const (
	MaxInterval = 366
	MaxCount    = 730

	maxOrdinal  = 5
	maxMonthDay = 31
	maxMonth    = 12
	maxPosition = 366
)

// frequency is the length of a period, of which every interval-th has
// occurrences.
type frequency uint8

const (
	none frequency = iota
	daily
	weekly
	monthly
	yearly
)

var frequencies = map[string]frequency{"DAILY": daily, "WEEKLY": weekly, "MONTHLY": monthly, "YEARLY": yearly}

// subDaily are frequencies that RFC 5545 knows besides.
var subDaily = []string{"HOURLY", "MINUTELY", "SECONDLY"}

// weekdayCodes are the days of the week as rules write them, by time.Weekday.
var weekdayCodes = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// Layouts of UNTIL, and of original starts in paths.
const (
	instantLayout = "20060102T150405Z"
	dayLayout     = "20060102"
)

// Rule is the value of an RRULE. Parse makes one; the zero Rule repeats nothing.
type Rule struct {
	text      string
	frequency frequency
	interval  int
	count     int
	// until is the last instant, or the midnight in UTC of the last day.
	until     time.Time
	weekStart time.Weekday

	// What days are taken of each period; zero where the rule does not say.
	months    set
	monthDays set
	weekdays  [7]set // the ordinals of each weekday in its month; 0 means all
	byDay     bool
	positions []int
}

// set is a set of numbers from -31 to 31.
type set uint64

func (s set) with(n int) set      { return s | 1<<(n+maxMonthDay) }
func (s set) contains(n int) bool { return s>>(n+maxMonthDay)&1 != 0 }

// String returns the rule as it was written.
func (r Rule) String() string { return r.text }

// IsZero reports whether there is no rule.
func (r Rule) IsZero() bool { return r.frequency == none }

// Endless reports whether a rule has neither COUNT nor UNTIL.
func (r Rule) Endless() bool { return r.count == 0 && r.until.IsZero() }

// wrong returns a problem of a rule; who asked knows the field.
func wrong(code fault.Code, text, format string, args ...any) *fault.Detail {
	return &fault.Detail{Code: code, Value: text, Message: fault.Textf(format, args...)}
}

// Parse reads a rule such as FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6. UNTIL is a day in a
// rule for whole days, an instant in UTC otherwise.
func Parse(text string, allDay bool) (Rule, *fault.Detail) {
	r := Rule{text: text, interval: 1, weekStart: time.Monday}
	p := parser{rule: &r, allDay: allDay}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ";") {
		name, value, assigned := strings.Cut(part, "=")
		if !assigned || !isName(name) || value == "" || seen[name] {
			return Rule{}, wrong(fault.CodeInvalidFormat, text, "a rule is written FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6, with each part once, not %q", part)
		}
		seen[name] = true
		if problem := p.part(name, value); problem != nil {
			problem.Value = text
			return Rule{}, problem
		}
	}
	if problem := r.combined(seen); problem != nil {
		return Rule{}, problem
	}
	return r, nil
}

// New is Parse for a rule that is not stored yet. It refuses what RFC 5545 and most
// calendars do not read alike: a day of the month without its months is twelve days a
// year in the one, and one in the others.
func New(text string, allDay bool) (Rule, *fault.Detail) {
	r, problem := Parse(text, allDay)
	if problem == nil && r.frequency == yearly && r.monthDays != 0 && r.months == 0 {
		return Rule{}, wrong(fault.CodeRRuleNotSupported, text, "BYMONTHDAY goes with FREQ=YEARLY only beside BYMONTH: say BYMONTH")
	}
	return r, problem
}

func isName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool { return (c < 'A' || c > 'Z') && c != '-' })
}

// combined returns what is wrong with the parts of a rule together.
func (r *Rule) combined(seen map[string]bool) *fault.Detail {
	numbered := slices.ContainsFunc(r.weekdays[:], func(s set) bool { return s&^set(0).with(0) != 0 })
	unsupported := func(why fault.Text) *fault.Detail {
		return wrong(fault.CodeRRuleNotSupported, r.text, "%s", why)
	}
	switch {
	case r.frequency == none:
		return wrong(fault.CodeInvalidFormat, r.text, "a rule has FREQ")
	case seen["COUNT"] && seen["UNTIL"]:
		return unsupported(fault.Textf("a rule has COUNT or UNTIL, not both"))
	case numbered && r.frequency != monthly && (r.frequency != yearly || !seen["BYMONTH"]):
		return unsupported(fault.Textf("BYDAY has numbers only with FREQ=MONTHLY, or with FREQ=YEARLY and BYMONTH"))
	case seen["BYMONTHDAY"] && r.frequency == weekly:
		return unsupported(fault.Textf("BYMONTHDAY does not go with FREQ=WEEKLY"))
	case seen["BYSETPOS"] && !seen["BYDAY"] && !seen["BYMONTHDAY"] && !seen["BYMONTH"]:
		return unsupported(fault.Textf("BYSETPOS goes with another BY part"))
	}
	return nil
}

// parser reads the parts of a rule into it.
type parser struct {
	rule   *Rule
	allDay bool
}

func (p parser) part(name, value string) (problem *fault.Detail) {
	r := p.rule
	switch name {
	case "FREQ":
		return p.frequency(value)
	case "INTERVAL":
		r.interval, problem = number(name, value, MaxInterval, false)
	case "COUNT":
		r.count, problem = number(name, value, MaxCount, false)
	case "UNTIL":
		return p.until(value)
	case "WKST":
		day := slices.Index(weekdayCodes, value)
		if day < 0 {
			return wrong(fault.CodeInvalidFormat, value, "WKST is one of %s", strings.Join(weekdayCodes, ", "))
		}
		r.weekStart = time.Weekday(day)
	case "BYDAY":
		r.byDay = true
		return each(value, p.weekday)
	case "BYMONTHDAY":
		return each(value, func(value string) *fault.Detail { return add(&r.monthDays, name, value, maxMonthDay, true) })
	case "BYMONTH":
		return each(value, func(value string) *fault.Detail { return add(&r.months, name, value, maxMonth, false) })
	case "BYSETPOS":
		return each(value, p.position)
	default:
		return wrong(fault.CodeRRuleNotSupported, value, "%s is not supported", name)
	}
	return problem
}

func (p parser) frequency(value string) *fault.Detail {
	if f, known := frequencies[value]; known {
		p.rule.frequency = f
		return nil
	}
	if slices.Contains(subDaily, value) {
		return wrong(fault.CodeRRuleNotSupported, value, "FREQ=%s is not supported: FREQ is DAILY, WEEKLY, MONTHLY or YEARLY", value)
	}
	return wrong(fault.CodeInvalidFormat, value, "FREQ is DAILY, WEEKLY, MONTHLY or YEARLY")
}

func (p parser) until(value string) *fault.Detail {
	layout := instantLayout
	if p.allDay {
		layout = dayLayout
	}
	until, ok := parseTime(layout, value)
	if !ok {
		return wrong(fault.CodeInvalidFormat, value, "UNTIL is written %s", layoutName(layout))
	}
	p.rule.until = until
	return nil
}

// weekday adds a day of BYDAY, such as TU, 2TU or -1FR.
func (p parser) weekday(value string) *fault.Detail {
	cut := max(0, len(value)-2)
	day := slices.Index(weekdayCodes, value[cut:])
	if day < 0 {
		return wrong(fault.CodeInvalidFormat, value, "BYDAY is a list such as TU,TH or -1FR, not %q", value)
	}
	if cut == 0 {
		p.rule.weekdays[day] = p.rule.weekdays[day].with(0)
		return nil
	}
	return add(&p.rule.weekdays[day], "BYDAY", value[:cut], maxOrdinal, true)
}

func (p parser) position(value string) *fault.Detail {
	n, problem := number("BYSETPOS", value, maxPosition, true)
	if problem == nil && !slices.Contains(p.rule.positions, n) {
		p.rule.positions = append(p.rule.positions, n)
	}
	return problem
}

func each(list string, read func(value string) *fault.Detail) *fault.Detail {
	for value := range strings.SplitSeq(list, ",") {
		if problem := read(value); problem != nil {
			return problem
		}
	}
	return nil
}

func add(to *set, name, value string, most int, signed bool) *fault.Detail {
	n, problem := number(name, value, most, signed)
	if problem == nil {
		*to = to.with(n)
	}
	return problem
}

// number reads a whole number of a magnitude from 1. Some may have a sign.
func number(name, value string, most int, signed bool) (int, *fault.Detail) {
	digits := value
	if signed && (strings.HasPrefix(value, "-") || strings.HasPrefix(value, "+")) {
		digits = value[1:]
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, wrong(fault.CodeInvalidFormat, value, "%s has whole numbers, not %q", name, value)
	}
	// What is too long for an int is out of range as well.
	n, err := strconv.Atoi(digits)
	switch {
	case err == nil && n >= 1 && n <= most:
	case signed:
		return 0, wrong(fault.CodeOutOfRange, value, "%s must be 1 to %d, or negative", name, most)
	default:
		return 0, wrong(fault.CodeOutOfRange, value, "%s must be 1 to %d", name, most)
	}
	if strings.HasPrefix(value, "-") {
		n = -n
	}
	return n, nil
}

// parseTime reads a time that is written exactly like the layout: package time
// would take fractions of seconds as well.
func parseTime(layout, value string) (time.Time, bool) {
	at, err := time.Parse(layout, value)
	return at, err == nil && at.Format(layout) == value && calendar.On(at, time.UTC) >= calendar.First
}

func layoutName(layout string) string {
	if layout == dayLayout {
		return "20261025"
	}
	return "20261025T080000Z"
}
