package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func TestW38_WebhooksAreListedReadChangedAndDeleted(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c := w.network(t)
		var ids []int64
		for i := range 3 {
			ids = append(ids, c.subscribe(fmt.Sprintf("https://portal.example/%d", i), nil).id)
		}
		first := c.get("/hooks?per_page=2").is(200).equals("data.0.id", int(ids[0])).equals("data.1.url", "https://portal.example/1").
			equals("meta.per_page", 2).equals("meta.path", w.url+"/api/v2/site/hooks").equals("links.prev", nil)
		second := c.get(first.text("links.next")).is(200).equals("links.next", nil).equals("meta.next_cursor", nil)
		if got := second.ids(); !slices.Equal(got, ids[2:]) {
			t.Errorf("the second page is %v of %v", got, ids)
		}
		c.get(second.text("links.prev")).is(200).equals("data.0.id", int(ids[0]))
		c.get("/hooks?per_page=0").refused(422, "out_of_range", "per_page")

		h := c.subscribe("https://portal.example/", object{
			"origines": list{"PRODUCT_UPDATE", "PRODUCT_CREATE", "PRODUCT_UPDATE"}, // W7
			"headers":  object{"X-Key": "k"}, "format": "standard", "skip_own": true,
		})
		h.get(h.path("")).is(200).equals("data.id", int(h.id)).equals("data.url", "https://portal.example/").
			equals("data.origines", list{"PRODUCT_UPDATE", "PRODUCT_CREATE"}).equals("data.headers", object{"X-Key": "k"}).
			equals("data.auth_id", nil).equals("data.format", "standard").equals("data.status", "active").equals("data.skip_own", true).
			equals("data.created_by", "sandbox-network").equals("data.last_success_at", nil).equals("data.suspended_at", nil)
		// W4: what is absent stays, null clears what can be without.
		h.update(object{"url": nil, "origines": nil}).is(200).equals("data.url", "https://portal.example/").
			equals("data.headers", object{"X-Key": "k"}).equals("data.format", "standard")
		h.update(object{"headers": object{"X-Other": "o"}, "format": nil, "origines": list{"PRODUCT_DELETE"}, "skip_own": false}).is(200).
			equals("data.headers", object{"X-Other": "o"}).equals("data.format", nil).equals("data.origines", list{"PRODUCT_DELETE"})
		h.update(object{"headers": nil}).is(200).equals("data.headers", nil)

		h.delete(h.path("")).is(204).empty()
		for _, o := range w.Operations() {
			if strings.HasPrefix(o.Path, "/hooks/{hookId}") {
				path := strings.NewReplacer("{hookId}", fmt.Sprint(h.id), "{deliveryId}", "1").Replace(o.Path)
				c.send(o.Method, path, bodyOf(o.Method)).refused(404, "not_found")
				// G1: and one of another site is as good as none.
				w.rival(t).send(o.Method, strings.Replace(path, fmt.Sprint(h.id), fmt.Sprint(ids[0]), 1), bodyOf(o.Method)).refused(404, "not_found")
			}
		}
	})
}

func bodyOf(method string) any {
	if method == http.MethodPost || method == http.MethodPut {
		return object{"after_event_id": 0}
	}
	return nil
}

func TestW6_W8_W9_W12_W15_WhatCannotBeSubscribed(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c := w.network(t)
		all := c.get("/hooks/origines").is(200).list("data")
		for _, named := range []string{"CUSTOMER_CREATE", "CUSTOMER_UPDATE", "PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE"} {
			if !slices.Contains(all, any(named)) {
				t.Errorf("%s cannot be subscribed", named)
			}
		}
		h := c.subscribe("https://portal.example/", object{"origines": all})
		for _, bad := range []struct {
			fields object
			code   string
			field  string
		}{
			{object{"origines": list{}}, "required", "origines"},
			{object{"origines": list{"PRODUCT_UPDATE", "product.update"}}, "unknown_event_type", "origines[1]"},
			{object{"origines": list{"HOOK_TEST"}}, "unknown_event_type", "origines[0]"},
			{object{"format": "xml"}, "invalid_format", "format"},
			{object{"auth_id": 999_999}, "unknown_auth", "auth_id"},
			{object{"auth_id": -1}, "out_of_range", "auth_id"},
			{object{"headers": object{"Host": "h"}}, "invalid_header", "headers.Host"},
			{object{"headers": object{"X-Long": strings.Repeat("x", 4096)}}, "invalid_header", "headers"},
			{object{"url": "http//portal"}, "invalid_url", "url"},
		} {
			whole := object{"url": "https://portal.example/", "origines": all}
			for key, value := range bad.fields {
				whole[key] = value
			}
			c.post("/hooks", whole).refused(422, bad.code, bad.field)
			h.update(bad.fields).refused(422, bad.code, bad.field)
		}
		c.post("/hooks", object{}).refused(422, "required", "url", "origines")
		c.post("/hooks", `{"url":"https://portal.example/","origines":["PRODUCT_UPDATE"],"headers":{"X-A":"1","X-A":"2"}}`).is(422) // G7
		for range 49 {
			c.subscribe("https://portal.example/", nil)
		}
		c.post("/hooks", object{"url": "https://portal.example/", "origines": all}).refused(422, "out_of_range", "url")
	})
}

func TestW39_DeletingCancelsWhatIsPending(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), recording(t, silence)
		product := c.create(nil)
		h := c.subscribe(receiver.url, nil)
		c.reprice(product)
		receiver.waitFor(1)
		h.delete(h.path("")).is(204)
		c.reprice(product)
		receiver.release()
		err := w.store.View(t.Context(), func(tx port.Tx) error {
			all, err := tx.Deliveries().List(port.DeliveryQuery{Site: 1, Hook: webhook.ID(h.id), Limit: 10})
			if len(all) != 1 || all[0].Status != webhook.Cancelled {
				t.Errorf("the deliveries are %+v", all)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		receiver.waitFor(1)
	})
}

func TestTheSecretIsReadApart(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c := w.network(t)
		h := c.subscribe("https://portal.example/", nil)
		first := h.get(h.path("/secret")).is(200).text("data.secret")
		if !strings.HasPrefix(first, "whsec_") || strings.Contains(string(h.get(h.path("")).body), first) {
			t.Errorf("W3: the secret is %q", first)
		}
		second := h.post(h.path("/secret/rotate"), nil).is(200).text("data.secret")
		if diff := cmp.Diff(second, h.get(h.path("/secret")).is(200).text("data.secret")); diff != "" || second == first {
			t.Errorf("after a rotation: %s", diff)
		}
	})
}
