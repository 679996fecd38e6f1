// Package mirrortest holds the rules of a mirror's copy as a suite of tests, and a copy in memory
// whose answers others must give too.
package mirrortest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// Model is a copy in memory.
type Model struct {
	mu      sync.Mutex
	state   mirror.State
	records map[mirror.Key]stored
	marks   map[mirror.Key]mirror.Mark
}

// stored is a record with the revision at which it was stored.
type stored struct {
	mirror.Record
	revision int64
}

// NewModel returns an empty copy.
func NewModel() *Model {
	return &Model{records: map[mirror.Key]stored{}, marks: map[mirror.Key]mirror.Mark{}}
}

// State returns the state of the last change.
func (m *Model) State(context.Context) (mirror.State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state, nil
}

// Store stores a change.
func (m *Model) Store(_ context.Context, c mirror.Change) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state = c.State
	for _, one := range c.End {
		if m.marks[one.Key].Generation == one.Generation {
			delete(m.marks, one.Key)
		}
	}
	for _, one := range c.Postpone {
		if m.marks[one.Key].Generation == one.Generation {
			one.Since, one.Asked = m.marks[one.Key].Since, 0
			m.marks[one.Key] = one
		}
	}
	for _, one := range c.Put {
		if m.records[one.Key].revision > c.Asked {
			m.mark(one.Key, c.At)
			continue
		}
		m.records[one.Key] = stored{one, c.State.Revision}
	}
	for _, key := range c.Mark {
		m.mark(key, c.At)
	}
	for _, one := range m.records {
		if one.Parent != 0 && slices.Contains(c.MarkLots, one.Parent) {
			m.mark(one.Key, c.At)
		}
	}
	if c.Compare != nil {
		m.compare(*c.Compare, c.At)
	}
	return nil
}

func (m *Model) mark(key mirror.Key, at time.Time) {
	one, marked := m.marks[key]
	if !marked {
		one = mirror.Mark{Key: key, Since: at}
	}
	one.Generation, one.Tries, one.Due = one.Generation+1, 0, at
	m.marks[key] = one
}

func (m *Model) compare(s mirror.Stretch, at time.Time) {
	for _, id := range s.IDs {
		if key := (mirror.Key{Kind: mirror.Product, ID: id}); !m.records[key].Shown {
			m.mark(key, at)
		}
	}
	for key, one := range m.records {
		if key.Kind == mirror.Product && one.Shown && key.ID > s.After && (s.UpTo == 0 || key.ID <= s.UpTo) && !slices.Contains(s.IDs, key.ID) {
			m.mark(key, at)
		}
	}
}

// Marks returns up to n marks in the order in which they are due.
func (m *Model) Marks(_ context.Context, n int) ([]mirror.Mark, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := slices.SortedFunc(maps.Values(m.marks), func(a, b mirror.Mark) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
	})
	found = found[:min(n, len(found))]
	for i := range found {
		found[i].Asked = m.state.Revision
	}
	return found, nil
}

// Record returns a record as it is stored.
func (m *Model) Record(_ context.Context, key mirror.Key) (mirror.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := m.records[key].Record
	found.Key = key
	return found, nil
}
