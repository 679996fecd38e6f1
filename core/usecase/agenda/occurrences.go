package agenda

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// firstOf returns the first occurrences of an appointment, at most maxChecked.
func firstOf(a planning.Appointment, zone *time.Location) []planning.Occurrence {
	from, _ := a.Bounds(zone)
	all, _ := a.Starting(calendar.Interval{Start: from, End: from.Add(maxSeries)}, zone, maxChecked)
	return all
}

// Limits of a list of occurrences.
const (
	defaultOccurrences = 100
	maxOccurrences     = 1_000
)

func (u Unit) listOccurrences(in ListOccurrences) (Occurrences, error) {
	of, err := u.appointments().Get(u, planning.ID(in.ID))
	if err != nil {
		return Occurrences{}, err
	}
	var problems fault.Problems
	window := window(u.Site.ZoneOf(of.Agency), in.From, in.To, maxSeries, &problems)
	count := defaultOccurrences
	if in.Count.Given() {
		form.Form{Problems: &problems}.Between("count", &count, in.Count, 1, maxOccurrences)
	}
	if err := problems.Err(); err != nil {
		return Occurrences{}, err
	}
	zone, err := u.zoneOf(of)
	if err != nil {
		return Occurrences{}, err
	}
	found, more := of.Starting(window, zone, count)
	list := Occurrences{Data: []Occurrence{}, HasMore: more}
	for _, o := range found {
		list.Data = append(list.Data, Occurrence{
			Occurrence: kernel.When(o.Original), StartAt: kernel.Instant{Time: o.Start}, EndAt: kernel.Instant{Time: o.End}, Status: string(o.Status),
		})
	}
	return list, nil
}

// occurrence returns the one that a path names, of an appointment that is locked.
func (u Unit) occurrence(a planning.Appointment, name string) (planning.Occurrence, error) {
	zone, err := u.zoneOf(a)
	if err != nil {
		return planning.Occurrence{}, err
	}
	found, known := a.Named(name, zone)
	if !known {
		return found, kernel.Unknown("the event has no occurrence with this start")
	}
	return found, nil
}

// changeOccurrence makes a new state of a series, of which a path names one
// occurrence.
func (u Unit) changeOccurrence(
	id int64, start string, match kernel.IfMatch, edit func(planning.Appointment, planning.Occurrence) (planning.Appointment, error),
) (kernel.Changed, error) {
	before, err := u.heldEvent(id, planning.Appointment{})
	if err != nil {
		return kernel.Changed{}, err
	}
	o, err := u.occurrence(before, start)
	if err != nil {
		return kernel.Changed{}, err
	}
	return agendarecords.Change(u.kernel(), before, match, func(a planning.Appointment) (planning.Appointment, error) { return edit(a, o) })
}

func (u Unit) updateOccurrence(in UpdateOccurrence) (kernel.Changed, error) {
	return u.changeOccurrence(in.ID, in.Start, in.IfMatch, func(a planning.Appointment, o planning.Occurrence) (planning.Appointment, error) {
		after, err := u.rules().UpdateOccurrence(a, o, in.OccurrenceChange)
		if err != nil {
			return after, err
		}
		var problems fault.Problems
		if err := u.checkProducts("product_ids", a.AllProducts(), after.AllProducts(), &problems); err != nil {
			return after, err
		}
		return after, problems.Err()
	})
}

func (u Unit) deleteOccurrence(in DeleteOccurrence) (kernel.Changed, error) {
	return u.changeOccurrence(in.ID, in.Start, in.IfMatch, func(a planning.Appointment, o planning.Occurrence) (planning.Appointment, error) {
		var problems fault.Problems
		form.Form{Problems: &problems}.Few("exdates", len(a.Except)+1, planning.MaxExcept)
		return a.WithoutOccurrence(o.Original), problems.Err()
	})
}

// readOccurrence reads which occurrence a request is about, by its original start:
// as in a path, or as answers show it. One of a series must be named, and of a single
// event none; zero is none.
func (u Unit) readOccurrence(a planning.Appointment, given opt.Field[string], wanted bool, problems *fault.Problems) (o planning.Occurrence, found bool) {
	f := form.Form{Problems: problems}
	switch {
	case given.Or("") == "" && wanted && a.Recurs():
		f.Required("occurrence", true)
		return o, false
	case given.Or("") == "":
		return o, false
	}
	zone, err := u.zoneOf(a)
	if err != nil {
		f.Wrong("occurrence", fault.CodeInvalidFormat, given.Value, "the zone of the event is not known")
		return o, false
	}
	if o, found = a.Named(given.Value, zone); found {
		return o, true
	}
	var at time.Time
	var unreadable fault.Problems
	form.Form{Problems: &unreadable}.Moment("occurrence", &at, given, zone)
	if unreadable.Empty() {
		if o, found = a.Named(a.Series(zone).Name(at), zone); found && o.Original.Equal(at) {
			return o, true
		}
	}
	f.Wrong("occurrence", fault.CodeOutOfRange, given.Value, "the event has no occurrence with this original start")
	return o, false
}

func (u Unit) answerEvent(in AnswerEvent) (kernel.Changed, error) {
	before, err := u.heldEvent(in.ID, planning.Appointment{})
	if err != nil {
		return kernel.Changed{}, err
	}
	return agendarecords.Change(u.kernel(), before, in.IfMatch, func(a planning.Appointment) (planning.Appointment, error) {
		var problems fault.Problems
		f := form.Form{Problems: &problems}
		f.Required("attendee_id", !in.AttendeeID.Given())
		f.Required("answer", in.Answer.Or("") == "")
		var said planning.Answer
		form.OneOf(f, "answer", &said, in.Answer, planning.Answers())
		o, _ := u.readOccurrence(a, in.Occurrence, false, &problems)
		after, known := a.WithAnswer(in.AttendeeID.Value, said, o.Original)
		if in.AttendeeID.Given() && !known {
			f.Wrong("attendee_id", fault.CodeUnknownAttendee, in.AttendeeID.Value, "nobody who attends has this id")
		}
		return after, problems.Err()
	})
}
