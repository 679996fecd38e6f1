package sqlstore

import (
	"fmt"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// tableStatements are the statements about a table whose records have a site_id
// and an id.
type tableStatements struct {
	get, held, unlocked, many, existing, scan, put, drop string
	// putting is put as a part of the statement that stores plans; empty where records have
	// other keys.
	putting plan.Part
}

// statementsOf are the statements about the table of a mapping. They are made once.
func statementsOf[T any](s *Store, m mapping[T]) tableStatements {
	made, known := s.tables.Load(m.table)
	if !known {
		made, _ = s.tables.LoadOrStore(m.table, makeStatements(s, m))
	}
	return made.(tableStatements)
}

func makeStatements[T any](s *Store, m mapping[T]) tableStatements {
	get := m.find("site_id = ? AND id = ?")
	made := tableStatements{
		get:      s.text(get),
		held:     s.text(get),
		many:     s.text(m.find("site_id = ? AND id " + s.dialect.Among).OrderBy("id")),
		existing: s.text(squirrel.Select("id").From(m.table).Where("site_id = ? AND id " + s.dialect.Among).OrderBy("id")),
		scan:     s.text(m.find("site_id = ? AND id > ?").OrderBy("id").Suffix("LIMIT ?")),
		put:      s.text(m.upsert()),
		drop:     s.text(squirrel.Delete(m.table).Where("site_id = ? AND id = ?")),
	}
	if s.dialect.Plans {
		made.unlocked = s.text(versionedOf(m).find("site_id = ? AND id = ?"))
		if slices.Equal(m.keys, []string{"site_id", "id"}) {
			made.putting = putting(s.dialect, m)
		}
	}
	if held := s.dialect.Held; held != "" {
		made.held = s.text(get.Suffix(held))
	}
	return made
}

// table holds the records of a mapping.
type table[ID ~int64, T any] struct {
	tx *tx
	m  mapping[T]
	tableStatements
}

func tableOf[ID ~int64, T any](t *tx, m mapping[T]) table[ID, T] {
	return table[ID, T]{t, m, statementsOf(t.store, m)}
}

func (r table[ID, T]) Get(of site.ID, id ID) (T, error) {
	statement := r.get
	if r.tx.writes {
		statement = r.held
	}
	return one(r.tx, r.m, statement, int64(of), int64(id))
}

// GetUnlocked implements port.Table.
func (r table[ID, T]) GetUnlocked(of site.ID, id ID) (T, error) {
	if r.tx.readsOutsideTx() {
		return getUnlocked(r.tx, r.m, r.unlocked, of, int64(id))
	}
	return r.Get(of, id)
}

func (r table[ID, T]) Many(of site.ID, ids []ID) ([]T, error) {
	return list(r.tx, r.m, r.many, int64(of), r.tx.store.dialect.Numbers(plain(ids)))
}

func (r table[ID, T]) Existing(of site.ID, ids []ID) ([]ID, error) {
	return existing(r.tx, r.existing, of, ids)
}

// existing runs a query for those of ids that there are.
func existing[ID ~int64](t *tx, statement string, of site.ID, ids []ID) ([]ID, error) {
	found, err := list(t, numberColumn, statement, int64(of), t.store.dialect.Numbers(plain(ids)))
	out := make([]ID, len(found))
	for i, id := range found {
		out[i] = ID(id)
	}
	return out, err
}

func (r table[ID, T]) Scan(of site.ID, after ID, n int) ([]T, error) {
	return list(r.tx, r.m, r.scan, int64(of), int64(after), max(n, 0))
}

func (r table[ID, T]) Put(v T) error {
	written := r.m.written(&v)
	if r.putting.Text != "" {
		if ok, err := r.tx.planRecord(r.putting, r.m.table, r.m.keys, written); ok {
			return err
		}
	}
	_, err := r.tx.write(r.m.table, r.put, written)
	return err
}

func (r table[ID, T]) Delete(of site.ID, id ID) error {
	n, err := r.tx.exec(r.drop, int64(of), int64(id))
	if err == nil && n == 0 {
		return fmt.Errorf("%s %d: %w", r.m.table, id, fault.NotFound)
	}
	return err
}

// register is a port.Register.
type register[T any] struct {
	tx *tx
	m  mapping[T]
}

func (r register[T]) Of(id site.ID) ([]T, error) {
	return list(r.tx, r.m, r.tx.store.text(r.m.find("site_id = ?").OrderBy("id")), int64(id))
}

func (r register[T]) Put(v T) error { return put(r.tx, r.m, v) }
