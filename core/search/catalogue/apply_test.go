package catalogue_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

// history drives an index and an oracle through the same changes.
type history struct {
	index  *catalogue.Index
	oracle *cataloguetest.Oracle
	seq    int64
	// batches are what was applied, for it to be applied again.
	batches map[int64][]catalogue.Change
}

func (h *history) apply(seq int64, changes []catalogue.Change) {
	h.index.Apply(seq, changes)
	h.oracle.Apply(seq, changes)
	h.batches[seq] = changes
}

// change is a new state of a random product, known or not.
func (h *history) change(t *rapid.T) catalogue.Change {
	id := product.ID(1 + luck(t, "id")/2)
	if percent(t, "gone", 25) {
		return catalogue.Change{ID: id}
	}
	c := drawCandidate(t, id, h.seq)
	if percent(t, "deleted", 5) {
		c.Product.Deleted = time.Unix(1, 0)
	}
	return catalogue.Change{ID: id, Now: &c}
}

// patch changes little about a product there is, as most writes do.
func (h *history) patch(t *rapid.T) (catalogue.Change, bool) {
	all := h.oracle.Candidates()
	if len(all) == 0 {
		return catalogue.Change{}, false
	}
	c := pick(t, "patched", all)
	c.Product = c.Product.Clone()
	c.Product.Version = h.seq
	for range 2 {
		kind := pick(t, "type", criteria.Types())
		key := pick(t, "key", keysOf[kind])
		c.Product.Criteria[key] = drawValue(t, kind)
		delete(c.Product.Criteria, pick(t, "deleted key", keysOf[pick(t, "type", criteria.Types())]))
	}
	if percent(t, "moved", 50) {
		c.Product.Criteria[criteria.KeyPosition] = criteria.Text(pick(t, "place", places))
	}
	return catalogue.Change{ID: c.Product.ID, Now: &c}, true
}

// rename gives an owner another name, which leaves the versions of the products
// as they are.
func (h *history) rename(t *rapid.T) []catalogue.Change {
	names := pick(t, "names", owners)
	var changes []catalogue.Change
	for _, id := range h.index.Owned(pick(t, "owner", []customerID{1, 2})) {
		for _, c := range h.oracle.Candidates() {
			if c.Product.ID == id {
				c.OwnerNames = names
				changes = append(changes, catalogue.Change{ID: id, Now: &c})
			}
		}
	}
	return changes
}

func (h *history) step(t *rapid.T) {
	h.seq++
	switch what := luck(t, "what"); {
	case what < 70:
		var changes []catalogue.Change
		for range pick(t, "changes", []int{1, 1, 2, 5}) {
			changes = append(changes, h.change(t))
		}
		h.apply(h.seq, changes)
	case what < 95:
		if change, ok := h.patch(t); ok {
			h.apply(h.seq, []catalogue.Change{change})
		}
	case what < 115:
		h.apply(h.seq, h.rename(t))
	default:
		// Two readers of the ledger may bring the same news, one of them late.
		seq := 100 + rapid.Int64Range(0, h.seq-100).Draw(t, "replayed")
		h.apply(seq, h.batches[seq])
	}
}

func TestAppliedChangesAgreeWithTheSpecification(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tuning := drawTuning(t)
		// A compact index no longer knows what is gone, and would take an old
		// state for news.
		tuning.CompactFrom = 1024
		h := &history{oracle: cataloguetest.NewOracle(), seq: 100, batches: map[int64][]catalogue.Change{}}
		h.index = catalogue.NewTunedBuilder(catalogue.Options{}, tuning).Index(100)
		for range 30 {
			h.step(t)
			if got := h.index.Seq(); got != h.seq && len(h.batches[h.seq]) > 0 {
				t.Fatalf("sequence %d, want %d", got, h.seq)
			}
			for range 4 {
				agree(t, h.index, h.oracle, drawQuery(t))
			}
		}
		same(t, h.index, h.oracle)
	})
}

func TestCompactionChangesNoAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tuning := drawTuning(t)
		tuning.CompactFrom = 0
		h := &history{oracle: cataloguetest.NewOracle(), seq: 100, batches: map[int64][]catalogue.Change{}}
		h.index = catalogue.NewTunedBuilder(catalogue.Options{}, tuning).Index(100)
		for range 30 {
			h.seq++
			h.apply(h.seq, []catalogue.Change{h.change(t), h.change(t)})
			if gone := h.index.Slots() - h.index.Len(); 2*gone > h.index.Len() {
				t.Fatalf("%d of %d slots are of products that are gone", gone, h.index.Slots())
			}
			agree(t, h.index, h.oracle, drawQuery(t))
		}
		same(t, h.index, h.oracle)
	})
}

// TestManyChangesToAManySidedIndex has the sizes at which sets, blocks, chunks
// and windows change their form, and ids that arrive in any order.
func TestManyChangesToAManySidedIndex(t *testing.T) {
	const n = 9000
	oracle := cataloguetest.NewOracle()
	builder := catalogue.NewBuilder(catalogue.Options{})
	var late []product.Candidate
	i := 0
	for c := range cataloguetest.Products(n, 7) {
		if i++; i%50 == 0 || i > n-30 {
			late = append(late, c)
			continue
		}
		builder.Add(c)
		oracle.Add(c)
	}
	index := builder.Index(n)
	everything := compare(t, "built", index, oracle, n)

	seq := int64(n)
	apply := func(changes ...catalogue.Change) {
		seq++
		index.Apply(seq, changes)
		oracle.Apply(seq, changes)
	}
	for _, c := range slices.Backward(late) {
		apply(catalogue.Change{ID: c.Product.ID, Now: &c})
	}
	compare(t, "with late ids", index, oracle, n)

	// Everybody gets what the next product had, in a strange order.
	all := oracle.Candidates()
	for i := range all {
		c := all[i*7919%len(all)]
		next := all[(i*7919+1)%len(all)]
		c.Product.Criteria, c.Product.Agency, c.Product.User = next.Product.Criteria, next.Product.Agency, next.Product.User
		c.Product.Modified, c.Product.Customer, c.OwnerNames = next.Product.Modified, next.Product.Customer, next.OwnerNames
		c.Product.Version = seq + 1
		switch i % 5 {
		case 0:
			apply(catalogue.Change{ID: c.Product.ID})
		case 1, 2, 3:
			apply(catalogue.Change{ID: c.Product.ID, Now: &c})
		}
	}
	compare(t, "changed", index, oracle, n)

	for i, c := range all {
		if i%3 != 0 {
			apply(catalogue.Change{ID: c.Product.ID})
		}
	}
	if index.Slots() > 2*index.Len() {
		t.Errorf("%d slots for %d products", index.Slots(), index.Len())
	}
	compare(t, "thinned out", index, oracle, n)

	for _, c := range all {
		c.Product.Version = seq + 1
		apply(catalogue.Change{ID: c.Product.ID, Now: &c})
	}
	again := compare(t, "as before", index, oracle, n)
	if everything == 0 || again == 0 {
		t.Error("the queries find nothing")
	}
}

func compare(t *testing.T, when string, index *catalogue.Index, oracle *cataloguetest.Oracle, n int) (found int) {
	t.Helper()
	for i, q := range cataloguetest.Queries(24, n, uint64(len(when))) {
		if i%4 == 0 {
			q.Filter.Criteria = q.Filter.Criteria[:1]
		}
		got, want := index.Search(q), oracle.Search(q)
		if !slices.Equal(got.Entries, want.Entries) || got.More != want.More {
			t.Fatalf("%s: search %+v\n got %s\nwant %s", when, q, brief(got), brief(want))
		}
		if got, want := index.Count(q.Filter), oracle.Count(q.Filter); got != want {
			t.Fatalf("%s: count %+v: got %d, want %d", when, q.Filter, got, want)
		}
		found += len(got.Entries)
	}
	return found
}

func brief(p catalogue.Page) string {
	ids := make([]product.ID, len(p.Entries))
	for i, e := range p.Entries {
		ids[i] = e.ID
	}
	return fmt.Sprint(ids, p.More)
}
