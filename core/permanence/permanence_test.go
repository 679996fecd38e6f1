package permanence_test

import (
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the zone of the tests, whatever the machine has

	"github.com/vitrine-crm/vitrine/core/appointment"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/interval"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/permanence"
	"github.com/vitrine-crm/vitrine/core/site"
)

func rules() appointment.Rules {
	return appointment.Rules{Zone: "Europe/Paris", Location: time.LoadLocation, Agency: func(site.UserID) site.AgencyID { return 11 }}
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
func described() permanence.Change {
	return permanence.Change{
		AgencyID: opt.Of[int64](11), UserID: opt.Of[int64](104), Type: opt.Of("TELEPHONE"), StartAt: opt.Of("2026-10-17T09:00:00"), EndAt: opt.Of("2026-10-17T12:00:00"),
	}
}

func applied(t *testing.T, before permanence.Permanence, c permanence.Change) permanence.Permanence {
	t.Helper()
	var problems fault.Problems
	it := permanence.Apply(rules(), before, c, &problems)
	if err := problems.Err(); err != nil {
		t.Fatalf("%v: %+v", err, fault.From(err).Details)
	}
	return it
}

func TestANewDutyIsBookableInTheZoneOfTheSite(t *testing.T) {
	got := applied(t, permanence.Permanence{}, described())
	nine := time.Date(2026, 10, 17, 9, 0, 0, 0, paris(t))
	if !got.Bookable || got.Zone != "Europe/Paris" || !got.Start.Equal(nine) || !got.End.Equal(nine.Add(3*time.Hour)) || got.Agency != 11 || got.User != 104 || got.Kind != permanence.Telephone {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsWrongWithADutyIsNamed(t *testing.T) {
	stored := applied(t, permanence.Permanence{}, described())
	for name, c := range map[string]struct {
		before permanence.Permanence
		change func(*permanence.Change)
		field  string
		code   fault.Code
	}{
		"no agency":           {permanence.Permanence{}, func(c *permanence.Change) { c.AgencyID = opt.Field[int64]{} }, "agency_id", fault.CodeRequired},
		"nobody":              {permanence.Permanence{}, func(c *permanence.Change) { c.UserID = opt.Null[int64]() }, "user_id", fault.CodeRequired},
		"no type":             {permanence.Permanence{}, func(c *permanence.Change) { c.Type = opt.Of("") }, "type", fault.CodeRequired},
		"an unknown type":     {permanence.Permanence{}, func(c *permanence.Change) { c.Type = opt.Of("GARDE") }, "type", fault.CodeCriteriaValueUnknown},
		"no start":            {permanence.Permanence{}, func(c *permanence.Change) { c.StartAt = opt.Field[string]{} }, "start_at", fault.CodeRequired},
		"more than a day":     {permanence.Permanence{}, func(c *permanence.Change) { c.EndAt = opt.Of("2026-10-18T09:00:01") }, "end_at", fault.CodeOutOfRange},
		"an agency taken out": {stored, func(c *permanence.Change) { *c = permanence.Change{AgencyID: opt.Null[int64]()} }, "agency_id", fault.CodeRequired},
		"a user taken out":    {stored, func(c *permanence.Change) { *c = permanence.Change{UserID: opt.Null[int64]()} }, "user_id", fault.CodeRequired},
		"a type taken out":    {stored, func(c *permanence.Change) { *c = permanence.Change{Type: opt.Null[string]()} }, "type", fault.CodeRequired},
		"a later end alone":   {stored, func(c *permanence.Change) { *c = permanence.Change{EndAt: opt.Of("2026-10-19T09:00:00")} }, "end_at", fault.CodeOutOfRange},
	} {
		in := described()
		c.change(&in)
		var problems fault.Problems
		permanence.Apply(rules(), c.before, in, &problems)
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
	if got := applied(t, permanence.Permanence{}, in); got.End.Sub(got.Start) != permanence.MaxLength {
		t.Errorf("it lasts %s", got.End.Sub(got.Start))
	}
}

func TestWhatARequestLeavesOutStays(t *testing.T) {
	in := described()
	in.RRule, in.Exdates, in.Comment, in.Bookable = opt.Of("FREQ=WEEKLY"), opt.Of([]string{"2026-10-24T09:00:00"}), opt.Of("Samedi"), opt.Of(false)
	stored := applied(t, permanence.Permanence{}, in)
	if got := applied(t, stored, permanence.Change{}); !got.Same(stored) || got.Sequence != stored.Sequence {
		t.Errorf("%+v has become %+v", stored, got)
	}
	if got := applied(t, stored, permanence.Change{Bookable: opt.Null[bool]()}); got.Bookable {
		t.Error("null makes it bookable")
	}
	got := applied(t, stored, permanence.Change{Comment: opt.Of("Dimanche")})
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
	p := applied(t, permanence.Permanence{}, in).Foresee(zone)
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
		window interval.Interval
		want   int
	}{
		"the last minute":    {interval.Interval{Start: noon.Add(-time.Minute), End: noon.Add(time.Hour)}, 1},
		"from its end on":    {interval.Interval{Start: noon, End: noon.Add(time.Hour)}, 0},
		"until its start":    {interval.Interval{Start: noon.Add(-4 * time.Hour), End: noon.Add(-3 * time.Hour)}, 0},
		"what was left out":  {interval.Interval{Start: noon.Add(-8 * 24 * time.Hour), End: noon.Add(-5 * 24 * time.Hour)}, 0},
		"the whole of them":  {interval.Interval{Start: p.From, End: p.Until}, 3},
		"after the last one": {interval.Interval{Start: p.Until, End: p.Until.AddDate(1, 0, 0)}, 0},
	} {
		if got := p.Overlapping(c.window, zone); len(got) != c.want {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
}

func TestADutyWithoutAnEndHasNoBound(t *testing.T) {
	in := described()
	in.RRule = opt.Of("FREQ=WEEKLY")
	if p := applied(t, permanence.Permanence{}, in).Foresee(paris(t)); !p.Until.IsZero() || p.From.IsZero() {
		t.Errorf("from %s until %s", p.From, p.Until)
	}
}

// What the store keeps beside a duty is no difference that anybody sees.
func TestWhatDutiesDifferIn(t *testing.T) {
	p := applied(t, permanence.Permanence{}, described())
	for name, c := range map[string]struct {
		change func(*permanence.Permanence)
		same   bool
	}{
		"version":     {func(q *permanence.Permanence) { q.Version++ }, true},
		"sequence":    {func(q *permanence.Permanence) { q.Sequence++ }, true},
		"bounds":      {func(q *permanence.Permanence) { q.From, q.Until = time.Unix(1, 0), time.Unix(2, 0) }, true},
		"times":       {func(q *permanence.Permanence) { q.Added, q.Modified = time.Unix(1, 0), time.Unix(2, 0) }, true},
		"empty list":  {func(q *permanence.Permanence) { q.Except = []time.Time{} }, true},
		"end":         {func(q *permanence.Permanence) { q.End = q.End.Add(time.Second) }, false},
		"user":        {func(q *permanence.Permanence) { q.User++ }, false},
		"exceptions":  {func(q *permanence.Permanence) { q.Except = []time.Time{p.Start} }, false},
		"rule":        {func(q *permanence.Permanence) { q.Rule = "FREQ=DAILY" }, false},
		"bookability": {func(q *permanence.Permanence) { q.Bookable = !q.Bookable }, false},
	} {
		q := p
		if c.change(&q); p.Same(q) != c.same {
			t.Errorf("another %s: the same %t", name, !c.same)
		}
	}
}
