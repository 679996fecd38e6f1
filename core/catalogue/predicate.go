package catalogue

// predicate is one thing a search demands.
type predicate interface {
	// narrow clears the bits of the slots that do not meet the demand.
	narrow(w *window)
	// effort puts predicates in order: those that are cheap and leave little to
	// the others go first. Among sets it is the size.
	effort() float64
}

// The efforts of predicates that look at every slot.
const (
	effortOfNegation = 1e9
	effortOfColumn   = 1e10
	effortOfText     = 1e11
)

// member demands that the slot is in a set.
type member struct{ set *set }

func (p member) narrow(w *window) { p.set.intersect(&w.words, w.number) }
func (p member) effort() float64  { return float64(p.set.size()) }

// nowhere is met by no slot.
func nowhere() predicate { return member{new(set)} }

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

func (p memberOfAny) effort() float64 {
	total := 0
	for _, s := range p {
		total += s.size()
	}
	return float64(total)
}

// not demands the contrary.
type not struct{ predicate }

func (p not) narrow(w *window) {
	met := w.fork()
	met.words = w.words
	p.predicate.narrow(met)
	w.subtract(&met.words)
}

func (p not) effort() float64 { return effortOfNegation + p.predicate.effort() }

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

func (p all) effort() float64 {
	most := 0.0
	for _, each := range p {
		most = max(most, each.effort())
	}
	return most
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

func (p either) effort() float64 {
	total := 0.0
	for _, each := range p {
		total += each.effort()
	}
	return total
}

// meets demands a value that passes a test.
type meets[V any] struct {
	column *column[V]
	test   func(V) bool
}

func (p meets[V]) narrow(w *window) { p.column.keep(w, p.test) }
func (p meets[V]) effort() float64  { return effortOfColumn }
