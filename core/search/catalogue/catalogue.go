// Package catalogue is the search engine: an in-process index over the products
// of one site. It answers as product.Filter.Matches and product.Order.Compare
// say, only faster. It performs no I/O: its owner feeds it.
//
// An Index gives every product a slot, in the order of the ids, and keeps four
// kinds of structures about slots. A set has those with some property: a code, a
// flag, an agency. A column has a value for each: a price, a date. A sorted column
// has the slots in the order of a value. A lexicon has their normalised texts, each
// once, under a number called its token, and finds by trigrams the texts that may
// contain a phrase. Addresses are in two of them, one for the numbers and one for the
// streets.
//
// A search turns its filter into predicates, which narrow one window of slots after
// the other, cheap and strict ones first. By id it stops with the window in which the
// page ends. Otherwise it tests the first slots of the sorted column one by one; if the
// page is not among them it narrows all windows, and sorts the matches or follows the
// sorted column until the page is full, whichever is less work.
//
// A Builder indexes all products of a site, Apply the changes that follow.
package catalogue

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Query is one search. After and Skip are the two ways to page: After is the
// cursor, after whose id the page begins, and goes with ascending ids.
type Query struct {
	Filter product.Filter
	Order  product.Order
	After  product.ID
	Skip   int
	Limit  int
}

// Page is the answer to a query, in order.
type Page struct {
	Entries []Entry
	// More reports that the query matches products after this page.
	More bool
}

// Entry has the fields of a product that the index keeps.
type Entry struct {
	ID       product.ID
	Agency   site.AgencyID
	Customer customer.ID
	// Parent is 0 while the parent is deleted.
	Parent product.ID
	// Version is the ledger sequence of the last change.
	Version int64
	// Lots is the number of lots of the product.
	Lots int
}

// Change is a new state of one product, or its deletion.
type Change struct {
	ID product.ID
	// Now is the product with this id, nil when it is deleted.
	Now *product.Candidate
}

// EncodeCursor returns the cursor after a product: its id in base64.
func EncodeCursor(id product.ID) string {
	return base64.StdEncoding.EncodeToString(strconv.AppendInt(nil, int64(id), 10))
}

// DecodeCursor returns the product of a cursor, with padding or without, and whether it
// is one. The product need not exist. The digits never need a character in which the two
// alphabets of base64 differ, so either is understood.
func DecodeCursor(cursor string) (product.ID, bool) {
	digits, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(cursor, "="))
	if err != nil {
		return 0, false
	}
	number, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil || number < 1 {
		return 0, false
	}
	// There is only one way to write a cursor, padding aside. Signs, leading
	// zeros and stray bits or padding do not come back.
	canonical := EncodeCursor(product.ID(number))
	if cursor != canonical && cursor != strings.TrimRight(canonical, "=") {
		return 0, false
	}
	return product.ID(number), true
}
