package porttest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func examples() []example {
	return []example{
		{"ValuesAreCopies", valuesAreCopies},
		{"UnstorableTextIsNotAltered", unstorableTextIsNotAltered},
		{"ProductsAreFoundByWordsOfTheirTitles", titledProducts},
		{"ManyEventsAtOnce", manyEventsAtOnce},
		{"ManyProductsAtOnce", manyProducts},
		{"ManyDeliveriesAtOnce", manyDeliveries},
		{"DeliveriesAreCountedByTheTimeTheyWereAdded", deliveriesAreCounted},
		{"ReplacingWithATakenReferenceEndsTheUnit", replaceTaken},
		{"OldUsageIsPurged", oldUsageGoes},
		{"IDsGrowAndReservedOnesAreNotDrawn", idsGrow},
		{"AnyCalendarCanBeHeld", anyCalendar},
		{"AHeldCalendarIsWaitedFor", heldIsWaitedFor},
		{"AUnitSeesItsOwnWritesAndNobodyElseDoes", unitsAreApart},
		{"AViewDoesNotMove", viewsDoNotMove},
	}
}

// only is the single record of a list.
func only[T any](found []T, err error) (T, error) {
	var none T
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%d records instead of one", len(found))
	}
	if err != nil {
		return none, err
	}
	return found[0], nil
}

// valuesAreCopies changes what went in and what came out.
func valuesAreCopies(t *testing.T, w *world) {
	id := w.site(t)
	credential := access.CredentialID(fmt.Sprint("copy-", id))
	w.update(t, func(tx port.Tx) error {
		s, p, c, h := sampleSite(id), sampleProduct(id, 1), sampleCredential(credential), sampleWebhook(id, 1)
		defer spoil(&s, &p, &c, &h)
		return errors.Join(tx.Sites().Put(s), tx.Products().Add(p), tx.Credentials().Put(c), tx.Webhooks().Put(h))
	})
	read := func(tx port.Tx) error {
		s, err := tx.Sites().Get(id)
		same(t, "site", sampleSite(id), s)
		p, err2 := tx.Products().Get(id, 1)
		same(t, "product", sampleProduct(id, 1), p)
		c, err3 := tx.Credentials().Get(credential)
		same(t, "credential", sampleCredential(credential), c)
		many, err4 := tx.Products().Many(id, []product.ID{1})
		scan, err5 := tx.Products().Scan(id, 0, 1)
		owned, err6 := tx.Products().OwnedBy(id, p.Customer)
		h, err7 := tx.Webhooks().Get(id, 1)
		same(t, "webhook", sampleWebhook(id, 1), h)
		hooks, err8 := tx.Webhooks().Of(id)
		same(t, "webhook in a list", []webhook.Webhook{sampleWebhook(id, 1)}, hooks)
		spoil(&s, &p, &c, &many, &scan, &owned, &h, &hooks)
		return errors.Join(err, err2, err3, err4, err5, err6, err7, err8)
	}
	for range 2 {
		w.update(t, read)
		w.view(t, read)
	}
}

// unstorableTextIsNotAltered: the core lets no such text through, and if it
// did, an error would be right and an altered text wrong.
func unstorableTextIsNotAltered(t *testing.T, w *world) {
	for i, text := range []string{"a\x00b", "\x00", "a\x00"} {
		id := w.site(t)
		p := plainProduct(id, 1)
		p.Criteria = criteria.Values{"k": criteria.Text(text)}
		p.Descriptions = []product.Description{{Title: text}}
		if i > 0 {
			p.Reference = text
		}
		if err := w.Update(t.Context(), func(tx port.Tx) error { return tx.Products().Add(p) }); err != nil {
			continue
		}
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Products().Get(id, 1)
			same(t, fmt.Sprintf("product with %q", text), p, got)
			return err
		})
	}
}

// appends adds n events to a ledger, and checks what Append answers.
func appends(tx port.Tx, id site.ID, n int) error {
	before, err := tx.Ledger().Head(id)
	if err != nil {
		return err
	}
	last, err := tx.Ledger().Append(id, instant(1), someEvents(n))
	if err == nil && n > 0 && last.Seq < before.Seq+int64(n) {
		err = fmt.Errorf("appending %d events after %d answered %d", n, before.Seq, last.Seq)
	}
	return err
}

// someEvents leave out what the ledger fills in.
func someEvents(n int) []event.Event {
	out := make([]event.Event, n)
	for i := range out {
		out[i] = event.Event{Type: event.Types()[i%len(event.Types())], Resource: int64(i + 1), Subject: fmt.Sprint("KIND", i%2), Agency: site.AgencyID(i % 3), Changed: "Prix"}
	}
	return out
}

func manyEventsAtOnce(t *testing.T, w *world) {
	id := w.site(t)
	const n = 2345
	w.update(t, func(tx port.Tx) error { return appends(tx, id, n) })
	same(t, "head", port.Head{Seq: n}, w.head(t, id))
	w.view(t, func(tx port.Tx) error {
		got, err := tx.Ledger().After(id, 0, n+1)
		if len(got) != n {
			t.Fatalf("%d events instead of %d", len(got), n)
		}
		for i, e := range got {
			if e.Seq != int64(i+1) || e.Resource != int64(i+1) {
				t.Fatalf("event %d is %+v", i, e)
			}
		}
		return err
	})
}

func unitsAreApart(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		err := try(
			func() error { return tx.Products().Add(plainProduct(id, 1)) },
			func() error { return tx.Customers().Put(sampleOf[customer.Customer]("customer", id, 1)) },
			func() error { return appends(tx, id, 1) },
		)
		if err != nil {
			return err
		}
		if found, err := tx.Products().Scan(id, 0, 9); err != nil || len(found) != 1 {
			t.Errorf("in the unit: %d products, %v", len(found), err)
		}
		same(t, "the head meanwhile", port.Head{}, w.head(t, id))
		w.view(t, func(other port.Tx) error {
			if _, err := other.Products().Get(id, 1); !errors.Is(err, fault.NotFound) {
				t.Errorf("a view sees the product of a unit that has not ended: %v", err)
			}
			return nil
		})
		return nil
	})
	same(t, "the head afterwards", port.Head{Seq: 1}, w.head(t, id))
}

func viewsDoNotMove(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error { return tx.Products().Add(plainProduct(id, 1)) })
	w.view(t, func(tx port.Tx) error {
		before, err := tx.Products().Get(id, 1)
		if err != nil {
			return err
		}
		w.update(t, func(writing port.Tx) error {
			changed := before
			changed.Color = 3
			return try(
				func() error { return writing.Products().Replace(changed) },
				func() error { return writing.Products().Add(plainProduct(id, 2)) },
				func() error { return appends(writing, id, 1) },
			)
		})
		after, err := tx.Products().Scan(id, 0, 9)
		same(t, "products in the view", []product.Product{before}, after)
		head, err2 := tx.Ledger().Head(id)
		same(t, "head in the view", port.Head{}, head)
		return errors.Join(err, err2)
	})
	same(t, "head", port.Head{Seq: 1}, w.head(t, id))
}

// idsGrow draws and reserves ids, also in units that fail: every one that is drawn is above all
// that were drawn or reserved before, and the last one is told.
func idsGrow(t *testing.T, w *world) {
	for s := range port.Sequences {
		last := int64(0)
		told := func(tx port.Tx) error {
			highest, err := tx.LastID(s)
			if highest < last {
				t.Errorf("sequence %d: %d was drawn or reserved, and the last is %d", s, last, highest)
			}
			return err
		}
		draw := func(tx port.Tx, n int) error {
			ids, err := tx.NextIDs(s, n)
			if err == nil && len(ids) != max(n, 0) {
				t.Errorf("sequence %d: %d ids instead of %d", s, len(ids), n)
			}
			for _, id := range ids {
				if id <= last {
					t.Errorf("sequence %d: %d was drawn after %d", s, id, last)
				}
				last = id
			}
			return errors.Join(err, told(tx))
		}
		reserve := func(tx port.Tx, id int64) error {
			last = max(last, id)
			return errors.Join(tx.ReserveID(s, id), told(tx))
		}
		w.update(t, func(tx port.Tx) error { return reserve(tx, 1) }) // also the very first one
		for _, n := range []int{1, 500, 0, -1, 1} {
			w.update(t, func(tx port.Tx) error { return draw(tx, n) })
			if err := w.Update(t.Context(), func(tx port.Tx) error { return errors.Join(draw(tx, 3), errAborted) }); !errors.Is(err, errAborted) {
				t.Fatal(err)
			}
			w.view(t, told)
		}
		for _, reserved := range []int64{last + 1, last + 2, last, 1, last + 1_000_000_000_000} {
			w.update(t, func(tx port.Tx) error { return errors.Join(reserve(tx, reserved), draw(tx, 2)) })
			w.view(t, told)
			w.update(t, func(tx port.Tx) error { return draw(tx, 2) })
		}
	}
}

// titledProducts: words are parts of one title, in any order, and nothing else of a description is looked at.
func titledProducts(t *testing.T, w *world) {
	id := w.site(t)
	titles := []string{"Maison au bord de l\u2019EAU", "Grande MAISON", "Château à rénover, cœur de bourg", "Appartement", `Le "petit" 2\3 pièces`}
	w.update(t, func(tx port.Tx) error {
		for i, title := range titles {
			p := plainProduct(id, product.ID(i+1))
			p.Descriptions = []product.Description{
				{Language: "en", Text: "maison"}, {Language: "fr", Title: title, Text: `jardin ","Title":"terrasse","Text":"`}, {Language: "de", Title: "Haus", Text: "Garten"},
			}
			if err := tx.Products().Add(p); err != nil {
				return err
			}
		}
		p := plainProduct(id, 9)
		p.Deleted, p.Descriptions = instant(1), []product.Description{{Language: "fr", Title: "Maison"}}
		return tx.Products().Add(p)
	})
	for _, c := range []struct {
		words     string
		newest, n int
		want      []product.ID
	}{
		{"maison", 9, 9, []product.ID{2, 1}},
		{"maison", 9, 1, []product.ID{2}},
		{"maison", 5, 9, []product.ID{2}}, // the deleted one counts
		{"maison", 0, 9, nil},
		{"maison", 9, 0, nil},
		{"bord eau maison", 9, 9, []product.ID{1}},
		{"l'eau", 9, 9, []product.ID{1}},
		{"renover chateau", 9, 9, []product.ID{3}},
		{"coeur", 9, 9, []product.ID{3}},
		{"pieces 2\\3 \"petit\"", 9, 9, []product.ID{5}},
		{"haus", 9, 2, []product.ID{5, 4}},
		{"haus maison", 9, 9, nil},
		{"jardin", 9, 9, nil},
		{"terrasse", 9, 9, nil},
		{"m%n", 9, 9, nil},
		{"m__s_n", 9, 9, nil},
	} {
		w.view(t, func(tx port.Tx) error {
			found, err := tx.Products().Titled(id, strings.Fields(c.words), c.newest, c.n)
			same(t, fmt.Sprintf("%s among %d", c.words, c.newest), c.want, found)
			return err
		})
	}
}
