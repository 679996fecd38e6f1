package sqlstore

import (
	"math"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t *tx) Appointments() port.Appointments {
	return appointmentRole{tableOf[planning.ID](t, appointments)}
}

var appointments = wholeRecords("appointment",
	func(a *planning.Appointment) (*site.ID, *planning.ID) { return &a.Site, &a.ID },
	func(a *planning.Appointment) row {
		f := planning.Of(*a)
		start, from, until, modified := f.Start.UnixMicro(), f.From.UnixMicro(), endOf(f.Until), f.Modified.UnixMicro()
		return row{
			{"agency_id", whole(&f.Agency)}, {"type", text(&f.Type)}, {"status", text(&f.Status)}, {"external_id", text(&f.ExternalID)},
			{"recurs", &f.Recurs}, {"start_at", whole(&start)}, {"from_at", whole(&from)}, {"until_at", whole(&until)},
			{"due_at", instant(&f.Due)}, {"modified_at", whole(&modified)},
		}
	})

// endOf is the column of an end. What has none, which is the zero time, ends later
// than anything that is asked for.
func endOf(until time.Time) int64 {
	if until.IsZero() {
		return math.MaxInt64
	}
	return until.UnixMicro()
}

// reaches is the condition that bounds have time in common with a window, and
// edges are its arguments.
const reaches = "until_at > ? AND from_at < ?"

func edges(window calendar.Interval) []any {
	return []any{window.Start.UnixMicro(), window.End.UnixMicro()}
}

// link is somebody or something that an appointment is found by.
type link struct {
	site        site.ID
	kind        linkKind
	id          int64
	until, from int64
	appointment planning.ID
}

type linkKind string

const (
	userLink     linkKind = "user"
	customerLink linkKind = "customer"
	productLink  linkKind = "product"
)

var links = mapping[link]{
	table: "appointment_link",
	keys:  []string{"site_id", "kind", "linked_id", "until_at", "from_at", "appointment_id"},
	row: func(l *link) row {
		return row{
			{"site_id", whole(&l.site)}, {"kind", text(&l.kind)}, {"linked_id", whole(&l.id)},
			{"until_at", whole(&l.until)}, {"from_at", whole(&l.from)}, {"appointment_id", whole(&l.appointment)},
		}
	},
}

// linksOf are the links of an appointment, each once.
func linksOf(a planning.Appointment) (all []link) {
	f := planning.Of(a)
	add := func(kind linkKind, ids []int64) {
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			all = append(all, link{a.Site, kind, id, endOf(f.Until), f.From.UnixMicro(), a.ID})
		}
	}
	add(userLink, plain(f.Users))
	add(customerLink, plain(f.Customers))
	add(productLink, plain(f.Products))
	return all
}

type appointmentRole struct {
	table[planning.ID, planning.Appointment]
}

// linkedTo is the condition that an appointment has a link to one of some ids, of
// which more may be demanded.
func (r appointmentRole) linkedTo(kind linkKind, and string) string {
	return "id IN (SELECT appointment_id FROM " + links.table + " WHERE site_id = ? AND kind = '" + string(kind) + "' AND linked_id " +
		r.tx.store.dialect.Among + and + ")"
}

func (r appointmentRole) Find(q port.AppointmentQuery) ([]planning.Appointment, error) {
	s := r.search(q)
	if q.Limit > 0 {
		return s.page(r.tx, q.Limit, 0)
	}
	return s.all(r.tx)
}

// search is the query of Find. It begins with the links, which are looked for within
// the window, or else with what the agencies have in the window, or else goes by id.
//
// This is not left to the engine, which rather goes through all records in the order
// that is wanted, from the oldest on, until it has found enough of them. It cannot go
// by +id or +agency_id, which are the same numbers and in no index.
func (r appointmentRole) search(q port.AppointmentQuery) *search[planning.Appointment] {
	f, dialect := q.Filter, r.tx.store.dialect
	linked := len(f.Users) > 0 || f.Customer != 0 || f.Product != 0
	id, agency := "+id", "agency_id"
	switch {
	case linked:
		agency = "+agency_id"
	case f.Window.Empty():
		id, agency = "id", "+agency_id"
	}
	s := searchOf(appointments, "site_id = ?", int64(q.Site))
	s.narrow(true, agency+" "+dialect.Among, dialect.Numbers(plain(f.Agencies)))
	var and string
	var window []any
	if !f.Window.Empty() {
		and, window = " AND "+reaches, edges(f.Window)
		s.narrow(!linked, reaches, window...)
	}
	link := func(wanted bool, kind linkKind, ids ...int64) {
		s.narrow(wanted, r.linkedTo(kind, and), append([]any{int64(q.Site), dialect.Numbers(ids)}, window...)...)
	}
	link(len(f.Users) > 0, userLink, plain(f.Users)...)
	link(f.Customer != 0, customerLink, int64(f.Customer))
	link(f.Product != 0, productLink, int64(f.Product))
	s.narrow(f.Recurring != planning.Any, "recurs = ?", f.Recurring == planning.Series)
	s.among("type", f.Types)
	statuses, wanted := oneOf("status", plainTexts(f.Statuses))
	s.narrow(len(wanted) > 0, "(recurs OR "+statuses+")", wanted...)
	s.narrow(f.ExternalID != "", "external_id = ?", f.ExternalID)
	s.narrow(!f.ModifiedSince.IsZero(), "modified_at >= ?", f.ModifiedSince.UnixMicro())
	if q.ByStart {
		s.narrow(q.After != planning.Place{}, "(start_at, id) > (?, ?)", q.After.Start.UnixMicro(), int64(q.After.ID))
		s.order(false, "start_at", "id")
	} else {
		s.narrow(q.After.ID != 0, id+" > ?", int64(q.After.ID))
		s.order(false, id)
	}
	return s
}

func (r appointmentRole) AttendedBy(of site.ID, users []site.UserID, window calendar.Interval) ([]planning.Appointment, error) {
	if window.Empty() {
		return nil, r.tx.reading()
	}
	return r.attended(of, users, window).all(r.tx)
}

func (r appointmentRole) attended(of site.ID, users []site.UserID, window calendar.Interval) *search[planning.Appointment] {
	return r.linked(of, userLink, plain(users), " AND "+reaches, edges(window)...)
}

func (r appointmentRole) About(of site.ID, products []product.ID, window calendar.Interval) ([]planning.Appointment, error) {
	if window.Empty() {
		return nil, r.tx.reading()
	}
	return r.linked(of, productLink, plain(products), " AND "+reaches, edges(window)...).all(r.tx)
}

func (r appointmentRole) With(of site.ID, c customer.ID) ([]planning.Appointment, error) {
	return r.linked(of, customerLink, []int64{int64(c)}, "").all(r.tx)
}

// linked is the query for the appointments that linkedTo is about.
func (r appointmentRole) linked(of site.ID, kind linkKind, ids []int64, and string, args ...any) *search[planning.Appointment] {
	s := searchOf(appointments, "site_id = ?", int64(of))
	s.narrow(true, r.linkedTo(kind, and), append([]any{int64(of), r.tx.store.dialect.Numbers(ids)}, args...)...)
	s.order(false, "id")
	return s
}

func (r appointmentRole) Due(at time.Time, n int) ([]planning.Appointment, error) {
	due := appointments.find("due_at <= ?").OrderBy("due_at", "site_id", "id").Suffix("LIMIT ?")
	return list(r.tx, appointments, r.tx.store.text(due), at.UnixMicro(), max(n, 0))
}

func (r appointmentRole) Put(a planning.Appointment) error {
	if err := r.table.Put(a); err != nil {
		return err
	}
	if err := r.forget(a.Site, a.ID); err != nil {
		return err
	}
	return insertAll(r.tx, links, insertsOf(r.tx.store.dialect, r.tx.store.text, links, ""), linksOf(a))
}

func (r appointmentRole) Delete(of site.ID, id planning.ID) error {
	if err := r.table.Delete(of, id); err != nil {
		return err
	}
	return r.forget(of, id)
}

// forget removes the links of an appointment.
func (r appointmentRole) forget(of site.ID, id planning.ID) error {
	_, err := r.tx.exec(r.tx.store.text(squirrel.Delete(links.table).Where("site_id = ? AND appointment_id = ?")), int64(of), int64(id))
	return err
}
