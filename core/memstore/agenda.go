package memstore

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/appointment"
	"github.com/vitrine-crm/vitrine/core/booking"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/feed"
	"github.com/vitrine-crm/vitrine/core/interval"
	"github.com/vitrine-crm/vitrine/core/permanence"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/worktime"
)

func (t tx) AppointmentTypes() port.AppointmentTypes {
	return vocabulary[appointment.Type]{t.unit, &t.state.appointmentTypes, func(k appointment.Type) int64 { return int64(k.ID) }}
}

func (t tx) Appointments() port.Appointments {
	return appointments{tableOf(t.unit, &t.state.appointments, "appointment", func(a appointment.Appointment) (site.ID, appointment.ID) { return a.Site, a.ID })}
}

func (t tx) Permanences() port.Permanences {
	return permanences{tableOf(t.unit, &t.state.permanences, "permanence", func(p permanence.Permanence) (site.ID, permanence.ID) { return p.Site, p.ID })}
}

func (t tx) Schedules() port.Schedules {
	return tableOf(t.unit, &t.state.schedules, "schedule", func(s worktime.Schedule) (site.ID, site.UserID) { return s.Site, s.User })
}

func (t tx) BookingSettings() port.BookingSettings {
	return tableOf(t.unit, &t.state.bookingSettings, "booking settings", func(s booking.Settings) (site.ID, site.AgencyID) { return s.Site, s.Agency })
}

func (t tx) Holds() port.Holds {
	return holds{tableOf(t.unit, &t.state.holds, "hold", func(h booking.Hold) (site.ID, booking.HoldID) { return h.Site, h.ID })}
}

func (t tx) Bookings() port.Bookings {
	return customerTableOf(t.unit, &t.state.bookings, "booking", func(b booking.Booking) (site.ID, booking.ID, customer.ID) { return b.Site, b.ID, b.Customer })
}

func (t tx) Feeds() port.Feeds {
	return feeds{tableOf(t.unit, &t.state.feeds, "feed", func(f feed.Feed) (site.ID, site.UserID) { return f.Site, f.User })}
}

func (t tx) ImportedBusy() port.ImportedBusy { return importedBusy{t.unit} }

// Calendars: units that write take turns, so everything is held.
func (t tx) Calendars() port.Calendars { return calendars{t.unit} }

type calendars struct{ *unit }

func (r calendars) Hold(site.ID, []site.UserID) error { return r.writing() }

type appointments struct {
	table[appointment.ID, appointment.Appointment]
}

// those copies the appointments of a site that are wanted, by id.
func (r appointments) those(prefix string, wanted func(appointment.Facts) bool) ([]appointment.Appointment, error) {
	found, err := all(r.unit, r.state.appointments, prefix, r.clone)
	return slices.DeleteFunc(found, func(a appointment.Appointment) bool { return !wanted(appointment.Of(a)) }), err
}

func (r appointments) Find(q port.AppointmentQuery) ([]appointment.Appointment, error) {
	place := func(a appointment.Appointment) appointment.Place {
		if q.ByStart {
			return appointment.Place{Start: a.Start, ID: a.ID}
		}
		return appointment.Place{ID: a.ID}
	}
	found, err := r.those(key(int64(q.Site)), q.Filter.Matches)
	found = slices.DeleteFunc(found, func(a appointment.Appointment) bool { return place(a).Compare(q.After) <= 0 })
	slices.SortFunc(found, func(a, b appointment.Appointment) int { return place(a).Compare(place(b)) })
	if q.Limit > 0 {
		found = found[:min(len(found), q.Limit)]
	}
	return found, err
}

func (r appointments) AttendedBy(of site.ID, users []site.UserID, window interval.Interval) ([]appointment.Appointment, error) {
	return r.those(key(int64(of)), func(f appointment.Facts) bool { return f.Reaches(window) && meet(f.Users, users) })
}

func (r appointments) About(of site.ID, products []product.ID, window interval.Interval) ([]appointment.Appointment, error) {
	return r.those(key(int64(of)), func(f appointment.Facts) bool { return f.Reaches(window) && meet(f.Products, products) })
}

// meet reports whether two lists have something in common.
func meet[T comparable](a, b []T) bool {
	return slices.ContainsFunc(a, func(v T) bool { return slices.Contains(b, v) })
}

func (r appointments) With(of site.ID, c customer.ID) ([]appointment.Appointment, error) {
	return r.those(key(int64(of)), func(f appointment.Facts) bool { return slices.Contains(f.Customers, c) })
}

func (r appointments) Due(at time.Time, n int) ([]appointment.Appointment, error) {
	found, err := r.those("", func(f appointment.Facts) bool { return !f.Due.IsZero() && !f.Due.After(at) })
	slices.SortStableFunc(found, func(a, b appointment.Appointment) int { return a.Due.Compare(b.Due) })
	return found[:min(len(found), max(n, 0))], err
}

type permanences struct {
	table[permanence.ID, permanence.Permanence]
}

func (r permanences) Within(q port.PermanenceQuery) ([]permanence.Permanence, error) {
	found, err := all(r.unit, r.state.permanences, key(int64(q.Site)), r.clone)
	return slices.DeleteFunc(found, func(p permanence.Permanence) bool {
		return !(appointment.Facts{From: p.From, Until: p.Until}).Reaches(q.Window) || !wants(q.Agencies, p.Agency) || !wants(q.Users, p.User) || !wants(q.Kinds, p.Kind)
	}), err
}

// wants reports whether a list, where there is one, has a value.
func wants[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

type holds struct {
	table[booking.HoldID, booking.Hold]
}

func (r holds) Of(of site.ID, users []site.UserID, now time.Time) ([]booking.Hold, error) {
	found, err := all(r.unit, r.state.holds, key(int64(of)), r.clone)
	return slices.DeleteFunc(found, func(h booking.Hold) bool { return !h.Live(now) || !slices.Contains(users, h.User) }), err
}

func (r holds) Count(of site.ID, p product.ID, by access.CredentialID, now time.Time) (n int, err error) {
	found, err := all(r.unit, r.state.holds, key(int64(of)), same)
	for _, h := range found {
		if h.Live(now) && h.Product == p && h.Credential == by {
			n++
		}
	}
	return n, err
}

func (r holds) Purge(before time.Time, n int) (int, error) {
	gone, err := purge(r.unit, &r.state.holds, before, n, func(h booking.Hold) time.Time { return h.Expires })
	return len(gone), err
}

type feeds struct {
	table[site.UserID, feed.Feed]
}

func (r feeds) ByToken(hash access.Hash) (feed.Feed, error) {
	found, err := all(r.unit, r.state.feeds, "", same)
	for _, f := range found {
		if f.Token == hash {
			return f, nil
		}
	}
	return feed.Feed{}, cmp.Or(err, absent("feed", ""))
}

type importedBusy struct{ *unit }

func importedKey(of site.ID, user site.UserID, source worktime.Source) string {
	return key(int64(of), int64(user)) + string(source)
}

func (r importedBusy) Get(of site.ID, user site.UserID, source worktime.Source) (worktime.Imported, error) {
	return one(r.unit, r.state.imported, importedKey(of, user, source), "imported busy time", source, deep)
}

func (r importedBusy) Of(of site.ID, users []site.UserID) ([]worktime.Imported, error) {
	found, err := all(r.unit, r.state.imported, key(int64(of)), deep)
	return slices.DeleteFunc(found, func(i worktime.Imported) bool { return !slices.Contains(users, i.User) }), err
}

func (r importedBusy) Put(i worktime.Imported) error {
	return put(r.unit, &r.state.imported, importedKey(i.Site, i.User, i.Source), i, deep)
}

func (r importedBusy) Delete(of site.ID, user site.UserID, source worktime.Source) error {
	return drop(r.unit, &r.state.imported, importedKey(of, user, source), "imported busy time", source)
}
