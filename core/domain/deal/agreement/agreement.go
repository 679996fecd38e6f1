// Package agreement is about sale agreements ("compromis", "promesse",
// "réservation"): what they are, what can be done with them, the right of
// withdrawal of buyers who are no professionals, and what requests are judged by.
package agreement

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// ID identifies an agreement.
type ID = offer.AgreementID

// Type is the form of the contract.
type Type string

// The types.
const (
	Compromis   Type = "COMPROMIS"
	Promesse    Type = "PROMESSE"
	Reservation Type = "RESERVATION"
)

// Types lists the types.
func Types() []Type { return []Type{Compromis, Promesse, Reservation} }

// Status is how far an agreement is.
type Status string

// The statuses.
const (
	Draft Status = "PREPARATION"
	// Signed: not every buyer who may withdraw has been notified.
	Signed Status = "SIGNE"
	// Withdrawal: the buyers may withdraw, until the clock says otherwise.
	Withdrawal Status = "RETRACTATION"
	Waiting    Status = "CONDITIONS"
	Cleared    Status = "CONDITIONS_LEVEES"
	Completed  Status = "ACTE_SIGNE"
	Withdrawn  Status = "RETRACTE"
	Failed     Status = "DEFAILLI"
	Cancelled  Status = "ANNULE"
)

// What can be done with an agreement, besides what the clock does.
const (
	Sign     = "sign"
	Notify   = "notify"
	Retract  = "retract"
	Lift     = "lift"
	Fail     = "fail"
	Notarise = "notarise"
	Cancel   = "cancel"
)

// Transitions returns the closed table of what can be done.
func Transitions() transition.Table[Status] {
	open := []Status{Signed, Withdrawal, Waiting}
	return transition.Table[Status]{
		{From: []Status{Draft}, By: Sign, To: []Status{Signed, Waiting, Cleared}},
		// A notification that is dated far back begins a period that is over.
		{From: []Status{Signed, Withdrawal}, By: Notify, To: []Status{Signed, Withdrawal, Waiting, Cleared}},
		{From: []Status{Withdrawal}, By: transition.Clock, To: []Status{Waiting, Cleared}},
		{From: []Status{Signed, Withdrawal, Waiting, Cleared}, By: Retract, To: []Status{Withdrawn}},
		{From: open, By: Lift, To: []Status{Signed, Withdrawal, Waiting, Cleared}},
		{From: open, By: Fail, To: []Status{Failed}},
		{From: []Status{Cleared}, By: Notarise, To: []Status{Completed}},
		{From: []Status{Draft, Signed, Withdrawal, Waiting, Cleared}, By: Cancel, To: []Status{Cancelled}},
	}
}

// Agreement is a sale agreement about a product. Zero ids and days mean
// none.
type Agreement struct {
	ID   ID
	Site site.ID
	// Number is that of the agency, a hyphen, C, and a number that the agency
	// has not used before.
	Number  string `trace:"keep"`
	Agency  site.AgencyID
	User    site.UserID
	Type    Type
	Status  Status
	Offer   offer.ID
	Product product.ID
	Buyers  []customer.ID
	Sellers []customer.ID
	Price   money.Amount
	Fees    money.Fees
	// Mandate is the number of the mandate under which it was signed (loi Hoguet
	// art. 6; décret 72-678 art. 72).
	Mandate                   string `trace:"keep"`
	SellerNotary, BuyerNotary customer.ID
	Deposit                   Deposit
	// MayWithdraw says that buyers who are no professionals have the right of
	// withdrawal (CCH L271-1).
	MayWithdraw bool
	// Notifications are by customer id.
	Notifications []Notification
	// WithdrawalEnd is the latest last day of the notifications, once every buyer
	// who may withdraw is notified.
	WithdrawalEnd calendar.Day
	Conditions    []Condition
	// LastCondition is the highest id that a condition has had.
	LastCondition ConditionID `trace:"-"`
	Commissions   []Commission

	// Date is when it was signed, Deed when the deed was, DeedExpected when that is
	// expected, and Sent when the letter of withdrawal was sent.
	Date, Deed, DeedExpected, Sent calendar.Day
	// CancellationReason is a code of list 17.
	CancellationReason string `trace:"keep"`
	Comment            string

	// Ahead is what the clock makes of it, as of when it was stored.
	Ahead []transition.Phase `trace:"-"`

	Added, Modified time.Time
	// Version is the site's ledger sequence at the last change.
	Version int64
}

// Deposit is what buyers pay when they sign. Nobody holds none at all.
type Deposit struct {
	Amount        money.Amount
	Holder        Holder
	Due, Received calendar.Day
}

// Holder is who keeps a deposit.
type Holder string

// The holders.
const (
	NoHolder     Holder = ""
	AgencyHolds  Holder = "AGENCE"
	NotaryHolds  Holder = "NOTAIRE"
	AnotherHolds Holder = "AUTRE"
)

// Notification tells a buyer of the agreement, and begins the period in which
// they may withdraw.
type Notification struct {
	Customer customer.ID
	// Date is that of the first presentation or of the hand-over.
	Date    calendar.Day
	Method  Method
	LastDay calendar.Day
}

// Method is a way to notify that the law admits (CCH D271-6).
type Method string

// Methods lists them.
func Methods() []Method {
	return []Method{"LRAR", "LRE", "HUISSIER", "REMISE_NOTAIRE", "REMISE_AGENCE"}
}

// ConditionID identifies a condition within its agreement.
type ConditionID int64

// Condition is what has to happen before the sale ("condition suspensive").
type Condition struct {
	ID     ConditionID
	Type   ConditionType
	Label  string
	Due    calendar.Day
	Amount *money.Amount
	// RateMax is in percent.
	RateMax *float64
	Months  *int
	Status  ConditionStatus
	// Settled is when it was.
	Settled calendar.Day
	Note    string
}

// ConditionType is what a condition is about.
type ConditionType string

// Loan is the type of a condition that the buyers get a loan.
const Loan ConditionType = "PRET"

// ConditionTypes lists the types.
func ConditionTypes() []ConditionType {
	return []ConditionType{Loan, "URBANISME", "PREEMPTION", "VENTE_PREALABLE", "AUTRE"}
}

// ConditionStatus is what became of a condition.
type ConditionStatus string

// The statuses of conditions.
const (
	ConditionWaits  ConditionStatus = "EN_ATTENTE"
	ConditionLifted ConditionStatus = "LEVEE"
	ConditionWaived ConditionStatus = "RENONCEE"
	ConditionFailed ConditionStatus = "DEFAILLIE"
)

// Overdue reports whether a condition waits although its day has passed.
func (c Condition) Overdue(today calendar.Day) bool {
	return c.Status == ConditionWaits && c.Due != 0 && c.Due < today
}

// Commission is somebody's share of the fees: an agency's, a user's, or that of
// a party outside.
type Commission struct {
	Role    string `trace:"keep"`
	Percent money.Percent
	Agency  site.AgencyID
	User    site.UserID
	Party   string
}

// Roles lists what a commission can be for.
func Roles() []string { return []string{"ENTREE", "SORTIE", "APPORT", "DELEGATION", "AUTRE"} }

// Live reports whether it binds: there is one live agreement for a product.
func (a Agreement) Live() bool {
	switch a.Status {
	case Signed, Withdrawal, Waiting, Cleared:
		return true
	case Draft, Completed, Withdrawn, Failed, Cancelled:
	}
	return false
}

// Waits reports whether a condition is not settled.
func (a Agreement) Waits() bool {
	return slices.ContainsFunc(a.Conditions, func(c Condition) bool { return c.Status == ConditionWaits })
}

// Has reports whether a customer is a party.
func (a Agreement) Has(id customer.ID) bool {
	return slices.Contains(a.Buyers, id) || slices.Contains(a.Sellers, id)
}

// Shares returns the commissions in money, in their order; none where the fees are
// not known.
func (a Agreement) Shares() []money.Amount {
	split, known := a.Fees.Of(a.Price)
	if !known {
		return nil
	}
	percents := make([]money.Percent, len(a.Commissions))
	for n, c := range a.Commissions {
		percents[n] = c.Percent
	}
	return money.Shares(split.FeesExclVAT, percents)
}

// Due returns the moment at which the clock changes the agreement in a zone; the zero
// time is never.
func (a Agreement) Due(zone *time.Location) time.Time {
	if a.Status != Withdrawal {
		return time.Time{}
	}
	return a.WithdrawalEnd.End(zone)
}

// At returns the agreement as it is at a moment: the clock may have made a transition
// that nobody has stored yet.
func (a Agreement) At(now time.Time, zone *time.Location) Agreement {
	if due := a.Due(zone); due.IsZero() || now.Before(due) {
		return a
	}
	a.Status = a.afterWithdrawal()
	return a
}

func (a Agreement) afterWithdrawal() Status {
	if a.Waits() {
		return Waiting
	}
	return Cleared
}

// Foresee returns the agreement with what the clock makes of it in a zone.
func (a Agreement) Foresee(zone *time.Location) Agreement {
	a.Ahead = transition.Ahead(a,
		func(a Agreement) time.Time { return a.Due(zone) },
		func(a Agreement, now time.Time) Agreement { return a.At(now, zone) },
		func(a Agreement) string { return string(a.Status) })
	return a
}

// Parties lists the customers who are a party, each once.
func (a Agreement) Parties() []customer.ID { return slices.Concat(a.Buyers, a.Sellers) }

// Clone returns a copy that shares nothing with the agreement.
func (a Agreement) Clone() Agreement {
	a.Buyers, a.Sellers, a.Notifications = slices.Clone(a.Buyers), slices.Clone(a.Sellers), slices.Clone(a.Notifications)
	a.Conditions, a.Commissions = slices.Clone(a.Conditions), slices.Clone(a.Commissions)
	a.Ahead = slices.Clone(a.Ahead)
	return a
}

// Same reports whether two states of an agreement show no difference.
func (a Agreement) Same(b Agreement) bool {
	return a.Status == b.Status && a.Type == b.Type && a.Agency == b.Agency && a.User == b.User && a.Offer == b.Offer && a.Product == b.Product &&
		slices.Equal(a.Buyers, b.Buyers) && slices.Equal(a.Sellers, b.Sellers) && a.Price == b.Price && a.Fees == b.Fees &&
		a.Mandate == b.Mandate && a.SellerNotary == b.SellerNotary && a.BuyerNotary == b.BuyerNotary && a.Deposit == b.Deposit &&
		a.MayWithdraw == b.MayWithdraw && slices.Equal(a.Notifications, b.Notifications) && a.WithdrawalEnd == b.WithdrawalEnd &&
		slices.EqualFunc(a.Conditions, b.Conditions, Condition.same) && slices.Equal(a.Commissions, b.Commissions) &&
		a.Date == b.Date && a.Deed == b.Deed && a.DeedExpected == b.DeedExpected && a.Sent == b.Sent &&
		a.CancellationReason == b.CancellationReason && a.Comment == b.Comment
}

func (c Condition) same(d Condition) bool {
	return c.ID == d.ID && c.Type == d.Type && c.Label == d.Label && c.Due == d.Due && c.Status == d.Status && c.Settled == d.Settled &&
		c.Note == d.Note && opt.Same(c.Amount, d.Amount) && opt.Same(c.RateMax, d.RateMax) && opt.Same(c.Months, d.Months)
}

// Anonymous returns what is left of an agreement to which somebody was a party whom
// nobody may know any more: ids, dates and amounts.
func (a Agreement) Anonymous() Agreement {
	a = a.Clone()
	a.Comment = ""
	for n := range a.Conditions {
		a.Conditions[n].Label, a.Conditions[n].Note = "", ""
	}
	for n := range a.Commissions {
		a.Commissions[n].Party = ""
	}
	return a
}

// Buys reports whether a customer is a buyer.
func (a Agreement) Buys(id customer.ID) bool { return slices.Contains(a.Buyers, id) }

// Without returns a draft that a customer is no party to any more.
func (a Agreement) Without(id customer.ID) Agreement {
	a = a.Clone()
	a.Buyers, a.Sellers = offer.Left(a.Buyers, id), offer.Left(a.Sellers, id)
	return a
}
