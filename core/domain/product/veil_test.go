package product_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// TestTheSameShowsOfFactsAndOfValues: what a veil hides does not depend on what the
// criteria are kept in.
func TestTheSameShowsOfFactsAndOfValues(t *testing.T) {
	keys := []string{criteria.KeyAddress, criteria.KeyHideAddress, criteria.KeyCity, criteria.KeyPrice}
	rapid.Check(t, func(t *rapid.T) {
		values := criteria.Values{}
		for _, key := range keys {
			switch rapid.IntRange(0, 3).Draw(t, key) {
			case 0:
				values[key] = criteria.Text("x")
			case 1:
				values[key] = criteria.Flag(true)
			case 2:
				values[key] = criteria.Flag(false)
			}
		}
		veil := product.Veil{Private: map[string]bool{}, Addresses: rapid.Bool().Draw(t, "addresses")}
		for _, key := range keys {
			veil.Private[key] = rapid.Bool().Draw(t, "private")
		}
		shown := veil.AppendFacts(nil, criteria.AppendFacts(nil, values))
		if want := veil.Over(values); !shown.Values().Equal(want) {
			t.Fatalf("of %v show %v, not %v", values, shown.Values(), want)
		}
	})
}
