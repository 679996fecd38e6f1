// Package permanence is duty rosters: who is on duty where, when and how it
// repeats.
package permanence

import (
	"reflect"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/appointment"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/interval"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/recurrence"
	"github.com/vitrine-crm/vitrine/core/site"
)

// ID identifies a permanence.
type ID int64

// Kind is what somebody on duty does.
type Kind string

// The kinds.
const (
	Reception Kind = "ACCUEIL"
	Telephone Kind = "TELEPHONE"
	Web       Kind = "WEB"
	OnCall    Kind = "ASTREINTE"
)

// Kinds lists the kinds.
func Kinds() []Kind { return []Kind{Reception, Telephone, Web, OnCall} }

// MaxLength is how long a duty lasts at most.
const MaxLength = 24 * time.Hour

// Permanence is the duty of a user, once or as a series.
type Permanence struct {
	ID         ID
	Site       site.ID
	Agency     site.AgencyID
	User       site.UserID
	Kind       Kind
	Start, End time.Time // of the first
	// Zone is an IANA name.
	Zone string
	// Rule says how it repeats (RFC 5545); Except are the starts that do not take
	// place, in order.
	Rule   string
	Except []time.Time
	// Bookable is false for a duty in which the user can be booked by nobody.
	Bookable bool
	Comment  string
	// Sequence grows with each change of time or rule.
	Sequence int
	// From and Until bound the time of all occurrences; Until is the zero time where
	// they have no end. Foresee computes them.
	From, Until     time.Time
	Added, Modified time.Time
	Version         int64
}

// Series is how the duty repeats in its zone.
func (p Permanence) Series(zone *time.Location) recurrence.Series { return p.timing().Series(zone) }

// timing is the permanence as what takes place at the same times.
func (p Permanence) timing() appointment.Appointment {
	return appointment.Appointment{
		Start: p.Start, End: p.End, Zone: p.Zone, Rule: p.Rule, Except: p.Except, Status: appointment.Planned, Sequence: p.Sequence,
	}
}

// Overlapping lists the duties that have time in common with a window, by start.
// Original is zero where the duty does not repeat.
func (p Permanence) Overlapping(window interval.Interval, zone *time.Location) []appointment.Occurrence {
	return p.timing().Overlapping(window, zone)
}

// First lists the first n duties.
func (p Permanence) First(zone *time.Location, n int) []appointment.Occurrence {
	all, _ := p.timing().Starting(interval.Interval{Start: p.Start, End: p.Start.AddDate(100, 0, 0)}, zone, n)
	return all
}

// Foresee computes the bounds.
func (p Permanence) Foresee(zone *time.Location) Permanence {
	p.From, p.Until = p.timing().Bounds(zone)
	return p
}

// Same reports whether two states show no difference.
func (p Permanence) Same(q Permanence) bool { return reflect.DeepEqual(p.shown(), q.shown()) }

func (p Permanence) shown() Permanence {
	p.Sequence, p.From, p.Until, p.Added, p.Modified, p.Version = 0, time.Time{}, time.Time{}, time.Time{}, time.Time{}, 0
	if len(p.Except) == 0 {
		p.Except = nil
	}
	return p
}

// Change is what a request wants of a permanence. Absent parts stay as they are.
type Change struct {
	AgencyID opt.Field[int64]    `json:"agency_id" doc:"one of the token's agencies; required for a new one"`
	UserID   opt.Field[int64]    `json:"user_id" doc:"an active user; required for a new one"`
	Type     opt.Field[string]   `json:"type" enum:"ACCUEIL,TELEPHONE,WEB,ASTREINTE" doc:"required for a new one"`
	StartAt  opt.Field[string]   `json:"start_at" format:"date-time" doc:"required for a new one; in timezone where it has no offset"`
	EndAt    opt.Field[string]   `json:"end_at" format:"date-time" doc:"required for a new one; after start_at, at most 24 hours later"`
	Timezone opt.Field[string]   `json:"timezone" doc:"IANA name; the site's, where a new one has none"`
	RRule    opt.Field[string]   `json:"rrule" doc:"value of RRULE (RFC 5545); null for none"`
	Exdates  opt.Field[[]string] `json:"exdates" max:"appointment.MaxExcept" doc:"starts that do not take place"`
	Bookable opt.Field[bool]     `json:"bookable" doc:"false: nobody can book the user while on duty; true for a new one"`
	Comment  opt.Field[string]   `json:"comment" max:"form.MaxComment"`
}

// Apply applies a request to a copy of a permanence, which is empty for a new one,
// and reports everything wrong with it. Zones are those of rules of appointments.
func Apply(r appointment.Rules, before Permanence, c Change, problems *fault.Problems) Permanence {
	f := form.Form{Problems: problems}
	it, fresh := before, before.Kind == ""
	if fresh {
		it.Bookable, it.Zone = true, r.Zone
	}
	it.Except = slices.Clone(it.Except)
	needs := func(set, given bool) bool { return (fresh || set) && !given }
	f.Required("agency_id", needs(c.AgencyID.Set, c.AgencyID.Given()))
	f.Required("user_id", needs(c.UserID.Set, c.UserID.Given()))
	f.Required("type", needs(c.Type.Set, c.Type.Or("") != ""))
	if c.AgencyID.Given() {
		it.Agency = site.AgencyID(c.AgencyID.Value)
	}
	if c.UserID.Given() {
		form.ID(f, "user_id", &it.User, c.UserID)
	}
	if c.Type.Or("") != "" {
		form.OneOf(f, "type", &it.Kind, c.Type, Kinds())
	}
	f.Text("comment", &it.Comment, c.Comment, form.MaxComment)
	if !c.Bookable.Null {
		f.Flag("bookable", &it.Bookable, c.Bookable)
	}
	timing := it.timing()
	r.Timing(f, &timing, appointment.Change{StartAt: c.StartAt, EndAt: c.EndAt, Timezone: c.Timezone, RRule: c.RRule, Exdates: c.Exdates}, fresh)
	if length := timing.End.Sub(timing.Start); length > MaxLength && length <= appointment.MaxLength { // what is longer was reported
		f.Wrong("end_at", fault.CodeOutOfRange, c.EndAt.Or(""), "end_at is at most 24 hours after start_at")
	}
	it.Start, it.End, it.Zone, it.Rule, it.Except, it.Sequence = timing.Start, timing.End, timing.Zone, timing.Rule, timing.Except, timing.Sequence
	return it
}
