package transition_test

import (
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the zones of the tests, whatever the machine has

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// followed is a record of any kind, as the clock sees it.
type followed struct {
	what   any
	status string
	ahead  []transition.Phase
	at     func(time.Time) string
	// leads reports whether the clock may lead from one status to another.
	leads func(from, to string) bool
}

func leads[S ~string](t transition.Table[S]) func(from, to string) bool {
	return func(from, to string) bool { return t.Leads(S(from), transition.Clock, S(to)) }
}

// zones are some with the odd habits that zones have: midnights that do not exist
// or come twice, half hours, and days that were skipped.
var zones = []string{
	"UTC", "Europe/Paris", "Indian/Reunion", "America/Martinique", "America/Havana", "Africa/Cairo", "Asia/Beirut", "Australia/Lord_Howe",
	"America/St_Johns", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Niue",
}

func anyDay(t *rapid.T, name string) calendar.Day {
	return calendar.Of(2026, 1, 1) + calendar.Day(rapid.IntRange(0, 900).Draw(t, name))
}

func anyRecord(t *rapid.T, zone *time.Location) followed {
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		o := offer.Offer{Status: rapid.SampledFrom(offer.Transitions().Statuses()).Draw(t, "status")}
		if rapid.Bool().Draw(t, "expires") {
			o.Expires = anyDay(t, "expiry").End(zone).Add(time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "later")))
		}
		return followed{o, string(o.Status), o.Foresee().Ahead, func(now time.Time) string { return string(o.At(now).Status) }, leads(offer.Transitions())}
	case 1:
		a := agreement.Agreement{Status: rapid.SampledFrom(agreement.Transitions().Statuses()).Draw(t, "status"), WithdrawalEnd: anyDay(t, "withdrawal")}
		if rapid.Bool().Draw(t, "waits") {
			a.Conditions = []agreement.Condition{{ID: 1, Status: agreement.ConditionWaits}}
		}
		return followed{
			a, string(a.Status), a.Foresee(zone).Ahead, func(now time.Time) string { return string(a.At(now, zone).Status) }, leads(agreement.Transitions()),
		}
	}
	l := letting.Lease{
		Status: rapid.SampledFrom(letting.Transitions().Statuses()).Draw(t, "status"), Type: rapid.SampledFrom(letting.Types()).Draw(t, "type"),
		Start: anyDay(t, "start"), Months: rapid.IntRange(1, 120).Draw(t, "months"),
	}
	if rapid.Bool().Draw(t, "has a last day") {
		l.Last = l.Start + calendar.Day(rapid.IntRange(0, 300).Draw(t, "days"))
	}
	if l.Status == letting.Noticed {
		l.Notice = letting.Notice{By: letting.Tenant, Ends: l.Start + calendar.Day(rapid.IntRange(0, 500).Draw(t, "notice"))}
	}
	if l.Status == letting.Ended {
		l.EndedOn = l.Start
	}
	return followed{
		l, string(l.Status), l.Foresee(zone).Ahead, func(now time.Time) string { return string(l.At(now, zone).Status) }, leads(letting.Transitions()),
	}
}

// What is stored tells at any moment what the record itself would: searches ask the
// one, and readers the other.
func TestWhatIsAheadIsWhatTheClockMakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		r := anyRecord(t, zone)
		if len(r.ahead) > 2 || !slices.IsSortedFunc(r.ahead, func(p, q transition.Phase) int { return p.From.Compare(q.From) }) {
			t.Fatalf("%+v has ahead %v", r.what, r.ahead)
		}
		moments := []time.Time{{}, anyDay(t, "moment").Start(zone), calendar.Of(2040, 1, 1).Start(zone)}
		status := r.status
		for _, p := range r.ahead {
			if !r.leads(status, p.Status) || p.From.Location() != time.UTC {
				t.Fatalf("the clock leads from %s to %+v", status, p)
			}
			status = p.Status
			moments = append(moments, p.From.Add(-time.Nanosecond), p.From, p.From.Add(time.Nanosecond), p.From.In(zone))
		}
		for _, now := range moments {
			if told, is := transition.StatusAt(r.status, r.ahead, now), r.at(now); told != is {
				t.Fatalf("at %v %+v is %s, and told to be %s by %v", now, r.what, is, told, r.ahead)
			}
		}
	})
}

func TestPhasesAreTheSameAtTheSameMoment(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := transition.Phase{Status: "a", From: at}
	for _, q := range []transition.Phase{{Status: "b", From: at}, {Status: "a", From: at.Add(1)}, {}} {
		if p.Equal(q) || q.Equal(p) {
			t.Errorf("%v is %v", p, q)
		}
	}
	if !p.Equal(transition.Phase{Status: "a", From: at.In(time.FixedZone("east", 3600))}) {
		t.Error("a phase is another one elsewhere")
	}
}
