package product_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

func TestWhichBucketHoldsAValue(t *testing.T) {
	types := product.Facet{Type: criteria.UNIQUE, Codes: []string{"Maison", "Villa"}}
	equipment := product.Facet{Type: criteria.MULTIPLE, Codes: []string{"SAUNA", "PISCINE", "FIBRE"}}
	lift := product.Facet{Type: criteria.FLAG}
	price := product.Facet{Type: criteria.NUMBER, Bounds: []float64{100, 200}}
	for _, c := range []struct {
		facet product.Facet
		value criteria.Value
		want  []int
	}{
		{types, criteria.Unique("Villa"), []int{1}},
		{types, criteria.Unique("Loft"), nil},
		{types, nil, nil},
		{equipment, criteria.Multiple{"PISCINE", "SAUNA"}, []int{0, 1}},
		{equipment, criteria.Multiple{"PISCINE", "PISCINE"}, []int{1}},
		{lift, criteria.Flag(true), []int{1}},
		{lift, criteria.Flag(false), []int{0}},
		{lift, nil, []int{0}},
		{price, criteria.Number(99.99), []int{0}},
		{price, criteria.Number(100), []int{1}},
		{price, criteria.Number(199.99), []int{1}},
		{price, criteria.Number(200), []int{2}},
		{price, nil, nil},
		{product.Facet{Type: criteria.NUMBER}, criteria.Number(5), []int{0}},
		{product.Facet{Type: criteria.TEXT, Codes: []string{"x"}}, criteria.Text("x"), nil},
	} {
		var got []int
		for bucket := range c.facet.Buckets() {
			if c.facet.Holds(bucket, c.value) {
				got = append(got, bucket)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v counts in %v of %+v, want %v", c.value, got, c.facet, c.want)
		}
	}
}

// TestBandsHoldEveryNumberOnce: a number is in the band whose number is how many
// bounds it has reached.
func TestBandsHoldEveryNumberOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := rapid.SliceOfDistinct(rapid.Float64Range(-5, 5), rapid.ID).Draw(t, "bounds")
		slices.Sort(bounds)
		facet := product.Facet{Type: criteria.NUMBER, Bounds: bounds}
		n := rapid.OneOf(rapid.Float64Range(-6, 6), rapid.SampledFrom(append(bounds, 0))).Draw(t, "n")
		reached := 0
		for _, bound := range bounds {
			if bound <= n {
				reached++
			}
		}
		for bucket := range facet.Buckets() {
			if facet.Holds(bucket, criteria.Number(n)) != (bucket == reached) {
				t.Fatalf("%v is in band %d of %v: %t", n, bucket, bounds, bucket != reached)
			}
		}
	})
}
