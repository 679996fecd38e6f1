package cataloguetest

import (
	"iter"
	"math"
	"math/rand/v2"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Searches generates n search requests as agencies note them down, in ascending
// order of their ids: a transaction, mostly one or two types of property, a
// highest price and two or three more bounds, up to three key points, and one to
// three areas. Some ask for anywhere; one in ten is not open.
func Searches(n int, seed uint64) iter.Seq[demand.SearchRequest] {
	return func(yield func(demand.SearchRequest) bool) {
		g := generator{dice{rand.New(rand.NewPCG(seed, 6))}, cities(), n}
		for i := range n {
			if !yield(g.search(demand.SearchID(i + 1))) {
				return
			}
		}
	}
}

// OnTheMarket is what a product must meet to be proposed to anybody.
func OnTheMarket() product.Filter {
	return product.Filter{Agencies: Agencies(), Criteria: []criteria.Condition{{
		Criterion: criteria.KeyStatus, Type: criteria.UNIQUE, Operator: criteria.EGAL, Codes: []string{"EnCours"},
	}}}
}

func (g generator) search(id demand.SearchID) demand.SearchRequest {
	r := demand.SearchRequest{
		ID: id, Site: 1, Customer: customer.ID(5000 + g.IntN(2*g.n/5+1)), Agency: of(g.dice, Agencies()),
		Active: g.chance(95), Status: demand.StatusActive, TransactionType: of(g.dice, transactions),
	}
	if g.chance(5) {
		r.Status = demand.StatusPaused
	}
	if g.chance(85) {
		r.PropertyTypes = []string{of(g.dice, propertyTypes)}
		if other := of(g.dice, propertyTypes); g.chance(40) && other != r.PropertyTypes[0] {
			r.PropertyTypes = append(r.PropertyTypes, other)
		}
	}
	g.bounds(&r)
	if g.chance(10) {
		r.Criteria = append(r.Criteria, criteria.Condition{
			Criterion: criteria.KeyEnergyLetter, Type: criteria.UNIQUE, Operator: criteria.COMPREND, Codes: []string{"A", "B", "C", "D"},
		})
	}
	for i, flag := range flags {
		if g.chance(22 - 2*i) {
			r.KeyPoints = append(r.KeyPoints, demand.KeyPoint{
				ID: flag, Importance: of(g.dice, []demand.Importance{demand.Souhaite, demand.Indispensable, demand.Exclu}),
				Condition: &criteria.Condition{Criterion: flag, Type: criteria.FLAG, Operator: criteria.EGAL, Flag: true},
			})
		}
	}
	if g.chance(85) {
		for range 1 + g.IntN(3) {
			r.Areas = append(r.Areas, g.area())
		}
	}
	return r
}

func (g generator) bounds(r *demand.SearchRequest) {
	limits := demand.Bounds()
	limit := func(n int, value float64) { r.SetBound(limits[n], &value) }
	most := float64(80+10*g.IntN(60)) * 1000
	if r.TransactionType == "Location" {
		most = float64(400 + 50*g.IntN(40))
	}
	if g.chance(92) {
		limit(1, most)
	}
	if g.chance(35) {
		limit(0, math.Round(most*0.6))
	}
	if g.chance(65) {
		limit(2, float64(20+5*g.IntN(20)))
	}
	if g.chance(50) {
		limit(5, float64(1+g.IntN(4)))
	}
	if g.chance(25) {
		limit(7, float64(1+g.IntN(3)))
	}
	if g.chance(8) {
		limit(4, float64(200+100*g.IntN(10)))
	}
}

func (g generator) area() demand.Area {
	where := of(g.dice, g.cities)
	a := demand.Area{ID: 1, Excluded: g.chance(4)}
	switch n := g.IntN(100); {
	case n < 55:
		a.Type, a.Code = demand.PostalCode, where.postalCode
	case n < 75:
		a.Type, a.Label = demand.City, where.name
	case n < 87:
		a.Type, a.Code = demand.Department, where.postalCode[:2]
	default:
		a.Type, a.RadiusKm = demand.Radius, float64(5+5*g.IntN(8))
		a.Center = criteria.Position{Latitude: 43 + 6*g.Float64(), Longitude: -1 + 7*g.Float64()}
	}
	return a
}
