package memory

import (
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"weak"
)

// Pool shares values for as long as somebody else holds them. It is safe for
// concurrent use.
type Pool[T any] struct {
	// hash is the same for the same values, and seldom for others.
	hash func(maphash.Seed, *T) uint64
	same func(a, b *T) bool
	// size is the memory that a value takes.
	size func(*T) int
	seed maphash.Seed

	bytes  atomic.Int64
	mu     sync.Mutex
	byHash map[uint64][]weak.Pointer[T]
}

// NewPool makes an empty pool of values that are told apart by hash and same, and take
// as much memory as size says.
func NewPool[T any](hash func(maphash.Seed, *T) uint64, same func(a, b *T) bool, size func(*T) int) *Pool[T] {
	return &Pool[T]{hash: hash, same: same, size: size, seed: maphash.MakeSeed(), byHash: map[uint64][]weak.Pointer[T]{}}
}

// Share returns the same value that was shared before, if there is one, or else this
// one. Neither may change from now on.
func (p *Pool[T]) Share(value *T) *T {
	hash := p.hash(p.seed, value)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, known := range p.byHash[hash] {
		if there := known.Value(); there != nil && p.same(there, value) {
			return there
		}
	}
	p.byHash[hash] = append(p.byHash[hash], weak.Make(value))
	left := leftover{hash, int64(p.size(value))}
	p.bytes.Add(left.bytes)
	runtime.AddCleanup(value, p.forget, left)
	return value
}

// leftover is what is known of a value that is gone.
type leftover struct {
	hash  uint64
	bytes int64
}

// forget removes what nobody holds any more.
func (p *Pool[T]) forget(gone leftover) {
	p.bytes.Add(-gone.bytes)
	p.mu.Lock()
	defer p.mu.Unlock()
	left := slices.DeleteFunc(p.byHash[gone.hash], func(known weak.Pointer[T]) bool { return known.Value() == nil })
	if len(left) == 0 {
		delete(p.byHash, gone.hash)
	} else {
		p.byHash[gone.hash] = left
	}
}

// Bytes returns the memory of all values that somebody holds, and of those that the garbage
// collector has not found yet.
func (p *Pool[T]) Bytes() int { return int(p.bytes.Load()) }

// Len returns how many values are known.
func (p *Pool[T]) Len() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, known := range p.byHash {
		n += len(known)
	}
	return n
}
