package cataloguetest

import (
	"math"
	"math/rand/v2"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

// center is where a city is: somewhere in France, and always there.
func (c city) center() criteria.Position {
	seed := uint64(0)
	for _, r := range c.name {
		seed = seed*31 + uint64(r)
	}
	d := rand.New(rand.NewPCG(seed, 4))
	return criteria.Position{Latitude: 43 + 6*d.Float64(), Longitude: -1 + 7*d.Float64()}
}

// around is a position in a city: most are in the middle of it, some ten
// kilometres away.
func (d dice) around(c city) criteria.Position {
	center, direction, away := c.center(), 2*math.Pi*d.Float64(), d.Float64()
	away *= away * 0.1
	return criteria.Position{
		Latitude:  center.Latitude + away*math.Sin(direction),
		Longitude: center.Longitude + away*1.4*math.Cos(direction),
	}
}

// Areas generates searches for products around a city, with three conditions.
// Most circles are of 5 to 30 kilometres, one in twenty is of 300.
func Areas(count, n int, seed uint64) []catalogue.Query {
	d := dice{rand.New(rand.NewPCG(seed, 5))}
	where := cities()
	queries := make([]catalogue.Query, count)
	for i := range queries {
		q := d.query(n)
		q.Filter.Criteria, q.Filter.Keyword = nil, product.Keyword{}
		for range 3 {
			q.Filter.Criteria = append(q.Filter.Criteria, d.condition())
		}
		q.Filter.Near = &product.Near{
			Center: d.around(of(d, where)),
			Radius: of(d, []float64{10, 5, 20, 2, 30, 15, 50, 100, 300}),
		}
		queries[i] = q
	}
	return queries
}

// Facets are the five facets a website shows besides its results: of each type
// that can be counted.
func Facets() []product.Facet {
	return []product.Facet{
		{Criterion: criteria.KeyPropertyType, Type: criteria.UNIQUE, Codes: propertyTypes},
		{Criterion: criteria.KeyPrice, Type: criteria.NUMBER, Bounds: []float64{50_000, 100_000, 150_000, 200_000, 300_000, 400_000, 600_000, 1_000_000}},
		{Criterion: "Equipements", Type: criteria.MULTIPLE, Codes: equipment},
		{Criterion: "Balcon", Type: criteria.FLAG},
		{Criterion: criteria.KeyRooms, Type: criteria.NUMBER, Bounds: []float64{2, 3, 4, 5}},
	}
}
