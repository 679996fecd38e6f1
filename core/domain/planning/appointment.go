package planning

import (
	"reflect"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ID identifies an appointment.
type ID int64

// BookingID identifies the booking that an appointment was made by.
type BookingID int64

// Status is what became of an appointment, or of one occurrence.
type Status string

// The statuses. Cancelled is final.
const (
	Planned   Status = "PREVU"
	Confirmed Status = "CONFIRME"
	Done      Status = "REALISE"
	Cancelled Status = "ANNULE"
	// Missed is when somebody did not come.
	Missed Status = "ABSENT"
)

// Statuses lists the statuses.
func Statuses() []Status { return []Status{Planned, Confirmed, Done, Cancelled, Missed} }

// Ahead reports whether something with the status is still meant to take place.
func (s Status) Ahead() bool { return s == Planned || s == Confirmed }

// Occupies reports whether something with the status takes the time of those who
// attend.
func (s Status) Occupies() bool { return s.Ahead() || s == Done }

// Visibility is who sees more of an appointment than its time.
type Visibility string

// The visibilities: everybody, or the client that made it.
const (
	Public  Visibility = "PUBLIC"
	Private Visibility = "PRIVE"
)

// Kind is what an attendee is.
type Kind string

// The kinds of attendees.
const (
	User     Kind = "USER"
	Customer Kind = "CUSTOMER"
	Guest    Kind = "GUEST"
)

// Role is what an attendee is there for.
type Role string

// The roles.
const (
	Organiser Role = "ORGANISATEUR"
	Required  Role = "REQUIS"
	Optional  Role = "OPTIONNEL"
)

// Answer is what an attendee says to an invitation.
type Answer string

// The answers.
const (
	Waiting  Answer = "EN_ATTENTE"
	Accepted Answer = "ACCEPTE"
	Refused  Answer = "REFUSE"
	Maybe    Answer = "PEUT_ETRE"
)

// Answers lists the answers.
func Answers() []Answer { return []Answer{Waiting, Accepted, Refused, Maybe} }

// Attendee is somebody who attends: a user, a customer, or a guest who is neither.
type Attendee struct {
	ID          int64 // within the appointment
	Kind        Kind
	User        site.UserID
	Customer    customer.ID
	Name, Email string
	Role        Role
	Answer      Answer
}

// same reports whether two are the same person.
func (a Attendee) same(b Attendee) bool {
	if a.Kind != b.Kind || a.User != b.User || a.Customer != b.Customer {
		return false
	}
	return a.Kind != Guest || a.Name == b.Name && a.Email == b.Email
}

// Appointment is an event of a calendar, or a series of them.
type Appointment struct {
	ID     ID
	Site   site.ID
	Agency site.AgencyID
	// Type is the model of a type.
	Type                         string `trace:"keep"`
	Title, Description, Location string
	MeetingURL                   string
	Latitude, Longitude          *float64
	Status                       Status
	// Start and End are those of the first occurrence. With AllDay they are when First
	// begins and Last ends in the zone.
	Start, End time.Time
	AllDay     bool
	// First and Last are the days of the first occurrence, both included; none without
	// AllDay.
	First, Last calendar.Day
	// Zone is an IANA name.
	Zone string `trace:"keep"`
	// Rule says how it repeats (RFC 5545); empty where it does not. Except are the
	// original starts that do not take place, in order.
	Rule    string `trace:"keep"`
	Except  []time.Time
	Changed []Changed // occurrences, by their original starts

	Attendees    []Attendee
	LastAttendee int64 `trace:"-"`
	Products     []product.ID
	Search       demand.SearchID
	Busy         bool
	// Before and After are minutes that are kept free around it.
	Before, After int
	Visibility    Visibility
	LiveVisit     bool
	Reminders     []int // minutes before the start
	ExternalID    string
	Booking       BookingID
	Reports       []Report
	LastReport    int64 `trace:"-"`
	CreatedBy     access.CredentialID
	// Sequence grows with each change of time or rule.
	Sequence int `trace:"-"`
	// Told is the time up to which events of reminders were recorded.
	Told time.Time `trace:"-"`

	// From and Until bound the time of all occurrences; Until is the zero time where
	// they have no end. Due is when the event of the next reminder is due; the zero time
	// is never. Foresee computes the three.
	From, Until, Due time.Time `trace:"-"`

	Added, Modified time.Time
	Version         int64
}

// Changed is an occurrence that differs from the others of its series in what is
// not nil.
type Changed struct {
	// Original is when it would start.
	Original                     time.Time
	Start, End                   *time.Time // both or neither
	Title, Description, Location *string
	MeetingURL                   *string
	Status                       *Status
	Products                     *[]product.ID
	Answers                      []OccurrenceAnswer
}

// OccurrenceAnswer is what an attendee says to one occurrence.
type OccurrenceAnswer struct {
	Attendee int64
	Answer   Answer
}

// Report is what came of a visit.
type Report struct {
	ID int64 // within the appointment
	// Occurrence is an original start; zero where the appointment does not repeat.
	Occurrence    time.Time
	Customer      customer.ID
	Product       product.ID
	Outcome       Outcome
	Rating        int    // 0 is none
	RefusalReason string `trace:"keep"`
	Comment       string
	// Slip is the number of the visit slip that was signed; empty without.
	Slip   string `trace:"keep"`
	Signed time.Time
	Added  time.Time
}

// Interval returns the time of the first occurrence.
func (a Appointment) Interval() calendar.Interval {
	return calendar.Interval{Start: a.Start, End: a.End}
}

// Recurs reports whether it is a series.
func (a Appointment) Recurs() bool { return a.Rule != "" }

// Users lists the users who attend, by their place; those who refused are among
// them.
func (a Appointment) Users() []site.UserID {
	users := []site.UserID{}
	for _, one := range a.Attendees {
		if one.Kind == User {
			users = append(users, one.User)
		}
	}
	return users
}

// Attending lists the users who attend and did not refuse.
func (a Appointment) Attending() []site.UserID {
	var users []site.UserID
	for _, one := range a.Attendees {
		if one.Kind == User && one.Answer != Refused {
			users = append(users, one.User)
		}
	}
	return users
}

// Customers lists the customers who attend, by their place.
func (a Appointment) Customers() []customer.ID {
	customers := []customer.ID{}
	for _, one := range a.Attendees {
		if one.Kind == Customer {
			customers = append(customers, one.Customer)
		}
	}
	return customers
}

// Attends reports whether a customer attends.
func (a Appointment) Attends(id customer.ID) bool { return slices.Contains(a.Customers(), id) }

// Concerned returns the customers who attend, and those whom reports are about, each
// once: a person who is removed from an appointment stays in its reports.
func (a Appointment) Concerned() []customer.ID {
	all := a.Customers()
	for _, r := range a.Reports {
		all = append(all, r.Customer)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// AllProducts returns the products of the appointment and of its occurrences, each
// once.
func (a Appointment) AllProducts() []product.ID {
	all := slices.Clone(a.Products)
	for _, c := range a.Changed {
		if c.Products != nil {
			all = append(all, *c.Products...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Clone returns a copy that shares nothing with the appointment that changes.
func (a Appointment) Clone() Appointment {
	a.Except, a.Changed = slices.Clone(a.Except), slices.Clone(a.Changed)
	for n := range a.Changed {
		a.Changed[n].Answers = slices.Clone(a.Changed[n].Answers)
	}
	a.Attendees, a.Products = slices.Clone(a.Attendees), slices.Clone(a.Products)
	a.Reminders, a.Reports = slices.Clone(a.Reminders), slices.Clone(a.Reports)
	return a
}

// Same reports whether two states show no difference.
func (a Appointment) Same(b Appointment) bool { return reflect.DeepEqual(a.shown(), b.shown()) }

// shown returns an appointment without what no answer shows, and with one form for
// lists that are empty.
func (a Appointment) shown() Appointment {
	a.Told, a.From, a.Until, a.Due = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	a.Added, a.Modified, a.Version, a.Sequence = time.Time{}, time.Time{}, 0, 0
	a.LastAttendee, a.LastReport = 0, 0
	a.Except, a.Changed, a.Attendees = orNone(a.Except), orNone(a.Changed), orNone(a.Attendees)
	a.Products, a.Reminders, a.Reports = orNone(a.Products), orNone(a.Reminders), orNone(a.Reports)
	return a
}

func orNone[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// IsHiddenFrom reports whether a client sees only that time is taken.
func (a Appointment) IsHiddenFrom(client access.CredentialID) bool {
	return a.Visibility == Private && a.CreatedBy != client
}

// Anonymous returns what is left of an appointment that somebody attended whom nobody
// may know any more: ids, times, outcomes and the numbers of visit slips. Its title
// becomes a label.
func (a Appointment) Anonymous(label string) Appointment {
	a = a.Clone()
	a.Title, a.Description, a.Location, a.MeetingURL, a.ExternalID = label, "", "", "", ""
	a.Latitude, a.Longitude, a.LiveVisit = nil, nil, false
	for n := range a.Reports {
		a.Reports[n].Comment = ""
	}
	for n := range a.Changed {
		c := &a.Changed[n]
		c.Title, c.Description, c.Location, c.MeetingURL = nil, nil, nil, nil
	}
	return a
}

// WithoutWordsAbout returns an appointment whose reports about a customer say nothing
// but what came of the visit.
func (a Appointment) WithoutWordsAbout(id customer.ID) Appointment {
	a = a.Clone()
	for n := range a.Reports {
		if a.Reports[n].Customer == id {
			a.Reports[n].Comment = ""
		}
	}
	return a
}

// Without returns an appointment that a customer does not attend any more.
func (a Appointment) Without(id customer.ID) Appointment {
	a = a.Clone()
	a.Attendees = slices.DeleteFunc(a.Attendees, func(one Attendee) bool { return one.Kind == Customer && one.Customer == id })
	return a
}

// Handed returns an appointment that one user attends in the place of another.
func (a Appointment) Handed(from, to site.UserID) Appointment {
	if from == to {
		return a
	}
	a = a.Clone()
	a.Attendees = slices.DeleteFunc(a.Attendees, func(one Attendee) bool { return one.Kind == User && one.User == to })
	for n := range a.Attendees {
		if one := &a.Attendees[n]; one.Kind == User && one.User == from {
			one.User, one.Answer = to, Waiting
		}
	}
	return a
}
