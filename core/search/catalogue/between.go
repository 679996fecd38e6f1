package catalogue

import (
	"math"
	"math/bits"
)

// between demands a value within bounds, both included.
type between struct {
	column    *column[float64]
	low, high float64
}

func atLeast(c *column[float64], low float64) predicate { return between{c, low, math.Inf(1)} }
func atMost(c *column[float64], high float64) predicate { return between{c, math.Inf(-1), high} }

// bounds are the least and the greatest value of a column that meet all demands, as
// far as these say so by themselves.
func (p all) bounds(c *column[float64]) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	for _, each := range p {
		if b, ok := each.(between); ok && b.column == c {
			low, high = max(low, b.low), min(high, b.high)
		}
	}
	return low, high
}

// with demands one more thing. Bounds for values that have some already make these
// narrower, so that the values are read once.
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

// narrow does what column.keep would do. It is what most searches spend their
// time on, and whether a value is within bounds cannot be foreseen: so there is
// no branch that depends on it, and values are read in a row where most of them
// are of interest.
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

// mask is all ones for a value within bounds.
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
