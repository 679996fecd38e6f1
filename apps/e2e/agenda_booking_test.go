package e2e_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// TestBooking_AVisitorsWay is what a website does for somebody who wants to see a
// house.
func TestBooking_AVisitorsWay(t *testing.T) {
	log := new(journal)
	planning(t, func(t *testing.T, p planner) {
		site := p.site
		p.opens(object{"cancel_notice_minutes": 0})
		home := p.home(object{"user_id": 102}, "AdresseMasquee", 1)
		shown := site.get(product(home, "?fetch=online_booking")).is(200).equals("data.online_booking.enabled", true).
			equals("data.online_booking.url", fmt.Sprint("https://example.org/visites/", home))
		slots := shown.list("data.online_booking.next_slots")
		if len(slots) != 5 || slots[0].(object)["user_id"] != nil {
			t.Errorf("the next slots are %v", slots)
		}
		p.get(product(home, "?fetch=online_booking")).is(200).equals("data.online_booking.next_slots.0.user_id", 102)
		found := site.search(object{}, "?fetch=online_booking").is(200)
		if n := len(found.list("data")); n > 0 {
			found.equals("data.0.online_booking.next_slots", list{})
		}
		start := slots[2].(object)["start_at"]
		all := site.get(product(home, "/booking-slots")).is(200).equals("data.0.user_ids", list{}).equals("data.0.start_at", slots[0].(object)["start_at"])
		p.get(product(home, "/booking-slots")).is(200).equals("data.0.user_ids", list{102.0})
		site.get(product(home, "/booking-slots")+query("from", all.at("data.1.start_at"), "to", all.at("data.1.end_at"))).is(200).equals("data", list{all.at("data.1")})

		hold := site.post(product(home, "/booking-holds"), object{"start_at": start}).is(201).equals("data.start_at", start).equals("data.expires_at", "2026-05-04T08:10:00.000Z")
		if site.offers(home, start) {
			t.Error("what is held is offered")
		}
		site.post(product(home, "/bookings"), booking(start, "Rapide")).refused(409, "slot_taken")
		redeem := func(token any) object {
			return merged(booking(start, "Visiteuse"), object{"message": "Avec mon frère", "hold_id": hold.at("data.id"), "hold_token": token})
		}
		site.post(product(home, "/bookings"), redeem("wrong")).refused(409, "hold_expired")
		site.post(product(home, "/bookings"), redeem(nil)).refused(422, "required", "hold_token")
		site.post(product(home, "/bookings"), merged(redeem(hold.at("data.token")), object{"start_at": all.at("data.4.start_at")})).refused(422, "out_of_range", "start_at")
		made := site.post(product(home, "/bookings"), redeem(hold.at("data.token"))).is(201).equals("data.status", "CONFIRME")
		id, token := made.id("data.id"), made.text("data.token")
		if !strings.HasSuffix(made.header.Get("Location"), bookingPath(id)) || strings.Contains(made.header.Get("Location"), token) {
			t.Errorf("Location is %s", made.header.Get("Location"))
		}
		if strings.Contains(fmt.Sprint(made.header), token) {
			t.Errorf("a header has the token: %v", made.header)
		}
		site.post(product(home, "/bookings"), redeem(hold.at("data.token"))).refused(409, "hold_expired")
		site.post(product(home, "/bookings"), booking(all.at("data.8.start_at"), "Visiteuse")).refused(409, "already_booked")

		read := site.withToken(token, "GET", bookingPath(id), nil).is(200).
			has(object{"event_id": nil, "customer_id": nil, "lead_id": nil, "product_id": home, "user.firstname": "Maxime"})
		p.get(bookingPath(id)).is(200).has(object{"user.id": 102, "status": "CONFIRME", "start_at": read.at("data.start_at")})
		wrongTokens(t, site, id, token, hold)

		event := p.get(eventPath(p.get(bookingPath(id)).id("data.event_id"))).is(200).has(object{
			"type": "VISITE", "status": "CONFIRME", "location": "Lyon", "booking_id": id, "user_ids": list{102.0}, "product_ids": list{float64(home)}, "start_at": start,
			"attendees.0.role": "ORGANISATEUR",
		})
		if title := event.text("data.title"); !strings.HasPrefix(title, "Visite ") {
			t.Errorf("the title is %q", title)
		}
		// The wish is that of the lead.
		lead := p.get(fmt.Sprint("/leads/", p.get(bookingPath(id)).id("data.lead_id"))).is(200).equals("data.message", "Avec mon frère")
		if lead.at("data.visit_wish") == nil {
			t.Errorf("%s wishes no visit", lead)
		}
		customer := p.get(bookingPath(id)).id("data.customer_id")
		p.get(customerPath(customer, "follow-ups")).is(200).equals("data.0.status", "VISITE_PREVUE").equals("data.0.product_id", home)

		// It moves, and its first time is free at once; then it is cancelled.
		next := all.at("data.6.start_at")
		ledger := p.ledger()
		site.withToken(token, "POST", bookingPath(id, "reschedule"), object{"start_at": "2026-05-04T22:00:00Z"}).refused(409, "slot_taken")
		site.withToken(token, "POST", bookingPath(id, "reschedule"), object{"start_at": next}).is(204).empty()
		ledger.tells(heard("APPOINTMENT_UPDATE", event.id("data.id")))
		if !site.offers(home, start) || site.offers(home, next) {
			t.Error("the slots are as before it moved")
		}
		site.withToken(token, "GET", bookingPath(id), nil).is(200).equals("data.start_at", next)
		site.withToken(token, "POST", bookingPath(id, "cancel"), object{"reason": "Malade"}).is(204).empty()
		ledger.tells(heard("APPOINTMENT_UPDATE", event.id("data.id")))
		site.withToken(token, "POST", bookingPath(id, "cancel"), nil).refused(409, "invalid_transition")
		site.withToken(token, "POST", bookingPath(id, "reschedule"), object{"start_at": start}).refused(409, "invalid_transition")
		site.withToken(token, "GET", bookingPath(id), nil).is(200).equals("data.status", "ANNULE")
		if !site.offers(home, next) {
			t.Error("what is cancelled is not offered again")
		}
		site.post(product(home, "/bookings"), booking(next, "Visiteuse")).is(201)
		for _, secret := range []string{token, hold.text("data.token")} {
			if log.tells(secret) {
				t.Error("a token is in the log")
			}
		}
		if !log.tells("/bookings/") {
			t.Error("nothing is in the log, so this shows nothing")
		}
	}, logging(log))
}

// wrongTokens are not told from bookings and holds that are not there.
func wrongTokens(t *testing.T, site *client, id int64, token string, hold answer) {
	t.Helper()
	held := fmt.Sprint("/booking-holds/", hold.id("data.id"))
	for _, of := range []struct{ method, path string }{
		{"GET", bookingPath(id)}, {"POST", bookingPath(id, "cancel")}, {"POST", bookingPath(id, "reschedule")}, {"DELETE", held},
		{"GET", bookingPath(id + 1000)}, {"POST", bookingPath(id+1000, "cancel")}, {"DELETE", held + "000"},
	} {
		for _, body := range []any{nil, "{", object{"start_at": "soon"}} {
			if body != nil && of.method != "POST" {
				continue
			}
			site.send(of.method, of.path, body).refused(404, "not_found")
			for _, wrong := range []string{"", "x", token[:len(token)-1], hold.text("data.token")} {
				site.withToken(wrong, of.method, of.path, body).refused(404, "not_found")
			}
		}
	}
	// What is wrong with a request is told to who has the token.
	site.withToken(token, "POST", bookingPath(id, "reschedule"), "{").refused(422, "malformed_json")
	site.withToken(token, "POST", bookingPath(id, "reschedule"), object{}).refused(422, "required", "start_at")
	twice := site.request("GET", bookingPath(id), nil)
	twice.Header["X-Booking-Token"] = []string{"wrong", token}
	if got := site.do(twice); got.status == 200 {
		t.Errorf("of two tokens one is wrong: %s", got)
	}
	site.w.rival(t).withToken(token, "GET", bookingPath(id), nil).refused(404, "not_found")
}

// TestBooking_IsClosed while the agency, the product or its people say so.
func TestBooking_IsClosed(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home, start := p.home(nil), at(28*time.Hour)
		made := p.site.post(product(home, "/bookings"), booking(start, "Avant")).is(201)
		try := func(why string) {
			t.Helper()
			p.site.get(product(home, "/booking-slots")).is(200).equals("data", list{})
			p.site.get(product(home, "?fetch=online_booking")).is(200).equals("data.online_booking", object{"enabled": false, "url": nil, "next_slots": list{}})
			p.site.send("POST", product(home, "/bookings"), booking(start, why)).refused(409, "booking_closed")
			p.site.send("POST", product(home, "/booking-holds"), object{"start_at": start}).refused(409, "booking_closed")
			p.site.withToken(made.text("data.token"), "POST", bookingPath(made.id("data.id"), "reschedule"), object{"start_at": start}).refused(409, "booking_closed")
			if p.customers(why) != 0 {
				t.Errorf("%s: somebody is left", why)
			}
		}
		p.opens(object{"enabled": false})
		try("Ferme")
		p.opens(object{})
		p.change(home, object{"criteria": criteria("Statut", "SousCompromis")}).is(204)
		try("Compromis")
		p.change(home, object{"criteria": criteria("Statut", "EnCours")}).is(204)
		// What was booked can still be cancelled.
		p.opens(object{"enabled": false})
		p.site.withToken(made.text("data.token"), "POST", bookingPath(made.id("data.id"), "cancel"), nil).is(204)
		p.opens(object{"confirmation": "MANUELLE"})
		p.site.post(product(home, "/bookings"), booking(start, "Prudente")).is(201).equals("data.status", "PREVU")
		// Nobody works on a holiday, at night, or sooner than the notice.
		p.opens(object{"notice_minutes": 28*60 + 1})
		p.site.post(product(home, "/bookings"), booking(start, "Pressee")).refused(409, "slot_taken")
		p.opens(object{})
		for _, closed := range []string{"2026-05-08T08:00:00Z", "2026-05-05T20:00:00Z", "2026-05-10T08:00:00Z", "2026-05-05T08:07:00Z", "2026-05-03T08:00:00Z", "2026-08-03T08:00:00Z"} {
			p.site.post(product(home, "/bookings"), booking(closed, "Impossible")).refused(409, "slot_taken")
		}
		p.site.get(product(99999999, "/booking-slots")).refused(404, "not_found")
		p.site.send("POST", product(99999999, "/bookings"), "{").refused(404, "not_found")
		p.site.send("POST", product(home, "/bookings"), object{}).refused(422, "required", "start_at", "contact")
		p.site.send("POST", product(home, "/bookings"), object{"start_at": start, "contact": object{"lastname": "Sans"}}).is(422)
	})
}

// TestBooking_TimeComesBackWhenItIsGivenUp, in the same moment.
func TestBooking_TimeComesBackWhenItIsGivenUp(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home, start := p.home(object{"user_id": 101}), "2026-05-05T12:00:00.000Z"
		free := func(want bool, after string) {
			t.Helper()
			if got := p.site.offers(home, start); got != want {
				t.Errorf("after %s the slot is offered: %v", after, got)
			}
		}
		free(true, "nothing")
		one := p.event(meeting(28 * time.Hour))
		free(false, "an event")
		p.post(eventPath(one, "answers"), object{"attendee_id": 1, "answer": "REFUSE"}).is(204)
		free(true, "a refusal")
		p.post(eventPath(one, "answers"), object{"attendee_id": 1, "answer": "ACCEPTE"}).is(204)
		free(false, "an acceptance")
		p.patch(eventPath(one), object{"status": "ANNULE"}).is(204)
		free(true, "a cancellation")
		two := p.event(meeting(28 * time.Hour))
		p.delete(eventPath(two)).is(204)
		free(true, "a deletion")
		busy := object{"busy": list{object{"start_at": start, "end_at": "2026-05-05T12:10:00Z"}}}
		p.send("PUT", "/agenda/external-busy/101/outlook", busy).is(200)
		free(false, "an import")
		p.delete("/agenda/external-busy/101/outlook").is(204)
		free(true, "an import that is gone")
		hold := p.site.post(product(home, "/booking-holds"), object{"start_at": start}).is(201)
		free(false, "a hold")
		p.site.withToken(hold.text("data.token"), "DELETE", fmt.Sprint("/booking-holds/", hold.id("data.id")), nil).is(204).empty()
		free(true, "a hold that ended")
		held := p.site.post(product(home, "/booking-holds"), object{"start_at": start}).is(201)
		p.w.clock.advance(10 * time.Minute)
		free(true, "a hold that expired")
		p.site.withToken(held.text("data.token"), "DELETE", fmt.Sprint("/booking-holds/", held.id("data.id")), nil).refused(404, "not_found")
		p.site.post(product(home, "/bookings"), merged(booking(start, "Lente"), object{"hold_id": held.at("data.id"), "hold_token": held.at("data.token")})).refused(409, "hold_expired")
		p.send("PUT", "/agenda/working-times/101", object{"patterns": list{}, "exceptions": list{}}).is(200)
		free(false, "working time that ended")
	})
}

// TestBooking_AgentsWhoAreNotShownOnTheWeb are not named to visitors.
func TestBooking_AgentsWhoAreNotShownOnTheWeb(t *testing.T) {
	hidden := stages()
	for n := range hidden {
		users := append([]transfer.SetupUser{}, hidden[n].Sites[0].Users...)
		for i := range users {
			users[i].WebVisible = users[i].ID != 102
		}
		hidden[n].Sites = append([]transfer.SetupSite{}, hidden[n].Sites...)
		hidden[n].Sites[0].Users = users
	}
	planning(t, func(t *testing.T, p planner) {
		for user, want := range map[int]any{101: "Violaine", 102: nil} {
			made := p.site.post(product(p.home(object{"user_id": user}), "/bookings"), booking(at(28*time.Hour), fmt.Sprint("Chez", user))).is(201)
			got := p.site.withToken(made.text("data.token"), "GET", bookingPath(made.id("data.id")), nil).is(200)
			if agent, _ := got.at("data.user").(object); want == nil && agent != nil || want != nil && agent["firstname"] != want {
				t.Errorf("%s", got)
			}
			p.get(bookingPath(made.id("data.id"))).is(200).equals("data.user.id", user)
		}
	}, described(hidden...))
}

// TestBooking_TooLateForVisitors: the office may cancel until it begins.
func TestBooking_TooLateForVisitors(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home := p.home(nil)
		start := at(time.Hour)
		made := p.site.post(product(home, "/bookings"), booking(start, "Tardive")).is(201)
		id, token := made.id("data.id"), made.text("data.token")
		p.site.withToken(token, "GET", bookingPath(id), nil).is(200).equals("data.cancel_until", "2026-05-04T07:00:00.000Z")
		p.site.withToken(token, "POST", bookingPath(id, "cancel"), nil).refused(409, "booking_closed")
		p.site.withToken(token, "POST", bookingPath(id, "reschedule"), object{"start_at": at(28 * time.Hour)}).refused(409, "booking_closed")
		p.post(bookingPath(id, "cancel"), nil).is(204)
		p.opens(object{"cancel_notice_minutes": 60})
		again := p.site.post(product(home, "/bookings"), booking(start, "Tardive")).is(201)
		p.site.withToken(again.text("data.token"), "POST", bookingPath(again.id("data.id"), "cancel"), nil).is(204)
	})
}
