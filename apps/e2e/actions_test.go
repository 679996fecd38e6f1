package e2e_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The action types of the sandbox that these scenarios use.
const (
	phoneCall = 1  // in the history
	visit     = 2  // in the history
	report    = 8  // in the history, about products and about customers
	valuation = 3  // without children
	display   = 7  // its children are not active
	reminder  = 9  // about customers
	fax       = 10 // not active
)

// act writes an action about a product down and returns its id.
func (c *client) act(id int64, fields object) int64 {
	c.t.Helper()
	return c.actAbout(product(id), id, fields)
}

// actAbout writes an action about what is at a path down.
func (c *client) actAbout(path string, id int64, fields object) int64 {
	c.t.Helper()
	created := c.post(path+"/actions", fields).is(201).equals("data", object{"id": float64(id)})
	n, err := strconv.ParseInt(created.header.Get("X-Action-Id"), 10, 64)
	if err != nil {
		c.t.Errorf("T7: X-Action-Id is %q", created.header.Get("X-Action-Id"))
	}
	return n
}

func TestT1_T8_Actions(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(object{"criteria": criteria("TypeBien", "Maison")})
		before, ledger := c.get(product(id)).at("data"), c.ledger()
		called := c.act(id, object{"action_id": phoneCall})
		valued := c.act(id, object{"action_id": valuation, "result": "trop cher"})
		c.act(id, object{"action_id": display})
		visited := c.act(id, object{
			"action_id": visit, "child_action_id": 21, "user_id": 101, "customer_id": 1006, "result": " Coup de cœur ",
			"date_performed": "2026-01-15T10:00:00",
		})
		created := fmt.Sprintf("ACTION_CREATE %d", id)
		ledger.tells(created, created, created, created)
		if diff := cmp.Diff(before, c.get(product(id)).at("data")); diff != "" {
			t.Errorf("T8: the product changed: %s", diff)
		}
		history := c.get(product(id, "/actions")).is(200).equals("has_more", false).equals("next_cursor", nil)
		if items := history.list("data"); len(items) != 2 {
			t.Fatalf("T3: %s", history)
		}
		added := history.text("data.0.date_added")
		history.equals("data.0", object{
			"id": float64(visited), "action_id": 2.0, "action_label": "Visite", "child_action_id": 21.0, "child_action_label": "Première visite",
			"user_id": 101.0, "product_id": float64(id), "customer_id": 1006.0, "result": "Coup de cœur", "date_performed": "2026-01-15T09:00:00.000Z", "date_added": added,
		}).equals("data.1.id", float64(called)).equals("data.1.user_id", nil).equals("data.1.date_performed", history.text("data.1.date_added"))

		blocks := c.get(product(id, "?fetch=actions_history,log_actions,statistic")).is(200)
		if diff := cmp.Diff(history.at("data"), blocks.at("data.actions_history")); diff != "" {
			t.Errorf("actions_history: %s", diff)
		}
		log := blocks.list("data.log_actions")
		if len(log) != 4 {
			t.Fatalf("the log is %v", log)
		}
		user := c.get(product(c.create(object{"user_id": 101}), "?fetch=assigned_to")).is(200)
		blocks.equals("data.log_actions.0.actor", user.text("data.assigned_to.firstname")+" "+user.text("data.assigned_to.lastname"))
		blocks.equals("data.log_actions.2.id", float64(valued)).equals("data.log_actions.2.actor", "sandbox-network").
			equals("data.log_actions.2.label", "Estimation").equals("data.log_actions.2.result", "trop cher")
		blocks.equals("data.statistic", object{
			"views": 0.0, "contacts": 1.0, "visits_done": 1.0, "visits_planned": 0.0, "favorites": 0.0, "matching_searches": 0.0,
			"since": dayInParis(t, blocks.text("data.date_added")),
		})
		// What one has just written is not a kept answer.
		c.act(id, object{"action_id": phoneCall, "date_performed": nil, "result": nil, "user_id": nil})
		if got := c.get(product(id, "?fetch=actions_history,log_actions,statistic")).is(200); len(got.list("data.log_actions")) != 5 {
			t.Errorf("the log is %s", got)
		}
	})
}

// dayInParis is the day of a moment where the site is, which late in the evening is
// not that of UTC.
func dayInParis(t *testing.T, moment string) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339, moment)
	paris, err2 := time.LoadLocation("Europe/Paris")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return at.In(paris).Format(time.DateOnly)
}

func TestT1_PagesOfTheHistory(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id, other := c.create(object{}), c.create(object{})
		var want []float64
		for i := range 52 {
			n := c.act(id, object{"action_id": visit})
			want = append([]float64{float64(n)}, want...)
			if i%4 == 0 {
				c.act(other, object{"action_id": phoneCall})
				c.act(id, object{"action_id": valuation})
			}
		}
		first := c.get(product(id, "/actions")).is(200).equals("has_more", true)
		second := c.get(product(id, "/actions?cursor=", fmt.Sprint(first.id("next_cursor")))).is(200).equals("has_more", false).equals("next_cursor", nil)
		var got []float64
		for _, item := range append(first.list("data"), second.list("data")...) {
			got = append(got, item.(object)["id"].(float64))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		for _, cursor := range []string{"0", "-1", "x", "1.5"} {
			if got := c.get(product(id, "/actions?cursor=", cursor)); got.status != 422 {
				t.Errorf("T2: %s", got)
			}
		}
		// R10: lists are bounded too, and one product's actions do not crowd out
		// another's.
		for _, record := range c.everything("actions_history,log_actions") {
			wanted := map[float64][2]int{float64(id): {20, 20}, float64(other): {13, 13}}
			if n, ok := wanted[record["id"].(float64)]; ok {
				if got := [2]int{len(record["actions_history"].(list)), len(record["log_actions"].(list))}; got != n {
					t.Errorf("product %v shows %v actions", record["id"], got)
				}
			}
		}
	})
}

func TestT4_WhatIsNoAction(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(object{})
		ledger := c.ledger()
		for _, r := range []struct {
			body        object
			code, field string
		}{
			{object{}, "required", "action_id"},
			{object{"action_id": nil}, "required", "action_id"},
			{object{"action_id": "VISITE"}, "invalid_type", "action_id"},
			{object{"action_id": 99}, "unknown_action", "action_id"},
			{object{"action_id": reminder}, "unknown_action", "action_id"},
			{object{"action_id": fax}, "action_inactive", "action_id"},
			{object{"action_id": phoneCall, "child_action_id": 21}, "unknown_action", "child_action_id"},
			{object{"action_id": phoneCall, "child_action_id": 13}, "action_inactive", "child_action_id"},
			{object{"action_id": phoneCall, "user_id": 131}, "unknown_user", "user_id"},
			{object{"action_id": phoneCall, "customer_id": 1301}, "unknown_customer", "customer_id"},
			{object{"action_id": phoneCall, "date_performed": "tomorrow"}, "invalid_format", "date_performed"},
			{object{"action_id": phoneCall, "result": strings.Repeat("x", 10_001)}, "out_of_range", "result"},
			{object{"action_id": phoneCall, "result": "a\u0000b"}, "invalid_format", "result"},
		} {
			c.post(product(id, "/actions"), r.body).refused(422, r.code, r.field)
		}
		c.act(id, object{"actionId": phoneCall, "datePerformed": "2027-01-01T00:00:00Z"}) // T5
		ledger.tells(fmt.Sprintf("ACTION_CREATE %d", id))
		for _, path := range []string{"/products/999999/actions", "/products/abc/actions"} {
			c.get(path).refused(404, "not_found")
			c.post(path, object{"action_id": phoneCall}).refused(404, "not_found")
		}
		outside := w.rival(t)
		outside.get(product(id, "/actions")).refused(404, "not_found")
		outside.post(product(id, "/actions"), object{}).refused(404, "not_found")
		website := w.website(t)
		website.get(product(id, "/actions")).refused(403, "pack_missing")
		website.post(product(id, "/actions"), object{}).refused(403, "pack_missing")
		website.get("/actions/types").refused(403, "permission_missing")
	})
}

func TestAnActionIsNotWrittenDownTwice(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c, key := w.network(t), rand.Text()
		path := product(c.create(object{}), "/actions")
		first := c.keyed(key, path, object{"action_id": visit}).is(201).anew()
		again := c.keyed(key, path, object{"action_id": visit}).repeats(first)
		if id := again.header.Get("X-Action-Id"); id == "" || id != first.header.Get("X-Action-Id") {
			t.Errorf("X-Action-Id is %q", id)
		}
		if got := c.get(path).is(200); len(got.list("data")) != 1 {
			t.Errorf("%s", got)
		}
	})
}

func TestActionTypes(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		types := w.network(t).get("/actions/types").is(200)
		if n := len(types.list("data")); n != 10 {
			t.Errorf("%d types", n)
		}
		types.equals("data.0.model", "APPEL").equals("data.0.appears_in_history", true).equals("data.0.target", "product").
			equals("data.0.children.2", object{"id": 13.0, "model": "APPEL_MANQUE", "label": "Appel manqué", "is_active": false}).
			equals("data.6.appears_in_history", false).equals("data.9.is_active", false).equals("data.8.target", "customer")
	})
}
