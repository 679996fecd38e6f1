package product_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// ranked is a product with little but what it is ordered by; a price or surface
// below 0 is none.
func ranked(id product.ID, price, surface float64, modified, added int64) product.Product {
	p := product.Product{ID: id, Criteria: criteria.Values{}, Modified: time.UnixMicro(modified), Added: time.UnixMicro(added)}
	if price >= 0 {
		p.Criteria["Prix"] = criteria.Number(price)
	}
	if surface >= 0 {
		p.Criteria["Surface"] = criteria.Number(surface)
	}
	return p
}

func drawRanked(t *rapid.T) product.Product {
	few := rapid.Int64Range(-1, 2)
	return ranked(product.ID(rapid.Int64Range(1, 5).Draw(t, "id")), float64(few.Draw(t, "price")), float64(few.Draw(t, "surface")),
		few.Draw(t, "modified"), few.Draw(t, "added"))
}

var orders = func() (all []product.Order) {
	for _, key := range product.SortKeys() {
		all = append(all, product.Order{Key: key}, product.Order{Key: key, Descending: true})
	}
	return all
}()

func sign(n int) int { return min(1, max(-1, n)) }

func TestSortKeysHaveTheContractsNames(t *testing.T) {
	if got := product.SortKeys(); !slices.Equal(got, []product.SortKey{"id", "prix", "date", "surface", "date_added"}) {
		t.Errorf("%v", got)
	}
}

func TestQ11_EveryOrderIsStrictAndTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom(orders).Draw(t, "order")
		p, q, r := drawRanked(t), drawRanked(t), drawRanked(t)
		if o.Compare(p, p) != 0 {
			t.Fatalf("%v: %+v comes before itself", o, p)
		}
		if p.ID == q.ID || q.ID == r.ID || p.ID == r.ID {
			return // ids tell products apart
		}
		pq, qr := sign(o.Compare(p, q)), sign(o.Compare(q, r))
		if pq == 0 || pq != -sign(o.Compare(q, p)) {
			t.Fatalf("%v: %+v and %+v compare %d and %d", o, p, q, pq, o.Compare(q, p))
		}
		if pq == qr && sign(o.Compare(p, r)) != pq {
			t.Fatalf("%v: not passed on over %+v, %+v, %+v", o, p, q, r)
		}
	})
}

func TestQ11_TiesGoByIDInTheSameDirectionAndTheMissingComeLast(t *testing.T) {
	products := []product.Product{
		ranked(1, 5, -1, 30, 3), ranked(2, -1, 7, 20, 3), ranked(3, 5, 7, 10, 1), ranked(4, 9, -1, 30, 2), ranked(5, -1, 0, 10, 2), ranked(6, 0, 8, 20, 1),
	}
	for o, want := range map[product.Order][]product.ID{
		{Key: product.ByID}:                         {1, 2, 3, 4, 5, 6},
		{Key: product.ByID, Descending: true}:       {6, 5, 4, 3, 2, 1},
		{Key: product.ByPrice}:                      {6, 1, 3, 4, 2, 5},
		{Key: product.ByPrice, Descending: true}:    {4, 3, 1, 6, 5, 2},
		{Key: product.BySurface}:                    {5, 2, 3, 6, 1, 4},
		{Key: product.BySurface, Descending: true}:  {6, 3, 2, 5, 4, 1},
		{Key: product.ByModified}:                   {3, 5, 2, 6, 1, 4},
		{Key: product.ByModified, Descending: true}: {4, 1, 6, 2, 5, 3},
		{Key: product.ByAdded}:                      {3, 6, 4, 5, 1, 2},
		{Key: product.ByAdded, Descending: true}:    {2, 1, 5, 4, 6, 3},
	} {
		sorted := slices.Clone(products)
		slices.SortFunc(sorted, o.Compare)
		var got []product.ID
		for _, p := range sorted {
			got = append(got, p.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: %v, not %v", o, got, want)
		}
	}
}

func TestQ12_WhatProductsAreOrderedBy(t *testing.T) {
	p := ranked(7, 100, 20, 3_000_001, 2_000_001)
	for key, want := range map[product.SortKey]float64{
		product.ByID: 0, product.ByPrice: 100, product.BySurface: 20, product.ByModified: 3_000_001, product.ByAdded: 2_000_001,
	} {
		if got, ok := p.SortValue(key); !ok || got != want {
			t.Errorf("%s: %v, %t", key, got, ok)
		}
	}
	p.Criteria = criteria.Values{"Prix": criteria.Text("cher")}
	for key, want := range map[product.SortKey]bool{product.ByID: true, product.ByPrice: false, product.BySurface: false, product.ByModified: true, product.ByAdded: true} {
		if _, ok := p.SortValue(key); ok != want {
			t.Errorf("without criteria there is a %s: %t", key, ok)
		}
	}
}
