package catalogue

import (
	"iter"
	"strings"
	"sync"
)

// part is a structure of the index that says something about slots.
type part interface {
	// open moves what is said about the slot and those above it up by one, so
	// that nothing is said about the slot.
	open(slot uint32)
	// arrange renumbers the slots; the part has to be settled afterwards.
	arrange(how arrangement)
	// settle brings the part into its final form after many changes at once.
	settle()
	// bytes estimates the memory the part holds.
	bytes() int
}

// primary lists the parts that hold what is known.
func (x *Index) primary() iter.Seq[part] {
	return func(yield func(part) bool) {
		for _, p := range []part{
			&x.living, &x.records, &x.agencies, &x.users, &x.online, &x.visited,
			&x.modified, &x.added, &x.spots, &x.towns, &x.references, &x.names, &x.phrases,
		} {
			if !yield(p) {
				return
			}
		}
		for _, c := range x.criteria {
			if !yield(c) {
				return
			}
		}
	}
}

// rankings lists the parts that put in order what the primary ones hold.
func (x *Index) rankings() iter.Seq[part] {
	return func(yield func(part) bool) {
		for i := range x.orders {
			if !yield(&x.orders[i]) {
				return
			}
		}
		_ = yield(&x.owners) && yield(&x.parents) && yield(&x.places)
	}
}

// open makes room for a product in the middle, or at the end, where it costs
// nothing.
func (x *Index) open(slot uint32) {
	if slot < x.slots {
		// A ranking finds its slots by their values, so it goes first.
		for p := range x.rankings() {
			p.open(slot)
		}
		for p := range x.primary() {
			p.open(slot)
		}
	}
	x.slots++
}

// arrange puts the slots into the given order, without those that are missing
// from it.
func (x *Index) arrange(from []uint32) {
	how := arrange(from, int(x.slots))
	for p := range x.primary() {
		p.arrange(how)
	}
	for p := range x.rankings() {
		p.arrange(how)
	}
	x.slots = uint32(len(from))
	x.settle()
}

// settle brings all parts into their final form, several at a time.
func (x *Index) settle() {
	for _, parts := range []iter.Seq[part]{x.primary(), x.rankings()} {
		var all sync.WaitGroup
		for p := range parts {
			all.Go(p.settle)
		}
		all.Wait()
	}
}

// criterion returns what is known about a criterion, for more to be added.
func (x *Index) criterion(key string) *criterion {
	c := x.criteria[key]
	if c == nil {
		c = new(criterion)
		c.texts.numbers.phrases, c.texts.rest.phrases = &x.phrases, &x.phrases
		x.criteria[strings.Clone(key)] = c
	}
	return c
}
