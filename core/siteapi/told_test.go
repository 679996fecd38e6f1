package siteapi_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// TestWhatAProductShowsChangesWithAnEvent: whatever is done to products and their parents, each
// that shows something else than before is told of, and its last_modified moves. Except for the
// number of its lots, which are told of themselves.
func TestWhatAProductShowsChangesWithAnEvent(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := apitest.New(t)
		full := w.As("full", 1)
		var ids []int64
		shown := func() map[int64]listing.Product {
			records := map[int64]listing.Product{}
			for _, id := range ids {
				read, err := w.Listing.GetProduct(t.Context(), w.Again(full), listing.ReadProduct{ID: id})
				if err != nil {
					continue
				}
				all, err := read.All(t.Context())
				if err != nil {
					r.Fatal(err)
				}
				for _, p := range all {
					p.LotsCount = 0
					records[id] = p
				}
			}
			return records
		}
		one := func(what string) int64 {
			if len(ids) == 0 {
				return 1 << 40
			}
			return rapid.SampledFrom(ids).Draw(r, what)
		}
		parent := func() opt.Field[int64] {
			if rapid.Bool().Draw(r, "none") {
				return opt.Null[int64]()
			}
			return opt.Of(one("parent"))
		}
		for range rapid.IntRange(1, 20).Draw(r, "steps") {
			before, seq := shown(), w.Seq(1)
			w.Clock.Advance(1e9)
			switch rapid.IntRange(0, 3).Draw(r, "kind") {
			case 0:
				in := apitest.InAgency(11)
				in.ParentID = parent()
				if made, err := w.Listing.CreateProduct(t.Context(), full, in); err == nil {
					ids = append(ids, made.ID)
				}
			case 1:
				id := one("product")
				in := listing.UpdateProduct{ID: id, ProductID: opt.Of(id)}
				in.ParentID = parent()
				_, _ = w.Listing.UpdateProduct(t.Context(), full, in)
			case 2:
				_, _ = w.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: one("product")})
			case 3:
				_, _ = w.Listing.RestoreProduct(t.Context(), full, listing.RestoreProduct{ID: one("product")})
			}
			told := map[int64]bool{}
			for _, e := range w.ListEvents(w.Again(full), hooks.ListEvents{After: opt.Of(seq)}).Data {
				told[e.ResourceID] = true
			}
			for id, is := range shown() {
				was, known := before[id]
				difference := gocmp.Diff(was, is)
				if difference == "" {
					continue
				}
				if !told[id] {
					r.Fatalf("product %d changed, and no event says so (-before +after):\n%s", id, difference)
				}
				if known && !is.LastModified.After(was.LastModified.Time) {
					r.Fatalf("product %d changed, and was modified at %v as before (-before +after):\n%s", id, is.LastModified, difference)
				}
			}
		}
	})
}
