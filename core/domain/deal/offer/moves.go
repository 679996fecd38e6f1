package offer

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// Moment is when something is done, and by which user; 0 is nobody in
// particular.
type Moment struct {
	Now time.Time
	By  site.UserID
}

func (m Moment) step(kind StepKind, by Side, amount money.Amount) Step {
	return Step{At: m.Now, Kind: kind, By: by, Amount: amount, User: m.By}
}

// Send makes a draft an offer to the sellers. One whose time is over already
// cannot be sent: Invalid.
func (o Offer) Send(m Moment) (Offer, error) {
	o = o.At(m.Now)
	if err := Transitions().Check(o.Status, Send); err != nil {
		return o, err
	}
	var problems fault.Problems
	form := form.Form{Problems: &problems}
	checkExpiry(form, o.Expires, m.Now)
	return o.step(Open, m.step(Sending, Buyer, o.Amount)), problems.Err()
}

// checkExpiry reports an offer that would be over at once.
func checkExpiry(f form.Form, expires, now time.Time) {
	if !expires.IsZero() && !expires.After(now) {
		f.Wrong("expires_at", fault.CodeOutOfRange, nil, "expires_at is in the past")
	}
}

// CounterInput is what a request wants to answer an offer with.
type CounterInput struct {
	By        opt.Field[string]  `json:"by" required:"true" enum:"VENDEUR,ACQUEREUR"`
	Amount    opt.Field[float64] `json:"amount" required:"true"`
	ExpiresAt opt.Field[string]  `json:"expires_at" doc:"replaces; left out, it stays as it is"`
}

// Answer is an answer to an offer that can be understood.
type Answer struct {
	By     Side
	Amount money.Amount
	// Expires replaces that of the offer when Replaces is true.
	Expires  time.Time
	Replaces bool
}

// Answer reads a request, and reports everything wrong with its shape.
func (r Rules) Answer(in CounterInput, problems *fault.Problems) Answer {
	f := form.Form{Problems: problems}
	answer := Answer{Replaces: in.ExpiresAt.Set}
	if form.OneOf(f, "by", &answer.By, in.By, []Side{Seller, Buyer}); in.By.Or("") == "" {
		f.Wrong("by", fault.CodeRequired, nil, "by is required: VENDEUR or ACQUEREUR")
	}
	if !in.Amount.Set {
		in.Amount = opt.Null[float64]()
	}
	money.SetAboveZero(f, "amount", &answer.Amount, in.Amount)
	r.expiry(f, &answer.Expires, in.ExpiresAt)
	checkExpiry(f, answer.Expires, r.Now)
	return answer
}

// CounterWith returns the offer after one side answered with another amount. Fees
// stay what they were, so an amount below them is Invalid.
func (o Offer) CounterWith(a Answer, m Moment) (Offer, error) {
	o = o.At(m.Now)
	if err := Transitions().Check(o.Status, Counter); err != nil {
		return o, err
	}
	var problems fault.Problems
	if o.Fees.CheckPrice(a.Amount, form.Form{Problems: &problems}); !problems.Empty() {
		return o, problems.Err()
	}
	to := Countered
	if a.By == Seller {
		o.Counter = a.Amount
	} else {
		to, o.Amount, o.Counter = Open, a.Amount, 0
	}
	if a.Replaces {
		o.Expires = a.Expires
	}
	return o.step(to, m.step(Countering, a.By, a.Amount)), nil
}

// Accept returns the offer after the side that was asked accepted it: an open offer
// the sellers, a countered one the buyers. Whether the product may be promised to
// them is for others to say.
func (o Offer) Accept(m Moment) (Offer, error) {
	o = o.At(m.Now)
	if err := Transitions().Check(o.Status, Accept); err != nil {
		return o, err
	}
	by := Seller
	o.Agreed = o.Amount
	if o.Status == Countered {
		by, o.Agreed = Buyer, o.Counter
	}
	return o.step(Accepted, m.step(Acceptance, by, o.Agreed)), nil
}

// RefuseInput is what a request wants to refuse an offer with.
type RefuseInput struct {
	RefusalReason opt.Field[string] `json:"refusal_reason" doc:"code of list 15"`
}

// Reason reads why an offer is refused: a code of list 15, or nothing.
func (r Rules) Reason(in RefuseInput, problems *fault.Problems) (reason string) {
	form.Form{Problems: problems}.Listed("refusal_reason", &reason, in.RefusalReason, r.Dictionary, criteria.RefusalReasons)
	return reason
}

// Refuse returns the offer after the side that was asked refused it.
func (o Offer) Refuse(reason string, m Moment) (Offer, error) {
	o = o.At(m.Now)
	if err := Transitions().Check(o.Status, Refuse); err != nil {
		return o, err
	}
	by := Seller
	if o.Status == Countered {
		by = Buyer
	}
	o.RefusalReason = reason
	return o.step(Refused, m.step(Refusal, by, 0)), nil
}

// Withdraw returns the offer after its buyers took it back.
func (o Offer) Withdraw(m Moment) (Offer, error) {
	o = o.At(m.Now)
	if err := Transitions().Check(o.Status, Withdraw); err != nil {
		return o, err
	}
	return o.step(Withdrawn, m.step(Withdrawal, Buyer, 0)), nil
}

// Cancel returns the accepted offer after both sides gave it up, or its agreement
// ended.
func (o Offer) Cancel(by, reason string, m Moment) (Offer, error) {
	o = o.At(m.Now)
	if err := Transitions().Check(o.Status, by); err != nil {
		return o, err
	}
	o.CancellationReason = reason
	return o.step(Cancelled, m.step(Cancellation, Nobody, 0)), nil
}

// CheckAccepted is a Conflict unless an offer is accepted, which an agreement can
// be made from.
func CheckAccepted(o Offer) error {
	if o.Status == Accepted {
		return nil
	}
	return transition.Refused(o.Status, "an agreement is made from an accepted offer")
}
