package e2e_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

func TestP31_ARestoredProductIsAsItWas(t *testing.T) {
	onEach(t, "pictures", func(t *testing.T, w *world) {
		c := w.network(t)
		owner := c.person("Vendeuse")
		id := c.create(object{
			"model": t.Name(), "customer_id": owner, "rooms": list{room("type", "WC")}, "criteria": criteria("Prix", 250000, "NumeroMandat", "M-1"),
			"descriptions": list{object{"language": "fr", "text": "Belle."}},
		})
		lot := c.create(object{"parent_id": id})
		c.add(id, "public", picture(900, 20, 1))
		c.post(product(id, "/actions"), object{"action_id": 1, "result": "appelée"}).is(201)
		followUps := fmt.Sprintf("/customers/%d/follow-ups", c.person("Acheteur"))
		c.post(followUps, object{"product_id": id}).is(201)
		const fetch = "?fetch=rooms,descriptions,products_photos,customer,log_actions,criteres_number"
		before := c.get(product(id, fetch)).is(200).at("data").(object)
		photo := c.pictures(id)[0]["url"].(string)
		restore := func() answer { return c.post(product(id, "/restore"), nil) }
		restore().refused(409, "conflict")

		ledger := c.ledger()
		c.delete(product(id)).is(204)
		ledger.tells(fmt.Sprint("PRODUCT_DELETE ", id), fmt.Sprint("PRODUCT_UPDATE ", lot))
		w.stranger(t).get(photo).is(404)
		w.rival(t).post(product(id, "/restore"), nil).refused(404, "not_found")
		w.website(t).post(product(id, "/restore"), nil).refused(403, "pack_missing")
		etag := restore().is(204).empty().header.Get("ETag")
		ledger.tells(fmt.Sprint("PRODUCT_CREATE ", id), fmt.Sprint("PRODUCT_UPDATE ", lot))
		restore().refused(409, "conflict")
		c.post(product(999_999, "/restore"), nil).refused(404, "not_found")
		ledger.tells()

		after := c.get(product(id, fetch)).is(200).at("data").(object)
		if after["last_modified"] == before["last_modified"] {
			t.Error("whoever asks for what changed does not find it")
		}
		delete(after, "last_modified")
		delete(before, "last_modified")
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("before and after (-/+):\n%s", diff)
		}
		if got := c.walk(object{"model": t.Name()}); !slices.Equal(got, []int64{id}) {
			t.Errorf("a search finds %v", got)
		}
		if got := c.get(product(id, "/lots")).is(200).ids(); !slices.Equal(got, []int64{lot}) {
			t.Errorf("the lots are %v", got)
		}
		c.get(followUps).is(200).equals("data.0.product_id", id)
		w.stranger(t).get(photo).is(200)
		c.send("PATCH", product(id), object{"product_id": id, "color": 2}, "If-Match", etag).is(204)
	})
}

func TestP31_WhatIsGoneMeanwhileIsLeftOut(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		owner, block, street := c.person("Partie"), c.create(nil), c.create(nil)
		id := c.create(object{"customer_id": owner, "parent_id": block})
		c.delete(product(id)).is(204)
		c.delete(fmt.Sprintf("/customers/%d", owner)).is(204)
		c.change(block, object{"parent_id": street}).is(204)
		c.post(product(id, "/restore"), nil).is(204)
		c.get(product(id)).is(200).equals("data.customer_id", nil).equals("data.parent_id", nil)
		c.delete(product(id)).is(204)
	})
}

func TestP31_AfterThirtyDaysADeletedProductIsPurged(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	c := w.network(t)
	id, other := c.create(object{"model": "GONE"}), c.create(nil)
	c.add(id, "public", picture(900, 20, 1))
	c.delete(product(id)).is(204)
	kept := func(want int) {
		t.Helper()
		if got := w.keys(t); len(got) != want {
			t.Errorf("%v are kept, want %d", got, want)
		}
	}
	purges := func(want int) {
		t.Helper()
		keep := kernel.DefaultRetention()
		keep.Log, keep.Ledger = 1000*24*time.Hour, 1000*24*time.Hour
		if got, err := w.Purge(t.Context(), keep, 1000); got < want || err != nil {
			t.Errorf("%d records were purged, want %d at least (%v)", got, want, err)
		}
	}
	w.clock.advance(30*24*time.Hour - time.Minute)
	purges(0)
	w.sweeps(t, 0)
	kept(1)
	c = w.again(t, c)
	c.post(product(id, "/restore"), nil).is(204)
	c.delete(product(id)).is(204)

	// The window ends whether or not the sweep has come by.
	w.clock.advance(30 * 24 * time.Hour)
	c = w.again(t, c)
	c.post(product(id, "/restore"), nil).refused(404, "not_found")
	w.sweeps(t, 0)
	ledger := c.ledger()
	purges(1)
	w.sweeps(t, 1)
	kept(0)
	ledger.tells()
	c.post(product(id, "/restore"), nil).refused(404, "not_found")
	c.post("/products", object{"agency_id": 11, "model": "gone"}).refused(422, "reference_taken", "model")
	c.get(product(other)).is(200)
}
