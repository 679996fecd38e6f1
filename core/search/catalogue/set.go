package catalogue

import (
	"iter"
	"math/bits"
	"slices"
)

// set is a set of slots, or of the tokens of a lexicon. It is a sorted list
// while it has few members and a bitset when that takes less room. The zero set
// is empty.
type set struct {
	list  []uint32
	words []uint64 // nil while the list is in use
	count int      // of the bits in words
}

// A list is as large as a bitset when one in 32 numbers is a member. A bitset becomes a list
// later than the list became a bitset, so that a set at the border does not change its form
// with every member.
const (
	sparsest = 32
	densest  = 64
)

func (s *set) size() int {
	if s.words != nil {
		return s.count
	}
	return len(s.list)
}

func (s *set) has(n uint32) bool {
	if s.words != nil {
		word := int(n / wordSize)
		return word < len(s.words) && s.words[word]>>(n%wordSize)&1 != 0
	}
	_, found := slices.BinarySearch(s.list, n)
	return found
}

func (s *set) add(n uint32) {
	if s.words != nil {
		s.mark(n)
		return
	}
	last := len(s.list) - 1
	switch {
	case last < 0 || s.list[last] < n:
		s.list = append(s.list, n)
	case s.list[last] == n:
		return
	default:
		at, found := slices.BinarySearch(s.list, n)
		if found {
			return
		}
		s.list = slices.Insert(s.list, at, n)
	}
	if universe := int(s.list[len(s.list)-1]) + 1; len(s.list)*sparsest > universe {
		s.spread(universe)
	}
}

func (s *set) mark(n uint32) {
	word, bit := int(n/wordSize), uint64(1)<<(n%wordSize)
	if grow := word + 1 - len(s.words); grow > 0 {
		s.words = append(s.words, make([]uint64, grow)...)
	}
	if s.words[word]&bit == 0 {
		s.words[word] |= bit
		s.count++
		s.gather()
	}
}

func (s *set) remove(n uint32) {
	if s.words == nil {
		if at, found := slices.BinarySearch(s.list, n); found {
			s.list = slices.Delete(s.list, at, at+1)
		}
		return
	}
	word, bit := int(n/wordSize), uint64(1)<<(n%wordSize)
	if word < len(s.words) && s.words[word]&bit != 0 {
		s.words[word] &^= bit
		s.count--
		s.gather()
	}
}

// put makes n a member or not.
func (s *set) put(n uint32, member bool) {
	if member {
		s.add(n)
	} else {
		s.remove(n)
	}
}

// spread turns the list into a bitset.
func (s *set) spread(universe int) {
	s.words = make([]uint64, (universe+wordSize-1)/wordSize)
	for _, n := range s.list {
		s.words[n/wordSize] |= 1 << (n % wordSize)
	}
	s.count, s.list = len(s.list), nil
}

// recount brings the count up to date and turns the bitset into a list if there
// are few members.
func (s *set) recount() {
	s.count = 0
	for _, word := range s.words {
		s.count += bits.OnesCount64(word)
	}
	s.gather()
}

// gather turns the bitset into a list if there are few members left.
func (s *set) gather() {
	if s.count*densest < len(s.words)*wordSize {
		s.list = slices.AppendSeq(make([]uint32, 0, s.count), s.all())
		s.words, s.count = nil, 0
	}
}

// all lists the members in ascending order.
func (s *set) all() iter.Seq[uint32] { return s.from(0) }

// from lists the members from n on.
func (s *set) from(n uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		at, _ := slices.BinarySearch(s.list, n)
		for _, member := range s.list[at:] {
			if !yield(member) {
				return
			}
		}
		skip := n % wordSize
		for i := int(n / wordSize); i < len(s.words); i++ {
			for word := s.words[i] >> skip << skip; word != 0; word &= word - 1 {
				if !yield(uint32(i*wordSize + bits.TrailingZeros64(word))) {
					return
				}
			}
			skip = 0
		}
	}
}

// open moves every member from n on up by one, so that n is free.
func (s *set) open(n uint32) {
	at, _ := slices.BinarySearch(s.list, n)
	for i := at; i < len(s.list); i++ {
		s.list[i]++
	}
	word := int(n / wordSize)
	if word >= len(s.words) {
		return
	}
	below := uint64(1)<<(n%wordSize) - 1
	carry := s.words[word] >> (wordSize - 1)
	s.words[word] = s.words[word]&below | s.words[word]&^below<<1
	for i := word + 1; i < len(s.words); i++ {
		s.words[i], carry = s.words[i]<<1|carry, s.words[i]>>(wordSize-1)
	}
	if carry != 0 {
		s.words = append(s.words, carry)
	}
}

// arrange renumbers the members.
func (s *set) arrange(how arrangement) {
	var list []uint32
	for n := range s.all() {
		if to := how.to[n]; to != none {
			list = append(list, to)
		}
	}
	slices.Sort(list)
	*s = makeSet(list)
}

// makeSet makes a set of numbers in ascending order. It owns the list.
func makeSet(list []uint32) set {
	s := set{list: list}
	if len(list) > 0 {
		if universe := int(list[len(list)-1]) + 1; len(list)*sparsest > universe {
			s.spread(universe)
		}
	}
	return s
}

// finish releases spare capacity.
func (s *set) finish() {
	s.list, s.words = slices.Clip(slices.Clone(s.list)), slices.Clip(slices.Clone(s.words))
}

func (s *set) bytes() int { return 4*cap(s.list) + 8*cap(s.words) }

// stretch returns the part of the list that is in a window.
func (s *set) stretch(number int) []uint32 {
	first := uint32(number * windowSlots)
	from, _ := slices.BinarySearch(s.list, first)
	to, _ := slices.BinarySearch(s.list[from:], first+windowSlots)
	return s.list[from : from+to]
}

// unite adds the members that are in a window to its bits.
func (s *set) unite(w *words, number int) {
	for i, word := range portion(s.words, number) {
		w[i] |= word
	}
	for _, n := range s.stretch(number) {
		w[n/wordSize%windowWords] |= 1 << (n % wordSize)
	}
}

// intersect clears the bits of a window whose slots are no members.
func (s *set) intersect(w *words, number int) {
	if s.words == nil {
		var members words
		s.unite(&members, number)
		for i := range w {
			w[i] &= members[i]
		}
		return
	}
	bitset := portion(s.words, number)
	for i, word := range bitset {
		w[i] &= word
	}
	clear(w[len(bitset):])
}
