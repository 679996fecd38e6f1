package port

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
)

// AppointmentTypes holds the kinds of appointment a site knows.
type AppointmentTypes = Vocabulary[planning.TypeID, planning.Type]

// Calendars are what is given away of the time of users.
type Calendars interface {
	// Hold takes hold of the calendars of users until the unit ends, in ascending
	// order of their ids, whether or not anything is known of them. Whoever gives time
	// away holds them before reading what is free.
	Hold(site.ID, []site.UserID) error
}

// Appointments holds the appointments. What their bounds are, and when the next
// reminder is due, is stored with them.
type Appointments struct {
	Table[planning.ID, planning.Appointment]
}

// Find lists the appointments a query wants, in its order: those of which
// planning.Filter.Matches is true, as planning.Place.Compare sorts them.
func (a Appointments) Find(q AppointmentQuery) ([]planning.Appointment, error) {
	f := q.Filter
	where := conditions{AmongIDs("agency_id", f.Agencies)}
	if f.Window.Empty() {
		f.Window = calendar.Interval{}
	}
	linked := func(wanted bool, c Condition) {
		c.From, c.To = f.Window.Start, f.Window.End
		where.add(wanted, c)
	}
	linked(len(f.Users) > 0, LinkedTo("user", f.Users...))
	linked(f.Customer != 0, LinkedTo("customer", f.Customer))
	linked(f.Product != 0, LinkedTo("product", f.Product))
	if len(where) == 1 && !f.Window.Empty() { // links have the bounds themselves
		where = append(where, reaching(f.Window)...)
	}
	where.add(f.Recurring != planning.Any, Condition{Field: "recurs", Is: Equal, Value: f.Recurring == planning.Series})
	where.add(len(f.Types) > 0, AmongTexts("type", f.Types))
	where.add(len(f.Statuses) > 0, Condition{Either: [][]Condition{{{Field: "recurs", Is: Equal, Value: true}}, {AmongTexts("status", f.Statuses)}}})
	where.add(f.ExternalID != "", Condition{Field: "external_id", Is: Equal, Value: f.ExternalID})
	where.add(!f.ModifiedSince.IsZero(), Condition{Field: "modified_at", Is: AtLeast, Value: f.ModifiedSince.UnixMicro()})
	wanted := Query{Site: q.Site, Where: where, Limit: All}
	if q.Limit > 0 {
		wanted.Limit = q.Limit
	}
	if q.ByStart {
		wanted.By = "start_at"
	}
	if q.After != (planning.Place{}) {
		wanted.After = &Place{ID: int64(q.After.ID)}
		if q.ByStart {
			wanted.After.By = q.After.Start.UnixMicro()
		}
	}
	return a.find(wanted)
}

// reaching are the conditions that bounds have time in common with a window.
func reaching(w calendar.Interval) conditions {
	return conditions{
		{Field: "until_at", Is: Above, Value: w.Start.UnixMicro()}, {Field: "from_at", Is: Below, Value: w.End.UnixMicro()},
	}
}

// AttendedBy lists the appointments that any of some users attends, refused or not, and
// whose bounds have time in common with a window, by id: those that planning.Facts.Reaches
// says.
func (a Appointments) AttendedBy(id site.ID, users []site.UserID, window calendar.Interval) ([]planning.Appointment, error) {
	return a.linked(id, LinkedTo("user", users...), window)
}

// About lists the appointments about some products whose bounds have time in common with a
// window, by id.
func (a Appointments) About(id site.ID, products []product.ID, window calendar.Interval) ([]planning.Appointment, error) {
	return a.linked(id, LinkedTo("product", products...), window)
}

func (a Appointments) linked(id site.ID, c Condition, window calendar.Interval) ([]planning.Appointment, error) {
	if c.From, c.To = window.Start, window.End; window.Empty() {
		c.IDs = []int64{}
	}
	return a.find(Query{Site: id, Where: []Condition{c}, Limit: All})
}

// With lists the appointments that a customer attends, or that have a report about them, by
// id.
func (a Appointments) With(id site.ID, c customer.ID) ([]planning.Appointment, error) {
	return a.find(Query{Site: id, Where: []Condition{LinkedTo("customer", c)}, Limit: All})
}

// Due lists at most n appointments, of any site, of which a reminder is due at a moment or
// earlier, the first due first, those of one moment by site and id.
func (a Appointments) Due(at time.Time, n int) ([]planning.Appointment, error) {
	return a.find(Query{Where: []Condition{{Field: "due_at", Is: AtMost, Value: at}}, By: "due_at", Limit: max(n, 0)})
}

// AppointmentQuery says which appointments of a site are wanted.
type AppointmentQuery struct {
	Site   site.ID
	Filter planning.Filter
	// ByStart orders by start, then by id; else they are in the order of their ids.
	ByStart bool
	// After wants only what comes after a place in that order, which is an id alone
	// unless ByStart. The zero Place is before everything.
	After planning.Place
	// Limit is how many are wanted at most; 0 is all of them.
	Limit int
}

// Duties holds the duty rosters.
type Duties struct {
	Table[planning.DutyID, planning.Duty]
}

// Within lists the permanences of a site whose bounds have time in common with a window, by
// id.
func (p Duties) Within(q DutyQuery) ([]planning.Duty, error) {
	where := reaching(q.Window)
	where.add(q.Window.Empty(), AmongIDs[planning.DutyID]("id", nil))
	where.add(len(q.Agencies) > 0, AmongIDs("agency_id", q.Agencies))
	where.add(len(q.Users) > 0, AmongIDs("user_id", q.Users))
	where.add(len(q.Kinds) > 0, AmongTexts("kind", q.Kinds))
	return p.find(Query{Site: q.Site, Where: where, Limit: All})
}

// DutyQuery says which permanences of a site are wanted. The empty lists of
// agencies, users and kinds are any.
type DutyQuery struct {
	Site     site.ID
	Window   calendar.Interval
	Agencies []site.AgencyID
	Users    []site.UserID
	Kinds    []planning.DutyKind
}

// Schedules holds when users work, each under the id of the user.
type Schedules = Table[site.UserID, slot.Schedule]

// ImportedBusy holds when calendars elsewhere say that users are busy. Whoever adds
// something holds the calendar of the user.
type ImportedBusy struct {
	users Table[site.UserID, importedOfUser]
}

// importedOfUser is what all sources say of a user, by source.
type importedOfUser struct {
	Site    site.ID
	User    site.UserID
	Sources []slot.Imported
}

// of returns what all sources say of a user, in an Update held until the unit ends, and where
// a source is among them or would be.
func (b ImportedBusy) of(id site.ID, user site.UserID, source slot.Source) (all importedOfUser, at int, found bool, err error) {
	all, err = b.users.Get(id, user)
	if errors.Is(err, fault.NotFound) {
		all, err = importedOfUser{Site: id, User: user}, nil
	}
	at, found = slices.BinarySearchFunc(all.Sources, source, func(i slot.Imported, s slot.Source) int { return cmp.Compare(i.Source, s) })
	return all, at, found, err
}

// Get returns what a source says of a user; in an Update it is held until the
// unit ends.
func (b ImportedBusy) Get(of site.ID, user site.UserID, source slot.Source) (slot.Imported, error) {
	all, at, found, err := b.of(of, user, source)
	if err != nil || !found {
		return slot.Imported{}, cmp.Or(err, fmt.Errorf("%s %s: %w", b.users.kind.Name(), source, fault.NotFound))
	}
	return all.Sources[at], nil
}

// Of lists what all sources say of some users, by user and source.
func (b ImportedBusy) Of(of site.ID, users []site.UserID) (all []slot.Imported, err error) {
	found, err := b.users.Many(of, users)
	for _, u := range found {
		all = append(all, u.Sources...)
	}
	return all, err
}

// Put stores a record, whether or not there is one of its user and source.
func (b ImportedBusy) Put(i slot.Imported) error {
	all, at, found, err := b.of(i.Site, i.User, i.Source)
	if err != nil {
		return err
	}
	if !found {
		all.Sources = slices.Insert(all.Sources, at, i)
	}
	all.Sources[at] = i
	return b.users.Put(all)
}

// Delete removes a record, which must exist.
func (b ImportedBusy) Delete(of site.ID, user site.UserID, source slot.Source) error {
	all, at, found, err := b.of(of, user, source)
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("%s %s: %w", b.users.kind.Name(), source, fault.NotFound)
	case len(all.Sources) == 1:
		return b.users.Delete(of, user)
	}
	all.Sources = slices.Delete(all.Sources, at, at+1)
	return b.users.Put(all)
}

// BookingSettings holds what visitors can book, each under the id of the agency.
type BookingSettings = Table[site.AgencyID, planning.BookingSettings]

// Holds holds the time that is kept for visitors.
type Holds struct {
	Table[planning.HoldID, planning.Hold]
}

// Of lists the holds on the time of some users that are not over at a moment, by id.
func (h Holds) Of(id site.ID, users []site.UserID, now time.Time) ([]planning.Hold, error) {
	return h.find(Query{Site: id, Where: []Condition{AmongIDs("user_id", users), notOver(now)}, Limit: All})
}

func notOver(now time.Time) Condition { return Condition{Field: "expires_at", Is: Above, Value: now} }

// Count counts the holds of a client on a product that are not over at a moment.
func (h Holds) Count(id site.ID, p product.ID, by access.CredentialID, now time.Time) (int, error) {
	found, err := h.find(Query{Site: id, Limit: All, Where: []Condition{
		{Field: "product_id", Is: Equal, Value: int64(p)}, {Field: "credential_id", Is: Equal, Value: string(by)}, notOver(now),
	}})
	return len(found), err
}

// Purge removes at most n holds, of any site, that expired before the given moment, the
// first expired first, and reports how many.
func (h Holds) Purge(before time.Time, n int) (int, error) { return h.purge("expires_at", before, n) }

// Bookings holds what was booked.
type Bookings = CustomerTable[planning.BookingID, planning.Booking]

// Feeds holds the calendar feeds, each under the id of its user.
type Feeds struct {
	Table[site.UserID, planning.Feed]
}

// ByToken returns the feed of any site whose token has the hash.
func (f Feeds) ByToken(hash access.Hash) (planning.Feed, error) {
	return f.first(Query{Where: []Condition{{Field: "token_hash", Is: Equal, Value: string(hash)}}})
}
