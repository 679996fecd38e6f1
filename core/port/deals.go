package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Deals holds the offers, agreements or leases.
type Deals[ID ~int64, T any] interface {
	Table[ID, T]
	// Find lists the records a query wants, in its order. The answer must be what
	// deal.Filter.Matches and deal.Order.Compare say.
	Find(DealQuery) ([]T, error)
	// About lists the records about some products, by id.
	About(site.ID, []product.ID) ([]T, error)
	// With lists the records to which a customer is a party, by id.
	With(site.ID, customer.ID) ([]T, error)
	// Due lists at most n records, of any site, that the clock changes at a moment
	// or earlier, the first due first.
	Due(at time.Time, n int) ([]T, error)
}

// Offers holds the offers.
type Offers = Deals[offer.ID, offer.Offer]

// Agreements holds the sale agreements.
type Agreements = Deals[agreement.ID, agreement.Agreement]

// Lettings holds the leases of products.
type Lettings = Deals[letting.ID, letting.Lease]

// DealQuery says which offers, agreements or leases of a site are wanted.
type DealQuery struct {
	Site   site.ID
	Filter deal.Filter
	Order  deal.Order
	// After wants only ids above it, and goes with ascending ids; Skip passes over
	// that many.
	After int64
	Skip  int
	Limit int
}

// DealNumbers counts the offers, agreements, leases and visit slips of agencies.
type DealNumbers interface {
	// Next draws the next number: 1, 2, 3 and so on for each kind of each agency. A
	// unit of work that fails draws none.
	Next(site.ID, site.AgencyID, deal.Kind) (int64, error)
}

// DealNumber is the last number that was drawn.
type DealNumber struct {
	Site   site.ID
	Agency site.AgencyID
	Kind   deal.Kind
	Last   int64
}
