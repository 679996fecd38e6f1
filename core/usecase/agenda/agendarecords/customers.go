package agendarecords

import (
	"cmp"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Agenda is a customer with what they attend and what they booked.
type Agenda struct {
	Customer     customer.ID
	Appointments []planning.Appointment
	Bookings     []planning.Booking
}

// AgendaOf reads what a customer attends or is reported to have attended, and booked.
func AgendaOf(u kernel.Unit, id customer.ID) (a Agenda, err error) {
	a.Customer = id
	if a.Appointments, err = u.Appointments().With(u.Site.ID, id); err != nil {
		return a, err
	}
	a.Bookings, err = u.Bookings().Of(u.Site.ID, id)
	return a, err
}

// Held returns what a customer who is locked attends and booked, each record locked as well,
// for those who change it.
func (a Agenda) Held(u kernel.Unit) (Agenda, error) {
	held := Agenda{Customer: a.Customer}
	for _, b := range a.Bookings {
		again, err := u.Bookings().Get(u.Site.ID, b.ID)
		if err != nil && !kernel.IsAbsent(err) {
			return a, err
		}
		if err == nil {
			held.Bookings = append(held.Bookings, again)
		}
	}
	for _, one := range a.Appointments {
		again, err := u.Appointments().Get(u.Site.ID, one.ID)
		if err != nil && !kernel.IsAbsent(err) {
			return a, err
		}
		if err == nil && slices.Contains(again.Concerned(), a.Customer) {
			held.Appointments = append(held.Appointments, again)
		}
	}
	return held, nil
}

// Anonymize takes everything personal out of what an anonymised customer attends
// and booked. What is ahead of them alone is cancelled. Ids, times, outcomes and the
// numbers of visit slips stay.
func (a Agenda) Anonymize(u kernel.Unit) error {
	for _, one := range a.Appointments {
		if _, err := Change(u, one, kernel.IfMatch{}, func(before planning.Appointment) (planning.Appointment, error) {
			if !before.Attends(a.Customer) {
				return before.WithoutWordsAbout(a.Customer), nil
			}
			after := before.Anonymous(labelOf(u, before))
			if a.cancels(u, before) {
				after.Status = planning.Cancelled
				after.Sequence++
			}
			return after, nil
		}); err != nil {
			return err
		}
	}
	return a.endBookings(u)
}

// cancels reports whether an appointment is ahead, and the customer's alone.
func (a Agenda) cancels(u kernel.Unit, of planning.Appointment) bool {
	if !of.Status.Ahead() || len(of.Customers()) != 1 {
		return false
	}
	return of.Recurs() && (of.Until.IsZero() || of.Until.After(u.Now)) || !of.Recurs() && of.Start.After(u.Now)
}

// Leave takes a customer who is deleted out of what they attend. What they booked
// and is ahead is cancelled.
func (a Agenda) Leave(u kernel.Unit) error {
	for _, one := range a.Appointments {
		booked := slices.ContainsFunc(a.Bookings, func(b planning.Booking) bool { return b.ID == one.Booking })
		if _, err := Change(u, one, kernel.IfMatch{}, func(before planning.Appointment) (planning.Appointment, error) {
			after := a.without(u, before)
			if booked && before.Attends(a.Customer) && before.Status.Ahead() && before.Start.After(u.Now) {
				after.Status = planning.Cancelled
				after.Sequence++
			}
			return after, nil
		}); err != nil {
			return err
		}
	}
	return a.endBookings(u)
}

// without returns an appointment that the customer left: what was theirs alone says
// nothing of them any more, for nobody could ask for that later.
func (a Agenda) without(u kernel.Unit, of planning.Appointment) planning.Appointment {
	after := of.Without(a.Customer)
	if of.Attends(a.Customer) && len(after.Customers()) == 0 {
		return after.Anonymous(labelOf(u, of))
	}
	return after.WithoutWordsAbout(a.Customer)
}

// labelOf returns the label of the type of an appointment.
func labelOf(u kernel.Unit, of planning.Appointment) string {
	kind, _ := u.Site.AppointmentTypes.Find(of.Type)
	return cmp.Or(kind.Label, of.Type)
}

// endBookings takes words and tokens out of what was booked.
func (a Agenda) endBookings(u kernel.Unit) error {
	for _, b := range a.Bookings {
		if after := b.Anonymous(); after != b {
			if err := u.Bookings().Put(after); err != nil {
				return err
			}
		}
	}
	return nil
}
