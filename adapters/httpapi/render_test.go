package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// namedRecord is a record of about a kilobyte that is known by name.
type namedRecord struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

func namedRecordOf(id product.ID) namedRecord {
	return namedRecord{int64(id), strings.Repeat(string(rune('a'+id%26)), 1000)}
}

// namedRecords is a lazy answer that notes what is built of it.
type namedRecords struct {
	ids    []product.ID
	single bool
	built  []product.ID
}

func (r *namedRecords) Keys() (names []listing.RenderKey) {
	for _, id := range r.ids {
		names = append(names, listing.RenderKey{Site: 1, Product: id})
	}
	return names
}

func (r *namedRecords) Each(_ context.Context, places []int, take func(int, any) error) error {
	for i, place := range places {
		id := r.ids[place]
		r.built = append(r.built, id)
		record := namedRecordOf(id)
		if err := take(i, &record); err != nil {
			return err
		}
	}
	return nil
}

func (r *namedRecords) Single() bool       { return r.single }
func (r *namedRecords) Elem() reflect.Type { return reflect.TypeFor[namedRecord]() }
func (r *namedRecords) Guarded() bool      { return false }

// answer is what is written for an answer, and its tag.
func (c *renderings) answer(t rapid.TB, r *namedRecords) (body, tag string) {
	t.Helper()
	x, out := new(exchange), new(bytes.Buffer)
	ctx := context.WithValue(context.Background(), exchangeKey{}, x)
	if err := c.append(ctx, out, r, planAppend(reflect.TypeFor[*namedRecord]())); err != nil {
		t.Fatal(err)
	}
	return out.String(), x.tag
}

func TestEveryRecordIsKeptWhileThereIsRoom(t *testing.T) {
	c, first := newRenderings(1<<20), &namedRecords{ids: []product.ID{1, 2, 3}}
	c.answer(t, first)
	again := &namedRecords{ids: []product.ID{3, 4, 1}}
	c.answer(t, again)
	if !slices.Equal(first.built, []product.ID{1, 2, 3}) || !slices.Equal(again.built, []product.ID{4}) {
		t.Errorf("built %v, then %v", first.built, again.built)
	}
}

func TestACacheIsFullOnceItHasForgotten(t *testing.T) {
	c := newRenderings(100 << 10)
	for id := range product.ID(1000) {
		if c.answer(t, &namedRecords{ids: []product.ID{id}}); id == 0 && c.full.Load() {
			t.Fatal("the cache is full with one record")
		}
	}
	c.cache.CleanUp()
	if !c.full.Load() {
		t.Error("a tenth of the records had room, and the cache is not full")
	}
}

func TestAFullCacheKeepsWhatIsMissingAgain(t *testing.T) {
	c := newRenderings(1 << 20)
	c.full.Store(true) // with room for what it keeps, so that nothing is forgotten
	for _, wanted := range []int{2, 2, 0} {
		r := &namedRecords{ids: []product.ID{1, 2}}
		if c.answer(t, r); len(r.built) != wanted {
			t.Errorf("built %v, want %d records", r.built, wanted)
		}
	}
}

func TestNamesThatShareAPlaceAreBothMissingAgain(t *testing.T) {
	m := newMisses(1)
	first, second := listing.RenderKey{Product: 1, Version: 1}, listing.RenderKey{Product: 1, Version: 2}
	var again []listing.RenderKey
	for range 3 {
		for _, name := range []listing.RenderKey{first, second} {
			if m.again(name) {
				again = append(again, name)
			}
		}
	}
	if !slices.Contains(again, first) || !slices.Contains(again, second) {
		t.Errorf("missing in turn, only %v were missing again", again)
	}
}

func TestARecordWithoutANameIsNotKept(t *testing.T) {
	for _, full := range []bool{false, true} {
		c := newRenderings(1 << 20)
		c.full.Store(full)
		for range 2 {
			if c.admits(listing.RenderKey{}) {
				t.Errorf("a record without a name is kept, with a full cache: %t", full)
			}
		}
	}
}

// Answers are the same whatever is kept, and whosever memory they were made in.
func TestAnswersAreTheSameWhateverIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newRenderings(rapid.SampledFrom([]int{-1, 1, 10 << 10, 1 << 20}).Draw(t, "bytes"))
		for range 50 {
			ids := rapid.SliceOfN(rapid.Map(rapid.Int64Range(1, 20), func(id int64) product.ID { return product.ID(id) }), 1, 5).Draw(t, "ids")
			answer := &namedRecords{ids: ids, single: len(ids) == 1}
			body, tag := c.answer(t, answer)
			var want any = namedRecordOf(ids[0])
			if !answer.single {
				var list []namedRecord
				for _, id := range ids {
					list = append(list, namedRecordOf(id))
				}
				want = list
			}
			text, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			if body != string(text) {
				t.Fatalf("the answer for %v is %.200s", ids, body)
			}
			if answer.single && tag != tagOf(0, text) {
				t.Fatalf("the tag for %v is %q", ids, tag)
			}
		}
	})
}
