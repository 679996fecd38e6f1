package sqlstore

import (
	"maps"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// A unit of work that has begun no transaction cannot hold what it reads. It remembers the
// version of the row, and what it writes is stored only if that is still the row's. When it
// begins a transaction after all, it takes hold of the row as it was seen, or is run again.

// seen is a row that a unit of work is based on and does not hold.
type seen struct {
	table string
	Site  int64 `json:"site_id"`
	ID    int64 `json:"id"`
	// Version is the transaction that wrote the row. No other one had that number while
	// the unit ran.
	Version string `json:"row_version"`
}

func (s seen) key() recordKey { return recordKey{s.table, s.Site, s.ID} }

// recordKey names a record.
type recordKey struct {
	table    string
	site, id int64
}

// rowVersion is the column of seen.Version.
const rowVersion = "xmin::text"

// versioned is a record and the version of its row.
type versioned[T any] struct {
	record  T
	version string
}

func versionedOf[T any](m mapping[T]) mapping[versioned[T]] {
	return mapping[versioned[T]]{
		table: m.table,
		row: func(v *versioned[T]) row {
			return append(m.row(&v.record), column{rowVersion, text(&v.version)})
		},
	}
}

// mayExpect reports whether the unit can read a record without holding it: it has no
// transaction, and what it has written so far is not yet there to be read.
func (t *tx) mayExpect() bool {
	return t.later != nil && t.raw == nil && t.writing() == nil && len(t.later.parts) == 0 && len(t.later.events) == 0
}

// expect reads a record with a statement about versioned records.
func expect[T any](t *tx, m mapping[T], statement string, of site.ID, id int64) (T, error) {
	var found versioned[T]
	err := t.readApart(func(apart *tx) (err error) {
		found, err = one(apart, versionedOf(m), statement, int64(of), id)
		return err
	})
	if err == nil {
		t.later.seen = append(t.later.seen, seen{m.table, int64(of), id, found.version})
	}
	return found.record, err
}

// basedOnNothing reads what nothing can rely on. A unit that has no transaction, and has
// seen nothing that such a reading could belong to, needs none for it.
func (t *tx) basedOnNothing(read func(*tx) error) error {
	if t.mayExpect() && len(t.later.seen) == 0 {
		return t.readApart(read)
	}
	return read(t)
}

// seesOpen reports whether a unit that has no transaction, and has written nothing, sees that
// a site takes changes. One that writes nothing in the end needs to hold nothing.
func (t *tx) seesOpen(id site.ID) bool {
	if !t.mayExpect() || t.later.of != nil {
		return false
	}
	found, err := t.store.head(t.ctx, id)
	if err != nil || !found.here || !found.State.TakesChanges() {
		return false // what is wrong is told by a transaction
	}
	if t.later.open == nil {
		t.later.open = map[site.ID]bool{}
	}
	t.later.open[id] = true
	return true
}

// holdSeen takes hold of what the unit has seen, in a transaction that has begun.
func (t *tx) holdSeen(seen *collected) error {
	hold := func(statement string, args ...any) error {
		held, err := list(t, numberColumn, statement, args...)
		if err == nil && len(held) == 0 {
			t.broken = errCollected
			err = t.broken
		}
		return err
	}
	for _, s := range seen.seen {
		if err := hold(t.store.text(heldAsSeen(t.store.dialect, s.table)), s.Site, s.ID, s.Version); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(seen.open)) {
		if err := hold(t.store.hot.keepOpen, int64(id)); err != nil {
			return err
		}
	}
	return nil
}

func heldAsSeen(d Dialect, table string) squirrel.Sqlizer {
	return squirrel.Select("id AS n").From(table).Where("site_id = ? AND id = ? AND " + rowVersion + " = ?").Suffix(d.Held)
}
