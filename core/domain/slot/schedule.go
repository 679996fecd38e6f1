package slot

import (
	"regexp"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Schedule is the working time of a user.
type Schedule struct {
	Site site.ID
	User site.UserID
	WorkingTime
	Modified time.Time
	Version  int64
}

// FirstScheduleVersion is the version of what was never stored; what is stored has a later
// one.
const FirstScheduleVersion = 1

// NoSchedule returns the schedule of a user who has none: no working time, and bookable.
func NoSchedule(of site.ID, user site.UserID) Schedule {
	return Schedule{Site: of, User: user, WorkingTime: WorkingTime{Bookable: true}, Version: FirstScheduleVersion}
}

// Limits of what is imported from one calendar.
const (
	MaxImported       = 2_000
	MaxImportedLength = 31 * 24 * time.Hour
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
	Busy     []calendar.Interval
	Modified time.Time
	Version  int64
}
