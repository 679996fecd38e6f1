package agreement

import (
	"errors"
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the zones of the tests, whatever the machine has

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

func TestEveryStatusButTheFinalOnesHasAWayOut(t *testing.T) {
	final := []Status{Completed, Withdrawn, Failed, Cancelled}
	for _, s := range Transitions().Statuses() {
		if Transitions().Final(s) != slices.Contains(final, s) {
			t.Errorf("%s is final: %v", s, Transitions().Final(s))
		}
	}
}

func zone(t interface{ Fatal(...any) }, name string) *time.Location {
	found, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// consumers are the buyers who may withdraw; 3 buys as a company.
var consumers = []customer.ID{1, 2}

// attempt does what an agent may try, whatever the status is.
func attempt(t *rapid.T, by string, a Agreement, m Moment) (Agreement, error) {
	recent := func(name string) calendar.Day {
		return m.Today() - calendar.Day(rapid.IntRange(-1, 40).Draw(t, name))
	}
	switch by {
	case Sign:
		return a.Sign(min(recent("signed"), m.Today()), "M-1", m)
	case Notify:
		return a.Notify([]Notification{{Customer: customer.ID(rapid.IntRange(1, 3).Draw(t, "buyer")), Date: recent("notified"), Method: "LRAR"}}, consumers, m)
	case Retract:
		return a.Retract(customer.ID(rapid.IntRange(1, 3).Draw(t, "buyer")), recent("sent"), consumers, m)
	case Lift, Fail:
		s := Settlement{Date: recent("settled"), Waived: rapid.Bool().Draw(t, "waived")}
		id := ConditionID(rapid.IntRange(1, 3).Draw(t, "condition"))
		if by == Fail {
			return a.Fail(id, s, m)
		}
		return a.Lift(id, s, m)
	case Notarise:
		return a.Notarise(recent("deed"), m)
	default:
		return a.Cancel("ACCORD", m)
	}
}

func TestWhateverIsTriedTheTableHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Moment{
			Now: time.Date(2026, 4, 1, 9, 0, 0, 0, time.UTC), Zone: zone(t, rapid.SampledFrom([]string{"Europe/Paris", "Indian/Reunion"}).Draw(t, "zone")),
			Region: rapid.SampledFrom(calendar.Regions()).Draw(t, "region"),
		}
		a := Agreement{
			Status: Draft, Buyers: []customer.ID{1, 2, 3}, Sellers: []customer.ID{9}, Price: 250_000_00,
			MayWithdraw: rapid.IntRange(0, 3).Draw(t, "may withdraw") > 0,
		}
		for n := range rapid.IntRange(0, 2).Draw(t, "conditions") {
			a.Conditions = append(a.Conditions, Condition{ID: ConditionID(n + 1), Type: "URBANISME", Status: ConditionWaits})
		}
		tries := []string{Sign, Sign, Notify, Notify, Notify, Retract, Lift, Lift, Fail, Notarise, Notarise, Cancel}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			m.Now = m.Now.Add(time.Duration(rapid.IntRange(0, 200).Draw(t, "later")) * time.Hour)
			before := a.At(m.Now, m.Zone)
			if before.Status != a.Status && !Transitions().Leads(a.Status, transition.Clock, before.Status) {
				t.Fatalf("the clock leads from %s to %s", a.Status, before.Status)
			}
			if !before.At(m.Now, m.Zone).Same(before) {
				t.Fatalf("the clock changes %+v twice", a)
			}
			by := rapid.SampledFrom(tries).Draw(t, "by")
			untouched := before.Clone()
			after, err := attempt(t, by, before, m)
			if !before.Same(untouched) {
				t.Fatalf("%s changed what it was given", by)
			}
			switch {
			case !Transitions().Allows(before.Status, by):
				if !errors.Is(err, fault.Conflict) || fault.From(err).Code != fault.CodeInvalidTransition {
					t.Fatalf("%s in %s: %v", by, before.Status, err)
				}
			case err == nil && !Transitions().Leads(before.Status, by, after.Status):
				t.Fatalf("%s leads from %s to %s", by, before.Status, after.Status)
			case err == nil:
				check(t, after, m)
				a = after
			}
		}
	})
}

// check demands what is true of every agreement that somebody just changed.
func check(t *rapid.T, a Agreement, m Moment) {
	signed := a.Status != Draft && a.Status != Cancelled
	switch {
	case signed && a.Date == 0, a.Date > m.Today():
		t.Fatalf("%s was signed on %q", a.Status, a.Date)
	case a.Status == Waiting && !a.Waits(), a.Status == Cleared && a.Waits():
		t.Fatalf("%s with the conditions %+v", a.Status, a.Conditions)
	case (a.Status == Completed) != (a.Deed != 0), a.Deed != 0 && (a.Deed < a.Date || a.Deed <= a.WithdrawalEnd):
		t.Fatalf("%s with a deed of %q, withdrawal until %q", a.Status, a.Deed, a.WithdrawalEnd)
	case a.WithdrawalEnd != 0 && !a.notified(consumers), a.Status == Withdrawal && a.WithdrawalEnd == 0:
		t.Fatalf("%s until %q, notified %+v", a.Status, a.WithdrawalEnd, a.Notifications)
	case !a.MayWithdraw && (len(a.Notifications) > 0 || a.Status == Signed || a.Status == Withdrawal || a.Status == Withdrawn):
		t.Fatalf("%s of buyers who may not withdraw", a.Status)
	}
	if (a.Status == Waiting || a.Status == Cleared) && a.MayWithdraw && m.Now.Before(a.WithdrawalEnd.End(m.Zone)) {
		t.Fatalf("%s while buyers may withdraw until %v", a.Status, a.WithdrawalEnd)
	}
	days := a.Deadlines()
	if !slices.IsSortedFunc(days, func(x, y Pending) int { return int(x.Date - y.Date) }) {
		t.Fatalf("the deadlines %+v are not in order", days)
	}
	if (a.Status == Completed || a.Status == Cancelled) && len(days) > 0 {
		t.Fatalf("%s has the deadlines %+v", a.Status, days)
	}
}

// Whoever has the right can use it until the end of the last day that the law
// gives them, and on no day after it.
func TestABuyerMayWithdrawUntilTheLastDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Moment{Zone: zone(t, "Europe/Paris"), Region: rapid.SampledFrom(calendar.Regions()).Draw(t, "region")}
		signed := calendar.Of(2026, 1, 1) + calendar.Day(rapid.IntRange(0, 700).Draw(t, "signed"))
		notified := signed + calendar.Day(rapid.IntRange(0, 30).Draw(t, "notified"))
		last := calendar.Withdrawal.From(notified, m.Region, 0).LastDay
		m.Now = notified.Start(m.Zone)
		a, err := Agreement{Status: Signed, MayWithdraw: true, Date: signed, Buyers: consumers[:1]}.Notify(
			[]Notification{{Customer: 1, Date: notified}}, consumers[:1], m)
		if err != nil || a.Status != Withdrawal || a.WithdrawalEnd != last {
			t.Fatalf("%s until %v, want %v: %v", a.Status, a.WithdrawalEnd, last, err)
		}
		m.Now = last.End(m.Zone).Add(-time.Nanosecond)
		if at := a.At(m.Now, m.Zone); at.Status != Withdrawal {
			t.Fatalf("on the last day it is %s", at.Status)
		}
		m.Now = m.Now.Add(30 * 24 * time.Hour)
		sent := signed + calendar.Day(rapid.IntRange(0, 60).Draw(t, "sent"))
		if sent > m.Today() {
			return
		}
		_, err = a.Retract(1, sent, consumers[:1], m)
		if late := sent > last; (err != nil) != late || late && fault.From(err).Code != fault.CodeRetractionExpired {
			t.Fatalf("sent on %v, with %v the last day: %v", sent, last, err)
		}
	})
}

func TestALoanConditionLastsAMonthAtLeast(t *testing.T) {
	day := func(text string) calendar.Day {
		d, err := calendar.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	m := Moment{Now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Zone: time.UTC, Region: calendar.France}
	for due, want := range map[string]fault.Code{"": fault.CodeRequired, "2026-02-27": fault.CodeConditionTooShort, "2026-02-28": "", "2026-06-01": ""} {
		c := Condition{ID: 1, Type: Loan, Status: ConditionWaits}
		if due != "" {
			c.Due = day(due)
		}
		a, err := Agreement{Status: Draft, MayWithdraw: true, Sellers: []customer.ID{9}, Conditions: []Condition{c}}.Sign(day("2026-01-31"), "M-1", m)
		if want == "" && (err != nil || a.Status != Signed) || want != "" && (err == nil || fault.From(err).Code != want || fault.From(err).Details[0].Field != "conditions[0].due_date") {
			t.Errorf("a loan until %q: %s, %v", due, a.Status, err)
		}
	}
	if _, err := (Agreement{Status: Draft}).Sign(day("2026-01-31"), "", m); err == nil || fault.From(err).Details[0].Field != "sellers" {
		t.Errorf("without sellers: %v", err)
	}
}

func TestWarningsSayWhatShouldBeMended(t *testing.T) {
	a := Agreement{
		Status: Signed, MayWithdraw: true, Deposit: Deposit{Amount: 1_000_00, Holder: AnotherHolds, Received: 10},
		Conditions: []Condition{{ID: 1, Status: ConditionWaits, Due: 20}},
	}
	want := []string{"mandate_missing", "deposit_before_retraction", "condition_overdue", "notary_missing", "dpe_missing"}
	if got := a.Warnings(Property{Dwelling: true}, 21); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	a.Mandate, a.SellerNotary, a.BuyerNotary, a.WithdrawalEnd = "M-1", 5, 6, 9
	if got := a.Warnings(Property{Dwelling: true, Labelled: true}, 20); len(got) != 0 {
		t.Errorf("nothing is left to mend but %v", got)
	}
}

func TestADiagnosisThatIsVoidIsWarnedOf(t *testing.T) {
	day := func(text string) calendar.Day {
		d, err := calendar.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		made, signed, today string
		want                bool
	}{
		{"2021-06-30", "", "2026-05-04", true}, {"2021-07-01", "", "2026-05-04", false}, {"2021-07-01", "", "2031-07-02", true}, {"2021-07-01", "2031-07-01", "2032-01-01", false},
		{"", "", "2026-05-04", false},
	} {
		a := Agreement{Status: Draft}
		if c.signed != "" {
			a.Date = day(c.signed)
		}
		got := slices.Contains(a.Warnings(Property{Dwelling: true, Labelled: true, Diagnosed: c.made}, day(c.today)), "dpe_void")
		if got != c.want || slices.Contains(a.Warnings(Property{Labelled: true, Diagnosed: c.made}, day(c.today)), "dpe_void") {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

func TestCommissionsAreSharesOfTheFeesWithoutVAT(t *testing.T) {
	a := Agreement{
		Price: 200_000_00, Fees: money.Fees{Amount: 12_000_00, Payer: money.SellerPays, VATRate: 20},
		Commissions: []Commission{{Percent: 33_33}, {Percent: 33_33}, {Percent: 33_34}},
	}
	if got := a.Shares(); !slices.Equal(got, []money.Amount{3_333_00, 3_333_00, 3_334_00}) {
		t.Errorf("the shares are %v", got)
	}
	a.Fees = money.Fees{}
	if got := a.Shares(); got != nil {
		t.Errorf("shares of unknown fees are %v", got)
	}
}
