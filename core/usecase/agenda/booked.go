package agenda

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// errNoBooking is also what somebody learns who has the wrong token.
func errNoBooking() error { return kernel.Unknown("no booking has this id and token") }

// booked returns a booking that a path names, with its appointment as far as that is
// there. Who does not see the agenda has to have the token. In a unit that writes
// both are locked.
func (u Unit) booked(id int64, token string) (b planning.Booking, a planning.Appointment, err error) {
	if b, err = u.Bookings().Get(u.Site.ID, planning.BookingID(id)); err != nil {
		return b, a, kernel.AbsentIs(err, errNoBooking())
	}
	if !u.Grant.Packs.Any(access.Agenda) && !u.proves(b.Token, token) {
		return b, a, errNoBooking()
	}
	if err := u.Sees(b.Agency); err != nil {
		return b, a, err
	}
	a, err = u.Appointments().Get(u.Site.ID, b.Appointment)
	return b, a, kernel.AbsentIs(err, nil)
}

func (u Unit) getBooking(in BookingPath) (Booking, error) {
	b, a, err := u.booked(in.ID, in.Token)
	if err != nil {
		return Booking{}, err
	}
	s, err := agendarecords.SettingsOf(u.Tx, u.Site.ID, b.Agency)
	return u.ofBooking(b, a, s), err
}

func (u Unit) ofBooking(b planning.Booking, a planning.Appointment, s planning.BookingSettings) Booking {
	times := agendarecords.OfBooking(b, a)
	record := Booking{
		ID: int64(b.ID), ProductID: kernel.Nullable(int64(b.Product)), StartAt: times.StartAt, EndAt: times.EndAt, Status: times.Status,
		CancelUntil: kernel.Instant{Time: s.CancelUntil(times.StartAt.Time)}, DateAdded: kernel.Instant{Time: b.Added}, Version: kernel.Version(max(b.Version, a.Version)),
	}
	agent, known := u.Site.Users[firstUser(a)]
	if u.SeesAgenda() {
		record.EventID, record.CustomerID, record.LeadID = kernel.Nullable(int64(a.ID)), kernel.Nullable(int64(b.Customer)), kernel.Nullable(int64(b.Lead))
	} else if !agent.WebVisible {
		known = false
	}
	if known {
		record.User = &BookedUser{ID: int64(agent.ID), Firstname: agent.Firstname, Lastname: agent.Lastname}
	}
	return record
}

// ahead is a Conflict when a booking is not ahead any more, or too near for a
// visitor to change it.
func (u Unit) ahead(b planning.Booking, a planning.Appointment) error {
	if a.ID == 0 {
		return transition.Refused(planning.Cancelled, "the event is gone")
	}
	if !a.Status.Ahead() {
		return transition.Refused(a.Status, "the event is not ahead any more")
	}
	s, err := agendarecords.SettingsOf(u.Tx, u.Site.ID, b.Agency)
	if err != nil {
		return err
	}
	late := !u.Now.Before(a.Start)
	if !u.Grant.Packs.Any(access.Agenda) {
		late = late || u.Now.After(s.CancelUntil(a.Start))
	}
	if late {
		return fault.New(fault.Conflict, fault.CodeBookingClosed, "it is too late to change the booking")
	}
	return nil
}

func (u Unit) cancelBooking(in CancelBooking) (kernel.Changed, error) {
	b, a, err := u.booked(in.ID, in.Token)
	if err != nil {
		return kernel.Changed{}, err
	}
	var problems fault.Problems
	form.Form{Problems: &problems}.Text("reason", &b.Reason, in.Reason, form.MaxComment)
	if err := kernel.FirstError(problems.Err(), u.ahead(b, a)); err != nil {
		return kernel.Changed{}, err
	}
	changed, err := agendarecords.Change(u.kernel(), a, kernel.IfMatch{}, func(a planning.Appointment) (planning.Appointment, error) {
		a.Status = planning.Cancelled
		a.Sequence++
		return a, nil
	})
	if err != nil {
		return kernel.Changed{}, err
	}
	b.Modified, b.Version = u.Now, int64(changed.Version)
	return changed, u.Bookings().Put(b)
}

func (u Unit) rescheduleBooking(in RescheduleBooking) (kernel.Changed, error) {
	peeked, err := u.Bookings().Many(u.Site.ID, []planning.BookingID{planning.BookingID(in.ID)})
	if err != nil || len(peeked) == 0 {
		return kernel.Changed{}, kernel.FirstError(err, errNoBooking())
	}
	p, err := u.Products().Many(u.Site.ID, []product.ID{peeked[0].Product})
	if err != nil {
		return kernel.Changed{}, err
	}
	v := visit{}
	if len(p) > 0 {
		v.product = p[0]
	}
	if v.what, err = u.bookable(v.product); err != nil {
		return kernel.Changed{}, err
	}
	before, err := u.Appointments().Many(u.Site.ID, []planning.ID{peeked[0].Appointment})
	if err != nil {
		return kernel.Changed{}, err
	}
	own := site.UserID(0)
	if len(before) > 0 {
		own = firstUser(before[0])
	}
	if u.Site.Users[own].Active && !slices.Contains(v.what.Candidates, own) {
		v.what.Candidates = append(v.what.Candidates, own)
		slices.Sort(v.what.Candidates)
	}
	if err := u.Calendars().Hold(u.Site.ID, v.what.Candidates); err != nil {
		return kernel.Changed{}, err
	}
	return u.reschedule(in, v)
}

// reschedule moves a booking, once the calendars of all whom it may concern are
// held. Its own time counts as free.
func (u Unit) reschedule(in RescheduleBooking, v visit) (kernel.Changed, error) {
	b, a, err := u.booked(in.ID, in.Token)
	if err != nil {
		return kernel.Changed{}, err
	}
	var problems fault.Problems
	v.start = moment(v.what.Zone, "start_at", in.StartAt, &problems)
	if err := kernel.FirstError(problems.Err(), u.ahead(b, a), closed(v.what)); err != nil {
		return kernel.Changed{}, err
	}
	own := firstUser(a)
	users, err := u.free(v.what, v.start, func(t agendarecords.Taken) bool { return t.Appointment == a.ID })
	if err != nil {
		return kernel.Changed{}, err
	}
	if v.user = own; !slices.Contains(users, own) {
		if v.user, err = u.choose(users, v.start, v.what.Zone); err != nil {
			return kernel.Changed{}, err
		}
	}
	changed, err := agendarecords.Change(u.kernel(), a, kernel.IfMatch{}, func(a planning.Appointment) (planning.Appointment, error) {
		a = a.Clone()
		a.Start, a.End, a.Status = v.start.UTC(), v.start.Add(v.what.Duration()).UTC(), statusOf(v.what.Settings)
		a.Before, a.After = v.what.Buffers()
		a.Sequence++
		return a.Handed(own, v.user), nil
	})
	if err != nil {
		return kernel.Changed{}, err
	}
	b.Start, b.End, b.Modified, b.Version = v.start, v.start.Add(v.what.Duration()), u.Now, int64(changed.Version)
	return changed, u.Bookings().Put(b)
}
