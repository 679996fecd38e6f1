package calendar

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The time of these tests is an hour, minute by minute.
const minutes = 60

func minute(n int) time.Time { return time.Date(2026, 11, 22, 8, n, 0, 0, time.UTC) }

// anyIntervals may be empty, the wrong way round, overlap and touch.
var anyIntervals = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Interval {
	return Interval{minute(rapid.IntRange(0, minutes).Draw(t, "start")), minute(rapid.IntRange(0, minutes).Draw(t, "end"))}
}), 0, 12)

// grid says of each minute whether it is in one of the intervals.
func grid(all []Interval) (in [minutes]bool) {
	for n := range in {
		for _, i := range all {
			in[n] = in[n] || !minute(n).Before(i.Start) && minute(n).Before(i.End)
		}
	}
	return in
}

// whole fails unless a set has the minutes that want says, in maximal intervals.
func whole(t *rapid.T, what string, got Intervals, want func(n int) bool) {
	t.Helper()
	for n, in := range grid(got) {
		if in != want(n) {
			t.Fatalf("minute %d is in %s %v: %v", n, what, got, in)
		}
		if got.Contains(minute(n)) != in {
			t.Fatalf("%s %v contains minute %d: %v", what, got, n, !in)
		}
	}
	for n, i := range got {
		if i.Empty() || n > 0 && !got[n-1].End.Before(i.Start) {
			t.Fatalf("%s is not normal: %v", what, got)
		}
	}
}

func TestSetsAgreeWithAGridOfMinutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyIntervals.Draw(t, "a"), anyIntervals.Draw(t, "b")
		inA, inB := grid(a), grid(b)
		setA, setB := Union(a...), Union(b...)
		whole(t, "the union", setA, func(n int) bool { return inA[n] })
		whole(t, "both", setA.Union(setB), func(n int) bool { return inA[n] || inB[n] })
		whole(t, "the difference", setA.Minus(setB), func(n int) bool { return inA[n] && !inB[n] })
		whole(t, "the intersection", setA.Intersect(setB), func(n int) bool { return inA[n] && inB[n] })
		for _, i := range b {
			in := grid([]Interval{i})
			whole(t, "the window", setA.Within(i), func(n int) bool { return inA[n] && in[n] })
			if meets := len(setA.Intersect(Union(i))) > 0; setA.Meets(i) != meets {
				t.Fatalf("%v meets %v: %v", setA, i, !meets)
			}
		}
	})
}

func TestWhatIsTakenAwayAndGivenBackIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := Union(anyIntervals.Draw(t, "a")...), Union(anyIntervals.Draw(t, "b")...)
		same := a.Minus(b).Union(a.Intersect(b))
		if len(same) != len(a) {
			t.Fatalf("%v became %v", a, same)
		}
		for n := range a {
			if same[n] != a[n] {
				t.Fatalf("%v became %v", a, same)
			}
		}
	})
}

func TestIntervalsThatTouchDoNotMeet(t *testing.T) {
	a := Interval{minute(0), minute(10)}
	for _, c := range []struct {
		other Interval
		want  bool
	}{
		{Interval{minute(10), minute(20)}, false},
		{Interval{minute(9), minute(20)}, true},
		{Interval{minute(5), minute(5)}, false},
		{a, true},
	} {
		if a.Meets(c.other) != c.want || c.other.Meets(a) != c.want {
			t.Errorf("%v meets %v: %v", a, c.other, !c.want)
		}
	}
	if got := a.Widen(time.Minute, 2*time.Minute); got != (Interval{minute(-1), minute(12)}) {
		t.Errorf("%v widened is %v", a, got)
	}
}
