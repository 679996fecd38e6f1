package agenda_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

// search finds everything around now that a search wants, in one page.
func (w *world) search(in agenda.SearchEvents) []agenda.FoundEvent {
	w.T.Helper()
	in.From, in.To, in.Count = opt.Of(w.at(-100*24*time.Hour)), opt.Of(w.at(200*24*time.Hour)), opt.Of(500)
	found, err := w.use.SearchCalendarEvents(w.T.Context(), w.Again(w.full), in)
	w.must(err)
	return found.Data
}

// stored are events of many kinds, put into the store as they are.
func stored(t *rapid.T, now time.Time) (all []planning.Appointment) {
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	for n := range rapid.IntRange(1, 14).Draw(t, "events") {
		start := now.Add(time.Duration(rapid.IntRange(-72, 72).Draw(t, "start")) * time.Hour)
		a := planning.Appointment{
			ID: planning.ID(n + 1), Site: 1, Agency: rapid.SampledFrom([]site.AgencyID{11, 12, 13}).Draw(t, "agency"), Type: rapid.SampledFrom([]string{"VISITE", "RDV"}).Draw(t, "type"),
			Title: "x", Status: rapid.SampledFrom(planning.Statuses()).Draw(t, "status"), Start: start, End: start.Add(time.Duration(rapid.IntRange(1, 30).Draw(t, "hours")) * time.Hour),
			Zone: "Europe/Paris", Busy: true, Visibility: rapid.SampledFrom([]planning.Visibility{planning.Public, planning.Private}).Draw(t, "visibility"),
			CreatedBy: rapid.SampledFrom([]access.CredentialID{"full", "colleague"}).Draw(t, "by"), ExternalID: rapid.SampledFrom([]string{"", "x"}).Draw(t, "external"),
			Attendees: []planning.Attendee{
				{ID: 1, Kind: planning.User, User: rapid.SampledFrom([]site.UserID{101, 104}).Draw(t, "user")},
				{ID: 2, Kind: planning.Customer, Customer: rapid.SampledFrom([]customer.ID{1001, 1004}).Draw(t, "customer")},
			}, LastAttendee: 2, Products: []product.ID{rapid.SampledFrom([]product.ID{7, 8}).Draw(t, "product")},
			Modified: now.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "modified")) * time.Hour),
		}
		a.Rule = rapid.SampledFrom([]string{"", "", "FREQ=DAILY", "FREQ=DAILY;COUNT=5", "FREQ=WEEKLY;COUNT=3"}).Draw(t, "rule")
		if a.Recurs() {
			occurrences, _ := a.Starting(calendar.Interval{Start: now.AddDate(0, 0, -9), End: now.AddDate(0, 0, 30)}, zone, 5)
			for _, o := range occurrences {
				switch rapid.IntRange(0, 5).Draw(t, "change") {
				case 0:
					a = a.WithoutOccurrence(o.Original)
				case 1:
					status := rapid.SampledFrom(planning.Statuses()).Draw(t, "own status")
					begin := o.Start.Add(time.Duration(rapid.IntRange(-90, 90).Draw(t, "moved")) * time.Hour)
					end := begin.Add(time.Hour)
					products := []product.ID{rapid.SampledFrom([]product.ID{7, 8}).Draw(t, "own product")}
					a.Changed = append(a.Changed, planning.Changed{Original: o.Original, Start: &begin, End: &end, Status: &status, Products: &products})
				}
			}
		}
		all = append(all, a.Foresee(zone))
	}
	return all
}

// anySearch is any search, as asked for and as what it wants.
func anySearch(t *rapid.T, now time.Time) (in agenda.SearchEvents, wants func(a, at planning.Appointment) bool) {
	var all []func(a, at planning.Appointment) bool
	filter := func(name string, set func(), wants func(a, at planning.Appointment) bool) {
		if rapid.IntRange(0, 3).Draw(t, name) == 0 {
			set()
			all = append(all, wants)
		}
	}
	filter("users", func() { in.UserIDs = opt.Of([]int64{104, 77}) }, func(a, _ planning.Appointment) bool { return slices.Contains(a.Users(), 104) })
	filter("agency", func() { in.AgencyID = opt.Of(int64(12)) }, func(a, _ planning.Appointment) bool { return a.Agency == 12 })
	filter("customer", func() { in.CustomerID = opt.Of(int64(1004)) }, func(a, _ planning.Appointment) bool { return a.Attends(1004) && !a.IsHiddenFrom("full") })
	filter("product", func() { in.ProductID = opt.Of(int64(7)) }, func(a, at planning.Appointment) bool {
		return slices.Contains(at.Products, 7) && !a.IsHiddenFrom("full")
	})
	filter("types", func() { in.Types = opt.Of(kernel.Codes{"RDV"}) }, func(a, _ planning.Appointment) bool { return a.Type == "RDV" })
	filter("statuses", func() { in.Statuses = opt.Of(kernel.Codes{"PREVU", "REALISE"}) }, func(_, at planning.Appointment) bool {
		return at.Status == planning.Planned || at.Status == planning.Done
	})
	filter("external", func() { in.ExternalID = opt.Of("x") }, func(a, _ planning.Appointment) bool { return a.ExternalID == "x" && !a.IsHiddenFrom("full") })
	filter("modified", func() { in.LastModified = opt.Of(now.Format(time.RFC3339)) }, func(a, _ planning.Appointment) bool { return !a.Modified.Before(now) })
	return in, func(a, at planning.Appointment) bool {
		return a.Agency != 13 && !slices.ContainsFunc(all, func(wants func(a, at planning.Appointment) bool) bool { return !wants(a, at) })
	}
}

// A search finds, page by page, what one finds who looks at every occurrence.
func TestASearchFindsWhatLookingAtEverythingFinds(t *testing.T) {
	w := newWorld(t)
	zone, err := time.LoadLocation("Europe/Paris")
	w.must(err)
	now := w.Clock.Now()
	rapid.Check(t, func(t *rapid.T) {
		all := stored(t, now)
		w.Update(func(tx port.Tx) error {
			before, err := tx.Appointments().Scan(1, 0, 1000)
			for _, a := range before {
				err = cmp.Or(err, tx.Appointments().Delete(1, a.ID))
			}
			for _, a := range all {
				err = cmp.Or(err, tx.Appointments().Put(a))
			}
			return err
		})
		in, wants := anySearch(t, now)
		window := calendar.Interval{Start: now.Add(time.Duration(rapid.IntRange(-100, 50).Draw(t, "from")) * time.Hour)}
		window.End = window.Start.Add(time.Duration(rapid.IntRange(1, 400).Draw(t, "hours")) * time.Hour)
		in.From, in.To = opt.Of(window.Start.Format(time.RFC3339)), opt.Of(window.End.Format(time.RFC3339))
		var want []string
		if expand := rapid.Bool().Draw(t, "expand"); expand {
			want = occurrencesWanted(all, window, zone, wants)
		} else {
			in.Expand = opt.Of(false)
			want = eventsWanted(all, window, zone, wants)
		}
		in.Count = opt.Of(rapid.IntRange(1, 7).Draw(t, "count"))
		var got []string
		for {
			page, err := w.use.SearchCalendarEvents(w.T.Context(), w.full, in)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range page.Data {
				got = append(got, fmt.Sprint(f.ID, f.StartAt.Unix(), f.EndAt.Unix(), f.Status, f.Occurrence != nil))
			}
			if page.HasMore != (page.NextCursor != nil) || len(page.Data) > in.Count.Value || page.HasMore && len(page.Data) < in.Count.Value {
				t.Fatalf("a page of %d has more: %t", len(page.Data), page.HasMore)
			}
			if !page.HasMore {
				break
			}
			in.Cursor = opt.Of(*page.NextCursor)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("found are\n%v, want\n%v", got, want)
		}
	})
}

func occurrencesWanted(all []planning.Appointment, window calendar.Interval, zone *time.Location, wants func(a, at planning.Appointment) bool) (want []string) {
	type place struct {
		at       planning.Appointment
		original time.Time
	}
	var found []place
	for _, a := range all {
		for _, o := range a.Overlapping(window, zone) {
			if at := a.At(o, zone); wants(a, at) {
				found = append(found, place{at, o.Original})
			}
		}
	}
	slices.SortFunc(found, func(a, b place) int {
		return cmp.Or(a.at.Start.Compare(b.at.Start), cmp.Compare(a.at.ID, b.at.ID), a.original.Compare(b.original))
	})
	for _, f := range found {
		want = append(want, fmt.Sprint(f.at.ID, f.at.Start.Unix(), f.at.End.Unix(), f.at.Status, !f.original.IsZero()))
	}
	return want
}

func eventsWanted(all []planning.Appointment, window calendar.Interval, zone *time.Location, wants func(a, at planning.Appointment) bool) (want []string) {
	for _, a := range all {
		whole := a
		whole.Products = a.AllProducts()
		if len(a.Overlapping(window, zone)) > 0 && wants(a, whole) {
			want = append(want, fmt.Sprint(a.ID, a.Start.Unix(), a.End.Unix(), a.Status, false))
		}
	}
	return want
}

func TestASearchSaysWhatIsWrongWithIt(t *testing.T) {
	w := newWorld(t)
	for range 3 {
		w.create(w.event(time.Hour, 101))
	}
	fine := agenda.SearchEvents{From: opt.Of(w.at(0)), To: opt.Of(w.at(24 * time.Hour)), Count: opt.Of(1)}
	page, err := w.use.SearchCalendarEvents(t.Context(), w.full, fine)
	w.must(err)
	for name, c := range map[string]struct {
		edit  func(*agenda.SearchEvents)
		code  fault.Code
		field string
	}{
		"no window":              {func(in *agenda.SearchEvents) { in.From = opt.Field[string]{} }, fault.CodeRequired, "from"},
		"no end":                 {func(in *agenda.SearchEvents) { in.To = opt.Null[string]() }, fault.CodeRequired, "to"},
		"an empty window":        {func(in *agenda.SearchEvents) { in.To = in.From }, fault.CodeOutOfRange, "to"},
		"more than 366 days":     {func(in *agenda.SearchEvents) { in.To = opt.Of(w.at(366*24*time.Hour + time.Second)) }, fault.CodeOutOfRange, "to"},
		"no page":                {func(in *agenda.SearchEvents) { in.Count = opt.Of(0) }, fault.CodeOutOfRange, "count"},
		"a page too long":        {func(in *agenda.SearchEvents) { in.Count = opt.Of(501) }, fault.CodeOutOfRange, "count"},
		"an unknown type":        {func(in *agenda.SearchEvents) { in.Types = opt.Of(kernel.Codes{"X"}) }, fault.CodeUnknownAppointmentType, "types"},
		"an unknown status":      {func(in *agenda.SearchEvents) { in.Statuses = opt.Of(kernel.Codes{"X"}) }, fault.CodeCriteriaValueUnknown, "statuses"},
		"an unreadable moment":   {func(in *agenda.SearchEvents) { in.LastModified = opt.Of("x") }, fault.CodeInvalidFormat, "last_modified"},
		"a cursor of nothing":    {func(in *agenda.SearchEvents) { in.Cursor = opt.Of("x") }, fault.CodeInvalidCursor, "cursor"},
		"a cursor of other days": {func(in *agenda.SearchEvents) { in.Cursor, in.To = opt.Of(*page.NextCursor), opt.Of(w.at(48*time.Hour)) }, fault.CodeInvalidCursor, "cursor"},
		"a cursor of a list":     {func(in *agenda.SearchEvents) { in.Cursor, in.Expand = opt.Of(*page.NextCursor), opt.Of(false) }, fault.CodeInvalidCursor, "cursor"},
	} {
		in := fine
		c.edit(&in)
		t.Log(name)
		w.invalid(c.code, c.field, func() error { _, err := w.use.SearchCalendarEvents(t.Context(), w.full, in); return err })
	}
	fine.AgencyID = opt.Of(int64(13))
	w.unchanged(fault.Forbidden, fault.CodeAgencyOutOfScope, func() error { _, err := w.use.SearchCalendarEvents(t.Context(), w.full, fine); return err })
}
