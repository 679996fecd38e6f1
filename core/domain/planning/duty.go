package planning

import (
	"reflect"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/recurrence"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// DutyID identifies a permanence.
type DutyID int64

// DutyKind is what somebody on duty does.
type DutyKind string

// The kinds.
const (
	DutyReception DutyKind = "ACCUEIL"
	DutyTelephone DutyKind = "TELEPHONE"
	DutyWeb       DutyKind = "WEB"
	DutyOnCall    DutyKind = "ASTREINTE"
)

// DutyKinds lists the kinds.
func DutyKinds() []DutyKind { return []DutyKind{DutyReception, DutyTelephone, DutyWeb, DutyOnCall} }

// MaxDutyLength is how long a duty lasts at most.
const MaxDutyLength = 24 * time.Hour

// Duty is the duty of a user, once or as a series.
type Duty struct {
	ID         DutyID
	Site       site.ID
	Agency     site.AgencyID
	User       site.UserID
	Kind       DutyKind
	Start, End time.Time // of the first
	// Zone is an IANA name.
	Zone string `trace:"keep"`
	// Rule says how it repeats (RFC 5545); Except are the starts that do not take
	// place, in order.
	Rule   string `trace:"keep"`
	Except []time.Time
	// Bookable is false for a duty in which the user can be booked by nobody.
	Bookable bool
	Comment  string
	// Sequence grows with each change of time or rule.
	Sequence int `trace:"-"`
	// From and Until bound the time of all occurrences; Until is the zero time where
	// they have no end. Foresee computes them.
	From, Until     time.Time `trace:"-"`
	Added, Modified time.Time
	Version         int64
}

// Series returns how the duty repeats in its zone.
func (p Duty) Series(zone *time.Location) recurrence.Series { return p.timing().Series(zone) }

// timing returns the permanence as what takes place at the same times.
func (p Duty) timing() Appointment {
	return Appointment{
		Agency: p.Agency, Start: p.Start, End: p.End, Zone: p.Zone, Rule: p.Rule, Except: p.Except, Status: Planned, Sequence: p.Sequence,
	}
}

// Overlapping lists the duties that have time in common with a window, by start.
// Original is zero where the duty does not repeat.
func (p Duty) Overlapping(window calendar.Interval, zone *time.Location) []Occurrence {
	return p.timing().Overlapping(window, zone)
}

// First lists the first n duties.
func (p Duty) First(zone *time.Location, n int) []Occurrence {
	all, _ := p.timing().Starting(calendar.Interval{Start: p.Start, End: p.Start.AddDate(100, 0, 0)}, zone, n)
	return all
}

// Foresee computes the bounds.
func (p Duty) Foresee(zone *time.Location) Duty {
	p.From, p.Until = p.timing().Bounds(zone)
	return p
}

// Same reports whether two states show no difference.
func (p Duty) Same(q Duty) bool { return reflect.DeepEqual(p.shown(), q.shown()) }

func (p Duty) shown() Duty {
	p.Sequence, p.From, p.Until, p.Added, p.Modified, p.Version = 0, time.Time{}, time.Time{}, time.Time{}, time.Time{}, 0
	if len(p.Except) == 0 {
		p.Except = nil
	}
	return p
}

// DutyChange is what a request wants of a permanence. Absent parts stay as they are.
type DutyChange struct {
	AgencyID opt.Field[int64]    `json:"agency_id" doc:"one of the token's agencies; required for a new one"`
	UserID   opt.Field[int64]    `json:"user_id" doc:"an active user; required for a new one"`
	Type     opt.Field[string]   `json:"type" enum:"ACCUEIL,TELEPHONE,WEB,ASTREINTE" doc:"required for a new one"`
	StartAt  opt.Field[string]   `json:"start_at" format:"date-time" doc:"required for a new one; in timezone where it has no offset"`
	EndAt    opt.Field[string]   `json:"end_at" format:"date-time" doc:"required for a new one; after start_at, at most 24 hours later"`
	Timezone opt.Field[string]   `json:"timezone" doc:"IANA name; that of the agency, where a new one has none"`
	RRule    opt.Field[string]   `json:"rrule" doc:"value of RRULE (RFC 5545); null for none"`
	Exdates  opt.Field[[]string] `json:"exdates" max:"planning.MaxExcept" doc:"starts that do not take place"`
	Bookable opt.Field[bool]     `json:"bookable" doc:"false: nobody can book the user while on duty; true for a new one"`
	Comment  opt.Field[string]   `json:"comment" max:"form.MaxComment"`
}

// ApplyDuty applies a request to a copy of a permanence, which is empty for a new one,
// and reports everything wrong with it. Zones are those of rules of appointments.
func ApplyDuty(r Rules, before Duty, c DutyChange, problems *fault.Problems) Duty {
	f := form.Form{Problems: problems}
	it, fresh := before, before.Kind == ""
	if fresh {
		it.Bookable, it.Zone = true, r.Zone(site.AgencyID(c.AgencyID.Or(0)))
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
		form.OneOf(f, "type", &it.Kind, c.Type, DutyKinds())
	}
	f.Text("comment", &it.Comment, c.Comment, form.MaxComment)
	if !c.Bookable.Null {
		f.Flag("bookable", &it.Bookable, c.Bookable)
	}
	timing := it.timing()
	r.Timing(f, &timing, Change{StartAt: c.StartAt, EndAt: c.EndAt, Timezone: c.Timezone, RRule: c.RRule, Exdates: c.Exdates}, fresh)
	if length := timing.End.Sub(timing.Start); length > MaxDutyLength && length <= MaxLength { // what is longer was reported
		f.Wrong("end_at", fault.CodeOutOfRange, c.EndAt.Or(""), "end_at is at most 24 hours after start_at")
	}
	it.Start, it.End, it.Zone, it.Rule, it.Except, it.Sequence = timing.Start, timing.End, timing.Zone, timing.Rule, timing.Except, timing.Sequence
	return it
}
