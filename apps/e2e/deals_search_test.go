package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// walkDeals follows a search of deals in cursor mode to its end.
func (d dealer) walkDeals(root string, body object) []int64 {
	d.t.Helper()
	ids, body := []int64{}, copied(body)
	for {
		page := d.post(root+"/search", body).is(200)
		ids = append(ids, page.ids()...)
		if page.at("next_cursor") == nil {
			page.equals("has_more", false)
			return ids
		}
		page.equals("has_more", true)
		body["cursor"] = page.at("next_cursor")
	}
}

func TestTransactions_Searches(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, owner := d.flat()
		other, _ := d.flat()
		buyer, second, guarantor := d.who("ACQUEREUR"), d.who("ACQUEREUR"), d.who("PARTENAIRE")
		user := 102
		offers := []int64{
			d.offer(home, buyer, object{"amount": 300, "date_offer": "2026-04-01", "user_id": user}),
			d.opened(home, second, object{"amount": 100, "date_offer": "2026-04-10"}),
			d.offer(other, buyer, object{"amount": 200, "agency_id": 12}),
		}
		found := func(root string, body object, want ...int64) {
			t.Helper()
			got := d.post(root+"/search", body).is(200).ids()
			if !slices.Equal(got, want) && (len(got) > 0 || len(want) > 0) {
				t.Errorf("%s by %v finds %v, want %v", root, body, got, want)
			}
		}
		of := func(more object) object { return merged(object{"product_id": home}, more) }
		found("/sale-offers", of(nil), offers[0], offers[1])
		found("/sale-offers", object{"customer_id": buyer}, offers[0], offers[2])
		found("/sale-offers", object{"customer_id": owner}, offers[0], offers[1])
		found("/sale-offers", object{"customer_id": buyer, "agency_id": 12}, offers[2])
		found("/sale-offers", of(object{"user_id": user}), offers[0])
		found("/sale-offers", of(object{"status": "EN_COURS"}), offers[1])
		found("/sale-offers", of(object{"status": list{"EN_COURS", "BROUILLON"}}), offers[0], offers[1])
		found("/sale-offers", of(object{"status": list{}}))
		found("/sale-offers", of(object{"status": "ACCEPTEE"}))
		found("/sale-offers", of(object{"date_from": "2026-04-10", "date_to": "2026-04-10"}), offers[1])
		found("/sale-offers", of(object{"dateTo": "2026-04-09"}), offers[0])
		found("/sale-offers", of(object{"last_modified": "2026-05-04T08:00:00Z"}), offers[0], offers[1])
		found("/sale-offers", of(object{"last_modified": "2026-05-04T08:00:01Z"}))
		found("/sale-offers", of(object{"sort_type": "amount", "sort_order": "asc"}), offers[1], offers[0])
		found("/sale-offers", of(object{"sort_type": "id"}), offers[1], offers[0]) // as products
		found("/sale-offers", object{"customer_id": buyer, "sort_type": "amount", "sort_order": "desc"}, offers[0], offers[2])
		for _, sort := range []string{"id", "date", "date_added"} {
			found("/sale-offers", object{"customer_id": buyer, "sort_type": sort, "sort_order": "asc"}, offers[0], offers[2])
		}
		found("/sale-offers", object{"customer_id": 99999999})
		found("/sale-offers", object{"product_id": 99999999})
		found("/sale-offers", object{"user_id": 99999999})
		// Full records, in pages.
		d.post("/sale-offers/search", of(nil)).equals("data.0", d.get(offerPath(offers[0])).at("data"))
		mode := func(body object, want string) answer {
			t.Helper()
			got := d.post("/sale-offers/search", of(body)).is(200)
			if mode := got.header.Get("X-Pagination-Mode"); mode != want {
				t.Errorf("%v is answered in the mode %q", body, mode)
			}
			return got
		}
		mode(object{"count": 1}, "offset").equals("has_more", true).equals("data.0.id", offers[1]).equals("next_cursor", nil)
		mode(object{"skip": 1, "count": 1}, "offset").equals("has_more", false).equals("data.0.id", offers[0])
		mode(nil, "cursor").equals("has_more", false).equals("next_cursor", nil)
		var many []int64
		crowd := d.who("ACQUEREUR")
		for range 101 {
			many = append(many, d.send("POST", "/sale-offers", object{"product_id": home, "buyers": list{crowd}, "amount": 5}).is(201).id("data.id"))
		}
		if got := d.walkDeals("/sale-offers", object{"customer_id": crowd}); !slices.Equal(got, many) {
			t.Errorf("pages are %v", got)
		}

		accepted := d.accepted(home, buyer)
		agreements := []int64{
			d.post("/sale-agreements", object{"type": "PROMESSE", "sale_offer_id": accepted}).is(201).id("data.id"),
			d.signed(other, second),
		}
		found("/sale-agreements", object{"sale_offer_id": accepted}, agreements[0])
		found("/sale-agreements", of(object{"type": "PROMESSE"}), agreements[0])
		found("/sale-agreements", of(object{"type": list{"COMPROMIS", "RESERVATION"}}))
		found("/sale-agreements", object{"product_id": other, "date_from": dealsToday, "date_to": dealsToday, "status": "SIGNE"}, agreements[1])
		found("/sale-agreements", of(object{"date_from": "2026-01-01"})) // not signed
		found("/sale-agreements", object{"customer_id": second}, agreements[1])
		d.post("/sale-agreements/search", of(nil)).equals("data.0", d.get(agreementPath(agreements[0])).at("data"))

		lease := d.lease(home, buyer, object{"guarantors": list{guarantor}})
		found("/leases", object{"customer_id": guarantor, "date_from": "2026-06-01", "date_to": "2026-06-01", "type": "VIDE", "status": "PROJET"}, lease)
		found("/leases", object{"customer_id": guarantor, "date_to": "2026-05-31"})
		d.post("/leases/search", of(nil)).equals("data.0", d.get(leasePath(lease)).at("data"))

		for root := range dealTransitions {
			for _, test := range []struct {
				sent   object
				status int
				code   string
				field  string
			}{
				{object{"product_id": 0}, 422, "", "product_id"}, {object{"customer_id": -1}, 422, "", "customer_id"}, {object{"user_id": 0}, 422, "", "user_id"},
				{object{"agency_id": 21}, 403, "agency_out_of_scope", "agency_id"}, {object{"status": "X"}, 422, "criteria_value_unrecognised", "status"},
				{object{"status": list{"X"}}, 422, "criteria_value_unrecognised", "status"}, {object{"date_from": "x"}, 422, "invalid_format", "date_from"},
				{object{"date_to": "2026-02-30"}, 422, "invalid_format", "date_to"}, {object{"last_modified": "x"}, 422, "", "last_modified"},
				{object{"count": 0}, 422, "out_of_range", "count"}, {object{"count": 101}, 422, "out_of_range", "count"}, {object{"skip": -1}, 422, "out_of_range", "skip"},
				{object{"cursor": "x"}, 422, "", "cursor"}, {object{"sort_type": "x"}, 422, "", "sort_type"}, {object{"sort_order": "x"}, 422, "", "sort_order"},
				{object{"type": "X"}, 422, "criteria_value_unrecognised", "type"}, {object{"sale_offer_id": 0}, 422, "", "sale_offer_id"},
			} {
				if test.field == "type" && root == "/sale-offers" || test.field == "sale_offer_id" && root != "/sale-agreements" {
					continue
				}
				got := d.post(root+"/search", test.sent)
				if test.code == "" {
					test.code = got.is(test.status).text("error.code")
				}
				got.refused(test.status, test.code, test.field)
			}
			d.post(root+"/search", nil).is(200)
		}
	})
}

func TestTransactions_PendingDeadlines(t *testing.T) {
	turning(t, func(t *testing.T, d dealer) {
		pending := func(query string) []string {
			t.Helper()
			got := d.get("/transactions/deadlines?"+query).is(200).equals("truncated", false)
			all := []string{}
			for _, entry := range got.list("data") {
				e := entry.(object)
				all = append(all, fmt.Sprintf("%v %v %v %.0f", e["date"], e["kind"], e["resource"], e["resource_id"]))
			}
			return all
		}
		home, owner := d.flat()
		buyer := d.who("ACQUEREUR")
		offer := d.opened(home, buyer, object{"expires_at": "2026-05-20T10:00:00Z"})
		d.offer(home, buyer, object{"expires_at": "2026-05-21T10:00:00Z"}) // a draft
		a := d.signed(home, buyer, object{"conditions": list{object{"type": "PRET", "due_date": "2026-06-20"}}, "date_deed_expected": "2026-07-20"})
		d.post(agreementPath(a, "notify"), object{"notifications": list{notification(buyer, dealsToday)}}).is(204)
		house, _ := d.flat()
		l := d.running(house, d.who("LOCATAIRE"))
		want := []string{
			fmt.Sprint("2026-05-15 RETRACTATION AGREEMENT ", a), fmt.Sprint("2026-05-20 OFFRE OFFER ", offer), fmt.Sprint("2026-06-20 CONDITION AGREEMENT ", a),
			fmt.Sprint("2026-07-20 ACTE AGREEMENT ", a), fmt.Sprint("2026-10-31 CONGE LEASE ", l), fmt.Sprint("2027-04-30 TERME LEASE ", l),
		}
		if got := pending("from=2026-05-04&to=2027-05-04"); !slices.Equal(got, want) {
			t.Errorf("pending is %q, want %q", got, want)
		}
		if got := pending("from=2026-05-15&to=2026-05-20"); !slices.Equal(got, want[:2]) {
			t.Errorf("pending is %q, want %q", got, want[:2])
		}
		if got := pending("from=2026-05-04&to=2027-05-04&kind=CONDITION&agency_id=11"); !slices.Equal(got, want[2:3]) {
			t.Errorf("pending is %q, want %q", got, want[2:3])
		}
		if got := pending("from=2026-05-04&to=2027-05-04&agency_id=12"); len(got) > 0 {
			t.Errorf("pending is %q", got)
		}
		d.get("/transactions/deadlines?from=2026-05-04&to=2026-06-30&kind=CONDITION").is(200).equals("data.0", object{
			"date": "2026-06-20", "kind": "CONDITION", "resource": "AGREEMENT", "resource_id": float64(a), "product_id": float64(home), "agency_id": 11.0, "user_id": 101.0, "condition_id": 1.0, "customer_id": nil,
		})
		d.get("/transactions/deadlines?from=2026-05-04&to=2026-06-30&kind=RETRACTATION").is(200).equals("data.0.customer_id", buyer)
		for query, fields := range map[string][]string{
			"": {"from", "to"}, "from=2026-05-04": {"to"}, "from=x&to=2026-05-04": {"from"}, "from=2026-05-04&to=2026-05-03": {"to"}, "from=2026-05-04&to=2027-05-06": {"to"},
			"from=2026-05-04&to=2026-05-05&kind=X": {"kind"}, "from=2026-05-04&to=2026-05-05&agency_id=0": {"agency_id"},
		} {
			got := d.get("/transactions/deadlines?" + query).is(422)
			got.refused(422, got.text("error.code"), fields...)
		}
		d.get("/transactions/deadlines?from=2026-05-04&to=2027-05-05&agency_id=21").refused(403, "agency_out_of_scope", "agency_id")
		// With a notice the lease ends when that says.
		d.post(leasePath(l, "notice"), object{"by": "LOCATAIRE", "received_on": dealsToday}).is(204)
		if got := pending("from=2026-05-04&to=2027-05-04&kind=TERME"); !slices.Equal(got, []string{fmt.Sprint("2026-08-04 TERME LEASE ", l)}) {
			t.Errorf("pending is %q", got)
		}
		// The offer expires by itself, and the withdrawal is over.
		d = d.till("2026-05-20T10:00:00Z")
		if got := pending("from=2026-05-04&to=2026-06-30"); !slices.Equal(got, want[2:3]) {
			t.Errorf("pending is %q, want %q", got, want[2:3])
		}
		_ = owner
	})
}

// vectors reads the cases that package test data keeps.
func vectors(t *testing.T, file string) (cases []object) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Cases json.RawMessage }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all.Cases, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 10 {
		t.Fatalf("%s has %d cases", file, len(cases))
	}
	return cases
}

func TestTransactions_DeadlineCalculatorOnAllVectors(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		all := vectors(t, "../../core/domain/calendar/testdata/deadlines.json")
		for batch := range slices.Chunk(all, 100) {
			items := list{}
			for _, c := range batch {
				item := object{}
				for _, name := range []string{"kind", "from", "region", "months"} {
					if c[name] != nil {
						item[name] = c[name]
					}
				}
				items = append(items, item)
			}
			got := d.send("POST", "/transactions/deadlines", object{"items": items}).is(200)
			for n, c := range batch {
				for name, want := range c["expected"].(object) {
					got.equals(fmt.Sprintf("data.%d.%s", n, name), want)
				}
				for _, name := range []string{"kind", "from"} {
					got.equals(fmt.Sprintf("data.%d.%s", n, name), c[name])
				}
			}
		}
		ask := func(items ...any) answer { return d.send("POST", "/transactions/deadlines", object{"items": items}) }
		ask(object{"kind": "RETRACTATION", "from": "2026-10-20"}).is(200).equals("data.0", object{
			"kind": "RETRACTATION", "from": "2026-10-20", "region": "FR", "months": nil, "nominal": "2026-10-30", "last_day": "2026-10-30", "extended": false, "ends_at": "2026-10-31T00:00:00+01:00",
		})
		ask().refused(422, "required", "items")
		d.send("POST", "/transactions/deadlines", object{}).refused(422, "required", "items")
		ask(slices.Repeat(list{object{"kind": "REVISION", "from": "2026-01-01"}}, 101)...).refused(422, "out_of_range", "items")
		for _, test := range []struct {
			item  object
			field string
		}{
			{object{"kind": "PREAVIS"}, "months"}, {object{"kind": "PREAVIS", "months": 13}, "months"}, {object{"kind": "PREAVIS", "months": 0}, "months"},
			{object{"kind": "RETRACTATION", "months": 1}, "months"}, {object{"kind": "TERME", "months": 1201}, "months"}, {object{"kind": "RESTITUTION_DEPOT", "months": 3}, "months"},
			{object{"kind": "X"}, "kind"}, {object{"kind": nil}, "kind"}, {object{"kind": "REVISION", "from": "x"}, "from"}, {object{"kind": "REVISION", "from": nil}, "from"},
			{object{"kind": "REVISION", "region": "DE"}, "region"},
		} {
			got := ask(merged(object{"from": "2026-01-01"}, test.item)).is(422)
			got.refused(422, got.text("error.code"), "items[0]."+test.field)
		}
	})
}

func TestTransactions_AmountCalculatorOnAllVectors(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		items := list{}
		all := vectors(t, "../../core/domain/deal/money/testdata/amounts.json")
		for _, c := range all {
			items = append(items, merged(object{"kind": c["kind"]}, c["input"].(object)))
		}
		got := d.send("POST", "/transactions/amounts", object{"items": items}).is(200)
		for n, c := range all {
			got.equals(fmt.Sprintf("data.%d", n), merged(object{"kind": c["kind"]}, c["expected"].(object)))
		}
		ask := func(item object) answer { return d.send("POST", "/transactions/amounts", object{"items": list{item}}) }
		for _, test := range []struct {
			item   object
			code   string
			fields []string
		}{
			{object{"kind": "X"}, "criteria_value_unrecognised", []string{"kind"}}, {object{}, "required", []string{"kind"}},
			{object{"kind": "REVISION"}, "required", []string{"rent", "index", "reference", "quarter"}},
			{object{"kind": "REVISION", "rent": 5, "index": "IRL", "reference": "2020-T1", "quarter": "2025-T3"}, "unknown_index_value", []string{"reference"}},
			{object{"kind": "REVISION", "rent": 5, "index": "IRL", "reference": "2024-T3", "quarter": "2099-T3"}, "unknown_index_value", []string{"quarter"}},
			{object{"kind": "REVISION", "rent": -5, "index": "IRL", "reference": "2024-T3", "quarter": "2025-T3"}, "out_of_range", []string{"rent"}},
			{object{"kind": "FEES_CAP"}, "required", []string{"zone", "surface", "date"}}, {object{"kind": "FEES_CAP", "zone": "TENDUE", "surface": -1, "date": "2026-01-01"}, "out_of_range", []string{"surface"}},
			{object{"kind": "VAT"}, "required", []string{"fees_amount", "vat_rate"}}, {object{"kind": "VAT", "fees_amount": 5, "vat_rate": 101}, "out_of_range", []string{"vat_rate"}},
			{object{"kind": "COMMISSIONS"}, "required", []string{"fees_excl_vat", "percents"}},
			{object{"kind": "COMMISSIONS", "fees_excl_vat": 5, "percents": list{60, 60}}, "out_of_range", []string{"percents"}},
		} {
			var fields []string
			for _, f := range test.fields {
				fields = append(fields, "items[0]."+f)
			}
			ask(test.item).refused(422, test.code, fields...)
		}
		d.send("POST", "/transactions/amounts", object{"items": list{}}).refused(422, "required", "items")
	})
}

func TestTransactions_IndicesAndHolidays(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		d.get("/configs/indices/ILC").is(200).equals("data", list{
			object{"quarter": "2024-T4", "territory": nil, "value": 135.3, "published_on": nil}, object{"quarter": "2024-T3", "territory": nil, "value": 137.71, "published_on": nil},
		})
		d.get("/configs/indices/IRL").is(200).equals("data.0", object{"quarter": "2025-T3", "territory": "METROPOLE", "value": 145.77, "published_on": "2025-10-15"})
		for _, name := range []string{"ICC", "irl", "1"} {
			d.get("/configs/indices/"+name).refused(404, "not_found")
		}
		text, err := os.ReadFile("../../core/domain/calendar/testdata/deadlines.json")
		if err != nil {
			t.Fatal(err)
		}
		var known struct{ Holidays map[string][]string }
		if err := json.Unmarshal(text, &known); err != nil || len(known.Holidays) == 0 {
			t.Fatal(err)
		}
		for of, days := range known.Holidays {
			year, region, _ := strings.Cut(of, " ")
			var got []string
			for _, h := range d.get("/configs/holidays?year=" + year + "&region=" + region).is(200).list("data") {
				got = append(got, h.(object)["date"].(string))
				if h.(object)["label"] == "" {
					t.Errorf("%s: a holiday without a name", of)
				}
			}
			if !slices.Equal(got, days) {
				t.Errorf("the holidays of %s are %v, want %v", of, got, days)
			}
		}
		for query, field := range map[string]string{"": "year", "year=1969": "year", "year=2200": "year", "year=x": "year", "year=2026&region=DE": "region"} {
			got := d.get("/configs/holidays?" + query).is(422)
			got.refused(422, got.text("error.code"), field)
		}
		d.get("/configs/holidays?year=2026").is(200).equals("data.0.date", "2026-01-01")
		d.w.website(t).get("/configs/holidays?year=2026").is(200)
	})
}
