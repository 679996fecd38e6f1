package memory_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// keptPiece is a piece as a model of the spare memory has it.
type keptPiece struct {
	of    int
	id    int64
	value string
	bytes int
}

// Whatever is kept, found and dropped: pieces take no more than the values leave, those that
// were used last are the ones that are kept, and what is found is what was kept.
func TestPiecesTakeWhatValuesLeaveAndTheLeastRecentlyUsedGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(2, 10).Draw(t, "limit") * kB
		c := memory.New(memory.Options{Limit: limit})
		pieces := []*memory.Pieces[int64, string]{memory.NewPieces[int64, string](c.Spare()), memory.NewPieces[int64, string](c.Spare())}
		var model []keptPiece // the one that was used last comes last
		held := 0
		take := func(of int, id int64) (taken keptPiece, kept bool) {
			i := slices.IndexFunc(model, func(p keptPiece) bool { return p.of == of && p.id == id })
			if i < 0 {
				return taken, false
			}
			taken = model[i]
			model, held = slices.Delete(model, i, i+1), held-taken.bytes
			return taken, true
		}
		put := func(p keptPiece) { model, held = append(model, p), held+p.bytes }
		shrink := func() {
			for held > max(limit-c.Bytes(), 0) {
				take(model[0].of, model[0].id)
			}
		}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			of, id := rapid.IntRange(0, 1).Draw(t, "of"), rapid.Int64Range(1, 12).Draw(t, "id")
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0, 1, 2, 3:
				p := keptPiece{of, id, rapid.StringN(1, 1, 1).Draw(t, "value"), rapid.IntRange(0, 2*kB).Draw(t, "bytes")}
				pieces[of].Keep(id, p.value, p.bytes)
				take(of, id)
				if p.bytes += memory.PieceBytes; p.bytes <= limit-c.Bytes() {
					put(p)
					shrink()
				}
			case 4, 5, 6, 7:
				asked, found := []int64{id, id + 1}, make([]string, 2)
				pieces[of].Find(asked, found)
				for i, id := range asked {
					want, kept := take(of, id)
					if kept {
						put(want)
					}
					if found[i] != want.value {
						t.Fatalf("%d is found as %q in place of %q", id, found[i], want.value)
					}
				}
			case 8:
				pieces[of].Drop(id, id+1)
				take(of, id)
				take(of, id+1)
			case 9:
				size := rapid.IntRange(0, limit/2).Draw(t, "size")
				if _, err := memory.Get(context.Background(), c, key(1), needs{seq: rapid.Int64().Draw(t, "seq"), bytes: size}); err != nil {
					t.Fatal(err)
				}
				shrink()
			}
			u := c.Spare().Usage()
			if u.Bytes != held || u.Bytes+c.Bytes() > limit || u.Loads < u.Evictions {
				t.Fatalf("%d bytes beside %d within %d, in place of %d: %+v", u.Bytes, c.Bytes(), limit, held, u)
			}
		}
	})
}

func TestWithoutALimitAllPiecesAreKept(t *testing.T) {
	c := memory.New(memory.Options{})
	pieces := memory.NewPieces[int64, int](c.Spare())
	found := make([]int, 1)
	for id := range int64(1000) {
		pieces.Keep(id, int(id), 1<<20)
		ask(t, c, int(id), 1<<20)
	}
	for id := range int64(1000) {
		if pieces.Find([]int64{id}, found); found[0] != int(id) {
			t.Fatalf("%d is found as %d", id, found[0])
		}
	}
	if u := c.Spare().Usage(); u.Values != 1 || u.Loads != 1000 || u.Evictions != 0 {
		t.Errorf("%+v", u)
	}
}

// leaving is a value that counts how often it is told to have left.
type leaving struct{ left int }

// Left implements memory.Leaver.
func (l *leaving) Left() { l.left++ }

// replaces is a source of new values of a size.
type replaces struct {
	value  *leaving
	panics bool
}

// Serves implements memory.Source.
func (r replaces) Serves(v *leaving) bool { return v == r.value && !r.panics }

// Load implements memory.Source.
func (r replaces) Load(context.Context, *leaving, bool) (*leaving, error) {
	if r.panics {
		panic("half done")
	}
	return r.value, nil
}

// Bytes implements memory.Source.
func (r replaces) Bytes(*leaving) int { return kB }

func TestAValueIsToldOnceThatItIsKeptNoMore(t *testing.T) {
	first, second := new(leaving), new(leaving)
	load := func(c *memory.Cache, id int, from replaces) {
		defer func() { _ = recover() }()
		if _, err := memory.Get(t.Context(), c, key(id), from); err != nil {
			t.Fatal(err)
		}
	}
	for what, leave := range map[string]func(*memory.Cache){
		"replaced":            func(c *memory.Cache) { load(c, 1, replaces{value: second}) },
		"pushed out":          func(c *memory.Cache) { load(c, 2, replaces{value: second}) },
		"lost to a panic":     func(c *memory.Cache) { load(c, 1, replaces{panics: true}) },
		"brought up to date":  func(c *memory.Cache) { c.Resized(key(1), first, kB/2) },
		"asked for once more": func(c *memory.Cache) { load(c, 1, replaces{value: first}) },
	} {
		*first = leaving{}
		c := memory.New(memory.Options{Limit: kB})
		load(c, 1, replaces{value: first})
		leave(c)
		want := 1
		if _, kept := c.Peek(key(1)); kept && what != "replaced" {
			want = 0
		}
		if first.left != want || second.left != 0 || want == 0 != (what == "brought up to date" || what == "asked for once more") {
			t.Errorf("%s: told %d times", what, first.left)
		}
	}
}

func TestNothingIsKeptBesideAValueThatHasLeft(t *testing.T) {
	c := memory.New(memory.Options{Limit: 10 * kB})
	pieces := memory.NewPieces[int64, string](c.Spare())
	pieces.Keep(1, "a", kB)
	pieces.Keep(2, "b", kB)
	pieces.Left()
	pieces.Keep(3, "c", kB)
	found := make([]string, 3)
	if pieces.Find([]int64{1, 2, 3}, found); !slices.Equal(found, make([]string, 3)) {
		t.Errorf("found %q", found)
	}
	if u := c.Spare().Usage(); u.Bytes != 0 || u.Values != 0 || u.Evictions != 0 {
		t.Errorf("%+v", u)
	}
}

func TestManyKeepPiecesAtOnce(t *testing.T) {
	c := memory.New(memory.Options{Limit: 20 * kB})
	pieces := memory.NewPieces[int64, int64](c.Spare())
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			found := make([]int64, 1)
			for i := range 500 {
				id := int64(i+worker)%40 + 1
				found[0] = 0
				if pieces.Find([]int64{id}, found); found[0] != 0 && found[0] != id {
					t.Errorf("%d is found as %d", id, found[0])
				}
				pieces.Keep(id, id, kB)
				if i%50 == 0 {
					ask(t, c, worker, kB)
					pieces.Drop(id)
				}
			}
		})
	}
	all.Wait()
	if u := c.Spare().Usage(); u.Bytes+c.Bytes() > 20*kB {
		t.Errorf("%d bytes beside %d", u.Bytes, c.Bytes())
	}
}
