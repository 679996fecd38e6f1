package offer

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

var (
	now   = time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	paris = time.FixedZone("CEST", 2*60*60)
)

func rules() Rules {
	return Rules{Dictionary: criteria.NewDictionary(nil, nil), Zone: paris, Now: now, VATRate: 20}
}

// described is a request that makes an offer.
func described() Change {
	return Change{Buyers: opt.Of([]int64{1, 2}), Amount: opt.Of(250_000.0)}
}

func TestAnOfferBeginsWithWhatTheProductGives(t *testing.T) {
	var problems fault.Problems
	o := rules().Create(described(), opt.Field[string]{}, Defaults{Product: 5, Agency: 11, User: 7, Owner: 9}, &problems)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if o.Status != Draft || o.Product != 5 || o.Agency != 11 || o.User != 7 || !slices.Equal(o.Sellers, []customer.ID{9}) || o.Date.String() != "2026-05-04" {
		t.Errorf("%+v", o)
	}
	c := described()
	c.ExpiresAt = opt.Of("2026-05-10")
	o = rules().Create(c, opt.Of("EN_COURS"), Defaults{}, &problems)
	if o.Status != Open || !o.Expires.Equal(time.Date(2026, 5, 10, 22, 0, 0, 0, time.UTC)) {
		t.Errorf("%s until %v: a day alone is its end", o.Status, o.Expires)
	}
}

func TestWhatIsWrongWithAnOfferIsNamed(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Change)
		status string
		field  string
		code   fault.Code
	}{
		{"no buyers", func(c *Change) { c.Buyers = opt.Field[[]int64]{} }, "", "buyers", fault.CodeRequired},
		{"an empty list of buyers", func(c *Change) { c.Buyers.Value = nil }, "", "buyers", fault.CodeRequired},
		{"a buyer twice", func(c *Change) { c.Buyers.Value = []int64{1, 1} }, "", "buyers[1]", fault.CodeAmbiguousField},
		{"eleven buyers", func(c *Change) { c.Buyers.Value = make([]int64, 11) }, "", "buyers", fault.CodeOutOfRange},
		{"a buyer who sells", func(c *Change) { c.Sellers = opt.Of([]int64{3, 2}) }, "", "sellers[1]", fault.CodePartyOnBothSides},
		{"no amount", func(c *Change) { c.Amount = opt.Field[float64]{} }, "", "amount", fault.CodeRequired},
		{"an amount of nothing", func(c *Change) { c.Amount = opt.Of(0.001) }, "", "amount", fault.CodeOutOfRange},
		{"fees above the price", func(c *Change) {
			c.FeesInput = money.FeesInput{Amount: opt.Of(250_000.01), Payer: opt.Of("VENDEUR")}
		}, "", "fees_amount", fault.CodeAmountsDisagree},
		{"a date to come", func(c *Change) { c.DateOffer = opt.Of("2026-05-05") }, "", "date_offer", fault.CodeOutOfRange},
		{"no date at all", func(c *Change) { c.DateOffer = opt.Of("soon") }, "", "date_offer", fault.CodeInvalidFormat},
		{"an end that is over", func(c *Change) { c.ExpiresAt = opt.Of("2026-05-03") }, "EN_COURS", "expires_at", fault.CodeOutOfRange},
		{"an unknown status", func(*Change) {}, "ACCEPTEE", "status", fault.CodeCriteriaValueUnknown},
		{"a loan and none", func(c *Change) {
			c.Financing = opt.Of(BuyersFinancing{LoanAmount: opt.Of(1.0), WithoutLoan: opt.Of(true)})
		}, "", "financing.without_loan", fault.CodeAmbiguousField},
		{"too many conditions", func(c *Change) { c.Conditions = opt.Of(make([]string, 21)) }, "", "conditions", fault.CodeOutOfRange},
		{"a long condition", func(c *Change) { c.Conditions = opt.Of([]string{"", string(make([]byte, 1001))}) }, "", "conditions[1]", fault.CodeOutOfRange},
	} {
		change, status := described(), opt.Field[string]{}
		if c.change(&change); c.status != "" {
			status = opt.Of(c.status)
		}
		var problems fault.Problems
		rules().Create(change, status, Defaults{Owner: 9}, &problems)
		if known := fault.From(problems.Err()); problems.Empty() || known.Details[0].Field != c.field || c.code != fault.CodeOutOfRange && known.Details[0].Code != c.code {
			t.Errorf("%s is refused with %v, want %s of %s", c.name, problems.Err(), c.code, c.field)
		}
	}
	var problems fault.Problems
	past := described()
	past.ExpiresAt = opt.Of("2026-05-03")
	if rules().Create(past, opt.Field[string]{}, Defaults{}, &problems); !problems.Empty() {
		t.Errorf("a draft may be over already: %v", problems.Err())
	}
}

func TestAStatusSaysWhatMayChange(t *testing.T) {
	base := Offer{Product: 5, Agency: 11, Buyers: []customer.ID{1}, Amount: 1_000_00, Counter: 1_100_00, Date: 1}
	changes := map[string]Change{
		"agency_id":  {AgencyID: opt.Of[int64](12)},
		"user_id":    {UserID: opt.Of[int64](8)},
		"buyers":     {Buyers: opt.Of([]int64{2})},
		"sellers":    {Sellers: opt.Of([]int64{3})},
		"search_id":  {SearchID: opt.Of[int64](4)},
		"amount":     {Amount: opt.Of(900.0)},
		"fees":       {FeesInput: money.FeesInput{Amount: opt.Of(10.0), Payer: opt.Of("VENDEUR")}},
		"date_offer": {DateOffer: opt.Of("2026-05-01")},
		"expires_at": {ExpiresAt: opt.Of("2026-06-01")},
		"financing":  {Financing: opt.Of(BuyersFinancing{WithoutLoan: opt.Of(true)})},
		"conditions": {Conditions: opt.Of([]string{"vente d'abord"})},
		"comment":    {Comment: opt.Of("…")},
		"product_id": {ProductID: opt.Of[int64](6)},
	}
	late, negotiated := []string{"user_id", "comment"}, []string{"user_id", "comment", "expires_at", "financing", "conditions"}
	for _, s := range Transitions().Statuses() {
		o := base
		o.Status = s
		for field, change := range changes {
			want := slices.Contains(late, field)
			switch s {
			case Draft:
				want = field != "product_id"
			case Open, Countered:
				want = slices.Contains(negotiated, field)
			case Accepted, Refused, Withdrawn, Expired, Cancelled:
			}
			after, err := rules().Update(o, change)
			if (err == nil) != want {
				t.Errorf("%s of %s: %v", field, s, err)
			}
			if err == nil && after.Same(o) || err != nil && fault.From(err).Code != fault.CodeInvalidTransition {
				t.Errorf("%s of %s changes %v: %v", field, s, !after.Same(o), err)
			}
		}
		// Saying what is so already is no change, and never too late.
		if after, err := rules().Update(o, Change{ProductID: opt.Of[int64](5), Amount: opt.Of(1_000.0), Buyers: opt.Of([]int64{1})}); err != nil || !after.Same(o) {
			t.Errorf("saying what is so of %s: %v", s, err)
		}
	}
}
