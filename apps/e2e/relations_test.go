package e2e_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// person adds a customer of the client's first agency.
func (c *client) person(lastname string) int64 {
	c.t.Helper()
	return c.post("/customers", object{"agency_id": 11, "type": "VENDEUR", "lastname": lastname}).is(201).id("data.id")
}

func TestP2_AProductChangesOwner(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		first, second := c.person("Premiervendeur"), c.person("Secondvendeur")
		id := c.create(object{"customer_id": first})
		owns := func(who int64, want ...int64) {
			t.Helper()
			if got := c.get(fmt.Sprintf("/customers/%d/products", who)).is(200).ids(); !cmp.Equal(append([]int64{}, want...), got) {
				t.Errorf("customer %d owns %v, want %v", who, got, want)
			}
			if got := c.walk(object{"customer_id": who}); !cmp.Equal(append([]int64{}, want...), append([]int64{}, got...)) {
				t.Errorf("of customer %d a search finds %v, want %v", who, got, want)
			}
		}
		named := func(keyword string, want ...int64) {
			t.Helper()
			if got := c.walk(object{"keyword": keyword}); !cmp.Equal(append([]int64{}, want...), append([]int64{}, got...)) {
				t.Errorf("by %s a search finds %v, want %v", keyword, got, want)
			}
		}
		owns(first, id)
		named("premiervendeur", id)
		ledger := c.ledger()
		c.change(id, object{"customer_id": first}).is(204)
		ledger.tells()

		c.change(id, object{"customer_id": second}).is(204)
		ledger.tells(fmt.Sprint("PRODUCT_UPDATE ", id))
		owns(first)
		owns(second, id)
		named("premiervendeur")
		named("secondvendeur", id)
		c.get(product(id)+"?fetch=customer").is(200).equals("data.customer.lastname", "Secondvendeur")
		c.delete(fmt.Sprintf("/customers/%d", second)).refused(409, "conflict")

		c.change(id, object{"customer_id": nil}).is(204)
		owns(second)
		named("secondvendeur")
		c.get(product(id)+"?fetch=customer").is(200).equals("data.customer", nil)
		c.delete(fmt.Sprintf("/customers/%d", second)).is(204)

		c.post(fmt.Sprintf("/customers/%d/anonymize", first), nil).is(204)
		ledger.news()
		for _, who := range []int64{987654321, second, first, 1301} {
			c.change(id, object{"customer_id": who, "color": 2}).refused(422, "unknown_customer", "customer_id")
		}
		c.change(id, object{"customer_id": 0}).refused(422, "out_of_range", "customer_id")
		ledger.tells()
		c.change(987654321, object{"customer_id": second}).refused(404, "not_found")
	})
}

func TestL1_AProductBecomesALot(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		house, tower, flat := c.create(nil), c.create(nil), c.create(nil)
		count := func(id int64, want int) {
			t.Helper()
			c.get(product(id)).is(200).equals("data.lots_count", want)
			if got := len(c.get(product(id) + "/lots").is(200).list("data")); got != want {
				t.Errorf("product %d lists %d lots, want %d", id, got, want)
			}
			if got := c.count(object{"parent_id": id}); got != want {
				t.Errorf("a search finds %d lots of %d, want %d", got, id, want)
			}
		}
		ledger := c.ledger()
		c.change(flat, object{"parent_id": house}).is(204)
		ledger.tells(fmt.Sprint("PRODUCT_UPDATE ", flat))
		count(house, 1)
		c.change(flat, object{"parent_id": tower}).is(204)
		count(house, 0)
		count(tower, 1)
		ledger.news()

		for what, bad := range map[string]struct {
			id, parent int64
			code       string
		}{
			"of a lot":              {house, flat, "out_of_range"},
			"that has lots":         {tower, house, "out_of_range"},
			"of itself":             {house, house, "out_of_range"},
			"of nothing":            {house, 987654321, "unknown_product"},
			"of another site's":     {house, w.rival(t).create(nil), "unknown_product"},
			"of what is no product": {house, -1, "out_of_range"},
		} {
			t.Log("a lot", what)
			c.change(bad.id, object{"parent_id": bad.parent}).refused(422, bad.code, "parent_id")
		}
		ledger.tells()

		c.change(flat, object{"parent_id": nil}).is(204)
		count(tower, 0)
		c.change(tower, object{"parent_id": house}).is(204)
		count(house, 1)
		c.delete(product(tower)).is(204)
		c.change(house, object{"parent_id": flat}).is(204) // its only lot is gone
		count(flat, 1)
	})
}

// Units that hold the same records take turns, and none waits for another in a
// circle: of two products that are made lots of each other one becomes one, and an
// owner is never gone.
func TestRelationsThatChangeTogether(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		together := func(asks ...func() answer) (statuses []int) {
			statuses = make([]int, len(asks))
			var all sync.WaitGroup
			for i, ask := range asks {
				all.Go(func() { statuses[i] = ask().status })
			}
			all.Wait()
			return statuses
		}
		for range 5 {
			a, b, owner := c.create(nil), c.create(nil), c.person("Ensemble")
			got := together(
				func() answer { return c.change(a, object{"parent_id": b}) },
				func() answer { return c.change(b, object{"parent_id": a}) },
			)
			if got[0]+got[1] != 204+422 {
				t.Errorf("of two lots of each other: %v", got)
			}
			got = together(
				func() answer { return c.change(a, object{"customer_id": owner}) },
				func() answer {
					return c.send("POST", fmt.Sprintf("/customers/%d/follow-ups", owner), object{"product_id": a})
				},
				func() answer { return c.delete(fmt.Sprintf("/customers/%d", owner)) },
			)
			kept := got[0] == 204 && got[2] == 409
			gone := got[0] == 422 && got[2] == 204
			if !kept && !gone {
				t.Errorf("given to somebody, attached to them, and they deleted: %v", got)
			}
		}
	}, racing)
}
