package agendarecords

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/appointment"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/permanence"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Zones finds time zones by their IANA names.
type Zones = func(name string) (*time.Location, error)

// Appointments is the life of appointments. What is stored says when it takes place
// and when the next reminder is due. A change first tells of the reminders that
// became due before it.
func Appointments(zones Zones) api.Resource[appointment.ID, appointment.Appointment] {
	return api.Resource[appointment.ID, appointment.Appointment]{
		Unknown: fault.Textf("no event has this id"),
		IDs:     port.AppointmentIDs,
		Table: func(tx port.Tx) api.Table[appointment.ID, appointment.Appointment] {
			return foreseeing[appointment.ID, appointment.Appointment]{tx.Appointments(), func(a appointment.Appointment) (appointment.Appointment, error) {
				zone, err := zones(a.Zone)
				if err != nil {
					return a, err
				}
				return a.Foresee(zone), nil
			}}
		},
		Created: event.AppointmentCreate, Updated: event.AppointmentUpdate, Deleted: event.AppointmentDelete,
		Stamp: func(a *appointment.Appointment) api.Stamp[appointment.ID] {
			return api.Stamp[appointment.ID]{ID: &a.ID, Version: &a.Version, Added: &a.Added, Modified: &a.Modified}
		},
		Agency: func(a appointment.Appointment) site.AgencyID { return a.Agency },
		Same:   appointment.Appointment.Same,
		Changing: func(u api.Unit, before, _ appointment.Appointment) error {
			_, err := Remind(u, before)
			return err
		},
	}
}

// Change makes a new state of an appointment that is held. No reminder that was due
// before is told of later.
func Change(u api.Unit, before appointment.Appointment, match api.IfMatch, edit func(appointment.Appointment) (appointment.Appointment, error)) (api.Changed, error) {
	return Appointments(u.Location).Change(u, before, match, func(a appointment.Appointment) (appointment.Appointment, error) {
		after, err := edit(a)
		after.Told = u.Now
		return after, err
	})
}

// Remind tells of the reminders of an appointment that are due by now, and reports
// how many.
func Remind(u api.Unit, of appointment.Appointment) (due int, err error) {
	zone, err := u.Location(of.Zone)
	if err != nil {
		return 0, err
	}
	due = of.DueReminders(u.Now, zone)
	for range due {
		if _, err := Appointments(u.Location).Record(u, event.ReminderCreate, of); err != nil {
			return 0, err
		}
	}
	return due, nil
}

// Permanences is the life of permanences.
func Permanences(zones Zones) api.Resource[permanence.ID, permanence.Permanence] {
	return api.Resource[permanence.ID, permanence.Permanence]{
		Unknown: fault.Textf("no permanence has this id"),
		IDs:     port.PermanenceIDs,
		Table: func(tx port.Tx) api.Table[permanence.ID, permanence.Permanence] {
			return foreseeing[permanence.ID, permanence.Permanence]{tx.Permanences(), func(p permanence.Permanence) (permanence.Permanence, error) {
				zone, err := zones(p.Zone)
				if err != nil {
					return p, err
				}
				return p.Foresee(zone), nil
			}}
		},
		Created: event.PermanenceCreate, Updated: event.PermanenceUpdate, Deleted: event.PermanenceDelete,
		Stamp: func(p *permanence.Permanence) api.Stamp[permanence.ID] {
			return api.Stamp[permanence.ID]{ID: &p.ID, Version: &p.Version, Added: &p.Added, Modified: &p.Modified}
		},
		Agency: func(p permanence.Permanence) site.AgencyID { return p.Agency },
		Same:   permanence.Permanence.Same,
	}
}

// foreseeing is a table whose records are stored with what they are found by.
type foreseeing[ID ~int64, T any] struct {
	api.Table[ID, T]
	foresee func(T) (T, error)
}

// Put implements api.Table.
func (t foreseeing[ID, T]) Put(v T) error {
	v, err := t.foresee(v)
	if err != nil {
		return err
	}
	return t.Table.Put(v)
}
