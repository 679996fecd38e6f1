package requestlog

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

var (
	countKeys = []string{"site_id", "seconds", "start", "op", "credential", "class"}
	// sums are what adds up, the buckets among them.
	sums    = append([]string{"n", "micros"}, bucketNames()...)
	useKeys = []string{"site_id", "day", "credential", "op", "name"}
)

func bucketNames() []string {
	names := make([]string, len(trace.Tally{}.Buckets))
	for i := range names {
		names[i] = fmt.Sprintf("b%d", i)
	}
	return names
}

// Count implements port.Traffic.
func (l *Log) Count(ctx context.Context, more []trace.Count, used []trace.Deprecated) error {
	add := make([]string, len(sums))
	for i, name := range sums {
		add[i] = name + " = traffic." + name + " + excluded." + name
	}
	return l.update(ctx, func(tx *sql.Tx) error {
		for _, c := range more {
			values := []any{
				int64(c.Site), int64(c.Width / time.Second), c.Start.UnixMicro(), plain(c.Operation), plain(string(c.Credential)), c.Class, c.N, c.Total.Microseconds(),
			}
			for _, n := range c.Buckets {
				values = append(values, n)
			}
			_, err := l.exec(ctx, tx, squirrel.Insert("traffic").Columns(append(countKeys, sums...)...).Values(values...).
				Suffix("ON CONFLICT ("+strings.Join(countKeys, ", ")+") DO UPDATE SET "+strings.Join(add, ", ")))
			if err != nil {
				return err
			}
		}
		for _, d := range used {
			_, err := l.exec(ctx, tx, squirrel.Insert("deprecated_name").Columns(append(useKeys, "n", "last_request")...).
				Values(int64(d.Site), d.Day.UnixMicro(), plain(string(d.Credential)), plain(d.Operation), plain(d.Name), d.N, plain(d.Last)).
				Suffix("ON CONFLICT ("+strings.Join(useKeys, ", ")+") DO UPDATE SET n = deprecated_name.n + excluded.n, last_request = excluded.last_request"))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Counts implements port.Traffic.
func (l *Log) Counts(ctx context.Context, id site.ID, width time.Duration, from, until time.Time) ([]trace.Count, error) {
	b := squirrel.Select(append([]string{"start", "op", "credential", "class"}, sums...)...).From("traffic").
		Where("site_id = ? AND seconds = ? AND start >= ? AND start < ?", int64(id), int64(width/time.Second), from.UnixMicro(), until.UnixMicro()).
		OrderBy("start", l.dialect.Bytewise("op"), l.dialect.Bytewise("credential"), "class")
	found, err := list(ctx, l, l.read, b, func(rows *sql.Rows) (trace.Count, error) {
		c := trace.Count{Kind: trace.Kind{Site: id}, Width: width}
		var start, micros int64
		var credential string
		targets := []any{&start, &c.Operation, &credential, &c.Class, &c.N, &micros}
		for i := range c.Buckets {
			targets = append(targets, &c.Buckets[i])
		}
		err := rows.Scan(targets...)
		c.Start, c.Total, c.Credential = time.UnixMicro(start).UTC(), time.Duration(micros)*time.Microsecond, access.CredentialID(credential)
		return c, err
	})
	return found, l.explain(ctx, err)
}

// Totals implements port.Traffic.
func (l *Log) Totals(ctx context.Context, of []site.ID, width time.Duration, from, until time.Time) ([]trace.Total, error) {
	b := squirrel.Select("site_id", "class", "CAST(SUM(n) AS BIGINT)").From("traffic").Where(squirrel.Eq{"site_id": of}).
		Where("seconds = ? AND start >= ? AND start < ?", int64(width/time.Second), from.UnixMicro(), until.UnixMicro()).
		GroupBy("site_id", "class").OrderBy("site_id", "class")
	found, err := list(ctx, l, l.read, b, func(rows *sql.Rows) (trace.Total, error) {
		var sum trace.Total
		err := rows.Scan(&sum.Site, &sum.Class, &sum.N)
		return sum, err
	})
	return found, l.explain(ctx, err)
}

// Deprecated implements port.Traffic.
func (l *Log) Deprecated(ctx context.Context, id site.ID) ([]trace.Deprecated, error) {
	b := squirrel.Select("day", "credential", "op", "name", "n", "last_request").From("deprecated_name").Where("site_id = ?", int64(id)).
		OrderBy("day", l.dialect.Bytewise("credential"), l.dialect.Bytewise("op"), l.dialect.Bytewise("name"))
	found, err := list(ctx, l, l.read, b, func(rows *sql.Rows) (trace.Deprecated, error) {
		d := trace.Deprecated{Site: id}
		var day int64
		var credential string
		err := rows.Scan(&day, &credential, &d.Operation, &d.Name, &d.N, &d.Last)
		d.Day, d.Credential = time.UnixMicro(day).UTC(), access.CredentialID(credential)
		return d, err
	})
	return found, l.explain(ctx, err)
}

// PurgeCounts implements port.Traffic.
func (l *Log) PurgeCounts(ctx context.Context, minutes, hours time.Time, n int) (purged int, err error) {
	of := func(table string, keys []string, condition string, args ...any) squirrel.Sqlizer {
		names := strings.Join(keys, ", ")
		return squirrel.Delete(table).Where("("+names+") IN (SELECT "+names+" FROM "+table+" WHERE "+condition+" LIMIT ?)", append(args, n)...)
	}
	for _, b := range []squirrel.Sqlizer{
		of("traffic", countKeys, "seconds = 60 AND start < ?", minutes.UnixMicro()),
		of("traffic", countKeys, "seconds = 3600 AND start < ?", hours.UnixMicro()),
		of("deprecated_name", useKeys, "day < ?", hours.UnixMicro()),
	} {
		gone, err := l.exec(ctx, l.write, b)
		purged += gone
		if err != nil {
			return purged, l.explain(ctx, err)
		}
	}
	return purged, nil
}
