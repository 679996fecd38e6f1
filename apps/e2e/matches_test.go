package e2e_test

import (
	"fmt"
	"testing"
)

// lookingFor adds a search request of a new customer of an agency and returns
// its path.
func (c *client) lookingFor(agency int, fields object) (path string, id int64) {
	c.t.Helper()
	customer := c.post("/customers", object{"type": "ACQUEREUR", "lastname": "Cherche", "agency_id": agency}).is(201).id("data.id")
	path = fmt.Sprintf("/customers/%d/searches", customer)
	id = c.post(path, fields).is(201).id("data.id")
	return fmt.Sprintf("%s/%d", path, id), id
}

// island is a place of its own for a test, so that nothing else is near.
type island int

func (i island) areas() list {
	return list{object{"type": "RADIUS", "latitude": -40 - int(i), "longitude": 90, "radius_km": 1}}
}

func (i island) listing(price int) object {
	return object{"agency_id": 11, "web_status": true, "criteria": criteria(
		"TypeTransaction", "Vente", "TypeBien", "Maison", "Prix", price, "Statut", "EnCours", "Alentour", fmt.Sprintf("%d,90", -40-int(i)),
	)}
}

// match is the one match of an answer.
func (a answer) match(key string, id int64) answer {
	a.t.Helper()
	if got := len(a.is(200).list("data")); got != 1 {
		a.t.Fatalf("%s\n%d matches, not one", a, got)
	}
	return a.equals("data.0."+key, int(id)).equals("count", 1).equals("has_more", false)
}

func (a answer) noMatch() answer {
	a.t.Helper()
	if got := len(a.is(200).list("data")); got != 0 {
		a.t.Fatalf("%s\n%d matches, not none", a, got)
	}
	return a.equals("count", 0)
}

func TestMatchingShowsAListingAtOnceAndWithReasons(t *testing.T) {
	onEach(t, "matches", func(t *testing.T, w *world) {
		c, where := w.network(t), island(1)
		path, search := c.lookingFor(11, object{
			"transaction_type": "Vente", "property_types": list{"Maison"}, "price_max": 300000, "areas": where.areas(),
		})
		c.get(path + "/matching-products").noMatch()
		house := c.create(where.listing(290000))
		found := c.get(product(house)+"/matching-searches").match("search_id", search).
			equals("data.0.match", true).equals("data.0.score", 100).equals("data.0.misses", list{})
		if ids := len(found.list("data.0.reasons")); ids != 4 {
			t.Errorf("%s\n%d reasons, not four", found, ids)
		}
		found.equals("data.0.reasons.2.id", "Prix").equals("data.0.reasons.2.wanted.operator", "INFERIEUR").
			equals("data.0.reasons.2.wanted.value", 300000).equals("data.0.reasons.2.found", 290000)
		c.get(path+"/matching-products").match("product_id", house).equals("data.0.match", true)
		c.get(path).is(200).equals("data.matches_count", 1)

		c.patch(product(house), object{"product_id": house, "criteria": criteria("Statut", "Vendu")}).is(204)
		c.get(path + "/matching-products").noMatch()
		c.get(product(house)+"/matching-searches").match("search_id", search)
		c.delete(product(house)).is(204)
		c.get(product(house)+"/matching-searches").refused(404, "not_found")
	})
}

func TestAStatisticCountsTheSearchesThatWantAProduct(t *testing.T) {
	onEach(t, "matches", func(t *testing.T, w *world) {
		c, where := w.network(t), island(4)
		house := c.create(where.listing(300000))
		wanted := func(want int) {
			t.Helper()
			c.get(product(house)+"?fetch=statistic").is(200).equals("data.statistic.matching_searches", want)
			c.get(product(house)+"/matching-searches").is(200).equals("count", want)
			near := object{"near": object{"latitude": -44, "longitude": 90, "radius_km": 1}}
			c.search(near, "?fetch=statistic").is(200).equals("data.0.id", house).equals("data.0.statistic.matching_searches", want)
		}
		wanted(0)
		path, _ := c.lookingFor(11, object{"transaction_type": "Vente", "price_max": 300000, "areas": where.areas()})
		c.lookingFor(12, object{"transaction_type": "Vente", "areas": where.areas()})
		c.lookingFor(11, object{"transaction_type": "Vente", "price_max": 299000, "areas": where.areas()}) // nearly
		c.lookingFor(11, object{"transaction_type": "Location", "areas": where.areas()})
		w.rival(t).lookingFor(21, object{"transaction_type": "Vente", "areas": where.areas()})
		wanted(2)
		c.patch(path, object{"status": "EN_PAUSE"}).is(204)
		wanted(1)
		c.change(house, object{"criteria": criteria("TypeTransaction", "Viager")}).is(204)
		wanted(0)
	})
}

func TestALastMatchIsTheLatestChangeOfWhatMatches(t *testing.T) {
	onEach(t, "matches", func(t *testing.T, w *world) {
		c, where := w.network(t), island(5)
		path, _ := c.lookingFor(11, object{"transaction_type": "Vente", "price_max": 300000, "areas": where.areas()})
		last := func(want any) {
			t.Helper()
			c.get(path).is(200).equals("data.last_match_at", want)
		}
		modified := func(id int64) string { return c.get(product(id)).is(200).text("data.last_modified") }
		last(nil)
		first := c.create(where.listing(290000))
		last(modified(first))
		second := c.create(where.listing(295000))
		last(modified(second))
		c.change(first, object{"criteria": criteria("Prix", 280000)}).is(204)
		last(modified(first))
		c.change(second, object{"criteria": criteria("Prix", 400000)}).is(204) // matches no more
		last(modified(first))
		c.change(first, object{"criteria": criteria("Statut", "Vendu")}).is(204)
		last(nil)
	})
}

func TestMatchingNearMissesSayWhatFailedAndByHowMuch(t *testing.T) {
	onEach(t, "matches", func(t *testing.T, w *world) {
		c, where := w.network(t), island(2)
		path, search := c.lookingFor(11, object{"transaction_type": "Vente", "price_min": 29000000, "price_max": 30000000, "areas": where.areas()})
		house := c.create(where.listing(31000000))
		for _, list := range []string{path + "/matching-products", product(house) + "/matching-searches"} {
			c.get(list).noMatch()
			near := c.get(list+"?near_misses=true").is(200).equals("count", 1).equals("data.0.match", false)
			near.equals("data.0.misses.0.id", "Prix").equals("data.0.misses.0.by", 1000000).
				equals("data.0.misses.0.found", 31000000).equals("data.0.misses.0.wanted.value", 30000000)
			if n := len(near.list("data.0.misses")); n != 1 {
				t.Errorf("%s\n%d misses", near, n)
			}
		}
		c.patch(path, object{"status": "EN_PAUSE"}).is(204)
		c.get(product(house) + "/matching-searches?near_misses=true").noMatch()
		c.patch(path, object{"status": "ACTIVE", "price_max": 31000000}).is(204)
		c.get(product(house)+"/matching-searches").match("search_id", search)
		c.delete(path).is(204)
		c.get(product(house) + "/matching-searches").noMatch()
	})
}

func TestMatchingStaysWithinScopeAndRights(t *testing.T) {
	onEach(t, "matches", func(t *testing.T, w *world) {
		c, where := w.network(t), island(3)
		path, _ := c.lookingFor(11, object{"transaction_type": "Vente", "areas": where.areas()})
		house := c.create(where.listing(100000))
		w.website(t).get(product(house)+"/matching-searches").refused(403, "pack_missing")
		w.website(t).get(path+"/matching-products").refused(403, "pack_missing")
		w.rival(t).get(product(house)+"/matching-searches").refused(404, "not_found")
		w.rival(t).get(path+"/matching-products").refused(404, "not_found")
		theirs, _ := w.rival(t).lookingFor(21, object{"transaction_type": "Vente"})
		w.rival(t).get(theirs).is(200)
		c.get(product(house)+"/matching-searches").is(200).equals("count", 1)
		c.get(path+"/matching-products?count=201").refused(422, "out_of_range", "count")
		c.get(path + "/matching-products?near_misses=perhaps").is(422)
	})
}
