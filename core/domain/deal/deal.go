// Package deal is what offers, agreements and leases have in common: the facts
// that they are found and sorted by.
package deal

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// Kind is what a record is.
type Kind string

// The kinds, by the letter of their numbers.
const (
	Offers     Kind = "O"
	Agreements Kind = "C"
	Leases     Kind = "B"
	// VisitSlips are numbered as deals are, and are no deals.
	VisitSlips Kind = "V"
)

// Facts are what a search looks at. Zero ids and days mean none.
type Facts struct {
	ID      int64
	Agency  site.AgencyID
	User    site.UserID
	Product product.ID
	// Offer is the one that an agreement was made from.
	Offer   offer.ID
	Parties []customer.ID
	Type    string
	// Status is the one that is stored, and Ahead what the clock makes of it.
	Status string
	Ahead  []transition.Phase
	// Date is when an offer was made, an agreement was signed, or a lease begins.
	Date calendar.Day
	// Amount is that of an offer, the price of an agreement, or the rent of a lease.
	Amount          money.Amount
	Added, Modified time.Time
}

// Due returns when the clock next changes the record; the zero time is never.
func (f Facts) Due() time.Time {
	if len(f.Ahead) == 0 {
		return time.Time{}
	}
	return f.Ahead[0].From
}

// OfOffer returns the facts of an offer.
func OfOffer(o offer.Offer) Facts {
	return Facts{
		ID: int64(o.ID), Agency: o.Agency, User: o.User, Product: o.Product, Parties: o.Parties(), Status: string(o.Status), Ahead: o.Ahead,
		Date: o.Date, Amount: o.Amount, Added: o.Added, Modified: o.Modified,
	}
}

// OfAgreement returns the facts of an agreement.
func OfAgreement(a agreement.Agreement) Facts {
	return Facts{
		ID: int64(a.ID), Agency: a.Agency, User: a.User, Product: a.Product, Offer: a.Offer, Parties: a.Parties(), Type: string(a.Type),
		Status: string(a.Status), Ahead: a.Ahead, Date: a.Date, Amount: a.Price, Added: a.Added, Modified: a.Modified,
	}
}

// OfLease returns the facts of a lease.
func OfLease(l letting.Lease) Facts {
	return Facts{
		ID: int64(l.ID), Agency: l.Agency, User: l.User, Product: l.Product, Parties: l.Parties(), Type: string(l.Type),
		Status: string(l.Status), Ahead: l.Ahead, Date: l.Start, Amount: l.Rent, Added: l.Added, Modified: l.Modified,
	}
}

// Filter says which records a search wants. Every part that is set must hold.
type Filter struct {
	// Agencies limits the search; it is never open. A filter without agencies
	// matches nothing.
	Agencies []site.AgencyID
	Product  product.ID
	// Customer is any party.
	Customer customer.ID
	User     site.UserID
	Offer    offer.ID
	// Statuses are those that records have at Now; none is any.
	Statuses []string
	Now      time.Time
	Types    []string
	// From and To bound the date, both included. A record without a date is not
	// within any bounds.
	From, To calendar.Day
	// ModifiedSince is inclusive; zero is any.
	ModifiedSince time.Time
}

// Matches specifies search: every store must agree with it.
func (f Filter) Matches(of Facts) bool {
	switch {
	case !slices.Contains(f.Agencies, of.Agency):
		return false
	case f.Product != 0 && f.Product != of.Product:
		return false
	case f.Customer != 0 && !slices.Contains(of.Parties, f.Customer):
		return false
	case f.User != 0 && f.User != of.User:
		return false
	case f.Offer != 0 && f.Offer != of.Offer:
		return false
	case len(f.Statuses) > 0 && !slices.Contains(f.Statuses, transition.StatusAt(of.Status, of.Ahead, f.Now)):
		return false
	case len(f.Types) > 0 && !slices.Contains(f.Types, of.Type):
		return false
	case f.From != 0 && of.Date < f.From:
		return false
	case f.To != 0 && (of.Date == 0 || of.Date > f.To):
		return false
	}
	return f.ModifiedSince.IsZero() || !of.Modified.Before(f.ModifiedSince)
}

// Key is what records are sorted by.
type Key uint8

// The keys.
const (
	ByID Key = iota
	ByModified
	ByAdded
	ByAmount
)

// Order is a key with a direction; the id breaks ties in the same direction.
type Order struct {
	Key  Key
	Desc bool
}

// Compare returns which of two records comes first.
func (o Order) Compare(a, b Facts) int {
	by := 0
	switch o.Key {
	case ByModified:
		by = a.Modified.Compare(b.Modified)
	case ByAdded:
		by = a.Added.Compare(b.Added)
	case ByAmount:
		by = cmp.Compare(a.Amount, b.Amount)
	case ByID:
	}
	by = cmp.Or(by, cmp.Compare(a.ID, b.ID))
	if o.Desc {
		return -by
	}
	return by
}
