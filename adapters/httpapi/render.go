package httpapi

import (
	"bytes"
	"context"
	"reflect"

	"github.com/maypok86/otter/v2"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/listing"
)

// renderings keeps the JSON of records that have a name, so that what did not
// change is neither read nor encoded again. Equal names have equal records: there
// is nothing to invalidate, only to forget.
type renderings struct {
	cache *otter.Cache[rendering, rendered]
}

type rendering struct {
	listing.Rendition
	elem reflect.Type
}

// rendered is the JSON of a record, with its tag once it was read by itself.
type rendered struct {
	json []byte
	tag  string
}

// entryBytes is about what an entry takes beside its JSON.
const entryBytes = 320

func newRenderings(maximum int) *renderings {
	return &renderings{otter.Must(&otter.Options[rendering, rendered]{
		MaximumWeight: uint64(max(maximum, 0)),
		Weigher:       func(_ rendering, r rendered) uint32 { return uint32(len(r.json) + entryBytes) },
	})}
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

// build makes what is missing and writes it to a buffer. Parts without a name stay
// there.
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
		if names[place] != (listing.Rendition{}) {
			parts[place].json = bytes.Clone(parts[place].json)
			c.cache.Set(rendering{names[place], answer.Elem()}, parts[place])
		}
		return nil
	})
}

// tag is that of a single record, which is made when it is first wanted and kept
// with the JSON.
func (c *renderings) tag(answer listing.Deferred, name listing.Rendition, r rendered) string {
	if r.tag != "" {
		return r.tag
	}
	var version api.Version
	if single, ok := answer.(interface{ Version() api.Version }); ok {
		version = single.Version()
	}
	r.tag = tagOf(version, r.json)
	if name != (listing.Rendition{}) {
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
