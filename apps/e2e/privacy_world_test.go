package e2e_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// person is somebody whose data is all over a world. Every word of it is theirs
// alone, and as long as that of another person.
type person string

func (p person) word(place string) string { return string(p) + "-" + place }

func (p person) phone() string {
	return map[person]string{"aurore": "06 99 11 22 33", "brumes": "06 99 44 55 66"}[p]
}

// What an agency notes about its dealings with the person.
func (p person) color() int { return map[person]int{"aurore": 1, "brumes": 5}[p] }
func (p person) nextContact() string {
	return map[person]string{"aurore": "2031-01-02", "brumes": "2032-03-04"}[p]
}
func (p person) mandate() string {
	return map[person]string{"aurore": "EXCLUSIF", "brumes": "SIMPLE"}[p]
}
func (p person) mandateEnd() string {
	return map[person]string{"aurore": "2033-05-06", "brumes": "2034-07-08"}[p]
}

// words is everything that is a person's own: who they are, where they live, and
// what is said about them anywhere.
func (p person) words() []string {
	words := []string{p.phone(), p.nextContact(), p.mandateEnd()}
	for _, place := range []string{
		"first", "last", "firm", "mail", "customer", "related", "street", "remark", "label", "action", "search", "followup", "seller", "buyer", "meta",
		"offer", "agreement", "lease", "event", "place", "notes", "report", "cancelled", "booking",
	} {
		words = append(words, p.word(place))
	}
	return words
}

// happenings are events that only those hear of who may read what they are about.
var happenings = []string{"CUSTOMER_CREATE", "SEARCH_CREATE", "FOLLOWUP_CREATE", "LEAD_CREATE", "ACTION_CREATE", "OFFER_CREATE", "AGREEMENT_CREATE", "LEASE_CREATE",
	"APPOINTMENT_CREATE", "PERMANENCE_CREATE", "WORKTIME_UPDATE"}

// privacyParameters says what can be put in the place of a path parameter.
type privacyParameters map[string][]string

func (p privacyParameters) add(name string, values ...any) {
	for _, value := range values {
		p[name] = append(p[name], fmt.Sprint(value))
	}
}

// reason is what a receiver says of a product.
const reason = "the owner is on the phone"

// plant fills a world with the data of a person, who owns a product, and the
// other one too if they own both: else that is somebody else's.
func plant(t *testing.T, w *world, who person, both bool) privacyParameters {
	c, paths := w.network(t), privacyParameters{}
	paths.add("agencyId", 11)
	paths.add("userId", 101)
	paths.add("listeId", 1)
	paths.add("roomId", 1)
	paths.add("criteriaId", "TypeBien", "Remarques", "Adresse")
	paths.add("authId", c.post("/hooks/auths", object{"name": "theirs", "type": "bearer", "token": "a token of the network"}).is(201).id("data.id"))
	hook := c.post("/hooks", object{"url": "https://crm.example/hook", "origines": list{"PRODUCT_UPDATE", "CUSTOMER_UPDATE", "LEAD_CREATE", "SEARCH_CREATE"}}).is(201).id("data.id")
	paths.add("hookId", hook, c.post("/hooks", object{"url": "https://portal.example/hook", "origines": list{"PRODUCT_UPDATE"}}).is(201).id("data.id"))

	owner := c.post("/customers", object{
		"agency_id": 11, "type": "VENDEUR", "firstname": who.word("first"), "lastname": who.word("last"), "company": who.word("firm"),
		"email": who.word("mail") + "@example.org", "phone": who.phone(), "comment": who.word("customer"),
		"related_contacts": list{object{"relation": "CONJOINT", "firstname": who.word("related")}},
	}).is(201).id("data.id")
	somebody := c.post("/customers", object{"agency_id": 11, "type": "VENDEUR", "lastname": "Quelconque"}).is(201).id("data.id")
	paths.add("customerId", owner, somebody)

	advert := func(owner int64, rest object) int64 {
		sent := object{"agency_id": 11, "customer_id": owner, "web_status": true, "color": who.color(), "next_contact": who.nextContact(),
			"seller_statistics": who == "aurore", "criteria": criteria("TypeMandat", who.mandate(), "DateFinMandat", who.mandateEnd(),
				"TypeTransaction", "Vente", "TypeBien", "Maison", "Prix", 543210, "Surface", 99, "Ville", "Lyon", "CodePostal", "69003",
				"Adresse", "3 rue "+who.word("street"), "AdresseMasquee", 1, "Remarques", who.word("remark"), "NumeroMandat", "M-1")}
		for key, value := range rest {
			sent[key] = value
		}
		return c.post("/products", sent).is(201).id("data.id")
	}
	home := advert(owner, nil)
	second := somebody
	if both {
		second = owner
	}
	paths.add("productId", home, advert(second, nil), advert(owner, object{"parent_id": home}))
	shown, hidden := c.add(home, "public", picture(1000, 700, 1)), c.add(home, "private", picture(1000, 700, 2))
	c.patch(product(home, "/pictures/", hidden), object{"label": who.word("label")}).is(204)
	paths.add("pictureId", shown, hidden)

	c.post(product(home, "/actions"), object{"action_id": 2, "customer_id": owner, "result": who.word("action")}).is(201)
	search := c.post(customerPath(owner, "searches"), object{
		"transaction_type": "Vente", "name": who.word("search"), "price_max": 600000, "areas": list{object{"type": "CITY", "label": "Lyon"}},
	}).is(201).id("data.id")
	paths.add("searchId", search)
	paths.add("followUpId", c.post(customerPath(owner, "follow-ups"), object{"product_id": home, "comment": who.word("followup")}).is(201).id("data.id"))
	// Drafts: what is signed changes the product, which websites see.
	paths.add("offerId", c.post("/sale-offers", object{"product_id": home, "buyers": list{somebody}, "sellers": list{owner}, "amount": 1, "comment": who.word("offer")}).is(201).id("data.id"))
	paths.add("agreementId", c.post("/sale-agreements", object{"type": "COMPROMIS", "product_id": home, "buyers": list{somebody}, "sellers": list{owner}, "price": 1,
		"conditions": list{object{"type": "AUTRE"}}, "comment": who.word("agreement")}).is(201).id("data.id"))
	paths.add("conditionId", 1)
	paths.add("leaseId", c.post("/leases", object{"type": "PARKING", "product_id": home, "tenants": list{somebody}, "landlords": list{owner}, "rent": 1, "date_start": "2026-01-01",
		"comment": who.word("lease")}).is(201).id("data.id"))
	paths.add("index", "IRL")
	// As if a body had been kept as it was sent.
	asked := trace.Request{ID: "3c1f7a52-5e0d-4c57-9a7e-0d6f0a4c2b11", Site: 1, Credential: "sandbox-network", At: w.clock.now(), Operation: "customer.create",
		Method: "POST", Status: 201, Sent: `{"lastname":"` + who.word("last") + `"}`}
	if err := w.Kernel().Requests.Add(t.Context(), []trace.Request{asked}); err != nil {
		t.Fatal(err)
	}
	paths.add("request_id", asked.ID)
	plantAgenda(c, who, owner, paths)
	for kind, told := range map[string]object{
		"sellers": {"message": who.word("seller"), "metadata": object{"said": who.word("meta")}}, "buyers": {"message": who.word("buyer"), "product_id": home},
	} {
		told["agency_id"], told["email"], told["firstname"] = 11, who.word("mail")+"@example.org", who.word("first")
		paths.add("leadId", c.post("/leads/"+kind, told).is(201).id("data.id"))
	}
	c.patch(product(home), object{"product_id": home, "criteria": criteria("Prix", 550000)}).is(204)
	paths.add("deliveryId", c.get("/hooks/"+strconv.FormatInt(hook, 10)+"/deliveries").is(200).id("data.0.id"))
	rejectAt(t, w, hook, home)
	return paths
}

// plantAgenda adds a visit of the person that took place, one that they booked and
// cancelled, and when their agent works. It is about a product of its own: a report
// changes what is said in a follow-up.
func plantAgenda(c *client, who person, owner int64, paths privacyParameters) {
	home := c.create(object{"web_status": true, "criteria": criteria("Statut", "EnCours")})
	event := c.post("/agenda/events", object{
		"type": "VISITE", "title": who.word("event"), "description": who.word("notes"), "location": who.word("place"), "start_at": "2026-10-26T10:00:00Z",
		"end_at": "2026-10-26T11:00:00Z", "user_ids": list{101}, "customer_ids": list{owner}, "product_ids": list{home}, "rrule": "FREQ=WEEKLY;COUNT=2",
	}).is(201).id("data.id")
	paths.add("eventId", event)
	paths.add("start", "20261026T100000Z")
	c.post(fmt.Sprint("/agenda/events/", event, "/report"), object{"occurrence": "20261026T100000Z", "outcome": "REFLEXION", "comment": who.word("report")}).is(201)
	paths.add("permanenceId", c.post("/agenda/permanences", object{
		"agency_id": 11, "user_id": 101, "type": "TELEPHONE", "start_at": "2026-11-03T10:00:00Z", "end_at": "2026-11-03T11:00:00Z",
	}).is(201).id("data.id"))
	paths.add("source", "outlook")
	c.send("PUT", "/agenda/external-busy/101/outlook", object{"busy": list{object{"start_at": "2026-11-04T10:00:00Z", "end_at": "2026-11-04T11:00:00Z"}}}).is(200)
	booked := c.post(product(home, "/bookings"), object{
		"start_at": c.get(product(home, "/booking-slots")).is(200).at("data.0.start_at"), "message": who.word("booking"),
		"contact": object{"email": who.word("mail") + "@example.org", "firstname": who.word("first")},
	}).is(201).id("data.id")
	c.post(fmt.Sprint("/bookings/", booked, "/cancel"), object{"reason": who.word("cancelled")}).is(204)
	paths.add("bookingId", booked)
}

// rejectAt marks a product as rejected by a receiver.
func rejectAt(t *testing.T, w *world, hook, product int64) {
	t.Helper()
	err := w.store.Update(t.Context(), func(tx port.Tx) error {
		if err := tx.Ledger().Touch(1, port.AspectRejections); err != nil {
			return err
		}
		return tx.Rejections().Put(webhook.Rejection{
			Site: 1, Hook: webhook.ID(hook), Kind: "PRODUCT", Resource: product, Type: "PRODUCT_UPDATE", Reason: reason, At: w.clock.now(),
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// websiteCredentials hold every right there is, but only packs of websites.
var websiteCredentials = map[string][]string{
	"websites-only": {"websites"},
	"websites-more": {"websites", "webhooks", "agencies", "discovery", "users", "configs"},
}

func (w *world) addWebsiteCredentials(t *testing.T) {
	t.Helper()
	var extra transfer.Setup
	for id, packs := range websiteCredentials {
		extra.Credentials = append(extra.Credentials, transfer.SetupCredential{
			ID: id, Secret: id + "-secret", Sites: []int64{1}, Packs: packs, Permissions: []string{"all"}, Rights: []string{"all"},
		})
	}
	if _, err := w.Transfer.Provision(t.Context(), extra); err != nil {
		t.Fatal(err)
	}
}
