package e2e_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/images"
	"github.com/vitrine-crm/vitrine/adapters/phones"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// another is a second process on the store of a world.
func (w *world) another(t testing.TB) *siteapi.Service {
	t.Helper()
	s, err := siteapi.New(
		kernel.Ports{
			Store: w.store, Now: w.clock.now, Rand: rand.Reader, Zone: time.LoadLocation, E164: phones.E164,
			Blobs: w.blobs, Images: images.New(images.Options{Memory: 128 << 20}),
		},
		kernel.Options{Domain: w.url, Pepper: []byte("a pepper that only tests know")},
	)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// storeDue stores what is due in several processes at once, and once more.
func (d dealer) storeDue() {
	d.t.Helper()
	processes := []*siteapi.Service{d.w.Service, d.w.another(d.t), d.w.another(d.t)}
	var all sync.WaitGroup
	for _, p := range processes {
		all.Go(func() {
			if _, err := p.Deals.StoreDue(d.t.Context()); err != nil {
				d.t.Error(err)
			}
		})
	}
	all.Wait()
	if n, err := d.w.Deals.StoreDue(d.t.Context()); n != 0 || err != nil {
		d.t.Errorf("stored once more: %d, %v", n, err)
	}
}

// tellsSorted demands the events since it was last asked, in any order.
func (l *ledger) tellsSorted(want ...string) {
	l.c.t.Helper()
	got := l.news()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		l.c.t.Errorf("the events are %q, want %q", got, want)
	}
}

// found tells whether a search by status finds a record.
func (d dealer) found(root, status string, id int64) bool {
	d.t.Helper()
	return slices.Contains(d.post(root+"/search", object{"status": status}).is(200).ids(), id)
}

func TestClock_OffersExpire(t *testing.T) {
	turning(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		open := d.opened(home, buyer, object{"expires_at": "2026-05-10"})
		countered := d.opened(home, buyer, object{"expires_at": "2026-05-10T22:00:00Z"})
		d.post(offerPath(countered, "counter"), object{"by": "VENDEUR", "amount": 300000}).is(204)
		late := d.opened(home, buyer, object{"expires_at": "2026-05-11"})
		draft := d.offer(home, buyer, object{"expires_at": "2026-05-10"})
		ledger := d.ledger()

		d = d.till("2026-05-10T21:59:59Z")
		d.status(offerPath(open), "EN_COURS")
		d.storeDue()
		d = d.till("2026-05-10T22:00:00Z")
		ledger.c = d.client
		ledger.tells()
		for _, id := range []int64{open, countered} {
			d.get(offerPath(id)).is(200).has(object{"status": "EXPIREE", "last_modified": "2026-05-04T08:00:00.000Z"})
			if !d.found("/sale-offers", "EXPIREE", id) || d.found("/sale-offers", "EN_COURS", id) || d.found("/sale-offers", "CONTRE_PROPOSITION", id) {
				t.Errorf("%d is not found as what it is", id)
			}
			for _, move := range offerMoves {
				d.post(offerPath(id, move.by), move.body).refused(409, "invalid_transition", "status").equals("error.details.0.value", "EXPIREE")
			}
			d.patch(offerPath(id), object{"amount": 5}).refused(409, "invalid_transition")
			d.delete(offerPath(id)).refused(409, "invalid_transition")
		}
		d.status(offerPath(late), "EN_COURS")
		d.status(offerPath(draft), "BROUILLON")
		d.post(offerPath(draft, "send"), nil).refused(422, "out_of_range", "expires_at")
		ledger.tells()
		steps := d.get(offerPath(open)).list("data.negotiation")
		if last := steps[len(steps)-1].(object); last["kind"] != "EXPIRATION" || last["at"] != "2026-05-10T22:00:00.000Z" || last["by"] != nil || last["user_id"] != nil {
			t.Errorf("the last step is %v", last)
		}

		// A write that comes before includes it: one write, one event.
		d = d.till("2026-05-10T22:00:30Z")
		ledger.c = d.client
		d.patch(offerPath(countered), object{"comment": "trop tard"}).is(204)
		ledger.tells(heard("OFFER_UPDATE", countered))
		d.storeDue()
		ledger.tells(heard("OFFER_UPDATE", open))
		for _, id := range []int64{open, countered} {
			d.get(offerPath(id)).is(200).has(object{"status": "EXPIREE", "last_modified": "2026-05-10T22:00:30.000Z"})
			if n := len(d.get(offerPath(id)).list("data.negotiation")); id == open && n != 2 || id == countered && n != 3 {
				t.Errorf("%d has %d steps", id, n)
			}
		}
		// A no-op PATCH stores it too.
		d = d.till("2026-05-12T08:00:00Z")
		ledger.c = d.client
		d.patch(offerPath(late), object{}).is(204)
		ledger.tells(heard("OFFER_UPDATE", late))
		d.patch(offerPath(late), object{}).is(204)
		d.storeDue()
		ledger.tells()
	})
}

func TestClock_TheWithdrawalEnds(t *testing.T) {
	turning(t, func(t *testing.T, d dealer) {
		buyer, second := d.who("ACQUEREUR"), d.who("ACQUEREUR")
		homes := make([]int64, 4)
		for n := range homes {
			homes[n], _ = d.flat("NumeroMandat", nil)
		}
		sign := func(home int64, more ...object) int64 {
			t.Helper()
			id := d.signed(home, buyer, append([]object{{"buyers": list{buyer, second}}}, more...)...)
			d.post(agreementPath(id, "notify"), object{"notifications": list{notification(second, dealsToday), notification(buyer, dealsToday)}}).is(204)
			return id
		}
		waits := sign(homes[0], object{"conditions": list{object{"type": "URBANISME"}}})
		clear, deeded, retracted := sign(homes[1]), sign(homes[2]), sign(homes[3])
		ledger := d.ledger()
		d = d.till("2026-05-15T21:59:59Z") // the Ascension is on the 14th
		ledger.c = d.client
		d.status(agreementPath(waits), "RETRACTATION")
		d = d.till("2026-05-15T22:00:00Z")
		ledger.c = d.client
		d.status(agreementPath(waits), "CONDITIONS").has(object{"deadlines": list{}})
		d.status(agreementPath(clear), "CONDITIONS_LEVEES")
		if !d.found("/sale-agreements", "CONDITIONS", waits) || d.found("/sale-agreements", "RETRACTATION", waits) || !d.found("/sale-agreements", "CONDITIONS_LEVEES", clear) {
			t.Error("searches do not see it")
		}
		d.get(product(homes[0], "?fetch=sale_agreement,active_sale_agreement")).is(200).equals("data.sale_agreement.0.status", "CONDITIONS").equals("data.active_sale_agreement.status", "CONDITIONS")
		ledger.tells()
		d.post(agreementPath(waits, "notify"), object{"notifications": list{notification(buyer, "2026-05-15")}}).refused(409, "invalid_transition", "status").equals("error.details.0.value", "CONDITIONS")
		// It is the day of sending that counts.
		d.post(agreementPath(retracted, "retract"), object{"customer_id": second, "date_sent": "2026-05-16"}).refused(409, "retraction_expired", "date_sent")
		d.post(agreementPath(retracted, "retract"), object{"customer_id": second, "date_sent": "2026-05-15"}).is(204)
		d.post(agreementPath(deeded, "notarise"), object{"date_deed": "2026-05-15"}).refused(422, "out_of_range", "date_deed")
		d.post(agreementPath(deeded, "notarise"), object{"date_deed": "2026-05-16"}).is(204)
		got := ledger.news()
		if want := []string{heard("PRODUCT_UPDATE", homes[3]), heard("AGREEMENT_UPDATE", retracted), heard("PRODUCT_UPDATE", homes[2])}; !slices.Equal(got[:3], want) || got[len(got)-1] != heard("AGREEMENT_UPDATE", deeded) {
			t.Errorf("the events are %q", got)
		}
		d.storeDue()
		ledger.tellsSorted(heard("AGREEMENT_UPDATE", waits), heard("AGREEMENT_UPDATE", clear))
	})
}

func TestClock_LeasesBeginAndEnd(t *testing.T) {
	turning(t, func(t *testing.T, d dealer) {
		tenant := d.who("LOCATAIRE")
		make := func(more object) int64 {
			t.Helper()
			home, _ := d.flat("NumeroMandat", nil)
			return d.let(home, tenant, more)
		}
		stay := make(object{"type": "SAISONNIER", "duration_months": nil, "date_start": "2026-06-01", "date_end": "2026-06-10"})
		forever := make(object{"date_start": "2026-06-01"})
		noticed := make(object{"date_start": "2026-05-01"})
		d.post(leasePath(noticed, "notice"), object{"by": "LOCATAIRE", "received_on": dealsToday, "reason": "SANTE"}).is(204)
		ledger := d.ledger()
		d = d.till("2026-05-31T21:59:59Z")
		d.status(leasePath(stay), "SIGNE")
		d = d.till("2026-05-31T22:00:00Z")
		ledger.c = d.client
		d.status(leasePath(stay), "EN_COURS")
		if !d.found("/leases", "EN_COURS", stay) || d.found("/leases", "SIGNE", stay) {
			t.Error("searches do not see that it began")
		}
		d.post(leasePath(stay, "cancel"), object{"cancellation_reason": "ACCORD"}).refused(409, "invalid_transition", "status").equals("error.details.0.value", "EN_COURS")
		ledger.tells()
		d.storeDue()
		ledger.tellsSorted(heard("LEASE_UPDATE", stay), heard("LEASE_UPDATE", forever))
		d = d.till("2026-06-04T21:59:59Z")
		d.status(leasePath(noticed), "PREAVIS")
		d = d.till("2026-06-10T22:00:00Z")
		ledger.c = d.client
		d.get(leasePath(noticed)).is(200).has(object{"status": "TERMINE", "ended_on": "2026-06-04"})
		d.get(leasePath(stay)).is(200).has(object{"status": "TERMINE", "ended_on": "2026-06-10"})
		d.post(leasePath(noticed, "cancel-notice"), nil).refused(409, "invalid_transition")
		d.storeDue()
		ledger.tellsSorted(heard("LEASE_UPDATE", stay), heard("LEASE_UPDATE", noticed))
		// Another term is read from the clock, without an event.
		d.get(leasePath(forever)).is(200).has(object{"date_end": "2029-05-31"})
		d = d.till("2029-05-31T22:00:00Z")
		ledger.c = d.client
		d.get(leasePath(forever)).is(200).has(object{"status": "EN_COURS", "date_end": "2032-05-31"})
		d.get(leasePath(stay)).is(200).has(object{"date_end": "2026-06-10"})
		d.storeDue()
		ledger.tells()
		d.post(leasePath(forever, "end"), object{"date": "2029-06-01"}).is(204)
		d = d.till("2035-01-01T00:00:00Z")
		d.get(leasePath(forever)).is(200).has(object{"status": "TERMINE", "date_end": "2032-05-31"})
	})
}

// TestClock_AWholeLifeAtOnce: what nobody has stored for months is stored as it is
// by then, with one event.
func TestClock_AWholeLifeAtOnce(t *testing.T) {
	turning(t, func(t *testing.T, d dealer) {
		tenant := d.who("LOCATAIRE")
		var leases []int64
		for range 60 { // more than one unit of work takes
			home := d.owned(d.who("BAILLEUR"), "NumeroMandat", nil)
			leases = append(leases, d.let(home, tenant, object{"type": "SAISONNIER", "duration_months": nil, "date_start": "2026-06-01", "date_end": "2026-06-10"}))
		}
		ledger := d.ledger()
		d = d.till("2026-09-01T00:00:00Z")
		ledger.c = d.client
		d.storeDue()
		var want []string
		for _, id := range leases {
			want = append(want, heard("LEASE_UPDATE", id))
		}
		ledger.tellsSorted(want...)
		d.status(leasePath(leases[59]), "TERMINE")
	})
}

// TestClock_ATransitionAndTheClockAtOnce: whoever comes first, there is one event of
// the change.
func TestClock_ATransitionAndTheClockAtOnce(t *testing.T) {
	turning(t, func(t *testing.T, d dealer) {
		home, _ := d.flat()
		buyer := d.who("ACQUEREUR")
		var offers []int64
		for range 10 {
			offers = append(offers, d.opened(home, buyer, object{"expires_at": "2026-05-10"}))
		}
		ledger := d.ledger()
		d = d.till("2026-05-11T08:00:00Z")
		ledger.c = d.client
		var all sync.WaitGroup
		for n, id := range offers {
			all.Go(func() { d.send("PATCH", offerPath(id), object{"comment": fmt.Sprint("note ", n)}).is(204) })
		}
		all.Go(d.storeDue)
		all.Wait()
		events := map[string]int{}
		for _, e := range ledger.news() {
			events[e]++
		}
		for _, id := range offers {
			d.status(offerPath(id), "EXPIREE")
			if n := len(d.get(offerPath(id)).list("data.negotiation")); n != 2 {
				t.Errorf("%d has %d steps", id, n)
			}
			if n := events[heard("OFFER_UPDATE", id)]; n < 1 || n > 2 {
				t.Errorf("there are %d events of %d", n, id)
			}
		}
	})
}
