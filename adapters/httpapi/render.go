package httpapi

import (
	"bytes"
	"context"
	"hash/maphash"
	"reflect"
	"sync/atomic"

	"github.com/maypok86/otter/v2"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// renderings caches the JSON of records by their keys, so that what did not change is neither
// read nor encoded again. Equal keys have equal records: nothing is invalidated, only evicted.
type renderings struct {
	cache *otter.Cache[rendering, rendered]
	// full reports that something was evicted to make room.
	full   atomic.Bool
	missed misses
}

type rendering struct {
	listing.RenderKey
	elem reflect.Type
}

// rendered is the JSON of a record, with its ETag once it was read by itself.
type rendered struct {
	json []byte
	tag  string
	// kept reports that the JSON has memory of its own, in the cache.
	kept bool
}

// entryBytes is about the memory of an entry without its JSON.
const entryBytes = 320

func newRenderings(maximum int) *renderings {
	c := &renderings{missed: newMisses(maximum / smallBytes)}
	c.cache = otter.Must(&otter.Options[rendering, rendered]{
		MaximumWeight: uint64(max(maximum, 1)), // 1 is too small for any entry
		Weigher:       func(_ rendering, r rendered) uint32 { return uint32(len(r.json) + entryBytes) },
		OnAtomicDeletion: func(e otter.DeletionEvent[rendering, rendered]) {
			if e.WasEvicted() {
				c.full.Store(true)
			}
		},
	})
	return c
}

// admits reports whether to cache a record that was missing: any while there is room, and
// then those that were missing before. Most records of a catalogue that is larger than the
// cache would be evicted before they are requested again, and caching one costs a copy and
// evicts another.
func (c *renderings) admits(key listing.RenderKey) bool {
	return key != (listing.RenderKey{}) && (!c.full.Load() || c.missed.again(key))
}

// misses are the hashes of keys that were missing lately, each in one place. Of two keys with
// the same place the first stays until the second has been missing twice, so that both are
// found when they are missing in turn.
type misses struct {
	seed   maphash.Seed
	places []atomic.Uint64
}

// smallBytes is the memory of a small record: as many misses are stored as such records fit
// into the cache.
const smallBytes = 1024

// waited marks a key after another one with the same place was missing.
const waited = 1

func newMisses(n int) misses {
	return misses{maphash.MakeSeed(), make([]atomic.Uint64, max(n, 1))}
}

// again reports whether a key was missing before. If so it removes the key, and otherwise it
// stores it. Of concurrent keys some may get lost.
func (m *misses) again(key listing.RenderKey) bool {
	hash := maphash.Comparable(m.seed, key)
	place := &m.places[hash%uint64(len(m.places))]
	hash &^= waited
	switch known := place.Load(); {
	case known&^waited == hash:
		place.Store(0)
		return true
	case known == 0 || known&waited != 0:
		place.Store(hash)
	default:
		place.Store(known | waited)
	}
	return false
}

// append writes the records of a lazy answer, as one value or as an array. All missing ones
// are built by one call.
func (c *renderings) append(ctx context.Context, out *bytes.Buffer, answer listing.Lazy, record appender) error {
	keys := answer.Keys()
	exchangeOf(ctx).guarded = answer.Guarded()
	parts := make([]rendered, len(keys))
	var missing []int
	for place, key := range keys {
		if key != (listing.RenderKey{}) {
			if known, ok := c.cache.GetIfPresent(rendering{key, answer.Elem()}); ok {
				parts[place] = known
				continue
			}
		}
		missing = append(missing, place)
	}
	if len(missing) > 0 {
		built := buffers.Get().(*bytes.Buffer)
		defer reuse(built)
		if err := c.build(ctx, answer, record, keys, missing, parts, built); err != nil {
			return err
		}
	}
	if answer.Single() {
		if len(parts) == 0 || parts[0].json == nil {
			return fault.New(fault.NotFound, fault.CodeNotFound, "there is no such resource")
		}
		exchangeOf(ctx).tag = c.tag(answer, keys[0], parts[0])
		out.Write(parts[0].json)
		return nil
	}
	writeArray(out, parts)
	return nil
}

// build encodes the missing records into a buffer, from which those to cache are copied.
func (c *renderings) build(
	ctx context.Context, answer listing.Lazy, record appender, keys []listing.RenderKey, missing []int, parts []rendered, json *bytes.Buffer,
) error {
	return answer.Each(ctx, missing, func(i int, built any) error {
		start := json.Len()
		if err := record.append(json, reflect.ValueOf(built)); err != nil {
			return err
		}
		place := missing[i]
		parts[place] = rendered{json: json.Bytes()[start:]}
		if c.admits(keys[place]) {
			parts[place].json, parts[place].kept = bytes.Clone(parts[place].json), true
			c.cache.Set(rendering{keys[place], answer.Elem()}, parts[place])
		}
		return nil
	})
}

// tag returns the ETag of a single record. It is computed when it is first needed, and cached
// with the JSON.
func (c *renderings) tag(answer listing.Lazy, key listing.RenderKey, r rendered) string {
	if r.tag != "" {
		return r.tag
	}
	var version kernel.Version
	if single, ok := answer.(interface{ Version() kernel.Version }); ok {
		version = single.Version()
	}
	r.tag = tagOf(version, r.json)
	if r.kept {
		c.cache.Set(rendering{key, answer.Elem()}, r)
	}
	return r.tag
}

// writeArray writes an array without the records that were deleted meanwhile.
func writeArray(out *bytes.Buffer, parts []rendered) {
	size := 2
	for _, part := range parts {
		size += len(part.json) + 1
	}
	out.Grow(size)
	out.WriteByte('[')
	first := true
	for _, part := range parts {
		if part.json == nil {
			continue
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.Write(part.json)
	}
	out.WriteByte(']')
}
