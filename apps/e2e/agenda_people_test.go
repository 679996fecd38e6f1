package e2e_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// attended is what a customer leaves in the agenda, and the words about them in it.
type attended struct {
	who, past, series, ahead, booking int64
	words                             []string
}

// attends makes a customer who visited a house, comes again and booked another
// visit, and writes words about them wherever the agenda takes some.
func (p planner) attends(name string) attended {
	p.t.Helper()
	a := attended{who: p.post("/customers", object{"agency_id": 11, "type": "ACQUEREUR", "lastname": "Zanari" + name, "email": "zanari" + name + "@example.org"}).is(201).id("data.id")}
	word := func(field string) string {
		a.words = append(a.words, "zanari"+name+field+"qx")
		return a.words[len(a.words)-1]
	}
	home := p.home(nil)
	about := func(after time.Duration, more object) object {
		return meeting(after, object{
			"type": "VISITE", "title": word("title"), "description": word("description"), "location": word("location"), "meeting_url": "https://example.org/" + word("url"),
			"external_id": word("external"), "customer_ids": list{a.who}, "product_ids": list{home},
		}, more)
	}
	a.past = p.event(about(-48*time.Hour, object{}))
	p.post(eventPath(a.past, "report"), object{"outcome": "REFLEXION", "comment": word("report"), "signed_at": at(-47 * time.Hour)}).is(201)
	a.series = p.event(about(50*time.Hour, object{"rrule": "FREQ=DAILY;COUNT=3"}))
	p.patch(eventPath(a.series, "occurrences", "20260507T100000Z"), object{
		"title": word("occurrence"), "description": word("notes"), "location": word("place"), "meeting_url": "https://example.org/" + word("link"),
	}).is(204)
	a.ahead = p.event(about(100*time.Hour, object{"reminders": list{60}}))
	made := p.site.post(product(home, "/bookings"), merged(booking(at(28*time.Hour), "Zanari"+name), object{"message": word("message")})).is(201)
	a.booking = made.id("data.id")
	p.get(bookingPath(a.booking)).is(200).equals("data.customer_id", a.who)
	other := p.site.post(product(p.home(nil), "/bookings"), booking(at(29*time.Hour), "Zanari"+name)).is(201)
	p.site.withToken(other.text("data.token"), "POST", bookingPath(other.id("data.id"), "cancel"), object{"reason": word("reason")}).is(204)
	for _, w := range a.words {
		if len(p.w.dump(p.t).holding(w)) == 0 {
			p.t.Errorf("%s is not in a dump to begin with", w)
		}
	}
	return a
}

// gone demands that no answer has words about a customer, and the store neither.
func (p planner) gone(a attended) {
	p.t.Helper()
	left := p.w.dump(p.t)
	for _, w := range a.words {
		if parts := left.holding(w); len(parts) > 0 {
			p.t.Errorf("%s is still in %q", w, parts)
		}
	}
}

func TestPeople_TheExportHasTheirAgenda(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		a := p.attends("export")
		p.attends("autre")
		told := p.get(customerPath(a.who, "export")).is(200)
		var ids []int64
		for _, e := range told.list("data.appointments") {
			e := e.(object)
			ids = append(ids, int64(e["id"].(float64)))
			for _, field := range []string{"type", "title", "start_at", "end_at", "product_ids", "status", "reports"} {
				if _, there := e[field]; !there {
					t.Errorf("an event of the export has no %s: %v", field, e)
				}
			}
		}
		if want := []int64{a.past, a.series, a.ahead}; len(ids) != 5 || !slices.Equal(ids[:3], want) {
			t.Errorf("the export has the events %v", ids)
		}
		told.equals("data.appointments.0.reports.0.comment", "zanariexportreportqx").equals("data.bookings.0.id", a.booking).equals("data.bookings.0.status", "CONFIRME").
			equals("data.bookings.1.status", "ANNULE").equals("data.bookings.1.reason", "zanariexportreasonqx")
	})
}

func TestPeople_AfterAnonymisationTheAgendaKnowsNothing(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		a, kept := p.attends("anonyme"), p.attends("reste")
		event := p.get(bookingPath(a.booking)).is(200).id("data.event_id")
		slip := p.get(eventPath(a.past)).is(200).text("data.reports.0.slip_number")
		ledger := p.ledger()
		p.post(customerPath(a.who, "anonymize"), nil).is(204)
		if got := counted(ledger.news()); got["APPOINTMENT_UPDATE"] < 4 || got["REMINDER_CREATE"] != 0 {
			t.Errorf("the events are %v", got)
		}
		p.gone(a)
		for id, status := range map[int64]string{a.past: "REALISE", a.series: "ANNULE", a.ahead: "ANNULE", event: "ANNULE"} {
			p.get(eventPath(id)).is(200).has(object{"status": status, "title": "Visite", "description": nil, "location": nil, "customer_ids": list{float64(a.who)}})
		}
		p.get(eventPath(a.past)).is(200).has(object{"reports.0.outcome": "REFLEXION", "reports.0.comment": nil, "reports.0.slip_number": slip})
		p.get(bookingPath(a.booking)).is(200).equals("data.status", "ANNULE")
		// Nobody adds them, and what could be booked before can be again.
		p.post("/agenda/events", meeting(60*time.Hour, object{"customer_ids": list{a.who}})).refused(422, "unknown_customer", "customer_ids")
		p.post(eventPath(a.past, "report"), object{"outcome": "REFLEXION"}).is(409)
		again := p.site.post(product(p.home(nil), "/bookings"), booking(at(31*time.Hour), "Zanarianonyme")).is(201)
		if p.get(bookingPath(again.id("data.id"))).id("data.customer_id") == a.who {
			t.Error("a booking brings somebody back")
		}
		for _, w := range kept.words {
			if len(p.w.dump(t).holding(w)) == 0 {
				t.Errorf("%s is gone as well", w)
			}
		}
	})
}

func TestPeople_WhoIsDeletedLeavesTheAgenda(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		a := p.attends("efface")
		event := p.get(bookingPath(a.booking)).is(200).id("data.event_id")
		both := p.event(meeting(75*time.Hour, object{"title": "À deux", "customer_ids": list{a.who, p.person("Autre")}}))
		p.delete(customerPath(a.who)).is(204)
		for _, id := range []int64{a.past, a.series, a.ahead, event} {
			p.get(eventPath(id)).is(200).has(object{"customer_ids": list{}})
		}
		if left := p.get(eventPath(both)).is(200).has(object{"title": "À deux", "status": "PREVU"}).list("data.customer_ids"); len(left) != 1 {
			t.Errorf("%v attend", left)
		}
		p.get(eventPath(event)).is(200).has(object{"status": "ANNULE"})
		p.get(bookingPath(a.booking)).is(200).has(object{"status": "ANNULE", "customer_id": nil})
		left := p.w.dump(t)
		for _, w := range a.words {
			if parts := left.holding(w); len(parts) > 0 && w != a.words[len(a.words)-2] { // a lead outlives who sent it, with the message
				t.Errorf("%s is still in %q", w, parts)
			}
		}
	})
}

// TestPeople_TokensOfWhoIsGoneEnd: what was shown once proves nothing any more.
func TestPeople_TokensOfWhoIsGoneEnd(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		for n, leave := range []func(int64) answer{
			func(who int64) answer { return p.post(customerPath(who, "anonymize"), nil) }, func(who int64) answer { return p.delete(customerPath(who)) },
		} {
			home := p.home(nil)
			made := p.site.post(product(home, "/bookings"), booking(at(28*time.Hour), fmt.Sprint("Partie", n))).is(201)
			id := made.id("data.id")
			leave(p.get(bookingPath(id)).id("data.customer_id")).is(204)
			p.site.withToken(made.text("data.token"), "GET", bookingPath(id), nil).refused(404, "not_found")
			p.site.withToken(made.text("data.token"), "POST", bookingPath(id, "cancel"), nil).refused(404, "not_found")
			if !p.site.offers(home, made.text("data.start_at")) {
				t.Error("the time is not given back")
			}
		}
	})
}
