package requestlog

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

// Purge implements port.Requests. In PostgreSQL requests go by whole days.
func (l *Log) Purge(ctx context.Context, limits trace.Limits, n int) (purged int, err error) {
	sweeps := []func(context.Context, int) (int, error){
		func(ctx context.Context, n int) (int, error) { return l.purgeOld(ctx, 0, limits.Before, n) },
		func(ctx context.Context, n int) (int, error) { return l.purgeOld(ctx, 1, limits.RefusedBefore, n) },
		func(ctx context.Context, n int) (int, error) { return l.purgeSurplus(ctx, limits.Most, n) },
	}
	for _, sweep := range sweeps {
		gone, err := sweep(ctx, max(n-purged, 0))
		purged += gone
		if err != nil {
			return purged, l.explain(ctx, err)
		}
	}
	if purged > 0 {
		_, err = l.exec(ctx, l.write, squirrel.Delete("request_customer").Where("at < (SELECT COALESCE(MIN(at), 0) FROM request)"))
	}
	return purged, l.explain(ctx, err)
}

func (l *Log) purgeOld(ctx context.Context, refused int, before time.Time, n int) (int, error) {
	if l.byDay() {
		return l.dropDays(ctx, refused, before)
	}
	return l.exec(ctx, l.write, squirrel.Delete("request").Where(
		"id IN (SELECT id FROM request WHERE refused = ? AND at < ? ORDER BY at LIMIT ?)", refused, before.UnixMicro(), n))
}

// purgeSurplus removes the oldest requests beyond a number.
func (l *Log) purgeSurplus(ctx context.Context, most, n int) (int, error) {
	held, err := l.count(ctx, "request")
	if err != nil {
		return 0, err
	}
	surplus := min(held-most, n)
	if surplus <= 0 {
		return 0, nil
	}
	// Each half goes by the index of ages: the whole table would have to be sorted.
	const half = "SELECT * FROM (SELECT at, id FROM request WHERE refused = %d ORDER BY at LIMIT ?) half%[1]d"
	return l.exec(ctx, l.write, squirrel.Delete("request").Where(
		"id IN (SELECT id FROM ("+fmt.Sprintf(half, 0)+" UNION ALL "+fmt.Sprintf(half, 1)+") oldest ORDER BY at, id LIMIT ?)", surplus, surplus, surplus))
}

// count returns how many rows a table has.
func (l *Log) count(ctx context.Context, table string) (n int, err error) {
	err = l.read.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table).Scan(&n)
	return n, err
}

// byDay tells an engine that keeps each day by itself.
func (l *Log) byDay() bool { return l.dialect.NativeSequences }

const day = 24 * time.Hour

// part returns the table of the requests of a day.
func part(refused int, start time.Time) string {
	return parent(refused) + start.Format("_20060102")
}

func parent(refused int) string {
	return []string{"request_good", "request_refused"}[refused]
}

// makeDays makes the tables that requests need. They are not logged: a crash of the
// server empties them, and nothing depends on them.
func (l *Log) makeDays(ctx context.Context, added []trace.Request) error {
	if !l.byDay() {
		return nil
	}
	for _, r := range added {
		refused := 0
		if r.Refused() {
			refused = 1
		}
		start := r.At.UTC().Truncate(day)
		name := part(refused, start)
		if _, made := l.days.Load(name); made {
			continue
		}
		_, err := l.write.ExecContext(ctx, fmt.Sprintf("CREATE UNLOGGED TABLE IF NOT EXISTS %s PARTITION OF %s FOR VALUES FROM (%d) TO (%d)",
			name, parent(refused), start.UnixMicro(), start.Add(day).UnixMicro()))
		if err != nil {
			return l.explain(ctx, err)
		}
		l.days.Store(name, nil)
	}
	return nil
}

// dropDays drops the tables of days that were over before a moment.
func (l *Log) dropDays(ctx context.Context, refused int, before time.Time) (int, error) {
	last := part(refused, before.UTC().Truncate(day))
	names, err := list(ctx, l, l.read, squirrel.Select("c.relname").From("pg_inherits i").Join("pg_class c ON c.oid = i.inhrelid").
		Where("i.inhparent = ?::regclass", parent(refused)), func(rows *sql.Rows) (name string, err error) {
		err = rows.Scan(&name)
		return name, err
	})
	if err != nil {
		return 0, err
	}
	dropped := 0
	for _, name := range slices.Sorted(slices.Values(names)) {
		if strings.Compare(name, last) >= 0 {
			break
		}
		rows, err := l.count(ctx, name)
		if err != nil {
			return dropped, err
		}
		if _, err := l.write.ExecContext(ctx, "DROP TABLE IF EXISTS "+name); err != nil {
			return dropped, err
		}
		l.days.Delete(name)
		dropped += rows
	}
	return dropped, nil
}
