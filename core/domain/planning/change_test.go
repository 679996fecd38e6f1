package planning_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

func location(t rapid.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func rules() planning.Rules {
	types := append(planning.Shipped(), planning.Type{ID: 9, Model: "ANCIEN", Label: "Ancien"})
	return planning.Rules{
		Types: types, Zone: func(site.AgencyID) string { return "Europe/Paris" }, Location: time.LoadLocation, Agency: func(id site.UserID) site.AgencyID { return site.AgencyID(id / 10) },
	}
}

// created is what a request makes, and what is wrong with it.
func created(c planning.Change) (planning.Appointment, error) {
	var problems fault.Problems
	made := rules().Create(c, &problems)
	made.ID, made.Site = 1, 1
	return made, problems.Err()
}

func must(t rapid.TB, a planning.Appointment, err error) planning.Appointment {
	t.Helper()
	if err != nil {
		t.Fatal(fault.From(err).Details, err)
	}
	return a
}

// text is an appointment written out, with what it points at.
func text(t rapid.TB, a planning.Appointment) string {
	t.Helper()
	out, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// maybe is a field that is absent, null or one of some values.
func maybe[T any](t *rapid.T, label string, values ...T) opt.Field[T] {
	switch n := rapid.IntRange(-4, len(values)-1).Draw(t, label); {
	case n < -1:
		return opt.Field[T]{}
	case n == -1:
		return opt.Null[T]()
	default:
		return opt.Of(values[n])
	}
}

// anyAttendees are attendees of all kinds, wrong ones among them.
func anyAttendees(t *rapid.T) []planning.AttendeeInput {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) planning.AttendeeInput {
		in := planning.AttendeeInput{Kind: opt.Of(rapid.SampledFrom([]string{"USER", "CUSTOMER", "GUEST", ""}).Draw(t, "kind"))}
		in.Role, in.Answer = maybe(t, "role", "ORGANISATEUR", "OPTIONNEL", "x"), maybe(t, "answer", "REFUSE", "ACCEPTE")
		switch in.Kind.Value {
		case "USER":
			in.UserID = maybe(t, "user", int64(11), 12, 13, 0)
		case "CUSTOMER":
			in.CustomerID = maybe(t, "customer", int64(1), 2, 3)
		default:
			in.Name, in.Email = maybe(t, "name", "Paul", "Marie"), maybe(t, "email", "p@example.org")
		}
		return in
	}), 0, 4).Draw(t, "attendees")
}

// anyChange is any request, wrong ones among them.
func anyChange(t *rapid.T) planning.Change {
	c := planning.Change{
		Type: maybe(t, "type", "VISITE", "TACHE", "ANCIEN", ""), Title: maybe(t, "title", "Visite", "Autre", " "), Description: maybe(t, "description", "d", ""),
		Location: maybe(t, "location", "Lyon"), MeetingURL: maybe(t, "url", "https://meet.example.org/a", "ftp://x", ""), Latitude: maybe(t, "lat", 45.0, 91.0),
		Longitude: maybe(t, "lon", 4.8, -181.0), Status: maybe(t, "status", "PREVU", "CONFIRME", "REALISE", "ANNULE", "ABSENT", "?"), AllDay: maybe(t, "all day", true, false),
		StartAt:   maybe(t, "start", "2026-10-20T09:00:00Z", "2026-10-25T02:30:00", "2026-10-20", "2027-03-22T10:00:00+01:00", "x"),
		EndAt:     maybe(t, "end", "2026-10-20T10:00:00Z", "2026-10-25T03:30:00", "2027-03-22T11:00:00+01:00", "2027-12-01T00:00:00Z"),
		StartDate: maybe(t, "first", "2026-10-20", "2026-10-24", "20"), EndDate: maybe(t, "last", "2026-10-20", "2026-10-25", "2027-12-01"),
		Timezone: maybe(t, "zone", "Europe/Paris", "America/New_York", "Local", "Nowhere", ""),
		RRule:    maybe(t, "rule", "FREQ=DAILY;COUNT=8", "FREQ=WEEKLY", "FREQ=DAILY;UNTIL=20261101", "FREQ=WEEKLY;BYDAY=TU", "FREQ=HOURLY", ""),
		Exdates:  maybe(t, "except", []string{"2026-10-21T09:00:00Z", "2026-10-22T09:00:00Z"}, []string{"2026-10-26"}, []string{"x"}, nil),
		AgencyID: maybe(t, "agency", int64(1), 2), ProductIDs: maybe(t, "products", []int64{5, 6}, []int64{6, 6}, []int64{0}, nil), SearchID: maybe(t, "search", int64(3), 0),
		IsBusy: maybe(t, "busy", true, false), BufferBefore: maybe(t, "before", 0, 240, 241), BufferAfter: maybe(t, "after", 30, -1), Visibility: maybe(t, "visibility", "PRIVE", "PUBLIC", "?"),
		IsLiveVisit: maybe(t, "live", true, false), Reminders: maybe(t, "reminders", []int{60, 10}, []int{0}, []int{1, 1}, []int{1, 2, 3, 4}), ExternalID: maybe(t, "external", "e-1"),
	}
	if rapid.Bool().Draw(t, "listed") {
		c.Attendees = opt.Of(anyAttendees(t))
	} else {
		c.UserIDs, c.CustomerIDs = maybe(t, "users", []int64{11}, []int64{12, 11}, []int64{}, []int64{11, 11}), maybe(t, "customers", []int64{1}, []int64{2, 1}, []int64{})
	}
	return c
}

// fine is an event that nothing is wrong with, of whole days or not, single or a
// series in which something was changed.
func fine(t *rapid.T) planning.Appointment {
	c := planning.Change{Type: opt.Of("VISITE"), Title: opt.Of("Visite"), Attendees: opt.Of([]planning.AttendeeInput{
		{Kind: opt.Of("USER"), UserID: opt.Of(int64(11))}, {Kind: opt.Of("CUSTOMER"), CustomerID: opt.Of(int64(1))},
		{Kind: opt.Of("GUEST"), Name: opt.Of("Paul")}, {Kind: opt.Of("GUEST"), Name: opt.Of("Paul")},
	}), ProductIDs: opt.Of([]int64{5, 6}), Reminders: opt.Of([]int{60, 10})}
	if rapid.Bool().Draw(t, "whole days") {
		c.AllDay, c.StartDate, c.EndDate = opt.Of(true), opt.Of("2026-10-20"), opt.Of(rapid.SampledFrom([]string{"2026-10-20", "2026-10-24", "2026-12-20"}).Draw(t, "last day"))
	} else {
		c.StartAt, c.EndAt = opt.Of("2026-10-20T10:00:00+02:00"), opt.Of(rapid.SampledFrom([]string{"2026-10-20T11:00:00+02:00", "2026-11-20T09:00:00+01:00"}).Draw(t, "end"))
	}
	if rule := rapid.SampledFrom([]string{"", "FREQ=DAILY;COUNT=10", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=TU,FR;COUNT=30"}).Draw(t, "rule"); rule != "" {
		c.RRule = opt.Of(rule)
	}
	made, err := created(c)
	made = must(t, made, err)
	if !made.Recurs() {
		return made
	}
	zone := location(t, made.Zone)
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		made = anyOccurrenceChange(t, made, zone)
	}
	return made
}

// anyOccurrenceChange changes one occurrence of a series in some way.
func anyOccurrenceChange(t *rapid.T, a planning.Appointment, zone *time.Location) planning.Appointment {
	all := naive(a, zone)
	if len(all) == 0 {
		return a
	}
	o := all[rapid.IntRange(0, min(len(all), 12)-1).Draw(t, "occurrence")]
	switch rapid.IntRange(0, 3).Draw(t, "what") {
	case 0:
		return a.WithoutOccurrence(o.Original)
	case 1:
		after, _ := a.WithAnswer(1, rapid.SampledFrom(planning.Answers()).Draw(t, "said"), o.Original)
		return after
	default:
		days := rapid.IntRange(-20, 20).Draw(t, "days")
		first := calendar.On(o.Start, zone) + calendar.Day(days)
		start, end := o.Start.AddDate(0, 0, days), o.End.AddDate(0, 0, days)
		if a.AllDay {
			start, end = first.Start(zone), (calendar.On(o.End, zone) + calendar.Day(days)).Start(zone)
		}
		c := planning.OccurrenceChange{
			Title: maybe(t, "own title", "Autre"), Status: maybe(t, "own status", "CONFIRME", "REALISE", "ANNULE"), ProductIDs: maybe(t, "own products", []int64{7}),
		}
		if rapid.Bool().Draw(t, "moves") {
			c.StartAt, c.EndAt = opt.Of(start.Format(time.RFC3339)), opt.Of(end.Format(time.RFC3339))
		}
		if c.Title.Null || c.Status.Null {
			c.Title, c.Status = opt.Field[string]{}, opt.Field[string]{}
		}
		after, err := rules().UpdateOccurrence(a, o, c)
		if errors.Is(err, fault.Conflict) {
			return a // a cancelled one stays so
		}
		return must(t, after, err)
	}
}

// An event that is accepted is as the rules say, whatever was asked for; what was
// there before is not touched, and what is refused changes nothing.
func TestWhateverIsAskedAnEventStaysWithinTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it, err := created(anyChange(t))
		if err != nil {
			it = fine(t)
		}
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			check(t, it)
			before := text(t, it)
			after, err := rules().Update(it, anyChange(t))
			if got := text(t, it); got != before {
				t.Fatalf("the event before was\n%s, and is\n%s", before, got)
			}
			if err != nil {
				continue
			}
			checkStayed(t, it, after)
			it = after
			if it.Recurs() {
				it = anyOccurrenceChange(t, it, location(t, it.Zone))
			}
		}
		check(t, it)
	})
}

// check checks everything that is said of the fields of an event.
func check(t rapid.TB, a planning.Appointment) {
	t.Helper()
	zone := location(t, a.Zone)
	holds := func(what string, yes bool) {
		t.Helper()
		if !yes {
			t.Fatalf("%s: %s", what, text(t, a))
		}
	}
	holds("a title", a.Title != "")
	holds("a type", a.Type != "")
	holds("a user", len(a.Users()) > 0)
	holds("end after start", a.Start.Before(a.End))
	holds("buffers", a.Before >= 0 && a.Before <= 240 && a.After >= 0 && a.After <= 240)
	holds("coordinates together", (a.Latitude == nil) == (a.Longitude == nil))
	holds("a live visit has a URL", !a.LiveVisit || a.MeetingURL != "")
	holds("three reminders", len(a.Reminders) <= 3)
	if a.AllDay {
		holds("midnights", a.Start.Equal(a.First.Start(zone)) && a.End.Equal(a.Last.End(zone)) && a.Last >= a.First && a.Last-a.First < 366)
	} else {
		holds("days without all_day", a.First == 0 && a.Last == 0 && a.End.Sub(a.Start) <= 31*24*time.Hour)
	}
	ids, people := map[int64]bool{}, map[string]bool{}
	for _, one := range a.Attendees {
		holds("ids of attendees", one.ID > 0 && one.ID <= a.LastAttendee && !ids[one.ID] && one.Role != "" && one.Answer != "")
		ids[one.ID] = true
		if one.Kind != planning.Guest {
			who := fmt.Sprint(one.Kind, one.User, one.Customer)
			holds("attendees once", !people[who])
			people[who] = true
		} else {
			holds("guests have a name", one.Name != "" || one.Email != "")
		}
	}
	holds("exceptions in order", slices.IsSortedFunc(a.Except, time.Time.Compare))
	holds("nothing changed in a single event", a.Recurs() || len(a.Changed) == 0)
	series := a.Series(zone)
	for _, c := range a.Changed {
		holds("changed occurrences are of the series", series.Has(c.Original))
	}
}

// checkStayed checks that attendees who stay keep their ids.
func checkStayed(t rapid.TB, before, after planning.Appointment) {
	t.Helper()
	for _, one := range before.Attendees {
		n := slices.IndexFunc(after.Attendees, func(a planning.Attendee) bool {
			return a.Kind == one.Kind && a.User == one.User && a.Customer == one.Customer && one.Kind != planning.Guest
		})
		if n >= 0 && after.Attendees[n].ID != one.ID {
			t.Fatalf("attendee %+v became %+v", one, after.Attendees[n])
		}
	}
}

// goesWith are the fields of an event that a field of a request may change besides
// the one of its name.
var goesWith = map[string][]string{
	"StartAt": {"Start", "Except", "Changed", "Sequence"}, "EndAt": {"End", "Except", "Changed", "Sequence"}, "StartDate": {"First", "Start", "Except", "Changed", "Sequence"},
	"EndDate": {"Last", "End", "Except", "Changed", "Sequence"}, "Timezone": {"Zone", "Start", "End", "Except", "Changed", "Sequence"}, "RRule": {"Rule", "Except", "Changed", "Sequence"},
	"Exdates": {"Except", "Changed", "Sequence"}, "AgencyID": {"Agency"}, "Attendees": {"Attendees", "LastAttendee", "Changed"}, "UserIDs": {"Attendees", "LastAttendee", "Changed"},
	"CustomerIDs": {"Attendees", "LastAttendee", "Changed"}, "ProductIDs": {"Products"}, "SearchID": {"Search"}, "IsBusy": {"Busy"}, "BufferBefore": {"Before"}, "BufferAfter": {"After"},
	"IsLiveVisit": {"LiveVisit"}, "AllDay": {"AllDay", "First", "Last"}, "Status": {"Status", "Sequence"},
}

func TestWhatIsNotGivenStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := fine(t)
		if untouched, err := rules().Update(before, planning.Change{}); err != nil || text(t, untouched) != text(t, before) {
			t.Fatalf("an empty request makes %s of %s, %v", text(t, untouched), text(t, before), err)
		}
		wanted, one := reflect.ValueOf(anyChange(t)), planning.Change{}
		n := rapid.IntRange(0, wanted.NumField()-1).Draw(t, "field")
		reflect.ValueOf(&one).Elem().Field(n).Set(wanted.Field(n))
		after, err := rules().Update(before, one)
		if err != nil {
			return
		}
		field := wanted.Type().Field(n).Name
		allowed := append(goesWith[field], field)
		for i := range reflect.TypeFor[planning.Appointment]().NumField() {
			name := reflect.TypeFor[planning.Appointment]().Field(i).Name
			was, is := reflect.ValueOf(before).Field(i).Interface(), reflect.ValueOf(after).Field(i).Interface()
			if !slices.Contains(allowed, name) && !reflect.DeepEqual(was, is) {
				t.Fatalf("%s changed %s from %v to %v", field, name, was, is)
			}
		}
	})
}

func visit() planning.Change {
	return planning.Change{
		Type: opt.Of("VISITE"), Title: opt.Of("Visite"), StartAt: opt.Of("2026-10-20T08:00:00Z"), EndAt: opt.Of("2026-10-20T09:00:00Z"), UserIDs: opt.Of([]int64{11}),
	}
}

func TestANewEventIsAsItsTypeSays(t *testing.T) {
	made, err := created(visit())
	made = must(t, made, err)
	if !made.Busy || made.Before != 15 || made.After != 15 || made.Status != planning.Planned || made.Zone != "Europe/Paris" || made.Visibility != planning.Public || made.Agency != 1 {
		t.Errorf("a visit is %+v", made)
	}
	if one := made.Attendees[0]; one.ID != 1 || one.Role != planning.Required || one.Answer != planning.Waiting {
		t.Errorf("the user is %+v", one)
	}
	c := visit()
	c.Type, c.BufferBefore, c.IsBusy, c.Status, c.Visibility = opt.Of("TACHE"), opt.Of(20), opt.Null[bool](), opt.Null[string](), opt.Null[string]()
	made, err = created(c)
	if made = must(t, made, err); made.Busy || made.Before != 20 || made.After != 0 {
		t.Errorf("a task is %+v", made)
	}
	c = visit()
	c.BufferAfter = opt.Null[int]()
	made, err = created(c)
	if made = must(t, made, err); made.After != 15 {
		t.Errorf("a buffer that is null is %d, not that of the type", made.After)
	}
}

func TestEveryProblemNamesItsField(t *testing.T) {
	guests := func(n int) (all []planning.AttendeeInput) {
		all = append(all, planning.AttendeeInput{Kind: opt.Of("USER"), UserID: opt.Of(int64(11))})
		for i := range n {
			all = append(all, planning.AttendeeInput{Kind: opt.Of("GUEST"), Name: opt.Of(fmt.Sprint(i))})
		}
		return all
	}
	many := make([]string, 501)
	for n := range many {
		many[n] = fmt.Sprintf("2026-10-20T08:00:00.%03dZ", n)
	}
	for name, c := range map[string]struct {
		edit  func(*planning.Change)
		field string
		code  fault.Code
	}{
		"no type":                   {func(c *planning.Change) { c.Type = opt.Null[string]() }, "type", fault.CodeRequired},
		"an unknown type":           {func(c *planning.Change) { c.Type = opt.Of("X") }, "type", fault.CodeUnknownAppointmentType},
		"a type that is not active": {func(c *planning.Change) { c.Type = opt.Of("ANCIEN") }, "type", fault.CodeUnknownAppointmentType},
		"no title":                  {func(c *planning.Change) { c.Title = opt.Field[string]{} }, "title", fault.CodeRequired},
		"a title of blanks":         {func(c *planning.Change) { c.Title = opt.Of("  ") }, "title", fault.CodeRequired},
		"no start":                  {func(c *planning.Change) { c.StartAt = opt.Field[string]{} }, "start_at", fault.CodeRequired},
		"no end":                    {func(c *planning.Change) { c.EndAt = opt.Null[string]() }, "end_at", fault.CodeRequired},
		"no length":                 {func(c *planning.Change) { c.EndAt = c.StartAt }, "end_at", fault.CodeOutOfRange},
		"more than 31 days":         {func(c *planning.Change) { c.EndAt = opt.Of("2026-11-20T08:00:01Z") }, "end_at", fault.CodeOutOfRange},
		"days without all_day":      {func(c *planning.Change) { c.StartDate = opt.Of("2026-10-20") }, "start_date", fault.CodeAmbiguousField},
		"whole days without days":   {func(c *planning.Change) { c.AllDay, c.EndDate = opt.Of(true), opt.Of("2026-10-20") }, "start_date", fault.CodeRequired},
		"whole days backwards": {func(c *planning.Change) {
			c.AllDay, c.StartDate, c.EndDate = opt.Of(true), opt.Of("2026-10-20"), opt.Of("2026-10-19")
		}, "end_date", fault.CodeOutOfRange},
		"367 days": {func(c *planning.Change) {
			c.AllDay, c.StartDate, c.EndDate = opt.Of(true), opt.Of("2026-01-01"), opt.Of("2027-01-02")
		}, "end_date", fault.CodeOutOfRange},
		"no such zone":                 {func(c *planning.Change) { c.Timezone = opt.Of("Mars/Olympus") }, "timezone", fault.CodeInvalidFormat},
		"the zone of the machine":      {func(c *planning.Change) { c.Timezone = opt.Of("Local") }, "timezone", fault.CodeInvalidFormat},
		"latitude alone":               {func(c *planning.Change) { c.Latitude = opt.Of(45.0) }, "longitude", fault.CodeRequired},
		"a URL of another scheme":      {func(c *planning.Change) { c.MeetingURL = opt.Of("ftp://example.org") }, "meeting_url", fault.CodeInvalidFormat},
		"a live visit nowhere":         {func(c *planning.Change) { c.IsLiveVisit = opt.Of(true) }, "meeting_url", fault.CodeRequired},
		"a live visit at an empty URL": {func(c *planning.Change) { c.IsLiveVisit, c.MeetingURL = opt.Of(true), opt.Of("") }, "meeting_url", fault.CodeRequired},
		"buffers beyond 240":           {func(c *planning.Change) { c.BufferAfter = opt.Of(241) }, "buffer_after", fault.CodeOutOfRange},
		"four reminders":               {func(c *planning.Change) { c.Reminders = opt.Of([]int{1, 2, 3, 4}) }, "reminders", fault.CodeOutOfRange},
		"a reminder twice":             {func(c *planning.Change) { c.Reminders = opt.Of([]int{1, 1}) }, "reminders[1]", fault.CodeAmbiguousField},
		"a reminder too far ahead":     {func(c *planning.Change) { c.Reminders = opt.Of([]int{40_321}) }, "reminders[0]", fault.CodeOutOfRange},
		"nobody":                       {func(c *planning.Change) { c.UserIDs = opt.Field[[]int64]{} }, "attendees", fault.CodeRequired},
		"no user":                      {func(c *planning.Change) { c.UserIDs, c.CustomerIDs = opt.Field[[]int64]{}, opt.Of([]int64{1}) }, "user_ids", fault.CodeRequired},
		"a user twice":                 {func(c *planning.Change) { c.UserIDs = opt.Of([]int64{11, 11}) }, "user_ids", fault.CodeAmbiguousField},
		"attendees said twice":         {func(c *planning.Change) { c.Attendees = opt.Of(guests(0)) }, "attendees", fault.CodeAmbiguousField},
		"51 attendees":                 {func(c *planning.Change) { c.UserIDs, c.Attendees = opt.Field[[]int64]{}, opt.Of(guests(50)) }, "attendees", fault.CodeOutOfRange},
		"a guest without a name": {func(c *planning.Change) {
			c.UserIDs, c.Attendees = opt.Field[[]int64]{}, opt.Of(append(guests(0), planning.AttendeeInput{Kind: opt.Of("GUEST")}))
		}, "attendees[1].name", fault.CodeRequired},
		"21 products":               {func(c *planning.Change) { c.ProductIDs = opt.Of(make([]int64, 21)) }, "product_ids", fault.CodeOutOfRange},
		"501 exceptions":            {func(c *planning.Change) { c.RRule, c.Exdates = opt.Of("FREQ=DAILY"), opt.Of(many) }, "exdates", fault.CodeOutOfRange},
		"an exception nobody reads": {func(c *planning.Change) { c.RRule, c.Exdates = opt.Of("FREQ=DAILY"), opt.Of([]string{"x"}) }, "exdates[0]", fault.CodeInvalidFormat},
		"the name of the rule":      {func(c *planning.Change) { c.RRule = opt.Of("RRULE:FREQ=DAILY") }, "rrule", fault.CodeInvalidFormat},
		"a rule with two ends":      {func(c *planning.Change) { c.RRule = opt.Of("FREQ=DAILY;COUNT=2;UNTIL=20261101T000000Z") }, "rrule", fault.CodeRRuleNotSupported},
		"a start out of step":       {func(c *planning.Change) { c.RRule = opt.Of("FREQ=WEEKLY;BYDAY=MO") }, "rrule", fault.CodeRRuleOutOfStep},
		"an end before the start":   {func(c *planning.Change) { c.RRule = opt.Of("FREQ=DAILY;UNTIL=20261001T000000Z") }, "rrule", fault.CodeOutOfRange},
		"a day as the end":          {func(c *planning.Change) { c.RRule = opt.Of("FREQ=DAILY;UNTIL=20261101") }, "rrule", fault.CodeInvalidFormat},
	} {
		in := visit()
		c.edit(&in)
		_, err := created(in)
		if found := fault.From(err); err == nil || len(found.Details) != 1 || found.Details[0].Field != c.field || found.Details[0].Code != c.code {
			t.Errorf("%s: %v, want %s about %s", name, found, c.code, c.field)
		}
	}
}

func TestACancelledEventStaysCancelled(t *testing.T) {
	made, err := created(visit())
	made = must(t, made, err)
	made.Status = planning.Cancelled
	for _, status := range planning.Statuses() {
		_, err := rules().Update(made, planning.Change{Status: opt.Of(string(status))})
		if status == planning.Cancelled && err != nil || status != planning.Cancelled && fault.From(err).Code != fault.CodeInvalidTransition {
			t.Errorf("to %s: %v", status, err)
		}
	}
	_, err = rules().Update(made, planning.Change{Status: opt.Of("PREVU"), Title: opt.Of("")})
	if !errors.Is(err, fault.Invalid) {
		t.Errorf("what is wrong with the request comes first: %v", err)
	}
}

func TestTheSequenceGrowsWithTimeAndRule(t *testing.T) {
	for name, c := range map[string]struct {
		change planning.Change
		grows  bool
	}{
		"the title":  {planning.Change{Title: opt.Of("Autre")}, false},
		"the end":    {planning.Change{EndAt: opt.Of("2026-10-20T09:30:00Z")}, true},
		"the rule":   {planning.Change{RRule: opt.Of("FREQ=DAILY")}, true},
		"the zone":   {planning.Change{Timezone: opt.Of("UTC")}, true},
		"the status": {planning.Change{Status: opt.Of("ANNULE")}, true},
	} {
		made, err := created(visit())
		made = must(t, made, err)
		after, err := rules().Update(made, c.change)
		if after = must(t, after, err); (after.Sequence > made.Sequence) != c.grows {
			t.Errorf("%s: the sequence goes from %d to %d", name, made.Sequence, after.Sequence)
		}
	}
}
