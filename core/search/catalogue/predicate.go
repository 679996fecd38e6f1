package catalogue

import (
	"math"
	"math/bits"
	"slices"
)

// predicate is one demand of a search.
type predicate interface {
	// narrow clears the bits of the slots that do not meet the demand.
	narrow(w *window)
	// meets reports whether a single slot meets the demand.
	meets(slot uint32) bool
	// cost is the time of narrowing a window, in units of narrowing it by a set.
	cost() float64
	// share estimates the share of that many slots that meets the demand.
	share(slots float64) float64
}

// Costs of predicates that read every slot, and shares where there is no statistic.
const (
	costOfColumn = 100
	costOfText   = 3000

	shareOfRange = 1.0 / 2
	shareOfTexts = 1.0 / 16
)

// rank sorts predicates: first those that spare the others most work for their cost.
func rank(p predicate, slots float64) float64 { return p.cost() / (1.001 - p.share(slots)) }

// member demands that the slot is in a set.
type member struct{ set *set }

func (p member) narrow(w *window) { p.set.intersect(&w.words, w.number) }

func (p member) meets(slot uint32) bool { return p.set.has(slot) }

func (p member) cost() float64 { return 1 }

func (p member) share(slots float64) float64 { return float64(p.set.size()) / slots }

// nowhere returns a predicate that no slot meets.
func nowhere() predicate { return member{new(set)} }

// impossible reports whether the predicate is nowhere.
func impossible(p predicate) bool {
	m, ok := p.(member)
	return ok && m.set.size() == 0
}

// having demands any value.
type having[V any] struct{ column *column[V] }

func (p having[V]) narrow(w *window) {
	if w.number >= len(p.column.blocks) {
		w.words = words{}
		return
	}
	for i, word := range p.column.blocks[w.number].present {
		w.words[i] &= word
	}
}

func (p having[V]) meets(slot uint32) bool { return p.column.has(slot) }

func (p having[V]) cost() float64 { return 1 }

func (p having[V]) share(float64) float64 { return shareOfRange }

// memberOfAny demands that the slot is in one of several sets.
type memberOfAny []*set

func (p memberOfAny) narrow(w *window) {
	var members words
	for _, s := range p {
		s.unite(&members, w.number)
	}
	for i := range w.words {
		w.words[i] &= members[i]
	}
}

func (p memberOfAny) meets(slot uint32) bool {
	return slices.ContainsFunc(p, func(s *set) bool { return s.has(slot) })
}

func (p memberOfAny) cost() float64 { return float64(1 + len(p)) }

func (p memberOfAny) share(slots float64) float64 {
	total := 0.0
	for _, s := range p {
		total += float64(s.size())
	}
	return min(1, total/slots)
}

// not demands the opposite.
type not struct{ predicate }

func (p not) narrow(w *window) {
	met := w.second()
	met.words = w.words
	p.predicate.narrow(met)
	w.subtract(&met.words)
}

func (p not) meets(slot uint32) bool { return !p.predicate.meets(slot) }

func (p not) cost() float64 { return 2 + p.predicate.cost() }

func (p not) share(slots float64) float64 { return 1 - p.predicate.share(slots) }

// all demands everything in the list.
type all []predicate

func (p all) narrow(w *window) {
	for _, each := range p {
		if w.empty() {
			return
		}
		each.narrow(w)
	}
}

func (p all) meets(slot uint32) bool {
	for _, each := range p {
		if !each.meets(slot) {
			return false
		}
	}
	return true
}

func (p all) cost() float64 {
	total := 0.0
	for _, each := range p {
		total += each.cost()
	}
	return total
}

// share assumes that the demands are independent of each other.
func (p all) share(slots float64) float64 {
	share := 1.0
	for _, each := range p {
		share *= each.share(slots)
	}
	return share
}

// either demands one thing in the list.
type either []predicate

func (p either) narrow(w *window) {
	var met words
	try := w.second()
	for _, each := range p {
		try.words = w.words
		try.subtract(&met)
		if try.empty() {
			break
		}
		each.narrow(try)
		met.union(&try.words)
	}
	w.words = met
}

func (p either) meets(slot uint32) bool {
	return slices.ContainsFunc(p, func(each predicate) bool { return each.meets(slot) })
}

// simplified removes what is impossible.
func (p either) simplified() predicate {
	possible := slices.DeleteFunc(p, impossible)
	if len(possible) == 1 {
		return possible[0]
	}
	return possible
}

func (p either) cost() float64 { return all(p).cost() + float64(len(p)) }

func (p either) share(slots float64) float64 {
	total := 0.0
	for _, each := range p {
		total += each.share(slots)
	}
	return min(1, total)
}

// between demands a value within bounds, both included.
type between struct {
	column    *column[float64]
	low, high float64
}

func atLeast(c *column[float64], low float64) predicate { return between{c, low, math.Inf(1)} }
func atMost(c *column[float64], high float64) predicate { return between{c, math.Inf(-1), high} }

// bounds returns the least and the greatest value of a column that the bounds among the
// demands allow.
func (p all) bounds(c *column[float64]) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	for _, each := range p {
		if b, ok := each.(between); ok && b.column == c {
			low, high = max(low, b.low), min(high, b.high)
		}
	}
	return low, high
}

// with adds a demand. Bounds for a column that has some already make these narrower, so
// that the values are read once.
func (p all) with(more predicate) all {
	if b, ok := more.(between); ok {
		for i, each := range p {
			if known, ok := each.(between); ok && known.column == b.column {
				p[i] = between{b.column, max(known.low, b.low), min(known.high, b.high)}
				return p
			}
		}
	}
	return append(p, more)
}

func (p between) cost() float64 { return costOfColumn }

func (p between) share(float64) float64 { return shareOfRange }

// narrow does what column.keep would do. Most searches spend their time here, and the
// branch predictor cannot guess whether a value is within bounds: so no branch depends
// on it, and values are read in a row where most of them are needed.
func (p between) narrow(w *window) {
	if w.number >= len(p.column.blocks) {
		w.words = words{}
		return
	}
	b := &p.column.blocks[w.number]
	for i, word := range w.words {
		present := b.present[i]
		asked := word & present
		if asked == 0 {
			w.words[i] = 0
			continue
		}
		values := b.values[b.before[i]:]
		var kept uint64
		if 2*bits.OnesCount64(asked) > bits.OnesCount64(present) {
			for rest, k := present, 0; rest != 0; rest, k = rest&(rest-1), k+1 {
				kept |= rest & -rest & p.mask(values[k])
			}
		} else {
			for rest := asked; rest != 0; rest &= rest - 1 {
				bit := rest & -rest
				kept |= bit & p.mask(values[bits.OnesCount64(present&(bit-1))])
			}
		}
		w.words[i] = kept & asked
	}
}

func (p between) meets(slot uint32) bool {
	value, some := p.column.at(slot)
	return some && p.low <= value && value <= p.high
}

// mask returns all ones for a value within bounds, and 0 otherwise.
func (p between) mask(value float64) uint64 {
	var notBelow, notAbove uint64
	if value >= p.low {
		notBelow = 1
	}
	if value <= p.high {
		notAbove = 1
	}
	return -(notBelow & notAbove)
}
