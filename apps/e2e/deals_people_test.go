package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestTransactions_Blocks: sale_agreement and active_sale_agreement of a product.
func TestTransactions_Blocks(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		const fetch = "?fetch=sale_agreement,active_sale_agreement"
		read := func() answer { t.Helper(); return d.get(product(home, fetch)).is(200) }
		draft := d.agreement(home, buyer)
		read().equals("data.sale_agreement", list{}).equals("data.active_sale_agreement", nil)
		sign := func(id int64, date string) {
			t.Helper()
			d.post(agreementPath(id, "sign"), object{"date_signature": date}).is(204)
		}
		cancel := func(id int64) {
			t.Helper()
			d.post(agreementPath(id, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
		}
		early := d.agreement(home, buyer)
		sign(early, "2026-04-01")
		cancel(early)
		late := d.agreement(home, buyer, object{"retraction_applies": false})
		sign(late, "2026-04-20")
		record := d.get(agreementPath(late)).at("data")
		read().equals("data.sale_agreement.0", record).equals("data.sale_agreement.1.id", early).equals("data.active_sale_agreement", record)
		cancel(late)
		read().equals("data.active_sale_agreement", nil)
		same := d.agreement(home, buyer, object{"retraction_applies": false})
		sign(same, "2026-04-20")
		d.post(agreementPath(same, "notarise"), object{"date_deed": dealsToday}).is(204)
		read().equals("data.sale_agreement.0.id", same).equals("data.sale_agreement.1.id", late).equals("data.active_sale_agreement.id", same).equals("data.active_sale_agreement.status", "ACTE_SIGNE")
		found := d.post("/products/search"+fetch, object{"model": read().text("data.model")}).is(200)
		found.equals("data.0.active_sale_agreement.id", same).equals("data.0.sale_agreement.2.id", early)
		d.change(home, object{"web_status": true}).is(204)
		d.w.website(t).get(product(home, fetch)).is(403)
		d.delete(agreementPath(draft)).is(204)
	})
}

// TestTransactions_RolesOfCustomers: by agreements that are live or completed, and
// leases from their signature on.
func TestTransactions_RolesOfCustomers(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer, seller, tenant, landlord := d.who("PROSPECT"), d.who("PROSPECT"), d.who("PROSPECT"), d.who("PROSPECT")
		role := func(id int64, want ...any) {
			t.Helper()
			d.get(customerPath(id)).is(200).equals("data.roles", append(list{}, want...))
		}
		id := d.agreement(home, buyer, object{"sellers": list{seller}, "retraction_applies": false})
		role(buyer)
		role(seller)
		d.sign(id).is(204)
		role(buyer, "ACQUEREUR")
		role(seller, "VENDEUR")
		d.post(agreementPath(id, "notarise"), object{"date_deed": dealsToday}).is(204)
		role(buyer, "ACQUEREUR")
		flat, _ := d.flat()
		gone := d.signed(flat, seller)
		role(seller, "VENDEUR", "ACQUEREUR")
		d.post(agreementPath(gone, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
		role(seller, "VENDEUR")
		lease := d.lease(flat, tenant, object{"landlords": list{landlord}})
		role(tenant)
		d.signLease(lease).is(204)
		role(tenant, "LOCATAIRE")
		role(landlord, "BAILLEUR")
	})
}

// TestTransactions_WhatIsBoundStays: products and customers.
func TestTransactions_WhatIsBoundStays(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		buyer := d.who("ACQUEREUR")
		for _, status := range []string{"BROUILLON", "EN_COURS", "CONTRE_PROPOSITION", "ACCEPTEE", "REFUSEE", "RETIREE", "ANNULEE"} {
			home, _ := d.flat()
			who := d.who("ACQUEREUR")
			id := d.offerIn(status, home, who)
			if status == "ACCEPTEE" {
				d.delete(product(home)).refused(409, "conflict", "sale_offer_id")
			} else {
				d.delete(product(home)).is(204)
			}
			if slices.Contains([]string{"EN_COURS", "CONTRE_PROPOSITION", "ACCEPTEE"}, status) {
				d.delete(customerPath(who)).refused(409, "conflict", "sale_offer_id").equals("error.details.0.value", id)
				d.post(customerPath(who, "anonymize"), object{}).refused(409, "customer_in_transaction", "sale_offer_id")
			} else {
				d.delete(customerPath(who)).is(204)
			}
			if status != "BROUILLON" {
				d.get(offerPath(id)).is(200)
			} else {
				d.get(offerPath(id)).refused(404, "not_found") // a draft without buyers
			}
		}
		for _, status := range agreementStatuses {
			home, owner := d.flat()
			id := d.agreementIn(status, home, buyer)
			live := slices.Contains(agreementStatuses[1:5], status)
			if live {
				d.delete(product(home)).refused(409, "conflict", "sale_agreement_id").equals("error.details.0.value", id)
				d.post(customerPath(owner, "anonymize"), object{}).refused(409, "customer_in_transaction", "sale_agreement_id")
				d.delete(customerPath(owner)).refused(409, "conflict")
				continue
			}
			d.delete(product(home)).is(204)
			if status == "PREPARATION" {
				d.delete(customerPath(owner)).is(204)
				d.get(agreementPath(id)).is(200).has(object{"sellers": list{}, "product_id": nil})
				continue
			}
			d.delete(customerPath(owner)).refused(409, "conflict", "sale_agreement_id")
			d.post(customerPath(owner, "anonymize"), object{}).is(204)
			d.status(agreementPath(id), status)
		}
		for _, status := range leaseStatuses {
			home, owner := d.flat()
			tenant := d.who("LOCATAIRE")
			id := d.leaseIn(status, home, tenant)
			bound := slices.Contains([]string{"SIGNE", "EN_COURS", "PREAVIS"}, status)
			if bound {
				d.delete(product(home)).refused(409, "conflict", "lease_id").equals("error.details.0.value", id)
				d.post(customerPath(tenant, "anonymize"), object{}).refused(409, "customer_in_transaction", "lease_id")
			} else {
				d.delete(product(home)).is(204)
			}
			if status == "PROJET" {
				ledger := d.ledger()
				d.delete(customerPath(tenant)).is(204)
				if got := ledger.news(); !slices.Contains(got, heard("LEASE_DELETE", id)) {
					t.Errorf("the events are %q", got)
				}
				d.get(leasePath(id)).refused(404, "not_found")
				continue
			}
			d.delete(customerPath(tenant)).refused(409, "conflict", "lease_id")
			_ = owner
		}
	})
}

// TestTransactions_WhoHasOnlyDraftsLeaves: they leave the drafts, and a draft left
// without buyers or tenants is deleted.
func TestTransactions_WhoHasOnlyDraftsLeaves(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		leaves, stays, seller := d.who("ACQUEREUR"), d.who("ACQUEREUR"), d.who("VENDEUR")
		search := d.post(customerPath(leaves, "searches"), object{"transaction_type": "Vente"}).is(201).id("data.id")
		both := object{"buyers": list{leaves, stays}, "sellers": list{seller}}
		shared, alone := d.offer(home, leaves, both, object{"search_id": search}), d.offer(home, leaves)
		agreed, accepted := d.agreement(home, leaves, both), d.accepted(home, stays)
		from := d.post("/sale-agreements", object{"type": "COMPROMIS", "sale_offer_id": accepted, "buyers": list{leaves}}).is(201).id("data.id")
		lease := d.lease(home, stays, object{"guarantors": list{leaves}})
		ledger := d.ledger()
		d.delete(customerPath(leaves)).is(204)
		got := ledger.news()
		for _, want := range []string{
			heard("OFFER_UPDATE", shared), heard("OFFER_DELETE", alone), heard("AGREEMENT_UPDATE", agreed), heard("AGREEMENT_DELETE", from), heard("OFFER_UPDATE", accepted), heard("LEASE_UPDATE", lease), heard("CUSTOMER_DELETE", leaves),
		} {
			if n := strings.Count(strings.Join(got, "\n")+"\n", want+"\n"); n != 1 {
				t.Errorf("%s is told %d times in %q", want, n, got)
			}
		}
		d.get(offerPath(shared)).is(200).has(object{"buyers": list{float64(stays)}, "search_id": nil})
		d.get(agreementPath(agreed)).is(200).has(object{"buyers": list{float64(stays)}})
		d.get(offerPath(accepted)).is(200).has(object{"sale_agreement_id": nil})
		d.get(leasePath(lease)).is(200).has(object{"guarantors": list{}})
		for _, path := range []string{offerPath(alone), agreementPath(from)} {
			d.get(path).refused(404, "not_found")
		}
	})
}

// TestTransactions_ExportAndAnonymize: everything is exported; afterwards no word of
// the records is left, and ids, dates and amounts are.
func TestTransactions_ExportAndAnonymize(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer, other := d.who("ACQUEREUR"), d.who("ACQUEREUR")
		word := func(place string) string { return fmt.Sprintf("canari%d-%s", buyer, place) }
		offer := d.opened(home, buyer, object{
			"buyers": list{other, buyer}, "comment": word("offer"), "conditions": list{word("condition")},
			"financing": object{"contribution": 12345.67, "loan_amount": 765432.1, "loan_rate_max": 4.56, "loan_months": 234},
		})
		d.post(offerPath(offer, "refuse"), object{"refusal_reason": "PRIX"}).is(204)
		agreed := d.agreement(home, buyer, object{
			"comment": word("agreement"), "conditions": list{object{"type": "AUTRE", "label": word("label"), "due_date": "2026-07-01", "amount": 1000}, object{"type": "AUTRE", "label": word("label2")}},
			"fees_amount": 10000, "fees_payer": "ACQUEREUR", "commissions": list{object{"role": "APPORT", "percent": 10, "party_name": word("party")}}, "deposit": object{"amount": 5000, "holder": "NOTAIRE"},
		})
		d.sign(agreed).is(204)
		d.post(agreementPath(agreed, "conditions/1/lift"), object{"note": word("note")}).is(204)
		flat, _ := d.flat()
		lease := d.running(flat, buyer, object{
			"comment": word("lease"), "short_reason": word("short"), "rent_supplement": 20, "supplement_reason": word("supplement"), "guarantors": list{other},
		})
		exported := d.get(customerPath(buyer, "export")).is(200)
		for path, id := range map[string]int64{"data.sale_offers.0.id": offer, "data.sale_agreements.0.id": agreed, "data.leases.0.id": lease} {
			exported.equals(path, id)
		}
		places := []string{"offer", "condition", "agreement", "label", "party", "note", "lease", "short", "supplement"}
		for _, place := range places {
			if !strings.Contains(string(exported.body), word(place)) {
				t.Errorf("the export has no %s", word(place))
			}
		}
		if got := d.get(customerPath(other, "export")).is(200); got.id("data.leases.0.id") != lease {
			t.Error("the guarantor has no lease in their export")
		}
		d.post(customerPath(buyer, "anonymize"), object{}).refused(409, "customer_in_transaction", "sale_agreement_id", "lease_id")
		d.post(agreementPath(agreed, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
		d.post(leasePath(lease, "end"), object{"date": dealsToday}).is(204)
		before := []answer{d.get(offerPath(offer)), d.get(agreementPath(agreed)), d.get(leasePath(lease))}
		ledger := d.ledger()
		d.post(customerPath(buyer, "anonymize"), object{}).is(204)
		got := ledger.news()
		for _, want := range []string{heard("OFFER_UPDATE", offer), heard("AGREEMENT_UPDATE", agreed), heard("LEASE_UPDATE", lease)} {
			if !slices.Contains(got, want) {
				t.Errorf("there is no %s in %q", want, got)
			}
		}
		paths := []string{offerPath(offer), agreementPath(agreed), leasePath(lease), product(home, "?fetch=sale_agreement"), customerPath(buyer, "export"), customerPath(other, "export")}
		for _, path := range paths {
			if got := d.get(path); strings.Contains(string(got.body), fmt.Sprintf("canari%d", buyer)) {
				t.Errorf("a word is left: %s", got)
			}
		}
		d.get(offerPath(offer)).is(200).has(object{
			"buyers": list{float64(other), float64(buyer)}, "amount": 280000, "comment": nil, "conditions": list{}, "financing": nil, "refusal_reason": "PRIX", "date_offer": dealsToday,
			"negotiation": before[0].at("data.negotiation"),
		})
		d.get(agreementPath(agreed)).is(200).has(object{
			"buyers": list{float64(buyer)}, "price": 280000, "comment": nil, "conditions.0.label": nil, "conditions.0.note": nil, "conditions.0.due_date": "2026-07-01", "conditions.0.amount": 1000, "conditions.1.label": nil,
			"commissions.0.party_name": nil, "commissions.0.percent": 10, "deposit": before[1].at("data.deposit"), "date_signature": dealsToday, "fees_amount": 10000,
		})
		d.get(leasePath(lease)).is(200).has(object{
			"tenants": list{float64(buyer)}, "rent": 800, "comment": nil, "short_reason": nil, "supplement_reason": nil, "rent_supplement": 20, "guarantors": list{float64(other)}, "ended_on": dealsToday,
		})
	})
}
