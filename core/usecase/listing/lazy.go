package listing

import (
	"context"
	"reflect"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Rendition names one record as one class of callers sees it. Equal renditions
// have equal records, so a transport may keep what it made of a record and
// never ask for it again. The zero Rendition names nothing and must not be kept.
type Rendition struct {
	Site     site.ID
	Product  product.ID
	Version  int64
	Settings int64
	Parent   product.ID
	Lots     int
	Parts    product.Parts
	// Rejections is the revision of the site's rejections when the product has any
	// that the caller sees, and otherwise 0.
	Rejections int64
	// Public is the view of credentials that only feed websites.
	Public bool
}

// Deferred is an answer that is known by name before it is built.
type Deferred interface {
	// Renditions names the records, in order.
	Renditions() []Rendition
	// Each makes the records at the given places of Renditions, and gives each to take, with
	// its index among the places. It is good until take returns. A record that vanished
	// meanwhile is left out.
	Each(ctx context.Context, places []int, take func(i int, record any) error) error
	// Single tells one record from a list of records.
	Single() bool
	// Elem is the type of a record.
	Elem() reflect.Type
	// Guarded tells records with secrets or personal data in them, which must not
	// be compressed together with text of others.
	Guarded() bool
}

// Records is a deferred list.
type Records[T any] struct {
	names   []Rendition
	guarded bool
	build   func(ctx context.Context, places []int) ([]*T, error)
	// draw makes the same records as build, each in the memory of the one before; nil where
	// there is no other way than build.
	draw func(ctx context.Context, places []int, take func(int, *T) error) error
}

// Renditions implements Deferred.
func (r Records[T]) Renditions() []Rendition { return r.names }

// Each implements Deferred.
func (r Records[T]) Each(ctx context.Context, places []int, take func(int, any) error) error {
	if r.draw != nil {
		return r.draw(ctx, places, func(i int, record *T) error { return take(i, record) })
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

// Single implements Deferred.
func (r Records[T]) Single() bool { return false }

// Elem implements Deferred.
func (r Records[T]) Elem() reflect.Type { return reflect.TypeFor[T]() }

// Guarded implements Deferred.
func (r Records[T]) Guarded() bool { return r.guarded }

// All builds every record that still exists, for callers without a cache.
func (r Records[T]) All(ctx context.Context) ([]T, error) {
	places := make([]int, len(r.names))
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

// Record is a deferred single record, of which the version is known before it is
// built.
type Record[T any] struct {
	Records[T]
	version kernel.Version
}

// Version is that of the record. It may be older than what is built of it, never
// newer.
func (r Record[T]) Version() kernel.Version { return r.version }

// Single implements Deferred.
func (r Record[T]) Single() bool { return true }
