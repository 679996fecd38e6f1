package agenda_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

func (w *world) remind() int {
	w.T.Helper()
	n, err := w.Agenda.RemindDue(w.T.Context())
	w.must(err)
	return n
}

func TestRemindersAreToldOfWhenTheyAreDue(t *testing.T) {
	w := newWorld(t)
	c := w.event(2*time.Hour, 101)
	c.Reminders, c.RRule = opt.Of([]int{60, 180}), opt.Of("FREQ=DAILY;COUNT=2") // the first of the second was due before
	id := w.create(c)
	w.told(func() error { w.remind(); return nil })
	w.Clock.Advance(time.Hour)
	w.told(func() error { w.remind(); w.remind(); return nil }, "REMINDER_CREATE")
	w.Clock.Advance(24 * time.Hour)
	w.told(func() error { w.remind(); return nil }, "REMINDER_CREATE", "REMINDER_CREATE")
	if got := w.get(id); got.LastModified == nil || !got.LastModified.Equal(got.DateAdded.Time) {
		t.Error("a reminder changes the event")
	}
	// What became due is told of before a change, and what was cancelled never.
	c = w.event(2*time.Hour, 101)
	c.Reminders = opt.Of([]int{60, 30})
	id = w.create(c)
	w.Clock.Advance(time.Hour)
	w.told(func() error { return w.update(id, planning.Change{Status: opt.Of("ANNULE")}) }, "REMINDER_CREATE", "APPOINTMENT_UPDATE")
	w.Clock.Advance(time.Hour)
	w.told(func() error { w.remind(); return nil })
	c = w.event(2*time.Hour, 101)
	c.Reminders = opt.Of([]int{60})
	id = w.create(c)
	w.Clock.Advance(time.Hour)
	w.told(func() error {
		_, err := w.use.DeleteCalendarEvent(t.Context(), w.Again(w.full), agenda.DeleteEvent{ID: id})
		return err
	}, "REMINDER_CREATE", "APPOINTMENT_DELETE")
}

func TestManyRemindersAreToldOfAtOnce(t *testing.T) {
	w := newWorld(t)
	for range 230 {
		c := w.event(time.Hour, 101)
		c.Reminders = opt.Of([]int{30})
		w.create(c)
	}
	w.Clock.Advance(time.Hour)
	if n := w.remind(); n != 230 {
		t.Errorf("%d are told of", n)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := w.Agenda.FollowClock(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the clock ends with %v", err)
	}
}

// tokenOf is the token of a feed.
func tokenOf(f agenda.CreatedFeed) string {
	parts := strings.Split(strings.TrimSuffix(f.URL, ".ics"), "/")
	return parts[len(parts)-1]
}

func (w *world) feed(detail string) agenda.CreatedFeed {
	w.T.Helper()
	made, err := w.use.CreateCalendarFeed(w.T.Context(), w.Again(w.full), agenda.CreateFeed{ID: 101, Detail: opt.Of(detail)})
	w.must(err)
	return made
}

func TestAFeedIsSecretAndEnds(t *testing.T) {
	w := newWorld(t)
	var first agenda.CreatedFeed
	w.told(func() error { first = w.feed("BUSY"); return nil })
	if !strings.HasPrefix(first.URL, "https://crm.example.org/calendars/101/") || strings.TrimSuffix(first.URL, ".ics") != strings.TrimSuffix(first.FreeBusyURL, ".ifb") {
		t.Errorf("the feed is at %+v", first)
	}
	shown, err := w.Agenda.Calendar(t.Context(), 101, tokenOf(first))
	if err != nil || shown.Detail != planning.FeedBusy || shown.Name != "Anne Arnaud" || shown.Host != "crm.example.org" || shown.Window.Start != w.Clock.Now().AddDate(0, 0, -90) || shown.Window.End != w.Clock.Now().AddDate(0, 0, 400) {
		t.Errorf("it shows %+v, %v", shown, err)
	}
	absent := func(user int64, token string) {
		t.Helper()
		for _, err := range []error{outcome(w.Agenda.Calendar(t.Context(), user, token)), outcome(w.Agenda.FreeBusy(t.Context(), user, token))} {
			if !errors.Is(err, fault.NotFound) {
				t.Errorf("%v", err)
			}
		}
	}
	absent(104, tokenOf(first))
	absent(0, "")
	absent(101, "x")
	second := w.feed("")
	absent(101, tokenOf(first))
	if shown, err := w.Agenda.Calendar(t.Context(), 101, tokenOf(second)); err != nil || shown.Detail != planning.FeedFull {
		t.Errorf("the new one shows %+v, %v", shown, err)
	}
	w.invalid(fault.CodeCriteriaValueUnknown, "detail", func() error {
		_, err := w.use.CreateCalendarFeed(t.Context(), w.Again(w.full), agenda.CreateFeed{ID: 101, Detail: opt.Of("X")})
		return err
	})
	w.told(func() error {
		_, err := w.use.DeleteCalendarFeed(t.Context(), w.Again(w.full), agenda.UserPath{ID: 101})
		return err
	})
	absent(101, tokenOf(second))
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error {
		_, err := w.use.DeleteCalendarFeed(t.Context(), w.Again(w.full), agenda.UserPath{ID: 101})
		return err
	})
	third := w.feed("FULL")
	w.retire(101)
	absent(101, tokenOf(third))
}

func TestAFeedShowsWhatItsUserAttends(t *testing.T) {
	w := newWorld(t)
	titled := func(title string, after time.Duration, edit func(*planning.Change)) int64 {
		c := w.event(after, 101)
		c.Title = opt.Of(title)
		if edit != nil {
			edit(&c)
		}
		return w.createAs(w.colleague, c)
	}
	titled("one", time.Hour, func(c *planning.Change) { c.Visibility = opt.Of("PRIVE") })
	titled("cancelled", time.Hour, func(c *planning.Change) { c.Status = opt.Of("ANNULE") })
	titled("long ago", -91*24*time.Hour, nil)
	titled("far ahead", 401*24*time.Hour, nil)
	titled("refused", time.Hour, func(c *planning.Change) {
		c.UserIDs = opt.Field[[]int64]{}
		c.Attendees = opt.Of([]planning.AttendeeInput{{Kind: opt.Of("USER"), UserID: opt.Of(int64(101)), Answer: opt.Of("REFUSE")}})
	})
	titled("of another", time.Hour, func(c *planning.Change) { c.UserIDs = opt.Of([]int64{104}) })
	titled("a series", -200*24*time.Hour, func(c *planning.Change) { c.RRule = opt.Of("FREQ=WEEKLY") })
	_, err := w.createDuty(w.duty(101, time.Hour, time.Hour))
	w.must(err)
	_, err = w.createDuty(w.duty(104, time.Hour, time.Hour))
	w.must(err)
	token := tokenOf(w.feed("FULL"))
	shown, err := w.Agenda.Calendar(t.Context(), 101, token)
	w.must(err)
	var titles []string
	for _, a := range shown.Appointments {
		titles = append(titles, a.Title)
	}
	if want := []string{"one", "cancelled", "a series"}; !slices.Equal(titles, want) || len(shown.Duties) != 1 {
		t.Errorf("it shows %v and %d duties", titles, len(shown.Duties))
	}
	busy, err := w.Agenda.FreeBusy(t.Context(), 101, token)
	if err != nil || len(busy.Busy) != 10 || busy.Busy[0].Kind != slot.Event || busy.Window.End.Sub(busy.Window.Start) != 62*24*time.Hour {
		t.Errorf("busy is %+v, %v", busy, err)
	}
}

func (w *world) anonymize(id int64) error {
	_, err := w.People.AnonymizeCustomer(w.T.Context(), w.Again(w.full), people.CustomerPath{ID: id})
	return err
}

// said are the texts of an event that say something of people.
func (w *world) said(id int64) []string {
	w.T.Helper()
	e := w.get(id)
	texts := []string{*e.Title, e.Status}
	for _, text := range []*string{e.Description, e.Location} {
		if text != nil {
			texts = append(texts, *text)
		}
	}
	for _, r := range e.Reports {
		if r.Comment != nil {
			texts = append(texts, *r.Comment)
		}
	}
	return texts
}

func TestAnonymisingACustomerCancelsWhatIsTheirsAlone(t *testing.T) {
	w, p := opened(t)
	add := func(after time.Duration, customers ...int64) int64 {
		c := w.event(after, 101)
		c.Title, c.Description, c.Location, c.CustomerIDs, c.ProductIDs = opt.Of("Avec Ana"), opt.Of("d"), opt.Of("l"), opt.Of(customers), opt.Of([]int64{p})
		return w.create(c)
	}
	past, alone, together, other := add(-2*time.Hour, 1004), add(time.Hour, 1004), add(time.Hour, 1004, 1001), add(time.Hour, 1001)
	w.must(w.report(agenda.ReportVisit{ID: past, Outcome: opt.Of("INTERESSE"), Comment: opt.Of("Ana était là"), SignedAt: opt.Of(w.at(0))}))
	in := request(p, nine, 1)
	in.Contact = opt.Of(agenda.ContactInput{Lastname: opt.Of("Autre"), Email: opt.Of("autre@example.org")})
	made := w.booked(in)
	booked := w.eventOf(made.ID)
	seq := w.Seq(1)
	w.must(w.anonymize(1004))
	if n := len(slices.DeleteFunc(w.Events(1, seq), func(e string) bool { return e != "APPOINTMENT_UPDATE" })); n != 4 {
		t.Errorf("of %d events it is told that they changed", n)
	}
	for id, want := range map[int64][]string{
		past: {"Visite", "REALISE"}, alone: {"Visite", "ANNULE"}, together: {"Visite", "PREVU"}, other: {"Avec Ana", "PREVU", "d", "l"}, booked: {"Visite", "ANNULE"},
	} {
		if got := w.said(id); !slices.Equal(got, want) {
			t.Errorf("the event %d says %v, want %v", id, got, want)
		}
	}
	if r := w.get(past).Reports[0]; *r.SlipNumber != "11-V1" || r.Outcome != "INTERESSE" {
		t.Errorf("the report is %+v", r)
	}
	if _, err := w.booking(w.website, made.ID, made.Token); !errors.Is(err, fault.NotFound) {
		t.Errorf("the token of the booking: %v", err)
	}
	if got, err := w.booking(w.full, made.ID, ""); err != nil || got.Status != "ANNULE" {
		t.Errorf("the booking is %+v, %v", got, err)
	}
	c := w.event(time.Hour, 101)
	c.CustomerIDs = opt.Of([]int64{1004})
	w.invalid(fault.CodeUnknownCustomer, "customer_ids", func() error {
		_, err := w.use.CreateCalendarEvent(t.Context(), w.Again(w.full), agenda.CreateEvent{Change: c})
		return err
	})
	w.Clock.Advance(3 * time.Hour)
	w.unchanged(fault.Conflict, fault.CodeCustomerAnonymized, func() error {
		return w.report(agenda.ReportVisit{ID: together, CustomerID: opt.Of(int64(1004)), Outcome: opt.Of("REFLEXION")})
	})
	seq = w.Seq(1)
	w.must(w.anonymize(1004))
	if got := w.Events(1, seq); len(got) > 0 {
		t.Errorf("again tells of %v", got)
	}
}

// What an anonymised customer is reported about stays quiet as well, though they do
// not attend any more; and so does what they booked.
func TestAnonymisingReachesWhatACustomerLeft(t *testing.T) {
	w, p := opened(t)
	past := w.visited([]int64{p}, 1004)
	w.must(w.report(agenda.ReportVisit{ID: past, Outcome: opt.Of("INTERESSE"), Comment: opt.Of("Ana était là")}))
	w.must(w.update(past, planning.Change{CustomerIDs: opt.Of([]int64{1001})}))
	w.must(w.anonymize(1004))
	if got := w.said(past); slices.Contains(got, "Ana était là") {
		t.Errorf("the event says %v", got)
	}
}

func TestADeletedCustomerLeavesTheirEvents(t *testing.T) {
	w, p := opened(t)
	c := w.event(time.Hour, 101)
	c.Title, c.CustomerIDs = opt.Of("À deux"), opt.Of([]int64{1004, 1001})
	together := w.create(c)
	in := request(p, nine, 1)
	in.Contact = opt.Of(agenda.ContactInput{Lastname: opt.Of("Autre"), Email: opt.Of("autre@example.org")})
	made := w.booked(in)
	booked := w.eventOf(made.ID)
	_, err := w.People.DeleteCustomer(t.Context(), w.Again(w.full), people.DeleteCustomer{ID: 1004})
	w.must(err)
	if got := w.get(together); !slices.Equal(got.CustomerIDs, []int64{1001}) || *got.Title != "À deux" || got.Status != "PREVU" {
		t.Errorf("what they shared is %+v", got)
	}
	if got := w.get(booked); len(got.CustomerIDs) > 0 || got.Status != "ANNULE" {
		t.Errorf("what they booked is %+v", got)
	}
	if _, err := w.booking(w.website, made.ID, made.Token); !errors.Is(err, fault.NotFound) {
		t.Errorf("the token of the booking: %v", err)
	}
}

func TestAnExportHasWhatACustomerAttendsAndBooked(t *testing.T) {
	w, p := opened(t)
	past := w.visited([]int64{p}, 1001, 1004)
	w.must(w.report(agenda.ReportVisit{ID: past, CustomerID: opt.Of(int64(1001)), Outcome: opt.Of("INTERESSE")}))
	in := request(p, nine, 1)
	in.Contact = opt.Of(agenda.ContactInput{Lastname: opt.Of("Autre"), Email: opt.Of("autre@example.org")})
	w.booked(in)
	got, err := w.People.ExportCustomer(t.Context(), w.Again(w.full), people.CustomerPath{ID: 1004})
	w.must(err)
	if len(got.Appointments) != 2 || len(got.Appointments[0].Reports) > 0 || got.Appointments[0].Status != "REALISE" || len(got.Bookings) != 1 || got.Bookings[0].Status != "CONFIRME" || *got.Bookings[0].ProductID != p {
		t.Errorf("the export has %+v and %+v", got.Appointments, got.Bookings)
	}
}

func TestBlocksOfAProductShowTheAgenda(t *testing.T) {
	w, p := opened(t)

	remote := func(after time.Duration, edit func(*planning.Change)) int64 {
		c := w.event(after, 101)
		c.ProductIDs, c.IsLiveVisit, c.MeetingURL = opt.Of([]int64{p}), opt.Of(true), opt.Of("https://meet.example.org/a")
		if edit != nil {
			edit(&c)
		}
		return w.create(c)
	}
	live := func() *listing.LiveVisit { return *w.ReadProduct(w.website, p, "live_visit").LiveVisit }
	remote(time.Hour, func(c *planning.Change) { c.Visibility = opt.Of("PRIVE") })
	remote(time.Hour, func(c *planning.Change) { c.Status = opt.Of("REALISE") })
	remote(-2*time.Hour, nil)
	if got := live(); got != nil {
		t.Errorf("the live visit is %+v", got)
	}
	w.SetCriteria(p, "VisiteVirtuelle", "https://tour.example.org/1")
	if got := live(); got == nil || got.Provider != "tour.example.org" || got.StartsAt != nil {
		t.Errorf("without a live visit it is %+v", got)
	}
	remote(26*time.Hour, func(c *planning.Change) { c.RRule = opt.Of("FREQ=DAILY;COUNT=2") })
	if got := live(); got.URL != "https://meet.example.org/a" || got.Provider != "meet.example.org" || !got.StartsAt.Equal(w.Clock.Now().Add(26*time.Hour)) {
		t.Errorf("the live visit is %+v", got)
	}
	remote(-30*time.Minute, nil)
	if got := live(); !got.StartsAt.Equal(w.Clock.Now().Add(-30 * time.Minute)) {
		t.Errorf("the one that goes on is %+v", got)
	}
	// Planned are the private one and the two of the series; what began is no more.
	if got := w.ReadProduct(w.full, p, "statistic").Statistic; got.VisitsPlanned != 3 || got.VisitsDone != 0 {
		t.Errorf("the statistic is %+v", got)
	}
	block := *w.ReadProduct(w.full, p, "online_booking").OnlineBooking
	if !block.Enabled || len(block.NextSlots) != 5 || *block.NextSlots[0].UserID != 104 {
		t.Errorf("the next slots are %+v", block)
	}
	if block := *w.ReadProduct(w.website, p, "online_booking").OnlineBooking; len(block.NextSlots) != 5 || block.NextSlots[0].UserID != nil || block.URL == nil {
		t.Errorf("for a website they are %+v", block)
	}
	found, err := w.Listing.SearchProducts(t.Context(), w.Again(w.full), listing.SearchProducts{Fetch: listing.Fetch("online_booking")})
	w.must(err)
	all, err := found.Data.All(t.Context())
	if err != nil || len(all) != 1 || !all[0].OnlineBooking.Enabled || all[0].OnlineBooking.NextSlots == nil || len(all[0].OnlineBooking.NextSlots) > 0 {
		t.Errorf("in a list there are %+v, %v", all, err)
	}
	w.SetCriteria(p, "VisiteVirtuelle", "")
	before := w.ReadProduct(w.full, p, "")
	remote(50*time.Hour, nil)
	if got := w.ReadProduct(w.full, p, ""); !got.LastModified.Equal(before.LastModified.Time) {
		t.Error("the agenda moves the date of the product")
	}
}
