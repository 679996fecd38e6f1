package planning_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// naive are the occurrences of an event in the first two years, one by one.
func naive(a planning.Appointment, zone *time.Location) (all []planning.Occurrence) {
	if !a.Recurs() {
		return []planning.Occurrence{{Interval: a.Interval(), Status: a.Status}}
	}
	s := a.Series(zone)
	for start := range s.Starts(a.Start, a.Start.AddDate(2, 0, 0)) {
		o := planning.Occurrence{Original: start.UTC(), Interval: calendar.Interval{Start: start.UTC(), End: s.End(start).UTC()}, Status: a.Status}
		for _, c := range a.Changed {
			if !c.Original.Equal(start) {
				continue
			}
			if c.Start != nil {
				o.Interval = calendar.Interval{Start: *c.Start, End: *c.End}
			}
			if c.Status != nil && (a.Status != planning.Cancelled || !c.Status.Ahead()) {
				o.Status = *c.Status
			}
		}
		all = append(all, o)
	}
	slices.SortStableFunc(all, func(a, b planning.Occurrence) int { return a.Start.Compare(b.Start) })
	return all
}

func sameOccurrences(a, b []planning.Occurrence) bool {
	return slices.EqualFunc(a, b, func(a, b planning.Occurrence) bool {
		return a.Original.Equal(b.Original) && a.Start.Equal(b.Start) && a.End.Equal(b.End) && a.Status == b.Status
	})
}

// What is found in a window is what one finds who looks at every occurrence, and
// the bounds hold all of them.
func TestOccurrencesAreFoundInAnyWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := fine(t)
		zone := location(t, a.Zone)
		from := a.Start.Add(time.Duration(rapid.IntRange(-40*24, 200*24).Draw(t, "from")) * time.Hour)
		window := calendar.Interval{Start: from, End: from.Add(time.Duration(rapid.IntRange(1, 90*24).Draw(t, "hours")) * time.Hour)}
		all, bounded := naive(a, zone), a.Foresee(zone)
		var overlapping, starting []planning.Occurrence
		for _, o := range all {
			if o.Meets(window) {
				overlapping = append(overlapping, o)
			}
			if window.Contains(o.Start) {
				starting = append(starting, o)
			}
			if o.Start.Before(bounded.From) || !bounded.Until.IsZero() && o.End.After(bounded.Until) {
				t.Fatalf("%v lies outside %v to %v", o, bounded.From, bounded.Until)
			}
		}
		if got := a.Overlapping(window, zone); !sameOccurrences(got, overlapping) {
			t.Fatalf("overlapping are %v, want %v", got, overlapping)
		}
		n := rapid.IntRange(1, 20).Draw(t, "count")
		got, more := a.Starting(window, zone, n)
		if !sameOccurrences(got, starting[:min(n, len(starting))]) || more != (len(starting) > n) {
			t.Fatalf("starting are %v, more: %t; want %v", got, more, starting)
		}
		for _, o := range all[:min(len(all), 5)] {
			if !a.Recurs() {
				break
			}
			if named, found := a.Named(a.Series(zone).Name(o.Original), zone); !found || !sameOccurrences([]planning.Occurrence{named}, []planning.Occurrence{o}) {
				t.Fatalf("by its name %v is %v", o, named)
			}
		}
	})
}

func daily(t rapid.TB) planning.Appointment {
	c := visit()
	c.RRule, c.ProductIDs = opt.Of("FREQ=DAILY;COUNT=12"), opt.Of([]int64{5})
	made, err := created(c)
	return must(t, made, err)
}

// nth is an occurrence by its original place in the series.
func nth(t rapid.TB, a planning.Appointment, n int) planning.Occurrence {
	t.Helper()
	zone := location(t, a.Zone)
	start := a.Start.In(zone).AddDate(0, 0, n)
	o, found := a.Named(a.Series(zone).Name(start), zone)
	if !found {
		t.Fatalf("no occurrence %d", n)
	}
	return o
}

func TestAnOccurrenceKeepsItsOwnThroughChangesOfTheSeries(t *testing.T) {
	a := daily(t)
	zone := location(t, a.Zone)
	after, err := rules().UpdateOccurrence(a, nth(t, a, 2), planning.OccurrenceChange{
		Title: opt.Of("Autre"), Status: opt.Of("CONFIRME"), ProductIDs: opt.Of([]int64{6}), StartAt: opt.Of("2026-10-22T14:00:00Z"), EndAt: opt.Of("2026-10-22T15:30:00Z"),
	})
	a = must(t, after, err)
	after, err = rules().Update(a, planning.Change{Title: opt.Of("Neuf"), Location: opt.Of("Lyon"), Status: opt.Of("ABSENT")})
	a = must(t, after, err)
	changed, other := a.At(nth(t, a, 2), zone), a.At(nth(t, a, 3), zone)
	if changed.Title != "Autre" || changed.Location != "Lyon" || changed.Status != planning.Confirmed || !slices.Equal(changed.Products, []product.ID{6}) || changed.Start.Hour() != 14 {
		t.Errorf("the changed one is %+v", changed)
	}
	if other.Title != "Neuf" || other.Status != planning.Missed || !slices.Equal(other.Products, []product.ID{5}) || other.Start.Hour() != 8 {
		t.Errorf("another one is %+v", other)
	}
	if got := a.AllProducts(); !slices.Equal(got, []product.ID{5, 6}) {
		t.Errorf("the products are %v", got)
	}
}

func TestASeriesKeepsWhatItsRuleStillHas(t *testing.T) {
	a := daily(t)
	for _, n := range []int{2, 9} {
		after, err := rules().UpdateOccurrence(a, nth(t, a, n), planning.OccurrenceChange{Title: opt.Of("Autre")})
		a = must(t, after, err)
	}
	a = a.WithoutOccurrence(nth(t, a, 3).Original).WithoutOccurrence(nth(t, a, 10).Original)
	after, err := rules().Update(a, planning.Change{RRule: opt.Of("FREQ=DAILY;COUNT=5")})
	after = must(t, after, err)
	if len(after.Changed) != 1 || !after.Changed[0].Original.Equal(nth(t, a, 2).Original) || len(after.Except) != 1 {
		t.Errorf("of a shorter series stay %+v and %v", after.Changed, after.Except)
	}
	after, err = rules().Update(a, planning.Change{RRule: opt.Null[string]()})
	if after = must(t, after, err); after.Recurs() || len(after.Changed)+len(after.Except) > 0 {
		t.Errorf("a single event is %+v", after)
	}
	after, err = rules().Update(a, planning.Change{Exdates: opt.Of([]string{a.Changed[0].Original.Format(time.RFC3339)})})
	if after = must(t, after, err); len(after.Changed) != 1 || len(after.Except) != 1 {
		t.Errorf("an exception leaves %+v and %v", after.Changed, after.Except)
	}
}

func TestASeriesThatIsCancelledCancelsWhatIsAhead(t *testing.T) {
	a := daily(t)
	for n, status := range []string{"REALISE", "CONFIRME"} {
		after, err := rules().UpdateOccurrence(a, nth(t, a, n), planning.OccurrenceChange{Status: opt.Of(status)})
		a = must(t, after, err)
	}
	a.Status = planning.Cancelled
	if got := []planning.Status{nth(t, a, 0).Status, nth(t, a, 1).Status, nth(t, a, 2).Status}; !slices.Equal(got, []planning.Status{planning.Done, planning.Cancelled, planning.Cancelled}) {
		t.Errorf("the statuses are %v", got)
	}
	_, err := rules().UpdateOccurrence(a, nth(t, a, 2), planning.OccurrenceChange{Status: opt.Of("PREVU")})
	if fault.From(err).Code != fault.CodeInvalidTransition {
		t.Errorf("a cancelled occurrence can be planned again: %v", err)
	}
}

// Occurrences of long events can be changed, and those of whole days stay so.
func TestOccurrencesOfWholeDaysMoveByDays(t *testing.T) {
	c := visit()
	c.AllDay, c.StartDate, c.EndDate, c.RRule = opt.Of(true), opt.Of("2026-10-20"), opt.Of("2026-12-05"), opt.Of("FREQ=YEARLY")
	made, err := created(c)
	a := must(t, made, err)
	zone := location(t, a.Zone)
	first := naive(a, zone)[0]
	after, err := rules().UpdateOccurrence(a, first, planning.OccurrenceChange{Title: opt.Of("Autre")})
	a = must(t, after, err)
	after, err = rules().UpdateOccurrence(a, first, planning.OccurrenceChange{StartAt: opt.Of("2026-10-26T00:00:00"), EndAt: opt.Of("2026-10-28T00:00:00")})
	a = must(t, after, err)
	if at := a.At(nth(t, a, 0), zone); at.First.String() != "2026-10-26" || at.Last.String() != "2026-10-27" || at.Title != "Autre" {
		t.Errorf("the occurrence takes %s to %s", at.First, at.Last)
	}
	for field, c := range map[string]planning.OccurrenceChange{
		"start_at": {StartAt: opt.Of("2026-10-26T08:00:00")}, "end_at": {EndAt: opt.Of("2026-10-28T08:00:00")},
	} {
		if _, err := rules().UpdateOccurrence(a, nth(t, a, 0), c); !errors.Is(err, fault.Invalid) || fault.From(err).Details[0].Field != field {
			t.Errorf("%s at eight o'clock: %v", field, err)
		}
	}
}

func TestAnAnswerToOneOccurrenceIsForItAlone(t *testing.T) {
	a := daily(t)
	zone := location(t, a.Zone)
	a, found := a.WithAnswer(1, planning.Refused, nth(t, a, 1).Original)
	if !found || len(a.At(nth(t, a, 1), zone).Attending()) != 0 || len(a.At(nth(t, a, 2), zone).Attending()) != 1 || len(a.Attending()) != 1 {
		t.Errorf("the event is %+v", a)
	}
	if _, found := a.WithAnswer(9, planning.Refused, time.Time{}); found {
		t.Error("somebody answers who does not attend")
	}
}

// Reminders are told of once for each occurrence and number of minutes, at the
// first tick after they are due, whatever changes in between.
func TestEachReminderIsToldOfOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := fine(t)
		zone := location(t, a.Zone)
		now := a.Start.Add(-48 * time.Hour)
		a.Told = now
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			next := now.Add(time.Duration(rapid.IntRange(1, 60*60).Draw(t, "minutes")) * time.Minute)
			want := 0
			for _, o := range naive(a, zone) {
				for _, minutes := range a.Reminders {
					if due := o.Start.Add(-planning.Minutes(minutes)); o.Status.Ahead() && due.After(now) && !due.After(next) {
						want++
					}
				}
			}
			due := a.Foresee(zone).Due
			if told := a.DueReminders(next, zone); told != min(want, planning.MaxTold) {
				t.Fatalf("from %v to %v %d are told of, want %d", now, next, told, want)
			}
			if (want > 0) != (!due.IsZero() && !due.After(next)) {
				t.Fatalf("from %v to %v %d are due, and the next one at %v", now, next, want, due)
			}
			now, a.Told = next, next
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				after, err := rules().Update(a, planning.Change{
					Status: maybe(t, "status", "PREVU", "CONFIRME", "REALISE"), Reminders: maybe(t, "reminders", []int{0, 1440}, []int{30}), RRule: maybe(t, "rule", "FREQ=DAILY;COUNT=20"),
				})
				if err == nil {
					a = after
				}
			case 1:
				if a.Recurs() {
					a = anyOccurrenceChange(t, a, zone)
				}
			}
		}
	})
}

func TestACopyOfAnEventShowsNoDifference(t *testing.T) {
	var a planning.Appointment
	apitest.Fill(t, &a)
	if b := a.Clone(); !a.Same(b) || text(t, a) != text(t, b) {
		t.Errorf("the copy is %s", text(t, b))
	}
	b := a.Clone()
	b.Told, b.Version, b.Modified, b.Due = time.Time{}, 9, time.Time{}, time.Time{}
	if !a.Same(b) {
		t.Error("what no answer shows makes a difference")
	}
	b.Attendees[0].Answer = planning.Refused
	b.Changed[0].Answers[0].Answer = planning.Maybe
	if a.Same(b) || a.Attendees[0].Answer == planning.Refused || a.Changed[0].Answers[0].Answer == planning.Maybe {
		t.Error("an answer in the copy is one in the event")
	}
	empty := planning.Appointment{Except: []time.Time{}, Products: []product.ID{}, Reminders: []int{}, Reports: []planning.Report{}}
	if !empty.Same(planning.Appointment{}) {
		t.Error("empty lists make a difference")
	}
}

func TestAnAnonymousEventKeepsTimesAndOutcomes(t *testing.T) {
	var a planning.Appointment
	apitest.Fill(t, &a)
	got := a.Anonymous("Visite")
	if got.Title != "Visite" || got.Description+got.Location+got.MeetingURL+got.ExternalID != "" || got.Latitude != nil || got.Reports[0].Comment != "" || got.Changed[0].Title != nil {
		t.Errorf("what is left is %+v", got)
	}
	if r := got.Reports[1]; r.Slip == "" || r.Outcome == "" || r.Customer == 0 || !got.Start.Equal(a.Start) || got.ID != a.ID || len(got.Attendees) != 2 {
		t.Errorf("what is left is %+v", got)
	}
	if a.Title == "Visite" || a.Reports[0].Comment == "" {
		t.Error("the event itself changed")
	}
}

// A text that somebody adds to an event is a code or a day, or goes; the names of
// guests are those of others.
func TestNoWordsAreLeftButCodes(t *testing.T) {
	var a planning.Appointment
	apitest.Fill(t, &a)
	left, err := json.Marshal(a.Anonymous("Visite"))
	if err != nil {
		t.Fatal(err)
	}
	var record map[string]any
	if err := json.Unmarshal(left, &record); err != nil {
		t.Fatal(err)
	}
	codes := []string{
		"Type", "Title", "Status", "First", "Last", "Zone", "Rule", "Visibility", "CreatedBy", "Attendees.Kind", "Attendees.Name", "Attendees.Email", "Attendees.Role", "Attendees.Answer",
		"Changed.Status", "Changed.Answers.Answer", "Reports.Outcome", "Reports.RefusalReason", "Reports.Slip",
	}
	for path, said := range texts("", record) {
		_, err := time.Parse(time.RFC3339, said)
		if said != "" && err != nil && !slices.Contains(codes, path) {
			t.Errorf("%s keeps %q", path, said)
		}
	}
}

// texts are the texts in a value of JSON, by their paths without places.
func texts(path string, v any) map[string]string {
	all := map[string]string{}
	switch v := v.(type) {
	case string:
		all[path] = v
	case []any:
		for _, item := range v {
			maps.Copy(all, texts(path, item))
		}
	case map[string]any:
		for name, item := range v {
			maps.Copy(all, texts(strings.TrimPrefix(path+"."+name, "."), item))
		}
	}
	return all
}

func TestALeavingCustomerLeavesTheOthers(t *testing.T) {
	c := visit()
	c.CustomerIDs = opt.Of([]int64{1, 2})
	made, err := created(c)
	a := must(t, made, err)
	if got := a.Without(1); !slices.Equal(got.Customers(), []customer.ID{2}) || len(got.Users()) != 1 || len(a.Customers()) != 2 {
		t.Errorf("without one attend %+v", got.Attendees)
	}
}

func TestAnEventHandedOverHasEachUserOnce(t *testing.T) {
	c := visit()
	c.UserIDs = opt.Of([]int64{11, 12})
	made, err := created(c)
	a := must(t, made, err)
	for to, users := range map[int]int{11: 2, 12: 1, 13: 2} {
		got := a.Handed(11, site.UserID(to))
		if len(got.Users()) != users || got.Users()[0] != site.UserID(to) || got.Attendees[0].ID != 1 {
			t.Errorf("handed to %d it is attended by %+v", to, got.Attendees)
		}
	}
}
