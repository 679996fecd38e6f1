package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// entry is a place of a file: a listing, or damage.
type entry struct {
	transfer.Listing
	damage string
}

func priced(reference, price string) transfer.Listing {
	return transfer.Listing{Source: "of " + reference, Reference: reference, Criteria: []transfer.ListingCriterion{
		{Source: "price", Key: "Prix", Value: criteria.Raw{V: price}},
	}}
}

// numbered are listings with references of their own.
func numbered(n int, price string) (file []entry) {
	for i := range n {
		file = append(file, entry{Listing: priced("N-"+strconv.Itoa(i), price)})
	}
	return file
}

func listings(file []entry) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		for _, e := range file {
			var err error
			if e.damage != "" {
				err = transfer.Damage{Source: e.damage, Why: "no listing"}
			}
			if !yield(e.Listing, err) {
				return
			}
		}
	}
}

// became is what an import says of each place of a file.
func became(reference string, done transfer.Imported, err error) string {
	if err != nil {
		return err.Error()
	}
	done.Product = 0
	return fmt.Sprintf("%s %+v", reference, done)
}

// oneByOne and together import a file, and say what became of it.
func oneByOne(w *apitest.World, file []entry, dryRun bool) (said []string) {
	into := w.Transfer.Import(agency11, dryRun)
	for l, err := range listings(file) {
		var done transfer.Imported
		if err == nil {
			done, err = into.Listing(w.T.Context(), l)
		}
		said = append(said, became(l.Reference, done, err))
	}
	return said
}

func together(ctx context.Context, w *apitest.World, file []entry, dryRun bool) (said []string) {
	for done, err := range w.Transfer.Import(agency11, dryRun).All(ctx, listings(file)) {
		said = append(said, became(done.Listing.Reference, done.Imported, err))
	}
	return said
}

// portfolio is what the agency has, without what depends on how it was stored.
func portfolio(w *apitest.World) (all []product.Product) {
	w.View(func(tx port.Tx) error {
		found, err := tx.Products().Scan(1, 0, 10_000)
		for _, p := range found {
			whole, err := tx.Products().Get(1, p.ID)
			if err != nil {
				return err
			}
			whole.ID, whole.Version, whole.Added, whole.Modified = 0, 0, time.Time{}, time.Time{}
			all = append(all, whole)
		}
		return err
	})
	slices.SortFunc(all, func(p, q product.Product) int { return strings.Compare(p.Reference, q.Reference) })
	return all
}

// ledgerHolds demands that each product has the version of its last event, and that the ledger
// has no gap.
func ledgerHolds(w *apitest.World) {
	w.T.Helper()
	w.View(func(tx port.Tx) error {
		events, err := tx.Ledger().After(1, 0, 10_000)
		last := map[int64]int64{}
		for i, e := range events {
			if e.Seq != int64(i+1) {
				w.T.Errorf("event %d is at place %d", e.Seq, i+1)
			}
			if e.Type.Resource() == event.ProductCreate.Resource() {
				last[e.Resource] = e.Seq
			}
		}
		found, err2 := tx.Products().Scan(1, 0, 10_000)
		for _, p := range found {
			if p.Version != last[int64(p.ID)] {
				w.T.Errorf("%s has the version %d, and its last event is %d", p.Reference, p.Version, last[int64(p.ID)])
			}
		}
		return errors.Join(err, err2)
	})
}

// Whatever a file holds, an import in batches does and says what one by one does.
func TestAnImportInBatchesIsLikeOneByOne(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		one, all := apitest.New(t), apitest.New(t)
		for range rapid.IntRange(1, 3).Draw(r, "files") {
			file := rapid.SliceOfN(entries(), 0, 12).Draw(r, "file")
			dryRun := rapid.Bool().Draw(r, "dry run")
			before := all.Seq(1)
			if diff := cmp.Diff(oneByOne(one, file, dryRun), together(t.Context(), all, file, dryRun)); diff != "" {
				r.Fatal(diff)
			}
			if dryRun && all.Seq(1) != before {
				r.Fatal("a dry run wrote something")
			}
			if diff := cmp.Diff(portfolio(one), portfolio(all)); diff != "" {
				r.Fatal(diff)
			}
			if one.Seq(1) != all.Seq(1) {
				r.Fatalf("%d events, and one by one %d", all.Seq(1), one.Seq(1))
			}
			if rapid.Bool().Draw(r, "delete one") {
				deleteFirst(one)
				deleteFirst(all)
			}
		}
		ledgerHolds(all)
	})
}

func entries() *rapid.Generator[entry] {
	return rapid.Custom(func(r *rapid.T) (e entry) {
		if rapid.IntRange(0, 9).Draw(r, "damage") == 0 {
			return entry{damage: "line 3"}
		}
		reference := rapid.SampledFrom([]string{"V-1", " v-1 ", "V-2", "V-3", "11-4", "", strings.Repeat("x", 300)}).Draw(r, "reference")
		e.Listing = priced(reference, rapid.SampledFrom([]string{"1000", "2000", "beaucoup"}).Draw(r, "price"))
		e.Criteria = append(e.Criteria, transfer.ListingCriterion{Source: "mandate", Key: "DateMandat", Value: criteria.Raw{
			V: rapid.SampledFrom([]string{"", "13/02/2026"}).Draw(r, "mandate"),
		}})
		if rapid.IntRange(0, 9).Draw(r, "refused") == 0 {
			e.Refused = "two pieces"
		}
		return e
	})
}

func deleteFirst(w *apitest.World) {
	for e := range w.Transfer.Export(w.T.Context(), agency11) {
		if _, err := w.Listing.DeleteProduct(w.T.Context(), w.As("full", 1), listing.DeleteProduct{ID: int64(e.ID)}); err != nil {
			w.T.Error(err)
		}
		return
	}
}

// between is a store before whose units of work something happens.
type between struct {
	port.Store
	units  int
	before func(unit int)
}

// Update implements port.Store.
func (s *between) Update(ctx context.Context, fn func(port.Tx) error) error {
	s.units++
	if s.before != nil {
		s.before(s.units)
	}
	return s.Store.Update(ctx, fn)
}

func TestABatchIsOneUnitOfWork(t *testing.T) {
	s := &between{Store: memstore.New()}
	w := apitest.Over(t, s)
	for _, c := range []struct {
		price string
		units int
	}{{"1000", 9}, {"1000", 0}, {"2000", 9}} { // 1, 2, 4, 8, 16, 32, 64, 100, and the rest
		s.units = 0
		if said := together(t.Context(), w, numbered(250, c.price), false); len(said) != 250 || s.units != c.units {
			t.Errorf("%d listings took %d units, want %d", len(said), s.units, c.units)
		}
	}
	ledgerHolds(w)
}

func TestBatchesOfLongListingsAreShort(t *testing.T) {
	s := &between{Store: memstore.New()}
	w := apitest.Over(t, s)
	file := numbered(250, "1000")
	for i := range file {
		file[i].Criteria = append(file[i].Criteria, transfer.ListingCriterion{Key: "Inconnu", Value: criteria.Raw{V: strings.Repeat("x", 50_000)}})
	}
	s.units = 0
	if together(t.Context(), w, file, false); s.units < 250/11 {
		t.Errorf("250 listings of 50 kB took %d units", s.units)
	}
}

func TestBatchesThatTakeLongGetSmaller(t *testing.T) {
	s := &between{Store: memstore.New()}
	w := apitest.Over(t, s)
	s.units, s.before = 0, func(int) { w.Clock.Advance(time.Second) }
	if together(t.Context(), w, numbered(100, "1000"), false); s.units != 100 {
		t.Errorf("from one on it took %d units", s.units)
	}
	s.units, s.before = 0, func(unit int) {
		if unit > 8 {
			w.Clock.Advance(time.Second)
		}
	}
	// 1 to 64, 100, 100 that is slow, 50, 25, and 20 from then on.
	if together(t.Context(), w, numbered(127+100+100+50+25+60, "2000"), false); s.units != 7+2+2+3 {
		t.Errorf("when it got slow it took %d units", s.units)
	}
}

func TestABatchOfWhichAReferenceWasTakenMeanwhileIsStoredOneByOne(t *testing.T) {
	s := &between{Store: memstore.New()}
	w := apitest.Over(t, s)
	c := w.As("full", 1)
	file := append(numbered(7, "1000"), entry{Listing: priced("TAKEN", "1000")}, entry{damage: "line 9"}, entry{Listing: priced("LAST", "1000")})
	s.units, s.before = 0, func(unit int) {
		if unit != 4 { // of the batch with this reference
			return
		}
		s.before = nil
		in := apitest.InAgency(11)
		in.Model.Set, in.Model.Value = true, "taken"
		w.CreateProductAs(c, in)
	}
	said := together(t.Context(), w, file, false)
	if len(said) != 10 || !strings.Contains(said[7], "{Action:changed") || !strings.Contains(said[9], "created") {
		t.Errorf("%s", strings.Join(said, "\n"))
	}
	if n := len(portfolio(w)); n != 9 {
		t.Errorf("%d products are there, want 9", n)
	}
	ledgerHolds(w)
}

// refusing is a store that cannot store a product.
type refusing struct {
	port.Store
	reference string
}

// Update implements port.Store.
func (s *refusing) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: refusingTx{tx.Roles, s.reference}}) })
}

type refusingTx struct {
	port.Roles
	reference string
}

// Products implements port.Roles.
func (t refusingTx) Products() port.Products {
	return refusingProducts{t.Roles.Products(), t.reference}
}

// refusingProducts offer no several products.
type refusingProducts struct {
	port.Products
	reference string
}

// Add implements port.Products.
func (r refusingProducts) Add(p product.Product) error {
	if p.Reference == r.reference {
		return port.ErrReferenceTaken
	}
	return r.Products.Add(p)
}

func TestWhatTheStoreRefusesIsNamedAndTheOthersAreStored(t *testing.T) {
	w := apitest.Over(t, &refusing{memstore.New(), "N-5"})
	said := together(t.Context(), w, numbered(30, "1000"), false)
	for i, line := range said {
		refused := strings.Contains(line, "refused") && strings.Contains(line, "another product of the agency has this reference")
		if refused != (i == 5) || refused == strings.Contains(line, "created") {
			t.Errorf("listing %d: %s", i, line)
		}
	}
	if n := len(portfolio(w)); n != 29 || len(said) != 30 {
		t.Errorf("%d products are there and %d were told of", n, len(said))
	}
	ledgerHolds(w)
}

func TestAProductThatChangesMeanwhileKeepsWhatTheFileDoesNotTell(t *testing.T) {
	s := &between{Store: memstore.New()}
	w := apitest.Over(t, s)
	together(t.Context(), w, numbered(30, "1000"), false)
	var id int64
	for e := range w.Transfer.Export(t.Context(), agency11) {
		if e.Reference == "N-8" {
			id = int64(e.ID)
		}
	}
	s.units, s.before = 0, func(unit int) {
		if unit != 4 {
			return
		}
		s.before = nil
		if err := w.UpdateProduct(id, func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria("Ville", "Nancy") }); err != nil {
			t.Error(err)
		}
	}
	together(t.Context(), w, numbered(30, "2000"), false)
	if got := exported(w, "N-8").Criteria; got.Text("Ville") != "Nancy" || got["Prix"] != criteria.Number(2000) {
		t.Errorf("it has %v", got)
	}
	if got := exported(w, "N-9").Criteria["Prix"]; got != criteria.Number(2000) {
		t.Errorf("another one of its batch costs %v", got)
	}
	ledgerHolds(w)
}

// An import that is interrupted before or after any unit of work goes on when it is repeated.
func TestAnInterruptedImportLosesAndDoublesNothing(t *testing.T) {
	for stop := 1; stop <= 9; stop++ {
		s := &between{Store: memstore.New()}
		w := apitest.Over(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		s.units, s.before = 0, func(unit int) {
			if unit == stop {
				cancel()
			}
		}
		file := numbered(150, "1000")
		said := together(ctx, w, file, false)
		if stop <= 8 == strings.Contains(said[len(said)-1], "created") {
			t.Errorf("stopped at unit %d it ends with %s", stop, said[len(said)-1])
		}
		stored := len(portfolio(w))
		s.before = nil
		created := 0
		for _, line := range together(t.Context(), w, file, false) {
			if strings.Contains(line, "created") {
				created++
			}
		}
		if n := len(portfolio(w)); n != 150 || stored+created != 150 || w.Seq(1) != 152 {
			t.Errorf("stopped at unit %d: %d products, %d before and %d created, %d events", stop, n, stored, created, w.Seq(1))
		}
		ledgerHolds(w)
		cancel()
	}
}

func TestWebhooksHearOfEachListingOfABatch(t *testing.T) {
	w := apitest.New(t)
	hook := w.Subscribe(w.As("full", 1), apitest.HookFor(string(event.ProductCreate), string(event.ProductUpdate)))
	together(t.Context(), w, numbered(50, "1000"), false)
	together(t.Context(), w, numbered(50, "2000"), false)
	w.View(func(tx port.Tx) error {
		pending, err := tx.Deliveries().Pending(1, webhook.ID(hook), 1000)
		if len(pending) != 100 || !slices.IsSortedFunc(pending, func(a, b webhook.Delivery) int { return int(a.Event - b.Event) }) {
			t.Errorf("%d deliveries: %v", len(pending), pending)
		}
		return err
	})
}

func TestWhatWasStoredIsToldOfAlsoWhenAPictureEndsTheImport(t *testing.T) {
	w := apitest.New(t)
	file := numbered(12, "1000")
	broken := fault.New(fault.Unavailable, fault.CodeUnavailable, "there is no room for pictures")
	file[4].Pictures = []transfer.ListingPicture{{Name: "4.jpg", Open: func(context.Context) (listing.File, error) { return listing.File{}, broken }}}
	stored, failed := 0, 0
	for done, err := range w.Transfer.Import(agency11, false).All(t.Context(), listings(file)) {
		if done.Action == transfer.ImportCreated {
			stored++
		}
		if err != nil {
			failed++
		}
	}
	if n := len(portfolio(w)); stored != n || n != 7 || failed != 3 { // the fourth batch is never begun
		t.Errorf("%d products are stored, %d told of, %d with an error", n, stored, failed)
	}
}
