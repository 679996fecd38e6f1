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
	get, held, unlocked, put, drop string
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
		get:  s.text(get),
		held: s.text(get),
		put:  s.text(m.upsert()),
		drop: s.text(squirrel.Delete(m.table).Where("site_id = ? AND id = ?")),
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

// keyed holds the records of a mapping. Ids are numbers or texts.
type keyed[T any] struct {
	tx *tx
	m  mapping[T]
	tableStatements
}

func keyedOf[T any](t *tx, m mapping[T]) keyed[T] { return keyed[T]{t, m, statementsOf(t.store, m)} }

func (r keyed[T]) get(of site.ID, id any) (T, error) {
	statement := r.tableStatements.get
	if r.tx.writes {
		statement = r.held
	}
	return one(r.tx, r.m, statement, int64(of), id)
}

func (r keyed[T]) getUnlocked(of site.ID, id any) (T, error) {
	if number, is := id.(int64); is && r.tx.readsOutsideTx() {
		return getUnlocked(r.tx, r.m, r.unlocked, of, number)
	}
	return r.get(of, id)
}

// Put stores a record, whether or not there is one with its key.
func (r keyed[T]) Put(v T) error {
	written := r.m.written(&v)
	if r.putting.Text != "" {
		if ok, err := r.tx.planRecord(r.putting, r.m.table, r.m.keys, written); ok {
			return err
		}
	}
	_, err := r.tx.write(r.m.table, r.put, written)
	return err
}

func (r keyed[T]) drop(of site.ID, id any) error {
	n, err := r.tx.exec(r.tableStatements.drop, int64(of), id)
	if err == nil && n == 0 {
		return fmt.Errorf("%s: %w", r.m.table, fault.NotFound)
	}
	return err
}

// existing runs a query for those of ids that there are.
func existing[ID ~int64](t *tx, statement string, of site.ID, ids []ID) ([]ID, error) {
	return idsOf[ID](t, statement, int64(of), t.store.dialect.Numbers(plain(ids)))
}

// idsOf lists the ids that a statement reads.
func idsOf[ID ~int64](t *tx, statement string, args ...any) ([]ID, error) {
	found, err := list(t, numberColumn, statement, args...)
	out := make([]ID, len(found))
	for i, id := range found {
		out[i] = ID(id)
	}
	return out, err
}
