package e2e_test

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func customerPath(id int64, rest ...string) string {
	return strings.Join(append([]string{"/customers/" + strconv.FormatInt(id, 10)}, rest...), "/")
}

func TestO1_CustomersAreFoundWhateverTheFormattingOfTheirNumber(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		who := c.post("/customers", object{"agency_id": 11, "type": "PROSPECT", "phone": "06 98 71 52 34", "email": "Lea.Martin@Example.com"}).is(201).id("data.id")
		for _, phone := range []string{"06 98 71 52 34", "+33698715234", "0033 6 98 71 52 34", "06.98.71.52.34"} {
			c.post("/customers/search", object{"phone": phone}).is(200).equals("data.0.id", who)
		}
		for _, body := range []object{{"email": "lea.martin@example.COM"}, {"email": "nobody@example.com", "phone": "+33698715234"}, {"keyword": "871523"}} {
			c.post("/customers/search", body).is(200).equals("data.0.id", who)
		}
		second := c.post("/customers", object{"agency_id": 12, "type": "VENDEUR", "lastname": "Martin", "phone": "+33 6 98 71 52 34"}).is(201)
		if got := second.header.Get("X-Possible-Duplicates"); got != strconv.FormatInt(who, 10) {
			t.Errorf("O2: the possible duplicates are %q", got)
		}
		w.rival(t).post("/customers/search", object{"phone": "+33698715234"}).is(200).equals("data", list{})
		w.rival(t).get(customerPath(who)).refused(404, "not_found")
		w.website(t).get(customerPath(who)).refused(403, "pack_missing")
	})
}

func TestCustomersArePagedThroughAsProductsAre(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for i := range 3 {
			c.post("/customers", object{"agency_id": 11, "type": "PROSPECT", "lastname": fmt.Sprintf("Feuille %c", 'C'-i)}).is(201)
		}
		page := c.post("/customers/search", object{"keyword": "feuille", "count": 2, "sort_type": "name", "sort_order": "asc"}).is(200)
		page.equals("data.0.lastname", "Feuille A").equals("data.1.lastname", "Feuille B").equals("has_more", true).equals("next_cursor", nil)
		c.post("/customers/search", object{"keyword": "feuille", "skip": 2, "count": 2, "sort_type": "name", "sort_order": "asc"}).is(200).
			equals("data.0.lastname", "Feuille C").equals("has_more", false)
		c.post("/customers/search", object{"sort_type": "prix"}).refused(422, "invalid_format", "sort_type")
		c.post("/customers/search", object{"count": 101}).refused(422, "out_of_range", "count")
		c.post("/customers/search", object{"agency_id": 21}).refused(403, "agency_out_of_scope", "agency_id")
		c.post("/customers/search", object{"phone": "123"}).refused(422, "invalid_format", "phone")
		c.post("/customers/search", object{"type": "ACHETEUR"}).refused(422, "criteria_value_unrecognised", "type")
	})
}

func TestAChangeOfACustomerIsOneEventAndANoOpIsNone(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		who := c.post("/customers", object{"agency_id": 11, "type": "PROSPECT", "lastname": "Noé", "emails": list{object{"email": "a@example.com"}, object{"email": "b@example.com", "is_primary": true}}}).is(201).id("data.id")
		ledger := c.ledger()
		tag := c.get(customerPath(who)).is(200).equals("data.email", "b@example.com").header.Get("ETag")
		c.patch(customerPath(who), object{
			"emails": list{object{"id": 1, "_delete": true}}, "addresses": list{object{"type": "PRINCIPALE", "line1": "1 rue X", "postal_code": "69001", "city": "Lyon", "country": "fr"}},
			"consent": object{"email": true, "source": "formulaire"}, "gender_id": 2, "notary": object{"name": "Me Roy"},
		}).is(204)
		ledger.tells(fmt.Sprintf("CUSTOMER_UPDATE %d", who))
		read := c.get(customerPath(who)).is(200)
		for path, want := range map[string]any{
			"emails.0.id": 2, "addresses.0.country": "FR", "addresses.0.is_primary": true, "consent.email": true, "consent.sms": nil,
			"consent.source": "formulaire", "gender_id": 2, "notary.name": "Me Roy",
		} {
			read.equals("data."+path, want)
		}
		read.text("data.consent.obtained_at")
		c.patch(customerPath(who), object{"lastname": "Noé", "consent": object{"email": true}}).is(204)
		ledger.tells()
		c.send("PATCH", customerPath(who), object{"lastname": "Autre"}, "If-Match", tag).refused(412, "precondition_failed")
		c.patch(customerPath(who), object{"lastname": nil, "emails": nil}).refused(422, "required", "lastname")
		c.delete(customerPath(who)).is(204)
		ledger.tells(fmt.Sprintf("CUSTOMER_DELETE %d", who))
		c.get(customerPath(who)).refused(404, "not_found")
	})
}

func TestACustomerWhoOwnsProductsStays(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		who := c.post("/customers", object{"agency_id": 11, "type": "VENDEUR", "lastname": "Propriétaire"}).is(201).id("data.id")
		home := c.create(object{"agency_id": 11, "customer_id": who, "criteria": criteria("TypeTransaction", "Vente", "NumeroMandat", "M-77", "DateMandat", "2020-01-01", "Prix", 100000)})
		c.get(customerPath(who)).is(200).equals("data.roles", list{"VENDEUR"}).equals("data.mandates.0.number", "M-77").
			equals("data.mandates.0.product_id", home).equals("data.mandates.0.status", "ACTIF")
		c.get(customerPath(who, "products")).is(200).equals("data.0.id", home)
		c.delete(customerPath(who)).refused(409, "conflict")
		c.delete(product(home)).is(204)
		c.delete(customerPath(who)).is(204)
	})
}

func TestO8_ASellerLeadMakesTheCustomerAndTheProduct(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		ledger := c.ledger()
		sent := object{
			"agency_id": 11, "firstname": "Yves", "lastname": "Vendeur", "email": "yves@example.com", "address": "3 rue Lanterne", "postal_code": "69001", "city": "Lyon",
			"criteria": criteria("TypeBien", "Appartement", "Surface", 62, "Statut", "EnCours"), "project": "VENTE", "estimated_price_min": 200000, "metadata": object{"a": 1.50, "b": list{"é", nil}}, "utm": object{"source": "tool"},
		}
		answered := c.post("/leads/sellers", sent).is(201)
		id := answered.id("data.id")
		made := c.get("/leads/" + strconv.FormatInt(id, 10)).is(200)
		who, home := made.id("data.customer_id"), made.id("data.product_id")
		ledger.tells(fmt.Sprintf("CUSTOMER_CREATE %d", who), fmt.Sprintf("PRODUCT_CREATE %d", home), fmt.Sprintf("LEAD_CREATE %d", id))
		made.equals("data.customer_created", true).equals("data.status", "NOUVEAU").equals("data.metadata", object{"a": 1.5, "b": list{"é", nil}}).equals("data.utm.source", "tool")
		c.get(product(home)).is(200).equals("data.status", "Estimation").equals("data.customer_id", who).equals("data.address", "3 rue Lanterne").
			equals("data.transaction_type", "Vente").equals("data.web_status", false)
		if got := w.website(t).get(product(home)).is(200); strings.Contains(string(got.body), "Lanterne") {
			t.Errorf("a website is told where the seller lives: %s", got.body)
		}
		c.get(customerPath(who)).is(200).equals("data.type", "VENDEUR").equals("data.email", "yves@example.com")

		again := c.post("/leads/sellers", sent).is(201).equals("data.id", id) // O11
		if again.header.Get("X-Duplicate-Lead") != "true" {
			t.Error("O11: a lead sent again does not say so")
		}
		ledger.tells()
		sent["user_id"], sent["address"] = 102, "5 rue Lanterne"
		other := c.post("/leads/sellers", sent).is(201).id("data.id")
		c.get("/leads/"+strconv.FormatInt(other, 10)).is(200).equals("data.customer_id", who).equals("data.customer_created", false).equals("data.status", "ATTRIBUE")
	})
}

func TestO9_ABuyerLeadMakesTheSearchAndTheFollowUp(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		home := c.create(object{"agency_id": 12, "user_id": 101, "criteria": criteria("TypeTransaction", "Location", "TypeBien", "Maison", "Prix", 1000, "Ville", "Bron")})
		ledger := c.ledger()
		id := c.post("/leads/buyers", object{"agency_id": 12, "phone": "07 00 00 00 01", "product_id": home, "message": "Visite ?", "visit_wish": object{"date": "2026-12-01"}}).is(201).id("data.id")
		made := c.get("/leads/" + strconv.FormatInt(id, 10)).is(200)
		who, search, followUp := made.id("data.customer_id"), made.id("data.search_id"), made.id("data.follow_up_id")
		ledger.tells(fmt.Sprintf("CUSTOMER_CREATE %d", who), fmt.Sprintf("SEARCH_CREATE %d", search), fmt.Sprintf("FOLLOWUP_CREATE %d", followUp), fmt.Sprintf("LEAD_CREATE %d", id))
		made.equals("data.user_id", 101).equals("data.status", "ATTRIBUE").equals("data.visit_wish.date", "2026-12-01")
		c.get(customerPath(who)).is(200).equals("data.type", "LOCATAIRE")
		c.get(customerPath(who, "searches")).is(200).equals("data.0.transaction_type", "Location").equals("data.0.property_types", list{"Maison"}).
			equals("data.0.price_min", 900).equals("data.0.price_max", 1100).equals("data.0.areas.0.label", "Bron")
		c.get("/leads?kind=buyer&customer_id="+strconv.FormatInt(who, 10)).is(200).equals("data.0.id", id).equals("has_more", false)
		c.post("/leads/buyers", object{"agency_id": 12, "message": "no way to answer"}).refused(422, "required", "email")
		c.post("/leads/buyers", object{"agency_id": 12, "phone": "07 00 00 00 02", "product_id": 99999999}).refused(422, "unknown_product", "product_id")
		c.post("/leads/buyers", object{"agency_id": 12, "phone": "07 00 00 00 02", "price_max": 5}).refused(422, "required", "transaction_type")
		ledger.tells()
		w.rival(t).get("/leads/"+strconv.FormatInt(id, 10)).refused(404, "not_found")
	})
}

func TestALeadGetsOn(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.post("/leads/buyers", object{"agency_id": 11, "phone": "07 22 22 22 22", "lastname": "Avance", "transaction_type": "Vente"}).is(201).id("data.id")
		path, news := "/leads/"+strconv.FormatInt(id, 10), fmt.Sprintf("LEAD_UPDATE %d", id)
		ledger := c.ledger()
		read := func() answer { return c.get(path).is(200) }
		first := read().equals("data.status", "NOUVEAU").equals("data.user_id", nil).header.Get("ETag")

		for _, step := range []struct {
			sent   object
			status string
			user   any
		}{
			{object{"user_id": 101}, "ATTRIBUE", 101}, {object{"user_id": nil}, "NOUVEAU", nil}, {object{"user_id": 101, "status": "CONTACTE"}, "CONTACTE", 101},
			{object{"user_id": 102}, "CONTACTE", 102}, {object{"status": "QUALIFIE"}, "QUALIFIE", 102}, {object{"user_id": nil}, "QUALIFIE", nil},
			{object{"status": "PERDU"}, "PERDU", nil}, {object{"status": "NOUVEAU", "user_id": 101}, "NOUVEAU", 101}, {object{"status": "TRANSFORME"}, "TRANSFORME", 101},
		} {
			changed := c.patch(path, step.sent).is(204).empty()
			got := read().equals("data.status", step.status).equals("data.user_id", step.user)
			if tag := changed.header.Get("ETag"); !strings.HasPrefix(got.header.Get("ETag"), strings.TrimSuffix(tag, `"`)) {
				t.Errorf("%v answers with the tag %s, and the lead has %s", step.sent, tag, got.header.Get("ETag"))
			}
			ledger.tells(news)
			c.patch(path, step.sent).is(204)
			ledger.tells() // the same again changes nothing
		}
		c.patch(path, object{}).is(204)
		c.send("PATCH", path, object{"status": "PERDU"}, "If-Match", first).refused(412, "precondition_failed")
		c.patch(path, object{"status": "RAPPELER"}).refused(422, "criteria_value_unrecognised", "status")
		c.patch(path, object{"status": nil}).refused(422, "required", "status")
		c.patch(path, object{"user_id": 211}).refused(422, "unknown_user", "user_id")
		c.patch(path, object{"user_id": 0}).refused(422, "validation_error", "user_id", "user_id")
		c.patch("/leads/99999999", object{"status": "PERDU"}).refused(404, "not_found")
		w.rival(t).patch(path, object{"status": "PERDU"}).refused(404, "not_found")
		w.website(t).patch(path, object{"status": "PERDU"}).refused(403, "right_missing")
		ledger.tells()
		c.send("PATCH", path, object{"status": "PERDU"}, "If-Match", read().header.Get("ETag")).is(204)
		ledger.tells(news)
	})
}

func TestO11_TheSameLeadTwiceAtOnceIsOneLeadAndOneCustomer(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		ledger := c.ledger()
		const senders = 8
		ids := make([]int64, senders)
		var group sync.WaitGroup
		for i := range ids {
			group.Go(func() {
				ids[i] = c.send("POST", "/leads/buyers", object{"agency_id": 11, "phone": "07 11 11 11 11", "lastname": "Double", "transaction_type": "Vente"}).is(201).id("data.id")
			})
		}
		group.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Fatalf("the leads are %v", ids)
			}
		}
		made := c.get("/leads/" + strconv.FormatInt(ids[0], 10)).is(200)
		ledger.tells(fmt.Sprintf("CUSTOMER_CREATE %d", made.id("data.customer_id")), fmt.Sprintf("SEARCH_CREATE %d", made.id("data.search_id")), fmt.Sprintf("LEAD_CREATE %d", ids[0]))
	}, racing)
}

func TestUsersAreListedWithinTheScope(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		page := c.get("/users?per_page=2").is(200)
		next, err := url.Parse(page.text("links.next"))
		if err != nil {
			t.Fatal(err)
		}
		second := c.get("/users?" + next.RawQuery).is(200)
		if page.id("data.1.id") >= second.id("data.0.id") {
			t.Errorf("%s\n%s", page, second)
		}
		id := page.id("data.0.id")
		c.get("/users/"+strconv.FormatInt(id, 10)).is(200).equals("data.id", id)
		c.get("/users?agency_id=21").refused(403, "agency_out_of_scope", "agency_id")
		c.get("/users/211").refused(404, "not_found")
		c.get("/users/types").is(200).equals("data.1.model", "NEGOCIATEUR")
		c.get("/users/genders").is(200).equals("data.0.model", "M")
		c.get("/users/groups").is(200)
	})
}

func TestO1_SpacesThatNobodySeesMakeNoOtherNumber(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		sent := object{"agency_id": 11, "type": "PROSPECT", "phone": "06\u202f98\u00a076\u202f54 32"}
		who := c.post("/customers", sent).is(201).id("data.id")
		c.get(customerPath(who)).is(200).equals("data.phone_numbers.0.number_e164", "+33698765432")
		for _, number := range []string{"0698765432", "+33 6 98 76 54 32", "06\u00a098\u00a076\u00a054\u00a032"} {
			c.post("/customers/search", object{"phone": number}).is(200).equals("data.0.id", who)
		}
		c.post("/customers", object{"agency_id": 11, "type": "PROSPECT", "phone_numbers": list{object{"type": "MOBILE"}}}).refused(422, "required", "phone_numbers[0].number")
		c.post("/customers", object{"agency_id": 11, "type": "PROSPECT", "lastname": "Rien", "addresses": list{object{}}, "notary": object{"city": "Lyon"}, "birth_date": "2999-01-01"}).
			refused(422, "validation_error", "birth_date", "addresses[0].line1", "notary.name")
	})
}
