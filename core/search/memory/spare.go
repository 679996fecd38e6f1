package memory

import (
	"math"
	"sync"
)

// Spare is the memory that the values of a cache leave of its budget. Pieces are kept in it:
// they are small and cheap to have again, so that they leave before any value does, the least
// recently used first. It is safe for concurrent use.
type Spare struct {
	mu sync.Mutex
	// room is how many bytes may be kept, and bytes how many are.
	room, bytes int
	// recent is the ring of all pieces: behind it is the one that was used last, before it
	// the one that was not used since longest.
	recent piece
	usage  Usage
}

// piece is the place of a value in the ring, and to which of some pieces it belongs.
type piece struct {
	before, after *piece
	id            int64
	bytes         int
	of            interface{ forget(id int64) }
}

// pieceBytes is about what a piece takes beside what it was said to: its place in the ring
// and in a map.
const pieceBytes = 128

func newSpare(room int) *Spare {
	if room == 0 {
		room = math.MaxInt
	}
	s := &Spare{room: room}
	s.recent.before, s.recent.after = &s.recent, &s.recent
	return s
}

// fit gives up pieces until the rest takes no more than there is room for from now on.
func (s *Spare) fit(room int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.room = max(room, 0)
	s.shrink()
}

func (s *Spare) shrink() {
	for s.bytes > s.room {
		least := s.recent.before
		least.of.forget(least.id)
		s.usage.Evictions++
	}
}

// link puts a piece where those are that were used last.
func (s *Spare) link(p *piece) {
	p.before, p.after = &s.recent, s.recent.after
	p.before.after, p.after.before = p, p
}

func (s *Spare) unlink(p *piece) { p.before.after, p.after.before = p.after, p.before }

// Usage tells what all pieces take, of how many values, and what became of them. Each piece
// that was kept is a load.
func (s *Spare) Usage() Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.usage
	u.Bytes = s.bytes
	return u
}

// Pieces are what is kept beside one value, by their ids. They are safe for concurrent use.
type Pieces[ID ~int64, V any] struct {
	spare *Spare
	// Guarded by the mutex of the spare memory.
	held map[ID]*pieceOf[V]
	left bool
}

type pieceOf[V any] struct {
	piece
	value V
}

// NewPieces makes pieces without any.
func NewPieces[ID ~int64, V any](in *Spare) *Pieces[ID, V] { return &Pieces[ID, V]{spare: in} }

// Find notes which pieces with some ids are kept, each at the index of its id.
func (p *Pieces[ID, V]) Find(ids []ID, found []V) {
	p.spare.mu.Lock()
	defer p.spare.mu.Unlock()
	for i, id := range ids {
		if one := p.held[id]; one != nil {
			p.spare.unlink(&one.piece)
			p.spare.link(&one.piece)
			found[i] = one.value
		}
	}
}

// Keep keeps a piece that takes so many bytes in the place of the one with its id, if there
// is room.
func (p *Pieces[ID, V]) Keep(id ID, value V, bytes int) {
	s := p.spare
	s.mu.Lock()
	defer s.mu.Unlock()
	p.forget(int64(id))
	bytes += pieceBytes
	if p.left || bytes > s.room {
		return
	}
	if len(p.held) == 0 {
		p.held = map[ID]*pieceOf[V]{}
		s.usage.Values++
	}
	one := &pieceOf[V]{piece{id: int64(id), bytes: bytes, of: p}, value}
	p.held[id] = one
	s.link(&one.piece)
	s.bytes += bytes
	s.usage.Loads++
	s.shrink()
}

// Drop gives up the pieces with some ids.
func (p *Pieces[ID, V]) Drop(ids ...ID) {
	p.spare.mu.Lock()
	defer p.spare.mu.Unlock()
	for _, id := range ids {
		p.forget(int64(id))
	}
}

// Left implements Leaver: all pieces are given up, and none is kept from now on.
func (p *Pieces[ID, V]) Left() {
	p.spare.mu.Lock()
	defer p.spare.mu.Unlock()
	p.left = true
	for id := range p.held {
		p.forget(int64(id))
	}
}

// forget gives up a piece, if it is kept. A map that is empty may still take much.
func (p *Pieces[ID, V]) forget(id int64) {
	one := p.held[ID(id)]
	if one == nil {
		return
	}
	p.spare.unlink(&one.piece)
	p.spare.bytes -= one.bytes
	if delete(p.held, ID(id)); len(p.held) == 0 {
		p.held = nil
		p.spare.usage.Values--
	}
}
