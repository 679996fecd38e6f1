package e2e_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
)

// what 300000 times 1.1 is to a computer, and to a person.
const (
	computed = 330000.00000000006
	exact    = 330000.0
)

// TestK9_EveryFiniteNumberIsAccepted: as a value and as a bound of every search.
func TestK9_EveryFiniteNumberIsAccepted(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c, here := w.network(t), w.network(t).create(object{"criteria": criteria("Ville", "Nombreville", "Prix", computed, "Surface", 66*1.1, "Altitude", 3)})
		if got := c.criterion(here, "Prix"); got != exact {
			t.Errorf("a price is kept as %v", got)
		}
		if got := c.criterion(here, "Surface"); got != 72.6 {
			t.Errorf("a surface is kept as %v", got)
		}
		among := func(more ...any) object {
			return object{"criterias": append(list{condition("Ville", "EGAL", "Nombreville")}, more...)}
		}
		finds := func(body object, want ...int64) {
			t.Helper()
			if got := c.walk(body); !slices.Equal(got, want) {
				t.Errorf("%v finds %v, not %v", body, got, want)
			}
			if got := c.count(body); got != len(want) {
				t.Errorf("%v counts %d, not %d", body, got, len(want))
			}
		}
		finds(among(condition("Prix", "INFERIEUR", computed)), here)
		finds(among(condition("Prix", "SUPERIEUR", computed)))
		finds(among(condition("Prix", "EGAL", "330000.00000000006")))
		finds(among(condition("Prix", "DIFFERENT", computed)), here)
		finds(among(condition("Prix", "SUPERIEUR", -math.MaxFloat64), condition("Prix", "INFERIEUR", math.MaxFloat64)), here)
		finds(among(condition("Prix", "SUPERIEUR", json.Number("1e-400"))), here)
		c.facets(among(), object{"id": "Prix", "bands": list{0.1 + 0.2, exact, computed, 1e300}}).is(200).
			equals("data.0.bands.2.from", exact).equals("data.0.bands.2.to", computed).equals("data.0.bands.2.count", 1).equals("data.0.bands.3.count", 0)
		c.search(object{"near": object{"latitude": 45.76 * 1.1, "longitude": 4.83 * 1.1, "radius_km": 1.1 * 1.1}}).is(200)
		c.search(object{"within": object{"south": 0.1 + 0.2, "west": 0.1 + 0.2, "north": 1.1 * 1.1, "east": 1.1 * 1.1}}).is(200)

		huge := c.create(object{"criteria": criteria("Ville", "Nombreville", "Prix", math.MaxFloat64)})
		if got := c.criterion(huge, "Prix"); got != math.MaxFloat64 {
			t.Errorf("the largest number is kept as %v", got)
		}
		finds(among(condition("Prix", "SUPERIEUR", 1e300)), huge)
		c.change(huge, object{"criteria": criteria("Prix", json.Number("1e400"))}).refused(422, "invalid_criteria_value", "criteria[0].value")
		c.search(among(condition("Prix", "EGAL", json.Number("-1e400")))).refused(422, "invalid_criteria_value", "criterias[1].value")

		search, _ := c.lookingFor(11, object{"transaction_type": "Vente", "price_min": -1.5, "price_max": computed, "surface_min": 66 * 1.1,
			"financing": object{"budget_total": computed}, "criteria": list{condition("Altitude", "SUPERIEUR", -math.MaxFloat64)}})
		c.get(search).is(200).equals("data.price_min", -1.5).equals("data.price_max", computed).equals("data.surface_min", 66*1.1).
			equals("data.financing.budget_total", exact)
		defer func() { c.delete(search).is(204) }()
		c.get(search + "/matching-products?near_misses=true").is(200)
		c.send("PATCH", search, object{"price_max": json.Number("1e400")}).refused(422, "out_of_range", "price_max")
		for _, id := range []int64{here, huge} {
			c.delete(product(id)).is(204)
		}
	})
}
