// Package worktime keeps when users work, and when calendars elsewhere say that
// they are busy.
package worktime

import (
	"regexp"
	"time"

	"github.com/vitrine-crm/vitrine/core/interval"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/slot"
)

// Schedule is the working time of a user.
type Schedule struct {
	Site site.ID
	User site.UserID
	slot.WorkingTime
	Modified time.Time
	Version  int64
}

// FirstVersion is the version of what was never stored; what is stored has a later
// one.
const FirstVersion = 1

// None is the schedule of a user who has none: no working time, and bookable.
func None(of site.ID, user site.UserID) Schedule {
	return Schedule{Site: of, User: user, WorkingTime: slot.WorkingTime{Bookable: true}, Version: FirstVersion}
}

// Limits of what is imported from one calendar.
const (
	MaxImported = 2_000
	MaxLength   = 31 * 24 * time.Hour
)

// Source names a calendar elsewhere.
type Source string

var sources = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// Valid reports whether a source can have the name.
func (s Source) Valid() bool { return sources.MatchString(string(s)) }

// Imported is when a calendar elsewhere says that a user is busy.
type Imported struct {
	Site     site.ID
	User     site.UserID
	Source   Source
	Busy     []interval.Interval
	Modified time.Time
	Version  int64
}
