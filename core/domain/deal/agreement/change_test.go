package agreement

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

func rules() Rules {
	return Rules{Moment: Moment{Now: time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC), Zone: time.UTC, Region: calendar.France}, VATRate: 20}
}

// described is a request that makes an agreement.
func described() Change {
	return Change{Type: opt.Of("COMPROMIS"), Buyers: opt.Of([]int64{1}), Price: opt.Of(250_000.0)}
}

func TestAnAgreementIsLikeItsOffer(t *testing.T) {
	like := Agreement{
		Offer: 3, Product: 5, Agency: 11, User: 7, Buyers: []customer.ID{1, 2}, Sellers: []customer.ID{9}, Price: 240_000_00,
		Fees: money.Fees{Amount: 10_000_00, Payer: money.BuyerPays, VATRate: 20}, MayWithdraw: true,
	}
	var problems fault.Problems
	a := rules().Create(Change{Type: opt.Of("PROMESSE")}, like, &problems)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	like.Status, like.Type = Draft, Promesse
	if !a.Same(like) {
		t.Errorf("%+v, want %+v", a, like)
	}
	a = rules().Create(Change{Type: opt.Of("COMPROMIS"), Price: opt.Of(230_000.0), RetractionApplies: opt.Of(false)}, like, &problems)
	if a.Price != 230_000_00 || a.MayWithdraw || a.Fees != like.Fees {
		t.Errorf("%+v", a)
	}
}

func TestWhatIsWrongWithAnAgreementIsNamed(t *testing.T) {
	number := opt.Of[float64]
	share := func(percent float64) CommissionInput {
		return CommissionInput{Role: opt.Of("ENTREE"), Percent: number(percent), PartyName: opt.Of("Moi")}
	}
	for _, c := range []struct {
		name   string
		change func(*Change)
		field  string
		code   fault.Code
	}{
		{"no type", func(c *Change) { c.Type = opt.Field[string]{} }, "type", fault.CodeRequired},
		{"an unknown type", func(c *Change) { c.Type = opt.Of("BAIL") }, "type", fault.CodeCriteriaValueUnknown},
		{"no buyers", func(c *Change) { c.Buyers = opt.Field[[]int64]{} }, "buyers", fault.CodeRequired},
		{"no price", func(c *Change) { c.Price = opt.Field[float64]{} }, "price", fault.CodeRequired},
		{"a price of nothing", func(c *Change) { c.Price = number(0) }, "price", fault.CodeOutOfRange},
		{"a seller who buys", func(c *Change) { c.Sellers = opt.Of([]int64{1}) }, "sellers[0]", fault.CodePartyOnBothSides},
		{"a deposit that nobody holds", func(c *Change) { c.Deposit = opt.Of(DepositInput{Amount: number(1)}) }, "deposit.holder", fault.CodeRequired},
		{"a deposit of nothing", func(c *Change) { c.Deposit = opt.Of(DepositInput{Holder: opt.Of("NOTAIRE")}) }, "deposit.amount", fault.CodeRequired},
		{"a deposit to come", func(c *Change) {
			c.Deposit = opt.Of(DepositInput{Amount: number(1), Holder: opt.Of("NOTAIRE"), ReceivedOn: opt.Of("2026-05-05")})
		}, "deposit.received_on", fault.CodeOutOfRange},
		{"a condition of no type", func(c *Change) { c.Conditions = opt.Of([]SaleConditionInput{{}}) }, "conditions[0].type", fault.CodeRequired},
		{"a condition that is not there", func(c *Change) { c.Conditions = opt.Of([]SaleConditionInput{{ID: opt.Of[int64](1)}}) }, "conditions[0].id", fault.CodeOutOfRange},
		{"a commission of nobody", func(c *Change) {
			nobody := share(50)
			nobody.PartyName = opt.Field[string]{}
			c.Commissions = opt.Of([]CommissionInput{nobody})
		}, "commissions[0].agency_id", fault.CodeExactlyOneOf},
		{"a commission of two", func(c *Change) {
			two := share(50)
			two.UserID = opt.Of[int64](7)
			c.Commissions = opt.Of([]CommissionInput{two})
		}, "commissions[0].agency_id", fault.CodeExactlyOneOf},
		{"a commission of nothing", func(c *Change) { c.Commissions = opt.Of([]CommissionInput{share(0)}) }, "commissions[0].percent", fault.CodeOutOfRange},
		{"a commission with three decimals", func(c *Change) { c.Commissions = opt.Of([]CommissionInput{share(33.333)}) }, "commissions[0].percent", fault.CodeOutOfRange},
		{"commissions above the whole", func(c *Change) { c.Commissions = opt.Of([]CommissionInput{share(60), share(40.01)}) }, "commissions", fault.CodeOutOfRange},
	} {
		change := described()
		c.change(&change)
		var problems fault.Problems
		rules().Create(change, Agreement{}, &problems)
		if known := fault.From(problems.Err()); problems.Empty() || known.Details[0].Field != c.field || known.Details[0].Code != c.code {
			t.Errorf("%s is refused with %v, want %s of %s", c.name, problems.Err(), c.code, c.field)
		}
	}
}

func TestConditionsAreWrittenLikeRooms(t *testing.T) {
	var problems fault.Problems
	change := described()
	change.Conditions = opt.Of([]SaleConditionInput{{Type: opt.Of("PRET")}, {Type: opt.Of("URBANISME"), Label: opt.Of("permis")}})
	a := rules().Create(change, Agreement{}, &problems)
	update := func(in ...SaleConditionInput) (after Agreement) {
		after, err := rules().Update(a, Change{Conditions: opt.Of(in)})
		if err != nil {
			t.Error(err)
		}
		return after
	}
	ids := func(a Agreement) (ids []ConditionID) {
		for _, c := range a.Conditions {
			ids = append(ids, c.ID)
		}
		return ids
	}
	if !slices.Equal(ids(a), []ConditionID{1, 2}) || a.Conditions[1].Status != ConditionWaits {
		t.Fatalf("%+v, %v", a.Conditions, problems.Err())
	}
	a = update(SaleConditionInput{ID: opt.Of[int64](2), Delete: opt.Of(true)}, SaleConditionInput{ID: opt.Of[int64](1), DueDate: opt.Of("2026-09-01")})
	if !slices.Equal(ids(a), []ConditionID{1}) || a.Conditions[0].Due.String() != "2026-09-01" || a.Conditions[0].Type != Loan {
		t.Fatalf("%+v", a.Conditions)
	}
	if a = update(SaleConditionInput{Type: opt.Of("AUTRE")}); !slices.Equal(ids(a), []ConditionID{1, 3}) {
		t.Errorf("an id is used again: %+v", a.Conditions)
	}
	twice := Change{Conditions: opt.Of([]SaleConditionInput{{ID: opt.Of[int64](1)}, {ID: opt.Of[int64](1)}})}
	if _, err := rules().Update(a, twice); err == nil || fault.From(err).Details[0].Field != "conditions[1].id" {
		t.Errorf("one condition twice: %v", err)
	}
}

func TestAStatusSaysWhatMayChange(t *testing.T) {
	base := Agreement{
		Type: Compromis, Product: 5, Offer: 3, Agency: 11, Buyers: []customer.ID{1}, Sellers: []customer.ID{9}, Price: 1_000_00, MayWithdraw: true,
		Date: calendar.Of(2026, 1, 5), WithdrawalEnd: calendar.Of(2026, 1, 20), LastCondition: 1,
		Conditions: []Condition{{ID: 1, Type: Loan, Status: ConditionWaits, Due: calendar.Of(2026, 6, 1)}},
	}
	condition := func(in SaleConditionInput) Change {
		in.ID = opt.Of[int64](1)
		return Change{Conditions: opt.Of([]SaleConditionInput{in})}
	}
	changes := map[string]Change{
		"price":         {Price: opt.Of(900.0)},
		"buyers":        {Buyers: opt.Of([]int64{2})},
		"type":          {Type: opt.Of("PROMESSE")},
		"user_id":       {UserID: opt.Of[int64](8)},
		"notary":        {SellerNotaryID: opt.Of[int64](8)},
		"deposit":       {Deposit: opt.Of(DepositInput{Amount: opt.Of(1.0), Holder: opt.Of("NOTAIRE")})},
		"commissions":   {Commissions: opt.Of([]CommissionInput{{Role: opt.Of("ENTREE"), Percent: opt.Of(1.0), UserID: opt.Of[int64](7)}})},
		"deed":          {DateDeedExpected: opt.Of("2026-09-01")},
		"due":           condition(SaleConditionInput{DueDate: opt.Of("2026-07-01")}),
		"label":         condition(SaleConditionInput{Label: opt.Of("…")}),
		"one condition": {Conditions: opt.Of([]SaleConditionInput{{Type: opt.Of("AUTRE")}})},
		"comment":       {Comment: opt.Of("…")},
		"product_id":    {ProductID: opt.Of[int64](6)},
		"sale_offer_id": {SaleOfferID: opt.Of[int64](4)},
	}
	never := []string{"product_id", "sale_offer_id"}
	live := []string{"user_id", "notary", "deposit", "commissions", "deed", "due", "comment"}
	for _, s := range Transitions().Statuses() {
		a := base
		if a.Status = s; s == Signed || s == Withdrawal { // else the clock has been there
			a.WithdrawalEnd = calendar.Of(2027, 1, 1)
		}
		for field, change := range changes {
			want := !slices.Contains(never, field)
			switch {
			case s == Draft:
			case a.Live():
				want = slices.Contains(live, field)
			default:
				want = field == "user_id" || field == "comment"
			}
			after, err := rules().Update(a, change)
			if (err == nil) != want || err == nil && after.Same(a) || err != nil && fault.From(err).Code != fault.CodeInvalidTransition {
				t.Errorf("%s of %s: %v", field, s, err)
			}
		}
		if _, err := rules().Update(a, condition(SaleConditionInput{DueDate: opt.Of("2026-02-04")})); a.Live() && (err == nil || fault.From(err).Code != fault.CodeConditionTooShort) {
			t.Errorf("a loan of less than a month of %s: %v", s, err)
		}
	}
}

func TestBuyersOfADwellingMayWithdraw(t *testing.T) {
	person, company := customer.Customer{ID: 1}, customer.Customer{ID: 2}
	company.Company = "SARL Achat"
	for _, c := range []struct {
		kind   string
		buyers []customer.Customer
		want   bool
	}{
		{"Appartement", []customer.Customer{person}, true},
		{"Appartement", []customer.Customer{company}, false},
		{"Maison", []customer.Customer{company, person}, true},
		{"Terrain", []customer.Customer{person}, false},
		{"", []customer.Customer{person}, false},
	} {
		if got := MayWithdraw(c.kind, c.buyers); got != c.want {
			t.Errorf("%d buyers of %q may withdraw: %v", len(c.buyers), c.kind, got)
		}
	}
}
