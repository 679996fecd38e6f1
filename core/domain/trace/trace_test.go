package trace_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

func drawTally(t *rapid.T) (tally trace.Tally, took []time.Duration) {
	took = rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 8_000_000), func(us int) time.Duration { return time.Duration(us) * time.Microsecond }), 0, 60).Draw(t, "took")
	for _, d := range took {
		tally.Add(d)
	}
	return tally, took
}

func TestTallyCountsEachRequestOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tally, took := drawTally(t)
		var inBuckets int64
		for _, n := range tally.Buckets {
			inBuckets += n
		}
		var total time.Duration
		for _, d := range took {
			total += d
		}
		if tally.N != int64(len(took)) || inBuckets != tally.N || tally.Total != total {
			t.Fatalf("%d requests of %v in all are counted as %+v", len(took), total, tally)
		}
	})
}

// The quantile lies in the bucket of the request that is the quantile.
func TestQuantileIsAsExactAsTheBuckets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tally, took := drawTally(t)
		share := rapid.SampledFrom([]float64{.01, .5, .9, .99, 1}).Draw(t, "share")
		got := tally.Quantile(share)
		if len(took) == 0 {
			if got != 0 {
				t.Fatalf("of nothing it is %v", got)
			}
			return
		}
		slices.Sort(took)
		rank := max(1, int(ceil(share*float64(len(took)))))
		exact := took[rank-1]
		bounds := trace.Bounds()
		lower, upper := time.Duration(0), bounds[len(bounds)-1]
		for _, bound := range bounds {
			if exact <= bound {
				upper = bound
				break
			}
			lower = bound
		}
		if got < lower || got > upper {
			t.Fatalf("the quantile %v of %v is %v, not between %v and %v", share, took, got, lower, upper)
		}
	})
}

func ceil(x float64) float64 {
	if whole := float64(int(x)); whole < x {
		return whole + 1
	}
	return x
}

func TestTalliesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, first := drawTally(t)
		b, second := drawTally(t)
		var both trace.Tally
		for _, d := range append(first, second...) {
			both.Add(d)
		}
		if a.Plus(b) != both {
			t.Fatalf("%+v and %+v make %+v, not %+v", a, b, a.Plus(b), both)
		}
	})
}

func TestCursorIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := trace.Cursor{
			At: time.UnixMicro(rapid.Int64Range(0, 1<<52).Draw(t, "at")).UTC(),
			ID: rapid.StringN(1, 40, -1).Draw(t, "id"),
		}
		if got, ok := trace.ParseCursor(c.String()); !ok || !got.At.Equal(c.At) || got.ID != c.ID {
			t.Fatalf("%+v is read as %+v, %t", c, got, ok)
		}
	})
	if first, ok := trace.ParseCursor(""); !ok || first != (trace.Cursor{}) {
		t.Errorf("the beginning is read as %+v, %t", first, ok)
	}
	for _, wrong := range []string{"x", "!", "MTI", "YSBi"} {
		if c, ok := trace.ParseCursor(wrong); ok {
			t.Errorf("%q is read as %+v", wrong, c)
		}
	}
}

func TestSeriesKeepEveryCountOfTheirTime(t *testing.T) {
	start := time.Date(2026, 9, 16, 8, 0, 0, 0, time.UTC)
	one := trace.Tally{N: 1}
	get, search := trace.Kind{Site: 1, Operation: "product.get", Credential: "a", Class: 2}, trace.Kind{Site: 1, Operation: "product.search", Credential: "a", Class: 4}
	counts := []trace.Count{
		{Kind: get, Start: start.Add(-time.Minute), Tally: one}, {Kind: get, Start: start, Tally: one}, {Kind: get, Start: start.Add(4 * time.Minute), Tally: one},
		{Kind: get, Start: start.Add(9 * time.Minute), Tally: one}, {Kind: get, Start: start.Add(10 * time.Minute), Tally: one}, {Kind: search, Start: start, Tally: one},
	}
	got := trace.SeriesOf(counts, start, 5*time.Minute, 2)
	if len(got) != 2 || got[0].Kind != get || got[1].Kind != search {
		t.Fatalf("the series are %+v", got)
	}
	if n := []int64{got[0].Tallies[0].N, got[0].Tallies[1].N, got[1].Tallies[0].N, got[1].Tallies[1].N}; !slices.Equal(n, []int64{2, 1, 1, 0}) {
		t.Errorf("they count %v", n)
	}
	if n := got[0].Sum().N; n != 3 {
		t.Errorf("the first counts %d in all", n)
	}
}

func TestReadinessAddsUpDaysAndKeepsTheLast(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 9, n, 0, 0, 0, 0, time.UTC) }
	got := trace.ReadinessOf([]trace.Deprecated{
		{Credential: "a", Operation: "product.create", Name: "agencyId", Day: day(1), N: 2, Last: "r1"},
		{Credential: "a", Operation: "product.update", Name: "agencyId", Day: day(2), N: 1, Last: "r2"},
		{Credential: "a", Operation: "product.create", Name: "agencyId", Day: day(3), N: 3, Last: "r3"},
	})
	want := []trace.Readiness{
		{Credential: "a", Operation: "product.create", Name: "agencyId", N: 5, FirstDay: day(1), LastDay: day(3), Last: "r3"},
		{Credential: "a", Operation: "product.update", Name: "agencyId", N: 1, FirstDay: day(2), LastDay: day(2), Last: "r2"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("readiness is %+v", got)
	}
}
