package e2e_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// keyed sends a POST under an idempotency key.
func (c *client) keyed(key, path string, body any) answer {
	c.t.Helper()
	return c.send("POST", path, body, "Idempotency-Key", key)
}

// anew demands that the answer is of a request that was carried out.
func (a answer) anew() answer {
	a.t.Helper()
	if a.header.Get("Idempotent-Replayed") != "" {
		a.t.Errorf("%s\nis an answer given before", a)
	}
	return a
}

// repeats demands that the answer is another one, given once more.
func (a answer) repeats(first answer) answer {
	a.t.Helper()
	if a.header.Get("Idempotent-Replayed") != "true" || a.status != first.status || string(a.body) != string(first.body) ||
		a.header.Get("Location") != first.header.Get("Location") {
		a.t.Errorf("%s %v\nis not the same again as\n%s %v", a, a.header, first, first.header)
	}
	return a
}

func TestG24_KeysOfOthersDoNotMatter(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		key, hook := rand.Text(), `{"url": "https://hooks.example.org/g24", "origines": ["PRODUCT_UPDATE"]}`
		c := w.network(t)
		one := c.keyed(key, "/hooks", hook).is(201).anew()
		other := w.rival(t).keyed(key, "/hooks", hook).is(201).anew()
		defer c.delete(fmt.Sprintf("/hooks/%d", one.id("data.id")))
		defer w.rival(t).delete(fmt.Sprintf("/hooks/%d", other.id("data.id")))
		if one.id("data.id") == other.id("data.id") {
			t.Error("two credentials got one webhook")
		}
		c.keyed(key, "/products", `{"agency_id": 11}`).is(201).anew()
		c.keyed(strings.ToLower(key), "/products", `{"agency_id": 11}`).is(201).anew()

		// The path counts like the body.
		another := c.keyed(key+"b", "/hooks", hook).is(201).anew()
		defer c.delete(fmt.Sprintf("/hooks/%d", another.id("data.id")))
		c.keyed(key, fmt.Sprintf("/hooks/%d/test", one.id("data.id")), nil).is(202).anew()
		c.keyed(key, fmt.Sprintf("/hooks/%d/test", another.id("data.id")), nil).refused(422, "idempotency_key_reused")
	})
}

// A refusal is not kept: the corrected request may go under the same key.
func TestG24_WhatHadNoEffectIsNotKept(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c, key := w.network(t), rand.Text()
		for _, body := range []object{{"agency_id": 11, "color": 9}, {"agency_id": 99}, {"agency_id": 11, "customer_id": 9999}} {
			if a := c.keyed(key, "/products", body); a.status != 422 && a.status != 403 {
				t.Error(a)
			}
		}
		taken := c.get(product(c.create(nil))).is(200)
		c.keyed(key, "/products", object{"agency_id": taken.at("data.agency_id"), "model": taken.text("data.model")}).refused(422, "reference_taken")
		c.as("no-right").keyed(key, "/products", object{"agency_id": 11}).is(403)
		c.keyed(key, "/products", object{"agency_id": 11}).is(201).anew()
	})
}

func (c *client) as(credential string) *client { return c.w.as(c.t, credential, 1) }

func TestG24_ReadsTakeNoNoticeOfAKey(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c, key := w.network(t), rand.Text()
		before := c.keyed(key, "/products/search/count", object{}).is(200).anew().id("count")
		c.create(nil)
		c.keyed(key, "/products/search/count", object{}).is(200).anew().equals("count", int(before)+1)
		c.keyed(strings.Repeat("k", 300), "/products/search", object{"agency_id": 11}).is(200).anew()
	})
}

func TestG24_ManyAtOnceHaveOneEffect(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for range 3 {
			key, ledger := rand.Text(), c.ledger()
			answers := make([]answer, 16)
			var group sync.WaitGroup
			for i := range answers {
				group.Go(func() { answers[i] = c.keyed(key, "/products", object{"agency_id": 11, "color": 2}) })
			}
			group.Wait()
			last := c.keyed(key, "/products", object{"agency_id": 11, "color": 2}).is(201)
			effects := 0
			for _, a := range answers {
				switch {
				case a.status == 409:
					a.refused(409, "request_in_progress")
				case a.header.Get("Idempotent-Replayed") == "":
					effects++
					last.repeats(a)
				default:
					a.repeats(last)
				}
			}
			if effects != 1 {
				t.Errorf("%d of %d requests had an effect", effects, len(answers))
			}
			ledger.tells(fmt.Sprint("PRODUCT_CREATE ", last.id("data.id")))
		}
	}, racing)
}

// Secrets that were answered come back, and are drawn only once.
func TestG24_ARotationIsRepeatedWithTheSameSecret(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c, key := w.network(t), rand.Text()
		hook := fmt.Sprintf("/hooks/%d", c.post("/hooks", `{"url": "https://hooks.example.org/r", "origines": ["PRODUCT_UPDATE"]}`).is(201).id("data.id"))
		defer c.delete(hook)
		first := c.keyed(key, hook+"/secret/rotate", nil).is(200)
		c.keyed(key, hook+"/secret/rotate", nil).repeats(first)
		c.get(hook+"/secret").is(200).equals("data.secret", first.text("data.secret"))
	})
}

func TestG24_AKeyIsKeptForADay(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, standingStill(time.Date(2026, 9, 16, 8, 0, 0, 0, time.UTC)))
	key, body := rand.Text(), object{"agency_id": 11}
	first := w.network(t).keyed(key, "/products", body).is(201)
	pass := func(d time.Duration) *client {
		w.clock.advance(d)
		if _, err := w.Purge(t.Context(), kernel.DefaultRetention(), 1000); err != nil {
			t.Fatal(err)
		}
		clear(w.tokens)
		return w.network(t)
	}
	pass(24*time.Hour).keyed(key, "/products", body).repeats(first)
	again := pass(time.Microsecond).keyed(key, "/products", body).is(201).anew()
	if again.id("data.id") == first.id("data.id") {
		t.Error("the key has an answer after a day")
	}
}

// A refusal is not kept: whoever repeats the request is told in their own language.
func TestG24_ARepeatedRequestIsRefusedInTheLanguageOfTheRepetition(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c, key := w.network(t), rand.Text()
		refused := func(language string) answer {
			return c.send("POST", "/products", `{"agency_id": "x"}`, "Idempotency-Key", key, "Accept-Language", language).is(422).anew()
		}
		for language, want := range map[string]string{"fr": "agency_id doit être un entier", "en": "agency_id must be an integer"} {
			if got := refused(language); !strings.Contains(string(got.body), want) {
				t.Errorf("in %s: %s", language, got)
			}
		}
		c.send("POST", "/products", `{"agency_id": 11}`, "Idempotency-Key", key, "Accept-Language", "fr").is(201).anew()
	})
}
