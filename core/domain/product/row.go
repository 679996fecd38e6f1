package product

import "github.com/vitrine-crm/vitrine/core/domain/criteria"

// Row is a product as a store reads it fastest, for who looks at it once: in the place of
// its Criteria, which are nil, it has Facts.
type Row struct {
	Product
	Facts criteria.Facts
	// Codes, Described and Pictured are memory for the codes of facts, for descriptions and for
	// pictures.
	Codes     []string
	Described []Description
	Pictured  []Picture
}

// Set makes it the row of a product.
func (r *Row) Set(p Product) {
	r.Facts = criteria.AppendFacts(r.Facts[:0], p.Criteria)
	r.Product = p
	r.Criteria = nil
}
