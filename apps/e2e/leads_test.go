package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// enquirer is somebody who sends a lead: how they can be reached, and as which lead
// they were received.
type enquirer struct {
	email, phone string
	id           int64
	again        bool
}

// serial reports whether senders were received as if they had come one after the
// other in this order. Which lead each e-mail address and phone number stands for is
// the model.
func serial(senders []enquirer) bool {
	stands := map[string]int64{}
	for _, s := range senders {
		var lead int64
		for _, way := range []string{s.email, s.phone} {
			if known := stands[way]; way != "" && known != 0 && (lead == 0 || known < lead) {
				lead = known
			}
		}
		if s.again != (lead != 0) || s.again && s.id != lead {
			return false
		}
		for _, way := range []string{s.email, s.phone} {
			if stands[way] == 0 {
				stands[way] = s.id
			}
		}
	}
	return true
}

// anyOrder reports whether some order of the senders meets a condition.
func anyOrder(senders []enquirer, from int, meets func([]enquirer) bool) bool {
	if from == len(senders) {
		return meets(senders)
	}
	for i := from; i < len(senders); i++ {
		order := slices.Clone(senders)
		order[from], order[i] = order[i], order[from]
		if anyOrder(order, from+1, meets) {
			return true
		}
	}
	return false
}

// Whoever sends at once what is the same lead by an e-mail address, by a phone number,
// or by both, is received as if one had come after the other, and everything they said
// is kept.
func TestO11_LeadsThatArriveAtOnceAreReceivedInSomeOrder(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		home := c.create(nil)
		var ways []enquirer
		for _, email := range []string{"", "a%d@example.com", "b%d@example.com"} {
			for _, phone := range []string{"", "06 77%06d", "07 88%06d"} {
				if email+phone != "" {
					ways = append(ways, enquirer{email: email, phone: phone})
				}
			}
		}
		round := 0
		for i, first := range ways {
			for _, second := range ways[i:] {
				round++
				// The third knows one way of most others.
				senders := []enquirer{first, second, {email: ways[2].email, phone: "07 88%06d"}}
				ledger := c.ledger()
				var all sync.WaitGroup
				for n := range senders {
					s := &senders[n]
					sent := object{"agency_id": 11, "product_id": home, "message": fmt.Sprint("Message ", n)}
					for field, text := range map[string]*string{"email": &s.email, "phone": &s.phone} {
						if *text != "" {
							*text = fmt.Sprintf(*text, round)
							sent[field] = *text
						}
					}
					all.Go(func() {
						got := c.send("POST", "/leads/buyers", sent).is(201)
						s.id, s.again = got.id("data.id"), got.header.Get("X-Duplicate-Lead") == "true"
					})
				}
				all.Wait()
				if !anyOrder(senders, 0, serial) {
					t.Fatalf("there is no order in which these are received so: %+v", senders)
				}
				news := ledger.news()
				for n, s := range senders {
					kind := map[bool]string{false: "LEAD_CREATE", true: "LEAD_UPDATE"}[s.again]
					if !slices.Contains(news, fmt.Sprint(kind, " ", s.id)) {
						t.Errorf("%+v: no %s among %v", s, kind, news)
					}
					if said := c.get(fmt.Sprint("/leads/", s.id)).is(200).text("data.message"); !strings.Contains(said, fmt.Sprint("Message ", n)) {
						t.Errorf("message %d of %+v is lost: %q", n, senders, said)
					}
				}
			}
		}
	}, racing)
}

func TestO11_WhatAResentLeadAddsIsKept(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		home := c.create(nil)
		sent := object{"agency_id": 11, "product_id": home, "origin": "PORTAIL", "email": "resent@example.com", "message": "Première", "metadata": object{"a": 1}}
		id := c.post("/leads/buyers", sent).is(201).id("data.id")
		path := fmt.Sprint("/leads/", id)
		first := c.get(path).is(200)
		tag := first.header.Get("ETag")
		ledger := c.ledger()

		sent["phone"], sent["message"], sent["metadata"], sent["lastname"] = "06 55 44 33 22", "Seconde", object{"b": list{"é"}, "a": 2}, "Renvoi"
		again := c.post("/leads/buyers", sent).is(201).equals("data.id", id)
		if again.header.Get("X-Duplicate-Lead") != "true" {
			t.Error("a lead sent again does not say so")
		}
		ledger.tells(fmt.Sprint("LEAD_UPDATE ", id)) // the repetition under the key is no second one
		got := c.get(path).is(200).equals("data.phone", "06 55 44 33 22").equals("data.message", "Première\n\nSeconde").equals("data.lastname", "Renvoi").
			equals("data.metadata", object{"a": 1.0, "b": list{"é"}}).equals("data.email", "resent@example.com").equals("data.customer_id", first.id("data.customer_id"))
		if got.header.Get("ETag") == tag {
			t.Error("a lead with more on it has the tag it had")
		}

		// Another way to reach them is known from now on as well.
		delete(sent, "email")
		sent["phone"] = "+33655443322"
		c.post("/leads/buyers", sent).is(201).equals("data.id", id)
		ledger.tells()
		sent["email"], sent["phone"] = "other@example.com", "06 55 44 33 22"
		c.post("/leads/buyers", sent).is(201).equals("data.id", id)
		ledger.tells(fmt.Sprint("LEAD_UPDATE ", id))
		c.get(path).is(200).equals("data.other_emails", list{"other@example.com"}).equals("data.other_phones", list{})
		delete(sent, "phone")
		c.post("/leads/buyers", sent).is(201).equals("data.id", id)
		ledger.tells()

		// Something else, or by another way, is another lead.
		for field, value := range map[string]any{"origin": "APPEL", "product_id": c.create(nil), "email": "third@example.com"} {
			other := object{}
			for k, v := range sent {
				other[k] = v
			}
			other[field] = value
			if got := c.post("/leads/buyers", other).is(201).id("data.id"); got == id {
				t.Errorf("with another %s it is the same lead", field)
			}
		}
		w.rival(t).get(path).refused(404, "not_found")
	})
}

// A seller's lead is known by where the property is, whichever way it is said.
func TestO11_SellersAreKnownByTheAddress(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		send := func(change object) int64 {
			sent := object{"agency_id": 11, "phone": "06 31 41 59 26", "address": "3 rue Lanterne", "city": "Lyon"}
			for k, v := range change {
				sent[k] = v
			}
			return c.post("/leads/sellers", sent).is(201).id("data.id")
		}
		id := send(nil)
		got := []int64{
			send(object{"address": "3 RUE  lanterne", "project": "VENTE", "external_id": "x"}),
			send(object{"address": nil, "city": nil, "criteria": criteria("Adresse", "3 rue Lanterne", "Ville", "LYON")}),
		}
		if !cmp.Equal(got, []int64{id, id}) {
			t.Errorf("the leads are %v, want %d", got, id)
		}
		for what, change := range map[string]object{
			"street": {"address": "5 rue Lanterne"}, "city": {"city": "Bron"}, "criterion": {"criteria": criteria("Adresse", "7 rue Lanterne")},
		} {
			if send(change) == id {
				t.Errorf("another %s is no other lead", what)
			}
		}
	})
}

// Who was anonymised is not known by any way that ever was theirs.
func TestO11_AnonymisingReleasesEveryClaim(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		home := c.create(nil)
		send := func(email, phone string) answer {
			sent := object{"agency_id": 11, "product_id": home, "message": "Oubliez-moi"}
			for field, text := range map[string]string{"email": email, "phone": phone} {
				if text != "" {
					sent[field] = text
				}
			}
			return c.post("/leads/buyers", sent).is(201)
		}
		const mail, phone, second = "forgotten@example.com", "06 27 18 28 18", "07 27 18 28 18"
		id := send(mail, "").id("data.id")
		send(mail, phone).equals("data.id", id)
		send(mail, second).equals("data.id", id)
		who := c.get(fmt.Sprint("/leads/", id)).is(200).id("data.customer_id")
		c.post(customerPath(who, "anonymize"), nil).is(204)
		c.get(fmt.Sprint("/leads/", id)).is(200).equals("data.other_phones", list{}).equals("data.message", nil).equals("data.metadata", nil)
		before := c.get(fmt.Sprint("/leads/", id)).header.Get("ETag")
		for _, way := range [][2]string{{"", second}, {"", phone}, {mail, ""}} {
			if got := send(way[0], way[1]); got.id("data.id") == id || got.header.Get("X-Duplicate-Lead") != "" {
				t.Errorf("%v is known as lead %d", way, id)
			}
		}
		if got := c.get(fmt.Sprint("/leads/", id)).header.Get("ETag"); got != before {
			t.Error("something was added to the lead of somebody who was anonymised")
		}
	})
}
