package catalogue

import (
	"iter"
	"slices"
)

// run is a part of a sequence, which it shares.
type run struct {
	chunks [][]uint32
	// first is where it begins in the first chunk, and end where it ends in the last.
	first, end int
}

// run is what lies between two places, the slot at the second left out.
func (s *sequence) run(firstChunk, first, endChunk, end int) run {
	if firstChunk > endChunk || firstChunk == endChunk && first >= end {
		return run{}
	}
	return run{s.chunks[firstChunk : endChunk+1], first, end}
}

// size is how many slots there are.
func (r run) size() int {
	total := 0
	for number := range r.chunks {
		total += len(r.part(number))
	}
	return total
}

// part is what of a chunk belongs to the run.
func (r run) part(number int) []uint32 {
	part := r.chunks[number]
	if number == len(r.chunks)-1 {
		part = part[:r.end]
	}
	if number == 0 {
		part = part[r.first:]
	}
	return part
}

// walk lists the slots.
func (r run) walk(backward bool) iter.Seq[uint32] {
	if backward {
		return r.backward
	}
	return r.forward
}

func (r run) forward(yield func(uint32) bool) {
	for number := range r.chunks {
		for _, slot := range r.part(number) {
			if !yield(slot) {
				return
			}
		}
	}
}

func (r run) backward(yield func(uint32) bool) {
	for number := range slices.Backward(r.chunks) {
		for _, slot := range slices.Backward(r.part(number)) {
			if !yield(slot) {
				return
			}
		}
	}
}
