package product

import (
	"cmp"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// SortKey is what a search can be ordered by, in the contract's spelling.
type SortKey string

// The sort keys.
const (
	ByID       SortKey = "id"
	ByPrice    SortKey = "prix"
	ByModified SortKey = "date"
	BySurface  SortKey = "surface"
	ByAdded    SortKey = "date_added"
)

// SortKeys lists the sort keys.
func SortKeys() []SortKey { return []SortKey{ByID, ByPrice, ByModified, BySurface, ByAdded} }

// Criterion returns the key of the criterion it goes by, empty when it goes by none.
func (k SortKey) Criterion() string {
	switch k {
	case ByPrice:
		return criteria.KeyPrice
	case BySurface:
		return criteria.KeySurface
	default:
		return ""
	}
}

// Order is the order of a search. Ties are ordered by id in the same direction;
// products without the sort value come last in either direction.
type Order struct {
	Key        SortKey
	Descending bool
}

// SortValue returns what a product is ordered by under the key, and whether it has
// such a value.
func (p Product) SortValue(key SortKey) (float64, bool) {
	switch key {
	case ByPrice, BySurface:
		return p.Criteria.Number(key.Criterion())
	case ByModified:
		return float64(p.Modified.UnixMicro()), true
	case ByAdded:
		return float64(p.Added.UnixMicro()), true
	default: // ByID: ties are ordered by id
		return 0, true
	}
}

// Compare orders two products; it is the specification of every sort.
func (o Order) Compare(p, q Product) int {
	a, hasA := p.SortValue(o.Key)
	b, hasB := q.SortValue(o.Key)
	if hasA != hasB {
		if hasA {
			return -1
		}
		return 1
	}
	by := cmp.Or(cmp.Compare(a, b), cmp.Compare(p.ID, q.ID))
	if o.Descending {
		return -by
	}
	return by
}
