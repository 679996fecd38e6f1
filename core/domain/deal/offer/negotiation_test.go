package offer

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// answered reads an answer that must be in order.
func answered(t *testing.T, in CounterInput) Answer {
	t.Helper()
	var problems fault.Problems
	a := rules().Answer(in, &problems)
	if err := problems.Err(); err != nil {
		t.Fatalf("%+v", fault.From(err).Details)
	}
	return a
}

// Buyers offer 250,000, sellers ask 260,000, buyers offer 255,000, sellers ask 257,000 and
// buyers accept that.
func TestTheSidesNegotiateAndAgreeOnTheLastAmount(t *testing.T) {
	var problems fault.Problems
	o := rules().Create(described(), opt.Field[string]{}, Defaults{Owner: 9}, &problems)
	by := func(side Side, amount float64) Answer {
		return answered(t, CounterInput{By: opt.Of(string(side)), Amount: opt.Of(amount)})
	}
	price := money.Of
	at := now
	for _, s := range []struct {
		name           string
		does           func(Offer, Moment) (Offer, error)
		status         Status
		price, counter money.Amount
		step           Step
	}{
		{"send", Offer.Send, Open, price(250_000), 0, Step{Kind: Sending, By: Buyer, Amount: price(250_000)}},
		{"ask for more", func(o Offer, m Moment) (Offer, error) { return o.CounterWith(by(Seller, 260_000), m) }, Countered, price(260_000), price(260_000), Step{Kind: Countering, By: Seller, Amount: price(260_000)}},
		{"offer more", func(o Offer, m Moment) (Offer, error) { return o.CounterWith(by(Buyer, 255_000), m) }, Open, price(255_000), 0, Step{Kind: Countering, By: Buyer, Amount: price(255_000)}},
		{"ask for less", func(o Offer, m Moment) (Offer, error) { return o.CounterWith(by(Seller, 257_000), m) }, Countered, price(257_000), price(257_000), Step{Kind: Countering, By: Seller, Amount: price(257_000)}},
		{"accept", Offer.Accept, Accepted, price(257_000), price(257_000), Step{Kind: Acceptance, By: Buyer, Amount: price(257_000)}},
	} {
		at = at.Add(time.Hour)
		var err error
		if o, err = s.does(o, Moment{Now: at, By: 7}); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		s.step.At, s.step.User = at, 7
		if o.Status != s.status || o.Price() != s.price || o.Counter != s.counter || o.Negotiation[len(o.Negotiation)-1] != s.step {
			t.Errorf("%s: %+v", s.name, o)
		}
		if !o.Binding() || CheckDeletable(o) == nil || (CheckAccepted(o) == nil) != (s.name == "accept") {
			t.Errorf("%s: binding %t, deletable %v, accepted %v", s.name, o.Binding(), CheckDeletable(o), CheckAccepted(o))
		}
	}
	if o.Agreed != price(257_000) || o.Amount != price(255_000) || len(o.Negotiation) != 5 {
		t.Errorf("%+v", o)
	}
}

// The side that was asked answers: sellers an open offer, buyers what sellers asked instead.
func TestTheSideThatWasAskedAcceptsOrRefuses(t *testing.T) {
	for status, side := range map[Status]Side{Open: Seller, Countered: Buyer} {
		o := Offer{Status: status, Amount: 100, Counter: 120}
		accepted, err := o.Accept(Moment{Now: now})
		refused, err2 := o.Refuse("PRIX", Moment{Now: now})
		if err != nil || err2 != nil || accepted.Negotiation[0].By != side || refused.Negotiation[0].By != side || refused.RefusalReason != "PRIX" {
			t.Errorf("%s: %+v, %+v, %v, %v", status, accepted, refused, err, err2)
		}
		if want := map[Status]money.Amount{Open: 100, Countered: 120}[status]; accepted.Agreed != want {
			t.Errorf("%s: agreed on %v", status, accepted.Agreed)
		}
	}
}

func TestAnAnswerReplacesTheExpiryWhereItNamesOne(t *testing.T) {
	tomorrow, later := now.Add(24*time.Hour), now.Add(48*time.Hour)
	for name, c := range map[string]struct {
		given opt.Field[string]
		want  time.Time
	}{
		"left out": {opt.Field[string]{}, tomorrow}, "null": {opt.Null[string](), time.Time{}}, "another": {opt.Of(later.Format(time.RFC3339)), later},
	} {
		a := answered(t, CounterInput{By: opt.Of("VENDEUR"), Amount: opt.Of(10.0), ExpiresAt: c.given})
		o, err := Offer{Status: Open, Expires: tomorrow}.CounterWith(a, Moment{Now: now})
		if err != nil || !o.Expires.Equal(c.want) {
			t.Errorf("%s: until %s, %v", name, o.Expires, err)
		}
	}
}

func TestWhatIsWrongWithAnAnswerIsNamed(t *testing.T) {
	good := CounterInput{By: opt.Of("VENDEUR"), Amount: opt.Of(10.0)}
	for name, c := range map[string]struct {
		change func(*CounterInput)
		field  string
		code   fault.Code
	}{
		"nobody":          {func(in *CounterInput) { in.By = opt.Field[string]{} }, "by", fault.CodeRequired},
		"another side":    {func(in *CounterInput) { in.By = opt.Of("NOTAIRE") }, "by", fault.CodeCriteriaValueUnknown},
		"no amount":       {func(in *CounterInput) { in.Amount = opt.Field[float64]{} }, "amount", fault.CodeRequired},
		"nothing":         {func(in *CounterInput) { in.Amount = opt.Of(0.0) }, "amount", fault.CodeOutOfRange},
		"over already":    {func(in *CounterInput) { in.ExpiresAt = opt.Of("2026-05-04T12:00:00+02:00") }, "expires_at", fault.CodeOutOfRange},
		"no moment":       {func(in *CounterInput) { in.ExpiresAt = opt.Of("soon") }, "expires_at", fault.CodeInvalidFormat},
		"a day that was":  {func(in *CounterInput) { in.ExpiresAt = opt.Of("2026-05-03") }, "expires_at", fault.CodeOutOfRange},
		"an empty moment": {func(in *CounterInput) { in.ExpiresAt = opt.Of("") }, "expires_at", fault.CodeInvalidFormat},
	} {
		in := good
		c.change(&in)
		var problems fault.Problems
		rules().Answer(in, &problems)
		if err := problems.Err(); err == nil {
			t.Errorf("%s is taken", name)
		} else if found := fault.From(err).Details; len(found) != 1 || found[0].Field != c.field || found[0].Code != c.code {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestAReasonToRefuseIsOneOfTheSite(t *testing.T) {
	r := rules()
	r.Dictionary = criteria.NewDictionary(nil, []criteria.List{{ID: criteria.RefusalReasons, Choices: []criteria.Choice{{Code: "PRIX", Active: true}, {Code: "OLD"}}}})
	for given, taken := range map[string]bool{"PRIX": true, "": true, "OLD": false, "LIEU": false} {
		var problems fault.Problems
		if got := r.Reason(RefuseInput{opt.Of(given)}, &problems); problems.Empty() != taken || taken && got != given {
			t.Errorf("%q is read as %q, %v", given, got, problems.Err())
		}
	}
}

func TestOnlyADraftIsDeletedAndOnlyWhatIsAcceptedIsAgreedOn(t *testing.T) {
	for _, status := range Transitions().Statuses() {
		o := Offer{Status: status}
		for name, c := range map[string]struct {
			err  error
			want bool
		}{"deleted": {CheckDeletable(o), status == Draft}, "agreed on": {CheckAccepted(o), status == Accepted}} {
			if (c.err == nil) != c.want || c.err != nil && !errors.Is(c.err, fault.Conflict) {
				t.Errorf("%s: %s: %v", status, name, c.err)
			}
		}
		if want := slices.Contains([]Status{Open, Countered, Accepted}, status); o.Binding() != want {
			t.Errorf("%s binds its parties: %t", status, !want)
		}
	}
}

func TestACustomerLeavesADraftAndNotTheOneItWas(t *testing.T) {
	before := Offer{Status: Draft, Buyers: []customer.ID{1, 2}, Sellers: []customer.ID{9, 3}}
	for id, want := range map[customer.ID][]customer.ID{1: {2, 9, 3}, 3: {1, 2, 9}, 4: {1, 2, 9, 3}} {
		if had := before.Has(id); had != (id != 4) {
			t.Errorf("%d is a party: %t", id, had)
		}
		after := before.Without(id)
		if after.Has(id) || !slices.Equal(after.Parties(), want) {
			t.Errorf("without %d: %v", id, after.Parties())
		}
	}
	if !slices.Equal(before.Parties(), []customer.ID{1, 2, 9, 3}) {
		t.Errorf("the offer before is %v", before.Parties())
	}
}

// Ids, dates and amounts have to be kept; what people said and what they can pay has not.
func TestAnAnonymousOfferHasIDsDatesAndAmounts(t *testing.T) {
	o := Offer{
		ID: 1, Number: "11-O1", Status: Accepted, Buyers: []customer.ID{1}, Amount: 100, Agreed: 100, Comment: "pressed", Conditions: []string{"divorce"},
		Expires: now, Negotiation: []Step{{At: now, Kind: Acceptance, By: Seller, Amount: 100}},
	}
	o.Financing.Given = true
	want := o.Clone()
	want.Comment, want.Conditions, want.Financing = "", nil, Financing{}
	if got := o.Anonymous(); !got.Same(want) || got.Number != o.Number || got.Same(o) {
		t.Errorf("%+v", got)
	}
}

func TestTheClockEndsWhatIsNegotiatedAndNothingElse(t *testing.T) {
	for _, status := range Transitions().Statuses() {
		o := Offer{Status: status, Expires: now}.Foresee()
		if negotiated := status == Open || status == Countered; negotiated != (len(o.Ahead) == 1) || negotiated && (o.Ahead[0].Status != string(Expired) || !o.Ahead[0].From.Equal(now)) {
			t.Errorf("%s has ahead %v", status, o.Ahead)
		}
	}
	if o := (Offer{Status: Open}).Foresee(); len(o.Ahead) != 0 {
		t.Errorf("without an expiry there is ahead %v", o.Ahead)
	}
}
