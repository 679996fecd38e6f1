// Package offer is about offers to buy a property ("offre d'achat"): what they
// are, what can be done with them, and what requests are judged by.
package offer

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// ID identifies an offer.
type ID int64

// AgreementID identifies a sale agreement. An offer names the one that was made
// from it.
type AgreementID int64

// Status is how far an offer is.
type Status string

// The statuses.
const (
	Draft     Status = "BROUILLON"
	Open      Status = "EN_COURS"
	Countered Status = "CONTRE_PROPOSITION"
	Accepted  Status = "ACCEPTEE"
	Refused   Status = "REFUSEE"
	Withdrawn Status = "RETIREE"
	Expired   Status = "EXPIREE"
	Cancelled Status = "ANNULEE"
)

// What can be done with an offer, besides what the clock does.
const (
	Send     = "send"
	Counter  = "counter"
	Accept   = "accept"
	Refuse   = "refuse"
	Withdraw = "withdraw"
	Cancel   = "cancel"
	// AgreementEnds is the end of the agreement that was made from it.
	AgreementEnds = "agreement ends"
)

// Transitions returns the closed table of what can be done.
func Transitions() transition.Table[Status] {
	negotiated := []Status{Open, Countered}
	return transition.Table[Status]{
		{From: []Status{Draft}, By: Send, To: []Status{Open}},
		{From: negotiated, By: Counter, To: negotiated},
		{From: negotiated, By: Accept, To: []Status{Accepted}},
		{From: negotiated, By: Refuse, To: []Status{Refused}},
		{From: []Status{Draft, Open, Countered}, By: Withdraw, To: []Status{Withdrawn}},
		{From: negotiated, By: transition.Clock, To: []Status{Expired}},
		{From: []Status{Accepted}, By: Cancel, To: []Status{Cancelled}},
		{From: []Status{Accepted}, By: AgreementEnds, To: []Status{Cancelled}},
	}
}

// Offer is an offer of buyers for a product. Zero ids mean none.
type Offer struct {
	ID   ID
	Site site.ID
	// Number is that of the agency, a hyphen, O, and a number that the agency
	// has not used before.
	Number  string `trace:"keep"`
	Agency  site.AgencyID
	User    site.UserID
	Product product.ID
	Buyers  []customer.ID
	Sellers []customer.ID
	// Search is a search request of one of the buyers.
	Search demand.SearchID

	Status Status
	// Amount is what the buyers would pay, Counter what the sellers ask instead
	// while the offer is Countered, Agreed what was accepted; 0 is none.
	Amount, Counter, Agreed money.Amount
	Fees                    money.Fees
	Date                    calendar.Day
	// Expires is the moment from which an offer that is still negotiated is Expired;
	// the zero time is never.
	Expires    time.Time
	Financing  Financing
	Conditions []string
	// RefusalReason is a code of list 15, CancellationReason one of list 17.
	RefusalReason, CancellationReason string `trace:"keep"`
	Comment                           string
	// Negotiation lists what was done, the oldest first.
	Negotiation []Step
	// Agreement is the latest agreement that was made from it.
	Agreement AgreementID

	// Ahead is what the clock makes of it, as of when it was stored.
	Ahead []transition.Phase `trace:"-"`

	Added, Modified time.Time
	// Version is the site's ledger sequence at the last change.
	Version int64
}

// Financing is how the buyers would pay. Nil is unknown.
type Financing struct {
	// Given is false where nothing is said about it.
	Given              bool
	Contribution, Loan *money.Amount
	// LoanRateMax is in percent.
	LoanRateMax *float64
	LoanMonths  *int
	// WithoutLoan says that the buyers do without a loan (Code de la consommation
	// L313-42).
	WithoutLoan bool
}

// Step is something that was done with an offer.
type Step struct {
	At   time.Time
	Kind StepKind
	// By is a side, or nobody in particular.
	By Side
	// Amount is what it was about; 0 is none.
	Amount money.Amount
	User   site.UserID
}

// StepKind is what a step was.
type StepKind string

// The kinds of steps.
const (
	Sending      StepKind = "ENVOI"
	Countering   StepKind = "CONTRE"
	Acceptance   StepKind = "ACCEPTATION"
	Refusal      StepKind = "REFUS"
	Withdrawal   StepKind = "RETRAIT"
	Expiry       StepKind = "EXPIRATION"
	Cancellation StepKind = "ANNULATION"
)

// Side is one of the two that negotiate.
type Side string

// The sides.
const (
	Nobody Side = ""
	Buyer  Side = "ACQUEREUR"
	Seller Side = "VENDEUR"
)

// Price returns what the computed fees are a part of: the amount, or what the sellers
// asked instead, or what was agreed.
func (o Offer) Price() money.Amount {
	switch {
	case o.Agreed != 0:
		return o.Agreed
	case o.Status == Countered:
		return o.Counter
	}
	return o.Amount
}

// Negotiated reports whether either side may still answer.
func (o Offer) Negotiated() bool { return o.Status == Open || o.Status == Countered }

// Binding reports whether a customer who is a party to it has to stay: the offer
// is negotiated or accepted.
func (o Offer) Binding() bool { return o.Negotiated() || o.Status == Accepted }

// Has reports whether a customer is a party.
func (o Offer) Has(id customer.ID) bool {
	return slices.Contains(o.Buyers, id) || slices.Contains(o.Sellers, id)
}

// Due returns the moment at which the clock changes the offer; the zero time is never.
func (o Offer) Due() time.Time {
	if !o.Negotiated() {
		return time.Time{}
	}
	return o.Expires
}

// At returns the offer as it is at a moment: the clock may have made a transition that
// nobody has stored yet.
func (o Offer) At(now time.Time) Offer {
	if due := o.Due(); due.IsZero() || now.Before(due) {
		return o
	}
	return o.step(Expired, Step{At: o.Expires, Kind: Expiry})
}

func (o Offer) step(to Status, done Step) Offer {
	o.Status = to
	o.Negotiation = append(slices.Clip(o.Negotiation), done)
	return o
}

// Foresee returns the offer with what the clock makes of it.
func (o Offer) Foresee() Offer {
	o.Ahead = transition.Ahead(o, Offer.Due, Offer.At, func(o Offer) string { return string(o.Status) })
	return o
}

// Parties lists the customers who are a party, each once.
func (o Offer) Parties() []customer.ID { return slices.Concat(o.Buyers, o.Sellers) }

// Clone returns a copy that shares nothing with the offer.
func (o Offer) Clone() Offer {
	o.Buyers, o.Sellers = slices.Clone(o.Buyers), slices.Clone(o.Sellers)
	o.Conditions, o.Negotiation = slices.Clone(o.Conditions), slices.Clone(o.Negotiation)
	o.Ahead = slices.Clone(o.Ahead)
	return o
}

// Same reports whether two states of an offer show no difference.
func (o Offer) Same(p Offer) bool {
	return o.Status == p.Status && o.Agency == p.Agency && o.User == p.User && o.Product == p.Product && o.Search == p.Search &&
		slices.Equal(o.Buyers, p.Buyers) && slices.Equal(o.Sellers, p.Sellers) &&
		o.Amount == p.Amount && o.Counter == p.Counter && o.Agreed == p.Agreed && o.Fees == p.Fees &&
		o.Date == p.Date && o.Expires.Equal(p.Expires) && o.Financing.same(p.Financing) && slices.Equal(o.Conditions, p.Conditions) &&
		o.RefusalReason == p.RefusalReason && o.CancellationReason == p.CancellationReason && o.Comment == p.Comment &&
		len(o.Negotiation) == len(p.Negotiation) && o.Agreement == p.Agreement
}

func (f Financing) same(g Financing) bool {
	return f.Given == g.Given && f.WithoutLoan == g.WithoutLoan && opt.Same(f.Contribution, g.Contribution) && opt.Same(f.Loan, g.Loan) &&
		opt.Same(f.LoanRateMax, g.LoanRateMax) && opt.Same(f.LoanMonths, g.LoanMonths)
}

// Anonymous returns what is left of an offer to which somebody was a party whom
// nobody may know any more: ids, dates and amounts. Records of mandates and of
// money are kept for ten years (décret 72-678; Code de commerce L123-22).
func (o Offer) Anonymous() Offer {
	o.Financing, o.Conditions, o.Comment = Financing{}, nil, ""
	return o
}

// Without returns a draft that a customer is no party to any more.
func (o Offer) Without(id customer.ID) Offer {
	o = o.Clone()
	o.Buyers, o.Sellers = Left(o.Buyers, id), Left(o.Sellers, id)
	return o
}

// Left returns the parties that are left when one leaves.
func Left(parties []customer.ID, leaves customer.ID) []customer.ID {
	return slices.DeleteFunc(parties, func(id customer.ID) bool { return id == leaves })
}
