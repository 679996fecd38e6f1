package siteapi

import (
	"context"
	"sync"

	"github.com/vitrine-crm/vitrine/core/site"
)

// remembered keeps what was last read about every site that was asked for, whole
// and immutable, at a revision that the head of the site counts.
type remembered[T any] struct {
	revision func(*T) int64
	load     func(*Service, context.Context, site.ID) (*T, error)

	mu   sync.RWMutex
	byID map[site.ID]*T
}

func newRemembered[T any](revision func(*T) int64, load func(*Service, context.Context, site.ID) (*T, error)) *remembered[T] {
	return &remembered[T]{revision: revision, load: load, byID: map[site.ID]*T{}}
}

// at returns what is known of a site at a revision or later.
func (k *remembered[T]) at(ctx context.Context, s *Service, id site.ID, revision int64) (*T, error) {
	k.mu.RLock()
	known := k.byID[id]
	k.mu.RUnlock()
	if known != nil && k.revision(known) >= revision {
		return known, nil
	}
	fresh, err := k.load(s, ctx, id)
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
