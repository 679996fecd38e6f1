package sqlstore

import (
	"fmt"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t *tx) AppointmentTypes() port.AppointmentTypes { return vocabularyOf(t, appointmentTypes) }
func (t *tx) Calendars() port.Calendars               { return calendarRole{t} }
func (t *tx) Permanences() port.Permanences {
	return permanenceRole{tableOf[planning.DutyID](t, permanences)}
}
func (t *tx) Schedules() port.Schedules       { return tableOf[site.UserID](t, schedules) }
func (t *tx) ImportedBusy() port.ImportedBusy { return importedRole{t} }
func (t *tx) BookingSettings() port.BookingSettings {
	return tableOf[site.AgencyID](t, bookingSettings)
}
func (t *tx) Holds() port.Holds       { return holdRole{tableOf[planning.HoldID](t, holds)} }
func (t *tx) Bookings() port.Bookings { return customerTableOf[planning.BookingID](t, bookings) }
func (t *tx) Feeds() port.Feeds       { return feedRole{tableOf[site.UserID](t, feeds)} }

var appointmentTypes = mapping[owned[planning.Type]]{
	table: "appointment_type",
	keys:  []string{"site_id", "id"},
	row: func(o *owned[planning.Type]) row {
		k := &o.record
		return row{
			{"site_id", whole(&o.site)}, {"id", whole(&k.ID)}, {"model", text(&k.Model)}, {"label", text(&k.Label)},
			{"active", &k.Active}, {"busy", &k.Busy}, {"is_leave", &k.Leave}, {"duration", whole(&k.Duration)},
			{"buffer_before", whole(&k.Before)}, {"buffer_after", whole(&k.After)}, {"color", text(&k.Color)}, {"position", whole(&k.Position)},
		}
	},
}

// calendarUsers are the users of a site whose calendars are there to be held.
var calendarUsers = mapping[calendarUser]{
	table: "calendar",
	keys:  []string{"site_id", "user_id"},
	row: func(c *calendarUser) row {
		return row{{"site_id", whole(&c.site)}, {"user_id", whole(&c.user)}}
	},
}

type calendarUser struct {
	site site.ID
	user site.UserID
}

type calendarRole struct{ tx *tx }

// Hold takes hold of a row for each user, which is made where there is none. One
// statement goes through them in their order, and a row that is not updated is held
// all the same. What is read afterwards is what earlier holders left, because each
// statement sees what had been committed when it began.
func (r calendarRole) Hold(of site.ID, users []site.UserID) error {
	if r.tx.store.dialect.Held == "" || len(users) == 0 {
		return r.tx.writing() // where nothing needs to be held, units that write take turns
	}
	var held []calendarUser
	for _, user := range slices.Compact(slices.Sorted(slices.Values(users))) {
		held = append(held, calendarUser{of, user})
	}
	rows, err := rowsOf(calendarUsers, held)
	if err != nil {
		return r.tx.fail(fmt.Errorf("writing %s: %w", calendarUsers.table, err))
	}
	into := insertsOf(r.tx.store.dialect, r.tx.store.text, calendarUsers,
		"ORDER BY user_id ON CONFLICT (site_id, user_id) DO UPDATE SET user_id = excluded.user_id WHERE FALSE")
	_, err = r.tx.exec(into.many, rows)
	return err
}

var permanences = wholeRecords("permanence",
	func(p *planning.Duty) (*site.ID, *planning.DutyID) { return &p.Site, &p.ID },
	func(p *planning.Duty) row {
		from, until := p.From.UnixMicro(), endOf(p.Until)
		return row{
			{"agency_id", whole(&p.Agency)}, {"user_id", whole(&p.User)}, {"kind", text(&p.Kind)},
			{"from_at", whole(&from)}, {"until_at", whole(&until)},
		}
	})

type permanenceRole struct {
	table[planning.DutyID, planning.Duty]
}

func (r permanenceRole) Within(q port.PermanenceQuery) ([]planning.Duty, error) {
	if q.Window.Empty() {
		return nil, r.tx.reading()
	}
	return r.search(q).all(r.tx)
}

func (r permanenceRole) search(q port.PermanenceQuery) *search[planning.Duty] {
	dialect := r.tx.store.dialect
	s := searchOf(permanences, "site_id = ? AND "+reaches, append([]any{int64(q.Site)}, edges(q.Window)...)...)
	s.narrow(len(q.Agencies) > 0, "agency_id "+dialect.Among, dialect.Numbers(plain(q.Agencies)))
	s.narrow(len(q.Users) > 0, "user_id "+dialect.Among, dialect.Numbers(plain(q.Users)))
	s.among("kind", plainTexts(q.Kinds))
	s.order(false, "+id") // as in appointmentRole.search
	return s
}

// plainTexts are names as texts.
func plainTexts[T ~string](names []T) (out []string) {
	for _, name := range names {
		out = append(out, string(name))
	}
	return out
}

var schedules = wholeRecords("schedule", func(s *slot.Schedule) (*site.ID, *site.UserID) { return &s.Site, &s.User }, nil)

var bookingSettings = wholeRecords("booking_settings", func(s *planning.BookingSettings) (*site.ID, *site.AgencyID) { return &s.Site, &s.Agency }, nil)

var importedBusy = mapping[slot.Imported]{
	table: "imported_busy",
	keys:  []string{"site_id", "user_id", "source"},
	row: func(i *slot.Imported) row {
		return row{{"site_id", whole(&i.Site)}, {"user_id", whole(&i.User)}, {"source", text(&i.Source)}, {"body", document(i)}}
	},
}

type importedRole struct{ tx *tx }

const ofSource = "site_id = ? AND user_id = ? AND source = ?"

func (r importedRole) Get(of site.ID, user site.UserID, source slot.Source) (slot.Imported, error) {
	b := importedBusy.find(ofSource)
	if held := r.tx.store.dialect.Held; r.tx.writes && held != "" {
		b = b.Suffix(held)
	}
	return one(r.tx, importedBusy, r.tx.store.text(b), int64(of), int64(user), string(source))
}

func (r importedRole) Of(of site.ID, users []site.UserID) ([]slot.Imported, error) {
	b := importedBusy.find("site_id = ? AND user_id "+r.tx.store.dialect.Among).OrderBy("user_id", r.tx.store.dialect.Bytewise("source"))
	return list(r.tx, importedBusy, r.tx.store.text(b), int64(of), r.tx.store.dialect.Numbers(plain(users)))
}

func (r importedRole) Put(i slot.Imported) error { return put(r.tx, importedBusy, i) }

func (r importedRole) Delete(of site.ID, user site.UserID, source slot.Source) error {
	n, err := r.tx.exec(r.tx.store.text(squirrel.Delete(importedBusy.table).Where(ofSource)), int64(of), int64(user), string(source))
	if err == nil && n == 0 {
		err = fmt.Errorf("%s %s: %w", importedBusy.table, source, fault.NotFound)
	}
	return err
}

var holds = wholeRecords("booking_hold",
	func(h *planning.Hold) (*site.ID, *planning.HoldID) { return &h.Site, &h.ID },
	func(h *planning.Hold) row {
		return row{
			{"user_id", whole(&h.User)}, {"product_id", whole(&h.Product)}, {"credential_id", text(&h.Credential)}, {"expires_at", instant(&h.Expires)},
		}
	})

type holdRole struct {
	table[planning.HoldID, planning.Hold]
}

func (r holdRole) Of(of site.ID, users []site.UserID, now time.Time) ([]planning.Hold, error) {
	b := holds.find("site_id = ? AND user_id " + r.tx.store.dialect.Among + " AND expires_at > ?").OrderBy("id")
	return list(r.tx, holds, r.tx.store.text(b), int64(of), r.tx.store.dialect.Numbers(plain(users)), now.UnixMicro())
}

func (r holdRole) Count(of site.ID, p product.ID, by access.CredentialID, now time.Time) (int, error) {
	b := squirrel.Select("count(*)").From(holds.table).Where("site_id = ? AND product_id = ? AND credential_id = ? AND expires_at > ?")
	n, err := one(r.tx, numberColumn, r.tx.store.text(b), int64(of), int64(p), string(by), now.UnixMicro())
	return int(n), err
}

func (r holdRole) Purge(before time.Time, n int) (int, error) {
	return purge(r.tx, holds, "expires_at", before, n)
}

var bookings = wholeRecords("booking",
	func(b *planning.Booking) (*site.ID, *planning.BookingID) { return &b.Site, &b.ID },
	func(b *planning.Booking) row { return row{{"customer_id", whole(&b.Customer)}} })

var feeds = wholeRecords("calendar_feed",
	func(f *planning.Feed) (*site.ID, *site.UserID) { return &f.Site, &f.User },
	func(f *planning.Feed) row { return row{{"token_hash", text(&f.Token)}} })

type feedRole struct {
	table[site.UserID, planning.Feed]
}

func (r feedRole) ByToken(hash access.Hash) (planning.Feed, error) {
	return one(r.tx, feeds, r.tx.store.text(feeds.find("token_hash = ?").OrderBy("site_id", "id").Limit(1)), string(hash))
}
