package letting

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// rules are those of 4 May 2026, where customer 99 is a company, and IRL alone
// has values.
func rules() Rules {
	return Rules{
		Moment: Moment{Now: time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC), Zone: time.UTC}, VATRate: 20, FeeCaps: money.FrenchFeeCaps(),
		Value:     func(i Index, _ Quarter) (float64, bool) { return 100, i == IRL },
		IsCompany: func(id customer.ID) bool { return id == 99 },
	}
}

// described is a request that makes a lease of a type.
func described(typ Type) Change {
	c := Change{
		Type: opt.Of(string(typ)), Landlords: opt.Of([]int64{9}), Tenants: opt.Of([]int64{1}), DateStart: opt.Of("2026-06-01"), Rent: opt.Of(800.0),
	}
	switch k := typ.kind(); {
	case k.hasDuration():
		c.DurationMonths = opt.Of(k.least)
	case k.days > 0:
		c.DateEnd = opt.Of("2026-06-30")
	}
	return c
}

func TestALeaseOfEveryTypeCanBeMade(t *testing.T) {
	for _, typ := range Types() {
		var problems fault.Problems
		if l := rules().Create(described(typ), Lease{}, &problems); !problems.Empty() || l.Status != Draft {
			t.Errorf("%s: %v", typ, problems.Err())
		}
	}
}

func TestWhatTheLawDoesNotAdmitIsNamed(t *testing.T) {
	number := opt.Of[float64]
	for _, c := range []struct {
		name   string
		typ    Type
		change func(*Change)
		field  string
		code   fault.Code
	}{
		{"35 months", Unfurnished, func(c *Change) { c.DurationMonths = opt.Of(35) }, "duration_months", fault.CodeLeaseDuration},
		{"a year with a reason", Unfurnished, func(c *Change) { c.DurationMonths, c.ShortReason = opt.Of(12), opt.Of("retour") }, "", ""},
		{"less than a year with a reason", Unfurnished, func(c *Change) { c.DurationMonths, c.ShortReason = opt.Of(11), opt.Of("retour") }, "duration_months", fault.CodeLeaseDuration},
		{"three years from a company", Unfurnished, func(c *Change) { c.Landlords = opt.Of([]int64{99}) }, "duration_months", fault.CodeLeaseDuration},
		{"three years from a company of relatives", Unfurnished, func(c *Change) { c.Landlords, c.FamilyCompany = opt.Of([]int64{99}), opt.Of(true) }, "", ""},
		{"a year with a reason from a company", Unfurnished, func(c *Change) {
			c.Landlords, c.DurationMonths, c.ShortReason = opt.Of([]int64{99}), opt.Of(12), opt.Of("retour")
		}, "duration_months", fault.CodeLeaseDuration},
		{"ten months for a student", Student, func(c *Change) { c.DurationMonths = opt.Of(10) }, "duration_months", fault.CodeLeaseDuration},
		{"no duration", Furnished, func(c *Change) { c.DurationMonths = opt.Field[int]{} }, "duration_months", fault.CodeRequired},
		{"a last day beside a duration", Furnished, func(c *Change) { c.DateEnd = opt.Of("2027-06-01") }, "date_end", fault.CodeLeaseDuration},
		{"a season without end", Seasonal, func(c *Change) { c.DateEnd = opt.Field[string]{} }, "date_end", fault.CodeRequired},
		{"90 days", Seasonal, func(c *Change) { c.DateEnd = opt.Of("2026-08-29") }, "", ""},
		{"91 days", Seasonal, func(c *Change) { c.DateEnd = opt.Of("2026-08-30") }, "date_end", fault.CodeLeaseDuration},
		{"an end before the beginning", Parking, func(c *Change) { c.DateEnd = opt.Of("2026-05-31") }, "date_end", fault.CodeLeaseDuration},
		{"a parking space by the month", Parking, func(c *Change) { c.DurationMonths = opt.Of(3) }, "duration_months", fault.CodeLeaseDuration},
		{"a deposit of one rent", Unfurnished, func(c *Change) { c.Deposit = number(800) }, "", ""},
		{"a deposit above it", Unfurnished, func(c *Change) { c.Deposit = number(800.01) }, "deposit", fault.CodeDepositAboveCap},
		{"a deposit where there is none", Mobility, func(c *Change) { c.Deposit = number(1) }, "deposit", fault.CodeDepositAboveCap},
		{"a deposit of no matter how much", Commercial, func(c *Change) { c.Deposit = number(1e6) }, "", ""},
		{"charges by what they come to", Mobility, func(c *Change) { c.Charges, c.ChargesMode = number(50), opt.Of("PROVISION") }, "charges_mode", fault.CodeChargesModeRefused},
		{"charges without a mode", Furnished, func(c *Change) { c.Charges = number(50) }, "charges_mode", fault.CodeRequired},
		{"a supplement without a reason", Unfurnished, func(c *Change) { c.RentSupplement = number(50) }, "supplement_reason", fault.CodeRequired},
		{"a rent at the reference", Unfurnished, func(c *Change) {
			c.Control, c.Surface = opt.Of(ControlInput{ReferenceRentMax: number(20)}), number(40)
		}, "", ""},
		{"a rent above it", Unfurnished, func(c *Change) {
			c.Control, c.Surface = opt.Of(ControlInput{ReferenceRentMax: number(20)}), number(39.99)
		}, "rent", fault.CodeRentAboveReference},
		{"control without a surface", Unfurnished, func(c *Change) { c.Control = opt.Of(ControlInput{ReferenceRentMax: number(20)}) }, "surface", fault.CodeRequired},
		{"an index of shops for a dwelling", Furnished, func(c *Change) {
			c.Indexation = opt.Of(IndexationInput{opt.Of("ILC"), opt.Of("2025-T3")})
		}, "indexation.index", fault.CodeInvalidIndexation},
		{"an index without a value", Commercial, func(c *Change) {
			c.Indexation = opt.Of(IndexationInput{opt.Of("ILC"), opt.Of("2025-T3")})
		}, "indexation.quarter", fault.CodeUnknownIndexValue},
		{"a quarter that does not exist", Furnished, func(c *Change) {
			c.Indexation = opt.Of(IndexationInput{opt.Of("IRL"), opt.Of("2025-T5")})
		}, "indexation.quarter", fault.CodeInvalidFormat},
		{"fees of tenants at the cap", Unfurnished, func(c *Change) {
			c.FeesTenant, c.FeesLandlord, c.Surface, c.Zone = number(403.6), number(500), number(40), opt.Of("TENDUE")
		}, "", ""},
		{"fees of tenants above the cap", Unfurnished, func(c *Change) {
			c.FeesTenant, c.FeesLandlord, c.Surface, c.Zone = number(403.61), number(500), number(40), opt.Of("TENDUE")
		}, "fees_tenant", fault.CodeFeesAboveCap},
		{"fees of tenants above those of landlords", Unfurnished, func(c *Change) {
			c.InventoryTenant, c.InventoryLandlord, c.Surface, c.Zone = number(100), number(99), number(40), opt.Of("AUTRE")
		}, "fees_inventory_tenant", fault.CodeFeesAboveCap},
		{"fees of tenants without a zone", Unfurnished, func(c *Change) {
			c.FeesTenant, c.FeesLandlord, c.Surface = number(1), number(1), number(40)
		}, "zone", fault.CodeRequired},
		{"fees of tenants of a shop", Commercial, func(c *Change) { c.FeesTenant = number(1e5) }, "", ""},
		{"a tenant who lets", Parking, func(c *Change) { c.Tenants = opt.Of([]int64{9}) }, "tenants[0]", fault.CodePartyOnBothSides},
		{"nobody to let to", Parking, func(c *Change) { c.Tenants = opt.Field[[]int64]{} }, "tenants", fault.CodeRequired},
	} {
		change := described(c.typ)
		c.change(&change)
		var problems fault.Problems
		rules().Create(change, Lease{}, &problems)
		known := fault.From(problems.Err())
		switch {
		case c.field == "" && !problems.Empty():
			t.Errorf("%s: %v", c.name, problems.Err())
		case c.field != "" && (problems.Empty() || known.Details[0].Field != c.field || known.Details[0].Code != c.code):
			t.Errorf("%s is refused with %v, want %s of %s", c.name, problems.Err(), c.code, c.field)
		}
	}
}

func TestAStatusSaysWhatMayChange(t *testing.T) {
	var problems fault.Problems
	base := rules().Create(described(Unfurnished), Lease{}, &problems)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	base.Start, base.Product = calendar.Of(2026, 4, 1), 5
	changes := map[string]Change{
		"rent":            {Rent: opt.Of(810.0)},
		"tenants":         {Tenants: opt.Of([]int64{2})},
		"type":            {Type: opt.Of("MEUBLE")},
		"user_id":         {UserID: opt.Of[int64](8)},
		"charges":         {Charges: opt.Of(50.0), ChargesMode: opt.Of("FORFAIT")},
		"guarantors":      {Guarantors: opt.Of([]int64{3})},
		"entry_inventory": {EntryInventory: opt.Of("2026-04-01")},
		"exit_inventory":  {ExitInventory: opt.Of("2026-04-02")},
		"comment":         {Comment: opt.Of("…")},
		"product_id":      {ProductID: opt.Of[int64](6)},
	}
	binding := []string{"user_id", "charges", "guarantors", "entry_inventory", "exit_inventory", "comment"}
	for _, s := range Transitions().Statuses() {
		l := base
		l.Status = s
		if s == Signed { // it has not begun, or else the clock has been there
			l.Start = calendar.Of(2026, 6, 1)
		}
		for field, change := range changes {
			want := slices.Contains([]string{"comment", "exit_inventory"}, field)
			switch s {
			case Draft:
				want = field != "product_id"
			case Signed, Running, Noticed:
				want = slices.Contains(binding, field)
			case Ended, Cancelled:
			}
			after, err := rules().Update(l, change)
			if (err == nil) != want || err == nil && after.Same(l) || err != nil && fault.From(err).Code != fault.CodeInvalidTransition {
				t.Errorf("%s of %s: %v", field, s, err)
			}
		}
	}
}

func TestALeaseThatIsOverIsNotJudgedAgain(t *testing.T) {
	var problems fault.Problems
	l := rules().Create(described(Unfurnished), Lease{}, &problems)
	l.Indexation = Indexation{ILC, 2025 * 4}
	for s, judged := range map[Status]bool{Draft: true, Signed: true, Running: true, Noticed: true, Ended: false, Cancelled: false} {
		l.Status, l.Start = s, rules().Today()+1
		if s == Noticed {
			l.Notice = Notice{By: Tenant, Ends: l.Start + 100}
		}
		if _, err := rules().Update(l, Change{Comment: opt.Of("…")}); (err != nil) != judged {
			t.Errorf("%s with an index that the law does not admit: %v", s, err)
		}
	}
}

// TestTheRentOfAWastefulDwellingIsFrozenSinceTheLawSaysSo revises leases around the
// days on which the law began to hold, and around their renewals.
func TestTheRentOfAWastefulDwellingIsFrozenSinceTheLawSaysSo(t *testing.T) {
	day := func(text string) calendar.Day {
		d, err := calendar.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		typ           Type
		months        int
		signed, start string
		asked, letter string
		where         Territory
		want          bool
	}{
		{Unfurnished, 36, "2022-08-23", "2022-09-01", "2024-01-01", "G", Mainland, false},
		{Unfurnished, 36, "2022-08-24", "2022-09-01", "2024-01-01", "G", Mainland, true},
		{Unfurnished, 36, "2022-08-24", "2022-09-01", "2024-01-01", "F", Corsica, true},
		{Unfurnished, 36, "2022-08-24", "2022-09-01", "2024-01-01", "E", Mainland, false},
		{Unfurnished, 36, "2022-08-24", "2022-09-01", "2024-01-01", "G", Overseas, false},
		{Unfurnished, 36, "2024-06-30", "2024-07-01", "2026-01-01", "G", Overseas, false},
		{Unfurnished, 36, "2024-07-01", "2024-07-01", "2026-01-01", "G", Overseas, true},
		{Unfurnished, 36, "2020-01-01", "2020-01-01", "2022-12-31", "G", Mainland, false},
		{Unfurnished, 36, "2020-01-01", "2020-01-01", "2023-01-01", "G", Mainland, true}, // renewed
		{Unfurnished, 36, "2019-08-20", "2019-08-20", "2025-08-19", "G", Mainland, false},
		{Unfurnished, 36, "2019-08-20", "2019-08-20", "2025-08-20", "G", Mainland, true},
		{Furnished, 12, "2021-08-23", "2021-08-23", "2023-08-22", "G", Mainland, false}, // renewed the day before, and a year later
		{Furnished, 12, "2021-08-23", "2021-08-23", "2023-08-23", "G", Mainland, true},
		{Furnished, 12, "2021-07-01", "2021-07-01", "2024-06-30", "G", Overseas, false},
		{Furnished, 12, "2021-07-01", "2021-07-01", "2024-07-01", "G", Overseas, true},
		{Commercial, 108, "2023-01-01", "2023-01-01", "2025-01-01", "G", Mainland, false},
	} {
		l := Lease{Type: c.typ, Months: c.months, Date: day(c.signed), Start: day(c.start)}
		if got := l.frozen(Revised{Asked: day(c.asked), EnergyLetter: c.letter, Territory: c.where}); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

func TestWhereAHomeIsByItsPostalCode(t *testing.T) {
	for code, want := range map[string]Territory{
		"75001": Mainland, "2000": Mainland, "": Mainland, "20000": Corsica, "20600": Corsica, "97110": Overseas, "97200": Overseas, "97300": Overseas,
		"97400": Overseas, "97600": Overseas, "97500": Overseas, "97133": Overseas, "98800": Overseas,
	} {
		if got := TerritoryOf(code); got != want {
			t.Errorf("%q is in %s", code, got)
		}
	}
}

func TestADiagnosisThatIsVoidIsWarnedOf(t *testing.T) {
	today := calendar.Of(2026, 5, 4)
	for _, c := range []struct {
		made   string
		signed calendar.Day
		want   bool
	}{
		{"2021-06-30", 0, true}, {"2013-01-01", 0, true}, {"2021-07-01", 0, false}, {"2026-05-01", 0, false}, {"2021-07-01", calendar.Of(2031, 7, 1), false},
		{"2021-07-01", calendar.Of(2031, 7, 2), true}, {"", 0, false},
	} {
		l := Lease{Type: Unfurnished, Status: Draft, Date: c.signed}
		if got := slices.Contains(l.Warnings(Property{Dwelling: true, Letter: "C", Diagnosed: c.made}, today), "dpe_void"); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
		if l.Warnings(Property{Letter: "C", Diagnosed: c.made}, today) != nil {
			t.Error("land is warned of")
		}
	}
}
