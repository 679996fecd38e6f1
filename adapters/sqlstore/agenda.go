package sqlstore

import (
	"fmt"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t *tx) Calendars() port.Calendars       { return calendarRole{t} }
func (t *tx) ImportedBusy() port.ImportedBusy { return importedRole{t} }

// calendarUsers are the users of a site whose calendars are there to be held.
var calendarUsers = mapping[calendarUser]{
	table: "calendar",
	keys:  []string{"site_id", "user_id"},
	row: func(c *calendarUser) row {
		return row{{"site_id", whole(&c.site)}, {"user_id", whole(&c.user)}}
	},
}

type calendarUser struct {
	site site.ID
	user site.UserID
}

type calendarRole struct{ tx *tx }

// Hold takes hold of a row for each user, which is made where there is none. One
// statement goes through them in their order, and a row that is not updated is held
// all the same. What is read afterwards is what earlier holders left, because each
// statement sees what had been committed when it began.
func (r calendarRole) Hold(of site.ID, users []site.UserID) error {
	if r.tx.store.dialect.Held == "" || len(users) == 0 {
		return r.tx.writing() // where nothing needs to be held, units that write take turns
	}
	var held []calendarUser
	for _, user := range slices.Compact(slices.Sorted(slices.Values(users))) {
		held = append(held, calendarUser{of, user})
	}
	rows, err := rowsOf(calendarUsers, held)
	if err != nil {
		return r.tx.fail(fmt.Errorf("writing %s: %w", calendarUsers.table, err))
	}
	into := insertsOf(r.tx.store.dialect, r.tx.store.text, calendarUsers,
		"ORDER BY user_id ON CONFLICT (site_id, user_id) DO UPDATE SET user_id = excluded.user_id WHERE FALSE")
	_, err = r.tx.exec(into.many, rows)
	return err
}

var importedBusy = mapping[slot.Imported]{
	table: "imported_busy",
	keys:  []string{"site_id", "user_id", "source"},
	row: func(i *slot.Imported) row {
		return row{{"site_id", whole(&i.Site)}, {"user_id", whole(&i.User)}, {"source", text(&i.Source)}, {"body", document(i)}}
	},
}

type importedRole struct{ tx *tx }

const ofSource = "site_id = ? AND user_id = ? AND source = ?"

func (r importedRole) Get(of site.ID, user site.UserID, source slot.Source) (slot.Imported, error) {
	b := importedBusy.find(ofSource)
	if held := r.tx.store.dialect.Held; r.tx.writes && held != "" {
		b = b.Suffix(held)
	}
	return one(r.tx, importedBusy, r.tx.store.text(b), int64(of), int64(user), string(source))
}

func (r importedRole) Of(of site.ID, users []site.UserID) ([]slot.Imported, error) {
	b := importedBusy.find("site_id = ? AND user_id "+r.tx.store.dialect.Among).OrderBy("user_id", r.tx.store.dialect.Bytewise("source"))
	return list(r.tx, importedBusy, r.tx.store.text(b), int64(of), r.tx.store.dialect.Numbers(plain(users)))
}

func (r importedRole) Put(i slot.Imported) error { return put(r.tx, importedBusy, i) }

func (r importedRole) Delete(of site.ID, user site.UserID, source slot.Source) error {
	n, err := r.tx.exec(r.tx.store.text(squirrel.Delete(importedBusy.table).Where(ofSource)), int64(of), int64(user), string(source))
	if err == nil && n == 0 {
		err = fmt.Errorf("%s %s: %w", importedBusy.table, source, fault.NotFound)
	}
	return err
}
