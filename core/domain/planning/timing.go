package planning

import (
	"fmt"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/recurrence"
)

// rescheduled reports whether the time or the rule changed.
func rescheduled(before, after Appointment) bool {
	return !before.Start.Equal(after.Start) || !before.End.Equal(after.End) || before.AllDay != after.AllDay || before.Zone != after.Zone ||
		before.Rule != after.Rule || !slices.EqualFunc(before.Except, after.Except, time.Time.Equal) || len(before.Changed) != len(after.Changed)
}

// Timing sets when an appointment takes place, in which zone, and how it repeats.
// fresh says that it is a new one. Sequence grows where that changed.
func (r Rules) Timing(f form.Form, it *Appointment, c Change, fresh bool) {
	before := it.Clone()
	zone := r.zone(f, it, c.Timezone)
	if zone == nil {
		return
	}
	timed := fine(f, func(f form.Form) {
		f.Flag("all_day", &it.AllDay, notNull(c.AllDay))
		if it.AllDay {
			days(f, it, c, zone, before.AllDay && !fresh)
		} else {
			hours(f, it, c, zone, !before.AllDay && !fresh)
		}
	})
	if timed {
		recur(f, it, c.RRule, c.Exdates, zone, before, fresh)
	} else if _, problem := recurrence.New(c.RRule.Or(""), it.AllDay); c.RRule.Or("") != "" && problem != nil {
		f.Refuse("rrule", *problem)
	}
	if !fresh && rescheduled(before, *it) {
		it.Sequence++
	}
}

// fine reads a part of a request, and reports whether nothing is wrong with it.
func fine(f form.Form, read func(form.Form)) bool {
	var own fault.Problems
	read(form.Form{Problems: &own, At: f.At})
	if own.Empty() {
		return true
	}
	f.Problems.Append(fault.From(own.Err()).Details...)
	return false
}

// zone sets the zone, and finds it; nil where there is none.
func (r Rules) zone(f form.Form, it *Appointment, given opt.Field[string]) *time.Location {
	wanted := it.Zone
	if given.Null || given.Set && given.Value == "" {
		wanted = r.Zone(it.Agency)
	} else if given.Set {
		wanted = given.Value
	}
	zone, err := r.Location(wanted)
	if err != nil || wanted == "Local" {
		f.Wrong("timezone", fault.CodeInvalidFormat, wanted, "timezone is an IANA name such as Europe/Paris")
		return nil
	}
	it.Zone = wanted
	return zone
}

// days sets the days of whole days; had says that there are some.
func days(f form.Form, it *Appointment, c Change, zone *time.Location, had bool) {
	f.Required("start_date", c.StartDate.Or("") == "" && (!had || c.StartDate.Set))
	f.Required("end_date", c.EndDate.Or("") == "" && (!had || c.EndDate.Set))
	if !f.Problems.Empty() {
		return
	}
	f.CalendarDay("start_date", &it.First, c.StartDate)
	f.CalendarDay("end_date", &it.Last, c.EndDate)
	if it.First == 0 || it.Last == 0 {
		return
	}
	if it.Last < it.First || it.Last-it.First >= MaxDays {
		f.Wrong("end_date", fault.CodeOutOfRange, it.Last.String(), "end_date is not before start_date, and at most %d days with it", MaxDays)
		return
	}
	it.Start, it.End = it.First.Start(zone).UTC(), it.Last.End(zone).UTC()
}

// hours sets the times of what does not take whole days; had says that there are
// some.
func hours(f form.Form, it *Appointment, c Change, zone *time.Location, had bool) {
	for _, day := range []struct {
		field string
		given opt.Field[string]
	}{{"start_date", c.StartDate}, {"end_date", c.EndDate}} {
		if day.given.Given() {
			f.Wrong(day.field, fault.CodeAmbiguousField, day.given.Value, "%s goes with all_day alone", day.field)
		}
	}
	it.First, it.Last = 0, 0
	f.Required("start_at", c.StartAt.Or("") == "" && (!had || c.StartAt.Set))
	f.Required("end_at", c.EndAt.Or("") == "" && (!had || c.EndAt.Set))
	if f.Problems.Empty() {
		Span(f, &it.Start, &it.End, c.StartAt, c.EndAt, zone)
	}
}

// Span sets a start and an end, which comes after it.
func Span(f form.Form, start, end *time.Time, from, to opt.Field[string], zone *time.Location) {
	if !fine(f, func(f form.Form) {
		f.Moment("start_at", start, from, zone)
		f.Moment("end_at", end, to, zone)
	}) {
		return
	}
	if !start.Before(*end) || end.Sub(*start) > MaxLength {
		f.Wrong("end_at", fault.CodeOutOfRange, to.Or(end.Format(time.RFC3339)), "end_at is after start_at, at most 31 days later")
	}
}

// recur sets the rule of an appointment and what does not take place, once its
// times are set. What its rule has no more of is dropped, where rule or times have
// changed.
func recur(f form.Form, it *Appointment, rule opt.Field[string], exdates opt.Field[[]string], zone *time.Location, before Appointment, fresh bool) {
	if rule.Set {
		it.Rule = rule.Or("")
	}
	if it.Rule == "" {
		it.Changed = nil
		if before.Rule != "" {
			it.Except = nil
		}
	}
	if it.Rule != "" && (fresh || before.Rule != it.Rule || before.AllDay != it.AllDay || before.Zone != it.Zone || !before.Start.Equal(it.Start) || !before.End.Equal(it.End)) {
		read := recurrence.New
		if it.Rule == before.Rule {
			read = recurrence.Parse
		}
		if _, problem := read(it.Rule, it.AllDay); problem != nil {
			f.Refuse("rrule", *problem)
			return
		}
		if problem := it.Series(zone).Check(); problem != nil {
			f.Refuse("rrule", *problem)
			return
		}
		if !fresh {
			it.keep(zone)
		}
	}
	if !exdates.Set || !f.Few("exdates", len(exdates.Value), MaxExcept) {
		return
	}
	it.Except = Moments(f, "exdates", exdates.Value, zone)
	it.Changed = slices.DeleteFunc(it.Changed, func(c Changed) bool { return slices.ContainsFunc(it.Except, c.Original.Equal) })
}

// keep drops the exceptions and changed occurrences that the rule does not have.
func (a *Appointment) keep(zone *time.Location) {
	s := a.Series(zone)
	s.Moved = nil
	for _, c := range a.Changed {
		s.Moved = append(s.Moved, recurrence.Occurrence{Original: c.Original})
	}
	s = s.Keep()
	a.Except = s.Except
	a.Changed = slices.DeleteFunc(a.Changed, func(c Changed) bool {
		return !slices.ContainsFunc(s.Moved, func(o recurrence.Occurrence) bool { return o.Original.Equal(c.Original) })
	})
}

// Moments reads a list of moments, in order and each once.
func Moments(f form.Form, field string, given []string, zone *time.Location) []time.Time {
	all := make([]time.Time, len(given))
	for n, text := range given {
		f.Moment(fmt.Sprintf("%s[%d]", field, n), &all[n], opt.Of(text), zone)
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.CompactFunc(all, time.Time.Equal)
}
