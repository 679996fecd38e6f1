package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Where the engine can do it, deliveries are kept in a table for each day,
// and a day that is over for long enough goes with its table: that takes no longer for a
// million deliveries than for one. A delivery belongs to the day that its id was drawn on: a
// day has ids of its own, and whoever knows an id knows the table. What belongs to no day is
// kept in one table more, so that nothing depends on the tables of days being there.

const (
	// idsOfDay is how many ids a day has: those from its number, since 1970, times this on.
	idsOfDay = 1_000_000_000
	// firstDay is one before all that have ids: 1 January 2000.
	firstDay = 10_957
	// daysAhead is for how many days there are tables ahead.
	daysAhead = 3
	// strayTime is how long after the end of a day deliveries may be added with its ids:
	// longer than it takes until somebody moves the ids on.
	strayTime = time.Hour
	// mostStay is how many deliveries of a day may stay when its table goes: everybody else
	// waits while they are moved.
	mostStay = 10_000
	// fill is how much of a page is filled when deliveries are added, in percent: each is
	// written again when it is settled, and is longer then.
	fill = 30
	// dayLock is how long it is waited for a table of a day that others use, in milliseconds:
	// whoever comes meanwhile waits behind.
	dayLock = 200
	// dayTries is how often the lock is tried for.
	dayTries = 5
)

// dayOf is the number of a day.
func dayOf(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// dayStart is when a day begins.
func dayStart(day int64) time.Time { return time.Unix(day*24*60*60, 0).UTC() }

// dayTable is a table of deliveries: of one day, or of all days before another one.
type dayTable struct {
	// suffix follows the names of both tables.
	suffix string
	// last is the last day of which there are deliveries in it.
	last int64
}

const (
	beforeDays = "_before_days"
	ofNoDay    = "_of_no_day"
)

func tableOfDay(day int64) dayTable {
	return dayTable{suffix: "_" + dayStart(day).Format("20060102"), last: day}
}

// byDay tells an engine that keeps the deliveries of each day by themselves.
func (d Dialect) byDay() bool { return d.NativeSequences }

// days keeps the deliveries of a store by days.
type days struct{ store *Store }

// DeliveryDays keeps the deliveries by days; nil where the engine keeps them in one table.
func (s *Store) DeliveryDays() port.DeliveryDays {
	if !s.dialect.byDay() {
		return nil
	}
	return days{s}
}

// KeepDays implements port.DeliveryDays.
func (d days) KeepDays(ctx context.Context, now, before time.Time) (about int, until time.Time, err error) {
	until = dayStart(dayOf(before.Add(-strayTime)))
	if now.Sub(before) < 24*time.Hour {
		until = before
	}
	if err := d.prepare(ctx, now, before); err != nil {
		return 0, until, err
	}
	about, err = d.remove(ctx, before)
	return about, until, err
}

// prepare makes the tables of the coming days, and of those that are in the table of no day
// though they would have one. Then it has ids go on where those of today begin: if there is
// its table, though others could not be made.
func (d days) prepare(ctx context.Context, now, before time.Time) error {
	today := dayOf(now)
	wanted, err := d.strays(ctx, dayOf(before)+1, today)
	for day := today; day <= today+daysAhead; day++ {
		wanted = append(wanted, day)
	}
	for _, day := range wanted {
		if err == nil {
			err = d.add(ctx, day)
		}
	}
	return errors.Join(err, d.alone(ctx, func(t *tx) error {
		tables, err := t.dayTables()
		if err != nil || !slices.Contains(tables, tableOfDay(today)) {
			return err
		}
		return t.ReserveID(port.DeliveryIDs, today*idsOfDay)
	}))
}

// strays are the days in a range of which there is something in a table of no day.
func (d days) strays(ctx context.Context, from, until int64) (found []int64, err error) {
	query := fmt.Sprintf("SELECT DISTINCT id / %d FROM %s%s WHERE id >= $1 AND id < $2", idsOfDay, deliveries.table, ofNoDay)
	err = d.store.View(ctx, func(unit port.Tx) (err error) {
		found, err = list(unit.Roles.(*tx), numberColumn, query, max(from, firstDay)*idsOfDay, until*idsOfDay)
		return err
	})
	return found, err
}

// add makes the tables of a day, and moves there what came before them.
func (d days) add(ctx context.Context, day int64) error {
	return d.alone(ctx, func(t *tx) error {
		tables, err := t.dayTables()
		made := tableOfDay(day)
		if err != nil || isBeforeDays(tables, day) || slices.Contains(tables, made) {
			return err
		}
		first, next := day*idsOfDay, (day+1)*idsOfDay
		return t.execAll(
			fmt.Sprintf("CREATE TABLE delivery%s (LIKE delivery INCLUDING DEFAULTS) WITH (fillfactor = %d)", made.suffix, fill),
			fmt.Sprintf("WITH moved AS (DELETE FROM delivery%s WHERE id >= %d AND id < %d RETURNING %s) INSERT INTO delivery%s (%[4]s) SELECT * FROM moved",
				ofNoDay, first, next, t.store.dayColumns(), made.suffix),
			fmt.Sprintf("ALTER TABLE delivery ATTACH PARTITION delivery%s FOR VALUES FROM (%d) TO (%d)", made.suffix, first, next),
		)
	})
}

// remove drops the tables of the days that ended before a moment.
func (d days) remove(ctx context.Context, before time.Time) (about int, err error) {
	var tables []dayTable
	err = d.store.View(ctx, func(unit port.Tx) (err error) {
		tables, err = unit.Roles.(*tx).dayTables()
		return err
	})
	for _, old := range tables {
		if err != nil || dayStart(old.last+1).After(before.Add(-strayTime)) {
			break
		}
		var gone int
		err = d.alone(ctx, func(t *tx) (err error) {
			gone, err = t.dropDay(old, before)
			return err
		})
		about += gone
	}
	return about, err
}

// dropDay drops the tables of a day. What is pending, and what was added later, moves to the
// tables of no day. If that is too much nothing happens: until it is less, rows go one by one.
func (t *tx) dropDay(old dayTable, before time.Time) (about int, err error) {
	tables, err := t.dayTables()
	if err != nil || !slices.Contains(tables, old) {
		return 0, err
	}
	name := deliveries.table + old.suffix
	// Two queries, each of which has its index.
	stay := fmt.Sprintf("SELECT site_id, id FROM %[1]s WHERE status = 'pending' UNION ALL SELECT site_id, id FROM %[1]s WHERE %[2]s AND added_at >= %[3]d",
		name, over, before.UnixMicro())
	staying, err := list(t, numberColumn, fmt.Sprintf("SELECT count(*) FROM (%s LIMIT %d) AS stay", stay, mostStay+1))
	if err != nil || staying[0] > mostStay {
		return 0, err
	}
	sizes, err := list(t, numberColumn, "SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = '"+name+"'::regclass")
	if err != nil {
		return 0, err
	}
	return int(sizes[0]), t.execAll(
		"ALTER TABLE delivery DETACH PARTITION "+name,
		fmt.Sprintf("INSERT INTO delivery (%[1]s) SELECT %[1]s FROM %[2]s WHERE (site_id, id) IN (%[3]s)", t.store.dayColumns(), name, stay),
		"DROP TABLE "+name,
	)
}

// alone runs a unit that changes tables of days, unless another process does so, and tries a
// few times for the locks.
func (d days) alone(ctx context.Context, fn func(*tx) error) error {
	for try := 1; ; try++ {
		held := false
		err := d.store.Update(ctx, func(unit port.Tx) error {
			t := unit.Roles.(*tx)
			free, err := t.numbers(fmt.Sprintf("SELECT CASE WHEN pg_try_advisory_xact_lock(hashtextextended('vitrine days ' || current_schema(), 2)) THEN 1 ELSE 0 END "+
				"FROM (SELECT set_config('lock_timeout', '%d', true)) AS patient", dayLock))
			if err != nil || free[0] == 0 {
				return err
			}
			err = fn(t)
			held = t.isHeld
			return err
		})
		if !held || try == dayTries {
			return err
		}
		if err := pause(ctx, 6); err != nil {
			return err
		}
	}
}

// isBeforeDays reports whether deliveries of a day are in the table of all days before the
// first one.
func isBeforeDays(tables []dayTable, day int64) bool {
	return slices.ContainsFunc(tables, func(t dayTable) bool { return t.suffix == beforeDays && day <= t.last })
}

// dayTables are the tables of days that there are, the oldest first.
func (t *tx) dayTables() ([]dayTable, error) {
	names, err := list(t, nameColumn, "SELECT c.relname::text || ' ' || pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid "+
		"WHERE i.inhparent = 'delivery'::regclass ORDER BY c.relname")
	var tables []dayTable
	for _, found := range names {
		name, bounds, _ := strings.Cut(found, " ")
		_, upper, _ := strings.Cut(bounds, " TO ")
		until, err := strconv.ParseInt(strings.Trim(upper, "(')"), 10, 64)
		if err == nil { // the default has no bounds
			tables = append(tables, dayTable{strings.TrimPrefix(name, deliveries.table), until/idsOfDay - 1})
		}
	}
	slices.SortFunc(tables, func(a, b dayTable) int { return int(a.last - b.last) })
	return tables, err
}

// dayColumns are the columns of a delivery.
func (s *Store) dayColumns() string {
	names := append(deliveries.row(new(webhook.Delivery)).names(), "attempts")
	return strings.Join(names, ", ")
}

func (t *tx) execAll(statements ...string) error {
	for _, statement := range statements {
		if _, err := t.exec(statement); err != nil {
			return err
		}
	}
	return nil
}
