package e2e_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	listing "github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// requiredQuery is what operations cannot do without.
var requiredQuery = map[string]string{
	"config.holidays": "&year=2026", "transaction.deadlines": "&from=2026-01-01&to=2026-12-31",
	"appointment.occurrences": "&from=2026-01-01&to=2030-01-01", "permanence.list": "&from=2026-01-01&to=2026-12-31", "agenda.on-duty": "&agency_id=11",
	"agenda.availabilities": "&agency_id=11&from=2026-01-01&to=2026-01-10", "agenda.free-busy": "&user_ids=101&from=2026-01-01&to=2026-02-01",
}

// telling are the operations that tell what happened, besides histories: they name what is gone.
var telling = map[string]bool{"event.list": true, "hook.deliveries": true, "hook.delivery.get": true}

// allReads is every answer of the operations that read, for the records that
// paths can name, by request. Of products it asks for every block.
func (c *client) allReads(names map[string][]int64) map[string]answer {
	c.t.Helper()
	fetch := "?fetch=" + url.QueryEscape(strings.Join(listing.PartNames(), ",")) // others take no notice of it
	all := map[string]answer{}
	for _, o := range c.w.Operations() {
		if o.Method != kernel.GET || o.Public || telling[o.ID] || strings.HasSuffix(o.Path, "/history") {
			continue
		}
		paths := []string{o.Path}
		for _, parameter := range pathParameter.FindAllString(o.Path, -1) {
			var filled []string
			for _, path := range paths {
				for _, id := range names[strings.Trim(parameter, "{}")] {
					filled = append(filled, strings.Replace(path, parameter, fmt.Sprint(id), 1))
				}
			}
			paths = filled
		}
		for _, path := range paths {
			all["GET "+path] = c.get(path + fetch + requiredQuery[o.ID])
		}
	}
	for path, bodies := range map[string][]object{
		"/products/search" + fetch: {{}, {"parent_id": nil}}, "/products/search/count": {{}}, "/customers/search": {{}},
		"/sale-offers/search": {{}}, "/sale-agreements/search": {{}}, "/leases/search": {{}},
		"/agenda/events/search": {{"from": "2026-01-01", "to": "2027-01-01"}},
	} {
		for _, body := range bodies {
			all[fmt.Sprint("POST ", path, body)] = c.send("POST", path, body)
		}
	}
	return all
}

// Records outlive what they name. Whatever is deleted, no answer names it from then
// on, and whoever asks whether an answer has changed is told so.
func TestG34_IdsOfWhatIsGoneAreNull(t *testing.T) {
	onEach(t, "ids of what is gone", func(t *testing.T, w *world) {
		c := w.network(t)
		// Ids of different kinds, and other numbers, must not be taken for each other.
		if err := w.store.Update(t.Context(), func(tx port.Tx) error {
			for i, s := range []port.Sequence{port.ProductIDs, port.CustomerIDs, port.SearchIDs, port.FollowUpIDs, port.LeadIDs} {
				if err := tx.ReserveID(s, 7_100_000_000+int64(i)*100_000_000); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		buyer, notary, related, visitor := c.person("Acquéreuse"), c.person("Notaire"), c.person("Conjoint"), c.person("Visiteur")
		house, tower := c.create(nil), c.create(nil)
		flat := c.create(object{"parent_id": tower})
		c.patch(customerPath(buyer), object{
			"email":  fmt.Sprintf("acquereuse%d@example.com", buyer),
			"notary": object{"customer_id": notary, "name": "Me Roy"}, "related_contacts": list{object{"customer_id": related, "relation": "CONJOINT"}},
		}).is(204)
		search := c.post(customerPath(buyer, "searches"), object{"transaction_type": "Vente"}).is(201).id("data.id")
		c.post(customerPath(buyer, "follow-ups"), object{"product_id": house, "search_id": search}).is(201)
		lead := c.post("/leads/buyers", object{"agency_id": 11, "email": fmt.Sprintf("acquereuse%d@example.com", buyer), "product_id": house, "transaction_type": "Vente"}).is(201).id("data.id")
		led := c.get(fmt.Sprint("/leads/", lead)).is(200).equals("data.customer_id", buyer).equals("data.product_id", house)
		its, of := led.id("data.search_id"), led.id("data.follow_up_id")
		c.post(product(house, "/actions"), object{"action_id": visit, "customer_id": buyer}).is(201)
		c.post(product(house, "/actions"), object{"action_id": visit, "customer_id": visitor}).is(201)
		seller := c.post("/leads/sellers", object{"agency_id": 11, "phone": "06 44 33 22 11", "city": "Lyon"}).is(201).id("data.id")
		sold := c.get(fmt.Sprint("/leads/", seller)).is(200)
		offered, offerer := sold.id("data.product_id"), sold.id("data.customer_id")

		// Drafts, and an offer that is over, keep nobody.
		deal := func(path string, body object) int64 {
			return c.post(path, merged(object{"product_id": house, "sellers": list{visitor}, "landlords": list{visitor}}, body)).is(201).id("data.id")
		}
		offer := deal("/sale-offers", object{"buyers": list{buyer, related}, "search_id": search, "amount": 5})
		over := deal("/sale-offers", object{"buyers": list{buyer, related}, "search_id": search, "amount": 5})
		c.post(fmt.Sprint("/sale-offers/", over, "/withdraw"), nil).is(204)
		agreement := deal("/sale-agreements", object{"type": "COMPROMIS", "buyers": list{related, buyer}, "price": 5, "buyer_notary_id": nil, "seller_notary_id": nil})
		lease := deal("/leases", object{"type": "PARKING", "tenants": list{related, buyer}, "guarantors": list{notary}, "date_start": "2026-01-01", "rent": 5})

		event := c.post("/agenda/events", object{
			"type": "VISITE", "title": "Visite", "start_at": "2026-01-05T10:00:00Z", "end_at": "2026-01-05T11:00:00Z", "user_ids": list{101},
			"customer_ids": list{buyer, visitor, related}, "product_ids": list{house, flat}, "search_id": search,
		}).is(201).id("data.id")
		c.post(fmt.Sprint("/agenda/events/", event, "/report"), object{"customer_id": visitor, "product_id": house, "outcome": "REFLEXION"}).is(201)
		c.change(house, object{"web_status": true, "criteria": criteria("Statut", "EnCours")}).is(204)
		booked := c.post(product(house, "/bookings"), object{
			"start_at": c.get(product(house, "/booking-slots")).is(200).at("data.0.start_at"), "contact": object{"email": fmt.Sprintf("acquereuse%d@example.com", buyer)},
		}).is(201).id("data.id")
		met := c.get(fmt.Sprint("/bookings/", booked)).is(200).equals("data.customer_id", buyer).id("data.event_id")

		names := map[string][]int64{
			"eventId": {event, met}, "bookingId": {booked}, "userId": {101}, "agencyId": {11},
			"offerId": {offer, over}, "agreementId": {agreement}, "leaseId": {lease},
			"productId": {house, tower, flat, offered}, "customerId": {buyer, notary, related, visitor, offerer}, "searchId": {search, its},
			"leadId": {lead, seller},
		}
		before := c.allReads(names)
		for _, gone := range []struct {
			what string
			id   int64
			path string
		}{
			{"a search request", search, customerPath(buyer, "searches", fmt.Sprint(search))},
			{"the search request of a lead", its, customerPath(buyer, "searches", fmt.Sprint(its))},
			{"the follow-up of a lead", of, customerPath(buyer, "follow-ups", fmt.Sprint(of))},
			{"what has lots", tower, product(tower)},
			{"a product with follow-ups, leads and actions", house, product(house)},
			{"who visited a product", visitor, customerPath(visitor)},
			{"a notary", notary, customerPath(notary)},
			{"somebody related", related, customerPath(related)},
			{"the product of a lead", offered, product(offered)},
			{"who owned a product that is gone", offerer, customerPath(offerer)},
			{"who had all of that", buyer, customerPath(buyer)},
		} {
			named := 0
			c.delete(gone.path).is(204)
			after := c.allReads(names)
			for _, request := range slices.Sorted(maps.Keys(after)) {
				was, is := before[request], after[request]
				if is.status != 200 {
					is.is(404)
					continue
				}
				if strings.Contains(string(is.body), fmt.Sprint(gone.id)) {
					t.Errorf("%s is gone, and named:\n%s", gone.what, is)
				}
				if strings.Contains(string(was.body), fmt.Sprint(gone.id)) {
					named++
				}
				if string(was.body) != string(is.body) && strings.HasPrefix(request, "GET") && was.header.Get("ETag") == is.header.Get("ETag") {
					t.Errorf("%s is gone, and the tag of %s stays %s", gone.what, request, is.header.Get("ETag"))
				}
			}
			if named == 0 {
				t.Errorf("nothing named %s, so this shows nothing", gone.what)
			}
			before = after
		}
	})
}

// A lot whose parent is gone is no lot: searches find it so, and it may have lots.
func TestG34_ALotOfWhatIsGoneIsNoLot(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		tower := c.create(nil)
		flat, other := c.create(object{"parent_id": tower}), c.create(nil)
		cellar := c.create(object{"parent_id": tower})
		tag := c.get(product(flat)).is(200).equals("data.parent_id", tower).header.Get("ETag")
		c.delete(product(tower)).is(204)
		if got := c.get(product(flat), "If-None-Match", tag).is(200).equals("data.parent_id", nil).header.Get("ETag"); got == tag {
			t.Error("the tag is the same")
		}
		found := func(parent any) []int64 { return c.walk(object{"parent_id": parent}) }
		if !slices.Contains(found(nil), flat) || len(found(tower)) > 0 {
			t.Errorf("searches find %v below the parent that is gone", found(tower))
		}
		ledger := c.ledger()
		c.change(other, object{"parent_id": flat}).is(204)
		ledger.tells(fmt.Sprint("PRODUCT_UPDATE ", flat), fmt.Sprint("PRODUCT_UPDATE ", other))
		c.get(product(flat)).is(200).equals("data.lots_count", 1)

		// What comes back has the lots that are still none of another, and have none.
		c.post(product(tower, "/restore"), nil).is(204)
		c.get(product(tower)).is(200).equals("data.lots_count", 1)
		c.get(product(cellar)).is(200).equals("data.parent_id", tower)
		c.get(product(flat)).is(200).equals("data.parent_id", nil).equals("data.lots_count", 1)
		c.change(c.create(nil), object{"parent_id": cellar}).refused(422, "out_of_range", "parent_id")
	})
}

// Leads outlive the customer, and nobody finds them by who is gone.
func TestG34_NobodyFindsLeadsByWhoIsGone(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		lead := c.post("/leads/buyers", object{"agency_id": 11, "phone": "07 62 62 62 62", "transaction_type": "Vente"}).is(201).id("data.id")
		who := c.get(fmt.Sprint("/leads/", lead)).is(200).id("data.customer_id")
		path := fmt.Sprint("/leads?customer_id=", who)
		c.get(path).is(200).equals("data.0.id", lead)
		c.delete(customerPath(who)).is(204)
		if got := c.get(path).is(200).equals("has_more", false).equals("next_cursor", nil).ids(); len(got) > 0 {
			t.Errorf("leads %v are found by who is gone", got)
		}
		c.get(fmt.Sprint("/leads/", lead)).is(200).equals("data.customer_id", nil).equals("data.customer_created", true)
	})
}

// TestL5_LotsAreToldOfWhatBecomesOfTheirParent: a lot shows no parent while that is deleted, so
// it changes when the parent goes and when it comes back.
func TestL5_LotsAreToldOfWhatBecomesOfTheirParent(t *testing.T) {
	onEach(t, "lots", func(t *testing.T, w *world) {
		c := w.network(t)
		tower, house := c.create(nil), c.create(nil)
		gone := c.create(object{"parent_id": tower})
		lots := []int64{c.create(object{"parent_id": tower}), c.create(object{"agency_id": 12, "parent_id": tower})}
		c.create(object{"parent_id": house})
		c.delete(product(gone)).is(204)
		ledger, ofSite := c.ledger(), w.website(t).ledger()
		news := func(what string) []string {
			return []string{fmt.Sprint(what, " ", tower), fmt.Sprint("PRODUCT_UPDATE ", lots[0]), fmt.Sprint("PRODUCT_UPDATE ", lots[1])}
		}
		read := func(id int64) (answer, any) {
			a := c.get(product(id)).is(200)
			return a, a.at("data.last_modified")
		}
		after := func(what string, happen func() answer, parent any) {
			t.Helper()
			before := map[int64]any{}
			tags := map[int64]string{}
			for _, id := range lots {
				a, modified := read(id)
				before[id], tags[id] = modified, a.header.Get("ETag")
			}
			happen().is(204)
			ledger.tells(news(what)...)
			ofSite.tells(news(what)...)
			for _, id := range lots {
				a, modified := read(id)
				a.equals("data.parent_id", parent)
				if modified.(string) <= before[id].(string) {
					t.Errorf("%s: lot %d was modified at %v, and before at %v", what, id, modified, before[id])
				}
				c.send("PATCH", product(id), object{"product_id": id, "color": 3}, "If-Match", tags[id]).refused(412, "precondition_failed")
				if found := c.walk(object{"last_modified": modified}); !slices.Contains(found, id) {
					t.Errorf("%s: who asks for what changed does not find lot %d: %v", what, id, found)
				}
			}
		}
		after("PRODUCT_DELETE", func() answer { return c.delete(product(tower)) }, nil)
		after("PRODUCT_CREATE", func() answer { return c.post(product(tower, "/restore"), nil) }, float64(tower))
		// A lot that comes back under a parent that is gone, and the parent after it.
		c.delete(product(lots[0])).is(204)
		c.delete(product(tower)).is(204)
		c.post(product(lots[0], "/restore"), nil).is(204)
		ledger.news()
		ofSite.news()
		after("PRODUCT_CREATE", func() answer { return c.post(product(tower, "/restore"), nil) }, float64(tower))
	})
}
