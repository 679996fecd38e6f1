package planning_test

import (
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the zone of the tests, whatever the machine has

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

func dutyRules() planning.Rules {
	return planning.Rules{Zone: func(site.AgencyID) string { return "Europe/Paris" }, Location: time.LoadLocation, Agency: func(site.UserID) site.AgencyID { return 11 }}
}

func paris(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// described is a request for the telephone duty of a Saturday morning.
func described() planning.DutyChange {
	return planning.DutyChange{
		AgencyID: opt.Of[int64](11), UserID: opt.Of[int64](104), Type: opt.Of("TELEPHONE"), StartAt: opt.Of("2026-10-17T09:00:00"), EndAt: opt.Of("2026-10-17T12:00:00"),
	}
}

func applied(t *testing.T, before planning.Duty, c planning.DutyChange) planning.Duty {
	t.Helper()
	var problems fault.Problems
	it := planning.ApplyDuty(dutyRules(), before, c, &problems)
	if err := problems.Err(); err != nil {
		t.Fatalf("%v: %+v", err, fault.From(err).Details)
	}
	return it
}

func TestANewDutyIsBookableInTheZoneOfTheSite(t *testing.T) {
	got := applied(t, planning.Duty{}, described())
	nine := time.Date(2026, 10, 17, 9, 0, 0, 0, paris(t))
	if !got.Bookable || got.Zone != "Europe/Paris" || !got.Start.Equal(nine) || !got.End.Equal(nine.Add(3*time.Hour)) || got.Agency != 11 || got.User != 104 || got.Kind != planning.DutyTelephone {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsWrongWithADutyIsNamed(t *testing.T) {
	stored := applied(t, planning.Duty{}, described())
	for name, c := range map[string]struct {
		before planning.Duty
		change func(*planning.DutyChange)
		field  string
		code   fault.Code
	}{
		"no agency":           {planning.Duty{}, func(c *planning.DutyChange) { c.AgencyID = opt.Field[int64]{} }, "agency_id", fault.CodeRequired},
		"nobody":              {planning.Duty{}, func(c *planning.DutyChange) { c.UserID = opt.Null[int64]() }, "user_id", fault.CodeRequired},
		"no type":             {planning.Duty{}, func(c *planning.DutyChange) { c.Type = opt.Of("") }, "type", fault.CodeRequired},
		"an unknown type":     {planning.Duty{}, func(c *planning.DutyChange) { c.Type = opt.Of("GARDE") }, "type", fault.CodeCriteriaValueUnknown},
		"no start":            {planning.Duty{}, func(c *planning.DutyChange) { c.StartAt = opt.Field[string]{} }, "start_at", fault.CodeRequired},
		"more than a day":     {planning.Duty{}, func(c *planning.DutyChange) { c.EndAt = opt.Of("2026-10-18T09:00:01") }, "end_at", fault.CodeOutOfRange},
		"an agency taken out": {stored, func(c *planning.DutyChange) { *c = planning.DutyChange{AgencyID: opt.Null[int64]()} }, "agency_id", fault.CodeRequired},
		"a user taken out":    {stored, func(c *planning.DutyChange) { *c = planning.DutyChange{UserID: opt.Null[int64]()} }, "user_id", fault.CodeRequired},
		"a type taken out":    {stored, func(c *planning.DutyChange) { *c = planning.DutyChange{Type: opt.Null[string]()} }, "type", fault.CodeRequired},
		"a later end alone":   {stored, func(c *planning.DutyChange) { *c = planning.DutyChange{EndAt: opt.Of("2026-10-19T09:00:00")} }, "end_at", fault.CodeOutOfRange},
	} {
		in := described()
		c.change(&in)
		var problems fault.Problems
		planning.ApplyDuty(dutyRules(), c.before, in, &problems)
		err := problems.Err()
		if err == nil {
			t.Errorf("%s is taken", name)
			continue
		}
		if found := fault.From(err).Details; len(found) != 1 || found[0].Field != c.field || found[0].Code != c.code {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestADutyLastsADayAtMost(t *testing.T) {
	in := described()
	in.EndAt = opt.Of("2026-10-18T09:00:00")
	if got := applied(t, planning.Duty{}, in); got.End.Sub(got.Start) != planning.MaxDutyLength {
		t.Errorf("it lasts %s", got.End.Sub(got.Start))
	}
}

func TestWhatARequestLeavesOutStays(t *testing.T) {
	in := described()
	in.RRule, in.Exdates, in.Comment, in.Bookable = opt.Of("FREQ=WEEKLY"), opt.Of([]string{"2026-10-24T09:00:00"}), opt.Of("Samedi"), opt.Of(false)
	stored := applied(t, planning.Duty{}, in)
	if got := applied(t, stored, planning.DutyChange{}); !got.Same(stored) || got.Sequence != stored.Sequence {
		t.Errorf("%+v has become %+v", stored, got)
	}
	if got := applied(t, stored, planning.DutyChange{Bookable: opt.Null[bool]()}); got.Bookable {
		t.Error("null makes it bookable")
	}
	got := applied(t, stored, planning.DutyChange{Comment: opt.Of("Dimanche")})
	if got.Same(stored) || got.Comment != "Dimanche" || got.Sequence != stored.Sequence {
		t.Errorf("%+v", got)
	}
}

// On each Saturday at nine, also after clocks went back on the 25th, but not on the one that
// is left out.
func TestASeriesOfDutiesFollowsTheClockOfItsZone(t *testing.T) {
	zone := paris(t)
	in := described()
	in.RRule, in.Exdates = opt.Of("FREQ=WEEKLY;COUNT=4"), opt.Of([]string{"2026-10-24T09:00:00"})
	p := applied(t, planning.Duty{}, in).Foresee(zone)
	var starts []string
	for _, o := range p.First(zone, 10) {
		starts = append(starts, o.Start.UTC().Format("01-02 15:04"))
	}
	if want := []string{"10-17 07:00", "10-31 08:00", "11-07 08:00"}; !slices.Equal(starts, want) {
		t.Errorf("the duties begin at %q, want %q", starts, want)
	}
	if got := p.First(zone, 1); len(got) != 1 || !got[0].Start.Equal(p.Start) {
		t.Errorf("the first is %+v", got)
	}
	if !p.From.Equal(p.Start) || !p.Until.Equal(time.Date(2026, 11, 7, 12, 0, 0, 0, zone)) {
		t.Errorf("all of them are from %s until %s", p.From, p.Until)
	}
	noon := time.Date(2026, 10, 31, 12, 0, 0, 0, zone)
	for name, c := range map[string]struct {
		window calendar.Interval
		want   int
	}{
		"the last minute":    {calendar.Interval{Start: noon.Add(-time.Minute), End: noon.Add(time.Hour)}, 1},
		"from its end on":    {calendar.Interval{Start: noon, End: noon.Add(time.Hour)}, 0},
		"until its start":    {calendar.Interval{Start: noon.Add(-4 * time.Hour), End: noon.Add(-3 * time.Hour)}, 0},
		"what was left out":  {calendar.Interval{Start: noon.Add(-8 * 24 * time.Hour), End: noon.Add(-5 * 24 * time.Hour)}, 0},
		"the whole of them":  {calendar.Interval{Start: p.From, End: p.Until}, 3},
		"after the last one": {calendar.Interval{Start: p.Until, End: p.Until.AddDate(1, 0, 0)}, 0},
	} {
		if got := p.Overlapping(c.window, zone); len(got) != c.want {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
}

func TestADutyWithoutAnEndHasNoBound(t *testing.T) {
	in := described()
	in.RRule = opt.Of("FREQ=WEEKLY")
	if p := applied(t, planning.Duty{}, in).Foresee(paris(t)); !p.Until.IsZero() || p.From.IsZero() {
		t.Errorf("from %s until %s", p.From, p.Until)
	}
}

// What the store keeps beside a duty is no difference that anybody sees.
func TestWhatDutiesDifferIn(t *testing.T) {
	p := applied(t, planning.Duty{}, described())
	for name, c := range map[string]struct {
		change func(*planning.Duty)
		same   bool
	}{
		"version":     {func(q *planning.Duty) { q.Version++ }, true},
		"sequence":    {func(q *planning.Duty) { q.Sequence++ }, true},
		"bounds":      {func(q *planning.Duty) { q.From, q.Until = time.Unix(1, 0), time.Unix(2, 0) }, true},
		"times":       {func(q *planning.Duty) { q.Added, q.Modified = time.Unix(1, 0), time.Unix(2, 0) }, true},
		"empty list":  {func(q *planning.Duty) { q.Except = []time.Time{} }, true},
		"end":         {func(q *planning.Duty) { q.End = q.End.Add(time.Second) }, false},
		"user":        {func(q *planning.Duty) { q.User++ }, false},
		"exceptions":  {func(q *planning.Duty) { q.Except = []time.Time{p.Start} }, false},
		"rule":        {func(q *planning.Duty) { q.Rule = "FREQ=DAILY" }, false},
		"bookability": {func(q *planning.Duty) { q.Bookable = !q.Bookable }, false},
	} {
		q := p
		if c.change(&q); p.Same(q) != c.same {
			t.Errorf("another %s: the same %t", name, !c.same)
		}
	}
}
