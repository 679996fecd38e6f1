package e2e_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// TestR6_WebsitesSeeNoInternalFields: in records, filters, sorts and facets.
func TestR6_WebsitesSeeNoInternalFields(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		network, website := w.network(t), w.website(t)
		id := network.create(object{
			"customer_id": 1101, "color": 3, "next_contact": "2031-02-03", "seller_statistics": true,
			"criteria": criteria("Ville", "Interneville", "NumeroMandat", "I-1", "TypeMandat", "EXCLUSIF", "DateMandat", "2026-01-02", "DateFinMandat", "2031-04-05"),
		})
		whole := network.get(product(id, "?fetch=criteres_text")).is(200).
			equals("data.color", 3).equals("data.next_contact", "2031-02-03").equals("data.seller_statistics", true).
			equals("data.customer_id", 1101).equals("data.sync_errors", list{})
		if got := value(whole.at("data").(object), "TypeMandat"); got != "EXCLUSIF" {
			t.Errorf("the network sees the mandate as %v", got)
		}
		among := object{"criterias": list{condition("Ville", "EGAL", "Interneville")}}
		for _, shown := range []answer{
			website.get(product(id, "?fetch=criteres_text,publications,criteres_publication_errors")), website.search(among, "?fetch=criteres_text"),
		} {
			if leaks := internals(shown.is(200)); len(leaks) > 0 {
				t.Errorf("a website sees %v: %s", leaks, shown)
			}
		}
		website.search(with(among, "customer_id", 1101)).refused(403, "filter_not_allowed", "customer_id")
		website.search(with(among, "customer_id", nil)).is(200)
		for _, clause := range []object{condition("TypeMandat", "EGAL", "EXCLUSIF"), condition("DateFinMandat", "SUPERIEUR", "2030-01-01")} {
			body := object{"criterias": append(list{clause}, among["criterias"].(list)...)}
			if got := network.walk(body); !slices.Equal(got, []int64{id}) {
				t.Errorf("the network finds %v by %v", got, clause)
			}
			website.search(body).refused(422, "unknown_criterion", "criterias[0].id")
			website.post("/products/search/count", body).refused(422, "unknown_criterion", "criterias[0].id")
		}
		website.facets(among, object{"id": "TypeMandat"}).refused(422, "unknown_criterion", "facets[0].id")
		website.facets(among, object{"id": "DateFinMandat", "bands": list{"2031-01-01"}}).refused(422, "unknown_criterion", "facets[0].id")
		for _, name := range listing.InternalNames() {
			website.search(object{"sort_type": name}).refused(422, "invalid_format", "sort_type")
		}
		network.delete(product(id)).is(204)
	})
}

// TestAWebsiteSendsItsForms: and reads nothing of what they hold.
func TestAWebsiteSendsItsForms(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		website := w.website(t)
		for kind, form := range map[string]object{
			"buyers":  {"product_id": 1, "message": "Est-il encore à vendre ?"},
			"sellers": {"address": "1 rue du Formulaire", "city": "Lyon", "message": "Que vaut ma maison ?"},
		} {
			form["agency_id"], form["lastname"], form["email"] = 11, "Visiteur", "visiteur@example.org"
			lead := website.post("/leads/"+kind, form).is(201).id("data.id")
			w.network(t).get(fmt.Sprintf("/leads/%d", lead)).is(200).equals("data.message", form["message"])
			website.get(fmt.Sprintf("/leads/%d", lead)).refused(403, "permission_missing")
		}
		website.get("/leads").refused(403, "permission_missing")
		website.post("/customers/search", object{"email": "visiteur@example.org"}).refused(403, "permission_missing")
	})
}
