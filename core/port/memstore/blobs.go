package memstore

import (
	"bytes"
	"context"
	"io"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
)

// Blobs is a port.Blobs in memory.
type Blobs struct {
	now   func() time.Time
	mu    sync.RWMutex
	byKey map[string]kept
}

type kept struct {
	content  []byte
	modified time.Time
}

var _ port.Blobs = (*Blobs)(nil)

// NewBlobs keeps nothing yet.
func NewBlobs(now func() time.Time) *Blobs { return &Blobs{now: now, byKey: map[string]kept{}} }

// Put implements port.Blobs.
func (b *Blobs) Put(ctx context.Context, key string, content []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.byKey[key] = kept{bytes.Clone(content), b.now()}
	return nil
}

// Open implements port.Blobs.
func (b *Blobs) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	found, ok := b.byKey[key]
	if !ok {
		return nil, absent("blob", key)
	}
	return opened{bytes.NewReader(found.content)}, nil
}

type opened struct{ *bytes.Reader }

func (opened) Close() error { return nil }

// Delete implements port.Blobs.
func (b *Blobs) Delete(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.byKey, key)
	return nil
}

// All implements port.Blobs.
func (b *Blobs) All(ctx context.Context) iter.Seq2[port.Blob, error] {
	return func(yield func(port.Blob, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(port.Blob{}, err)
			return
		}
		b.mu.RLock()
		snapshot := maps.Clone(b.byKey)
		b.mu.RUnlock()
		for _, key := range slices.Sorted(maps.Keys(snapshot)) {
			found := snapshot[key]
			if !yield(port.Blob{Key: key, Size: int64(len(found.content)), Modified: found.modified}, nil) {
				return
			}
		}
	}
}
