package memstore

import (
	"encoding/binary"
	"hash/fnv"
	"iter"
	"strings"
)

// tree is an immutable ordered map: changing it makes a new one that shares nearly all
// nodes with the old one. So a snapshot of the whole store is one copy of a struct, and a
// rollback needs no work. It is a treap whose priorities are hashes of the keys.
type tree[V any] struct{ root *node[V] }

type node[V any] struct {
	key         string
	priority    uint64
	value       V
	left, right *node[V]
}

// key returns a key that sorts as the numbers do.
func key(numbers ...int64) string {
	b := make([]byte, 0, 8*len(numbers))
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint64(b, uint64(n)^1<<63)
	}
	return string(b)
}

func priority(key string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(key))
	sum := h.Sum64()
	// FNV leaves the high bits of similar keys alike; this spreads them.
	sum = (sum ^ sum>>33) * 0xff51afd7ed558ccd
	return sum ^ sum>>33
}

func (t tree[V]) get(key string) (value V, found bool) {
	for n := t.root; n != nil; {
		switch {
		case key < n.key:
			n = n.left
		case key > n.key:
			n = n.right
		default:
			return n.value, true
		}
	}
	return value, false
}

// with returns the tree with one value put.
func (t tree[V]) with(key string, value V) tree[V] {
	below, above := split(t.without(key).root, key)
	return tree[V]{merge(merge(below, &node[V]{key: key, priority: priority(key), value: value}), above)}
}

// without returns the tree with one value removed.
func (t tree[V]) without(key string) tree[V] {
	if _, found := t.get(key); !found {
		return t
	}
	return tree[V]{remove(t.root, key)}
}

// from returns the values whose key is at least key, in order.
func (t tree[V]) from(key string) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) { walk(t.root, key, yield) }
}

// under returns the values whose key begins with prefix, in order.
func (t tree[V]) under(prefix string) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		walk(t.root, prefix, func(k string, v V) bool { return strings.HasPrefix(k, prefix) && yield(k, v) })
	}
}

// values returns all values, in the order of their keys.
func (t tree[V]) values() iter.Seq[V] {
	return func(yield func(V) bool) { walk(t.root, "", func(_ string, v V) bool { return yield(v) }) }
}

func walk[V any](n *node[V], key string, yield func(string, V) bool) bool {
	if n == nil {
		return true
	}
	if n.key < key {
		return walk(n.right, key, yield)
	}
	return walk(n.left, key, yield) && yield(n.key, n.value) && walk(n.right, key, yield)
}

// split divides a treap without key into what is below it and what is above.
func split[V any](n *node[V], key string) (below, above *node[V]) {
	if n == nil {
		return nil, nil
	}
	c := *n
	if key < n.key {
		below, c.left = split(n.left, key)
		return below, &c
	}
	c.right, above = split(n.right, key)
	return &c, above
}

func merge[V any](below, above *node[V]) *node[V] {
	switch {
	case below == nil:
		return above
	case above == nil:
		return below
	case below.priority > above.priority:
		c := *below
		c.right = merge(below.right, above)
		return &c
	default:
		c := *above
		c.left = merge(below, above.left)
		return &c
	}
}

func remove[V any](n *node[V], key string) *node[V] {
	switch {
	case key < n.key:
		c := *n
		c.left = remove(n.left, key)
		return &c
	case key > n.key:
		c := *n
		c.right = remove(n.right, key)
		return &c
	default:
		return merge(n.left, n.right)
	}
}
