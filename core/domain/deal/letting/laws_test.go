package letting

import (
	"errors"
	"testing"
	"time"
	_ "time/tzdata" // the zones of the tests, whatever the machine has

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

func TestEveryStatusButTheFinalOnesHasAWayOut(t *testing.T) {
	for _, s := range Transitions().Statuses() {
		if want := s == Ended || s == Cancelled; Transitions().Final(s) != want {
			t.Errorf("%s is final: %v", s, !want)
		}
	}
}

func paris(t interface{ Fatal(...any) }) *time.Location {
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// anyLease is a draft of any type, with a duration that the law admits.
func anyLease(t *rapid.T) Lease {
	l := Lease{
		Status: Draft, Type: rapid.SampledFrom(Types()).Draw(t, "type"), Rent: 800_00, ByCompany: rapid.Bool().Draw(t, "company"),
		Start: calendar.Of(2020, 1, 1) + calendar.Day(rapid.IntRange(0, 2000).Draw(t, "start")),
	}
	switch k := l.Type.kind(); {
	case k.hasDuration():
		most := k.most
		if most == 0 {
			most = k.least + 40
		}
		l.Months = rapid.IntRange(k.least, most).Draw(t, "months")
	case k.days > 0 || rapid.Bool().Draw(t, "ends"):
		l.Last = l.Start + calendar.Day(rapid.IntRange(0, 89).Draw(t, "days"))
	}
	return l
}

func TestWhateverIsTriedTheTableHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLease(t)
		m := Moment{Now: (l.Start - 30).Start(paris(t)), Zone: paris(t)}
		l.Indexation = Indexation{IRL, Quarter(2019 * 4)}
		deposit := money.Amount(800_00)
		l.Deposit = &deposit
		for range rapid.IntRange(1, 15).Draw(t, "steps") {
			m.Now = m.Now.Add(time.Duration(rapid.IntRange(0, 300).Draw(t, "later")) * 24 * time.Hour)
			before := l.At(m.Now, m.Zone)
			if before.Status != l.Status && !Transitions().Leads(l.Status, transition.Clock, before.Status) {
				t.Fatalf("the clock leads from %s to %s", l.Status, before.Status)
			}
			if !before.At(m.Now, m.Zone).Same(before) {
				t.Fatalf("the clock changes %+v twice", l)
			}
			recent := m.Today() - calendar.Day(rapid.IntRange(0, 60).Draw(t, "days ago"))
			by := rapid.SampledFrom([]string{Sign, Sign, GiveNotice, CancelNotice, Revise, Revise, End, Cancel}).Draw(t, "by")
			after, err := before, error(nil)
			switch by {
			case Sign:
				after, err = before.Sign(recent, m)
			case GiveNotice:
				n := Notice{By: rapid.SampledFrom([]Side{Tenant, Landlord}).Draw(t, "side"), Received: recent}
				if n.By == Landlord {
					n.Reason = "VENTE"
				}
				after, err = before.GiveNotice(n, m)
			case CancelNotice:
				after, err = before.CancelNotice(m)
			case Revise:
				after, err = before.Revise(Revised{Asked: recent, Value: rising}, m)
			case End:
				after, err = before.End(recent, rapid.Bool().Draw(t, "as it was"), m)
			case Cancel:
				after, err = before.Cancel("ACCORD", m)
			}
			switch {
			case !Transitions().Allows(before.Status, by):
				if !errors.Is(err, fault.Conflict) || fault.From(err).Code != fault.CodeInvalidTransition {
					t.Fatalf("%s in %s: %v", by, before.Status, err)
				}
			case err == nil && !Transitions().Leads(before.Status, by, after.Status):
				t.Fatalf("%s leads from %s to %s", by, before.Status, after.Status)
			case err == nil:
				check(t, after)
				l = after
			}
		}
	})
}

// rising is an index that grows by 1 a quarter.
func rising(_ Index, q Quarter) (float64, bool) { return 100 + float64(q-Quarter(2019*4)), true }

// check demands what is true of every lease that somebody just changed.
func check(t *rapid.T, l Lease) {
	switch {
	case (l.Status == Noticed) != (l.Notice.By != "") && l.Status != Ended:
		t.Fatalf("%s with the notice %+v", l.Status, l.Notice)
	case (l.Status == Ended) != (l.EndedOn != 0):
		t.Fatalf("%s, ended on %q", l.Status, l.EndedOn)
	case l.Notice.By != "" && l.Notice.Ends < l.Notice.Received:
		t.Fatalf("a notice of %v ends on %v", l.Notice.Received, l.Notice.Ends)
	case l.EndedOn != 0 && l.EndedOn < l.Start:
		t.Fatalf("it began on %v and ended on %v", l.Start, l.EndedOn)
	}
}

func TestATermContainsItsDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLease(t)
		k := l.Type.kind()
		if k.end != renews {
			return
		}
		day := l.Start + calendar.Day(rapid.IntRange(0, 20_000).Draw(t, "day"))
		term := l.Term(day)
		if term < day {
			t.Fatalf("the term of %v ends on %v", day, term)
		}
		// It is one of the chain of terms that follow each other without a gap.
		last := calendar.Term.From(l.Start, calendar.France, l.Months).LastDay
		for last < day {
			last = calendar.Term.From(last+1, calendar.France, l.renewal()).LastDay
		}
		if last != term {
			t.Fatalf("the term of %v ends on %v, want %v", day, term, last)
		}
	})
}

func TestALandlordIsTooLateAfterTheLastDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLease(t)
		l.Type, l.Status = rapid.SampledFrom([]Type{Unfurnished, Furnished, Professional}).Draw(t, "type"), Running
		l.Months = max(l.Months, l.Type.kind().least)
		received := l.Start + calendar.Day(rapid.IntRange(0, 4000).Draw(t, "received"))
		m := Moment{Now: received.Start(time.UTC), Zone: time.UTC}
		after, err := l.GiveNotice(Notice{By: Landlord, Received: received, Reason: "VENTE"}, m)
		term, months := l.Term(received), l.Type.kind().landlord
		if late := received.AddMonths(months) > term; (err != nil) != late || late && fault.From(err).Code != fault.CodeNoticeTooLate {
			t.Fatalf("a notice of %d months on %v for %v: %v", months, received, term, err)
		} else if !late && after.Notice.Ends != term {
			t.Fatalf("it ends on %v, not on %v", after.Notice.Ends, term)
		}
	})
}

func TestTheRentFollowsItsIndexOnceAYear(t *testing.T) {
	start := calendar.Of(2020, 3, 15)
	l := Lease{Type: Unfurnished, Status: Running, Start: start, Months: 36, Rent: 1_000_00, Indexation: Indexation{IRL, Quarter(2019*4 + 3)}}
	revise := func(l Lease, asked calendar.Day, letter string) (Lease, fault.Code) {
		m := Moment{Now: asked.Start(time.UTC), Zone: time.UTC}
		after, err := l.Revise(Revised{Asked: asked, EnergyLetter: letter, Value: rising}, m)
		if err != nil {
			return l, fault.From(err).Code
		}
		return after, ""
	}
	for asked, want := range map[calendar.Day]fault.Code{start: fault.CodeRevisionTooEarly, start.AddMonths(12) - 1: fault.CodeRevisionTooEarly, start.AddMonths(12): ""} {
		if _, code := revise(l, asked, "C"); code != want {
			t.Errorf("asked on %v: %s", asked, code)
		}
	}
	sealed := l
	sealed.Date = calendar.Of(2022, 8, 24) // the law holds for it, whatever else it says
	if _, code := revise(sealed, start.AddMonths(12), "F"); code != fault.CodeRevisionFrozen {
		t.Errorf("with the letter F: %s", code)
	}
	// Two years were let go: the quarter is that of the reference, two years on.
	once, code := revise(l, start.AddMonths(24)+100, "C")
	if code != "" || once.Indexation.Quarter.String() != "2021-T4" || once.Rent != money.Revised(1_000_00, 111, 103) {
		t.Errorf("%s, %s, %d", code, once.Indexation.Quarter, once.Rent)
	}
	if _, code := revise(once, start.AddMonths(36)-1, "C"); code != fault.CodeAlreadyRevised {
		t.Errorf("twice in a year: %s", code)
	}
	if twice, code := revise(once, start.AddMonths(36), "C"); code != "" || twice.Indexation.Quarter.String() != "2022-T4" {
		t.Errorf("a year later: %s, %s", code, twice.Indexation.Quarter)
	}
	l.Indexation = Indexation{}
	if _, code := revise(l, start.AddMonths(12), "C"); code != fault.CodeNoIndexation {
		t.Errorf("without an index: %s", code)
	}
}

func TestACommercialLeaseEndsAfterThreeYears(t *testing.T) {
	start := calendar.Of(2020, 4, 1)
	l := Lease{Type: Commercial, Status: Running, Start: start, Months: 108}
	for received, want := range map[string]string{"2022-09-30": "2023-03-31", "2022-10-01": "2026-03-31", "2020-05-01": "2023-03-31"} {
		day, err := calendar.Parse(received)
		if err != nil {
			t.Fatal(err)
		}
		after, err := l.GiveNotice(Notice{By: Tenant, Received: day}, Moment{Now: day.Start(time.UTC), Zone: time.UTC})
		if err != nil || after.Notice.Ends.String() != want {
			t.Errorf("notice of %s ends it on %v, want %s: %v", received, after.Notice.Ends, want, err)
		}
	}
	if l.Term(start.AddMonths(120)) != 0 {
		t.Error("after nine years it still has a term")
	}
}

func TestLeasesOfOneProductHaveNoDayInCommon(t *testing.T) {
	day := func(n int) calendar.Day { return calendar.Of(2026, 1, n) }
	let := func(from, to int, room string) Lease {
		return Lease{Type: CivilCode, Start: day(from), Last: day(to), Room: room}
	}
	for _, c := range []struct {
		a, b Lease
		want bool
	}{
		{let(1, 10, ""), let(10, 20, ""), true},
		{let(1, 10, ""), let(11, 20, ""), false},
		{let(1, 10, "Chambre 1"), let(5, 20, "chambre 2"), false},
		{let(1, 10, "Chambre 1"), let(5, 20, "CHAMBRE 1"), true},
		{let(1, 10, "Chambre 1"), let(5, 20, ""), true},
		{Lease{Type: CivilCode, Start: day(1)}, let(25, 28, ""), true},
		{Lease{Type: Unfurnished, Months: 36, Start: day(1)}, Lease{Type: CivilCode, Start: day(1).AddMonths(120)}, true},
		{Lease{Type: Unfurnished, Months: 36, Start: day(1), Notice: Notice{By: Tenant, Ends: day(9)}}, let(10, 28, ""), false},
	} {
		if c.a.Overlaps(c.b) != c.want || c.b.Overlaps(c.a) != c.want {
			t.Errorf("%+v and %+v overlap: %v", c.a, c.b, !c.want)
		}
	}
}

func TestAQuarterIsReadAsItIsWritten(t *testing.T) {
	for _, text := range []string{"2025-T1", "2025-T4", "1999-T3"} {
		if q, err := ParseQuarter(text); err != nil || q.String() != text {
			t.Errorf("%s is read as %s, %v", text, q, err)
		}
	}
	for _, wrong := range []string{"", "2025-T5", "2025-T0", "2025T1", "25-T1"} {
		if q, err := ParseQuarter(wrong); err == nil {
			t.Errorf("%q is read as %s", wrong, q)
		}
	}
}

func TestANoticeMakesNoLeaseLonger(t *testing.T) {
	start := calendar.Of(2026, 1, 1)
	term := calendar.Of(2026, 9, 30)
	for _, l := range []Lease{{Type: Student, Months: 9}, {Type: CivilCode, Last: term}, {Type: Parking, Last: term}, {Type: Mobility, Months: 9}} {
		l.Start, l.Status = start, Running
		for received, want := range map[calendar.Day]calendar.Day{
			calendar.Of(2026, 3, 10): calendar.Of(2026, 4, 10), calendar.Of(2026, 8, 30): term, calendar.Of(2026, 9, 15): term, term: term,
		} {
			after, err := l.GiveNotice(Notice{By: Tenant, Received: received}, Moment{Now: received.Start(time.UTC), Zone: time.UTC})
			if err != nil || after.Notice.Ends != want {
				t.Errorf("%s, notice of %s: until %s, %v", l.Type, received, after.Notice.Ends, err)
			}
		}
	}
}
