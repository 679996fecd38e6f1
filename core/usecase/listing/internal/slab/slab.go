// Package slab gives memory for values of a type in larger pieces.
package slab

// Slab is memory for values of a type, taken in larger pieces. What it has given out
// stays as it is until the slab is emptied.
type Slab[T any] struct{ used []T }

// maxPiece bounds how many values one piece is for.
const maxPiece = 512

// List returns an empty list with room for n values. It is never nil, which would be null
// in an answer.
func (s *Slab[T]) List(n int) []T {
	if s.used == nil || cap(s.used)-len(s.used) < n {
		s.used = make([]T, 0, max(n, min(2*cap(s.used), maxPiece), 8))
	}
	from := len(s.used)
	s.used = s.used[:from+n]
	return s.used[from : from : from+n]
}

// Keep gives memory with a value in it.
func (s *Slab[T]) Keep(v T) *T {
	one := append(s.List(1), v)
	return &one[0]
}

// Empty takes back all that was given out.
func (s *Slab[T]) Empty() { s.used = s.used[:0] }

// Nullable returns the value in memory of the slab, or null when it is the zero value.
func Nullable[T comparable](s *Slab[T], v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return s.Keep(v)
}
