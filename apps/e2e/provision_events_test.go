package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// reprovisioned is the network as it was described last, with a change.
func reprovisioned(t *testing.T, w *world, change func(*transfer.SetupSite)) {
	t.Helper()
	described := stages()[1]
	described.Sites[0].Agencies = slices.Clone(described.Sites[0].Agencies)
	change(&described.Sites[0])
	if _, err := w.Transfer.Provision(t.Context(), described); err != nil {
		t.Fatal(err)
	}
}

func TestAChangedAgencyIsTold(t *testing.T) {
	onEach(t, "agency events", func(t *testing.T, w *world) {
		c, receiver := w.network(t), recording(t, answering(204, ""))
		h := c.subscribe(receiver.url, object{"origines": list{"AGENCY_UPDATE"}})
		sold := c.create(nil)
		ledger, ofSite := c.ledger(), w.website(t).ledger()
		agency := c.get("/agencies").is(200).id("data.0.id")
		rename := func(s *transfer.SetupSite) { s.Agencies[0].Name += " et fils" }

		reprovisioned(t, w, func(*transfer.SetupSite) {})
		ledger.tells()
		reprovisioned(t, w, func(s *transfer.SetupSite) {
			rename(s)
			s.Agencies = append(s.Agencies, transfer.SetupAgency{ID: 19, Name: "Nouvelle"})
			s.Users = append(slices.Clone(s.Users), transfer.SetupUser{ID: 191, AgencyID: 19, Firstname: "Une", Lastname: "Nouvelle"})
		})
		news := fmt.Sprintf("AGENCY_UPDATE %d", agency)
		ledger.tells(news, "USER_CREATE 191")
		ofSite.tells(news, "USER_CREATE 191") // the pack leads reads users
		reprovisioned(t, w, func(s *transfer.SetupSite) {
			rename(s)
			s.Agencies = append(s.Agencies, transfer.SetupAgency{ID: 19, Name: "Nouvelle"})
		})
		ledger.tells()
		h.came("succeeded")
		if d := h.deliveries("event_type=AGENCY_UPDATE"); len(d) != 1 || d[0]["resource_id"] != float64(agency) {
			t.Errorf("the deliveries are %v", d)
		}

		// Searches and what else follows the ledger pass over it.
		if !slices.Contains(c.walk(object{}), sold) {
			t.Error("the product is not found any more")
		}
		reprovisioned(t, w, func(*transfer.SetupSite) {})
		ledger.tells(news, "AGENCY_UPDATE 19", "USER_DELETE 191")
		h.came("succeeded", "succeeded", "succeeded")
	}, deliveringTo("127.0.0.0/8:*"), overOneConnection)
}

func TestUsersAndCriteriaAreTold(t *testing.T) {
	onEach(t, "users and criteria", func(t *testing.T, w *world) {
		c := w.network(t)
		ledger := c.ledger()
		no := false
		var moved int64
		reprovisioned(t, w, func(s *transfer.SetupSite) {
			s.Users = slices.Clone(s.Users)
			moved = s.Users[0].ID
			s.Users[0].IsActive = &no
			s.Users = append(s.Users, transfer.SetupUser{ID: 190, AgencyID: 12, Firstname: "Neuve", Lastname: "Venue"})
			s.Criteria = slices.Clone(s.Criteria)
			s.Criteria[0].Values = append(slices.Clone(s.Criteria[0].Values), transfer.SetupChoice{ID: 990, Model: "Yourte", Label: "Yourte"})
			s.Criteria = append(s.Criteria, transfer.SetupCriterion{ID: 991, Key: "Nouveau", Type: "FLAG", Label: "Nouveau"})
		})
		first := sandbox().Sites[0].Criteria[0].ID
		ledger.tells(fmt.Sprint("CRITERIA_UPDATE ", first), "CRITERIA_UPDATE 991", fmt.Sprint("USER_UPDATE ", moved), "USER_CREATE 190")
		for _, e := range c.get("/events?origines=CRITERIA_UPDATE").is(200).list("data") {
			if e.(object)["agency_id"] != nil {
				t.Errorf("criteria are of the site: %v", e)
			}
		}
		// Out of scope is gone, as who reads it learns.
		reprovisioned(t, w, func(s *transfer.SetupSite) {
			s.Users = append(slices.Clone(s.Users), transfer.SetupUser{ID: 190, AgencyID: formerAgency, Firstname: "Neuve", Lastname: "Venue"})
		})
		ledger.tells(fmt.Sprint("CRITERIA_UPDATE ", first), fmt.Sprint("USER_UPDATE ", moved), "USER_DELETE 190")
		c.get("/users/190").refused(403, "resource_out_of_scope")
	})
}

// P14: an agent who left, and an owner who was anonymised, may be sent back as they are shown.
func TestP14_WhoLeftMayStay(t *testing.T) {
	onEach(t, "who left", func(t *testing.T, w *world) {
		d := dealer{w.network(t)}
		home, _ := d.flat()
		buyer, owner := d.who("ACQUEREUR", object{"user_id": 102}), d.who("VENDEUR")
		owned := d.create(object{"customer_id": owner, "user_id": 102})
		d.post(customerPath(owner, "anonymize"), object{}).is(204)
		agent := object{"user_id": 102}
		search := d.post(customerPath(buyer, "searches"), merged(object{"transaction_type": "Vente"}, agent)).is(201).id("data.id")
		lead := d.post("/leads/buyers", merged(object{"email": "a@b.example", "agency_id": 12}, agent)).is(201).id("data.id")
		shared := object{"commissions": list{object{"role": "ENTREE", "percent": 50, "user_id": 102}}}
		agreement := d.agreement(home, buyer, merged(shared, agent))
		kept := map[string]object{
			product(owned): {"product_id": owned, "user_id": 102, "customer_id": owner}, customerPath(buyer): agent,
			customerPath(buyer, "searches", fmt.Sprint(search)): agent, fmt.Sprintf("/leads/%d", lead): agent,
			offerPath(d.offer(home, d.who("ACQUEREUR"), agent)): agent, agreementPath(agreement): merged(shared, agent), leasePath(d.lease(home, d.who("LOCATAIRE"), agent)): agent,
		}
		no := false
		reprovisioned(t, w, func(s *transfer.SetupSite) {
			s.Users = slices.Clone(s.Users)
			for n := range s.Users {
				if s.Users[n].ID == 102 {
					s.Users[n].IsActive = &no
				}
			}
		})
		for path, fields := range kept {
			ledger := d.ledger()
			d.patch(path, fields).is(204)
			ledger.tells()
			d.patch(path, merged(fields, object{"user_id": 123})).refused(422, "unknown_user", "user_id")
		}
	}, standingStill(dealsNow))
}

func TestV6_AnAgencyLeavesAndReturns(t *testing.T) {
	onEach(t, "scope", func(t *testing.T, w *world) {
		c, receiver := w.network(t), recording(t, answering(204, ""))
		id := c.create(object{"agency_id": 12})
		h := c.subscribe(receiver.url, object{"origines": list{"PRODUCT_CREATE", "PRODUCT_DELETE"}})
		of12 := c.count(object{"agency_id": 12})
		ledger, no := c.ledger(), false
		leave := func(s *transfer.SetupSite) {
			s.Agencies[slices.IndexFunc(s.Agencies, func(a transfer.SetupAgency) bool { return a.ID == 12 })].InScope = &no
		}
		products := func(what string) {
			t.Helper()
			news := slices.DeleteFunc(ledger.news(), func(e string) bool { return !strings.HasPrefix(e, what) })
			if len(news) != of12 || !slices.Contains(news, fmt.Sprint(what, " ", id)) {
				t.Errorf("%d of %s, want %d: %v", len(news), what, of12, news)
			}
		}
		reprovisioned(t, w, leave)
		products("PRODUCT_DELETE")
		c.get(product(id)).refused(403, "resource_out_of_scope")
		if slices.Contains(c.walk(object{}), id) {
			t.Error("a search finds it")
		}
		reprovisioned(t, w, leave)
		ledger.tells()
		reprovisioned(t, w, func(*transfer.SetupSite) {})
		products("PRODUCT_CREATE")
		c.get(product(id)).is(200)
		if !slices.Contains(c.walk(object{}), id) {
			t.Error("no search finds it")
		}
		ledger.tells()
		eventually(t, "the deliveries", func() bool { return len(h.deliveries("status=succeeded")) == 2*of12 })
	}, deliveringTo("127.0.0.0/8:*"))
}
