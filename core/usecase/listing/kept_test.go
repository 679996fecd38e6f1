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
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// askedRows are rows that remember which are asked for.
type askedRows struct {
	of    port.ProductRows
	asked []product.ID
	// before happens to rows that were read, before they are given.
	before func()
}

// ProductRows implements port.ProductRows.
func (r *askedRows) ProductRows(ctx context.Context, of site.ID, ids []product.ID) ([]port.ProductRow, error) {
	r.asked = append(r.asked, ids...)
	found, err := r.of.ProductRows(ctx, of, ids)
	if r.before != nil {
		r.before()
	}
	return found, err
}

// now are the ids that were asked for since it was last called, in order.
func (r *askedRows) now() []product.ID {
	asked := r.asked
	r.asked = nil
	slices.Sort(asked)
	return asked
}

// drawing is a world whose rows remember what is asked for, with three products, within some
// memory; 0 is no limit.
func drawing(t *testing.T, catalogueBytes int) (w *world, rows *askedRows, ids []int64) {
	store := memstore.New()
	rows = &askedRows{of: store.ProductRows()}
	w = &world{apitest.Reading(t, store, apitest.NewClock(), rows, catalogueBytes)}
	w.Provision(apitest.Network())
	return w, rows, []int64{w.CreateProduct("Prix", 1), w.CreateProduct("Prix", 2), w.CreateProduct("Prix", 3)}
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

func (w *world) each(answer listing.Deferred) (shown []string) {
	w.T.Helper()
	places := make([]int, len(answer.Renditions()))
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

func (w *world) rows() (kept int) { return w.Cached()["rows"].Bytes }

func TestAPageOfKeptRowsAsksTheStoreForNone(t *testing.T) {
	w, rows, ids := drawing(t, 0)
	full, website := w.As("full", 1), w.As("website", 1)
	all := []product.ID{product.ID(ids[0]), product.ID(ids[1]), product.ID(ids[2])}
	if shown := w.page(full, "rooms"); len(shown) != 3 || !slices.Equal(rows.now(), all) {
		t.Fatalf("%d records are shown", len(shown))
	}
	for _, c := range []kernel.Caller{full, website} {
		for _, fetch := range []listing.Fetch{"rooms", "criteres_number", "descriptions,scopes"} {
			if shown := w.page(c, fetch); len(shown) != 3 || rows.now() != nil {
				t.Errorf("%d records with %s are shown, and rows asked for", len(shown), fetch)
			}
		}
	}
	w.SetCriteria(ids[1], "Prix", 4)
	if w.page(website, "rooms"); !slices.Equal(rows.now(), all[1:2]) {
		t.Errorf("after one product has changed %v are asked for", rows.asked)
	}
	if w.page(full, "rooms"); rows.now() != nil {
		t.Errorf("then %v", rows.asked)
	}
}

func TestBlocksOfUnitsOfWorkUseNoKeptRows(t *testing.T) {
	w, rows, _ := drawing(t, 0)
	full := w.As("full", 1)
	w.page(full, "rooms")
	rows.now()
	if w.page(full, "statistic"); rows.now() != nil || w.Cached()["rows"].Loads != 3 {
		t.Errorf("%+v", w.Cached()["rows"])
	}
}

// What a caller may see is decided when a record is drawn.
func TestKeptRowsShowNobodyMore(t *testing.T) {
	w, rows, ids := drawing(t, 0)
	w.SetCriteria(ids[0], "Adresse", "12 rue Haute", "AdresseMasquee", 1, "Remarques", "secret")
	full, website := w.As("full", 1), w.As("website", 1)
	fetch := listing.Fetch("criteres_text,criteres_fulltext")
	before := w.page(website, fetch)
	w.page(full, fetch)
	rows.now()
	for range 2 {
		if after := w.page(website, fetch); !slices.Equal(after, before) || rows.now() != nil {
			t.Errorf("got %v\nwant %v", after, before)
		}
	}
	no, setup := false, apitest.Network()
	setup.Sites[0].Agencies[0].InScope = &no // theirs
	w.Provision(setup)
	if shown := w.page(website, fetch); len(shown) != 0 {
		t.Errorf("outside the scope %v is shown", shown)
	}
}

func TestRowsOfWhatHasChangedOrIsGoneAreDropped(t *testing.T) {
	w, _, ids := drawing(t, 0)
	other := &world{apitest.Empty(t, w.Store, w.Clock)}
	full := w.As("full", 1)
	w.page(full, "rooms")
	whole := w.rows()
	w.SetCriteria(ids[0], "Prix", 4)
	if kept := w.rows(); kept == 0 || kept >= whole {
		t.Errorf("of %d bytes %d are kept after this process has changed a product", whole, kept)
	}
	w.page(full, "rooms")
	if _, err := other.Listing.DeleteProduct(t.Context(), other.Again(full), listing.DeleteProduct{ID: ids[1]}); err != nil {
		t.Fatal(err)
	}
	before := w.rows()
	w.FindProducts(full, listing.SearchProducts{})
	if kept := w.rows(); kept == 0 || kept >= before {
		t.Errorf("of %d bytes %d are kept after another process has deleted a product", before, kept)
	}
}

// A row that was read before a change is not kept beyond it.
func TestARowIsNotKeptBeyondAChangeThatOvertookIt(t *testing.T) {
	w, rows, ids := drawing(t, 0)
	full := w.As("full", 1)
	rows.before = func() {
		rows.before = nil
		if _, err := w.Listing.DeleteProduct(t.Context(), w.Again(full), listing.DeleteProduct{ID: ids[0]}); err != nil {
			t.Error(err)
		}
		w.SetCriteria(ids[1], "Prix", 4)
	}
	w.page(full, "rooms")
	one := w.rows()
	if u := w.Cached()["rows"]; u.Loads != 3 || one == 0 {
		t.Errorf("%+v", u)
	}
	rows.now()
	w.page(full, "rooms")
	if two := w.rows(); two != 2*one || !slices.Equal(rows.now(), []product.ID{product.ID(ids[1])}) {
		t.Errorf("one row takes %d bytes, and then there are %d", one, two)
	}
}

func TestRowsLeaveWithTheCatalogueOfTheirSite(t *testing.T) {
	w, rows, _ := drawing(t, 0)
	full := w.As("full", 1)
	w.page(full, "rooms")
	rows.now()
	no := false
	w.Redefine(func(c *transfer.SetupCriterion) {
		if c.Key == "Prix" {
			c.IsSearchable = &no
		}
	})
	if shown := w.page(full, "rooms"); len(shown) != 3 || len(rows.now()) != 3 || w.Cached()["rows"].Values != 1 {
		t.Errorf("%d records are shown: %+v", len(shown), w.Cached())
	}
}

// Rows take what is left of the budget: what is counted stays within it, whatever is loaded
// and read, and however sites grow.
func TestRowsTakeWhatIsLeftOfTheBudget(t *testing.T) {
	counted := func(w *world) (all int) {
		for _, u := range w.Cached() {
			all += u.Bytes
		}
		return all
	}
	plain, _, _ := drawing(t, 0)
	full := plain.As("full", 1)
	plain.FindProducts(full, listing.SearchProducts{})
	plain.FindProducts(plain.As("rival", 2), listing.SearchProducts{})
	limit := counted(plain) + 200_000
	w, _, _ := drawing(t, limit)
	most := 0
	for range 300 {
		id := w.CreateProduct("Prix", 5)
		w.page(full, "rooms,criteres_text")
		one, err := w.Listing.GetProduct(t.Context(), w.Again(full), listing.ReadProduct{ID: id})
		if err != nil {
			t.Fatal(err)
		}
		w.each(one)
		w.FindProducts(w.As("rival", 2), listing.SearchProducts{})
		most = max(most, w.rows())
		if all := counted(w); all > limit {
			t.Fatalf("%d bytes are counted within %d: %+v", all, limit, w.Cached())
		}
	}
	u := w.Cached()["rows"]
	if most == 0 || u.Evictions == 0 || u.Bytes >= most {
		t.Errorf("up to %d bytes of rows: %+v", most, u)
	}
}

// A page that is drawn from kept rows allocates for the page, and hardly anything for each of
// its products.
func TestDrawingAPageAllocatesForThePage(t *testing.T) {
	w, rows, _ := drawing(t, 0)
	for range kernel.MaxPageHydrated {
		w.CreateProduct("Prix", 5, "Surface", 80, "Ville", "Lyon", "Adresse", "12 rue Haute", "TypeBien", "Maison", "Ascenseur", 1, "Equipements", []any{"PISCINE", "ALARME"})
	}
	full := w.As("full", 1)
	for _, fetch := range []listing.Fetch{"rooms", "criteres_text,criteres_number,criteres_flag"} {
		found, err := w.Listing.SearchProducts(t.Context(), w.Again(full), listing.SearchProducts{Fetch: fetch})
		if err != nil {
			t.Fatal(err)
		}
		places := make([]int, len(found.Data.Renditions()))
		for i := range places {
			places[i] = i
		}
		drawn := 0
		draw := func() {
			err = found.Data.Each(t.Context(), places, func(int, any) error { drawn++; return nil })
		}
		draw()
		rows.now()
		each := testing.AllocsPerRun(10, draw) / float64(len(places))
		if err != nil || drawn != 12*len(places) || len(places) < 20 || rows.now() != nil {
			t.Fatalf("%d records are drawn: %v", drawn, err)
		}
		if each > 2 {
			t.Errorf("%.1f allocations for a product with %s", each, fetch)
		}
	}
}
