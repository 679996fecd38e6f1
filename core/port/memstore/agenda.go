package memstore

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) AppointmentTypes() port.AppointmentTypes {
	return vocabulary[planning.Type]{t.unit, &t.state.appointmentTypes, func(k planning.Type) int64 { return int64(k.ID) }}
}

func (t tx) Appointments() port.Appointments {
	return appointments{tableOf(t.unit, &t.state.appointments, "appointment", func(a planning.Appointment) (site.ID, planning.ID) { return a.Site, a.ID })}
}

func (t tx) Permanences() port.Permanences {
	return permanences{tableOf(t.unit, &t.state.permanences, "permanence", func(p planning.Duty) (site.ID, planning.DutyID) { return p.Site, p.ID })}
}

func (t tx) Schedules() port.Schedules {
	return tableOf(t.unit, &t.state.schedules, "schedule", func(s slot.Schedule) (site.ID, site.UserID) { return s.Site, s.User })
}

func (t tx) BookingSettings() port.BookingSettings {
	return tableOf(t.unit, &t.state.bookingSettings, "booking settings", func(s planning.BookingSettings) (site.ID, site.AgencyID) { return s.Site, s.Agency })
}

func (t tx) Holds() port.Holds {
	return holds{tableOf(t.unit, &t.state.holds, "hold", func(h planning.Hold) (site.ID, planning.HoldID) { return h.Site, h.ID })}
}

func (t tx) Bookings() port.Bookings {
	return customerTableOf(t.unit, &t.state.bookings, "booking", func(b planning.Booking) (site.ID, planning.BookingID, customer.ID) { return b.Site, b.ID, b.Customer })
}

func (t tx) Feeds() port.Feeds {
	return feeds{tableOf(t.unit, &t.state.feeds, "feed", func(f planning.Feed) (site.ID, site.UserID) { return f.Site, f.User })}
}

func (t tx) ImportedBusy() port.ImportedBusy { return importedBusy(t) }

// Calendars: units that write take turns, so everything is held.
func (t tx) Calendars() port.Calendars { return calendars(t) }

type calendars struct{ *unit }

func (r calendars) Hold(site.ID, []site.UserID) error { return r.writing() }

type appointments struct {
	table[planning.ID, planning.Appointment]
}

// those copies the appointments of a site that are wanted, by id.
func (r appointments) those(prefix string, wanted func(planning.Facts) bool) ([]planning.Appointment, error) {
	found, err := all(r.unit, r.state.appointments, prefix, r.clone)
	return slices.DeleteFunc(found, func(a planning.Appointment) bool { return !wanted(planning.Of(a)) }), err
}

func (r appointments) Find(q port.AppointmentQuery) ([]planning.Appointment, error) {
	place := func(a planning.Appointment) planning.Place {
		if q.ByStart {
			return planning.Place{Start: a.Start, ID: a.ID}
		}
		return planning.Place{ID: a.ID}
	}
	found, err := r.those(key(int64(q.Site)), q.Filter.Matches)
	found = slices.DeleteFunc(found, func(a planning.Appointment) bool { return place(a).Compare(q.After) <= 0 })
	slices.SortFunc(found, func(a, b planning.Appointment) int { return place(a).Compare(place(b)) })
	if q.Limit > 0 {
		found = found[:min(len(found), q.Limit)]
	}
	return found, err
}

func (r appointments) AttendedBy(of site.ID, users []site.UserID, window calendar.Interval) ([]planning.Appointment, error) {
	return r.those(key(int64(of)), func(f planning.Facts) bool { return f.Reaches(window) && meet(f.Users, users) })
}

func (r appointments) About(of site.ID, products []product.ID, window calendar.Interval) ([]planning.Appointment, error) {
	return r.those(key(int64(of)), func(f planning.Facts) bool { return f.Reaches(window) && meet(f.Products, products) })
}

// meet reports whether two lists have something in common.
func meet[T comparable](a, b []T) bool {
	return slices.ContainsFunc(a, func(v T) bool { return slices.Contains(b, v) })
}

func (r appointments) With(of site.ID, c customer.ID) ([]planning.Appointment, error) {
	return r.those(key(int64(of)), func(f planning.Facts) bool { return slices.Contains(f.Customers, c) })
}

func (r appointments) Due(at time.Time, n int) ([]planning.Appointment, error) {
	found, err := r.those("", func(f planning.Facts) bool { return !f.Due.IsZero() && !f.Due.After(at) })
	slices.SortStableFunc(found, func(a, b planning.Appointment) int { return a.Due.Compare(b.Due) })
	return found[:min(len(found), max(n, 0))], err
}

type permanences struct {
	table[planning.DutyID, planning.Duty]
}

func (r permanences) Within(q port.PermanenceQuery) ([]planning.Duty, error) {
	found, err := all(r.unit, r.state.permanences, key(int64(q.Site)), r.clone)
	return slices.DeleteFunc(found, func(p planning.Duty) bool {
		return !(planning.Facts{From: p.From, Until: p.Until}).Reaches(q.Window) || !wants(q.Agencies, p.Agency) || !wants(q.Users, p.User) || !wants(q.Kinds, p.Kind)
	}), err
}

// wants reports whether a list, where there is one, has a value.
func wants[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

type holds struct {
	table[planning.HoldID, planning.Hold]
}

func (r holds) Of(of site.ID, users []site.UserID, now time.Time) ([]planning.Hold, error) {
	found, err := all(r.unit, r.state.holds, key(int64(of)), r.clone)
	return slices.DeleteFunc(found, func(h planning.Hold) bool { return !h.Live(now) || !slices.Contains(users, h.User) }), err
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
	gone, err := purge(r.unit, &r.state.holds, before, n, func(h planning.Hold) time.Time { return h.Expires })
	return len(gone), err
}

type feeds struct {
	table[site.UserID, planning.Feed]
}

func (r feeds) ByToken(hash access.Hash) (planning.Feed, error) {
	found, err := all(r.unit, r.state.feeds, "", same)
	for _, f := range found {
		if f.Token == hash {
			return f, nil
		}
	}
	return planning.Feed{}, cmp.Or(err, absent("feed", ""))
}

type importedBusy struct{ *unit }

func importedKey(of site.ID, user site.UserID, source slot.Source) string {
	return key(int64(of), int64(user)) + string(source)
}

func (r importedBusy) Get(of site.ID, user site.UserID, source slot.Source) (slot.Imported, error) {
	return one(r.unit, r.state.imported, importedKey(of, user, source), "imported busy time", source, deep)
}

func (r importedBusy) Of(of site.ID, users []site.UserID) ([]slot.Imported, error) {
	found, err := all(r.unit, r.state.imported, key(int64(of)), deep)
	return slices.DeleteFunc(found, func(i slot.Imported) bool { return !slices.Contains(users, i.User) }), err
}

func (r importedBusy) Put(i slot.Imported) error {
	return put(r.unit, &r.state.imported, importedKey(i.Site, i.User, i.Source), i, deep)
}

func (r importedBusy) Delete(of site.ID, user site.UserID, source slot.Source) error {
	return drop(r.unit, &r.state.imported, importedKey(of, user, source), "imported busy time", source)
}
