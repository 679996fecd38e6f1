package planning

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
)

// FeedDetail is the amount of detail in a feed.
type FeedDetail string

// The details: what appointments are, or only that the time is taken.
const (
	FeedFull FeedDetail = "FULL"
	FeedBusy FeedDetail = "BUSY"
)

// Feed is the calendar feed of a user, known by the hash of its token.
type Feed struct {
	Site   site.ID
	User   site.UserID
	Detail FeedDetail
	Token  access.Hash
	Added  time.Time
}

// FeedCalendar is what a feed shows of a user.
type FeedCalendar struct {
	// User is whose calendar it is: what they refused, an appointment or one occurrence,
	// is not in it.
	User site.UserID
	// Name is that of the user, Host that of the service, which makes names of
	// appointments unique.
	Name, Host string
	Detail     FeedDetail
	// Appointments are those that the user attends, and Duties those of the user, each
	// with its whole series.
	Appointments []Appointment
	Duties       []Duty
	// Types are those of the site, for their labels.
	Types Types
	// Location finds a zone by its IANA name.
	Location func(name string) (*time.Location, error)
	// Window is the time that the feed is about.
	Window calendar.Interval
}

// FreeBusy is when a user is busy, without a word about what with.
type FreeBusy struct {
	// Name is that of the record itself, unique with Host.
	Name, Host string
	Now        time.Time
	Window     calendar.Interval
	Busy       []slot.Occupied
}
