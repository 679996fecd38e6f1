package e2e_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

// Every POST about people, with every write of it failing in turn: the client is
// told, not a byte of the database differs, and the same request goes through
// once nothing fails.
func TestAWriteThatFailsLeavesTheDatabaseAsItWas(t *testing.T) {
	t.Parallel()
	faulty := &porttest.Faulty{}
	w, err := newWorld("sqlite", over(func(s port.Store) port.Store { faulty.Store = s; return faulty }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.end)
	c := w.network(t)
	home := c.create(object{"agency_id": 11, "criteria": criteria("TypeTransaction", "Vente", "TypeBien", "Maison", "Prix", 300000, "Ville", "Lyon")})
	c.post("/hooks", object{"url": "https://portal.example/hook", "origines": list{"CUSTOMER_CREATE", "LEAD_CREATE", "PRODUCT_CREATE"}}).is(201)
	somebody := c.post("/customers", object{"agency_id": 11, "type": "ACQUEREUR", "lastname": "Quelqu'un"}).is(201).id("data.id")
	for path, body := range map[string]object{
		"/leads/sellers": {
			"agency_id": 11, "email": "vend@example.org", "lastname": "Vendeuse", "address": "3 rue Haute", "city": "Lyon", "project": "VENTE",
			"criteria": criteria("TypeBien", "Maison"), "rooms": list{room("type", "SEJOUR")},
		},
		"/leads/buyers":                      {"agency_id": 11, "email": "cherche@example.org", "lastname": "Acheteuse", "product_id": home},
		"/customers":                         {"agency_id": 11, "type": "PROSPECT", "lastname": "Nouvelle", "phone": "06 11 22 33 44"},
		customerPath(somebody, "searches"):   {"transaction_type": "Vente", "price_max": 310000},
		customerPath(somebody, "follow-ups"): {"product_id": home},
	} {
		before, matches := rows(t, w), c.get(product(home, "/matching-searches")).is(200).body
		send := func() answer { return c.send("POST", path, body, "Idempotency-Key", "the one") }
		failures := 0
		for {
			faulty.Writes, faulty.FailAt = 0, failures+1
			sent := send()
			if faulty.FailAt = 0; sent.status == 201 {
				if want := failures; faulty.Writes != want {
					t.Errorf("%s succeeds in %d writes, of which %d failed before", path, faulty.Writes, want)
				}
				break
			}
			failures++
			sent.refused(500, "internal_error")
			if diff := cmp.Diff(before, rows(t, w)); diff != "" {
				t.Fatalf("when write %d fails, %s leaves behind:\n%s", failures, path, diff)
			}
			if got := c.get(product(home, "/matching-searches")).is(200).body; string(got) != string(matches) {
				t.Fatalf("when write %d fails, %s changes what matches:\n%s", failures, path, got)
			}
		}
		if cmp.Equal(before, rows(t, w)) || failures < 5 {
			t.Errorf("%s does nothing, in %d writes", path, failures)
		}
		t.Logf("%s: %d writes", path, failures)
	}
}

func rows(t *testing.T, w *world) contents {
	t.Helper()
	d := contents{}
	w.tables(t, d)
	return d
}
