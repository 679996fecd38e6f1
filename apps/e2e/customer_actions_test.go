package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// prospect adds a customer of an agency.
func (c *client) prospect(agency int) int64 {
	c.t.Helper()
	return c.post("/customers", object{"type": "PROSPECT", "lastname": "Contact", "agency_id": agency}).is(201).id("data.id")
}

func TestACustomersHistoryTellsWhatWasDoneAboutThemAndWithThem(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		who, other, home := c.prospect(12), c.prospect(12), c.create(object{"agency_id": 11})
		before, ledger := c.get(customerPath(who)).is(200), c.ledger()
		reminded := c.actAbout(customerPath(who), who, object{"action_id": reminder, "child_action_id": 91, "user_id": 101, "result": " Rappeler lundi "})
		visited := c.act(home, object{"action_id": visit, "customer_id": who})
		c.act(home, object{"action_id": valuation, "customer_id": who}) // not in histories
		c.act(home, object{"action_id": visit, "customer_id": other})
		c.act(home, object{"action_id": visit})
		reported := c.actAbout(customerPath(who), who, object{"action_id": report, "date_performed": "2026-01-15T10:00:00"})
		aboutHome, aboutWho := fmt.Sprintf("ACTION_CREATE %d", home), fmt.Sprintf("ACTION_CREATE %d", who)
		ledger.tells(aboutWho, aboutHome, aboutHome, aboutHome, aboutHome, aboutWho)

		history := c.get(customerPath(who, "actions")).is(200).equals("has_more", false).equals("next_cursor", nil)
		if diff := cmp.Diff([]int64{reported, visited, reminded}, history.ids()); diff != "" {
			t.Fatalf("%s\n%s", diff, history)
		}
		added := history.text("data.2.date_added")
		history.equals("data.2", object{
			"id": float64(reminded), "action_id": 9.0, "action_label": "Relance client", "child_action_id": 91.0, "child_action_label": "Par téléphone",
			"user_id": 101.0, "product_id": nil, "customer_id": float64(who), "result": "Rappeler lundi", "date_performed": added, "date_added": added,
		}).equals("data.1.product_id", home).equals("data.1.customer_id", who).equals("data.0.date_performed", "2026-01-15T09:00:00.000Z")
		ofProduct := c.get(product(home, "/actions")).is(200)
		if diff := cmp.Diff(history.at("data.1"), ofProduct.at("data.2")); diff != "" || len(ofProduct.list("data")) != 3 {
			t.Errorf("the product tells it differently: %s\n%s", diff, ofProduct)
		}
		after := c.get(customerPath(who)).is(200)
		for _, same := range []string{"data.last_modified", "data.follow_ups_count"} {
			after.equals(same, before.at(same))
		}
	})
}

func TestALastContactIsTheLatestActionThatIsOver(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		who, home := c.prospect(11), c.create(object{})
		path := customerPath(who)
		c.get(path).is(200).equals("data.last_contact_at", nil)
		contacted := func(want any) {
			t.Helper()
			c.get(path).is(200).equals("data.last_contact_at", want)
		}
		c.act(home, object{"action_id": valuation, "customer_id": who, "date_performed": "2026-01-10T09:00:00Z"})
		contacted("2026-01-10T09:00:00.000Z")
		c.actAbout(path, who, object{"action_id": reminder, "date_performed": "2026-01-12T09:00:00Z"})
		contacted("2026-01-12T09:00:00.000Z")
		c.actAbout(path, who, object{"action_id": reminder, "date_performed": "2026-01-11T09:00:00Z"})
		c.act(home, object{"action_id": visit, "customer_id": who, "date_performed": time.Now().AddDate(1, 0, 0).Format(time.RFC3339)})
		c.act(home, object{"action_id": visit})
		contacted("2026-01-12T09:00:00.000Z")
		c.post(path+"/follow-ups", object{"product_id": home}).is(201)
		contacted(c.get(path + "/follow-ups").is(200).text("data.0.events.0.at"))
		c.actAbout(path, who, object{"action_id": reminder})
		contacted(c.get(path + "/actions").is(200).text("data.0.date_performed"))
	})
}

func TestPagesOfACustomersHistory(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		who, home := c.prospect(11), c.create(object{})
		want := []int64{}
		for i := range 54 {
			if i%3 == 0 {
				want = append(want, c.act(home, object{"action_id": visit, "customer_id": who}))
			} else {
				want = append(want, c.actAbout(customerPath(who), who, object{"action_id": reminder}))
			}
		}
		slices.Reverse(want)
		first := c.get(customerPath(who, "actions")).is(200).equals("has_more", true).equals("next_cursor", want[49])
		second := c.get(customerPath(who, "actions?cursor=")+fmt.Sprint(want[49])).is(200).equals("has_more", false).equals("next_cursor", nil)
		if diff := cmp.Diff(want, append(first.ids(), second.ids()...)); diff != "" {
			t.Error(diff)
		}
		for _, cursor := range []string{"0", "-1", "x"} {
			if got := c.get(customerPath(who, "actions?cursor=") + cursor); got.status != 422 {
				t.Errorf("T2: %s", got)
			}
		}
	})
}

func TestWhatIsNoActionAboutACustomer(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		who := c.prospect(11)
		path := customerPath(who, "actions")
		ledger := c.ledger()
		for _, r := range []struct {
			body        object
			code, field string
		}{
			{object{}, "required", "action_id"},
			{object{"action_id": 99}, "unknown_action", "action_id"},
			{object{"action_id": visit}, "unknown_action", "action_id"}, // about products
			{object{"action_id": fax}, "action_inactive", "action_id"},
			{object{"action_id": reminder, "child_action_id": 21}, "unknown_action", "child_action_id"},
			{object{"action_id": reminder, "user_id": 131}, "unknown_user", "user_id"},
			{object{"action_id": reminder, "date_performed": "tomorrow"}, "invalid_format", "date_performed"},
			{object{"action_id": reminder, "result": strings.Repeat("x", 10_001)}, "out_of_range", "result"},
		} {
			c.post(path, r.body).refused(422, r.code, r.field)
		}
		for _, unknown := range []string{"/customers/999999/actions", "/customers/abc/actions"} {
			c.get(unknown).refused(404, "not_found")
			c.post(unknown, object{"action_id": reminder}).refused(404, "not_found")
		}
		former := "/customers/1301/actions" // of an agency that has left
		c.get(former).refused(403, "resource_out_of_scope")
		c.post(former, object{"action_id": reminder}).refused(403, "resource_out_of_scope")
		for _, r := range []struct {
			client *client
			status int
			code   string
		}{
			{w.rival(t), 404, "not_found"}, {w.website(t), 403, "pack_missing"},
			{w.as(t, "no-permission", 1), 403, "permission_missing"}, {w.as(t, "no-right", 1), 403, "right_missing"},
		} {
			r.client.get(path).refused(r.status, r.code)
			r.client.post(path, object{"action_id": reminder}).refused(r.status, r.code)
		}
		ledger.tells()
		c.get(path).is(200).equals("data", list{})
		c.get(customerPath(who)).is(200).equals("data.last_contact_at", nil)
	})
}
