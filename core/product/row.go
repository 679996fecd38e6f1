package product

import "github.com/vitrine-crm/vitrine/core/criteria"

// Row is a product as a store reads it fastest, for who looks at it once: in the place of
// its Criteria, which are nil, it has Facts.
type Row struct {
	Product
	Facts criteria.Facts
}
