// Package catalogue is the search engine: an in-process index over the products
// of one site. It answers as product.Filter.Matches and product.Order.Compare
// say, only faster. It performs no I/O: its owner feeds it.
//
// An Index gives every product a slot, in the order of the ids, and knows four
// kinds of things about slots. A set has those with some property: a code, a
// flag, an agency. A column has a value for each: a price, a date. A ranking has
// them in the order of a value. A lexicon has their texts, each once, under a
// number called its token, and finds by trigrams the texts a phrase may be in.
// Addresses are in two of them, one for the numbers and one for the streets. Which
// slots have a phrase in their texts is remembered if it took long to find.
//
// A search turns its filter into predicates and has them narrow one window of
// slots after the other, cheap and strict ones first. By id it stops with the
// window in which the page ends. Otherwise it looks at the first slots of the ranking
// one by one; if the page is not among them it narrows all windows, and puts what is
// left in order or follows the ranking until the page is full, whichever is less work.
//
// A Builder takes in all products of a site, Apply the changes that follow.
package catalogue

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Query is one search. After and Skip are the two ways to page: After is the
// cursor, behind whose id the page begins, and goes with ascending ids.
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
	// Parent is 0 while the parent is gone.
	Parent product.ID
	// Version is the ledger sequence of the last change.
	Version int64
	// Lots is how many lots the product has.
	Lots int
}

// Change is a new state of one product, or its end.
type Change struct {
	ID product.ID
	// Now is the product with this id, nil when it is gone.
	Now *product.Candidate
}
