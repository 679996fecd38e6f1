package catalogue

import (
	"iter"
	"slices"
	"sort"
)

// sequence is a list of slots in an order its owner keeps. It is cut into
// chunks, so that a slot in the middle comes and goes without moving the rest.
type sequence struct {
	chunks [][]uint32
}

const (
	fullChunk = 1024
	// newChunk leaves room for some slots to come.
	newChunk = 768
)

// fill makes this the sequence of the given slots.
func (s *sequence) fill(slots []uint32) {
	s.chunks = nil
	for chunk := range slices.Chunk(slots, newChunk) {
		s.chunks = append(s.chunks, slices.Clone(chunk))
	}
}

// seek finds the first place whose slot does not come before what is sought. It
// may be behind the last slot of the last chunk.
func (s *sequence) seek(before func(slot uint32) bool) (chunk, at int) {
	chunk = sort.Search(len(s.chunks), func(i int) bool { return !before(s.chunks[i][len(s.chunks[i])-1]) })
	if chunk == len(s.chunks) {
		if chunk == 0 {
			return 0, 0
		}
		return chunk - 1, len(s.chunks[chunk-1])
	}
	return chunk, sort.Search(len(s.chunks[chunk]), func(i int) bool { return !before(s.chunks[chunk][i]) })
}

func (s *sequence) insert(slot uint32, chunk, at int) {
	if len(s.chunks) == 0 {
		s.chunks = [][]uint32{{slot}}
		return
	}
	grown := slices.Insert(s.chunks[chunk], at, slot)
	if len(grown) < fullChunk {
		s.chunks[chunk] = grown
		return
	}
	half := len(grown) / 2
	s.chunks[chunk] = slices.Clone(grown[:half])
	s.chunks = slices.Insert(s.chunks, chunk+1, slices.Clone(grown[half:]))
}

func (s *sequence) remove(chunk, at int) {
	s.chunks[chunk] = slices.Delete(s.chunks[chunk], at, at+1)
	if len(s.chunks[chunk]) == 0 {
		s.chunks = slices.Delete(s.chunks, chunk, chunk+1)
	}
}

// open moves every slot from the given one on up by one.
func (s *sequence) open(slot uint32) {
	for _, chunk := range s.chunks {
		for i := range chunk {
			if chunk[i] >= slot {
				chunk[i]++
			}
		}
	}
}

// from lists the slots from a place on.
func (s *sequence) from(chunk, at int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for ; chunk < len(s.chunks); chunk, at = chunk+1, 0 {
			for _, slot := range s.chunks[chunk][at:] {
				if !yield(slot) {
					return
				}
			}
		}
	}
}

func (s *sequence) bytes() int {
	total := 24 * cap(s.chunks)
	for _, chunk := range s.chunks {
		total += 4 * cap(chunk)
	}
	return total
}
