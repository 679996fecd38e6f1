package sqlstore

import (
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t *tx) Calendars() port.Calendars { return calendarRole{t} }

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
