package sqlstore

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// moves are where sites stand, in the row that every event counts up: a unit that writes
// to a site and one that begins to move it cannot both go on.
var moves = mapping[site.Move]{
	table: heads.table,
	keys:  []string{"site_id"},
	row: func(m *site.Move) row {
		return row{
			{"site_id", whole(&m.Site)}, {"state", stateColumn{&m.State}}, {"move_id", text(&m.ID)}, {"moved_to", text(&m.Domain)},
			{"moved_until", instant(&m.Until)},
		}
	},
}

// takesChanges is the condition that a site does, and isOpen that it is worked for.
var (
	takesChanges = fmt.Sprintf("state <= %d", site.Resting)
	isOpen       = fmt.Sprintf("state = %d", site.Open)
)

// openSite is the condition on a table with the given name that its site is worked for.
func openSite(table string) string {
	return "EXISTS (SELECT 1 FROM site_head WHERE site_head.site_id = " + table + ".site_id AND " + isOpen + ")"
}

func (r siteRole) Move(id site.ID) (site.Move, error) {
	return one(r.tx, moves, r.tx.holding(moves.find("site_id = ?")), int64(id))
}

// PutMove takes a stronger hold of the row than its change would: units that keep the site open
// hold it beside those that count events.
func (r siteRole) PutMove(m site.Move) error {
	if err := r.tx.writing(); err != nil {
		return err
	}
	if _, err := r.Move(m.Site); err != nil {
		return err
	}
	_, err := rewrite(r.tx, moves, r.tx.store.text(moves.replace("TRUE")), m)
	return err
}

func (r siteRole) PurgeMoved(before time.Time, n int) (int, error) {
	if err := r.tx.writing(); err != nil {
		return 0, err
	}
	gone := 0
	over, err := list(r.tx, numberColumn, r.tx.store.text(squirrel.Select("site_id").From(heads.table).
		Where("moved_until < ? AND state = ?").OrderBy("moved_until", "site_id").Suffix("LIMIT ?")), micros(before), int64(site.Moved), max(n, 0))
	for i := 0; i < len(over) && gone < n && err == nil; i++ {
		var removed int
		removed, err = r.tx.removeSite(site.ID(over[i]), n-gone)
		gone += removed
	}
	return gone, err
}

// removeSite removes at most n rows of a site, the one that says where it stands last.
func (t *tx) removeSite(id site.ID, n int) (gone int, err error) {
	names, err := t.siteTables()
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		of := siteColumn(name)
		some := squirrel.Select(t.store.dialect.RowID).From(name).Where(of + " = ?").Suffix("LIMIT ?")
		b := squirrel.Delete(name).Where(of + " = ?").Where(some.Prefix(t.store.dialect.RowID + " IN (").Suffix(")"))
		removed, err := t.exec(t.store.text(b), int64(id), int64(id), n-gone)
		gone += int(removed)
		if err != nil || gone >= n {
			return gone, err
		}
	}
	return gone, nil
}

// ofInstallation are the tables that are about no single site, and why.
var ofInstallation = withKindsOfInstallation(map[string]string{
	"meta":             "what the database is for, and its keys",
	"credential":       "a client of the API may reach several sites",
	"credential_use":   "of a credential, and its keys at any site",
	"credential_usage": "of a credential, at all sites together",
})

func withKindsOfInstallation(tables map[string]string) map[string]string {
	for _, k := range port.Kinds {
		if !port.IsOfSites(k) {
			tables[k.Name()] = "operators, and what they did"
		}
	}
	return tables
}

// siteColumn is the column of a table that says whose a row is.
func siteColumn(table string) string {
	if table == sites.table {
		return "id"
	}
	return "site_id"
}

// siteTables are the tables of which a site has rows: all but those of the installation.
// The one that says where sites stand is the last.
func (t *tx) siteTables() ([]string, error) {
	there, err := list(t, nameColumn, t.store.dialect.Tables)
	if err != nil {
		return nil, err
	}
	own, err := t.store.madeTables()
	own = slices.DeleteFunc(own, func(name string) bool {
		return ofInstallation[name] != "" || name == heads.table || !slices.Contains(there, name)
	})
	return append(own, heads.table), err
}

// nameColumn reads answers that are one column of names.
var nameColumn = mapping[string]{table: "names", row: func(name *string) row { return row{{"name", text(name)}} }}

// stateColumn is a column of a state of a site.
type stateColumn struct{ p *site.State }

func (c stateColumn) Value() (driver.Value, error) { return int64(*c.p), nil }

func (c stateColumn) Scan(src any) error {
	var n int64
	if err := whole(&n).Scan(src); err != nil {
		return err
	}
	*c.p = site.State(n) //nolint:gosec // nothing but states is stored
	return nil
}
