package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (c *client) merge(stays, goes int64, more object) answer {
	c.t.Helper()
	return c.send("POST", customerPath(stays, "merge"), merged(object{"customer_id": goes}, more))
}

// moved is what the answer to a merge says of each kind that there was any of.
func (a answer) moved() string {
	a.t.Helper()
	var all []string
	for _, one := range a.list("data.moved") {
		kind := one.(object)
		if kind["moved"] != 0.0 || kind["doubles"] != 0.0 {
			all = append(all, fmt.Sprint(kind["kind"], " ", kind["moved"], " ", kind["doubles"]))
		}
	}
	return strings.Join(all, ", ")
}

// Two records of one person become one, in whatever names them.
func TestMerge_WhateverNamesTheOneNamesTheOther(t *testing.T) {
	onEach(t, "merged customers", func(t *testing.T, w *world) {
		c := w.network(t)
		// No other number is taken for one of these.
		if err := w.store.Update(t.Context(), func(tx port.Tx) error { return tx.ReserveID(port.CustomerIDs, 7_600_000_000) }); err != nil {
			t.Fatal(err)
		}
		stays, goes, spouse, stranger := c.person("Durand"), c.person("Durant"), c.person("Conjoint"), c.person("Tiers")
		mail := fmt.Sprintf("eve.durand%d@example.com", goes%1000)
		c.patch(customerPath(stays), object{
			"phone": "06 51 51 51 51", "consent": object{"email": true, "phone": true, "source": "visite"}, "comment": "Rappeler.",
			"related_contacts": list{object{"customer_id": goes, "relation": "AUTRE"}},
		}).is(204)
		c.patch(customerPath(goes), object{
			"type": "NOTAIRE", "firstname": "Ève", "email": mail, "phone_numbers": list{object{"number": "0651515151", "is_primary": true}, object{"number": "0652525252"}},
			"consent": object{"email": false, "sms": true}, "comment": "Cherche une maison.", "client_area": object{"enabled": true, "login": "eve"},
			"related_contacts": list{object{"customer_id": spouse, "relation": "CONJOINT"}},
		}).is(204)
		c.patch(customerPath(spouse), object{"related_contacts": list{object{"customer_id": goes, "relation": "CONJOINT"}}}).is(204)

		house, sold, deleted := c.create(nil), c.create(object{"customer_id": goes}), c.create(object{"customer_id": goes})
		c.delete(product(deleted)).is(204)
		search := c.post(customerPath(goes, "searches"), object{"transaction_type": "Vente"}).is(201).id("data.id")
		kept := c.post(customerPath(stays, "follow-ups"), object{"product_id": house}).is(201).id("data.id")
		double := c.post(customerPath(goes, "follow-ups"), object{"product_id": house, "rating": 4}).is(201).id("data.id")
		follow := c.post(customerPath(goes, "follow-ups"), object{"product_id": sold, "search_id": search}).is(201).id("data.id")
		lead := c.post("/leads/buyers", object{"agency_id": 11, "email": mail, "product_id": house, "transaction_type": "Vente"}).is(201).id("data.id")
		called := object{"action_id": reminder, "result": "Un rendez-vous", "date_performed": "2026-01-02T10:00:00Z"}
		for _, who := range []int64{stays, goes} {
			c.post(customerPath(who, "actions"), called).is(201)
		}
		c.post(customerPath(goes, "actions"), merged(called, object{"result": "Un autre"})).is(201)
		c.post(product(house, "/actions"), object{"action_id": visit, "customer_id": goes}).is(201)

		deal := func(path string, body object) int64 {
			return c.post(path, merged(object{"product_id": house, "sellers": list{stranger}, "landlords": list{stranger}}, body)).is(201).id("data.id")
		}
		offer := deal("/sale-offers", object{"buyers": list{goes, spouse}, "search_id": search, "amount": 5})
		agreement := deal("/sale-agreements", object{"type": "COMPROMIS", "buyers": list{stays, goes}, "price": 5, "buyer_notary_id": nil, "seller_notary_id": nil})
		noted := deal("/sale-agreements", object{"type": "COMPROMIS", "buyers": list{spouse}, "price": 5, "buyer_notary_id": goes, "seller_notary_id": nil})
		lease := deal("/leases", object{"type": "PARKING", "tenants": list{spouse}, "guarantors": list{goes}, "date_start": "2026-01-01", "rent": 5})
		event := c.post("/agenda/events", object{
			"type": "VISITE", "title": "Visite", "start_at": "2026-01-05T10:00:00Z", "end_at": "2026-01-05T11:00:00Z", "user_ids": list{101},
			"customer_ids": list{goes, stays}, "product_ids": list{house},
		}).is(201).id("data.id")
		c.post(fmt.Sprint("/agenda/events/", event, "/report"), object{"customer_id": goes, "product_id": house, "outcome": "REFLEXION"}).is(201)
		c.change(house, object{"web_status": true, "criteria": criteria("Statut", "EnCours")}).is(204)
		booked := c.post(product(house, "/bookings"), object{
			"start_at": c.get(product(house, "/booking-slots")).is(200).at("data.0.start_at"), "contact": object{"email": mail},
		}).is(201).id("data.id")
		met := c.get(fmt.Sprint("/bookings/", booked)).is(200).equals("data.customer_id", goes).id("data.event_id")

		names := map[string][]int64{
			"eventId": {event, met}, "bookingId": {booked}, "userId": {101}, "agencyId": {11}, "offerId": {offer}, "agreementId": {agreement, noted},
			"leaseId": {lease}, "productId": {house, sold}, "customerId": {stays, spouse, stranger}, "searchId": {search}, "leadId": {lead},
		}
		before, ledger := c.allReads(names), c.ledger()
		preview := c.merge(stays, goes, object{"preview": true}).is(200).equals("data.preview", true)
		ledger.tells()
		for request, a := range c.allReads(names) {
			if a.status == 200 && string(a.body) != string(before[request].body) && !strings.Contains(request, "/export") {
				t.Errorf("a preview changed %s", request)
			}
		}
		const want = "searches 2 0, follow_ups 2 1, leads 1 0, products 1 0, sale_offers 1 0, sale_agreements 2 0, leases 1 0, appointments 2 0, bookings 1 0, actions 3 1, mentions 1 0"
		first := c.keyed(fmt.Sprint("merge ", goes), customerPath(stays, "merge"), object{"customer_id": goes}).is(200).anew().equals("data.preview", false)
		if preview.moved() != first.moved() || !comparable(preview, first) {
			t.Errorf("the preview is\n%s\nand the merge\n%s", preview, first)
		}
		if got := first.moved(); got != want {
			t.Errorf("moved\n%s, want\n%s", got, want)
		}
		c.keyed(fmt.Sprint("merge ", goes), customerPath(stays, "merge"), object{"customer_id": goes}).repeats(first)
		news := ledger.news()
		if !slices.Equal(news[len(news)-2:], []string{fmt.Sprint("CUSTOMER_DELETE ", goes), fmt.Sprint("CUSTOMER_UPDATE ", stays)}) {
			t.Errorf("the events are %v", news)
		}
		for _, told := range []string{
			fmt.Sprint("SEARCH_UPDATE ", search), fmt.Sprint("FOLLOWUP_UPDATE ", kept), fmt.Sprint("FOLLOWUP_DELETE ", double), fmt.Sprint("FOLLOWUP_UPDATE ", follow),
			fmt.Sprint("LEAD_UPDATE ", lead), fmt.Sprint("PRODUCT_UPDATE ", sold), fmt.Sprint("OFFER_UPDATE ", offer), fmt.Sprint("AGREEMENT_UPDATE ", agreement),
			fmt.Sprint("AGREEMENT_UPDATE ", noted), fmt.Sprint("LEASE_UPDATE ", lease), fmt.Sprint("APPOINTMENT_UPDATE ", event), fmt.Sprint("CUSTOMER_UPDATE ", spouse),
		} {
			if !slices.Contains(news, told) {
				t.Errorf("%s is not told", told)
			}
		}

		one := c.get(customerPath(stays)).is(200).equals("data.lastname", "Durand").equals("data.firstname", "Ève").equals("data.email", mail)
		one.equals("data.comment", "Rappeler.\nCherche une maison.").equals("data.client_area.login", "eve").equals("data.type", "VENDEUR")
		one.equals("data.consent.email", false).equals("data.consent.sms", true).equals("data.consent.phone", true).equals("data.consent.source", "visite")
		if numbers := one.list("data.phone_numbers"); len(numbers) != 2 || len(one.list("data.related_contacts")) != 1 {
			t.Errorf("%s", one)
		}
		for _, a := range c.allReads(names) {
			if strings.Contains(string(a.body), fmt.Sprint(goes)) {
				t.Errorf("%d is gone, and named by %s", goes, a)
			}
		}
		export := c.get(customerPath(stays, "export")).is(200)
		for kind, n := range map[string]int{
			"searches": 2, "follow_ups": 3, "leads": 1, "sale_offers": 1, "sale_agreements": 1, "leases": 1, "appointments": 2, "bookings": 1, "actions": 4, "products": 1, "mentions": 1,
		} {
			if got := len(export.list("data." + kind)); got != n {
				t.Errorf("the export has %d %s, want %d", got, kind, n)
			}
		}
		c.get(fmt.Sprint("/sale-agreements/", agreement)).is(200).equals("data.buyers", list{float64(stays)})
		c.get(fmt.Sprint("/sale-agreements/", noted)).is(200).equals("data.buyer_notary_id", stays)
		c.get(fmt.Sprint("/agenda/events/", event)).is(200).equals("data.customer_ids", list{float64(stays)}).equals("data.reports.0.customer_id", stays)
		c.isGone(goes, stays, search)

		// Joined once more, both ids lead to the last.
		c.merge(spouse, stays, nil).is(200)
		for _, id := range []int64{goes, stays} {
			c.isGone(id, spouse, search)
			c.change(house, object{"customer_id": id}).refused(422, "customer_merged", "customer_id").equals("error.details.0.value", spouse)
			c.merge(spouse, id, nil).refused(422, "customer_merged", "customer_id").equals("error.details.0.value", spouse)
		}
		c.post(product(deleted, "/restore"), nil).is(204)
		c.get(product(deleted)).is(200).equals("data.customer_id", spouse)
		known := func(want bool) {
			t.Helper()
			export := string(c.get(customerPath(spouse, "export")).is(200).body)
			for _, said := range []string{mail, "Un autre", "Cherche une maison"} {
				if strings.Contains(export, said) != want {
					t.Errorf("that %q is known is not %t", said, want)
				}
			}
		}
		known(true)
		c.post(customerPath(spouse, "anonymize"), nil).is(204)
		known(false)
		c.isGone(goes, spouse, search)
		w.rival(t).get(customerPath(goes)).refused(404, "not_found")
	})
}

// comparable reports whether two answers say the same of the customer, but for when it was.
func comparable(a, b answer) bool {
	one, other := a.at("data.customer").(object), b.at("data.customer").(object)
	return fmt.Sprint(without(one, "last_modified")) == fmt.Sprint(without(other, "last_modified"))
}

func without(o object, key string) object {
	o = copied(o)
	delete(o, key)
	return o
}

// isGone makes sure that every operation below a customer says who is there in their place.
func (c *client) isGone(id, into, search int64) {
	c.t.Helper()
	for _, o := range c.w.Operations() {
		if !strings.HasPrefix(o.Path, "/customers/{") {
			continue
		}
		path := strings.NewReplacer("{customerId}", fmt.Sprint(id), "{searchId}", fmt.Sprint(search), "{followUpId}", "1").Replace(o.Path)
		var body any
		if o.Method != kernel.GET && o.Method != kernel.DELETE {
			body = object{}
		}
		c.send(o.Method, path, body).refused(410, "customer_merged", "customer_id").equals("error.details.0.value", into)
	}
}

// What cannot be joined is refused with the field, and stays as it was.
func TestMerge_WhatIsRefusedChangesNothing(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		one, two, anonymous := c.person("Un"), c.person("Une"), c.person("Oubliée")
		c.post(customerPath(anonymous, "anonymize"), nil).is(204)
		offer := c.post("/sale-offers", object{"product_id": c.create(nil), "buyers": list{one}, "sellers": list{two}, "amount": 5}).is(201).id("data.id")
		ledger := c.ledger()
		for _, body := range []object{{}, {"customer_id": nil}} {
			c.post(customerPath(one, "merge"), body).refused(422, "required", "customer_id")
		}
		c.merge(one, 0, nil).refused(422, "out_of_range", "customer_id")
		c.merge(one, one, nil).refused(422, "out_of_range", "customer_id")
		for _, id := range []int64{987654321, anonymous, 1301} {
			c.merge(one, id, nil).refused(422, "unknown_customer", "customer_id")
		}
		elsewhere := w.rival(t)
		foreign := elsewhere.post("/customers", object{"agency_id": 21, "type": "VENDEUR", "lastname": "Autre"}).is(201).id("data.id")
		c.merge(one, foreign, nil).refused(422, "unknown_customer", "customer_id")
		elsewhere.merge(foreign, one, nil).refused(422, "unknown_customer", "customer_id")
		c.merge(foreign, one, nil).refused(404, "not_found")
		c.merge(987654321, one, nil).refused(404, "not_found")
		c.merge(1301, one, nil).refused(403, "resource_out_of_scope")
		c.merge(anonymous, one, nil).refused(409, "customer_anonymized")
		for _, preview := range []bool{true, false} {
			c.merge(one, two, object{"preview": preview}).refused(422, "party_on_both_sides", "customer_id").equals("error.details.0.value", offer)
			c.merge(two, one, object{"preview": preview}).refused(422, "party_on_both_sides", "customer_id")
		}
		var many list
		for n := range 20 {
			many = append(many, object{"email": fmt.Sprintf("m%d@example.com", n)})
		}
		three := c.person("Trois")
		c.patch(customerPath(three), object{"emails": many}).is(204)
		crowded := c.person("Quatre")
		c.patch(customerPath(crowded), object{"email": "m20@example.com"}).is(204)
		ledger.news()
		c.merge(three, crowded, nil).refused(422, "out_of_range", "customer_id")
		ledger.tells()
	})
}

// Whatever is added to a customer who is joined meanwhile is the other's, or was refused.
func TestMerge_NothingThatIsAddedMeanwhileIsLost(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		stays, goes := c.person("Restante"), c.person("Partante")
		homes := []int64{}
		for range 6 {
			homes = append(homes, c.create(nil))
		}
		answers := atOnce(25, func(n int) answer {
			switch n % 6 {
			case 0:
				return c.send("POST", customerPath(goes, "searches"), object{"transaction_type": "Vente"})
			case 1:
				return c.send("POST", customerPath(goes, "follow-ups"), object{"product_id": homes[n/6]})
			case 2:
				return c.send("POST", customerPath(goes, "actions"), object{"action_id": reminder, "result": fmt.Sprint(n)})
			case 3:
				return c.send("POST", product(homes[n/6], "/actions"), object{"action_id": visit, "customer_id": goes})
			case 4:
				return c.send("PATCH", product(homes[n/6]), object{"product_id": homes[n/6], "customer_id": goes})
			case 5:
				if n == 11 {
					return c.send("POST", customerPath(stays, "merge"), object{"customer_id": goes})
				}
			}
			return c.send("POST", "/sale-offers", object{"product_id": homes[5], "buyers": list{goes}, "amount": n + 1})
		})
		added := map[string]int{}
		for n, a := range answers {
			kind := []string{"searches", "follow_ups", "actions", "actions", "products", "sale_offers"}[n%6]
			switch {
			case n == 11:
				a.is(200)
			case a.status < 300:
				added[kind]++
			case a.status == 410:
				a.refused(410, "customer_merged", "customer_id")
			default:
				a.refused(422, "customer_merged")
			}
		}
		export := c.get(customerPath(stays, "export")).is(200)
		for _, kind := range []string{"searches", "follow_ups", "actions", "products", "sale_offers"} {
			if got := len(export.list("data." + kind)); got != added[kind] {
				t.Errorf("of %d %s that were added, there are %d", added[kind], kind, got)
			}
		}
	})
}
