package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
)

// AppointmentTypes holds the kinds of appointment a site knows.
type AppointmentTypes = Vocabulary[planning.Type]

// Calendars are what is given away of the time of users.
type Calendars interface {
	// Hold takes hold of the calendars of users until the unit ends, in ascending
	// order of their ids, whether or not anything is known of them. Whoever gives time
	// away holds them before reading what is free.
	Hold(site.ID, []site.UserID) error
}

// Appointments holds the appointments. What their bounds are, and when the next
// reminder is due, is stored with them.
type Appointments interface {
	Table[planning.ID, planning.Appointment]
	// Find lists the appointments a query wants, in its order. The answer must be
	// what planning.Filter.Matches and planning.Place.Compare say.
	Find(AppointmentQuery) ([]planning.Appointment, error)
	// AttendedBy lists the appointments that any of some users attends, refused or
	// not, and whose bounds have time in common with a window, by id: those that
	// planning.Facts.Reaches says.
	AttendedBy(id site.ID, users []site.UserID, window calendar.Interval) ([]planning.Appointment, error)
	// About lists the appointments about some products whose bounds have time in
	// common with a window, by id.
	About(id site.ID, products []product.ID, window calendar.Interval) ([]planning.Appointment, error)
	// With lists the appointments that a customer attends, or that have a report about
	// them, by id.
	With(site.ID, customer.ID) ([]planning.Appointment, error)
	// Due lists at most n appointments, of any site, of which a reminder is due at a
	// moment or earlier, the first due first, those of one moment by site and id.
	Due(at time.Time, n int) ([]planning.Appointment, error)
}

// AppointmentQuery says which appointments of a site are wanted.
type AppointmentQuery struct {
	Site   site.ID
	Filter planning.Filter
	// ByStart orders by start, then by id; else they are in the order of their ids.
	ByStart bool
	// After wants only what comes after a place in that order, which is an id alone
	// unless ByStart. The zero Place is before everything.
	After planning.Place
	// Limit is how many are wanted at most; 0 is all of them.
	Limit int
}

// Permanences holds the duty rosters.
type Permanences interface {
	Table[planning.DutyID, planning.Duty]
	// Within lists the permanences of a site whose bounds have time in common with a
	// window, by id.
	Within(PermanenceQuery) ([]planning.Duty, error)
}

// PermanenceQuery says which permanences of a site are wanted. The empty lists of
// agencies, users and kinds are any.
type PermanenceQuery struct {
	Site     site.ID
	Window   calendar.Interval
	Agencies []site.AgencyID
	Users    []site.UserID
	Kinds    []planning.DutyKind
}

// Schedules holds when users work, each under the id of the user.
type Schedules = Table[site.UserID, slot.Schedule]

// ImportedBusy holds when calendars elsewhere say that users are busy.
type ImportedBusy interface {
	// Get returns what a source says of a user; in an Update it is held until the
	// unit ends.
	Get(site.ID, site.UserID, slot.Source) (slot.Imported, error)
	// Of lists what all sources say of some users, by user and source.
	Of(site.ID, []site.UserID) ([]slot.Imported, error)
	// Put stores a record, whether or not there is one of its user and source.
	Put(slot.Imported) error
	// Delete removes a record, which must exist.
	Delete(site.ID, site.UserID, slot.Source) error
}

// BookingSettings holds what visitors can book, each under the id of the agency.
type BookingSettings = Table[site.AgencyID, planning.BookingSettings]

// Holds holds the time that is kept for visitors.
type Holds interface {
	Table[planning.HoldID, planning.Hold]
	// Of lists the holds on the time of some users that are not over at a moment, by
	// id.
	Of(id site.ID, users []site.UserID, now time.Time) ([]planning.Hold, error)
	// Count counts the holds of a client on a product that are not over at a moment.
	Count(id site.ID, p product.ID, by access.CredentialID, now time.Time) (int, error)
	// Purge removes at most n holds, of any site, that expired before the given
	// moment, the first expired first, and reports how many.
	Purge(before time.Time, n int) (int, error)
}

// Bookings holds what was booked.
type Bookings = CustomerTable[planning.BookingID, planning.Booking]

// Feeds holds the calendar feeds, each under the id of its user.
type Feeds interface {
	Table[site.UserID, planning.Feed]
	// ByToken returns the feed of any site whose token has the hash.
	ByToken(access.Hash) (planning.Feed, error)
}
