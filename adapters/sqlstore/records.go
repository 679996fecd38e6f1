package sqlstore

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t *tx) Records() port.Records { return recordRole{t} }

// recordRole keeps the records of all kinds. Each kind has a table of its name, in which a
// record is one JSON value, beside what it is found by. Its links are in another table.
type recordRole struct{ tx *tx }

func (r recordRole) keyed(k port.Kind) keyed[any] {
	return keyedOf(r.tx, recordsOf(k, r.tx.store.keyring))
}

// idOf is the id of a key as a parameter.
func idOf(k port.Kind, of port.Key) any {
	if k.Named() {
		return of.Name
	}
	return of.ID
}

func (r recordRole) Get(k port.Kind, of port.Key) (any, error) {
	return r.keyed(k).get(of.Site, idOf(k, of))
}

func (r recordRole) GetUnlocked(k port.Kind, of port.Key) (any, error) {
	return r.keyed(k).getUnlocked(of.Site, idOf(k, of))
}

func (r recordRole) Put(k port.Kind, record any) error {
	if err := r.keyed(k).Put(record); err != nil {
		return err
	}
	if err := r.unlink(k, k.Key(record)); err != nil {
		return err
	}
	return r.link(k, record)
}

func (r recordRole) Add(k port.Kind, record any) error {
	m := recordsOf(k, r.tx.store.keyring)
	n, err := write(r.tx, m, r.tx.store.text(m.insert().Suffix("ON CONFLICT DO NOTHING")), record)
	switch {
	case err != nil:
		return err
	case n == 0:
		return port.ErrTaken
	}
	return r.link(k, record)
}

// link stores the links of a record, if its kind has some.
func (r recordRole) link(k port.Kind, record any) error {
	if len(k.Links()) == 0 {
		return nil
	}
	links := linksOf(k)
	return insertAll(r.tx, links, insertsOf(r.tx.store.dialect, r.tx.store.text, links, ""), linksFrom(k, record))
}

func (r recordRole) Delete(k port.Kind, of port.Key) error {
	if err := r.keyed(k).drop(of.Site, idOf(k, of)); err != nil {
		return err
	}
	return r.unlink(k, of)
}

// unlink removes the links of a record, if its kind has some.
func (r recordRole) unlink(k port.Kind, of port.Key) error {
	if len(k.Links()) == 0 {
		return nil
	}
	_, err := r.tx.exec(r.tx.store.text(squirrel.Delete(linksOf(k).table).Where("site_id = ? AND record_id = ?")), int64(of.Site), of.ID)
	return err
}

func (r recordRole) Find(k port.Kind, q port.Query) ([]any, error) {
	found := r.tx.store.searchRecords(k, q)
	if q.Limit == port.All {
		return list(r.tx, found.m, r.tx.store.text(found.b), found.args...)
	}
	return found.page(r.tx, q.Limit, q.Skip)
}

// recordsOf is the mapping of a kind. What is sealed is read with its key, for which it is.
func recordsOf(k port.Kind, keys Keyring) mapping[any] {
	m := mapping[any]{table: k.Name(), keys: []string{"site_id", "id"}}
	if k.Sealed() {
		m.row = func(record *any) row {
			key := keyOfRecord(k, record)
			place := sealing{keys, m.table, &key.Site, func() string { return fmt.Sprint(idOf(k, key)) }}
			return append(keyColumns(k, &key), place.column("body", recordColumn{k, record}))
		}
		m.extra = func(record *any) row { return foundColumns(k, record) }
		return m
	}
	m.row = func(record *any) row { return row{{"body", recordColumn{k, record}}} }
	m.extra = func(record *any) row {
		key := keyOfRecord(k, record)
		return append(keyColumns(k, &key), foundColumns(k, record)...)
	}
	return m
}

func keyOfRecord(k port.Kind, record *any) port.Key {
	if *record == nil { // which is yet to be read
		return port.Key{}
	}
	return k.Key(*record)
}

func keyColumns(k port.Kind, key *port.Key) row {
	if k.Named() {
		return row{{"site_id", whole(&key.Site)}, {"id", text(&key.Name)}}
	}
	return row{{"site_id", whole(&key.Site)}, {"id", whole(&key.ID)}}
}

// foundColumns are the columns of what a record is found by.
func foundColumns(k port.Kind, record *any) (columns row) {
	v := *record
	if v == nil { // whose columns are asked for
		v = k.New(port.Key{})
	}
	for _, f := range k.Found(v).Fields {
		columns = append(columns, column{f.Name, fieldColumn(f.Value)})
	}
	return columns
}

// recordColumn is the column of a record as JSON. The names of its fields are the stored
// form; a test pins them.
type recordColumn struct {
	kind   port.Kind
	record *any
}

func (c recordColumn) Value() (driver.Value, error) {
	b, err := json.Marshal(*c.record)
	return string(b), err
}

func (c recordColumn) Scan(src any) error {
	var raw string
	if err := text(&raw).Scan(src); err != nil {
		return err
	}
	record := c.kind.New(port.Key{})
	*c.record = record
	return json.Unmarshal([]byte(raw), record)
}

// fieldColumn is the column of what records are found by.
func fieldColumn(value any) any {
	switch v := value.(type) {
	case int64:
		return whole(&v)
	case string:
		return text(&v)
	case bool:
		return &v
	case time.Time:
		return instant(&v)
	}
	panic(fmt.Sprintf("sqlstore: records cannot be found by a %T", value))
}

// link is a link of a record, with the time that the record takes.
type link struct {
	site            site.ID
	kind            string
	id, until, from int64
	record          int64
}

// linksOf is the mapping of the links of a kind.
func linksOf(k port.Kind) mapping[link] {
	return mapping[link]{
		table: k.Name() + "_link",
		keys:  []string{"site_id", "kind", "linked_id", "until_at", "from_at", "record_id"},
		row: func(l *link) row {
			return row{
				{"site_id", whole(&l.site)}, {"kind", text(&l.kind)}, {"linked_id", whole(&l.id)},
				{"until_at", whole(&l.until)}, {"from_at", whole(&l.from)}, {"record_id", whole(&l.record)},
			}
		},
	}
}

// linksFrom are the links of a record, each once.
func linksFrom(k port.Kind, record any) (all []link) {
	key, found := k.Key(record), k.Found(record)
	until := int64(math.MaxInt64)
	if !found.Until.IsZero() {
		until = found.Until.UnixMicro()
	}
	for _, l := range found.Links {
		made := link{key.Site, l.Name, l.ID, until, found.From.UnixMicro(), key.ID}
		if !slices.Contains(all, made) {
			all = append(all, made)
		}
	}
	return all
}

// recordColumns are the columns that conditions about a kind look at.
type recordColumns struct {
	dialect Dialect
	kind    port.Kind
	site    site.ID
	// linked and bounded tell that the query looks for links, and for links or bounds. The
	// engine is to begin with these. It would rather go through all records in the order that
	// is wanted, until it has found enough of them. It cannot go by +id or +agency_id, which
	// are the same numbers and in no index.
	linked, bounded bool
}

// searchRecords is the search for what a query wants, but for its Skip and Limit.
func (s *Store) searchRecords(k port.Kind, q port.Query) *search[any] {
	of := recordColumns{dialect: s.dialect, kind: k, site: q.Site}
	for _, c := range q.Where {
		of.linked = of.linked || c.Link != ""
		of.bounded = of.linked || of.bounded || c.Field == "until_at"
	}
	found := searchOf(recordsOf(k, s.keyring), "1 = 1")
	found.narrow(q.Site != 0, "site_id = ?", int64(q.Site))
	for _, c := range q.Where {
		condition, args := of.condition(c)
		found.narrow(true, condition, args...)
	}
	id, above := "id", " > "
	if q.Desc {
		above = " < "
	}
	if k.Named() {
		id = s.dialect.Bytewise(id)
	}
	columns := []string{of.column(id)}
	switch {
	case q.By != "":
		columns = []string{q.By, id}
		if q.After != nil {
			found.narrow(true, "("+q.By+", id)"+above+"(?, ?)", argument(q.After.By), q.After.ID)
		}
	case q.After != nil:
		found.narrow(true, of.column("id")+above+"?", q.After.ID)
	}
	if q.Site == 0 {
		columns = slices.Insert(columns, len(columns)-1, "site_id")
	}
	found.order(q.Desc, columns...)
	return found
}

// column is a column that conditions look at.
func (of recordColumns) column(name string) string {
	if name == "id" && of.bounded || name == "agency_id" && of.linked {
		return "+" + name
	}
	return name
}

// condition is a condition as an expression, with its arguments.
func (of recordColumns) condition(c port.Condition) (condition string, args []any) {
	switch {
	case c.Either != nil:
		var either []string
		for _, all := range c.Either {
			parts := []string{"1 = 1"}
			for _, c := range all {
				part, more := of.condition(c)
				parts, args = append(parts, part), append(args, more...)
			}
			either = append(either, strings.Join(parts, " AND "))
		}
		return "(" + strings.Join(either, " OR ") + ")", args
	case c.Link != "":
		return of.linkedTo(c)
	case c.Is == port.Unset:
		return c.Field + " IS NULL", nil
	case c.Is == port.Among && c.Texts == nil:
		return of.column(c.Field) + " " + of.dialect.Among, []any{of.dialect.Numbers(c.IDs)}
	case c.Is == port.Among && len(c.Texts) == 0:
		return "1 = 0", nil
	case c.Is == port.Among:
		return oneOf(c.Field, c.Texts)
	}
	return of.column(c.Field) + comparisons[c.Is] + "?", []any{argument(c.Value)}
}

var comparisons = map[port.Comparison]string{port.Equal: " = ", port.Below: " < ", port.AtMost: " <= ", port.Above: " > ", port.AtLeast: " >= "}

// linkedTo is the condition that a record has a link, with its arguments.
func (of recordColumns) linkedTo(c port.Condition) (condition string, args []any) {
	key, selected, where := "(site_id, id)", "site_id, record_id", ""
	if of.site != 0 {
		key, selected, where, args = "id", "record_id", "site_id = ? AND ", []any{int64(of.site)}
	}
	condition = key + " IN (SELECT " + selected + " FROM " + linksOf(of.kind).table + " WHERE " + where + "kind = ? AND linked_id " + of.dialect.Among
	args = append(args, c.Link, of.dialect.Numbers(c.IDs))
	if !c.To.IsZero() {
		condition, args = condition+" AND until_at > ? AND from_at < ?", append(args, c.From.UnixMicro(), c.To.UnixMicro())
	}
	return condition + ")", args
}

// argument is the parameter that a value is compared as.
func argument(value any) any {
	if at, is := value.(time.Time); is {
		return micros(at)
	}
	return value
}
