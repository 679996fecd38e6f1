package offer

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

func TestEveryStatusButTheFinalOnesHasAWayOut(t *testing.T) {
	final := []Status{Refused, Withdrawn, Expired, Cancelled}
	for _, s := range Transitions().Statuses() {
		if Transitions().Final(s) != slices.Contains(final, s) {
			t.Errorf("%s is final: %v", s, Transitions().Final(s))
		}
	}
}

// moves does what an agent may try, whatever the status is.
var moves = map[string]func(*rapid.T, Offer, Moment) (Offer, error){
	Send: func(_ *rapid.T, o Offer, m Moment) (Offer, error) { return o.Send(m) },
	Counter: func(t *rapid.T, o Offer, m Moment) (Offer, error) {
		a := Answer{By: rapid.SampledFrom([]Side{Buyer, Seller}).Draw(t, "by"), Amount: anyAmount.Draw(t, "amount")}
		if rapid.Bool().Draw(t, "replaces") {
			a.Replaces, a.Expires = true, m.Now.Add(time.Duration(rapid.IntRange(1, 50).Draw(t, "hours"))*time.Hour)
		}
		return o.CounterWith(a, m)
	},
	Accept:        func(_ *rapid.T, o Offer, m Moment) (Offer, error) { return o.Accept(m) },
	Refuse:        func(_ *rapid.T, o Offer, m Moment) (Offer, error) { return o.Refuse("PRIX", m) },
	Withdraw:      func(_ *rapid.T, o Offer, m Moment) (Offer, error) { return o.Withdraw(m) },
	Cancel:        func(_ *rapid.T, o Offer, m Moment) (Offer, error) { return o.Cancel(Cancel, "ACCORD", m) },
	AgreementEnds: func(_ *rapid.T, o Offer, m Moment) (Offer, error) { return o.Cancel(AgreementEnds, "AGREEMENT", m) },
}

var anyAmount = rapid.Map(rapid.Int64Range(1, 1e9), func(n int64) money.Amount { return money.Amount(n) })

func TestWhateverIsTriedTheTableHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
		o := Offer{Status: Draft, Buyers: []customer.ID{1}, Amount: anyAmount.Draw(t, "amount")}
		if rapid.Bool().Draw(t, "expires") {
			o.Expires = now.Add(time.Duration(rapid.IntRange(1, 100).Draw(t, "hours")) * time.Hour)
		}
		names := []string{Send, Counter, Counter, Accept, Refuse, Withdraw, Cancel, AgreementEnds}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "later")) * time.Hour)
			before := o.At(now)
			if again := before.At(now); !again.Same(before) {
				t.Fatalf("the clock changes %+v twice", o)
			}
			if before.Status != o.Status && !Transitions().Leads(o.Status, transition.Clock, before.Status) {
				t.Fatalf("the clock leads from %s to %s", o.Status, before.Status)
			}
			by := rapid.SampledFrom(names).Draw(t, "by")
			after, err := moves[by](t, o, Moment{Now: now, By: 7})
			switch {
			case !Transitions().Allows(before.Status, by):
				if !errors.Is(err, fault.Conflict) || fault.From(err).Code != fault.CodeInvalidTransition {
					t.Fatalf("%s in %s: %v", by, before.Status, err)
				}
				continue
			case err != nil:
				if by == Send && errors.Is(err, fault.Invalid) && !o.Expires.After(now) {
					continue
				}
				t.Fatalf("%s in %s: %v", by, before.Status, err)
			case !Transitions().Leads(before.Status, by, after.Status):
				t.Fatalf("%s leads from %s to %s", by, before.Status, after.Status)
			case len(after.Negotiation) != len(before.Negotiation)+1:
				t.Fatalf("%s is noted %d times", by, len(after.Negotiation)-len(before.Negotiation))
			}
			check(t, after)
			o = after
		}
	})
}

// check demands what is true of every offer.
func check(t *rapid.T, o Offer) {
	agreed := o.Status == Accepted || o.Status == Cancelled
	if (o.Agreed != 0) != agreed || o.Status == Countered && o.Counter == 0 || o.Amount == 0 {
		t.Fatalf("%s, %d, countered with %d, agreed on %d", o.Status, o.Amount, o.Counter, o.Agreed)
	}
	if (o.CancellationReason != "") != (o.Status == Cancelled) || (o.RefusalReason != "") != (o.Status == Refused) {
		t.Fatalf("%s has the reasons %q and %q", o.Status, o.RefusalReason, o.CancellationReason)
	}
	if !slices.IsSortedFunc(o.Negotiation, func(a, b Step) int { return a.At.Compare(b.At) }) {
		t.Fatalf("the negotiation is not in order: %v", o.Negotiation)
	}
}

func TestAnOfferIsOverFromTheMomentItExpires(t *testing.T) {
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, s := range Transitions().Statuses() {
		o := Offer{Status: s, Expires: at}
		before, then := o.At(at.Add(-time.Nanosecond)), o.At(at)
		if before.Status != s {
			t.Errorf("%s is %s before its time", s, before.Status)
		}
		if want := s == Open || s == Countered; (then.Status == Expired && s != Expired) != want {
			t.Errorf("%s is %s at its time", s, then.Status)
		} else if want && (len(then.Negotiation) != 1 || !then.Negotiation[0].At.Equal(at) || then.Negotiation[0].Kind != Expiry) {
			t.Errorf("its end is noted as %+v", then.Negotiation)
		}
	}
}
