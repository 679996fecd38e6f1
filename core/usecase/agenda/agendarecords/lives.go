package agendarecords

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Zones finds time zones by their IANA names.
type Zones = func(name string) (*time.Location, error)

// Appointments returns the life of appointments. What is stored says when it takes place
// and when the next reminder is due. A change first records events of the reminders that
// became due before it.
func Appointments(zones Zones) kernel.Resource[planning.ID, planning.Appointment] {
	return kernel.Resource[planning.ID, planning.Appointment]{
		Unknown: fault.Textf("no event has this id"),
		IDs:     port.AppointmentIDs,
		Table: func(tx port.Tx) kernel.Table[planning.ID, planning.Appointment] {
			return foreseeing[planning.ID, planning.Appointment]{tx.Appointments(), func(a planning.Appointment) (planning.Appointment, error) {
				zone, err := zones(a.Zone)
				if err != nil {
					return a, err
				}
				return a.Foresee(zone), nil
			}}
		},
		Created: event.AppointmentCreate, Updated: event.AppointmentUpdate, Deleted: event.AppointmentDelete,
		Stamp: func(a *planning.Appointment) kernel.Stamp[planning.ID] {
			return kernel.Stamp[planning.ID]{ID: &a.ID, Version: &a.Version, Added: &a.Added, Modified: &a.Modified}
		},
		Agency: func(a planning.Appointment) site.AgencyID { return a.Agency },
		Same:   planning.Appointment.Same,

		Differences: edit.Closed[planning.Appointment],
		Changing: func(u kernel.Unit, before, _ planning.Appointment) error {
			_, err := Remind(u, before)
			return err
		},
	}
}

// Change makes a new state of an appointment that is locked. No reminder that was due
// before gets an event later.
func Change(u kernel.Unit, before planning.Appointment, match kernel.IfMatch, edit func(planning.Appointment) (planning.Appointment, error)) (kernel.Changed, error) {
	return Appointments(u.Location).Change(u, before, match, func(a planning.Appointment) (planning.Appointment, error) {
		after, err := edit(a)
		after.Told = u.Now
		return after, err
	})
}

// Remind records events of the reminders of an appointment that are due by now, and reports
// how many.
func Remind(u kernel.Unit, of planning.Appointment) (due int, err error) {
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

// Permanences returns the life of permanences.
func Permanences(zones Zones) kernel.Resource[planning.DutyID, planning.Duty] {
	return kernel.Resource[planning.DutyID, planning.Duty]{
		Unknown: fault.Textf("no permanence has this id"),
		IDs:     port.DutyIDs,
		Table: func(tx port.Tx) kernel.Table[planning.DutyID, planning.Duty] {
			return foreseeing[planning.DutyID, planning.Duty]{tx.Duties(), func(p planning.Duty) (planning.Duty, error) {
				zone, err := zones(p.Zone)
				if err != nil {
					return p, err
				}
				return p.Foresee(zone), nil
			}}
		},
		Created: event.PermanenceCreate, Updated: event.PermanenceUpdate, Deleted: event.PermanenceDelete,
		Stamp: func(p *planning.Duty) kernel.Stamp[planning.DutyID] {
			return kernel.Stamp[planning.DutyID]{ID: &p.ID, Version: &p.Version, Added: &p.Added, Modified: &p.Modified}
		},
		Agency: func(p planning.Duty) site.AgencyID { return p.Agency },
		Same:   planning.Duty.Same,

		Differences: edit.Closed[planning.Duty],
	}
}

// foreseeing is a table whose records are stored with what they are found by.
type foreseeing[ID ~int64, T any] struct {
	kernel.Table[ID, T]
	foresee func(T) (T, error)
}

// Put implements kernel.Table.
func (t foreseeing[ID, T]) Put(v T) error {
	v, err := t.foresee(v)
	if err != nil {
		return err
	}
	return t.Table.Put(v)
}
