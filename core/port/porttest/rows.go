package porttest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// ProductRows holds port.ProductRows to its law: it reads what units of work of the store do.
// open makes an empty store that lasts until the test it is given ends.
func ProductRows(t *testing.T, open func(testing.TB) (port.Store, port.ProductRows)) {
	s, rows := open(t)
	w := &world{Store: s, productRows: rows}
	for _, of := range []example{
		{"RowsAreTheProductsOfAUnit", rowsAreProducts},
		{"RowsLeaveOutWhatIsNotAskedFor", rowsLeaveOut},
		{"RowsAreOfLivingProductsOfTheSite", rowsOfTheLiving},
		{"ARowDoesNotChange", rowsDoNotChange},
		{"RowsShowWhatHasCommitted", rowsShowWhatHasCommitted},
		{"NoRowsAreReadOnceTheContextHasEnded", rowsOfNobody},
	} {
		t.Run(of.name, func(t *testing.T) { of.run(t, w) })
	}
}

// rows reads the rows of some products by id.
func (w *world) rows(t testing.TB, of site.ID, ids ...product.ID) []port.ProductRow {
	t.Helper()
	found, err := w.productRows.ProductRows(t.Context(), of, ids)
	if err != nil {
		t.Fatalf("ProductRows: %v", err)
	}
	slices.SortFunc(found, func(a, b port.ProductRow) int { return cmp.Compare(a.ID(), b.ID()) })
	return found
}

// row reads the row of a product that must be there.
func (w *world) row(t testing.TB, of site.ID, id product.ID) port.ProductRow {
	t.Helper()
	found, err := only(w.rows(t, of, id), nil)
	if err != nil {
		t.Fatalf("the row of product %d: %v", id, err)
	}
	return found
}

// unpacked reads a row as a product with criteria.
func unpacked(t testing.TB, row port.ProductRow, parts product.Parts, into *product.Row) product.Product {
	t.Helper()
	if err := row.Unpack(parts, into); err != nil {
		t.Fatalf("Unpack: %v", err)
	}
	if into.Criteria != nil || !slices.IsSortedFunc(into.Facts, func(a, b criteria.Fact) int { return cmp.Compare(a.Key, b.Key) }) {
		t.Errorf("criteria beside facts, or facts in disorder: %v, %v", into.Criteria, into.Facts)
	}
	read := into.Product
	read.Criteria = into.Facts.Values()
	for _, f := range into.Facts {
		if want := criteria.FactOf(f.Key, f.Value()); f.Text != want.Text {
			t.Errorf("%s is written %q, want %q", f.Key, f.Text, want.Text)
		}
	}
	return read
}

func rowsAreProducts(t *testing.T, w *world) {
	id := w.site(t)
	odd := sampleProduct(id, 3)
	odd.Reference = "a\x1fb \"c\" \\ é 🏠"
	odd.Descriptions = []product.Description{
		{Language: "fr", Title: "\"T\" <b>\n\x1f&", Text: "L'été\u2028", ShortText: "\\"}, {Language: "en"},
	}
	w.update(t, func(tx port.Tx) error {
		return each(tx.Products().Add, sampleProduct(id, 1), plainProduct(id, 2), odd)
	})
	var want []product.Product
	w.view(t, func(tx port.Tx) (err error) {
		want, err = tx.Products().Many(id, []product.ID{1, 2, 3})
		return err
	})
	found := w.rows(t, id, 3, 1, 2, 3)
	if len(found) != len(want) {
		t.Fatalf("%d rows in place of %d", len(found), len(want))
	}
	var into product.Row
	for i, row := range slices.Concat(found, found) {
		of := want[i%len(want)]
		if row.ID() != of.ID || row.Version() != of.Version {
			t.Errorf("product %d at %d", row.ID(), row.Version())
		}
		same(t, "product", of, unpacked(t, row, product.AllParts, &into))
	}
	same(t, "one product", want[1], unpacked(t, w.row(t, id, 2), product.AllParts, &into))
}

func rowsLeaveOut(t *testing.T, w *world) {
	id := w.site(t)
	want := sampleProduct(id, 1)
	w.update(t, func(tx port.Tx) error { return tx.Products().Add(want) })
	want.Rooms = nil
	want.Descriptions = slices.Clone(want.Descriptions)
	for i := range want.Descriptions {
		want.Descriptions[i].Text, want.Descriptions[i].ShortText = "", ""
	}
	for _, row := range w.rows(t, id, 1) {
		var into product.Row
		unpacked(t, row, product.AllParts, &into)
		same(t, "product", want, unpacked(t, row, product.AllParts&^(product.Rooms|product.Descriptions), &into))
		same(t, "whole product", sampleProduct(id, 1), unpacked(t, row, product.AllParts, &into))
	}
}

func rowsOfTheLiving(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	populate(t, w, id, 12, 3, 7)
	populate(t, w, other, 1, 3)
	deleted := plainProduct(id, 7)
	deleted.Deleted = instant(0)
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(deleted) })
	for _, c := range []struct{ asked, want []product.ID }{
		{[]product.ID{12, 7, 3, 1, -1, 3}, []product.ID{3, 12}},
		{[]product.ID{7}, nil},
		{[]product.ID{1}, nil},
		{nil, nil},
	} {
		var got []product.ID
		for _, row := range w.rows(t, id, c.asked...) {
			got = append(got, row.ID())
		}
		same(t, "rows", c.want, got)
	}
}

func rowsDoNotChange(t *testing.T, w *world) {
	id := w.site(t)
	before := sampleProduct(id, 1)
	w.update(t, func(tx port.Tx) error { return tx.Products().Add(before) })
	kept := w.row(t, id, 1)
	after := plainProduct(id, 1)
	after.Version = before.Version + 1
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(after) })
	var into product.Row
	same(t, "before", before, unpacked(t, kept, product.AllParts, &into))
	same(t, "after", after, unpacked(t, w.row(t, id, 1), product.AllParts, &into))
	into.Facts = append(into.Facts[:0], criteria.Fact{Key: "other"})
	same(t, "before, again", before, unpacked(t, kept, product.AllParts, new(product.Row)))
}

// Two products are always changed together; whoever reads both sees both or neither.
func rowsShowWhatHasCommitted(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1, 2)
	w.rows(t, id)
	const changes = 50
	done := make(chan error, 1)
	last := make(chan int64, changes)
	go func() {
		defer close(last)
		for version := int64(1); version <= changes; version++ {
			err := w.Update(context.WithoutCancel(t.Context()), func(tx port.Tx) error {
				one, two := plainProduct(id, 1), plainProduct(id, 2)
				one.Version, two.Version = version, version
				return each(tx.Products().Replace, one, two)
			})
			if err != nil {
				done <- err
				return
			}
			last <- version
		}
		done <- nil
	}()
	for committed := range last {
		found := w.rows(t, id, 1, 2)
		if len(found) != 2 || found[0].Version() != found[1].Version() || found[0].Version() < committed {
			t.Errorf("once %d had committed: %v", committed, found)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func rowsOfNobody(t *testing.T, w *world) {
	id := w.site(t)
	w.rows(t, id)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.productRows.ProductRows(ctx, id, []product.ID{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
