package listing_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// readOnce are rows that are read from a store once, and given from memory afterwards: what a
// page allocates then is not what the store does.
type readOnce struct {
	of    port.ProductRows
	known []port.ProductRow
}

// ProductRows implements port.ProductRows.
func (r *readOnce) ProductRows(ctx context.Context, of site.ID, ids []product.ID) ([]port.ProductRow, error) {
	if len(r.known) != len(ids) {
		found, err := r.of.ProductRows(ctx, of, ids)
		if err != nil {
			return nil, err
		}
		r.known = found
	}
	return r.known, nil
}

// rendering is a world of which whole products are read by rows, with three products.
func rendering(t *testing.T) (w *world, ids []int64) {
	store := memstore.New()
	w = &world{apitest.Drawing(t, store, store.ProductRows())}
	return w, []int64{w.CreateProduct("Prix", 1), w.CreateProduct("Prix", 2), w.CreateProduct("Prix", 3)}
}

// page is what a search of the caller shows now, one record after the other.
func (w *world) page(c kernel.Caller, fetch listing.Fetch) (shown []string) {
	w.T.Helper()
	found, err := w.Listing.SearchProducts(w.T.Context(), w.Again(c), listing.SearchProducts{Fetch: fetch})
	if err != nil {
		w.T.Fatal(err)
	}
	return w.each(found.Data)
}

func (w *world) each(answer listing.Lazy) (shown []string) {
	w.T.Helper()
	places := make([]int, len(answer.Keys()))
	for i := range places {
		places[i] = i
	}
	err := answer.Each(w.T.Context(), places, func(_ int, record any) error {
		text, err := json.Marshal(record)
		shown = append(shown, string(text))
		return err
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return shown
}

// What a caller may see is decided when a record is rendered.
func TestRowsShowNobodyMore(t *testing.T) {
	w, ids := rendering(t)
	w.SetCriteria(ids[0], "Adresse", "12 rue Haute", "AdresseMasquee", 1, "Remarques", "secret")
	full, website := w.As("full", 1), w.As("website", 1)
	fetch := listing.Fetch("criteres_text,criteres_fulltext")
	before := w.page(website, fetch)
	w.page(full, fetch)
	if after := w.page(website, fetch); len(before) != 3 || !slices.Equal(after, before) {
		t.Errorf("got %v\nwant %v", after, before)
	}
	no, setup := false, apitest.Network()
	setup.Sites[0].Agencies[0].InScope = &no // theirs
	w.Provision(setup)
	if shown := w.page(website, fetch); len(shown) != 0 {
		t.Errorf("outside the scope %v is shown", shown)
	}
}

// A page that is rendered from rows allocates for the page, and hardly anything for each of its
// products.
func TestDrawingAPageAllocatesForThePage(t *testing.T) {
	store := memstore.New()
	w := &world{apitest.Drawing(t, store, &readOnce{of: store.ProductRows()})}
	for range kernel.MaxPageHydrated {
		w.CreateProduct("Prix", 5, "Surface", 80, "Ville", "Lyon", "Adresse", "12 rue Haute", "TypeBien", "Maison", "Ascenseur", 1, "Equipements", []any{"PISCINE", "ALARME"})
	}
	full := w.As("full", 1)
	for _, fetch := range []listing.Fetch{"rooms", "criteres_text,criteres_number,criteres_flag"} {
		found, err := w.Listing.SearchProducts(t.Context(), w.Again(full), listing.SearchProducts{Fetch: fetch})
		if err != nil {
			t.Fatal(err)
		}
		places := make([]int, len(found.Data.Keys()))
		for i := range places {
			places[i] = i
		}
		rendered := 0
		render := func() {
			err = found.Data.Each(t.Context(), places, func(int, any) error { rendered++; return nil })
		}
		render()
		each := testing.AllocsPerRun(10, render) / float64(len(places))
		if err != nil || rendered != 12*len(places) || len(places) < 20 {
			t.Fatalf("%d records are rendered: %v", rendered, err)
		}
		if each > 2 {
			t.Errorf("%.1f allocations for a product with %s", each, fetch)
		}
	}
}
