package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// dealsNow is the present moment of worlds in which products are sold and let: ten
// o'clock in the morning of a Monday in Paris.
var dealsNow = time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)

// dealsToday is its day.
const dealsToday = "2026-05-04"

// indexValues are the values of indices that those worlds know.
var indexValues = []site.IndexValue{
	{Index: "IRL", Quarter: "2022-T3", Value: 136.27}, {Index: "IRL", Quarter: "2022-T4", Value: 137.26},
	{Index: "IRL", Quarter: "2023-T1", Value: 138.61}, {Index: "IRL", Quarter: "2024-T1", Value: 143.46}, {Index: "IRL", Quarter: "2024-T3", Value: 144.51},
	{Index: "IRL", Quarter: "2024-T4", Value: 144.64}, {Index: "IRL", Quarter: "2025-T1", Value: 145.47}, {Index: "IRL", Quarter: "2025-T3", Value: 145.77, Published: "2025-10-15"},
	{Index: "ILC", Quarter: "2024-T3", Value: 137.71}, {Index: "ILC", Quarter: "2024-T4", Value: 135.30},
	{Index: "ILAT", Quarter: "2024-T3", Value: 137.12}, {Index: "ILAT", Quarter: "2024-T4", Value: 137.29},
}

// cancellationReasons are the codes of list 17.
var cancellationReasons = []string{"ACCORD", "REFUS_PRET", "DECES", "PREEMPTION", "VICE", "AGREEMENT", "AUTRE"}

// dealStages are the usual stages with list 17.
func dealStages() []transfer.Setup {
	all := stages()
	for n := range all {
		all[n].Sites = slices.Clone(all[n].Sites)
		for m := range all[n].Sites {
			s := &all[n].Sites[m]
			if slices.ContainsFunc(s.Lists, func(l transfer.SetupList) bool { return l.ID == 17 }) {
				continue
			}
			list := transfer.SetupList{ID: 17, Key: "cancellation_reasons", Label: "Motifs d'annulation"}
			for i, code := range cancellationReasons {
				list.Values = append(list.Values, transfer.SetupChoice{ID: int64(17001 + i), Model: code, Label: code})
			}
			s.Lists = append(slices.Clone(s.Lists), list)
		}
	}
	return all
}

// knowIndices gives the sites of a world the values of the indices.
func (w *world) knowIndices(t testing.TB) {
	t.Helper()
	err := w.store.Update(t.Context(), func(tx port.Tx) error {
		for _, id := range []site.ID{1, 2} {
			if err := tx.Ledger().Touch(id, port.AspectSettings); err != nil {
				return err
			}
			s, err := tx.Sites().Get(id)
			if err != nil {
				return err
			}
			s.Settings.Indices = indexValues
			if err := tx.Sites().Put(s); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// dealer is a client of a world in which products are sold and let.
type dealer struct{ *client }

// dealing runs a scenario about offers, agreements and leases on its stores. Nobody turns
// the clock.
func dealing(t *testing.T, scenario func(t *testing.T, d dealer), picked ...choice) {
	t.Helper()
	onEach(t, "deals", func(t *testing.T, w *world) {
		w.knowIndices(t)
		scenario(t, dealer{w.network(t)})
	}, append([]choice{standingStill(dealsNow), described(dealStages()...)}, picked...)...)
}

// turning runs a scenario that turns the clock in several processes at once, in worlds of
// its own.
func turning(t *testing.T, scenario func(t *testing.T, d dealer)) {
	t.Helper()
	separately(t, func(t *testing.T, w *world) {
		w.knowIndices(t)
		scenario(t, dealer{w.network(t)})
	}, standingStill(dealsNow), described(dealStages()...), racing)
}

// till turns the clock to a moment, written as RFC 3339, and is a client with a
// token of then.
func (d dealer) till(moment string) dealer {
	d.t.Helper()
	at, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		d.t.Fatal(err)
	}
	d.w.clock.advance(at.Sub(d.w.clock.now()))
	d.w.mu.Lock()
	clear(d.w.tokens)
	d.w.mu.Unlock()
	return dealer{d.w.network(d.t)}
}

// merged is an object with other members on top.
func merged(base object, more ...object) object {
	out := copied(base)
	for _, m := range more {
		for key, value := range m {
			out[key] = value
		}
	}
	return out
}

// who makes a customer.
func (d dealer) who(kind string, more ...object) int64 {
	d.t.Helper()
	return d.post("/customers", merged(object{"agency_id": 11, "type": kind, "lastname": "Quelqu'un"}, more...)).is(201).id("data.id")
}

// flat makes a product that somebody owns, in Lyon.
func (d dealer) flat(pairs ...any) (home, owner int64) {
	d.t.Helper()
	owner = d.who("VENDEUR")
	return d.owned(owner, pairs...), owner
}

func (d dealer) owned(owner int64, pairs ...any) int64 {
	d.t.Helper()
	all := criteria("TypeTransaction", "Vente", "TypeBien", "Appartement", "Statut", "EnCours", "Prix", 300000, "Surface", 50, "CodePostal", "69006", "NumeroMandat", "M-100", "ConsoEner", "D")
	for i := 0; i < len(pairs); i += 2 {
		all = slices.DeleteFunc(all, func(c any) bool { return c.(object)["id"] == pairs[i] })
		if pairs[i+1] != nil {
			all = append(all, object{"id": pairs[i], "value": pairs[i+1]})
		}
	}
	return d.post("/products", object{"agency_id": 11, "user_id": 101, "customer_id": owner, "criteria": all}).is(201).id("data.id")
}

func offerPath(id int64, rest ...string) string     { return dealPath("/sale-offers", id, rest) }
func agreementPath(id int64, rest ...string) string { return dealPath("/sale-agreements", id, rest) }
func leasePath(id int64, rest ...string) string     { return dealPath("/leases", id, rest) }

func dealPath(root string, id int64, rest []string) string {
	return strings.Join(append([]string{fmt.Sprint(root, "/", id)}, rest...), "/")
}

// offer makes an offer.
func (d dealer) offer(home, buyer int64, more ...object) int64 {
	d.t.Helper()
	return d.post("/sale-offers", merged(object{"product_id": home, "buyers": list{buyer}, "amount": 280000}, more...)).is(201).id("data.id")
}

// opened makes an offer that is under way.
func (d dealer) opened(home, buyer int64, more ...object) int64 {
	d.t.Helper()
	return d.offer(home, buyer, append([]object{{"status": "EN_COURS"}}, more...)...)
}

// accepted makes an offer that is accepted.
func (d dealer) accepted(home, buyer int64, more ...object) int64 {
	d.t.Helper()
	id := d.opened(home, buyer, more...)
	d.post(offerPath(id, "accept"), nil).is(204)
	return id
}

// agreement prepares an agreement.
func (d dealer) agreement(home, buyer int64, more ...object) int64 {
	d.t.Helper()
	return d.post("/sale-agreements", merged(object{"type": "COMPROMIS", "product_id": home, "buyers": list{buyer}, "price": 280000}, more...)).is(201).id("data.id")
}

// signed makes an agreement that was signed today.
func (d dealer) signed(home, buyer int64, more ...object) int64 {
	d.t.Helper()
	id := d.agreement(home, buyer, more...)
	d.sign(id).is(204)
	return id
}

func (d dealer) sign(id int64) answer {
	d.t.Helper()
	return d.post(agreementPath(id, "sign"), object{"date_signature": dealsToday})
}

// cleared makes an agreement whose buyer has no right of withdrawal, and no
// conditions.
func (d dealer) cleared(home, buyer int64, more ...object) int64 {
	d.t.Helper()
	return d.signed(home, buyer, append([]object{{"retraction_applies": false}}, more...)...)
}

func notification(customer int64, date string) object {
	return object{"customer_id": customer, "date": date, "method": "LRAR"}
}

// lease makes a lease of an unfurnished dwelling.
func (d dealer) lease(home, tenant int64, more ...object) int64 {
	d.t.Helper()
	return d.post("/leases", d.letting(home, tenant, more...)).is(201).id("data.id")
}

func (d dealer) letting(home, tenant int64, more ...object) object {
	return merged(object{
		"type": "VIDE", "product_id": home, "tenants": list{tenant}, "date_start": "2026-06-01", "duration_months": 36, "rent": 800,
	}, more...)
}

// let makes a lease that was signed today.
func (d dealer) let(home, tenant int64, more ...object) int64 {
	d.t.Helper()
	id := d.lease(home, tenant, more...)
	d.signLease(id).is(204)
	return id
}

func (d dealer) signLease(id int64) answer {
	d.t.Helper()
	return d.post(leasePath(id, "sign"), object{"date_signature": dealsToday})
}

// status demands the status of a record.
func (d dealer) status(path, want string) answer {
	d.t.Helper()
	return d.get(path).is(200).equals("data.status", want)
}

// heard is an event as the ledger tells it.
func heard(event string, id int64) string { return fmt.Sprint(event, " ", id) }
