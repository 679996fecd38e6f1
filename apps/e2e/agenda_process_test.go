package e2e_test

import (
	"fmt"
	"strings"
	"testing"
)

// together are two servers on one database; on SQLite, which has one, twice the same.
func together(t *testing.T, database string) [2]*process {
	t.Helper()
	first := serving(t, database)
	if isFile(database) {
		return [2]*process{first, first}
	}
	return [2]*process{first, serving(t, database)}
}

func isFile(database string) bool { return !strings.HasPrefix(database, "postgres") }

// TestRace_TwoServersGiveEachTimeAwayOnce: processes that share a database, and
// nothing else.
func TestRace_TwoServersGiveEachTimeAwayOnce(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		servers := together(t, database)
		office, sites := servers[0].network(t), [2]*client{servers[0].website(t), servers[1].website(t)}
		home := office.create(object{"agency_id": 11, "web_status": true, "criteria": criteria("Statut", "EnCours", "TypeTransaction", "Vente")})
		for _, what := range []string{"/bookings", "/booking-holds"} {
			slot := office.get(product(home, "/booking-slots")).is(200)
			start, free := slot.text("data.0.start_at"), len(slot.list("data.0.user_ids"))
			if free == 0 {
				t.Fatalf("%s: nobody is free", slot)
			}
			ledger := office.ledger()
			won := succeed(t, atOnce(60, func(n int) answer {
				body := booking(start, fmt.Sprint("Course", n))
				if what == "/booking-holds" {
					body = object{"start_at": start}
				}
				return sites[n%2].send("POST", product(home, what), body)
			}), 201, free, "slot_taken")
			if what == "/booking-holds" {
				ledger.tells()
				continue
			}
			if got := counted(ledger.news()); got["APPOINTMENT_CREATE"] != free || got["LEAD_CREATE"] != free || got["CUSTOMER_CREATE"] != free {
				t.Errorf("%d were booked, and the events are %v", free, got)
			}
			if n := office.customers("Course"); n != free {
				t.Errorf("there are %d customers", n)
			}
			// What one booked, the other knows.
			for _, a := range won {
				for _, site := range sites {
					site.withToken(a.text("data.token"), "GET", bookingPath(a.id("data.id")), nil).is(200).equals("data.start_at", start)
				}
			}
		}
	})
}
