package e2e_test

import "testing"

// What a sandbox that has just started knows of people.
func TestTheSandboxKnowsPeopleWhoLookForSomething(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			mustHave(t, engine)
			w, err := newWorld(engine, described(sandbox()))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(w.end)
			c := w.network(t)
			c.get("/users/groups").is(200).equals("data.0.name", "Transaction Lyon").equals("data.0.users_count", 2).equals("data.3.agency_id", nil)
			c.get("/users/102").is(200).equals("data.group_id", 1).equals("data.type_id", 2).equals("data.gender_id", 1)
			w.rival(t).get("/users/groups").is(200).equals("data.0.users_count", 3)

			for _, phone := range []string{"04 65 71 83 20", "+33465718320", "0639984412"} {
				c.post("/customers/search", object{"phone": phone}).is(200).equals("data.0.id", 1101)
			}
			buyer := c.get(customerPath(1101)).is(200).equals("data.consent.sms", true).equals("data.consent.partners", false).
				equals("data.related_contacts.0.relation", "PARENT").equals("data.searches_count", 1).equals("data.follow_ups_count", 2)
			if buyer.header.Get("ETag") == "" {
				t.Error("a customer of the sandbox has no version")
			}
			c.get(customerPath(1101, "follow-ups")).is(200).equals("data.0.status", "VISITE").equals("data.0.rating", 4).equals("data.1.status", "PROPOSE")

			found := c.get(customerPath(1101, "searches/1/matching-products")).is(200).equals("count", 2)
			for _, match := range found.list("data") {
				home := int64(match.(object)["product_id"].(float64))
				c.get(product(home, "/matching-searches")).is(200).equals("data.0.customer_id", 1101)
			}
			c.get(customerPath(1102, "searches/2/matching-products")).is(200).equals("count", 2)
			if near := c.get(customerPath(1101, "searches/1/matching-products?near_misses=true")).is(200); near.id("count") < 3 {
				t.Errorf("%s\nnothing is nearly what they look for", near)
			}
		})
	}
}
