package mirrortest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// Copy holds a copy to the rules of mirror.Copy: after any changes it answers as the Model does, also
// after it was closed and opened again. open returns an empty one; reopen closes one and opens the same again.
func Copy(t *testing.T, open func(testing.TB) mirror.Copy, reopen func(testing.TB, mirror.Copy) mirror.Copy) {
	rapid.Check(t, func(r *rapid.T) {
		ctx := t.Context()
		is, model := open(t), NewModel()
		revision := int64(0)
		for range rapid.IntRange(1, 20).Draw(r, "changes") {
			revision++
			change := drawChange(r, revision)
			if err := is.Store(ctx, change); err != nil {
				r.Fatal(err)
			}
			_ = model.Store(ctx, change)
			if rapid.IntRange(0, 9).Draw(r, "reopen") == 0 {
				is = reopen(t, is)
			}
			compare(t, r, is, model)
		}
	})
}

func compare(t *testing.T, r *rapid.T, is, model mirror.Copy) {
	ctx := t.Context()
	got, err := is.State(ctx)
	if err != nil {
		r.Fatal(err)
	}
	want, _ := model.State(ctx)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		r.Fatalf("the state is another (-model +copy):\n%s", diff)
	}
	n := rapid.IntRange(1, 20).Draw(r, "n")
	marks, err := is.Marks(ctx, n)
	if err != nil {
		r.Fatal(err)
	}
	wanted, _ := model.Marks(ctx, n)
	if diff := cmp.Diff(wanted, marks, cmpopts.EquateEmpty()); diff != "" {
		r.Fatalf("the marks are others (-model +copy):\n%s", diff)
	}
	for _, key := range keys {
		record, err := is.Record(ctx, key)
		if err != nil {
			r.Fatal(err)
		}
		wanted, _ := model.Record(ctx, key)
		if diff := cmp.Diff(wanted, record, cmpopts.EquateEmpty()); diff != "" {
			r.Fatalf("a record is another (-model +copy):\n%s", diff)
		}
	}
}

// keys are those that changes are about.
var keys = []mirror.Key{
	{Kind: mirror.Agencies}, {Kind: mirror.Vocabulary}, {Kind: mirror.Product, ID: 1}, {Kind: mirror.Product, ID: 2},
	{Kind: mirror.Product, ID: 3}, {Kind: mirror.Product, ID: 1 << 40},
}

func drawChange(r *rapid.T, revision int64) mirror.Change {
	at := drawTime(r)
	c := mirror.Change{
		State: mirror.State{
			Revision: revision, Known: rapid.Bool().Draw(r, "known"), Abilities: mirror.Abilities{Events: rapid.Bool().Draw(r, "events")},
			Hook: rapid.Int64Range(0, 9).Draw(r, "hook"), Stage: rapid.SampledFrom([]mirror.Stage{mirror.Idle, mirror.Catalogue, mirror.IDs}).Draw(r, "stage"),
			Cursor: rapid.StringN(0, 5, 20).Draw(r, "cursor"), Watermark: drawTime(r), Quiet: time.Hour, Problem: rapid.SampledFrom([]string{"", "é\"\n"}).Draw(r, "problem"),
		},
		At: at, Asked: rapid.Int64Range(0, revision).Draw(r, "asked"),
	}
	drawn := rapid.SliceOfN(rapid.SampledFrom(keys), 0, 3)
	c.Mark = drawn.Draw(r, "mark")
	for _, key := range drawn.Draw(r, "put") {
		shown := rapid.Bool().Draw(r, "shown")
		record := mirror.Record{Key: key, Shown: shown, Gone: !shown && rapid.Bool().Draw(r, "gone"), Parent: rapid.Int64Range(0, 2).Draw(r, "parent")}
		if shown {
			record.Body = []byte(rapid.SampledFrom([]string{`{"id":1}`, `{"é":"\u0000"}`}).Draw(r, "body"))
		}
		c.Put = append(c.Put, record)
	}
	for _, key := range drawn.Draw(r, "end") {
		c.End = append(c.End, mirror.Mark{Key: key, Generation: rapid.Int64Range(1, 3).Draw(r, "generation")})
	}
	for _, key := range drawn.Draw(r, "postpone") {
		c.Postpone = append(c.Postpone, mirror.Mark{Key: key, Generation: rapid.Int64Range(1, 3).Draw(r, "generation"), Tries: 4, Due: drawTime(r)})
	}
	c.MarkLots = rapid.SliceOfN(rapid.Int64Range(1, 2), 0, 1).Draw(r, "lots")
	if rapid.IntRange(0, 3).Draw(r, "compare") == 0 {
		c.Compare = &mirror.Stretch{After: rapid.Int64Range(0, 2).Draw(r, "after"), UpTo: rapid.SampledFrom([]int64{0, 2, 3}).Draw(r, "up to")}
		for id := c.Compare.After + 1; id <= max(2, c.Compare.UpTo); id++ {
			if rapid.Bool().Draw(r, "is") {
				c.Compare.IDs = append(c.Compare.IDs, id)
			}
		}
	}
	return c
}

func drawTime(r *rapid.T) time.Time {
	return time.Unix(1_800_000_000+rapid.Int64Range(0, 5).Draw(r, "second"), rapid.SampledFrom([]int64{0, 1000, 999_999_000}).Draw(r, "nanoseconds")).UTC()
}
