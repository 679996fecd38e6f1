package e2e_test

import (
	"fmt"
	"slices"
	"testing"
)

// pages walks through a list by its cursors, and returns the ids in it.
func (c *client) pages(path string, size int) (ids []int64) {
	c.t.Helper()
	for cursor := ""; ; {
		page := c.get(path + cursor).is(200)
		found := page.ids()
		ids = append(ids, found...)
		if page.at("has_more") != true {
			page.equals("has_more", false).equals("next_cursor", nil)
			return ids
		}
		if len(found) != size {
			c.t.Fatalf("a page of %s has %d records, want %d", path, len(found), size)
		}
		cursor = "?cursor=" + page.text("next_cursor")
	}
}

// No list of what belongs to a customer is cut without a sign, and none is
// unbounded: all are paged through, by id.
func TestListsOfACustomerArePaged(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	c := w.network(t)
	who := c.person("Collectionneuse")
	home := c.create(nil)
	want := map[string][]int64{}
	const many = 205
	for i := range many {
		search := c.send("POST", customerPath(who, "searches"), object{"transaction_type": "Vente", "name": fmt.Sprint(i)}).is(201).id("data.id")
		followUp := c.send("POST", customerPath(who, "follow-ups"), object{"product_id": home, "search_id": search}).is(201).id("data.id")
		owned := c.send("POST", "/products", object{"agency_id": 11, "customer_id": who}).is(201).id("data.id")
		for list, id := range map[string]int64{"searches": search, "follow-ups": followUp, "products": owned} {
			want[list] = append(want[list], id)
		}
	}
	for list, ids := range want {
		path := customerPath(who, list)
		if got := c.pages(path, 100); !slices.Equal(got, ids) {
			t.Errorf("%s: %d records in this order: %v", list, len(got), got)
		}
		// Nothing is passed over when what a cursor stands behind is deleted.
		next := c.get(path).is(200).text("next_cursor")
		first := map[string]string{"products": product(ids[99])}[list]
		if first == "" {
			first = fmt.Sprint(path, "/", ids[99])
		}
		c.delete(first).is(204)
		if got := c.get(path + "?cursor=" + next).is(200).ids(); !slices.Equal(got, ids[100:200]) {
			t.Errorf("%s: the page behind a deleted record is %v", list, got)
		}
	}
}

func TestShortListsOfACustomerAreOnePage(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		who, home := c.person("Unique"), c.create(nil)
		made := map[string]int64{
			"searches":   c.post(customerPath(who, "searches"), object{"transaction_type": "Vente"}).is(201).id("data.id"),
			"follow-ups": c.post(customerPath(who, "follow-ups"), object{"product_id": home}).is(201).id("data.id"),
			"products":   c.create(object{"customer_id": who}),
		}
		for list, id := range made {
			path := customerPath(who, list)
			c.get(path).is(200).equals("data.0.id", id).equals("next_cursor", nil).equals("has_more", false)
			if ids := c.get(path).ids(); len(ids) != 1 {
				t.Errorf("%s: %v", list, ids)
			}
			for _, bad := range []string{"", "%25", "7", "-1"} {
				c.get(path+"?cursor="+bad).refused(422, "invalid_cursor", "cursor")
			}
			c.get(customerPath(99999999, list)+"?cursor=%25").refused(404, "not_found")
		}
	})
}
