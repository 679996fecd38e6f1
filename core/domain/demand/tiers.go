package demand

import "math"

// scores is how many different scores there are.
const scores = 101

// Tiers put what matches in order without sorting it: by verdict, matches above
// near misses, and within a verdict as it comes.
type Tiers[T any] struct {
	byRank [2 * scores]tier[T]
	// keep is how many of the best are of interest.
	skip, limit, keep int
}

type tier[T any] struct {
	count int
	items []T // the first ones
}

// Rated is something with its verdict.
type Rated[T any] struct {
	Item T
	Verdict
}

// NewTiers makes tiers of which a page is wanted.
func NewTiers[T any](skip, limit int) *Tiers[T] {
	t := &Tiers[T]{skip: max(skip, 0), limit: max(limit, 0)}
	if t.keep = t.skip + t.limit; t.keep < t.skip {
		t.keep = math.MaxInt
	}
	return t
}

func (t *Tiers[T]) of(v Verdict) *tier[T] {
	if v.Holds {
		return &t.byRank[scores+v.Score]
	}
	return &t.byRank[v.Score]
}

// Full reports whether more of a verdict would only be counted.
func (t *Tiers[T]) Full(v Verdict) bool { return len(t.of(v).items) >= t.keep }

// Count counts some of a verdict that is Full.
func (t *Tiers[T]) Count(v Verdict, n int) { t.of(v).count += n }

// Take takes in one more, which holds or is near.
func (t *Tiers[T]) Take(v Verdict, item T) {
	tier := t.of(v)
	if tier.count++; len(tier.items) < t.keep {
		tier.items = append(tier.items, item)
	}
}

// Page returns the wanted page, the best first, and how many there are in all.
func (t *Tiers[T]) Page() (page []Rated[T], total int) {
	skip := t.skip
	for i := range t.byRank {
		rank := len(t.byRank) - 1 - i
		tier := &t.byRank[rank]
		total += tier.count
		from := min(skip, len(tier.items))
		skip -= min(skip, tier.count)
		for _, item := range tier.items[from:] {
			if len(page) == t.limit {
				break
			}
			page = append(page, Rated[T]{item, Verdict{Holds: rank >= scores, Near: rank < scores, Score: rank % scores}})
		}
	}
	return page, total
}
