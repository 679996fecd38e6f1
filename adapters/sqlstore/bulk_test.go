package sqlstore_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	listings "github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Listings that are imported together take as many statements as one does.
func TestABatchTakesAsManyStatementsAsAListing(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(t *testing.T, p place) {
		store := p.migrated(t)
		w := apitest.Over(t, store)
		w.Subscribe(w.As("full", 1), apitest.HookFor(string(event.ProductCreate)))
		seen := &witness{statements: map[int][]string{}}
		sqlstore.Observed(seen)(store)
		for _, price := range []string{"1000", "2000", "2000"} {
			var few int
			for n := range 6 { // batches of 1, 2, 4, 8, 16 and 32
				said := importAfter(t, w, seen, 1<<n, price)
				if n == 1 {
					few = len(said)
				}
				if n > 1 && len(said) > few+2 { // another two draw ids ahead
					t.Errorf("%d listings at %s took %d statements, and 2 listings %d:\n%s", 1<<n, price, len(said), few, strings.Join(said, "\n"))
				}
			}
		}
	})
}

// importAfter imports a file whose last batch has n listings, and returns what the database is
// told for this one.
func importAfter(t *testing.T, w *apitest.World, seen *witness, n int, price string) []string {
	t.Helper()
	file := func(yield func(transfer.Listing, error) bool) {
		for i := range 2*n - 1 {
			if i == n-1 {
				seen.mu.Lock()
				clear(seen.statements)
				seen.mu.Unlock()
			}
			l := transfer.Listing{Reference: strconv.Itoa(n) + "/" + strconv.Itoa(i), Criteria: []transfer.ListingCriterion{
				{Key: "Prix", Value: criteria.Raw{V: price}},
			}}
			if !yield(l, nil) {
				return
			}
		}
	}
	for done, err := range w.Transfer.Import(transfer.Portfolio{Site: 1, Agency: 11}, false).All(t.Context(), file) {
		if err != nil || done.Action == transfer.ImportRefused {
			t.Errorf("%s: %+v, %v", done.Listing.Reference, done.Imported, err)
		}
	}
	seen.mu.Lock()
	defer seen.mu.Unlock()
	return slices.Concat(slices.Collect(maps.Values(seen.statements))...)
}

// A product with many lots is deleted and restored by as many statements as one with a few.
func TestLotsAreToldOfByFewStatements(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(t *testing.T, p place) {
		store := p.migrated(t)
		w := apitest.Over(t, store)
		full := w.As("full", 1)
		seen := &witness{statements: map[int][]string{}}
		sqlstore.Observed(seen)(store)
		counted := func(happen func() error) []string {
			t.Helper()
			seen.mu.Lock()
			clear(seen.statements)
			seen.mu.Unlock()
			if err := happen(); err != nil {
				t.Error(err)
			}
			seen.mu.Lock()
			defer seen.mu.Unlock()
			return slices.Concat(slices.Collect(maps.Values(seen.statements))...)
		}
		var few [2]int
		for _, n := range []int{2, 120} {
			parent := w.CreateProduct()
			for range n {
				in := apitest.InAgency(11)
				in.ParentID = opt.Of(parent)
				w.CreateProductAs(full, in)
			}
			for i, said := range [][]string{
				counted(func() error {
					_, err := w.Listing.DeleteProduct(t.Context(), full, listings.DeleteProduct{ID: parent})
					return err
				}),
				counted(func() error {
					_, err := w.Listing.RestoreProduct(t.Context(), full, listings.RestoreProduct{ID: parent})
					return err
				}),
			} {
				if few[i] == 0 {
					few[i] = len(said)
				}
				if len(said) != few[i] {
					t.Errorf("with %d lots it took %d statements, and with 2 it took %d:\n%s", n, len(said), few[i], strings.Join(said, "\n"))
				}
			}
		}
	})
}
