package listing

// slab is memory for values of a type, taken in larger pieces. What it has given out
// stays as it is until the slab is emptied.
type slab[T any] struct{ used []T }

// maxPiece bounds how many values one piece is for.
const maxPiece = 512

// list gives an empty list with room for n values. It is never nil, which would be null
// in an answer.
func (s *slab[T]) list(n int) []T {
	if s.used == nil || cap(s.used)-len(s.used) < n {
		s.used = make([]T, 0, max(n, min(2*cap(s.used), maxPiece), 8))
	}
	from := len(s.used)
	s.used = s.used[:from+n]
	return s.used[from : from : from+n]
}

// keep gives memory with a value in it.
func (s *slab[T]) keep(v T) *T {
	one := append(s.list(1), v)
	return &one[0]
}

// empty takes back all that was given out.
func (s *slab[T]) empty() { s.used = s.used[:0] }

// nullable is the value in memory of the slab, or null when it is the zero value.
func nullable[T comparable](s *slab[T], v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return s.keep(v)
}
