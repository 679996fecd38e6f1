package product

import (
	"maps"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// Veil is what somebody is not shown of products. A search under a veil looks no
// further than a reader does: else its answers would tell what is hidden, letter
// by letter. The zero Veil hides nothing.
type Veil struct {
	// Private are the keys of criteria that are hidden of every product.
	Private map[string]bool
	// Addresses hides Adresse of products whose AdresseMasquee is 1.
	Addresses bool
}

// Hides reports whether the veil hides a criterion of the product that has these
// values.
func (v Veil) Hides(key string, of criteria.Lookup) bool {
	return v.Private[key] || v.Addresses && key == criteria.KeyAddress && of.Flag(criteria.KeyHideAddress)
}

// Over returns the values of a product that show through the veil.
func (v Veil) Over(values criteria.Values) criteria.Values {
	if len(v.Private) == 0 && !v.Addresses {
		return values
	}
	shown := values
	for key := range values {
		if !v.Hides(key, values) {
			continue
		}
		if len(shown) == len(values) {
			shown = maps.Clone(values)
		}
		delete(shown, key)
	}
	return shown
}

// AppendFacts appends the facts of a product that show through the veil.
func (v Veil) AppendFacts(shown, all criteria.Facts) criteria.Facts {
	for i := range all {
		if !v.Hides(all[i].Key, &all) {
			shown = append(shown, all[i])
		}
	}
	return shown
}
