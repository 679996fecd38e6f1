package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// agreementFields are the fields of a sale agreement (transactions.md, section 3).
var agreementFields = []string{
	"id", "number", "status", "type", "sale_offer_id", "product_id", "agency_id", "user_id", "buyers", "sellers", "price", "fees_amount", "fees_payer",
	"fees_buyer_amount", "vat_rate", "net_seller", "price_excluding_fees", "fees_excl_vat", "fees_vat", "mandate_number", "seller_notary_id", "buyer_notary_id",
	"deposit", "retraction_applies", "notifications", "retraction_end", "conditions", "commissions", "date_signature", "date_deed", "fees_due_on",
	"date_deed_expected", "cancellation_reason", "comment", "deadlines", "warnings", "date_added", "last_modified",
}

func TestSaleAgreement_CreationDefaults(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, owner := d.flat()
		buyer, notary := d.who("ACQUEREUR"), d.who("NOTAIRE")
		d.patch(customerPath(buyer), object{"notary": object{"customer_id": notary, "name": "Me Roy"}}).is(204)
		ledger := d.ledger()
		id := d.agreement(home, buyer)
		ledger.tells(heard("AGREEMENT_CREATE", id))
		got := d.get(agreementPath(id)).is(200).hasFields(agreementFields).has(object{
			"status": "PREPARATION", "type": "COMPROMIS", "sale_offer_id": nil, "product_id": home, "agency_id": 11, "user_id": 101, "buyers": list{float64(buyer)},
			"sellers": list{float64(owner)}, "price": 280000, "fees_amount": nil, "fees_payer": nil, "fees_buyer_amount": nil, "vat_rate": 20, "net_seller": nil,
			"price_excluding_fees": nil, "fees_excl_vat": nil, "fees_vat": nil, "mandate_number": nil, "seller_notary_id": nil, "buyer_notary_id": notary, "deposit": nil,
			"retraction_applies": true, "notifications": list{}, "retraction_end": nil, "conditions": list{}, "commissions": list{}, "date_signature": nil, "date_deed": nil,
			"fees_due_on": nil, "date_deed_expected": nil, "cancellation_reason": nil, "comment": nil, "deadlines": list{}, "warnings": list{},
		})
		if !strings.HasPrefix(got.text("data.number"), "11-C") {
			t.Errorf("the number is %q", got.text("data.number"))
		}

		// From an offer: what it has, and the offer changes.
		offer := d.accepted(home, buyer, object{"amount": 290000, "fees_amount": 12000, "fees_payer": "VENDEUR", "user_id": 102, "agency_id": 12})
		ledger.news()
		from := d.post("/sale-agreements", object{"type": "PROMESSE", "sale_offer_id": offer}).is(201).id("data.id")
		ledger.tells(heard("OFFER_UPDATE", offer), heard("AGREEMENT_CREATE", from))
		d.get(agreementPath(from)).is(200).has(object{
			"sale_offer_id": offer, "product_id": home, "agency_id": 12, "user_id": 102, "buyers": list{float64(buyer)}, "sellers": list{float64(owner)}, "price": 290000,
			"fees_amount": 12000, "fees_payer": "VENDEUR", "net_seller": 278000, "price_excluding_fees": 290000,
		})
		d.get(offerPath(offer)).is(200).has(object{"sale_agreement_id": from})
		ledger.news()
		d.delete(agreementPath(from)).is(204)
		ledger.tells(heard("OFFER_UPDATE", offer), heard("AGREEMENT_DELETE", from))
		d.get(offerPath(offer)).is(200).has(object{"sale_agreement_id": nil, "status": "ACCEPTEE"})
	})
}

// TestSaleAgreement_RetractionApplies: to dwellings, and to buyers who are no
// companies (CCH L271-1).
func TestSaleAgreement_RetractionApplies(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		person, company := d.who("ACQUEREUR"), d.who("ACQUEREUR", object{"company": "SCI Rhône"})
		for _, test := range []struct {
			kind   string
			buyers list
			want   bool
		}{
			{"Appartement", list{person}, true}, {"Maison", list{person, company}, true}, {"Studio", list{company}, false}, {"Terrain", list{person}, false}, {"Loft", list{person}, true},
		} {
			home, _ := d.flat("TypeBien", test.kind)
			id := d.agreement(home, person, object{"buyers": test.buyers})
			d.get(agreementPath(id)).is(200).has(object{"retraction_applies": test.want})
		}
		home, _ := d.flat()
		said := d.agreement(home, company, object{"retraction_applies": true})
		d.get(agreementPath(said)).is(200).has(object{"retraction_applies": true})
		// Somebody who joins brings the right along.
		joined := d.agreement(home, company)
		d.patch(agreementPath(joined), object{"buyers": list{company, person}}).is(204)
		d.get(agreementPath(joined)).is(200).has(object{"retraction_applies": true})
	})
}

func TestSaleAgreement_CreationIsChecked(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, owner := d.flat()
		other, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		base := object{"type": "COMPROMIS", "product_id": home, "buyers": list{buyer}, "price": 280000}
		accepted, open := d.accepted(home, buyer), d.opened(home, buyer)
		commission := func(more object) list {
			return list{merged(object{"role": "ENTREE", "percent": 50, "user_id": 101}, more)}
		}
		for _, test := range []struct {
			sent   object
			status int
			code   string
			fields []string
		}{
			{object{"type": nil}, 422, "required", []string{"type"}},
			{object{"type": ""}, 422, "required", []string{"type"}},
			{object{"type": "VENTE"}, 422, "criteria_value_unrecognised", []string{"type"}},
			{object{"product_id": nil}, 422, "required", []string{"product_id"}},
			{object{"buyers": nil}, 422, "required", []string{"buyers"}},
			{object{"price": nil}, 422, "required", []string{"price"}},
			{object{"price": 0}, 422, "out_of_range", []string{"price"}},
			{object{"sellers": list{buyer}}, 422, "party_on_both_sides", []string{"sellers[0]"}},
			{object{"agency_id": 21}, 403, "agency_out_of_scope", []string{"agency_id"}},
			{object{"user_id": 99999}, 422, "unknown_user", []string{"user_id"}},
			{object{"sale_offer_id": 99999999}, 422, "unknown_offer", []string{"sale_offer_id"}},
			{object{"sale_offer_id": accepted, "product_id": other}, 422, "unknown_offer", []string{"sale_offer_id"}},
			{object{"sale_offer_id": open}, 409, "invalid_transition", []string{"status"}},
			{object{"seller_notary_id": owner}, 422, "not_a_notary", []string{"seller_notary_id"}},
			{object{"buyer_notary_id": 99999999}, 422, "unknown_customer", []string{"buyer_notary_id"}},
			{object{"deposit": object{}}, 422, "required", []string{"deposit.holder", "deposit.amount"}},
			{object{"deposit": object{"amount": 5, "holder": "MOI"}}, 422, "criteria_value_unrecognised", []string{"deposit.holder"}},
			{object{"conditions": list{object{}}}, 422, "required", []string{"conditions[0].type"}},
			{object{"conditions": list{object{"type": "PLUIE"}}}, 422, "criteria_value_unrecognised", []string{"conditions[0].type"}},
			{object{"conditions": slices.Repeat(list{object{"type": "AUTRE"}}, 31)}, 422, "out_of_range", []string{"conditions"}},
			{object{"commissions": list{object{"role": "ENTREE", "percent": 50}}}, 422, "exactly_one_of", []string{"commissions[0].agency_id"}},
			{object{"commissions": commission(object{"party_name": "Moi"})}, 422, "exactly_one_of", []string{"commissions[0].agency_id"}},
			{object{"commissions": commission(object{"user_id": nil, "agency_id": 21})}, 403, "agency_out_of_scope", []string{"commissions[0].agency_id"}},
			{object{"commissions": commission(object{"percent": 0})}, 422, "out_of_range", []string{"commissions[0].percent"}},
			{object{"commissions": commission(object{"percent": 33.333})}, 422, "out_of_range", []string{"commissions[0].percent"}},
			{object{"commissions": append(commission(nil), commission(object{"percent": 50.01})...)}, 422, "out_of_range", []string{"commissions"}},
			{object{"commissions": slices.Repeat(commission(object{"percent": 1}), 21)}, 422, "out_of_range", []string{"commissions"}},
			{object{"comment": strings.Repeat("x", 10_001)}, 422, "out_of_range", []string{"comment"}},
		} {
			d.post("/sale-agreements", merged(base, test.sent)).refused(test.status, test.code, test.fields...)
		}
		d.post("/sale-agreements", object{"type": "COMPROMIS", "sale_offer_id": open}).refused(409, "invalid_transition", "status").equals("error.details.0.value", "EN_COURS")
		first := d.post("/sale-agreements", object{"type": "COMPROMIS", "sale_offer_id": accepted}).is(201).id("data.id")
		d.post("/sale-agreements", object{"type": "COMPROMIS", "sale_offer_id": accepted}).refused(409, "agreement_exists").equals("error.details.0.value", first)
	})
}

func TestSaleAgreement_Commissions(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		id := d.agreement(home, d.who("ACQUEREUR"), object{"fees_amount": 9990.01, "fees_payer": "ACQUEREUR", "commissions": list{
			object{"role": "ENTREE", "percent": 50, "agency_id": 11}, object{"role": "SORTIE", "percent": 50, "party_name": "Agence du Lac"},
		}})
		shares := func() (all list) {
			for _, c := range d.get(agreementPath(id)).is(200).list("data.commissions") {
				all = append(all, c.(object)["amount"])
			}
			return all
		}
		d.get(agreementPath(id)).is(200).has(object{"fees_excl_vat": 8325.01, "commissions.0": object{
			"id": 1.0, "role": "ENTREE", "percent": 50.0, "agency_id": 11.0, "user_id": nil, "party_name": nil, "amount": 4162.51,
		}})
		if got := shares(); !slices.Equal(got, list{4162.51, 4162.5}) {
			t.Errorf("the shares are %v", got)
		}
		d.patch(agreementPath(id), object{"commissions": list{object{"role": "APPORT", "percent": 10.5, "user_id": 101}}}).is(204)
		if got := shares(); !slices.Equal(got, list{874.13}) {
			t.Errorf("the shares are %v", got)
		}
		d.patch(agreementPath(id), object{"fees_amount": nil, "fees_payer": nil}).is(204)
		if got := shares(); !slices.Equal(got, list{nil}) {
			t.Errorf("without fees the shares are %v", got)
		}
	})
}

// agreementIn makes an agreement with a condition (its id is 1) and a buyer who may
// withdraw that is in a status.
func (d dealer) agreementIn(status string, home, buyer int64) int64 {
	d.t.Helper()
	id := d.agreement(home, buyer, object{"conditions": list{object{"type": "URBANISME", "due_date": "2026-07-01"}}, "deposit": object{"amount": 10000, "holder": "NOTAIRE"}})
	do := func(by string, body object) { d.t.Helper(); d.post(agreementPath(id, by), body).is(204) }
	signedOn := "2026-04-01"
	if status == "RETRACTATION" {
		signedOn = dealsToday
	}
	if status != "PREPARATION" {
		do("sign", object{"date_signature": signedOn})
	}
	switch status {
	case "RETRACTATION":
		do("notify", object{"notifications": list{notification(buyer, dealsToday)}})
	case "CONDITIONS", "CONDITIONS_LEVEES", "ACTE_SIGNE":
		do("notify", object{"notifications": list{notification(buyer, "2026-04-01")}})
		if status != "CONDITIONS" {
			do("conditions/1/lift", object{})
		}
		if status == "ACTE_SIGNE" {
			do("notarise", object{"date_deed": dealsToday})
		}
	case "RETRACTE":
		do("retract", object{"customer_id": buyer, "date_sent": "2026-04-05"})
	case "DEFAILLI":
		do("conditions/1/fail", object{})
	case "ANNULE":
		do("cancel", object{"cancellation_reason": "ACCORD"})
	}
	d.status(agreementPath(id), status)
	return id
}

var agreementStatuses = []string{"PREPARATION", "SIGNE", "RETRACTATION", "CONDITIONS", "CONDITIONS_LEVEES", "ACTE_SIGNE", "RETRACTE", "DEFAILLI", "ANNULE"}

func TestSaleAgreement_TransitionTable(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		ledger := d.ledger()
		buyer := d.who("ACQUEREUR")
		for _, from := range agreementStatuses {
			for _, move := range []struct {
				by   string
				body object
				to   map[string]string
			}{
				{"sign", object{"date_signature": dealsToday}, map[string]string{"PREPARATION": "SIGNE"}},
				{"notify", object{"notifications": list{object{"customer_id": buyer, "date": dealsToday, "method": "LRE"}}}, map[string]string{"SIGNE": "RETRACTATION", "RETRACTATION": "RETRACTATION"}},
				{"retract", object{"customer_id": buyer, "date_sent": "2026-04-10"}, map[string]string{"SIGNE": "RETRACTE", "CONDITIONS": "RETRACTE", "CONDITIONS_LEVEES": "RETRACTE"}},
				{"retract", object{"customer_id": buyer, "date_sent": dealsToday}, map[string]string{"SIGNE": "RETRACTE", "RETRACTATION": "RETRACTE", "CONDITIONS": "retraction_expired", "CONDITIONS_LEVEES": "retraction_expired"}},
				{"conditions/1/lift", object{"note": "accordé"}, map[string]string{"SIGNE": "SIGNE", "RETRACTATION": "RETRACTATION", "CONDITIONS": "CONDITIONS_LEVEES"}},
				{"conditions/1/fail", object{}, map[string]string{"SIGNE": "DEFAILLI", "RETRACTATION": "DEFAILLI", "CONDITIONS": "DEFAILLI"}},
				{"notarise", object{"date_deed": dealsToday}, map[string]string{"CONDITIONS_LEVEES": "ACTE_SIGNE"}},
				{"cancel", object{"cancellation_reason": "REFUS_PRET"}, map[string]string{"PREPARATION": "ANNULE", "SIGNE": "ANNULE", "RETRACTATION": "ANNULE", "CONDITIONS": "ANNULE", "CONDITIONS_LEVEES": "ANNULE"}},
			} {
				home, _ := d.flat()
				id := d.agreementIn(from, home, buyer)
				ledger.news()
				got := d.post(agreementPath(id, move.by), move.body)
				to, allowed := move.to[from]
				switch {
				case from == "RETRACTATION" && move.body["date_sent"] == "2026-04-10": // before the signature
					got.refused(422, "out_of_range", "date_sent")
				case !allowed:
					got.refused(409, "invalid_transition", "status").equals("error.details.0.value", from)
				case to == "retraction_expired":
					got.refused(409, "retraction_expired", "date_sent")
				default:
					got.is(204).empty()
					after := d.status(agreementPath(id), to)
					if tag := got.header.Get("ETag"); tag == "" || !strings.HasPrefix(after.header.Get("ETag"), strings.TrimSuffix(tag, `"`)) {
						t.Errorf("%s: the ETag is %q, then %q", got.request, tag, after.header.Get("ETag"))
					}
					if events := ledger.news(); len(events) == 0 || events[len(events)-1] != heard("AGREEMENT_UPDATE", id) || strings.Count(strings.Join(events, ","), "AGREEMENT") != 1 {
						t.Errorf("%s: the events are %q", got.request, events)
					}
					continue
				}
				ledger.tells()
			}
		}
	})
}

// TestSaleAgreement_SignRules: in this order.
func TestSaleAgreement_SignRules(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		buyer, second := d.who("ACQUEREUR"), d.who("ACQUEREUR")
		home := d.post("/products", object{"agency_id": 11, "criteria": criteria("TypeTransaction", "Vente", "TypeBien", "Appartement", "Statut", "Archive", "CodePostal", "69006", "NumeroMandat", "M-9")}).is(201).id("data.id")
		loan := func(due any) object {
			return object{"conditions": list{object{"type": "PRET", "due_date": due, "amount": 200000, "rate_max": 3.5, "months": 240}}}
		}
		id := d.agreement(home, buyer, loan(nil))
		d.post(agreementPath(id, "sign"), object{}).refused(422, "required", "date_signature")
		d.post(agreementPath(id, "sign"), object{"date_signature": "2026-05-05"}).refused(422, "out_of_range", "date_signature")
		d.sign(id).refused(409, "product_not_available", "product_id")
		d.change(home, object{"criteria": criteria("Statut", "EnCours")}).is(204)
		accepted := d.accepted(home, second)
		live := d.cleared(home, second, object{"sale_offer_id": accepted, "sellers": list{d.who("VENDEUR")}})
		d.sign(id).refused(409, "agreement_exists").equals("error.details.0.value", live)
		d.post(agreementPath(live, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
		again := d.accepted(home, second)
		d.sign(id).refused(409, "offer_already_accepted").equals("error.details.0.value", again)
		d.post(offerPath(again, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
		d.sign(id).refused(422, "required", "sellers")
		d.patch(agreementPath(id), object{"sellers": list{d.who("VENDEUR")}}).is(204)
		d.sign(id).refused(422, "required", "conditions[0].due_date")
		d.patch(agreementPath(id), object{"conditions": list{object{"id": 1, "due_date": "2026-06-03"}}}).is(204)
		d.sign(id).refused(422, "condition_too_short", "conditions[0].due_date")
		d.patch(agreementPath(id), object{"conditions": list{object{"id": 1, "due_date": "2026-06-04"}}}).is(204)
		ledger := d.ledger()
		d.sign(id).is(204)
		ledger.tells(heard("PRODUCT_UPDATE", home), heard("AGREEMENT_UPDATE", id))
		d.get(agreementPath(id)).is(200).has(object{"status": "SIGNE", "date_signature": dealsToday, "mandate_number": "M-9"})
		d.get(product(home)).is(200).equals("data.status", "SousCompromis")
		// The month's rule holds for whatever is agreed later.
		d.patch(agreementPath(id), object{"conditions": list{object{"id": 1, "due_date": "2026-06-03"}}}).refused(422, "condition_too_short", "conditions[0].due_date")
		d.patch(agreementPath(id), object{"conditions": list{object{"id": 1, "due_date": "2026-08-04"}}}).is(204)
		d.patch(agreementPath(id), object{"conditions": list{object{"id": 1, "amount": 1}}}).refused(409, "invalid_transition", "status")
		d.patch(agreementPath(id), object{"conditions": list{object{"type": "AUTRE"}}}).refused(409, "invalid_transition", "status")
		d.patch(agreementPath(id), object{"conditions": list{object{"id": 1, "_delete": true}}}).refused(409, "invalid_transition", "status")
	})
}

func TestSaleAgreement_SignWithoutWithdrawal(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		waits := d.signed(home, buyer, object{"retraction_applies": false, "conditions": list{object{"type": "AUTRE"}}})
		d.status(agreementPath(waits), "CONDITIONS")
		d.post(agreementPath(waits, "notify"), object{"notifications": list{notification(buyer, dealsToday)}}).refused(409, "invalid_transition", "status")
		d.post(agreementPath(waits, "retract"), object{"customer_id": buyer, "date_sent": dealsToday}).refused(409, "invalid_transition", "status")
		d.post(agreementPath(waits, "conditions/1/lift"), object{"waived": true, "date": "2026-05-03", "note": "vu"}).is(204)
		d.get(agreementPath(waits)).is(200).has(object{"status": "CONDITIONS_LEVEES", "conditions.0": object{
			"id": 1.0, "type": "AUTRE", "label": nil, "due_date": nil, "amount": nil, "rate_max": nil, "months": nil, "status": "RENONCEE", "settled_on": "2026-05-03", "note": "vu", "overdue": false,
		}})
		d.post(agreementPath(waits, "notarise"), object{"date_deed": "2026-05-03"}).refused(422, "out_of_range", "date_deed")
		d.post(agreementPath(waits, "notarise"), object{"date_deed": "2026-05-05"}).refused(422, "out_of_range", "date_deed")
		d.post(agreementPath(waits, "notarise"), object{"date_deed": dealsToday}).is(204)
		d.get(agreementPath(waits)).is(200).has(object{"status": "ACTE_SIGNE", "date_deed": dealsToday, "fees_due_on": dealsToday, "deadlines": list{}})
	})
}

func TestSaleAgreement_NotifyRules(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, owner := d.flat()
		first, second, company := d.who("ACQUEREUR"), d.who("ACQUEREUR"), d.who("ACQUEREUR", object{"company": "SCI"})
		id := d.agreement(home, first, object{"buyers": list{first, second, company}})
		d.post(agreementPath(id, "sign"), object{"date_signature": "2026-04-20"}).is(204)
		notify := func(all ...any) answer {
			t.Helper()
			return d.post(agreementPath(id, "notify"), object{"notifications": all})
		}
		notify().refused(422, "required", "notifications")
		notify(object{}).refused(422, "required", "notifications[0].customer_id", "notifications[0].date", "notifications[0].method")
		notify(object{"customer_id": first, "date": dealsToday, "method": "PIGEON"}).refused(422, "criteria_value_unrecognised", "notifications[0].method")
		notify(notification(company, dealsToday)).refused(422, "unknown_customer", "notifications[0].customer_id")
		notify(notification(owner, dealsToday)).refused(422, "unknown_customer", "notifications[0].customer_id")
		notify(notification(first, "2026-04-19")).refused(422, "out_of_range", "notifications[0].date")
		notify(notification(first, "2026-05-05")).refused(422, "out_of_range", "notifications[0].date")
		notify(notification(second, "2026-05-02")).is(204)
		// 12 May and the Ascension come before: 13 May is a Wednesday.
		d.get(agreementPath(id)).is(200).has(object{"status": "SIGNE", "retraction_end": nil, "notifications": list{object{
			"customer_id": float64(second), "date": "2026-05-02", "method": "LRAR", "last_day": "2026-05-12", "ends_at": "2026-05-12T22:00:00.000Z",
		}}, "deadlines": list{object{"kind": "RETRACTATION", "date": "2026-05-12", "condition_id": nil, "customer_id": float64(second)}}})
		notify(notification(first, "2026-05-04")).is(204)
		d.get(agreementPath(id)).is(200).has(object{"status": "RETRACTATION", "retraction_end": "2026-05-15", "notifications.0.customer_id": first, "notifications.0.last_day": "2026-05-15"})
		notify(notification(first, "2026-05-03")).is(204) // replaces: 13 May
		d.get(agreementPath(id)).is(200).has(object{"status": "RETRACTATION", "retraction_end": "2026-05-13"})
		if n := len(d.get(agreementPath(id)).list("data.notifications")); n != 2 {
			t.Errorf("there are %d notifications", n)
		}
		d.post(agreementPath(id, "retract"), object{}).refused(422, "required", "customer_id", "date_sent")
		d.post(agreementPath(id, "retract"), object{"customer_id": company, "date_sent": dealsToday}).refused(422, "unknown_customer", "customer_id")
		d.post(agreementPath(id, "retract"), object{"customer_id": second, "date_sent": "2026-05-05"}).refused(422, "out_of_range", "date_sent")
		d.post(agreementPath(id, "retract"), object{"customer_id": second, "date_sent": dealsToday}).is(204)
		d.get(agreementPath(id)).is(200).has(object{"status": "RETRACTE", "deadlines": list{}})
		d.get(product(home)).is(200).equals("data.status", "EnCours")
	})
}

// TestSaleAgreement_NotificationsFarBack: one that is dated far back begins a period
// that is over, in the same write.
func TestSaleAgreement_NotificationsFarBack(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		id := d.agreement(home, buyer)
		d.post(agreementPath(id, "sign"), object{"date_signature": "2026-04-01"}).is(204)
		ledger := d.ledger()
		d.post(agreementPath(id, "notify"), object{"notifications": list{notification(buyer, "2026-04-01")}}).is(204)
		ledger.tells(heard("AGREEMENT_UPDATE", id))
		d.get(agreementPath(id)).is(200).has(object{"status": "CONDITIONS_LEVEES", "retraction_end": "2026-04-13"})
		d.post(agreementPath(id, "notarise"), object{"date_deed": "2026-04-13"}).refused(422, "out_of_range", "date_deed")
		d.post(agreementPath(id, "notarise"), object{"date_deed": "2026-04-14"}).is(204)
	})
}

func TestSaleAgreement_DeadlinesAndWarnings(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat("NumeroMandat", nil, "ConsoEner", nil)
		buyer := d.who("ACQUEREUR")
		id := d.agreement(home, buyer, object{
			"conditions": list{object{"type": "PRET", "due_date": "2026-06-30"}, object{"type": "AUTRE"}, object{"type": "URBANISME", "due_date": "2026-05-03"}}, "date_deed_expected": "2026-08-01",
			"deposit": object{"amount": 15000, "holder": "AUTRE", "received_on": dealsToday},
		})
		d.get(agreementPath(id)).is(200).has(object{"conditions.2.overdue": true, "conditions.0.overdue": false})
		d.sign(id).is(204)
		d.post(agreementPath(id, "notify"), object{"notifications": list{notification(buyer, dealsToday)}}).is(204)
		entry := func(kind, date string, condition, customer any) object {
			return object{"kind": kind, "date": date, "condition_id": condition, "customer_id": customer}
		}
		d.get(agreementPath(id)).is(200).has(object{
			"warnings": list{"mandate_missing", "deposit_before_retraction", "condition_overdue", "notary_missing", "dpe_missing"},
			"deadlines": list{
				entry("CONDITION", "2026-05-03", 3.0, nil), entry("RETRACTATION", "2026-05-15", nil, float64(buyer)),
				entry("CONDITION", "2026-06-30", 1.0, nil), entry("ACTE", "2026-08-01", nil, nil),
			},
		})
		d.post(agreementPath(id, "retract"), object{"customer_id": buyer, "date_sent": dealsToday}).is(204)
		d.get(agreementPath(id)).is(200).has(object{"deadlines": list{entry("RESTITUTION_ACOMPTE", "2026-05-25", nil, nil)}})
	})
}

func TestSaleAgreement_ConditionsAreWrittenLikeRooms(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		id := d.agreement(home, d.who("ACQUEREUR"), object{"conditions": list{object{"type": "AUTRE", "label": "un"}, object{"type": "AUTRE", "label": "deux"}}})
		d.patch(agreementPath(id), object{"conditions": list{object{"id": 1, "_delete": true}, object{"id": 2, "label": "DEUX"}, object{"type": "PRET"}}}).is(204)
		d.get(agreementPath(id)).is(200).has(object{"conditions.0.id": 2, "conditions.0.label": "DEUX", "conditions.1.id": 3, "conditions.1.status": "EN_ATTENTE"})
		d.patch(agreementPath(id), object{"conditions": list{object{"id": 1, "label": "x"}}}).is(422)
		d.patch(agreementPath(id), object{"conditions": list{object{"id": 3, "_delete": true}}}).is(204)
		d.patch(agreementPath(id), object{"conditions": list{object{"type": "PRET", "due_date": "2026-12-01"}}}).is(204)
		d.get(agreementPath(id)).is(200).has(object{"conditions.1.id": 4}) // no id is used again
		d.sign(id).is(204)
		d.post(agreementPath(id, "conditions/99/lift"), object{}).refused(404, "not_found")
		d.post(agreementPath(id, "conditions/99/fail"), object{"date": "x"}).refused(404, "not_found")
		d.post(agreementPath(id, "conditions/2/lift"), object{"date": "2026-05-05"}).refused(422, "out_of_range", "date")
		d.post(agreementPath(id, "conditions/2/lift"), object{}).is(204)
		d.get(agreementPath(id)).is(200).has(object{"status": "SIGNE", "conditions.0.status": "LEVEE", "conditions.0.settled_on": dealsToday})
		d.post(agreementPath(id, "conditions/2/lift"), object{}).refused(409, "invalid_transition", "status")
		d.post(agreementPath(id, "conditions/2/fail"), object{}).refused(409, "invalid_transition", "status")
		d.post(agreementPath(id, "conditions/4/fail"), object{"note": "refusé"}).is(204)
		d.get(agreementPath(id)).is(200).has(object{"status": "DEFAILLI", "conditions.1.status": "DEFAILLIE", "conditions.1.note": "refusé"})
		d.get(product(home)).is(200).equals("data.status", "EnCours")
	})
}

func TestSaleAgreement_WhatCanBeChangedInWhichStatus(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		ledger := d.ledger()
		buyer, third, notary := d.who("ACQUEREUR"), d.who("ACQUEREUR"), d.who("NOTAIRE")
		live := agreementStatuses[:5]
		for _, status := range agreementStatuses {
			home, _ := d.flat()
			another, _ := d.flat()
			id := d.agreementIn(status, home, buyer)
			for _, test := range []struct {
				sent object
				in   []string
			}{
				{object{"user_id": 102}, agreementStatuses}, {object{"comment": "autre"}, agreementStatuses},
				{object{"seller_notary_id": notary}, live}, {object{"buyer_notary_id": notary}, live}, {object{"deposit": object{"amount": 5000, "holder": "AGENCE"}}, live},
				{object{"commissions": list{object{"role": "AUTRE", "percent": 1, "party_name": "x"}}}, live}, {object{"date_deed_expected": "2026-09-01"}, live},
				{object{"conditions": list{object{"id": 1, "due_date": "2026-07-02"}}}, live},
				{object{"type": "PROMESSE"}, live[:1]}, {object{"price": 270000}, live[:1]}, {object{"buyers": list{buyer, third}}, live[:1]}, {object{"agency_id": 12}, live[:1]},
				{object{"fees_amount": 5000, "fees_payer": "VENDEUR"}, live[:1]}, {object{"retraction_applies": false}, live[:1]},
				{object{"conditions": list{object{"id": 1, "label": "y"}}}, live[:1]}, {object{"product_id": another}, nil}, {object{"sale_offer_id": 1}, nil},
			} {
				ledger.news()
				got := d.patch(agreementPath(id), test.sent)
				if !slices.Contains(test.in, status) {
					got.refused(409, "invalid_transition", "status").equals("error.details.0.value", status)
					ledger.tells()
					continue
				}
				got.is(204)
				ledger.tells(heard("AGREEMENT_UPDATE", id))
				d.patch(agreementPath(id), test.sent).is(204)
				ledger.tells()
			}
			if status != "PREPARATION" {
				d.delete(agreementPath(id)).refused(409, "invalid_transition", "status")
			}
		}
	})
}

// TestEffects_OfAgreements: product, search request, follow-ups, offer, in this
// order.
func TestEffects_OfAgreements(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat("NumeroMandat", nil)
		buyer, partner := d.who("ACQUEREUR"), d.who("ACQUEREUR")
		search := d.post(customerPath(buyer, "searches"), object{"transaction_type": "Vente"}).is(201).id("data.id")
		offer := d.accepted(home, buyer, object{"buyers": list{buyer, partner}, "search_id": search})
		make := func() int64 {
			t.Helper()
			return d.post("/sale-agreements", object{"type": "COMPROMIS", "sale_offer_id": offer, "retraction_applies": false}).is(201).id("data.id")
		}
		id := make()
		ledger := d.ledger()
		d.sign(id).is(204)
		ledger.tells(heard("PRODUCT_UPDATE", home), heard("AGREEMENT_UPDATE", id))
		d.get(product(home)).is(200).equals("data.status", "SousCompromis")
		d.post(agreementPath(id, "notarise"), object{"date_deed": dealsToday}).is(204)
		followUps := []int64{d.get(customerPath(buyer, "follow-ups")).equals("data.0.status", "ACQUIS").id("data.0.id"), d.get(customerPath(partner, "follow-ups")).equals("data.0.status", "ACQUIS").id("data.0.id")}
		ledger.tells(heard("PRODUCT_UPDATE", home), heard("SEARCH_UPDATE", search), heard("FOLLOWUP_UPDATE", followUps[0]), heard("FOLLOWUP_UPDATE", followUps[1]), heard("AGREEMENT_UPDATE", id))
		d.get(product(home)).is(200).equals("data.status", "Vendu")
		d.get(customerPath(buyer, "searches", fmt.Sprint(search))).is(200).has(object{"status": "ABOUTIE", "is_active": false})

		// One that ends takes its offer along, and the product is free.
		for _, how := range []string{"retract", "fail", "cancel", "cancel a draft"} {
			home, _ = d.flat("NumeroMandat", nil)
			offer = d.accepted(home, buyer)
			id = d.post("/sale-agreements", object{"type": "COMPROMIS", "sale_offer_id": offer, "conditions": list{object{"type": "AUTRE"}}}).is(201).id("data.id")
			if how != "cancel a draft" {
				d.sign(id).is(204)
			}
			ledger.news()
			switch how {
			case "retract":
				d.post(agreementPath(id, "retract"), object{"customer_id": buyer, "date_sent": dealsToday}).is(204)
			case "fail":
				d.post(agreementPath(id, "conditions/1/fail"), object{}).is(204)
			default:
				d.post(agreementPath(id, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
			}
			ledger.tells(heard("PRODUCT_UPDATE", home), heard("OFFER_UPDATE", offer), heard("AGREEMENT_UPDATE", id))
			d.get(product(home)).is(200).equals("data.status", "EnCours")
			d.get(offerPath(offer)).is(200).has(object{"status": "ANNULEE", "cancellation_reason": "AGREEMENT", "sale_agreement_id": id})
		}
	})
}

// TestSaleAgreement_ALaterOneIsTheOffersAgreement: once the first draft is deleted.
func TestSaleAgreement_NumbersHaveNoGaps(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		number := func(id int64) (n int) {
			fmt.Sscanf(d.get(agreementPath(id)).is(200).text("data.number"), "11-C%d", &n)
			return n
		}
		draft := d.agreement(home, buyer)
		first := number(draft)
		d.delete(agreementPath(draft)).is(204).empty()
		d.post("/sale-agreements", object{"type": "COMPROMIS", "product_id": home, "buyers": list{buyer}}).refused(422, "required", "price")
		if got := number(d.agreement(home, buyer)); got != first+1 {
			t.Errorf("the number after %d is %d", first, got)
		}
	})
}
