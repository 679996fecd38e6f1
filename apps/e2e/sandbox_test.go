package e2e_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/demo"
)

// startedSandbox is a sandbox that has just started, with what happens in it.
func startedSandbox(t *testing.T, engine string, picked ...choice) *world {
	t.Helper()
	w := withOwnStore(t, engine, append(picked, described(withFacade(sandbox())))...)
	if err := demo.Tell(t.Context(), w.ports); err != nil {
		t.Fatal(err)
	}
	return w
}

// Whoever tries the sandbox finds an agenda in it, and can book a visit from a
// website.
func TestTheSandboxHasAWeekThatCanBeBooked(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		w := startedSandbox(t, engine)
		c := w.network(t)
		now := w.clock.now()
		window := object{"from": now.AddDate(0, 0, -4).Format(time.RFC3339), "to": now.AddDate(0, 0, 4).Format(time.RFC3339), "count": 500}
		if events := c.post("/agenda/events/search", window).is(200).list("data"); len(events) < 20 {
			t.Errorf("there are %d events", len(events))
		}
		c.get("/agenda/types").is(200).equals("data.0.model", "VISITE").equals("data.7.model", "CONGE")
		c.get("/agenda/working-times?agency_id=11").is(200).equals("data.0.user_id", 101).equals("data.3.patterns.0.days.4.periods.1.end", "18:30")
		c.get("/agenda/working-times/123").is(200).equals("data.patterns", list{})
		duties := url.Values{"from": {now.AddDate(0, 0, -4).Format(time.RFC3339)}, "to": {now.AddDate(0, 0, 4).Format(time.RFC3339)}, "agency_id": {"11"}}
		if on := c.get("/agenda/permanences?"+duties.Encode()).is(200).equals("data.0.type", "TELEPHONE").list("data"); len(on) != 10 {
			t.Errorf("there are %d duties", len(on))
		}
		w.rival(t).post("/agenda/events/search", window).is(200)

		site := w.website(t)
		home := c.post("/products/search", object{"model": "11-1001"}).is(200).ids()[0]
		site.get(product(home, "?fetch=online_booking")).is(200).equals("data.online_booking.enabled", true)
		slots := site.get(product(home, "/booking-slots")).is(200).equals("data.0.user_ids", list{})
		start := slots.text("data.0.start_at")
		if first, err := time.Parse(time.RFC3339, start); err != nil || first.Before(now.AddDate(0, 0, 1)) || first.After(now.AddDate(0, 0, 8)) {
			t.Errorf("the first slot is at %s, %v", start, err)
		}
		site.post(product(home, "/bookings"), object{"start_at": start, "contact": object{"lastname": "Roux", "email": "roux@example.org"}}).is(201).equals("data.status", "CONFIRME")
	})
}

// What a sandbox that has just started knows of people.
func TestTheSandboxKnowsPeopleWhoLookForSomething(t *testing.T) {
	separately(t, func(t *testing.T, w *world) {
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
	}, described(sandbox()))
}
