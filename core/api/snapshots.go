package api

import (
	"context"
	"sync"

	"github.com/vitrine-crm/vitrine/core/site"
)

// Snapshots keeps what was last read about every site that was asked for, whole
// and immutable, at a revision that the head of the site counts.
type Snapshots[T any] struct {
	revision func(*T) int64
	load     func(context.Context, site.ID) (*T, error)

	mu   sync.RWMutex
	byID map[site.ID]*T
}

// NewSnapshots keeps what load reads; revision tells how new that is.
func NewSnapshots[T any](revision func(*T) int64, load func(context.Context, site.ID) (*T, error)) *Snapshots[T] {
	return &Snapshots[T]{revision: revision, load: load, byID: map[site.ID]*T{}}
}

// At returns what is known of a site at a revision or later.
func (k *Snapshots[T]) At(ctx context.Context, id site.ID, revision int64) (*T, error) {
	k.mu.RLock()
	known := k.byID[id]
	k.mu.RUnlock()
	if known != nil && k.revision(known) >= revision {
		return known, nil
	}
	fresh, err := k.load(ctx, id)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if known := k.byID[id]; known != nil && k.revision(known) > k.revision(fresh) {
		return known, nil
	}
	k.byID[id] = fresh
	return fresh, nil
}
