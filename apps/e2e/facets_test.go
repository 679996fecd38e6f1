package e2e_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func (c *client) facets(filters object, facets ...any) answer {
	c.t.Helper()
	body := object{"facets": facets}
	for key, value := range filters {
		body[key] = value
	}
	return c.post("/products/search/facets", body)
}

// Facets count what a reader of all products would count by hand.
func TestFacetsCountByHand(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		all := catalogue(c)
		lyon := object{"criterias": list{condition("Ville", "EGAL", "Lyon")}, "near": object{"latitude": 45.764, "longitude": 4.8357, "radius_km": 30}}
		center := vector(45.764, 4.8357)
		near := placed(func(lat, lng float64) bool { return kilometres(center, vector(lat, lng)) <= 30 })
		inLyon := both(near, textIs("Ville", func(v string) bool { return fold(v) == "lyon" }))
		for name, test := range map[string]struct {
			filters object
			holds   func(object) bool
		}{
			"everything": {object{}, func(object) bool { return true }},
			"Lyon":       {lyon, inLyon},
		} {
			count := func(holds func(object) bool) int { return len(chosen(all, both(test.holds, holds))) }
			got := c.facets(test.filters,
				object{"id": "TypeBien"}, object{"id": "Equipements"}, object{"id": "Ascenseur"},
				object{"id": "6", "bands": list{200000, "350000.50"}}, object{"id": "DateMandat", "bands": list{"2026-03-01", "01/06/2026"}},
			).is(200).equals("count", count(func(object) bool { return true }))

			labels := 0
			for place, wanted := range map[string]func(code string) func(object) bool{
				"data.0": func(code string) func(object) bool { return textIs("TypeBien", is(code)) },
				"data.1": func(code string) func(object) bool { return setHas("Equipements", code) },
			} {
				for _, one := range got.list(place + ".values") {
					one := one.(object)
					if want := count(wanted(one["value"].(string))); one["count"] != float64(want) {
						t.Errorf("%s: %v, want %d", name, one, want)
					}
					if one["label"] != nil {
						labels++
					}
				}
			}
			if labels < 20 {
				t.Errorf("%s: %d values have labels", name, labels)
			}
			flagged := func(p object) bool { return value(p, "Ascenseur") == 1.0 }
			got.equals("data.2", object{"id": "Ascenseur", "values": list{
				object{"value": 0.0, "label": nil, "count": float64(count(not(flagged)))},
				object{"value": 1.0, "label": nil, "count": float64(count(flagged))},
			}})
			priced := func(low, high float64) float64 {
				return float64(count(numberIs("Prix", func(n float64) bool { return n >= low && n < high })))
			}
			got.equals("data.3", object{"id": "Prix", "bands": list{
				object{"from": nil, "to": 200000.0, "count": priced(0, 200000)},
				object{"from": 200000.0, "to": 350000.5, "count": priced(200000, 350000.5)},
				object{"from": 350000.5, "to": nil, "count": priced(350000.5, 1e15)},
			}})
			dated := func(from, to string) float64 {
				return float64(count(textIs("DateMandat", func(text string) bool { return text >= from && text < to })))
			}
			got.equals("data.4", object{"id": "DateMandat", "bands": list{
				object{"from": nil, "to": "2026-03-01", "count": dated("", "2026-03-01")},
				object{"from": "2026-03-01", "to": "2026-06-01", "count": dated("2026-03-01", "2026-06-01")},
				object{"from": "2026-06-01", "to": nil, "count": dated("2026-06-01", "9")},
			}})
		}
	})
}

// Without products there are the active values of the referential, in its order.
func TestFacetsListTheReferential(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		var wanted []string
		for _, v := range c.get("/criterias/product/EtatGeneral/values").is(200).list("data") {
			wanted = append(wanted, v.(object)["model"].(string))
		}
		var got []string
		for _, v := range c.facets(object{"keyword": "nothing like it"}, object{"id": "EtatGeneral"}).is(200).equals("count", 0).list("data.0.values") {
			got = append(got, v.(object)["value"].(string))
		}
		if diff := gocmp.Diff(wanted, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func TestFacetsAreRefusedByField(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c, website := w.network(t), w.website(t)
		c.post("/products/search/facets", object{}).refused(422, "required", "facets")
		c.facets(object{"facets": nil}, list{}...).refused(422, "required", "facets")
		many := list{}
		for range 21 {
			many = append(many, object{"id": "TypeBien"})
		}
		c.facets(object{}, many...).refused(422, "out_of_range", "facets")
		c.facets(object{}, many[:20]...).is(200)
		refused := func(facet object, code, field string) {
			t.Helper()
			c.facets(object{}, object{"id": "TypeBien"}, facet).refused(422, code, "facets[1]."+field)
		}
		refused(object{}, "required", "id")
		refused(object{"id": "Rien"}, "unknown_criterion", "id")
		refused(object{"id": "Ville"}, "facet_not_supported", "id")
		refused(object{"id": "Remarques"}, "facet_not_supported", "id")
		refused(object{"id": "Prix"}, "required", "bands")
		refused(object{"id": "Prix", "bands": list{}}, "required", "bands")
		refused(object{"id": "DateMandat"}, "required", "bands")
		refused(object{"id": "TypeBien", "bands": list{1}}, "facet_not_supported", "bands")
		refused(object{"id": "Prix", "bands": list{1, 1}}, "out_of_range", "bands[1]")
		refused(object{"id": "Prix", "bands": list{1, "x"}}, "invalid_criteria_value", "bands[1]")
		refused(object{"id": "Prix", "bands": list{nil}}, "required", "bands[0]")
		refused(object{"id": "DateMandat", "bands": list{"2026-06-01", "2026-05-01"}}, "out_of_range", "bands[1]")
		refused(object{"id": "DateMandat", "bands": list{"June"}}, "invalid_criteria_value", "bands[0]")
		bounds := list{}
		for i := range 101 {
			bounds = append(bounds, i)
		}
		refused(object{"id": "Prix", "bands": bounds}, "out_of_range", "bands")
		c.facets(object{}, object{"id": "Prix", "bands": bounds[:100]}).is(200)

		// A website counts as it searches: what is private to others does not exist.
		website.facets(object{}, object{"id": "TypeBien"}).is(200)
		website.facets(object{}, object{"id": "NumeroMandat"}, object{"id": "Remarques"}).refused(422, "validation_error")
		c.facets(object{"agency_id": 21}, object{"id": "TypeBien"}).refused(403, "agency_out_of_scope")
	})
}
