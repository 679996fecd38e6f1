package calendar

import (
	"slices"
	"time"
)

// Interval is the time from Start until just before End. One that does not end
// after it starts is empty.
type Interval struct{ Start, End time.Time }

// Empty reports whether there is no time in it.
func (i Interval) Empty() bool { return !i.Start.Before(i.End) }

// Contains reports whether an instant lies in it.
func (i Interval) Contains(at time.Time) bool { return !at.Before(i.Start) && at.Before(i.End) }

// Meets reports whether two have time in common. Those that touch do not.
func (i Interval) Meets(other Interval) bool {
	return i.Start.Before(other.End) && other.Start.Before(i.End) && !i.Empty() && !other.Empty()
}

// Widen returns the interval with so much time more before and after it.
func (i Interval) Widen(before, after time.Duration) Interval {
	return Interval{i.Start.Add(-before), i.End.Add(after)}
}

// Cut returns what two have in common, which may be empty.
func (i Interval) Cut(other Interval) Interval {
	if i.Start.Before(other.Start) {
		i.Start = other.Start
	}
	if other.End.Before(i.End) {
		i.End = other.End
	}
	return i
}

// Intervals is any time: its maximal intervals in ascending order, none of which is
// empty or touches the next. Union makes one; the functions of this package take
// and give nothing else. The nil Set has no time.
type Intervals []Interval

// Union returns all the time of intervals in any order. Those that touch become one.
func Union(all ...Interval) Intervals {
	found := make(Intervals, 0, len(all))
	for _, i := range all {
		if !i.Empty() {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(a, b Interval) int { return a.Start.Compare(b.Start) })
	last := 0
	for n, i := range found {
		switch {
		case n == 0:
		case found[last].End.Before(i.Start):
			last++
			found[last] = i
		case found[last].End.Before(i.End):
			found[last].End = i.End
		}
	}
	return found[:min(last+1, len(found))]
}

// Union returns the time that is in one of two sets.
func (s Intervals) Union(other Intervals) Intervals { return Union(slices.Concat(s, other)...) }

// Minus returns the time of the set that is not in the other.
func (s Intervals) Minus(other Intervals) Intervals {
	left := make(Intervals, 0, len(s)+len(other))
	next := 0
	for _, i := range s {
		for next < len(other) && !i.Start.Before(other[next].End) {
			next++
		}
		// What reaches beyond this interval is met again by the following one.
		for n := next; n < len(other) && other[n].Start.Before(i.End); n++ {
			if i.Start.Before(other[n].Start) {
				left = append(left, Interval{i.Start, other[n].Start})
			}
			i.Start = other[n].End
		}
		if !i.Empty() {
			left = append(left, i)
		}
	}
	return left
}

// Intersect returns the time that is in both sets.
func (s Intervals) Intersect(other Intervals) Intervals {
	common := make(Intervals, 0, min(len(s), len(other)))
	for a, b := 0, 0; a < len(s) && b < len(other); {
		if both := s[a].Cut(other[b]); !both.Empty() {
			common = append(common, both)
		}
		if s[a].End.Before(other[b].End) {
			a++
		} else {
			b++
		}
	}
	return common
}

// Within returns the time of the set that lies in an interval.
func (s Intervals) Within(window Interval) Intervals {
	if window.Empty() {
		return nil
	}
	return s.Intersect(Intervals{window})
}

// Contains reports whether an instant is in the set.
func (s Intervals) Contains(at time.Time) bool {
	n := s.after(at)
	return n < len(s) && s[n].Contains(at)
}

// Meets reports whether an interval has time in common with the set.
func (s Intervals) Meets(i Interval) bool {
	n := s.after(i.Start)
	return n < len(s) && s[n].Meets(i)
}

// after returns the position of the first interval that ends after an instant.
func (s Intervals) after(at time.Time) int {
	n, _ := slices.BinarySearchFunc(s, at, func(i Interval, at time.Time) int {
		if at.Before(i.End) {
			return 1
		}
		return -1
	})
	return n
}
