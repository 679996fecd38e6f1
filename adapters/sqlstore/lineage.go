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
// ledger, by a recovery to a point in time, by a restored dump, by an older snapshot. Numbers that were told
// would then come again with other content, and everybody who remembers them would be
// wrong: processes, proxies, clients, receivers. So whoever first sees that the database
// is not where it was moves every number on, past all that can have been told. What is
// remembered then lies below, and is read anew.

// leap is how far the numbers are moved on. A ledger that nothing was lost of has no gaps,
// and no gap of this size otherwise.
const leap = 1_000_000

// Fork is that a database was set back, or is taken for one that was.
type Fork struct {
	// Count is how often that has happened.
	Count int64
	At    time.Time
}

// Forks has a function told when this store has moved the numbers on. It is not told
// when another process did.
func Forks(tell func(context.Context, Fork)) Option { return func(s *Store) { s.tellFork = tell } }

// Forked tells how often this store has moved the numbers on.
func (s *Store) Forked() int64 { return s.forked.Load() }

// here is the condition that the database is where it was, and that this program may use
// its tables.
func (d Dialect) here() string {
	return "coalesce((SELECT place FROM lineage) = " + d.Place + ", FALSE) AND " + understood(d.known)
}

const lineageTable = "lineage"

// comesFromElsewhere has the numbers moved on by whoever first reads them.
func (t *tx) comesFromElsewhere() error {
	_, err := t.exec("INSERT INTO lineage (id, place, cluster, forks) VALUES (1, 'elsewhere', '', 0)")
	return err
}

// placed is a head, and whether its numbers may be trusted.
type placed struct {
	port.Head
	here bool
	// forks is how often the numbers had been moved on, and log how far the log had come.
	forks, log int64
	// isPast tells that this process knows better than the database where it is.
	isPast bool
	// last is when the last event happened.
	last time.Time
}

var placedHeads = mapping[placed]{
	table: "site_head",
	row: func(p *placed) row {
		return append(headRow(&p.Head), column{"last_at", instant(&p.last)},
			column{"here", &p.here}, column{"forks", whole(&p.forks)}, column{"log", whole(&p.log)})
	},
}

// placedColumns are the columns of placedHeads, made.
func placedColumns(d Dialect) []string {
	names := placedHeads.row(new(placed)).names()
	return append(names[:len(names)-3], d.here(), "coalesce((SELECT forks FROM lineage), 0)", d.Log)
}

// findHead reads a head, and whether the database is where it was.
func findHead(d Dialect) squirrel.Sqlizer {
	return squirrel.Select(placedColumns(d)...).From(heads.table).Where("site_id = ?")
}

// errSetBack is what a unit of work fails with inside the store that met numbers which have
// to be moved on first; errAskAgain is what its caller is told if that did not help.
var errSetBack = errors.New("the database was set back")

func errAskAgain() error {
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "the database was set back; ask again").Because(errSetBack)
}

// isHere fails when the database is not where it was: its numbers cannot be trusted, or
// told.
func (t *tx) isHere() error {
	found, err := list(t, numberColumn, t.store.hot.here)
	if err != nil || found[0] == 1 {
		return err
	}
	return t.setBack()
}

// setBack ends the unit: the numbers have to be moved on first.
func (t *tx) setBack() error {
	t.isSetBack, t.broken = true, errSetBack
	return t.broken
}

// isHereNow is the statement of isHere.
func isHereNow(d Dialect) squirrel.Sqlizer {
	return squirrel.Expr("SELECT CASE WHEN " + d.here() + " THEN 1 ELSE 0 END")
}

// moveNumbersOn moves the numbers on unless somebody else has done so. A database without a
// place is new, and takes the one that it has.
func (s *Store) moveNumbersOn(ctx context.Context) error { return s.fork(ctx, s.elsewhere()) }

// elsewhere is the condition that the database is not where it was.
func (s *Store) elsewhere() string { return "place <> " + s.dialect.Place }

// Moved moves every number on that is told: sequences of ledgers, revisions, ids. It is
// for a database that was set back and cannot know: a copy of an SQLite file that was put
// in place of a later one.
func (s *Store) Moved(ctx context.Context) error { return s.fork(ctx, "") }

// fork moves the numbers on under a condition, or certainly.
func (s *Store) fork(ctx context.Context, condition string) error {
	err := s.isUnderstood(ctx)
	if err != nil {
		return err
	}
	var happened *Fork
	err = s.updateInTx(ctx, func(unit port.Tx) (err error) {
		happened, err = unit.Roles.(*tx).fork(condition)
		return err
	})
	if err != nil || happened == nil {
		return err
	}
	s.forked.Add(1)
	if s.tellFork != nil {
		s.tellFork(ctx, *happened)
	}
	return nil
}

func (t *tx) fork(condition string) (*Fork, error) {
	place, cluster := t.store.dialect.Place, t.store.dialect.Cluster
	adopted, err := t.exec("INSERT INTO lineage (id, place, cluster, forks) VALUES (1, " + place + ", " + cluster + ", 0) ON CONFLICT (id) DO NOTHING")
	if err != nil || adopted > 0 && condition != "" {
		return nil, err
	}
	if condition != "" {
		condition = " WHERE " + condition
	}
	at := time.Now()
	b := squirrel.Expr("UPDATE lineage SET place = "+place+", cluster = "+cluster+", forks = forks + 1, forked_at = ?"+condition+" RETURNING forks", at.UnixMicro())
	counted, err := t.numbers(t.store.text(b), at.UnixMicro())
	if err != nil || len(counted) == 0 {
		return nil, err
	}
	if err := t.moveOn(); err != nil {
		return nil, err
	}
	return &Fork{counted[0], at}, nil
}

// moveOn moves on every number that is told.
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
