// Package letting is about leases ("bail"): what the law says of each type, what
// can be done with them, their terms, notices and revised rents, and what
// requests are judged by.
package letting

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

// ID identifies a lease.
type ID int64

// Status is how far a lease is.
type Status string

// The statuses.
const (
	Draft     Status = "PROJET"
	Signed    Status = "SIGNE"
	Running   Status = "EN_COURS"
	Noticed   Status = "PREAVIS"
	Ended     Status = "TERMINE"
	Cancelled Status = "ANNULE"
)

// What can be done with a lease, besides what the clock does.
const (
	Sign         = "sign"
	GiveNotice   = "notice"
	CancelNotice = "cancel-notice"
	End          = "end"
	Cancel       = "cancel"
	Revise       = "revisions"
)

// Transitions returns the closed table of what can be done. What is dated far back
// may be over at once.
func Transitions() transition.Table[Status] {
	return transition.Table[Status]{
		{From: []Status{Draft}, By: Sign, To: []Status{Signed, Running, Ended}},
		{From: []Status{Signed}, By: transition.Clock, To: []Status{Running, Ended}},
		{From: []Status{Running}, By: GiveNotice, To: []Status{Noticed, Ended}},
		{From: []Status{Noticed}, By: CancelNotice, To: []Status{Running, Ended}},
		{From: []Status{Noticed, Running}, By: transition.Clock, To: []Status{Ended}},
		{From: []Status{Running, Noticed}, By: Revise, To: []Status{Running, Noticed}},
		{From: []Status{Running, Noticed}, By: End, To: []Status{Ended}},
		{From: []Status{Draft, Signed}, By: Cancel, To: []Status{Cancelled}},
	}
}

// Lease lets a product. Zero ids and days mean none, and so do nil amounts.
type Lease struct {
	ID   ID
	Site site.ID
	// Number is that of the agency, a hyphen, B, and a number that the agency
	// has not used before.
	Number     string `trace:"keep"`
	Agency     site.AgencyID
	User       site.UserID
	Type       Type
	Status     Status
	Product    product.ID
	Landlords  []customer.ID
	Tenants    []customer.ID
	Guarantors []customer.ID
	// Room is which part is let; empty is all of it.
	Room string

	Start calendar.Day
	// Months is how long the first term is, for types that have a duration; Last is
	// the last day of the others, none where there is no term.
	Months int
	Last   calendar.Day
	// ByCompany says that a landlord is a company, and FamilyCompany that it is one
	// of relatives, who count as natural persons (loi 89-462 art. 13).
	ByCompany, FamilyCompany bool
	// ShortReason is why an unfurnished dwelling is let for less than three years
	// (art. 11).
	ShortReason string

	// Rent is by the month, for a seasonal lease for the whole stay.
	Rent             money.Amount
	Supplement       *money.Amount
	SupplementReason string
	Control          Control
	Charges          *money.Amount
	ChargesMode      ChargesMode
	Deposit          *money.Amount
	// Surface is in m².
	Surface *float64
	Zone    money.Zone
	Fees    Fees
	// VATRate is in percent.
	VATRate    float64
	Indexation Indexation

	EntryInventory, ExitInventory calendar.Day
	// Date is when it was signed.
	Date   calendar.Day
	Notice Notice
	// EndedOn is its last day, once it is over, and DepositReturnDue when the
	// deposit is to be paid back.
	EndedOn, DepositReturnDue calendar.Day
	Revisions                 []Revision
	// CancellationReason is a code of list 17.
	CancellationReason string `trace:"keep"`
	Comment            string

	// Ahead is what the clock makes of it, as of when it was stored.
	Ahead []transition.Phase `trace:"-"`

	Added, Modified time.Time
	// Version is the site's ledger sequence at the last change.
	Version int64
}

// Control is what the rent is bounded by where rents are controlled, per m² (loi
// ELAN art. 140). No highest rent is no control.
type Control struct{ Reference, ReferenceMax money.Amount }

// ChargesMode is how charges are paid.
type ChargesMode string

// The modes: by what they come to in the end, or a sum that was agreed.
const (
	Provision ChargesMode = "PROVISION"
	FlatRate  ChargesMode = "FORFAIT"
)

// Fees are what the agency gets from each side.
type Fees struct {
	Landlord, Tenant, InventoryLandlord, InventoryTenant *money.Amount
}

// Indexation is what the rent is revised by, from a quarter on. No index is none.
type Indexation struct {
	Index   Index
	Quarter Quarter
}

// Side is one of the two who let.
type Side string

// The sides.
const (
	Tenant   Side = "LOCATAIRE"
	Landlord Side = "BAILLEUR"
)

// Notice ends a lease. Nobody gave one where By is empty.
type Notice struct {
	By       Side
	Received calendar.Day
	Reason   string
	Months   int
	// Ends is the last day of the lease.
	Ends calendar.Day
}

// RevisionID identifies a revision within its lease.
type RevisionID int64

// Revision is a rent that followed its index.
type Revision struct {
	ID      RevisionID
	Asked   calendar.Day
	Quarter Quarter
	From    money.Amount
	Rent    money.Amount
}

// Binding reports whether it occupies the product: two such leases of one product
// have no day in common.
func (l Lease) Binding() bool {
	return l.Status == Signed || l.Status == Running || l.Status == Noticed
}

// Has reports whether a customer is a party.
func (l Lease) Has(id customer.ID) bool {
	return slices.Contains(l.Landlords, id) || slices.Contains(l.Tenants, id) || slices.Contains(l.Guarantors, id)
}

// renewal returns how long another term is.
func (l Lease) renewal() int {
	switch k := l.Type.kind(); {
	case l.Type == Unfurnished && l.company():
		return longTerm
	case k.renewal > 0:
		return k.renewal
	}
	return l.Months
}

// company reports whether the law takes the landlord for one.
func (l Lease) company() bool { return l.ByCompany && !l.FamilyCompany }

// Term returns the last day of the term that a day lies in; none where there is no
// term.
func (l Lease) Term(day calendar.Day) calendar.Day {
	k := l.Type.kind()
	if !k.hasDuration() {
		return l.Last
	}
	term := calendar.Term.From(l.Start, calendar.France, l.Months).LastDay
	for term < day && k.end == renews {
		term = calendar.Term.From(term+1, calendar.France, l.renewal()).LastDay
	}
	if term < day && k.end == goesOn {
		return 0
	}
	return term
}

// last returns the last day that is certain, and none where the lease goes on.
func (l Lease) last() calendar.Day {
	switch k := l.Type.kind(); {
	case l.EndedOn != 0:
		return l.EndedOn
	case l.Notice.By != "":
		return l.Notice.Ends
	case k.hasDuration() && k.end != ends:
		return 0
	}
	return l.Term(l.Start)
}

// Overlaps reports whether two leases of one product have a day in common, and
// do not let different parts of it.
func (l Lease) Overlaps(m Lease) bool {
	if l.Room != "" && m.Room != "" && !sameRoom(l.Room, m.Room) {
		return false
	}
	before := func(a, b Lease) bool { return a.last() != 0 && a.last() < b.Start }
	return !before(l, m) && !before(m, l)
}

// Due returns the moment at which the clock changes the lease in a zone; the zero time
// is never.
func (l Lease) Due(zone *time.Location) time.Time {
	last := calendar.Day(0)
	switch l.Status {
	case Signed:
		return l.Start.Start(zone)
	case Noticed, Running:
		last = l.last()
	case Draft, Ended, Cancelled:
	}
	if last == 0 {
		return time.Time{}
	}
	return last.End(zone)
}

// At returns the lease as it is at a moment: the clock may have made transitions that
// nobody has stored yet.
func (l Lease) At(now time.Time, zone *time.Location) Lease {
	for due := l.Due(zone); !due.IsZero() && !now.Before(due); due = l.Due(zone) {
		if l.Status == Signed {
			l.Status = Running
			continue
		}
		l.Status, l.EndedOn = Ended, l.last()
	}
	return l
}

// Foresee returns the lease with what the clock makes of it in a zone.
func (l Lease) Foresee(zone *time.Location) Lease {
	l.Ahead = transition.Ahead(l,
		func(l Lease) time.Time { return l.Due(zone) },
		func(l Lease, now time.Time) Lease { return l.At(now, zone) },
		func(l Lease) string { return string(l.Status) })
	return l
}

// Parties lists the customers who are a party, each once.
func (l Lease) Parties() []customer.ID {
	all := slices.Concat(l.Landlords, l.Tenants, l.Guarantors)
	slices.Sort(all)
	return slices.Compact(all)
}

// Clone returns a copy that shares nothing with the lease.
func (l Lease) Clone() Lease {
	l.Landlords, l.Tenants, l.Guarantors = slices.Clone(l.Landlords), slices.Clone(l.Tenants), slices.Clone(l.Guarantors)
	l.Revisions, l.Ahead = slices.Clone(l.Revisions), slices.Clone(l.Ahead)
	return l
}

// Same reports whether two states of a lease show no difference.
func (l Lease) Same(m Lease) bool {
	return l.Status == m.Status && l.Type == m.Type && l.Agency == m.Agency && l.User == m.User && l.Product == m.Product &&
		slices.Equal(l.Landlords, m.Landlords) && slices.Equal(l.Tenants, m.Tenants) && slices.Equal(l.Guarantors, m.Guarantors) &&
		l.Room == m.Room && l.Start == m.Start && l.Months == m.Months && l.Last == m.Last &&
		l.FamilyCompany == m.FamilyCompany && l.ShortReason == m.ShortReason && l.Rent == m.Rent &&
		opt.Same(l.Supplement, m.Supplement) && l.SupplementReason == m.SupplementReason && l.Control == m.Control &&
		opt.Same(l.Charges, m.Charges) && l.ChargesMode == m.ChargesMode && opt.Same(l.Deposit, m.Deposit) && opt.Same(l.Surface, m.Surface) &&
		l.Zone == m.Zone && l.Fees.same(m.Fees) && l.VATRate == m.VATRate && l.Indexation == m.Indexation &&
		l.EntryInventory == m.EntryInventory && l.ExitInventory == m.ExitInventory && l.Date == m.Date && l.Notice == m.Notice &&
		l.EndedOn == m.EndedOn && l.DepositReturnDue == m.DepositReturnDue && slices.Equal(l.Revisions, m.Revisions) &&
		l.CancellationReason == m.CancellationReason && l.Comment == m.Comment
}

func (f Fees) same(g Fees) bool {
	return opt.Same(f.Landlord, g.Landlord) && opt.Same(f.Tenant, g.Tenant) &&
		opt.Same(f.InventoryLandlord, g.InventoryLandlord) && opt.Same(f.InventoryTenant, g.InventoryTenant)
}

// Anonymous returns what is left of a lease to which somebody was a party whom nobody
// may know any more: ids, dates and amounts.
func (l Lease) Anonymous() Lease {
	l.Comment, l.SupplementReason, l.ShortReason = "", "", ""
	return l
}

// Rents reports whether a customer is a tenant.
func (l Lease) Rents(id customer.ID) bool { return slices.Contains(l.Tenants, id) }

// Lets reports whether a customer is a landlord.
func (l Lease) Lets(id customer.ID) bool { return slices.Contains(l.Landlords, id) }

// Without returns a draft that a customer is no party to any more.
func (l Lease) Without(id customer.ID) Lease {
	l = l.Clone()
	l.Landlords, l.Tenants, l.Guarantors = offer.Left(l.Landlords, id), offer.Left(l.Tenants, id), offer.Left(l.Guarantors, id)
	return l
}
