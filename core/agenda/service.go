package agenda

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/agendarecords"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/appointment"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/people"
	"github.com/vitrine-crm/vitrine/core/permanence"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Service is the use cases about the agenda.
type Service struct {
	API
	api.Area[API]

	k *api.Kernel
}

// New makes the area on a kernel.
func New(k *api.Kernel) *Service {
	s := &Service{k: k}
	s.Area = api.NewArea(&s.API, s.table)
	return s
}

// Unit is what the code inside a unit of work about the agenda has.
type Unit struct{ people.Unit }

// NewUnit is the unit of this area.
func NewUnit(u api.Unit) Unit { return Unit{people.NewUnit(u)} }

// kernel is the unit without what the areas add to it.
func (u Unit) kernel() api.Unit { return u.Unit.Unit.Unit }

func (u Unit) appointments() api.Resource[appointment.ID, appointment.Appointment] {
	return agendarecords.Appointments(u.Location)
}

func (u Unit) permanences() api.Resource[permanence.ID, permanence.Permanence] {
	return agendarecords.Permanences(u.Location)
}

// rules are what changes of appointments are judged by.
func (u Unit) rules() appointment.Rules {
	return appointment.Rules{
		Types: u.Site.AppointmentTypes, Zone: u.Site.Settings().TimeZone, Location: u.Location,
		Agency: func(id site.UserID) site.AgencyID { return u.Site.Users[id].Agency },
	}
}

// zoneOf is the zone of an appointment, which was checked when it was stored.
func (u Unit) zoneOf(a appointment.Appointment) (*time.Location, error) { return u.Location(a.Zone) }

// checkUsers reports users who are not known in scope, or not active where that is
// asked for.
func (u Unit) checkUsers(field string, ids []site.UserID, active bool, problems *fault.Problems) {
	for _, id := range ids {
		if known, found := u.Site.Users[id]; !found || !u.Scope.Has(known.Agency) || active && !known.Active {
			problems.Wrong(field, fault.CodeUnknownUser, int64(id), "no active user of the token's agencies has this id")
		}
	}
}

// user is a user whom a path names: NotFound where the site has none of the id,
// Forbidden where the agency is outside the scope.
func user(c api.Caller, id int64) (site.User, error) {
	found, known := c.Site.Users[site.UserID(id)]
	if !known {
		return found, api.Unknown("no user has this id")
	}
	return found, c.Sees(found.Agency)
}

// agency is an agency whom a path names, with the errors of user.
func agency(c api.Caller, id int64) (site.Agency, error) {
	found, known := c.Site.Agency(site.AgencyID(id))
	if !known {
		return found, api.Unknown("no agency has this id")
	}
	return found, c.Sees(found.ID)
}
