package sqlstore

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// beginPlan makes the plan of the unit one about a site, if it can be, and returns it.
func (t *tx) beginPlan(id site.ID) (*plan.Plan, bool) {
	if t.plan == nil || t.reading() != nil {
		return nil, false
	}
	t.about = cmp.Or(t.about, id)
	return t.plan, t.plan.Assume(t.ctx, id)
}

// planOf returns the plan of the unit if it is about a site already.
func (t *tx) planOf(id site.ID) (*plan.Plan, bool) {
	return t.plan, t.plan != nil && t.reading() == nil && t.plan.Site() == id
}

// planRecords writes records to the plan of the unit, and reports whether it is about their site.
func planRecords[T any](t *tx, part plan.Part, m mapping[T], records ...T) (bool, error) {
	for i := range records {
		if ok, err := t.planRecord(part, m.table, m.keys, m.written(&records[i])); !ok || err != nil {
			return ok, err
		}
	}
	return true, nil
}

// planRecord writes a record to the plan of the unit, and reports whether it is about its site. The
// last one of its keys is that within the site.
func (t *tx) planRecord(part plan.Part, table string, keys []string, written row) (bool, error) {
	if t.plan == nil || t.plan.Site() == 0 {
		return false, nil
	}
	if err := t.reading(); err != nil {
		return true, err
	}
	fields, err := written.fields()
	if err != nil {
		return true, t.fail(fmt.Errorf("writing %s: %w", table, err))
	}
	id, isNumber := fields[keys[len(keys)-1]].(int64)
	key := plan.Record{Table: table, Site: fields["site_id"].(int64), ID: id}
	if !isNumber || site.ID(key.Site) != t.plan.Site() {
		return false, nil
	}
	t.plan.Write(part, key, fields)
	return true, nil
}

// readsOutsideTx reports whether the unit can read without a transaction: it has none, and has
// written nothing that it would have to find.
func (t *tx) readsOutsideTx() bool {
	return t.plan != nil && t.writing() == nil && t.plan.IsEmpty()
}

// outsideTx runs queries outside any transaction. What is wrong with them is wrong with the
// unit.
func (t *tx) outsideTx(read func(*tx) error) error {
	outside := t.store.outsideTx(t.ctx)
	err := read(outside)
	if outside.broken != nil || outside.isOtherTimeline {
		t.broken, t.again, t.isOtherTimeline = outside.broken, outside.again, outside.isOtherTimeline
	}
	return err
}

// versioned is a record and the version of its row.
type versioned[T any] struct {
	record  T
	version string
}

func versionedOf[T any](m mapping[T]) mapping[versioned[T]] {
	return mapping[versioned[T]]{
		table: m.table,
		row: func(v *versioned[T]) row {
			return append(m.row(&v.record), column{plan.Version, text(&v.version)})
		},
	}
}

// getUnlocked reads a record outside any transaction, with a statement about versioned records.
func getUnlocked[T any](t *tx, m mapping[T], statement string, of site.ID, id int64) (T, error) {
	var found versioned[T]
	err := t.outsideTx(func(outside *tx) (err error) {
		found, err = one(outside, versionedOf(m), statement, int64(of), id)
		return err
	})
	if err == nil {
		t.plan.See(plan.Seen{Record: plan.Record{Table: m.table, Site: int64(of), ID: id}, Version: found.version})
	}
	return found.record, err
}

// lockSeen locks what the unit has read before its transaction began, if it is still so.
func (t *tx) lockSeen(p *plan.Plan) error {
	lock := func(statement string, args ...any) error {
		locked, err := list(t, numberColumn, statement, args...)
		if err == nil && len(locked) == 0 {
			t.broken = plan.ErrNeedsTx
			err = t.broken
		}
		return err
	}
	for _, s := range p.Seen() {
		same := squirrel.Select("id AS n").From(s.Table).Where("site_id = ? AND id = ? AND " + plan.Version + " = ?").Suffix(t.store.dialect.Held)
		if err := lock(t.store.text(same), s.Site, s.ID, s.Version); err != nil {
			return err
		}
	}
	if p.Open() != 0 {
		return lock(t.store.hot.keepOpen, int64(p.Open()))
	}
	return nil
}

// putting is the part that stores records, whether or not there are some with their keys.
func putting[T any](d Dialect, m mapping[T]) plan.Part {
	return into(d, "put_", m, m.replacing())
}

// adding is the part that stores new records.
func adding[T any](d Dialect, m mapping[T]) plan.Part { return into(d, "added_", m, "") }

func into[T any](d Dialect, verb string, m mapping[T], suffix string) plan.Part {
	names := m.written(new(T)).names()
	return plan.Part{Name: verb + m.table, Text: verb + m.table + " AS (INSERT INTO " + m.table + " (" + strings.Join(names, ", ") + ") " +
		d.Rows(m.table, names) + " AS added JOIN met USING (site_id) " + suffix + ")"}
}

// changing is the part that stores new states of records that are there.
func changing[T any](d Dialect, m mapping[T]) plan.Part {
	var same []string
	for _, name := range m.keys {
		same = append(same, m.table+"."+name+" = changed."+name)
	}
	name := "changed_" + m.table
	return plan.Part{Name: name, Text: name + " AS (UPDATE " + m.table + " SET " + m.takenFrom("changed") +
		" FROM (" + d.Rows(m.table, m.written(new(T)).names()) + ") AS changed JOIN met USING (site_id) WHERE " + strings.Join(same, " AND ") + ")"}
}
