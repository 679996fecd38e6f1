package planning

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// OccurrenceChange is what a request wants of one occurrence. Absent parts stay as
// they are.
type OccurrenceChange struct {
	StartAt     opt.Field[string]  `json:"start_at" format:"date-time"`
	EndAt       opt.Field[string]  `json:"end_at" format:"date-time"`
	Title       opt.Field[string]  `json:"title" max:"planning.MaxTitle"`
	Description opt.Field[string]  `json:"description" max:"form.MaxComment"`
	Location    opt.Field[string]  `json:"location" max:"planning.MaxLocation"`
	Status      opt.Field[string]  `json:"status" enum:"PREVU,CONFIRME,REALISE,ANNULE,ABSENT"`
	MeetingURL  opt.Field[string]  `json:"meeting_url" max:"form.MaxURL" doc:"http or https"`
	ProductIDs  opt.Field[[]int64] `json:"product_ids" max:"planning.MaxProducts"`
}

// UpdateOccurrence applies a request to one occurrence, in a copy of its series. A
// cancelled occurrence stays so: otherwise it is a Conflict.
func (r Rules) UpdateOccurrence(before Appointment, o Occurrence, c OccurrenceChange) (Appointment, error) {
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	zone, err := r.Location(before.Zone)
	if err != nil {
		return before, err
	}
	after := before.Clone()
	was := before.At(o, zone)
	is := was.Clone()
	name(f, "title", &is.Title, c.Title, false)
	f.Text("description", &is.Description, c.Description, form.MaxComment)
	f.Text("location", &is.Location, c.Location, MaxLocation)
	Link(f, "meeting_url", &is.MeetingURL, c.MeetingURL)
	status(f, "status", &is.Status, c.Status)
	f.Required("start_at", c.StartAt.Set && c.StartAt.Or("") == "")
	f.Required("end_at", c.EndAt.Set && c.EndAt.Or("") == "")
	if problems.Empty() && (c.StartAt.Set || c.EndAt.Set) {
		move(f, &is, c, zone)
	}
	Products(f, "product_ids", &is.Products, c.ProductIDs)
	if err := problems.Err(); err != nil {
		return before, err
	}
	if was.Status == Cancelled && is.Status != Cancelled {
		return before, transition.Refused(was.Status, "a cancelled event stays cancelled")
	}
	changed := after.changing(o.Original)
	changed.note(was, is)
	if changed.none() {
		after.Changed = slices.DeleteFunc(after.Changed, func(c Changed) bool { return c.Original.Equal(o.Original) })
	}
	if !was.Start.Equal(is.Start) || !was.End.Equal(is.End) || (was.Status == Cancelled) != (is.Status == Cancelled) {
		after.Sequence++
	}
	return after, nil
}

// move sets when an occurrence takes place. One of whole days begins and ends at
// midnight.
func move(f form.Form, o *Appointment, c OccurrenceChange, zone *time.Location) {
	if !o.AllDay {
		Span(f, &o.Start, &o.End, c.StartAt, c.EndAt, zone)
		return
	}
	f.Moment("start_at", &o.Start, c.StartAt, zone)
	f.Moment("end_at", &o.End, c.EndAt, zone)
	first, last := calendar.On(o.Start, zone), calendar.On(o.End, zone)
	switch {
	case !f.Problems.Empty():
	case !o.Start.Equal(first.Start(zone)):
		f.Wrong("start_at", fault.CodeOutOfRange, c.StartAt.Value, "start_at of whole days is when the first of them begins in timezone")
	case !o.End.Equal(last.Start(zone)):
		f.Wrong("end_at", fault.CodeOutOfRange, c.EndAt.Value, "end_at of whole days is when the last of them ends in timezone")
	case last <= first || last-first > MaxDays:
		f.Wrong("end_at", fault.CodeOutOfRange, c.EndAt.Value, "end_at is after start_at, at most %d days later", MaxDays)
	}
}

// note keeps what differs between two states of an occurrence.
func (c *Changed) note(was, is Appointment) {
	if !was.Start.Equal(is.Start) || !was.End.Equal(is.End) {
		start, end := is.Start, is.End
		c.Start, c.End = &start, &end
	}
	for target, of := range map[**string][2]string{
		&c.Title: {was.Title, is.Title}, &c.Description: {was.Description, is.Description},
		&c.Location: {was.Location, is.Location}, &c.MeetingURL: {was.MeetingURL, is.MeetingURL},
	} {
		if of[0] != of[1] {
			text := of[1]
			*target = &text
		}
	}
	if was.Status != is.Status {
		status := is.Status
		c.Status = &status
	}
	if !slices.Equal(was.Products, is.Products) {
		products := append([]product.ID{}, is.Products...)
		c.Products = &products
	}
}

func (c *Changed) none() bool {
	return c.Start == nil && c.Title == nil && c.Description == nil && c.Location == nil && c.MeetingURL == nil && c.Status == nil &&
		c.Products == nil && len(c.Answers) == 0
}

// changing returns how the occurrence with an original start differs, to be changed.
func (a *Appointment) changing(original time.Time) *Changed {
	if c := a.change(original); c != nil {
		return c
	}
	a.Changed = append(a.Changed, Changed{Original: original})
	slices.SortFunc(a.Changed, func(a, b Changed) int { return a.Original.Compare(b.Original) })
	return a.change(original)
}

// WithoutOccurrence returns a series in which one occurrence does not take place.
func (a Appointment) WithoutOccurrence(original time.Time) Appointment {
	a = a.Clone()
	a.Except = append(a.Except, original)
	slices.SortFunc(a.Except, time.Time.Compare)
	a.Changed = slices.DeleteFunc(a.Changed, func(c Changed) bool { return c.Original.Equal(original) })
	a.Sequence++
	return a
}

// WithAnswer returns an appointment to which an attendee gave an answer; with an
// original start, to that occurrence alone. found is false where nobody who attends
// has the id.
func (a Appointment) WithAnswer(attendee int64, said Answer, original time.Time) (after Appointment, found bool) {
	after = a.Clone()
	n := slices.IndexFunc(after.Attendees, func(one Attendee) bool { return one.ID == attendee })
	if n < 0 {
		return a, false
	}
	if original.IsZero() {
		after.Attendees[n].Answer = said
		return after, true
	}
	c := after.changing(original)
	c.Answers = slices.DeleteFunc(c.Answers, func(before OccurrenceAnswer) bool { return before.Attendee == attendee })
	c.Answers = append(c.Answers, OccurrenceAnswer{attendee, said})
	slices.SortFunc(c.Answers, func(a, b OccurrenceAnswer) int { return int(a.Attendee - b.Attendee) })
	return after, true
}
