package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// changes are those of an entry of a history, as "field: before → after".
func (a answer) changes(entry int) (told []string) {
	a.t.Helper()
	for _, one := range a.list(fmt.Sprintf("data.%d.changes", entry)) {
		c := one.(object)
		told = append(told, fmt.Sprintf("%v: %v → %v", c["field"], c["before"], c["after"]))
	}
	return told
}

func TestAHistorySaysWhoChangedWhatFromWhatToWhat(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		home := c.create(object{"agency_id": 11, "criteria": criteria("TypeTransaction", "Vente", "TypeBien", "Maison", "Prix", 300000, "Ville", "Lyon")})
		history := product(home, "/history")
		made := c.get(history).is(200).equals("data.0.event_type", "PRODUCT_CREATE").equals("data.0.changes", list{}).equals("has_more", false)
		made.equals("data.0.by", object{"kind": "client", "id": "sandbox-network"})

		changed := c.change(home, object{"color": 2, "criteria": criteria("Prix", 290000, "Ville", nil)}).is(204)
		got := c.get(history).is(200).equals("data.0.event_type", "PRODUCT_UPDATE").equals("data.1.event_type", "PRODUCT_CREATE")
		got.equals("data.0.request_id", changed.header.Get("X-Request-Id")).equals("data.0.by.id", "sandbox-network")
		if want := []string{"Prix: 300000 → 290000", "Ville: Lyon → <nil>", "color: 0 → 2"}; !slices.Equal(got.changes(0), want) {
			t.Errorf("%q", got.changes(0))
		}
		c.change(home, object{"color": 2}).is(204)
		if again := c.get(history).is(200); len(again.list("data")) != 2 {
			t.Errorf("a request without effect is in the history: %s", again.body)
		}

		// What a client is not shown of the product it is not shown of its history.
		public := w.website(t).get(history).is(200).equals("data.0.by", object{"kind": "client", "id": nil}).equals("data.0.request_id", nil)
		if want := []string{"Prix: 300000 → 290000", "Ville: Lyon → <nil>"}; !slices.Equal(public.changes(0), want) {
			t.Errorf("%q", public.changes(0))
		}
		c.change(home, object{"color": 3}).is(204)
		w.website(t).get(history).is(200).equals("data.0.event_type", "PRODUCT_UPDATE").equals("data.0.id", public.at("data.0.id"))
		w.rival(t).get(history).refused(404, "not_found")
		c.get(product(99_999_999, "/history")).refused(404, "not_found")
		c.get(product(home, "/history?cursor=0")).refused(422, "out_of_range", "cursor")
	})
}

func TestAHistoryIsReadPageByPage(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		home := c.create(object{"agency_id": 11, "criteria": criteria("TypeTransaction", "Vente", "TypeBien", "Maison", "Prix", 1, "Ville", "Lyon")})
		for n := range 60 {
			c.change(home, object{"criteria": criteria("Prix", n+2)}).is(204)
		}
		first := c.get(product(home, "/history")).is(200).equals("has_more", true)
		second := c.get(product(home, fmt.Sprintf("/history?cursor=%d", first.id("next_cursor")))).is(200).equals("has_more", false).equals("next_cursor", nil)
		if a, b := len(first.list("data")), len(second.list("data")); a != 50 || b != 11 {
			t.Errorf("pages of %d and %d", a, b)
		}
		if got := second.changes(0); !slices.Equal(got, []string{"Prix: 10 → 11"}) {
			t.Errorf("%q", got)
		}
	})
}

// After anonymisation nothing that a person's record has ever said is in its history, on any
// store; nor was it ever in the history of what only names them.
func TestAHistoryForgetsWhoIsAnonymised(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		w := withOwnStore(t, engine)
		c := w.network(t)
		p := &somebody{cage: &cage{t: t}, w: w, c: c, known: map[string]bool{}}
		given := object{
			"agency_id": 11, "language": "fr", "siret": p.pick("siret", "73282932000074"), "country": nil, "is_archived": nil, "_delete": nil,
			"Change.email": nil, "Change.phone": nil, "nationality": p.pick("nationality", "ZANARIENNE"),
		}
		p.id = p.tells("customer.create", "/customers", given).id("data.id")
		p.given = given
		c.patch(customerPath(p.id), p.request(p.w.requestOf(t, "customer.update"))).is(204)
		history := customerPath(p.id, "history")
		shown := string(c.get(history).is(200).body)
		missing := 0
		for _, bird := range p.birds {
			others := strings.HasPrefix(bird.field, "Idempotency-Key") || strings.HasPrefix(bird.field, "NotaryInput") || strings.HasPrefix(bird.field, "RelatedInput")
			if is := strings.Contains(shown, bird.text); others && is {
				t.Errorf("%s: %q is said of somebody else, and in the history", bird.field, bird.text)
			} else if !others && !is {
				missing++
			}
		}
		if missing > 2 { // the change gives these the value that they have
			t.Errorf("%d of %d values are not in the history", missing, len(p.birds))
		}

		home := c.create(object{"agency_id": 11, "criteria": criteria("TypeTransaction", "Vente", "TypeBien", "Maison", "Prix", 300000, "Ville", "Lyon")})
		before := len(p.birds)
		event := c.post("/agenda/events", meeting(0, object{"customer_ids": list{p.id}, "title": p.word("title")})).is(201).id("data.id")
		c.patch(fmt.Sprint("/agenda/events/", event), object{"title": p.word("title"), "description": p.word("description"), "status": "CONFIRME"}).is(204)
		offer := c.post("/sale-offers", object{"product_id": home, "buyers": list{p.id}, "amount": 280000, "comment": p.word("comment")}).is(201).id("data.id")
		c.patch(fmt.Sprint("/sale-offers/", offer), object{"amount": 281000, "comment": p.word("comment")}).is(204)
		for path, want := range map[string]string{
			fmt.Sprintf("/agenda/events/%d/history", event): "status: PREVU → CONFIRME",
			fmt.Sprintf("/sale-offers/%d/history", offer):   "amount: 280000 → 281000",
		} {
			got := c.get(path).is(200)
			if !slices.Contains(got.changes(0), want) {
				t.Errorf("%s: %q", path, got.changes(0))
			}
			for _, bird := range p.birds[before:] {
				if strings.Contains(string(got.body), bird.text) {
					t.Errorf("%s: %s has %q", path, bird.field, bird.text)
				}
			}
		}

		secret := c.post("/agenda/events", meeting(48*time.Hour, object{"visibility": "PRIVE"})).is(201).id("data.id")
		for who, told := range map[*client]int{c: 1, w.as(t, "sandbox-group", 1): 0} {
			if got := who.get(fmt.Sprintf("/agenda/events/%d/history", secret)).is(200).list("data"); len(got) != told {
				t.Errorf("of a private event %d entries are shown, want %d: %v", len(got), told, got)
			}
		}

		c.post(fmt.Sprintf("/sale-offers/%d/withdraw", offer), object{}).is(204)
		c.post(customerPath(p.id, "anonymize"), nil).is(204).empty()
		left, told := w.dump(t), c.get(history).is(200)
		for _, bird := range p.birds {
			if parts := left.holding(bird.text); len(parts) > 0 {
				t.Errorf("%s: %q is still in %q", bird.field, bird.text, parts)
			}
			if strings.Contains(string(told.body), bird.text) {
				t.Errorf("%s: %q is still in the history", bird.field, bird.text)
			}
		}
		told.equals("data.0.event_type", "CUSTOMER_DELETE").equals("data.1.changes.0.before", nil)
	}, onEveryStore)
}
