package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// A database can be set back: by a failover to a standby that lacked the end of the
// ledger, by a recovery to a point in time, by a restored dump, by an older snapshot. It then
// has another timeline, as PostgreSQL calls it. Numbers that were returned before would come
// again with other content, and caches of processes, proxies, clients and receivers would be
// wrong. So the first process that sees another timeline moves every number on, past all that
// can have been returned. Cached numbers are lower then, and are read again.

// leap is the distance by which numbers are moved on. No other gap of a ledger is as large.
const leap = 1_000_000

// Timeline is the period between two times at which the numbers were moved on.
type Timeline struct {
	// Number counts how often they were.
	Number int64
	Since  time.Time
}

// OnTimeline sets a function that is called when this store has moved the numbers on, and not
// when another process has.
func OnTimeline(do func(context.Context, Timeline)) Option {
	return func(s *Store) { s.onTimeline = do }
}

// TimelinesStarted returns how often this store has moved the numbers on.
func (s *Store) TimelinesStarted() int64 { return s.started.Load() }

// sameTimeline returns the condition that the numbers need not be moved on, and that this
// program may use the tables.
func (d Dialect) sameTimeline() string {
	return "coalesce((SELECT place FROM lineage) = " + d.Place + ", FALSE) AND " + understood(d.known)
}

const lineageTable = "lineage"

// startTimelineLater has the first reader of a head move the numbers on.
func (t *tx) startTimelineLater() error {
	_, err := t.exec("INSERT INTO lineage (id, place, cluster, timeline) VALUES (1, 'elsewhere', '', 0)")
	return err
}

// timelineHead is a head, with whether its numbers can be trusted.
type timelineHead struct {
	port.Head
	sameTimeline bool
	// timeline is the number of the timeline, and log the position of the log.
	timeline, log int64
	// isPast reports that this process has seen a later state of the database.
	isPast bool
	// last is the time of the last event.
	last time.Time
}

var timelineHeads = mapping[timelineHead]{
	table: "site_head",
	row: func(p *timelineHead) row {
		return append(headRow(&p.Head), column{"last_at", instant(&p.last)},
			column{"same_timeline", &p.sameTimeline}, column{"timeline", whole(&p.timeline)}, column{"log", whole(&p.log)})
	},
}

// timelineColumns returns the expressions of the columns of timelineHeads.
func timelineColumns(d Dialect) []string {
	names := timelineHeads.row(new(timelineHead)).names()
	return append(names[:len(names)-3], d.sameTimeline(), "coalesce((SELECT timeline FROM lineage), 0)", d.Log)
}

// findHead returns the statement that reads a head.
func findHead(d Dialect) squirrel.Sqlizer {
	return squirrel.Select(timelineColumns(d)...).From(heads.table).Where("site_id = ?")
}

// errOtherTimeline is the error of a unit of work inside the store that read numbers which have
// to be moved on first; errAskAgain is that of its caller if running it again did not help.
var errOtherTimeline = errors.New("the database was set back")

func errAskAgain() error {
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "the database was set back; ask again").Because(errOtherTimeline)
}

// isSameTimeline fails when the numbers have to be moved on before they can be returned.
func (t *tx) isSameTimeline() error {
	found, err := list(t, numberColumn, t.store.hot.sameTimeline)
	if err != nil || found[0] == 1 {
		return err
	}
	return t.otherTimeline()
}

// otherTimeline ends the unit: the numbers have to be moved on first.
func (t *tx) otherTimeline() error {
	t.isOtherTimeline, t.broken = true, errOtherTimeline
	return t.broken
}

// onSameTimeline returns the statement of isSameTimeline.
func onSameTimeline(d Dialect) squirrel.Sqlizer {
	return squirrel.Expr("SELECT CASE WHEN " + d.sameTimeline() + " THEN 1 ELSE 0 END")
}

// moveNumbersOn moves the numbers on unless another process has done so. A database without a
// place is new, and stores its present one.
func (s *Store) moveNumbersOn(ctx context.Context) error { return s.startTimeline(ctx, s.otherPlace()) }

// otherPlace returns the condition that the place of the database is another one.
func (s *Store) otherPlace() string { return "place <> " + s.dialect.Place }

// Moved moves on every number that clients see: sequences of ledgers, revisions, ids. It is
// for a database that was set back and cannot know: a copy of an SQLite file that was put
// in place of a later one.
func (s *Store) Moved(ctx context.Context) error { return s.startTimeline(ctx, "") }

// startTimeline moves the numbers on under a condition, or always if it is empty.
func (s *Store) startTimeline(ctx context.Context, condition string) error {
	err := s.isUnderstood(ctx)
	if err != nil {
		return err
	}
	var happened *Timeline
	err = s.updateInTx(ctx, func(unit port.Tx) (err error) {
		happened, err = unit.Roles.(*tx).startTimeline(condition)
		return err
	})
	if err != nil || happened == nil {
		return err
	}
	s.started.Add(1)
	if s.onTimeline != nil {
		s.onTimeline(ctx, *happened)
	}
	return nil
}

func (t *tx) startTimeline(condition string) (*Timeline, error) {
	place, cluster := t.store.dialect.Place, t.store.dialect.Cluster
	adopted, err := t.exec("INSERT INTO lineage (id, place, cluster, timeline) VALUES (1, " + place + ", " + cluster + ", 0) ON CONFLICT (id) DO NOTHING")
	if err != nil || adopted > 0 && condition != "" {
		return nil, err
	}
	if condition != "" {
		condition = " WHERE " + condition
	}
	at := time.Now()
	b := squirrel.Expr("UPDATE lineage SET place = "+place+", cluster = "+cluster+", timeline = timeline + 1, since = ?"+condition+" RETURNING timeline", at.UnixMicro())
	counted, err := t.numbers(t.store.text(b), at.UnixMicro())
	if err != nil || len(counted) == 0 {
		return nil, err
	}
	if err := t.moveOn(); err != nil {
		return nil, err
	}
	return &Timeline{counted[0], at}, nil
}

// moveOn moves on every number that clients see.
func (t *tx) moveOn() error {
	if _, err := t.exec(fmt.Sprintf("UPDATE site_head SET seq = seq + %[1]d, settings = settings + %[1]d, access = access + %[1]d, rejections = rejections + %[1]d", leap)); err != nil {
		return err
	}
	var each []string
	for _, name := range sequenceNames {
		if t.store.dialect.NativeSequences {
			each = append(each, fmt.Sprintf("SELECT setval('%[1]s', CASE WHEN is_called THEN last_value ELSE 0 END + %[2]d) FROM %[1]s", name, leap))
		} else {
			each = append(each, fmt.Sprintf("('%s', %d)", name, leap))
		}
	}
	if t.store.dialect.NativeSequences {
		_, err := t.numbers(strings.Join(each, " UNION ALL "))
		return err
	}
	_, err := t.exec("INSERT INTO sequence (name, last_id) VALUES " + strings.Join(each, ", ") +
		fmt.Sprintf(" ON CONFLICT (name) DO UPDATE SET last_id = last_id + %d", leap))
	return err
}
