package planning

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/recurrence"
)

// Series returns how the appointment repeats in its zone. The Series of one that does
// not has no rule.
func (a Appointment) Series(zone *time.Location) recurrence.Series {
	s := recurrence.Series{Start: a.Start, Zone: zone, AllDay: a.AllDay, Length: a.End.Sub(a.Start), Except: a.Except}
	if a.AllDay {
		s.Days = int(a.Last-a.First) + 1
	}
	s.Rule, _ = recurrence.Parse(a.Rule, a.AllDay) // checked when it was stored
	for _, c := range a.Changed {
		if c.Start != nil {
			s.Moved = append(s.Moved, recurrence.Occurrence{Original: c.Original, Interval: calendar.Interval{Start: *c.Start, End: *c.End}})
		}
	}
	return s
}

// Occurrence is one time at which an appointment takes place.
type Occurrence struct {
	// Original is when it would start had nobody moved it; zero where the appointment
	// does not repeat.
	Original time.Time
	calendar.Interval
	Status Status
}

// Overlapping lists the occurrences that have time in common with a window, by
// start, cancelled ones included.
func (a Appointment) Overlapping(window calendar.Interval, zone *time.Location) []Occurrence {
	if !a.Recurs() {
		if !a.Interval().Meets(window) {
			return nil
		}
		return []Occurrence{{Interval: a.Interval(), Status: a.Status}}
	}
	found := a.Series(zone).Overlapping(window)
	all := make([]Occurrence, len(found))
	for n, o := range found {
		all[n] = Occurrence{o.Original, o.Interval, a.statusOf(o.Original)}
	}
	return all
}

// Starting lists at most n occurrences that start in a window, by start, and
// whether there are more.
func (a Appointment) Starting(window calendar.Interval, zone *time.Location, n int) (all []Occurrence, more bool) {
	if !a.Recurs() {
		if window.Contains(a.Start) {
			all = append(all, Occurrence{Interval: a.Interval(), Status: a.Status})
		}
		return all[:min(n, len(all))], len(all) > n
	}
	s := a.Series(zone)
	moved := map[int64]bool{}
	for _, o := range s.Moved {
		moved[o.Original.UnixMicro()] = true
		if window.Contains(o.Start) && s.Has(o.Original) {
			all = append(all, Occurrence{o.Original, o.Interval, a.statusOf(o.Original)})
		}
	}
	others := 0
	for start := range s.Starts(window.Start, window.End) {
		if moved[start.UnixMicro()] {
			continue
		}
		start = start.UTC()
		all = append(all, Occurrence{start, calendar.Interval{Start: start, End: s.End(start).UTC()}, a.statusOf(start)})
		if others++; others > n {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b Occurrence) int {
		return cmp.Or(a.Start.Compare(b.Start), a.Original.Compare(b.Original))
	})
	return all[:min(n, len(all))], len(all) > n
}

// change finds how the occurrence with an original start differs; nil where it does
// not.
func (a Appointment) change(original time.Time) *Changed {
	n := slices.IndexFunc(a.Changed, func(c Changed) bool { return c.Original.Equal(original) })
	if n < 0 {
		return nil
	}
	return &a.Changed[n]
}

// statusOf returns the status of an occurrence: its own, or that of the series. In a
// series that is cancelled what was not done is cancelled.
func (a Appointment) statusOf(original time.Time) Status {
	if c := a.change(original); c != nil && c.Status != nil && (a.Status != Cancelled || !c.Status.Ahead()) {
		return *c.Status
	}
	return a.Status
}

// Named finds the occurrence that a path names by its original start.
func (a Appointment) Named(name string, zone *time.Location) (Occurrence, bool) {
	if !a.Recurs() {
		return Occurrence{}, false
	}
	original, found := a.Series(zone).Find(name)
	if !found {
		return Occurrence{}, false
	}
	return a.occurrence(original.UTC(), zone), true
}

// occurrence returns the one with an original start, which must be there.
func (a Appointment) occurrence(original time.Time, zone *time.Location) Occurrence {
	o := Occurrence{original, calendar.Interval{Start: original, End: a.Series(zone).End(original).UTC()}, a.statusOf(original)}
	if c := a.change(original); c != nil && c.Start != nil {
		o.Interval = calendar.Interval{Start: *c.Start, End: *c.End}
	}
	return o
}

// At returns the appointment as it is at one occurrence, without the rule's part in it.
// Days of whole days are those of the occurrence.
func (a Appointment) At(o Occurrence, zone *time.Location) Appointment {
	a.Start, a.End, a.Status = o.Start, o.End, o.Status
	if o.Original.IsZero() {
		return a
	}
	if a.AllDay {
		a.First = calendar.On(o.Start, zone)
		a.Last = calendar.On(o.End.Add(-time.Nanosecond), zone)
	}
	c := a.change(o.Original)
	if c == nil {
		return a
	}
	for field, own := range map[*string]*string{
		&a.Title: c.Title, &a.Description: c.Description, &a.Location: c.Location, &a.MeetingURL: c.MeetingURL,
	} {
		if own != nil {
			*field = *own
		}
	}
	if c.Products != nil {
		a.Products = *c.Products
	}
	if len(c.Answers) > 0 {
		a.Attendees = slices.Clone(a.Attendees)
		for n := range a.Attendees {
			for _, said := range c.Answers {
				if said.Attendee == a.Attendees[n].ID {
					a.Attendees[n].Answer = said.Answer
				}
			}
		}
	}
	return a
}

// Bounds returns the earliest start and the latest end of all occurrences; an endless
// series has no end, and the zero time there.
func (a Appointment) Bounds(zone *time.Location) (from, until time.Time) {
	if !a.Recurs() {
		return a.Start, a.End
	}
	s := a.Series(zone)
	from = a.Start
	until, ends := s.Bound()
	for _, o := range s.Moved {
		if o.Start.Before(from) {
			from = o.Start
		}
		if ends && o.End.After(until) {
			until = o.End
		}
	}
	if !ends {
		until = time.Time{}
	}
	return from.UTC(), until.UTC()
}

// Foresee computes what is found and told of by: the bounds, and the next reminder.
func (a Appointment) Foresee(zone *time.Location) Appointment {
	a.From, a.Until = a.Bounds(zone)
	a.Due = a.nextReminder(zone)
	return a
}
