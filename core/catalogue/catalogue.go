// Package catalogue is the search engine: an in-process index over the products
// of one site. It answers as product.Filter.Matches and product.Order.Compare
// say, only faster. It performs no I/O: somebody else feeds it.
package catalogue

import (
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Query is one search. After and Skip are the two ways to page: After is the
// cursor and goes with ascending ids only.
type Query struct {
	Filter product.Filter
	Order  product.Order
	After  product.ID
	Skip   int
	Limit  int
}

// Page is what a query found, in order.
type Page struct {
	Entries []Entry
	// More tells that the query matches products beyond this page.
	More bool
}

// Entry is what the catalogue knows of a product without asking the store.
type Entry struct {
	ID       product.ID
	Agency   site.AgencyID
	Customer customer.ID
	Parent   product.ID
	// Version is the ledger sequence of the last change.
	Version int64
	// Lots is how many lots the product has.
	Lots int
}

// Change is a new state of one product, or its end.
type Change struct {
	ID product.ID
	// Now is nil when the product is gone.
	Now *product.Candidate
}
