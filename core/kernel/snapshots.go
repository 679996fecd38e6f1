package kernel

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// SnapshotKind is a kind of immutable data of a site, at a revision in the head of the site.
type SnapshotKind[T any] struct {
	Name     string
	Revision func(*T) int64
	Load     func(context.Context, site.ID) (*T, error)
	// Bytes returns its memory.
	Bytes func(*T) int
}

// At returns the data of a site at a revision or later.
func (of SnapshotKind[T]) At(ctx context.Context, k *Kernel, id site.ID, revision int64) (*T, error) {
	return memory.Get(ctx, k.snapshots, memory.Key{Site: id, Kind: of.Name}, snapshot[T]{of, id, revision})
}

// snapshot is the memory.Source of a revision.
type snapshot[T any] struct {
	of       SnapshotKind[T]
	id       site.ID
	revision int64
}

// Serves implements memory.Source.
func (s snapshot[T]) Serves(held *T) bool { return s.of.Revision(held) >= s.revision }

// Load implements memory.Source.
func (s snapshot[T]) Load(ctx context.Context, _ *T, _ bool) (*T, error) {
	return s.of.Load(port.WithoutPatience(ctx), s.id)
}

// Bytes implements memory.Source.
func (s snapshot[T]) Bytes(held *T) int { return s.of.Bytes(held) }
