package ownrecords

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// rows are the records of a table, as a unit of work sees them. The first columns of the table are
// document, site_id and id.
type rows[ID ~int64, T any] struct {
	unit
	*Table[T]
	// unique is the unique key by which an insert notices that there is a row.
	unique string
	// living is what must hold of the rows that there are for most readers; it begins with AND.
	living string
	// shorten takes from a record what Scan leaves out.
	shorten func(*T)
}

const (
	ofSite = "site_id = $1"
	ofID   = ofSite + " AND id = $2"
)

// check says what the table lacks, and reserves the ids that are in it.
func (r rows[ID, T]) check(ids port.Sequence) error {
	if r.Table == nil {
		return nil
	}
	named := map[string]bool{}
	for _, c := range r.Columns {
		if named[c.Name] || c.Of == nil {
			return fmt.Errorf("the column %q of the table %q is named twice, or has no Of", c.Name, r.Name)
		}
		named[c.Name] = true
	}
	if _, err := r.list("1 = 0"); err != nil {
		return fmt.Errorf("the table %q must have the columns %s: %w", r.Name, r.names(), err)
	}
	const nothing = " (site_id) SELECT site_id FROM "
	if _, err := r.Exec("INSERT INTO " + r.Name + nothing + r.Name + " WHERE 1 = 0 ON CONFLICT " + r.unique + " DO NOTHING"); err != nil {
		return fmt.Errorf("the table %q must have a unique key %s: %w", r.Name, r.unique, err)
	}
	highest, err := first(values[int64](r.unit, "SELECT COALESCE(MAX(id), 0) FROM "+r.Name))
	if err != nil || highest == 0 {
		return err
	}
	return r.ReserveID(ids, highest)
}

// list returns the records for which a condition holds, and what follows it in a query.
func (r rows[ID, T]) list(where string, args ...any) (found []T, err error) {
	err = r.each("SELECT "+r.names()+" FROM "+r.Name+" WHERE "+where, args, func(scan func(...any) error) error {
		var record T
		into := make([]any, len(r.Columns))
		for i, c := range r.Columns {
			into[i] = c.Of(&record)
		}
		err := scan(into...)
		found = append(found, record)
		return err
	})
	return found, err
}

func (r rows[ID, T]) names() string {
	return r.join(", ", func(i int) string { return r.Columns[i].Name })
}

// join returns a text for each column.
func (r rows[ID, T]) join(between string, text func(i int) string) string {
	texts := make([]string, len(r.Columns))
	for i := range texts {
		texts[i] = text(i)
	}
	return strings.Join(texts, between)
}

// insert inserts a row, or does something else where the unique key is taken.
func (r rows[ID, T]) insert(record T, instead string) error {
	places := r.join(", ", func(i int) string { return "$" + strconv.Itoa(i+1) })
	return r.write("INSERT INTO "+r.Name+" ("+r.names()+") VALUES ("+places+") ON CONFLICT "+r.unique+" DO "+instead, record)
}

// update changes a row of which a condition holds.
func (r rows[ID, T]) update(record T, condition string) error {
	set := r.join(", ", func(i int) string { return r.Columns[i].Name + " = $" + strconv.Itoa(i+1) })
	return r.write("UPDATE "+r.Name+" SET "+set+" WHERE site_id = $2 AND id = $3"+condition, record)
}

// write runs a statement with the values of all columns.
func (r rows[ID, T]) write(statement string, record T) error {
	args := make([]any, len(r.Columns))
	for i, c := range r.Columns {
		var err error
		if args[i], err = c.Of(&record).Value(); err != nil {
			return err
		}
	}
	return r.one(statement, args...)
}

// one runs a statement that writes one row, and returns fault.NotFound if it wrote none.
func (r rows[ID, T]) one(statement string, args ...any) error {
	n, err := r.Exec(statement, args...)
	if err == nil && n == 0 {
		return fault.NotFound
	}
	return err
}

func (r rows[ID, T]) Get(id site.ID, key ID) (T, error) {
	return first(r.list(ofID+r.living+r.Held(), id, key))
}

// GetUnlocked holds the row, as Get does.
func (r rows[ID, T]) GetUnlocked(id site.ID, key ID) (T, error) { return r.Get(id, key) }

func (r rows[ID, T]) Many(id site.ID, ids []ID) ([]T, error) {
	return r.list(ofSite+r.living+" AND id IN "+among(ids)+" ORDER BY id", id)
}

func (r rows[ID, T]) Existing(id site.ID, ids []ID) ([]ID, error) {
	return values[ID](r.unit, "SELECT id FROM "+r.Name+" WHERE "+ofSite+r.living+" AND id IN "+among(ids)+" ORDER BY id", id)
}

func (r rows[ID, T]) Scan(id site.ID, after ID, n int) ([]T, error) {
	found, err := r.list(ofSite+r.living+" AND id > $2 ORDER BY id LIMIT $3", id, after, max(n, 0))
	for i := range found {
		r.shorten(&found[i])
	}
	return found, err
}

// purgeMoved removes at most n rows of sites that have gone, and reports how many.
func (r rows[ID, T]) purgeMoved(gone func(site.ID) (bool, error), n int) (purged int, err error) {
	if r.Table == nil {
		return 0, nil
	}
	sites, err := values[site.ID](r.unit, "SELECT DISTINCT site_id FROM "+r.Name+" ORDER BY site_id")
	for _, id := range sites {
		is, err := gone(id)
		if err != nil {
			return purged, err
		}
		if !is {
			continue
		}
		removed, err := r.Exec("DELETE FROM "+r.Name+" WHERE "+ofSite+" AND id IN "+
			"(SELECT id FROM "+r.Name+" WHERE "+ofSite+" ORDER BY id LIMIT $2)", id, max(n-purged, 0))
		if purged += int(removed); err != nil {
			return purged, err
		}
	}
	return purged, err
}

// first returns the first of what was found, and fault.NotFound if there is none.
func first[T any](found []T, err error) (T, error) {
	if err == nil && len(found) > 0 {
		return found[0], nil
	}
	var none T
	if err == nil {
		err = fault.NotFound
	}
	return none, err
}

// among returns a list of ids for IN. It begins with NULL, as a list cannot be empty.
func among[ID ~int64](ids []ID) string {
	var list strings.Builder
	list.WriteString("(NULL")
	for _, id := range ids {
		list.WriteString(", " + strconv.FormatInt(int64(id), 10))
	}
	return list.String() + ")"
}
