package e2e_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// succeed demands that so many of the answers have a status, and that all others are
// a conflict with a code.
func succeed(t *testing.T, answers []answer, status, want int, code string) (won []answer) {
	t.Helper()
	for _, a := range answers {
		if a.status == status {
			won = append(won, a)
		} else {
			a.refused(409, code)
		}
	}
	if len(won) != want {
		t.Fatalf("%d succeed, want %d", len(won), want)
	}
	return won
}

// counted are events by their type.
func counted(news []string) map[string]int {
	count := map[string]int{}
	for _, e := range news {
		kind, _, _ := strings.Cut(e, " ")
		count[kind]++
	}
	return count
}

// customers is how many have a name.
func (c *client) customers(name string) int {
	c.t.Helper()
	return len(c.post("/customers/search", object{"keyword": name, "count": 100}).is(200).list("data"))
}

// TestRace_OfAHundredVisitorsAsManyBookASlotAsThereAreAgents: of the others nothing
// is left.
func TestRace_OfAHundredVisitorsAsManyBookASlotAsThereAreAgents(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home, start := p.home(nil), at(26*time.Hour)
		leads, ledger := len(p.get("/leads").is(200).list("data")), p.ledger()
		answers := atOnce(100, func(n int) answer {
			return p.site.send("POST", product(home, "/bookings"), booking(start, fmt.Sprint("Coureur", n)))
		})
		won := succeed(t, answers, 201, 3, "slot_taken")
		want := map[string]int{"CUSTOMER_CREATE": 3, "SEARCH_CREATE": 3, "FOLLOWUP_CREATE": 3, "LEAD_CREATE": 3, "APPOINTMENT_CREATE": 3}
		if got := counted(ledger.news()); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the events are %v, want %v", got, want)
		}
		if n := p.customers("Coureur"); n != 3 {
			t.Errorf("there are %d customers", n)
		}
		if n := len(p.get("/leads").is(200).list("data")); n != leads+3 {
			t.Errorf("there are %d leads more", n-leads)
		}
		users := map[any]bool{}
		for _, e := range p.events(home) {
			users[e["user_ids"].(list)[0]] = true
		}
		if len(users) != 3 || len(p.events(home)) != 3 {
			t.Errorf("the events are %v", p.events(home))
		}
		var ids []int64
		for _, a := range won {
			ids = append(ids, a.id("data.id"))
			p.site.withToken(a.text("data.token"), "GET", bookingPath(a.id("data.id")), nil).is(200).equals("data.status", "CONFIRME")
		}
		slices.Sort(ids)
		p.get(bookingPath(ids[2]+1)).refused(404, "not_found")
		if p.site.offers(home, won[0].text("data.start_at")) {
			t.Error("the slot is still offered")
		}
		// Who loses may book another.
		p.site.post(product(home, "/bookings"), booking(at(28*time.Hour), "Patiente")).is(201)
	}, racing, overOneConnection)
}

// TestRace_OneCustomerBooksAProductOnce, however often they try at once.
func TestRace_OneCustomerBooksAProductOnce(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home := p.home(nil)
		answers := atOnce(20, func(n int) answer {
			return p.site.send("POST", product(home, "/bookings"), booking(at(28*time.Hour+time.Duration(n%4)*30*time.Minute), "Partout"))
		})
		made := 0
		for _, a := range answers {
			if a.status == 201 {
				made++
			} else if a.status != 409 || a.text("error.code") != "already_booked" && a.text("error.code") != "slot_taken" {
				t.Errorf("%s", a)
			}
		}
		if made != 1 || len(p.events(home)) != 1 || p.customers("Partout") != 1 {
			t.Errorf("%d bookings were made, there are %d events and %d customers", made, len(p.events(home)), p.customers("Partout"))
		}
	}, racing)
}

func TestRace_HoldsOfOneSlotAndWhoRedeemsThem(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home, start, ledger := p.home(nil), at(26*time.Hour), p.ledger()
		held := succeed(t, atOnce(40, func(int) answer {
			return p.site.send("POST", product(home, "/booking-holds"), object{"start_at": start})
		}), 201, 3, "slot_taken")
		ledger.tells()
		p.site.post(product(home, "/bookings"), booking(start, "Tard")).refused(409, "slot_taken")
		// Each is used once, and gives its own time.
		answers := atOnce(12, func(n int) answer {
			of := held[n%3]
			return p.site.send("POST", product(home, "/bookings"), merged(booking(start, fmt.Sprint("Tenant", n)), object{"hold_id": of.at("data.id"), "hold_token": of.at("data.token")}))
		})
		succeed(t, answers, 201, 3, "hold_expired")
		if got := counted(ledger.news()); got["APPOINTMENT_CREATE"] != 3 || got["CUSTOMER_CREATE"] != 3 || p.customers("Tenant") != 3 {
			t.Errorf("the events are %v", got)
		}
		for _, of := range held {
			p.site.withToken(of.text("data.token"), "DELETE", fmt.Sprint("/booking-holds/", of.id("data.id")), nil).refused(404, "not_found")
		}
	}, racing)
}

func TestRace_HoldsOfOneClientAreCounted(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home := p.home(nil)
		slots := p.site.get(product(home, "/booking-slots")).is(200).list("data")
		answers := atOnce(30, func(n int) answer {
			return p.site.send("POST", product(home, "/booking-holds"), object{"start_at": slots[n].(object)["start_at"]})
		})
		succeed(t, answers, 201, 20, "conflict")
		// Those of another client, and of another product, are not among them.
		p.post(product(home, "/booking-holds"), object{"start_at": slots[30].(object)["start_at"]}).is(201)
		p.site.post(product(p.home(nil), "/booking-holds"), object{"start_at": slots[31].(object)["start_at"]}).is(201)
	}, racing)
}

func TestRace_ManyMoveToOneStart(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home := p.home(nil)
		var made []answer
		for n := range 12 {
			made = append(made, p.site.post(product(home, "/bookings"), booking(at(28*time.Hour+time.Duration(n/3)*30*time.Minute), fmt.Sprint("Mobile", n))).is(201))
		}
		ledger, start := p.ledger(), at(31*time.Hour)
		answers := atOnce(12, func(n int) answer {
			return p.site.withToken(made[n].text("data.token"), "POST", bookingPath(made[n].id("data.id"), "reschedule"), object{"start_at": start})
		})
		succeed(t, answers, 204, 3, "slot_taken")
		if got := counted(ledger.news()); fmt.Sprint(got) != "map[APPOINTMENT_UPDATE:3]" {
			t.Errorf("the events are %v", got)
		}
		there := map[any]int{}
		for n, a := range answers {
			got := p.get(bookingPath(made[n].id("data.id"))).is(200)
			if moved := got.at("data.start_at") != made[n].at("data.start_at"); moved != (a.status == 204) {
				t.Errorf("%s, and then %s", a, got)
			}
			there[fmt.Sprint(got.at("data.start_at"), got.at("data.user.id"))]++
		}
		if len(there) != 12 {
			t.Errorf("somebody is booked twice: %v", there)
		}
	}, racing)
}

// TestRace_EventsThatRefuseToOverlap: also when they name the same users in another
// order.
func TestRace_EventsThatRefuseToOverlap(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		ledger := p.ledger()
		both := []list{{101, 102}, {102, 101}, {102}, {101}}
		answers := atOnce(40, func(n int) answer {
			return p.send("POST", "/agenda/events", meeting(26*time.Hour, object{"user_ids": both[n%2], "on_conflict": "REFUSE"}))
		})
		won := succeed(t, answers, 201, 1, "slot_taken")[0]
		ledger.tells(heard("APPOINTMENT_CREATE", won.id("data.id")))
		p.post("/agenda/events", meeting(26*time.Hour+30*time.Minute, object{"on_conflict": "REFUSE"})).refused(409, "slot_taken")
		if got := p.post("/agenda/events", meeting(26*time.Hour+30*time.Minute)).is(201).header.Get("X-Conflicts"); got != fmt.Sprint(won.id("data.id")) {
			t.Errorf("X-Conflicts is %q", got)
		}
		// Moved to one time at once, one of those of a user gets there.
		var events []int64
		for n := range 16 {
			events = append(events, p.event(meeting(time.Duration(48+n)*time.Hour, object{"user_ids": both[2+n%2]})))
		}
		ledger.news()
		moved := succeed(t, atOnce(16, func(n int) answer {
			return p.send("PATCH", eventPath(events[n]), object{"start_at": at(100 * time.Hour), "end_at": at(101 * time.Hour), "on_conflict": "REFUSE"})
		}), 204, 2, "slot_taken")
		if got := counted(ledger.news()); got["APPOINTMENT_UPDATE"] != len(moved) || len(got) != 1 {
			t.Errorf("the events are %v", got)
		}
	}, racing)
}

// TestRace_EverythingThatTakesTimeAtOnce: whoever gets it, each user is taken once.
func TestRace_EverythingThatTakesTimeAtOnce(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home, start := p.home(nil), at(26*time.Hour)
		var made []answer
		for n := range 6 {
			made = append(made, p.site.post(product(home, "/bookings"), booking(at(28*time.Hour+time.Duration(n/3)*30*time.Minute), fmt.Sprint("Avant", n))).is(201))
		}
		answers := atOnce(42, func(n int) answer {
			switch n % 7 {
			case 0:
				return p.send("POST", "/agenda/events", meeting(26*time.Hour, object{"user_ids": list{101 + n/7%3}, "on_conflict": "REFUSE"}))
			case 1:
				return p.site.send("POST", product(home, "/booking-holds"), object{"start_at": start})
			case 2:
				of := made[n/7]
				return p.site.withToken(of.text("data.token"), "POST", bookingPath(of.id("data.id"), "reschedule"), object{"start_at": start})
			default:
				return p.site.send("POST", product(home, "/bookings"), booking(start, fmt.Sprint("Melee", n)))
			}
		})
		succeeded := 0
		for _, a := range answers {
			if a.status < 300 {
				succeeded++
			} else {
				a.refused(409, "slot_taken")
			}
		}
		if succeeded != 3 {
			t.Errorf("%d succeed", succeeded)
		}
		busy := p.get("/agenda/free-busy" + query("user_ids", "101,102,103", "from", start, "to", at(26*time.Hour+30*time.Minute))).is(200)
		for n := range 3 {
			if of := busy.list(fmt.Sprintf("data.%d.busy", n)); len(of) != 1 {
				t.Errorf("%s", busy)
			}
		}
	}, racing)
}

// TestRace_AKeyBooksOnce: the token comes again, too.
func TestRace_AKeyBooksOnce(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		home := p.home(nil)
		for path, body := range map[string]object{
			product(home, "/bookings"): booking(at(26*time.Hour), "Clefunique"), product(home, "/booking-holds"): {"start_at": at(28 * time.Hour)},
		} {
			key := rand.Text()
			answers := atOnce(12, func(int) answer { return p.site.keyed(key, path, body) })
			last := p.site.keyed(key, path, body).is(201)
			if last.text("data.token") == "" {
				t.Errorf("%s has no token", last)
			}
			for _, a := range answers {
				if a.status == 409 {
					a.refused(409, "request_in_progress")
				} else if string(a.body) != string(last.body) || a.header.Get("Location") != last.header.Get("Location") {
					t.Errorf("%s\nis not\n%s", a, last)
				}
			}
		}
		if len(p.events(home)) != 1 || p.customers("Clefunique") != 1 {
			t.Errorf("there are %d events", len(p.events(home)))
		}
	}, racing)
}
