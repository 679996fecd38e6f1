package e2e_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fetchValues are the read options of the contract, in its order.
var fetchValues = []string{
	"criteres_text", "criteres_number", "criteres_fulltext", "criteres_flag", "criteres_publication_errors",
	"descriptions", "rooms", "products_photos", "customer", "assigned_to", "created_by", "publications",
	"actions_history", "sale_agreement", "active_sale_agreement", "log_actions", "live_visit", "scopes",
	"statistic", "insee", "online_booking", "category", "themes",
}

// baseFields are those of every product, and what may be in them.
var baseFields = map[string]string{
	"id": "number", "model": "string", "agency_id": "number", "user_id": "number?", "customer_id": "number?", "parent_id": "number?",
	"lots_count": "number", "status": "string?", "property_type": "string?", "transaction_type": "string?", "price": "number?",
	"surface": "number?", "rooms_number": "number?", "title": "string?", "address": "string?", "postal_code": "string?",
	"city": "string?", "country": "string?", "position": "object?", "energy": "object", "has_visit360": "bool",
	"photos_count": "number", "cover_photo_url": "string?", "web_status": "bool", "intercabinet": "bool", "seller_statistics": "bool?",
	"next_contact": "string?", "color": "number?", "date_added": "string", "last_modified": "string", "sync_errors": "array?",
}

// blocks are the types of the fetch values.
var blocks = map[string]string{
	"customer": "object?", "assigned_to": "object?", "created_by": "object?", "active_sale_agreement": "object?", "live_visit": "object?",
	"statistic": "object", "insee": "object?", "online_booking": "object", "category": "object?",
}

func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case float64:
		return "number"
	case string:
		return "string"
	case bool:
		return "bool"
	case list:
		return "array"
	}
	return "object"
}

// checkRecord demands the base fields, the given blocks, and nothing else.
func checkRecord(t *testing.T, record object, fetched ...string) {
	t.Helper()
	wanted := maps.Clone(baseFields)
	for _, name := range fetched {
		wanted[name] = "array"
		if kind, ok := blocks[name]; ok {
			wanted[name] = kind
		}
	}
	for name, kind := range wanted {
		value, found := record[name]
		if got := kindOf(value); !found || got != strings.TrimSuffix(kind, "?") && (got != "null" || !strings.HasSuffix(kind, "?")) {
			t.Errorf("product %v: %s is %v, want %s (G11)", record["id"], name, value, kind)
		}
	}
	for name := range record {
		if _, ok := wanted[name]; !ok {
			t.Errorf("product %v: nobody asked for %s", record["id"], name)
		}
	}
}

func TestR4_FetchAddsOneBlockPerValue(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.search(object{"model": "11-1001"}).ids()[0]
		checkRecord(t, c.get(product(id)).is(200).at("data").(object))
		for _, name := range fetchValues {
			checkRecord(t, c.get(product(id, "?fetch=", name)).is(200).at("data").(object), name)
			for _, record := range c.search(object{"count": 5}, "?fetch=", name).is(200).list("data") {
				checkRecord(t, record.(object), name)
			}
		}
		for _, record := range c.everything(strings.Join(fetchValues, ",")) {
			checkRecord(t, record, fetchValues...)
		}
		whole := c.get(product(id, "?fetch=", strings.Join(fetchValues, ","))).is(200)
		whole.equals("data.model", "11-1001").equals("data.price", 443000).equals("data.energy.date_dpe", "2023-03-25").
			equals("data.position", object{"latitude": 45.779947, "longitude": 4.828831, "source": "alentour", "score": nil}).
			equals("data.title", "T4 de 94 m², Croix-Rousse").equals("data.date_added", "2025-06-05T13:12:29.000Z").
			equals("data.rooms.1.vue", "DEGAGEE").equals("data.rooms.1.position", 2).equals("data.customer.lastname", "Bouchardon").
			equals("data.assigned_to.id", 102).equals("data.descriptions.0.language", "fr")
	})
}

func TestR5_EveryCriterionHasItsBlock(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.search(object{"model": "11-1001"}).ids()[0]
		record := c.get(product(id, "?fetch=criteres_text,criteres_number,criteres_flag,criteres_fulltext")).is(200).at("data").(object)
		values := map[string]any{}
		for _, block := range []string{"criteres_text", "criteres_number", "criteres_flag", "criteres_fulltext"} {
			for _, item := range record[block].(list) {
				values[block+" "+item.(object)["id"].(string)] = item.(object)["value"]
			}
		}
		for at, want := range map[string]any{
			"criteres_text TypeBien": "Appartement", "criteres_text Ville": "Lyon", "criteres_text DateMandat": "2025-06-01",
			"criteres_text Annexes": list{"CAVE"}, "criteres_number Prix": 443000.0, "criteres_number Surface": 93.5,
			"criteres_flag Cave": 1.0, "criteres_fulltext Remarques": "Diagnostics complets au dossier, reste l'assainissement.",
		} {
			if diff := cmp.Diff(want, values[at]); diff != "" {
				t.Errorf("%s: %s", at, diff)
			}
		}
		// R7: the list of criteria is the same, with the label of the value.
		listed := c.get(product(id, "/criteria")).is(200).list("data")
		if len(listed) != len(values) {
			t.Errorf("%d criteria listed, %d in blocks", len(listed), len(values))
		}
		labels := map[any]any{}
		for _, item := range listed {
			labels[item.(object)["id"]] = item.(object)["label"]
		}
		for key, want := range map[string]any{"TypeBien": "Appartement", "EtatGeneral": "À rafraîchir", "Annexes": "Cave", "Prix": nil, "Ville": nil, "Cave": nil} {
			if labels[key] != want {
				t.Errorf("the label of the value of %s is %v, want %v", key, labels[key], want)
			}
		}
	})
}

// A credential that only feeds websites is not shown what a website has no use
// for.
func TestR6_WhatAWebsiteDoesNotSee(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		network, website := w.network(t), w.website(t)
		id := network.create(object{"customer_id": 1006, "criteria": criteria(
			"Adresse", "9 rue Cachée", "Ville", "Lyon", "AdresseMasquee", 1, "Remarques", "le vendeur divorce", "TypeBien", "Villa")})
		shown := network.create(object{"customer_id": 1006, "criteria": criteria("Adresse", "9 rue Visible", "Ville", "Lyon", "Remarques", "secret")})

		public := []string{}
		for _, name := range fetchValues {
			refused := slices.Contains([]string{"customer", "actions_history", "log_actions", "sale_agreement", "active_sale_agreement", "statistic"}, name)
			if !refused {
				public = append(public, name)
				website.get(product(id, "?fetch=", name)).is(200)
				continue
			}
			for _, got := range []answer{
				website.get(product(id, "?fetch=", name)), website.get(product(id, "/lots?fetch=rooms,", name)), website.search(object{}, "?fetch=rooms,", name),
			} {
				got.refused(403, "fetch_not_allowed", "fetch").equals("error.details.0.value", name)
			}
		}

		masked := website.get(product(id, "?fetch=", strings.Join(public, ","))).is(200)
		masked.equals("data.customer_id", nil).equals("data.address", nil).equals("data.city", "Lyon").equals("data.property_type", "Villa")
		for _, hidden := range []string{"Cachée", "divorce", "Remarques", "Bouchardon", "1006"} {
			if strings.Contains(string(masked.body), hidden) {
				t.Errorf("a website sees %s: %s", hidden, masked)
			}
		}
		website.get(product(shown)).is(200).equals("data.customer_id", nil).equals("data.address", "9 rue Visible")
		network.get(product(id)).is(200).equals("data.customer_id", 1006).equals("data.address", "9 rue Cachée")
		website.get(product(id, "/criteria")).refused(403, "pack_missing")

		// Q29: owners are not found by name, private criteria not searched.
		if website.count(object{"keyword": "Bouchardon"}) != 0 || network.count(object{"keyword": "Bouchardon"}) == 0 {
			t.Error("a website finds owners by name, or the network does not")
		}
		website.search(object{"criterias": list{condition("Remarques", "CONTIENT", "divorce")}}).refused(422, "unknown_criterion")

		// Neither gets what was kept for the other, whoever comes first.
		for _, query := range []string{"", "?fetch=criteres_text", "?fetch=criteres_fulltext,criteres_text"} {
			first := website.get(product(id, query)).is(200)
			full := network.get(product(id, query)).is(200).equals("data.customer_id", 1006).equals("data.address", "9 rue Cachée")
			if second := website.get(product(id, query)); !bytes.Equal(first.body, second.body) || bytes.Equal(first.body, full.body) {
				t.Errorf("a website sees %s, and after the network has looked %s", first, second)
			}
		}
		for _, query := range []string{"?fetch=rooms", "?fetch=rooms,criteres_text"} {
			network.get(product(id, query)).is(200)
			if got := website.get(product(id, query)).is(200).equals("data.customer_id", nil).equals("data.address", nil); strings.Contains(string(got.body), "Cachée") {
				t.Errorf("a website sees what the network saw: %s", got)
			}
		}
	})
}
