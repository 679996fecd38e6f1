package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// dealTransitions are the operations that take records of each kind from one status
// to another.
var dealTransitions = map[string][]string{
	"/sale-offers":     {"send", "counter", "accept", "refuse", "withdraw", "cancel"},
	"/sale-agreements": {"sign", "notify", "retract", "notarise", "cancel", "conditions/1/lift", "conditions/1/fail"},
	"/leases":          {"sign", "notice", "cancel-notice", "end", "cancel", "revisions"},
}

// TestTransactions_PathsThatNameNothing: absent and of another site 404, of an agency
// outside the scope 403, before anything of the body.
func TestTransactions_PathsThatNameNothing(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		ours := map[string]int64{"/sale-offers": d.opened(home, buyer), "/sale-agreements": d.agreement(home, buyer), "/leases": d.lease(home, buyer)}
		rival := d.w.rival(t)
		for root, moves := range dealTransitions {
			for _, c := range []struct {
				*client
				id any
			}{{d.client, 99999999}, {d.client, 0}, {d.client, "x"}, {rival, ours[root]}} {
				path := fmt.Sprint(root, "/", c.id)
				c.get(path).refused(404, "not_found")
				c.send("PATCH", path, "{").refused(404, "not_found")
				c.send("DELETE", path, nil).refused(404, "not_found")
				for _, move := range moves {
					c.send("POST", path+"/"+move, "{").refused(404, "not_found")
				}
			}
		}
		d.send("POST", agreementPath(ours["/sale-agreements"], "conditions/7/lift"), "{").refused(404, "not_found")

		// The agency of an offer leaves the scope.
		gone := d.accepted(home, buyer)
		d.inAgency(gone, formerAgency)
		path := offerPath(gone)
		d.get(path).refused(403, "resource_out_of_scope")
		d.patch(path, "{").refused(403, "resource_out_of_scope")
		d.delete(path).refused(403, "resource_out_of_scope")
		for _, move := range dealTransitions["/sale-offers"] {
			d.send("POST", path+"/"+move, "{").refused(403, "resource_out_of_scope")
		}
		d.post("/sale-agreements", object{"type": "COMPROMIS", "sale_offer_id": gone}).refused(422, "unknown_offer", "sale_offer_id")
		d.post("/sale-offers/search", object{"product_id": home, "status": "ACCEPTEE"}).is(200).equals("data", list{})
		d.post("/sale-offers/search", object{"agency_id": formerAgency}).refused(403, "agency_out_of_scope", "agency_id")
	})
}

// inAgency stores that an offer is of an agency.
func (d dealer) inAgency(id int64, agency site.AgencyID) {
	d.t.Helper()
	if err := d.w.store.Update(d.t.Context(), func(tx port.Tx) error {
		if _, err := tx.Ledger().Head(1); err != nil {
			return err
		}
		o, err := tx.Offers().Get(1, offer.ID(id))
		if err != nil {
			return err
		}
		o.Agency = agency
		return tx.Offers().Put(o)
	}); err != nil {
		d.t.Fatal(err)
	}
}

// TestTransactions_PacksPermissionsAndRights: sales for all, holidays for many more.
func TestTransactions_PacksPermissionsAndRights(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		for credential, code := range map[string]string{"no-pack": "pack_missing", "no-permission": "permission_missing", "no-right": "right_missing"} {
			c := d.w.as(t, credential, 1)
			for root, moves := range dealTransitions {
				c.send("POST", root, "{").refused(403, code)
				c.send("POST", root+"/search", "{").refused(403, code)
				c.get(root+"/1").refused(403, code)
				c.send("PATCH", root+"/1", "{").refused(403, code)
				c.send("DELETE", root+"/1", nil).refused(403, code)
				for _, move := range moves {
					c.send("POST", root+"/1/"+move, "{").refused(403, code)
				}
			}
			c.get("/transactions/deadlines").refused(403, code)
			c.send("POST", "/transactions/deadlines", "{").refused(403, code)
			c.send("POST", "/transactions/amounts", "{").refused(403, code)
			c.get("/configs/indices/IRL").refused(403, code)
			c.get("/configs/holidays").refused(403, code)
		}
		site := d.w.website(t)
		site.get("/sale-offers/1").refused(403, "pack_missing")
		site.get("/configs/indices/IRL").refused(403, "pack_missing")
		rights := map[string]string{}
		for _, o := range d.w.Operations() {
			rights[o.Method+" "+o.Path] = fmt.Sprint(o.Rule.Right)
		}
		for root, id := range map[string]string{"/sale-offers": "offerId", "/sale-agreements": "agreementId", "/leases": "leaseId"} {
			one := root + "/{" + id + "}"
			want := map[string]string{
				"POST " + root + "/search": "RS:TRANSACTION_SEARCH", "GET " + one: "RS:TRANSACTION_GET", "POST " + root: "RS:TRANSACTION_CREATE",
				"PATCH " + one: "RS:TRANSACTION_UPDATE", "DELETE " + one: "RS:TRANSACTION_DELETE",
			}
			for _, move := range dealTransitions[root] {
				want["POST "+one+"/"+strings.Replace(move, "/1/", "/{conditionId}/", 1)] = "RS:TRANSACTION_UPDATE"
			}
			for operation, right := range want {
				if rights[operation] != right {
					t.Errorf("%s has the right %q, want %s", operation, rights[operation], right)
				}
			}
		}
	})
}

// TestTransactions_IfMatch: an agent acts on what was shown.
func TestTransactions_IfMatch(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		try := func(path, method string, body any, change object) {
			t.Helper()
			of := strings.Join(strings.Split(path, "/")[:3], "/")
			stale := d.get(of).is(200).header.Get("ETag")
			d.patch(of, change).is(204)
			ledger := d.ledger()
			d.send(method, path, body, "If-Match", stale).refused(412, "precondition_failed")
			ledger.tells()
			fresh := d.get(of).is(200).header.Get("ETag")
			if got := d.send(method, path, body, "If-Match", fresh); got.status >= 300 {
				t.Errorf("%s", got)
			}
		}
		note := func(n int) object { return object{"comment": fmt.Sprint("note ", n)} }
		id := d.offer(home, buyer)
		try(offerPath(id, "send"), "POST", nil, note(1))
		try(offerPath(id, "counter"), "POST", object{"by": "VENDEUR", "amount": 300000}, note(2))
		try(offerPath(id, "accept"), "POST", nil, note(3))
		try(offerPath(id, "cancel"), "POST", object{"cancellation_reason": "ACCORD"}, note(4))
		try(offerPath(d.opened(home, buyer), "refuse"), "POST", object{}, note(5))
		try(offerPath(d.opened(home, buyer), "withdraw"), "POST", nil, note(6))
		try(offerPath(d.offer(home, buyer)), "DELETE", nil, note(7))
		try(offerPath(d.offer(home, buyer)), "PATCH", object{"amount": 1}, note(8))
		a := d.agreement(home, buyer, object{"conditions": list{object{"type": "AUTRE"}, object{"type": "AUTRE"}}})
		try(agreementPath(a), "PATCH", object{"price": 5}, note(1))
		try(agreementPath(a, "sign"), "POST", object{"date_signature": "2026-04-01"}, note(2))
		try(agreementPath(a, "notify"), "POST", object{"notifications": list{notification(buyer, "2026-04-01")}}, note(3))
		try(agreementPath(a, "conditions/1/lift"), "POST", object{}, note(4))
		try(agreementPath(a, "conditions/2/fail"), "POST", object{}, note(5))
		try(agreementPath(d.signed(home, buyer), "retract"), "POST", object{"customer_id": buyer, "date_sent": dealsToday}, note(6))
		try(agreementPath(d.signed(home, buyer), "cancel"), "POST", object{"cancellation_reason": "ACCORD"}, note(7))
		try(agreementPath(d.agreement(home, buyer)), "DELETE", nil, note(8))
		l := d.lease(home, buyer, object{"date_start": "2025-01-01", "indexation": object{"index": "IRL", "quarter": "2024-T3"}})
		try(leasePath(l), "PATCH", object{"rent": 700}, note(1))
		try(leasePath(l, "sign"), "POST", object{"date_signature": "2024-12-01"}, note(2))
		try(leasePath(l, "revisions"), "POST", object{}, note(3))
		try(leasePath(l, "notice"), "POST", object{"by": "LOCATAIRE", "received_on": dealsToday}, note(4))
		try(leasePath(l, "cancel-notice"), "POST", nil, note(5))
		try(leasePath(l, "end"), "POST", object{"date": dealsToday}, note(6))
		try(leasePath(d.lease(home, buyer), "cancel"), "POST", object{"cancellation_reason": "ACCORD"}, note(7))
		try(leasePath(d.lease(home, buyer)), "DELETE", nil, note(8))
	})
}

// TestTransactions_Bodies: unknown fields are named, camelCase is accepted, bodies
// may be absent where nothing is required.
func TestTransactions_Bodies(t *testing.T) {
	dealing(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		ignored := func(got answer, want string) {
			t.Helper()
			if names := got.header.Get("X-Ignored-Fields"); names != want {
				t.Errorf("%s: X-Ignored-Fields is %q, want %q", got.request, names, want)
			}
		}
		id := d.offer(home, buyer)
		d.post(offerPath(id, "send"), object{"colour": 1}).is(204) // what has no body does not read it
		ignored(d.patch(offerPath(id), object{"number": "11-O1", "comment": "x"}).is(204), "number")
		ignored(d.post(offerPath(id, "counter"), object{"by": "VENDEUR", "amount": 5, "counterAmount": 5}).is(204), "counterAmount")
		d.post(offerPath(id, "counter"), object{"by": "VENDEUR", "amount": 5, "expiresAt": "2026-12-01"}).is(204)
		d.get(offerPath(id)).is(200).has(object{"expires_at": "2026-12-01T23:00:00.000Z"})
		d.post(offerPath(id, "refuse"), nil).is(204)
		a := d.agreement(home, buyer, object{"conditions": list{object{"type": "PRET", "dueDate": "2026-07-01", "rateMax": 3}}, "dateDeedExpected": "2026-09-01", "colour": 3})
		d.get(agreementPath(a)).is(200).has(object{"conditions.0.due_date": "2026-07-01", "conditions.0.rate_max": 3, "date_deed_expected": "2026-09-01"})
		d.post(agreementPath(a, "sign"), object{"dateSignature": dealsToday}).is(204)
		d.post(agreementPath(a, "notify"), object{"notifications": list{object{"customerId": buyer, "date": dealsToday, "method": "LRE"}}}).is(204)
		d.post(agreementPath(a, "conditions/1/lift"), nil).is(204)
		l := d.lease(home, buyer, object{"date_start": "2024-01-01"})
		d.post(leasePath(l, "sign"), object{"dateSignature": "2023-12-01"}).is(204)
		d.post(leasePath(l, "notice"), object{"by": "LOCATAIRE", "receivedOn": dealsToday}).is(204)
		for _, path := range []string{offerPath(id, "counter"), agreementPath(a, "sign"), leasePath(l, "end"), "/sale-offers", "/leases/search"} {
			d.send("POST", path, "{").refused(422, "malformed_json")
			d.send("POST", path, "{}", "Content-Type", "application/x-www-form-urlencoded").refused(415, "unsupported_media_type")
		}
	})
}

// TestTransactions_EveryPostTakesAKey: with an effect, and no other.
func TestTransactions_EveryPostTakesAKey(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	for _, o := range w.Operations() {
		about := strings.HasPrefix(o.Path, "/sale-") || strings.HasPrefix(o.Path, "/leases") || strings.HasPrefix(o.Path, "/transactions")
		if !about || o.Method != kernel.POST {
			continue
		}
		effect := !strings.HasSuffix(o.Path, "/search") && !strings.HasPrefix(o.Path, "/transactions")
		if takes := document().takesKey(w.network(t).request("POST", strings.NewReplacer("{offerId}", "1", "{agreementId}", "1", "{leaseId}", "1", "{conditionId}", "1").Replace(o.Path), nil)); takes != effect {
			t.Errorf("%s takes an Idempotency-Key: %v", o.Path, takes)
		}
	}
}
