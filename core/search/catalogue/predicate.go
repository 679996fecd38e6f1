package catalogue

import "slices"

// predicate is one thing a search demands.
type predicate interface {
	// narrow clears the bits of the slots that do not meet the demand.
	narrow(w *window)
	// meets reports whether a single slot meets the demand.
	meets(slot uint32) bool
	// cost is what narrowing a window takes, in terms of doing so by a set.
	cost() float64
	// share guesses which share of that many slots meets the demand.
	share(slots float64) float64
}

// Costs of predicates that look at every slot, and shares nothing is known about.
const (
	costOfColumn = 100
	costOfText   = 3000

	shareOfRange = 1.0 / 2
	shareOfTexts = 1.0 / 16
)

// rank puts predicates in order: first those that spare the others most work for
// what they cost.
func rank(p predicate, slots float64) float64 { return p.cost() / (1.001 - p.share(slots)) }

// member demands that the slot is in a set.
type member struct{ set *set }

func (p member) narrow(w *window) { p.set.intersect(&w.words, w.number) }

func (p member) meets(slot uint32) bool { return p.set.has(slot) }

func (p member) cost() float64 { return 1 }

func (p member) share(slots float64) float64 { return float64(p.set.size()) / slots }

// nowhere is met by no slot.
func nowhere() predicate { return member{new(set)} }

// impossible reports whether it is already known that no slot meets the demand.
func impossible(p predicate) bool {
	m, ok := p.(member)
	return ok && m.set.size() == 0
}

// having demands some value.
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

// not demands the contrary.
type not struct{ predicate }

func (p not) narrow(w *window) {
	met := w.fork()
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

// share takes the demands for independent of each other.
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
	try := w.fork()
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

// simplified leaves out what is impossible.
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
