package agenda_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// world is that of all tests, in which the users 101, 104 and 105 of agency 11 are
// active, 106 is not, 107 is of agency 12 and 103 of one outside the scope; the
// customers 1001 and 1004 are of agency 11 and 1003 is outside the scope.
type world struct {
	*apitest.World
	// use is the use cases without the check of pack, permission and right.
	use agenda.API
	// full and colleague see everything, website only feeds a website.
	full, colleague, website kernel.Caller
}

func network() transfer.Setup {
	n, no := apitest.Network(), false
	one := &n.Sites[0]
	one.Users = append(one.Users,
		transfer.SetupUser{ID: 104, AgencyID: 11, Firstname: "Emma", Lastname: "Est", WebVisible: true}, transfer.SetupUser{ID: 105, AgencyID: 11, Lastname: "Faure"},
		transfer.SetupUser{ID: 106, AgencyID: 11, Lastname: "Gone", IsActive: &no}, transfer.SetupUser{ID: 107, AgencyID: 12, Lastname: "Huet"})
	one.Lists = append(one.Lists, list(9, "follow_up_statuses", "PROPOSE", "VISITE_PREVUE", "VISITE", "INTERESSE", "OFFRE", "SANS_SUITE", "ACQUIS"), list(15, "refusal_reasons", "PRIX"))
	one.Customers = append(one.Customers, transfer.SetupCustomer{ID: 1004, AgencyID: 11, Type: "ACQUEREUR", Lastname: "Autre", Email: "autre@example.org"})
	colleague := n.Credentials[0]
	colleague.ID, colleague.Secret = "colleague", "colleague-secret"
	n.Credentials = append(n.Credentials, colleague)
	return n
}

func list(id int64, key string, codes ...string) transfer.SetupList {
	l := transfer.SetupList{ID: id, Key: key}
	for n, code := range codes {
		l.Values = append(l.Values, transfer.SetupChoice{ID: int64(n + 1), Model: code, Label: code})
	}
	return l
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return over(t, memstore.New())
}

func over(t *testing.T, store port.Store) *world {
	t.Helper()
	w := &world{World: apitest.Empty(t, store, apitest.NewClock())}
	w.Provision(network())
	w.use = w.Agenda.Unchecked()
	w.full, w.colleague, w.website = w.As("full", 1), w.As("colleague", 1), w.As("website", 1)
	return w
}

// at is so long after now.
func (w *world) at(after time.Duration) string {
	return w.Clock.Now().Add(after).Format(time.RFC3339Nano)
}

// event describes a visit of users, an hour long, that begins so long after now.
func (w *world) event(after time.Duration, users ...int64) planning.Change {
	return planning.Change{
		Type: opt.Of("VISITE"), Title: opt.Of("Visite"), StartAt: opt.Of(w.at(after)), EndAt: opt.Of(w.at(after + time.Hour)), UserIDs: opt.Of(users),
		BufferBefore: opt.Of(0), BufferAfter: opt.Of(0),
	}
}

func (w *world) create(c planning.Change) int64 {
	w.T.Helper()
	return w.createAs(w.full, c)
}

func (w *world) createAs(who kernel.Caller, c planning.Change) int64 {
	w.T.Helper()
	made, err := w.use.CreateCalendarEvent(w.T.Context(), w.Again(who), agenda.CreateEvent{Change: c})
	w.must(err)
	return made.ID
}

func (w *world) must(err error) {
	w.T.Helper()
	if err != nil {
		var known *fault.Error
		if errors.As(err, &known) {
			w.T.Fatal(err, known.Details)
		}
		w.T.Fatal(err)
	}
}

func (w *world) get(id int64) agendarecords.CalendarEvent {
	w.T.Helper()
	found, err := w.use.GetCalendarEvent(w.T.Context(), w.Again(w.full), agenda.EventPath{ID: id})
	w.must(err)
	return found
}

func (w *world) update(id int64, c planning.Change) error {
	_, err := w.use.UpdateCalendarEvent(w.T.Context(), w.Again(w.full), agenda.UpdateEvent{ID: id, Change: c})
	return err
}

// product adds a product that can be booked where its agency allows that.
func (w *world) product(pairs ...any) int64 {
	in := apitest.InAgency(11)
	in.WebStatus = opt.Of(true)
	in.Criteria = apitest.Criteria(append([]any{"Statut", "EnCours", "TypeTransaction", "Vente", "Ville", "Lyon"}, pairs...)...)
	return w.CreateProductAs(w.full, in)
}

// stale is a condition that holds of nothing.
func stale() kernel.IfMatch { return kernel.IfMatch{Given: true, Versions: []kernel.Version{999_999}} }

// contents is everything that the area writes, with the ledger and the numbers.
func (w *world) contents() string {
	w.T.Helper()
	look, held := errors.New("only looking"), map[string]any{}
	err := w.Store.Update(w.T.Context(), func(tx port.Tx) error {
		var errs []error
		keep := func(name string, found any, err error) { held[name], errs = found, append(errs, err) }
		head, err := tx.Ledger().Head(1)
		keep("head", head, err)
		events, err := tx.Ledger().After(1, 0, 10_000)
		keep("events", events, err)
		found, err := tx.Appointments().Scan(1, 0, 1000)
		keep("appointments", found, err)
		duties, err := tx.Duties().Scan(1, 0, 1000)
		keep("permanences", duties, err)
		schedules, err := tx.Schedules().Scan(1, 0, 1000)
		keep("schedules", schedules, err)
		settings, err := tx.BookingSettings().Scan(1, 0, 1000)
		keep("settings", settings, err)
		holds, err := tx.Holds().Scan(1, 0, 1000)
		keep("holds", holds, err)
		bookings, err := tx.Bookings().Scan(1, 0, 1000)
		keep("bookings", bookings, err)
		imported, err := tx.ImportedBusy().Of(1, []site.UserID{101, 104, 105})
		keep("imported", imported, err)
		feeds, err := tx.Feeds().Scan(1, 0, 1000)
		keep("feeds", feeds, err)
		customers, err := tx.Customers().Find(port.CustomerQuery{Site: 1, Limit: 1000, Filter: customer.Filter{Agencies: []site.AgencyID{11, 12, 13}}})
		keep("customers", customers, err)
		followUps, err := tx.FollowUps().Scan(1, 0, 1000)
		keep("follow-ups", followUps, err)
		leads, err := tx.Leads().List(port.LeadQuery{Site: 1, Agencies: []site.AgencyID{11, 12, 13}, Limit: 1000})
		keep("leads", leads, err)
		slip, err := tx.NextDeal(1, 11, deal.VisitSlips)
		keep("slip", slip, err)
		for s := range port.LogIDs {
			last, err := tx.LastID(s)
			keep(fmt.Sprint("ids ", s), last, err)
		}
		return errors.Join(append(errs, look)...)
	})
	if !errors.Is(err, look) {
		w.T.Fatal(err)
	}
	text, err := json.Marshal(held)
	w.must(err)
	return string(text)
}

var ids = regexp.MustCompile(`"ids \d+":\d+,`)

// unchanged checks that a request is refused, and has changed nothing at all.
func (w *world) unchanged(kind fault.Kind, code fault.Code, request func() error) {
	w.T.Helper()
	before := w.contents()
	apitest.Refused(w.T, request(), kind, code)
	after := w.contents()
	if code == fault.CodeAlreadyBooked { // whoever has booked is known by the lead, which has drawn an id: ids may have gaps
		before, after = ids.ReplaceAllString(before, ""), ids.ReplaceAllString(after, "")
	}
	if after != before {
		w.T.Errorf("what was refused with %s changed %s", code, difference(before, after))
	}
}

// invalid checks that a request is refused with one problem, and has changed nothing.
func (w *world) invalid(code fault.Code, field string, request func() error) {
	w.T.Helper()
	before := w.contents()
	err := request()
	var known *fault.Error
	if !errors.As(err, &known) || known.Kind != fault.Invalid || len(known.Details) != 1 || known.Details[0].Code != code || known.Details[0].Field != field {
		details := []fault.Detail(nil)
		if known != nil {
			details = known.Details
		}
		w.T.Errorf("got %v %+v, want %s about %s", err, details, code, field)
	}
	if after := w.contents(); after != before {
		w.T.Errorf("what was refused with %s changed something", code)
	}
}

// told checks which events a request tells of, in their order.
func (w *world) told(request func() error, want ...string) {
	w.T.Helper()
	seq := w.Seq(1)
	w.must(request())
	if got := w.Events(1, seq); !slices.Equal(got, want) {
		w.T.Errorf("the events are %v, want %v", got, want)
	}
}

// ofAgency13 stores an event of an agency outside the scope, behind the back of the
// service.
func (w *world) ofAgency13() int64 {
	w.T.Helper()
	const id = 9_000
	w.Update(func(tx port.Tx) error {
		a := planning.Appointment{
			ID: id, Site: 1, Agency: 13, Type: "VISITE", Title: "Dehors", Status: planning.Planned, Start: w.Clock.Now(), End: w.Clock.Now().Add(time.Hour),
			Zone: "Europe/Paris", Visibility: planning.Public, Attendees: []planning.Attendee{{ID: 1, Kind: planning.User, User: 103}},
		}
		return tx.Appointments().Put(a.Foresee(time.UTC))
	})
	return id
}

// followUps are those of a customer.
func (w *world) followUps(id int64) []people.FollowUp {
	w.T.Helper()
	page, err := w.People.ListFollowUps(w.T.Context(), w.Again(w.full), people.CustomerList{ID: id})
	w.must(err)
	return page.Data
}

// history is what a follow-up went through.
func history(f people.FollowUp) (all []string) {
	for _, e := range f.Events {
		all = append(all, e.Status)
	}
	return all
}

// works says that users work from nine to five on every day.
func (w *world) works(users ...int64) {
	w.T.Helper()
	for _, id := range users {
		_, err := w.use.PutWorkingTime(w.T.Context(), w.Again(w.full), agenda.PutWorkingTime{ID: id, WorkingTimeInput: everyDay("09:00", "17:00")})
		w.must(err)
	}
}

func everyDay(start, end string) agenda.WorkingTimeInput {
	var days []agenda.WeekdayInput
	for n := range 7 {
		days = append(days, agenda.WeekdayInput{Weekday: opt.Of(n + 1), Periods: opt.Of([]agenda.PeriodInput{{Start: opt.Of(start), End: opt.Of(end)}})})
	}
	return agenda.WorkingTimeInput{Patterns: opt.Of([]agenda.PatternInput{{Days: opt.Of(days)}})}
}

// opens lets visitors book with agency 11: half an hour, from tomorrow on.
func (w *world) opens(edit func(*agenda.OnlineBookingInput)) {
	w.T.Helper()
	in := agenda.OnlineBookingInput{
		Enabled: opt.Of(true), DurationMinutes: opt.Of(30), StepMinutes: opt.Of(30), BufferBefore: opt.Of(0), BufferAfter: opt.Of(0), PageURL: opt.Of("https://example.org/visite/{product_id}"),
	}
	if edit != nil {
		edit(&in)
	}
	_, err := w.use.PutAgendaSettings(w.T.Context(), w.Again(w.full), agenda.PutSettings{ID: 11, OnlineBooking: opt.Of(in)})
	w.must(err)
}

func firstError(errs ...error) error { return kernel.FirstError(errs...) }

// difference is about where two texts differ.
func difference(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	around := func(s string) string { return s[max(0, n-100):min(len(s), n+300)] }
	return around(a) + "\nto " + around(b)
}
