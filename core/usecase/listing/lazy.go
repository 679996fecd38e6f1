package listing

import (
	"context"
	"reflect"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// RenderKey identifies one record as one class of callers sees it. Equal keys have equal
// records, so a transport may cache what it encoded. The zero RenderKey identifies nothing
// and must not be cached.
type RenderKey struct {
	Site     site.ID
	Product  product.ID
	Version  int64
	Settings int64
	Lots     int
	Parts    product.Parts
	// Rejections is the revision of the site's rejections when the product has any
	// that the caller sees, and otherwise 0.
	Rejections int64
	// Public is the view of credentials that only feed websites.
	Public bool
}

// Lazy is an answer whose keys are known before its records are built.
type Lazy interface {
	// Keys returns the keys of the records, in order.
	Keys() []RenderKey
	// Each calls take with the records at the given places of Keys and their index among
	// the places. A record is valid until take returns. One that was deleted meanwhile is
	// left out.
	Each(ctx context.Context, places []int, take func(i int, record any) error) error
	// Single reports whether the answer is one record and not a list.
	Single() bool
	// Elem returns the type of a record.
	Elem() reflect.Type
	// Guarded reports that records contain secrets or personal data, which must not be
	// compressed together with text of others.
	Guarded() bool
}

// Records is a lazy list.
type Records[T any] struct {
	keys    []RenderKey
	guarded bool
	build   func(ctx context.Context, places []int) ([]*T, error)
	// render makes the same records as build, each in the memory of the one before; nil where
	// only build can.
	render func(ctx context.Context, places []int, take func(int, *T) error) error
}

// Keys implements Lazy.
func (r Records[T]) Keys() []RenderKey { return r.keys }

// Each implements Lazy.
func (r Records[T]) Each(ctx context.Context, places []int, take func(int, any) error) error {
	if r.render != nil {
		return r.render(ctx, places, func(i int, record *T) error { return take(i, record) })
	}
	built, err := r.build(ctx, places)
	if err != nil {
		return err
	}
	for i, record := range built {
		if record == nil {
			continue
		}
		if err := take(i, record); err != nil {
			return err
		}
	}
	return nil
}

// Single implements Lazy.
func (r Records[T]) Single() bool { return false }

// Elem implements Lazy.
func (r Records[T]) Elem() reflect.Type { return reflect.TypeFor[T]() }

// Guarded implements Lazy.
func (r Records[T]) Guarded() bool { return r.guarded }

// All returns every record that still exists, for callers without a cache.
func (r Records[T]) All(ctx context.Context) ([]T, error) {
	places := make([]int, len(r.keys))
	for i := range places {
		places[i] = i
	}
	built, err := r.build(ctx, places)
	if err != nil {
		return nil, err
	}
	out := make([]T, 0, len(built))
	for _, record := range built {
		if record != nil {
			out = append(out, *record)
		}
	}
	return out, nil
}

// Record is a lazy single record, with its version.
type Record[T any] struct {
	Records[T]
	version kernel.Version
}

// Version returns the version of the record. It may be older than that of the record which is
// built, never newer.
func (r Record[T]) Version() kernel.Version { return r.version }

// Single implements Lazy.
func (r Record[T]) Single() bool { return true }
