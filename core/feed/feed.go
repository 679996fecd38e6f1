// Package feed is calendar feeds: a user's calendar at a URL of their own, for
// programs that show calendars.
package feed

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/appointment"
	"github.com/vitrine-crm/vitrine/core/interval"
	"github.com/vitrine-crm/vitrine/core/permanence"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/slot"
)

// Detail is how much a feed tells.
type Detail string

// The details: what appointments are, or only that the time is taken.
const (
	Full Detail = "FULL"
	Busy Detail = "BUSY"
)

// Feed is the calendar feed of a user, known by the hash of its token.
type Feed struct {
	Site   site.ID
	User   site.UserID
	Detail Detail
	Token  access.Hash
	Added  time.Time
}

// Calendar is what a feed shows of a user.
type Calendar struct {
	// User is whose calendar it is: what they refused, an appointment or one occurrence,
	// is not in it.
	User site.UserID
	// Name is that of the user, Host that of the service, which makes names of
	// appointments unique.
	Name, Host string
	Detail     Detail
	// Appointments are those that the user attends, and Duties those of the user, each
	// with its whole series.
	Appointments []appointment.Appointment
	Duties       []permanence.Permanence
	// Types are those of the site, for their labels.
	Types appointment.Types
	// Location finds a zone by its IANA name.
	Location func(name string) (*time.Location, error)
	// Window is the time that the feed is about.
	Window interval.Interval
}

// FreeBusy is when a user is busy, without a word about what with.
type FreeBusy struct {
	// Name is that of the record itself, unique with Host.
	Name, Host string
	Now        time.Time
	Window     interval.Interval
	Busy       []slot.Occupied
}
