package agenda

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// Service is the use cases about the agenda.
type Service struct {
	API
	kernel.Area[API]

	k *kernel.Kernel
}

// New makes the area on a kernel.
func New(k *kernel.Kernel) *Service {
	s := &Service{k: k}
	s.Area = kernel.NewArea(&s.API, s.table)
	return s
}

// Unit is what the code inside a unit of work about the agenda has.
type Unit struct{ people.Unit }

// NewUnit returns the unit of this area.
func NewUnit(u kernel.Unit) Unit { return Unit{people.NewUnit(u)} }

// kernel returns the unit without what the areas add to it.
func (u Unit) kernel() kernel.Unit { return u.Unit.Unit.Unit }

func (u Unit) appointments() kernel.Resource[planning.ID, planning.Appointment] {
	return agendarecords.Appointments(u.Location)
}

func (u Unit) permanences() kernel.Resource[planning.DutyID, planning.Duty] {
	return agendarecords.Permanences(u.Location)
}

// rules returns what changes of appointments are judged by.
func (u Unit) rules() planning.Rules {
	return planning.Rules{
		Types: u.Site.AppointmentTypes, Location: u.Location,
		Zone:   func(id site.AgencyID) string { return u.Site.ZoneOf(id).String() },
		Agency: func(id site.UserID) site.AgencyID { return u.Site.Users[id].Agency },
	}
}

// zoneOf returns the zone of an appointment, which was checked when it was stored.
func (u Unit) zoneOf(a planning.Appointment) (*time.Location, error) { return u.Location(a.Zone) }

// zoneAsked returns the zone of the agency that a request asks for, and else the site's.
func (u Unit) zoneAsked(given opt.Field[int64]) *time.Location {
	return u.Site.ZoneOf(site.AgencyID(given.Or(0)))
}

// zoneAmong returns the zone of some users where they have the same, and else the site's.
func (u Unit) zoneAmong(users []site.UserID) *time.Location {
	var all []site.AgencyID
	for _, id := range users {
		all = append(all, u.Site.Users[id].Agency)
	}
	return u.zoneOfAll(all)
}

// zoneOfAll is zoneAmong of agencies.
func (u Unit) zoneOfAll(all []site.AgencyID) *time.Location {
	if len(all) == 0 {
		return u.Site.Zone
	}
	zone := u.Site.ZoneOf(all[0])
	for _, id := range all {
		if u.Site.ZoneOf(id).String() != zone.String() {
			return u.Site.Zone
		}
	}
	return zone
}

// checkUsers reports users who are not known in scope, or not active where that is
// asked for.
func (u Unit) checkUsers(field string, ids []site.UserID, active bool, problems *fault.Problems) {
	for _, id := range ids {
		if known, found := u.Site.Users[id]; !found || !u.Scope.Has(known.Agency) || active && !known.Active {
			problems.Wrong(field, fault.CodeUnknownUser, int64(id), "no active user of the token's agencies has this id")
		}
	}
}

// user returns a user whom a path names: NotFound where the site has none of the id,
// Forbidden where the agency is outside the scope.
func user(c kernel.Caller, id int64) (site.User, error) {
	found, known := c.Site.Users[site.UserID(id)]
	if !known {
		return found, kernel.Unknown("no user has this id")
	}
	return found, c.Sees(found.Agency)
}

// agency returns an agency whom a path names, with the errors of user.
func agency(c kernel.Caller, id int64) (site.Agency, error) {
	found, known := c.Site.Agency(site.AgencyID(id))
	if !known {
		return found, kernel.Unknown("no agency has this id")
	}
	return found, c.Sees(found.ID)
}
