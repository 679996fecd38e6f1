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

// renderings keeps the JSON of records that have a name, so that what did not
// change is neither read nor encoded again. Equal names have equal records: there
// is nothing to invalidate, only to forget.
type renderings struct {
	cache *otter.Cache[rendering, rendered]
	// full is that something had to be forgotten to make room.
	full   atomic.Bool
	missed misses
}

type rendering struct {
	listing.Rendition
	elem reflect.Type
}

// rendered is the JSON of a record, with its tag once it was read by itself.
type rendered struct {
	json []byte
	tag  string
	// kept is that the JSON has memory of its own, in the cache.
	kept bool
}

// entryBytes is about what an entry takes beside its JSON.
const entryBytes = 320

func newRenderings(maximum int) *renderings {
	c := &renderings{missed: newMisses(maximum / smallBytes)}
	c.cache = otter.Must(&otter.Options[rendering, rendered]{
		MaximumWeight: uint64(max(maximum, 1)), // in which nothing has room
		Weigher:       func(_ rendering, r rendered) uint32 { return uint32(len(r.json) + entryBytes) },
		OnAtomicDeletion: func(e otter.DeletionEvent[rendering, rendered]) {
			if e.WasEvicted() {
				c.full.Store(true)
			}
		},
	})
	return c
}

// admits reports whether a record that was missing is to be kept: any, while there is
// room, and then those that were missing before. Most records of a catalogue that is
// larger than the cache are not asked for again while they would stay, and keeping one
// costs a copy and the place of another.
func (c *renderings) admits(name listing.Rendition) bool {
	return name != (listing.Rendition{}) && (!c.full.Load() || c.missed.again(name))
}

// misses are the names that were missing lately, by their hashes, each in one place. Of two
// names in one place the first stays until the second has been missing twice, so that both
// are found when they are missing in turn.
type misses struct {
	seed   maphash.Seed
	places []atomic.Uint64
}

// smallBytes is what a small record takes: about so many of the names that the cache has
// room for are remembered.
const smallBytes = 1024

// waited marks a name in whose place another one wanted to be.
const waited = 1

func newMisses(n int) misses {
	return misses{maphash.MakeSeed(), make([]atomic.Uint64, max(n, 1))}
}

// again reports whether a name was missing before, and remembers it or forgets it then.
// Names that come at the same time may be forgotten.
func (m *misses) again(name listing.Rendition) bool {
	hash := maphash.Comparable(m.seed, name)
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

// append writes the records of a deferred answer, as one value or as an array.
// Everything missing is built in one go.
func (c *renderings) append(ctx context.Context, out *bytes.Buffer, answer listing.Deferred, record appender) error {
	names := answer.Renditions()
	exchangeOf(ctx).guarded = answer.Guarded()
	parts := make([]rendered, len(names))
	var missing []int
	for place, name := range names {
		if name != (listing.Rendition{}) {
			if known, ok := c.cache.GetIfPresent(rendering{name, answer.Elem()}); ok {
				parts[place] = known
				continue
			}
		}
		missing = append(missing, place)
	}
	if len(missing) > 0 {
		built := buffers.Get().(*bytes.Buffer)
		defer reuse(built)
		if err := c.build(ctx, answer, record, names, missing, parts, built); err != nil {
			return err
		}
	}
	if answer.Single() {
		if len(parts) == 0 || parts[0].json == nil {
			return fault.New(fault.NotFound, fault.CodeNotFound, "there is no such resource")
		}
		exchangeOf(ctx).tag = c.tag(answer, names[0], parts[0])
		out.Write(parts[0].json)
		return nil
	}
	writeArray(out, parts)
	return nil
}

// build makes what is missing and writes it to a buffer, which has all that is not kept.
func (c *renderings) build(
	ctx context.Context, answer listing.Deferred, record appender, names []listing.Rendition, missing []int, parts []rendered, json *bytes.Buffer,
) error {
	return answer.Each(ctx, missing, func(i int, built any) error {
		start := json.Len()
		if err := record.append(json, reflect.ValueOf(built)); err != nil {
			return err
		}
		place := missing[i]
		parts[place] = rendered{json: json.Bytes()[start:]}
		if c.admits(names[place]) {
			parts[place].json, parts[place].kept = bytes.Clone(parts[place].json), true
			c.cache.Set(rendering{names[place], answer.Elem()}, parts[place])
		}
		return nil
	})
}

// tag is that of a single record, which is made when it is first wanted and kept
// with the JSON, where that is kept.
func (c *renderings) tag(answer listing.Deferred, name listing.Rendition, r rendered) string {
	if r.tag != "" {
		return r.tag
	}
	var version kernel.Version
	if single, ok := answer.(interface{ Version() kernel.Version }); ok {
		version = single.Version()
	}
	r.tag = tagOf(version, r.json)
	if r.kept {
		c.cache.Set(rendering{name, answer.Elem()}, r)
	}
	return r.tag
}

// writeArray leaves out records that vanished meanwhile.
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
