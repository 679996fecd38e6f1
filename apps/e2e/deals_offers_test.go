package e2e_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// offerFields are the fields of an offer (transactions.md, section 2).
var offerFields = []string{
	"id", "number", "status", "product_id", "agency_id", "user_id", "buyers", "sellers", "search_id", "amount", "fees_amount", "fees_payer",
	"fees_buyer_amount", "vat_rate", "net_seller", "price_excluding_fees", "fees_excl_vat", "fees_vat", "date_offer", "expires_at", "counter_amount",
	"agreed_amount", "financing", "conditions", "refusal_reason", "cancellation_reason", "comment", "negotiation", "sale_agreement_id", "date_added", "last_modified",
}

// hasFields demands the fields of a record, and no others.
func (a answer) hasFields(want []string) answer {
	a.t.Helper()
	got := slices.Sorted(maps.Keys(a.at("data").(object)))
	if want = slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
		a.t.Errorf("%s\nthe fields are %q, want %q", a.request, got, want)
	}
	return a
}

// has demands members of the record.
func (a answer) has(want object) answer {
	a.t.Helper()
	for _, path := range slices.Sorted(maps.Keys(want)) {
		a.equals("data."+path, want[path])
	}
	return a
}

func TestSaleOffer_CreationDefaults(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, owner := d.flat()
		buyer := d.who("ACQUEREUR")
		ledger := d.ledger()
		made := d.post("/sale-offers", object{"product_id": home, "buyers": list{buyer}, "amount": 280000}).is(201)
		id := made.id("data.id")
		made.equals("data", object{"id": float64(id)})
		if got := made.header.Get("Location"); !strings.HasSuffix(got, offerPath(id)) {
			t.Errorf("Location is %q", got)
		}
		ledger.tells(heard("OFFER_CREATE", id))
		read := d.get(offerPath(id)).is(200).hasFields(offerFields).has(object{
			"status": "BROUILLON", "product_id": home, "agency_id": 11, "user_id": 101, "buyers": list{float64(buyer)}, "sellers": list{float64(owner)}, "search_id": nil,
			"amount": 280000, "fees_amount": nil, "fees_payer": nil, "fees_buyer_amount": nil, "vat_rate": 20, "net_seller": nil, "price_excluding_fees": nil,
			"fees_excl_vat": nil, "fees_vat": nil, "date_offer": dealsToday, "expires_at": nil, "counter_amount": nil, "agreed_amount": nil, "financing": nil, "conditions": list{},
			"refusal_reason": nil, "cancellation_reason": nil, "comment": nil, "negotiation": list{}, "sale_agreement_id": nil,
		})
		if read.header.Get("ETag") == "" {
			t.Error("a read has no ETag")
		}
		if !strings.HasPrefix(read.text("data.number"), "11-O") {
			t.Errorf("the number is %q", read.text("data.number"))
		}
		d.get(customerPath(buyer, "follow-ups")).is(200).equals("data", list{})
	})
}

func TestSaleOffer_EveryFieldIsKept(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat("CodePostal", "97400")
		buyer, second, seller := d.who("ACQUEREUR"), d.who("ACQUEREUR"), d.who("VENDEUR")
		search := d.post(customerPath(second, "searches"), object{"transaction_type": "Vente"}).is(201).id("data.id")
		id := d.post("/sale-offers", object{
			"productId": home, "buyers": list{second, buyer}, "sellers": list{seller}, "searchId": search, "userId": 102, "agencyId": 12, "amount": 300000.5,
			"feesAmount": 10000, "feesPayer": "PARTAGE", "feesBuyerAmount": 4000, "dateOffer": "2026-05-01", "expiresAt": "2026-05-10",
			"financing": object{"contribution": 50000, "loanAmount": 250000, "loanRateMax": 3.5, "loanMonths": 240}, "conditions": list{"vente d'un bien", "prêt"}, "comment": "vu deux fois",
		}).is(201).id("data.id")
		d.get(offerPath(id)).is(200).has(object{
			"buyers": list{float64(second), float64(buyer)}, "sellers": list{float64(seller)}, "search_id": search, "user_id": 102, "agency_id": 12, "amount": 300000.5,
			"fees_amount": 10000, "fees_payer": "PARTAGE", "fees_buyer_amount": 4000, "vat_rate": 8.5, "net_seller": 290000.5, "price_excluding_fees": 296000.5,
			"fees_excl_vat": 9216.59, "fees_vat": 783.41, "date_offer": "2026-05-01", "expires_at": "2026-05-10T22:00:00.000Z",
			"financing":  object{"contribution": 50000.0, "loan_amount": 250000.0, "loan_rate_max": 3.5, "loan_months": 240.0, "without_loan": false},
			"conditions": list{"vente d'un bien", "prêt"}, "comment": "vu deux fois",
		})
		if number := d.get(offerPath(id)).text("data.number"); !strings.HasPrefix(number, "12-O") {
			t.Errorf("the number is %q", number)
		}
		unsaid := d.offer(home, buyer, object{"status": nil, "sellers": nil, "agency_id": nil, "user_id": nil, "vat_rate": nil, "date_offer": nil, "financing": nil, "conditions": nil})
		d.get(offerPath(unsaid)).is(200).has(object{"status": "BROUILLON", "sellers": list{}, "agency_id": 11, "user_id": nil, "vat_rate": 8.5, "date_offer": dealsToday, "conditions": list{}})
		got := d.post("/sale-offers", object{"product_id": home, "buyers": list{buyer}, "amount": 1, "status": "BROUILLON", "number": "1", "agreed_amount": 3, "colour": 1}).is(201)
		if ignored := got.header.Get("X-Ignored-Fields"); ignored != "number, agreed_amount, colour" && ignored != "agreed_amount, colour, number" {
			t.Errorf("X-Ignored-Fields is %q", ignored)
		}
	})
}

// TestSaleOffer_CreationIsChecked: what is wrong is named, and no number is used.
func TestSaleOffer_CreationIsChecked(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, owner := d.flat()
		sold, _ := d.flat("Statut", "Vendu")
		buyer, other := d.who("ACQUEREUR"), d.who("ACQUEREUR")
		search := d.post(customerPath(other, "searches"), object{"transaction_type": "Vente"}).is(201).id("data.id")
		gone := d.who("ACQUEREUR")
		d.post(customerPath(gone, "anonymize"), object{}).is(204)
		base := object{"product_id": home, "buyers": list{buyer}, "amount": 280000}
		many := list{}
		for range 11 {
			many = append(many, d.who("ACQUEREUR"))
		}
		before := d.get(offerPath(d.offer(home, buyer))).text("data.number")
		ledger := d.ledger()
		for _, test := range []struct {
			sent   object
			status int
			code   string
			fields []string
		}{
			{object{"product_id": nil}, 422, "required", []string{"product_id"}},
			{object{"product_id": 99999999}, 422, "unknown_product", []string{"product_id"}},
			{object{"product_id": 0}, 422, "", []string{"product_id"}},
			{object{"buyers": nil}, 422, "required", []string{"buyers"}},
			{object{"buyers": list{}}, 422, "required", []string{"buyers"}},
			{object{"buyers": many}, 422, "out_of_range", []string{"buyers"}},
			{object{"buyers": list{buyer, buyer}}, 422, "ambiguous_field", []string{"buyers[1]"}},
			{object{"buyers": list{buyer, 99999999}}, 422, "unknown_customer", []string{"buyers[1]"}},
			{object{"buyers": list{gone}}, 422, "unknown_customer", []string{"buyers[0]"}},
			{object{"sellers": list{buyer}}, 422, "party_on_both_sides", []string{"sellers[0]"}},
			{object{"buyers": list{owner}}, 422, "party_on_both_sides", []string{"sellers[0]"}},
			{object{"search_id": search}, 422, "unknown_search", []string{"search_id"}},
			{object{"amount": nil}, 422, "required", []string{"amount"}},
			{object{"amount": 0}, 422, "out_of_range", []string{"amount"}},
			{object{"amount": -5}, 422, "out_of_range", []string{"amount"}},
			{object{"amount": 1e12 + 1}, 422, "out_of_range", []string{"amount"}},
			{object{"agency_id": 21}, 403, "agency_out_of_scope", []string{"agency_id"}},
			{object{"user_id": 99999}, 422, "unknown_user", []string{"user_id"}},
			{object{"status": "ACCEPTEE"}, 422, "criteria_value_unrecognised", []string{"status"}},
			{object{"date_offer": "2026-05-05"}, 422, "out_of_range", []string{"date_offer"}},
			{object{"date_offer": "demain"}, 422, "invalid_format", []string{"date_offer"}},
			{object{"status": "EN_COURS", "expires_at": "2026-05-03"}, 422, "out_of_range", []string{"expires_at"}},
			{object{"status": "EN_COURS", "expires_at": "2026-05-04T08:00:00Z"}, 422, "out_of_range", []string{"expires_at"}},
			{object{"fees_amount": 5000}, 422, "required", []string{"fees_payer"}},
			{object{"fees_payer": "VENDEUR"}, 422, "required", []string{"fees_amount"}},
			{object{"fees_payer": "NOTAIRE", "fees_amount": 1}, 422, "criteria_value_unrecognised", []string{"fees_payer"}},
			{object{"fees_amount": 280001, "fees_payer": "VENDEUR"}, 422, "amounts_disagree", []string{"fees_amount"}},
			{object{"fees_amount": 5000, "fees_payer": "ACQUEREUR", "fees_buyer_amount": 2}, 422, "ambiguous_field", []string{"fees_buyer_amount"}},
			{object{"fees_amount": 5000, "fees_payer": "PARTAGE"}, 422, "required", []string{"fees_buyer_amount"}},
			{object{"fees_amount": 5000, "fees_payer": "PARTAGE", "fees_buyer_amount": 5000}, 422, "", []string{"fees_buyer_amount"}},
			{object{"vat_rate": 101}, 422, "out_of_range", []string{"vat_rate"}},
			{object{"financing": object{"without_loan": true, "loan_amount": 1000}}, 422, "ambiguous_field", []string{"financing.without_loan"}},
			{object{"conditions": list{strings.Repeat("x", 1001)}}, 422, "out_of_range", []string{"conditions[0]"}},
			{object{"conditions": slices.Repeat(list{"x"}, 21)}, 422, "out_of_range", []string{"conditions"}},
			{object{"comment": strings.Repeat("x", 10_001)}, 422, "out_of_range", []string{"comment"}},
			{object{"product_id": sold, "status": "EN_COURS"}, 409, "product_not_available", []string{"product_id"}},
		} {
			got := d.post("/sale-offers", merged(base, test.sent))
			if test.code == "" {
				test.code = got.is(test.status).text("error.code")
			}
			got.refused(test.status, test.code, test.fields...)
		}
		ledger.tells()
		after := d.get(offerPath(d.offer(sold, buyer))).text("data.number") // a draft can be about anything
		var m, n int
		fmt.Sscanf(before, "11-O%d", &m)
		if fmt.Sscanf(after, "11-O%d", &n); n != m+1 {
			t.Errorf("the number after %s is %s", before, after)
		}
	})
}

// offerIn makes an offer that is in a status.
func (d dealer) offerIn(status string, home, buyer int64) int64 {
	d.t.Helper()
	switch status {
	case "BROUILLON":
		return d.offer(home, buyer)
	case "ACCEPTEE":
		return d.accepted(home, buyer)
	}
	id := d.opened(home, buyer)
	switch status {
	case "CONTRE_PROPOSITION":
		d.post(offerPath(id, "counter"), object{"by": "VENDEUR", "amount": 290000}).is(204)
	case "REFUSEE":
		d.post(offerPath(id, "refuse"), object{}).is(204)
	case "RETIREE":
		d.post(offerPath(id, "withdraw"), nil).is(204)
	case "ANNULEE":
		d.post(offerPath(id, "accept"), nil).is(204)
		d.post(offerPath(id, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
	}
	d.status(offerPath(id), status)
	return id
}

// offerMoves is what is tried in every status: what leads where, and by which step.
var offerMoves = []struct {
	by   string
	body any
	to   map[string]string
	kind string
	side any
}{
	{"send", nil, map[string]string{"BROUILLON": "EN_COURS"}, "ENVOI", "ACQUEREUR"},
	{"counter", object{"by": "VENDEUR", "amount": 295000}, map[string]string{"EN_COURS": "CONTRE_PROPOSITION", "CONTRE_PROPOSITION": "CONTRE_PROPOSITION"}, "CONTRE", "VENDEUR"},
	{"counter", object{"by": "ACQUEREUR", "amount": 285000}, map[string]string{"EN_COURS": "EN_COURS", "CONTRE_PROPOSITION": "EN_COURS"}, "CONTRE", "ACQUEREUR"},
	{"accept", nil, map[string]string{"EN_COURS": "ACCEPTEE", "CONTRE_PROPOSITION": "ACCEPTEE"}, "ACCEPTATION", ""},
	{"refuse", object{"refusal_reason": "PRIX"}, map[string]string{"EN_COURS": "REFUSEE", "CONTRE_PROPOSITION": "REFUSEE"}, "REFUS", ""},
	{"withdraw", nil, map[string]string{"BROUILLON": "RETIREE", "EN_COURS": "RETIREE", "CONTRE_PROPOSITION": "RETIREE"}, "RETRAIT", "ACQUEREUR"},
	{"cancel", object{"cancellation_reason": "ACCORD"}, map[string]string{"ACCEPTEE": "ANNULEE"}, "ANNULATION", nil},
}

func TestSaleOffer_TransitionTable(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		ledger := d.ledger()
		buyer := d.who("ACQUEREUR")
		for _, from := range []string{"BROUILLON", "EN_COURS", "CONTRE_PROPOSITION", "ACCEPTEE", "REFUSEE", "RETIREE", "ANNULEE"} {
			for _, move := range offerMoves {
				home, _ := d.flat()
				id := d.offerIn(from, home, buyer)
				before := d.get(offerPath(id)).is(200)
				ledger.news()
				got := d.post(offerPath(id, move.by), move.body)
				to, allowed := move.to[from]
				if !allowed {
					got.refused(409, "invalid_transition", "status").equals("error.details.0.value", from)
					ledger.tells()
					continue
				}
				got.is(204).empty()
				after := d.status(offerPath(id), to)
				if tag := got.header.Get("ETag"); tag == "" || !strings.HasPrefix(after.header.Get("ETag"), strings.TrimSuffix(tag, `"`)) {
					t.Errorf("%s: the ETag is %q, then %q", got.request, tag, after.header.Get("ETag"))
				}
				steps := after.list("data.negotiation")
				if len(steps) != len(before.list("data.negotiation"))+1 {
					t.Fatalf("%s: the steps are %v", got.request, steps)
				}
				last := steps[len(steps)-1].(object)
				if last["kind"] != move.kind || move.side != "" && last["by"] != move.side || last["at"] != "2026-05-04T08:00:00.000Z" {
					t.Errorf("%s from %s: the step is %v", got.request, from, last)
				}
				if events := ledger.news(); events[len(events)-1] != heard("OFFER_UPDATE", id) || strings.Count(strings.Join(events, ","), "OFFER_UPDATE") != 1 {
					t.Errorf("%s: the events are %q", got.request, events)
				}
			}
		}
	})
}

func TestSaleOffer_AmountsFollowTheNegotiation(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		id := d.opened(home, d.who("ACQUEREUR"), object{"fees_amount": 12000, "fees_payer": "ACQUEREUR"})
		shows := func(want object) { t.Helper(); d.get(offerPath(id)).is(200).has(want) }
		shows(object{"net_seller": 268000, "price_excluding_fees": 268000, "fees_excl_vat": 10000, "fees_vat": 2000})
		counter := func(by string, amount float64, more ...object) answer {
			t.Helper()
			return d.post(offerPath(id, "counter"), merged(object{"by": by, "amount": amount}, more...))
		}
		counter("VENDEUR", 295000).is(204)
		shows(object{"amount": 280000, "counter_amount": 295000, "net_seller": 283000})
		counter("VENDEUR", 293000, object{"expires_at": "2026-06-01T10:00:00Z"}).is(204)
		shows(object{"counter_amount": 293000, "expires_at": "2026-06-01T10:00:00.000Z"})
		counter("ACQUEREUR", 285000).is(204)
		shows(object{"status": "EN_COURS", "amount": 285000, "counter_amount": nil, "net_seller": 273000, "expires_at": "2026-06-01T10:00:00.000Z"})
		counter("VENDEUR", 290000, object{"expires_at": nil}).is(204)
		shows(object{"expires_at": nil})
		counter("VENDEUR", 11000).refused(422, "amounts_disagree", "fees_amount")
		counter("VENDEUR", 0).refused(422, "out_of_range", "amount")
		counter("NOTAIRE", 290000).refused(422, "criteria_value_unrecognised", "by")
		counter("VENDEUR", 290000, object{"expires_at": "2026-05-01"}).refused(422, "out_of_range", "expires_at")
		d.post(offerPath(id, "counter"), object{}).refused(422, "required", "by", "amount")
		d.post(offerPath(id, "refuse"), object{"refusal_reason": "HUMEUR"}).refused(422, "criteria_value_unrecognised", "refusal_reason")
		d.post(offerPath(id, "accept"), nil).is(204)
		shows(object{"amount": 285000, "counter_amount": 290000, "agreed_amount": 290000, "net_seller": 278000})
		d.post(offerPath(id, "cancel"), object{}).refused(422, "required", "cancellation_reason")
		d.post(offerPath(id, "cancel"), object{"cancellation_reason": "HUMEUR"}).refused(422, "criteria_value_unrecognised", "cancellation_reason")
		d.post(offerPath(id, "cancel"), object{"cancellation_reason": "DECES"}).is(204)
		shows(object{"status": "ANNULEE", "cancellation_reason": "DECES", "agreed_amount": 290000})
	})
}

// TestSaleOffer_OrderOfChecks: shape, then state, then rules.
func TestSaleOffer_OrderOfChecks(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		refused := d.offerIn("REFUSEE", home, buyer)
		d.post(offerPath(refused, "counter"), object{"by": "X", "amount": 1}).refused(422, "criteria_value_unrecognised", "by")
		d.post(offerPath(refused, "counter"), object{"by": "VENDEUR", "amount": 1}).refused(409, "invalid_transition")
		d.post(offerPath(refused, "cancel"), object{}).refused(422, "required")
		d.patch(offerPath(refused), object{"amount": 0}).refused(422, "out_of_range", "amount")
		d.patch(offerPath(refused), object{"amount": 5}).refused(409, "invalid_transition", "status")

		elsewhere, owner := d.flat()
		withFees := d.opened(elsewhere, buyer, object{"fees_amount": 1000, "fees_payer": "VENDEUR"})
		d.post(offerPath(withFees, "refuse"), object{}).is(204)
		for _, sent := range []object{{"amount": 5}, {"buyers": list{owner}}, {"buyers": list{99999999}}, {"fees_payer": nil}, {"fees_amount": 1e9}} {
			d.patch(offerPath(withFees), sent).refused(409, "invalid_transition", "status")
		}
		d.patch(offerPath(withFees), object{"fees_payer": "X", "amount": 5}).refused(422, "validation_error", "fees_payer", "fees_amount")

		first, second := d.accepted(home, buyer), d.opened(home, buyer)
		d.post(offerPath(second, "accept"), nil).refused(409, "offer_already_accepted").equals("error.details.0.value", first)
		agreed := d.post("/sale-agreements", object{"type": "COMPROMIS", "sale_offer_id": first, "retraction_applies": false}).is(201).id("data.id")
		d.post(offerPath(first, "cancel"), object{"cancellation_reason": "ACCORD"}).refused(409, "agreement_exists").equals("error.details.0.value", agreed)
		d.sign(agreed).is(204)
		d.post(offerPath(first, "cancel"), object{"cancellation_reason": "ACCORD"}).refused(409, "agreement_exists")
		d.post(offerPath(second, "accept"), nil).refused(409, "offer_already_accepted")
		d.post(agreementPath(agreed, "notarise"), object{"date_deed": dealsToday}).is(204)
		d.post(offerPath(second, "accept"), nil).refused(409, "offer_already_accepted")

		other, _ := d.flat()
		third := d.opened(other, buyer)
		draft := d.offer(other, buyer)
		live := d.cleared(other, d.who("ACQUEREUR"))
		d.post(offerPath(third, "accept"), nil).refused(409, "agreement_exists").equals("error.details.0.value", live)
		d.post(agreementPath(live, "notarise"), object{"date_deed": dealsToday}).is(204)
		d.post(offerPath(third, "accept"), nil).refused(409, "product_not_available", "product_id")
		d.post(offerPath(draft, "send"), nil).refused(409, "product_not_available", "product_id")
		d.post(offerPath(third, "refuse"), object{}).is(204)
	})
}

func TestSaleOffer_WhatCanBeChangedInWhichStatus(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		ledger := d.ledger()
		buyer, third := d.who("ACQUEREUR"), d.who("ACQUEREUR")
		search := d.post(customerPath(third, "searches"), object{"transaction_type": "Vente"}).is(201).id("data.id")
		negotiated := []string{"BROUILLON", "EN_COURS", "CONTRE_PROPOSITION"}
		all := []string{"BROUILLON", "EN_COURS", "CONTRE_PROPOSITION", "ACCEPTEE", "REFUSEE", "RETIREE", "ANNULEE"}
		for _, status := range all {
			home, _ := d.flat()
			another, _ := d.flat()
			id := d.offerIn(status, home, buyer)
			for _, test := range []struct {
				sent object
				in   []string
			}{
				{object{"user_id": 102}, all}, {object{"comment": "autre"}, all}, {object{"user_id": nil}, all},
				{object{"expires_at": "2026-07-01"}, negotiated}, {object{"financing": object{"without_loan": true}}, negotiated}, {object{"conditions": list{"a"}}, negotiated},
				{object{"amount": 270000}, all[:1]}, {object{"buyers": list{buyer, third}}, all[:1]}, {object{"search_id": search}, all[:1]}, {object{"sellers": list{}}, all[:1]},
				{object{"fees_amount": 5000, "fees_payer": "VENDEUR"}, all[:1]}, {object{"vat_rate": 10}, all[:1]}, {object{"agency_id": 12}, all[:1]},
				{object{"date_offer": "2026-05-01"}, all[:1]}, {object{"product_id": another}, nil}, {object{"product_id": home}, all},
			} {
				ledger.news()
				got := d.patch(offerPath(id), test.sent)
				if !slices.Contains(test.in, status) {
					got.refused(409, "invalid_transition", "status").equals("error.details.0.value", status)
					ledger.tells()
					continue
				}
				got.is(204).empty()
				if test.sent["product_id"] == nil {
					ledger.tells(heard("OFFER_UPDATE", id))
				}
				d.patch(offerPath(id), test.sent).is(204) // the same again is no event
				ledger.tells()
			}
			d.status(offerPath(id), status)
		}
	})
}

func TestSaleOffer_OnlyDraftsAreDeleted_AndNumbersHaveNoGaps(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		buyer := d.who("ACQUEREUR")
		number := func(id int64) (n int) {
			t.Helper()
			fmt.Sscanf(d.get(offerPath(id)).is(200).text("data.number"), "11-O%d", &n)
			return n
		}
		home, _ := d.flat()
		draft := d.offer(home, buyer)
		first := number(draft)
		tag := d.get(offerPath(draft)).header.Get("ETag")
		d.patch(offerPath(draft), object{"comment": "x"}).is(204)
		d.send("DELETE", offerPath(draft), nil, "If-Match", tag).refused(412, "precondition_failed")
		ledger := d.ledger()
		d.delete(offerPath(draft)).is(204).empty()
		ledger.tells(heard("OFFER_DELETE", draft))
		d.delete(offerPath(draft)).refused(404, "not_found")
		if got := number(d.offer(home, buyer)); got != first+1 {
			t.Errorf("the number after that of a deleted draft, %d, is %d", first, got)
		}
		for _, status := range []string{"EN_COURS", "CONTRE_PROPOSITION", "REFUSEE", "RETIREE", "ANNULEE", "ACCEPTEE"} {
			home, _ := d.flat()
			d.delete(offerPath(d.offerIn(status, home, buyer))).refused(409, "invalid_transition", "status").equals("error.details.0.value", status)
		}
	})
}

// TestEffects_OfOffers: the status of the product, and follow-ups, in the order of
// the events (transactions.md, section 7).
func TestEffects_OfOffers(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer, partner, second := d.who("ACQUEREUR"), d.who("ACQUEREUR"), d.who("ACQUEREUR")
		search := d.post(customerPath(buyer, "searches"), object{"transaction_type": "Vente"}).is(201).id("data.id")
		loose := d.post(customerPath(partner, "follow-ups"), object{"product_id": home}).is(201).id("data.id")
		ledger := d.ledger()
		id := d.offer(home, buyer, object{"buyers": list{buyer, partner}, "search_id": search, "status": "EN_COURS"})
		followUp := d.get(customerPath(buyer, "follow-ups")).is(200).equals("data.0.status", "OFFRE").equals("data.0.product_id", home).equals("data.0.search_id", search).id("data.0.id")
		d.get(customerPath(partner, "follow-ups")).is(200).equals("data.0.status", "OFFRE").equals("data.0.id", loose)
		ledger.tells(heard("FOLLOWUP_CREATE", followUp), heard("FOLLOWUP_UPDATE", loose), heard("OFFER_CREATE", id))
		d.post(offerPath(id, "counter"), object{"by": "VENDEUR", "amount": 290000}).is(204)
		d.post(offerPath(id, "counter"), object{"by": "ACQUEREUR", "amount": 285000}).is(204)
		ledger.tells(heard("OFFER_UPDATE", id), heard("OFFER_UPDATE", id)) // the follow-ups say so already

		d.patch(customerPath(partner, "follow-ups", fmt.Sprint(loose)), object{"status": "ACQUIS"}).is(204)
		other := d.opened(home, partner)
		d.get(customerPath(partner, "follow-ups")).is(200).equals("data.0.status", "ACQUIS")
		ledger.news()
		d.post(offerPath(id, "accept"), nil).is(204)
		ledger.tells(heard("PRODUCT_UPDATE", home), heard("OFFER_UPDATE", id))
		d.get(product(home)).is(200).equals("data.status", "SousOffre")
		d.post(offerPath(id, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
		ledger.tells(heard("PRODUCT_UPDATE", home), heard("OFFER_UPDATE", id))
		d.get(product(home)).is(200).equals("data.status", "EnCours")

		d.post(offerPath(other, "accept"), nil).is(204)
		d.change(home, object{"criteria": criteria("Statut", "Option")}).is(204)
		ledger.news()
		d.post(offerPath(other, "cancel"), object{"cancellation_reason": "ACCORD"}).is(204)
		ledger.tells(heard("OFFER_UPDATE", other)) // only from SousOffre
		late := d.opened(home, second)
		ledger.news()
		d.post(offerPath(late, "accept"), nil).is(204)
		ledger.tells(heard("OFFER_UPDATE", late)) // only from EnCours
		d.get(product(home)).is(200).equals("data.status", "Option")
	})
}
