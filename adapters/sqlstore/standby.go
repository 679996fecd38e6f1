package sqlstore

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// StandbyOutcome is what came of a view that a standby was wanted for.
type StandbyOutcome string

// What can come of a view that a standby was wanted for.
const (
	// StandbyUsed: it was read from the standby.
	StandbyUsed StandbyOutcome = "used"
	// StandbyBehind: the standby lacks something that the caller has seen.
	StandbyBehind StandbyOutcome = "behind"
	// StandbyOther: it follows another database, or none.
	StandbyOther StandbyOutcome = "other"
	// StandbyFailed: it could not be read to the end.
	StandbyFailed StandbyOutcome = "failed"
	// StandbyAway: it failed a short while ago, and was not asked.
	StandbyAway StandbyOutcome = "away"
)

// standbyRest is how long a standby is not asked that failed.
const standbyRest = 5 * time.Second

// StandbyStore is a store over a copy of the database of another one. It implements
// port.Standby.
type StandbyStore struct {
	copy, primary *Store
	tell          func(StandbyOutcome)
	// rests tells that the standby failed, asked that somebody finds out whether it is back.
	rests, asked atomic.Bool
	failed       atomic.Int64
	// lineage is that of the primary, when it was last read.
	lineage atomic.Pointer[string]
}

var _ port.Standby = (*StandbyStore)(nil)

// NewStandby reads from copied what it has in common with the primary, and tells what came
// of each view. It owns copied, and not the primary.
func NewStandby(copied, primary *Store, tell func(StandbyOutcome)) *StandbyStore {
	return &StandbyStore{copy: copied, primary: primary, tell: tell}
}

// Close ends the connections to the copy.
func (s *StandbyStore) Close() error { return s.copy.Close() }

var (
	errBehind = errors.New("the standby is behind")
	errOther  = errors.New("the standby follows another database, or none")
)

// ViewAt implements port.Standby.
func (s *StandbyStore) ViewAt(ctx context.Context, id site.ID, head port.Head, fn func(port.Tx) error) bool {
	if s.resting() {
		s.tell(StandbyAway)
		return false
	}
	failed := false
	_, err := s.copy.unit(ctx, s.copy.read, reads, func(unit port.Tx) error {
		if err := s.check(unit.(*tx), id, head); err != nil {
			return err
		}
		err := fn(unit)
		failed = err != nil
		return err
	})
	switch {
	case err == nil:
		s.tell(StandbyUsed)
	case errors.Is(err, errBehind):
		s.tell(StandbyBehind)
	case errors.Is(err, errOther):
		s.tell(StandbyOther)
	default:
		s.tell(StandbyFailed)
		// What the view itself finds wrong says nothing about the standby.
		if ctx.Err() == nil && (!failed || s.copy.isAway(err)) {
			s.failed.Store(time.Now().UnixNano())
			s.rests.Store(true)
		}
	}
	return err == nil
}

// isAway reports whether an error says that the database does not answer.
func (s *Store) isAway(err error) bool {
	switch s.dialect.trouble(err) {
	case Unknown, Refused, Again, Duplicate:
		return false
	default:
		return true
	}
}

// resting reports whether the standby is left alone. Whether it is back is found out beside
// the requests: none waits for it.
func (s *StandbyStore) resting() bool {
	if !s.rests.Load() {
		return false
	}
	if time.Since(time.Unix(0, s.failed.Load())) > standbyRest && s.asked.CompareAndSwap(false, true) {
		go func() {
			defer s.asked.Store(false)
			if s.copy.Ping(context.Background()) == nil {
				s.rests.Store(false)
			} else {
				s.failed.Store(time.Now().UnixNano())
			}
		}()
	}
	return true
}

// standing is where a copy stands.
type standing struct {
	port.Head
	lineage string
	follows bool
}

// lineageText is an expression for where a database was when its numbers were moved on last,
// and how often they were.
const lineageText = "(SELECT place || ' ' || cluster || ' ' || forks FROM lineage)"

var standings = mapping[standing]{
	table: "site_head",
	row: func(s *standing) row {
		return append(headRow(&s.Head), column{"lineage", text(&s.lineage)}, column{"follows", &s.follows})
	},
}

// check fails unless a snapshot of the copy has everything that was committed when a head
// was read from the primary. What is committed is copied in its order, and whatever is read
// here counts up the head: a snapshot that has the head has what it counts. Heads of a
// database that was set back are told apart by the lineage, and lie a million further.
func (s *StandbyStore) check(t *tx, id site.ID, head port.Head) error {
	find := squirrel.Select(headRow(new(port.Head)).names()...).Column("coalesce(" + lineageText + ", '')").Column(t.store.dialect.Follows).
		From(standings.table).Where("site_id = ?")
	found, err := list(t, standings, t.store.text(find), int64(id))
	switch {
	case err != nil:
		return err
	case len(found) == 0 || found[0].Seq < head.Seq || found[0].Settings < head.Settings || found[0].Access < head.Access || found[0].Rejections < head.Rejections:
		return errBehind
	case !found[0].follows:
		return errOther
	}
	known := s.lineage.Load()
	if known == nil || *known != found[0].lineage {
		var fresh string
		if err := s.primary.read.QueryRowContext(t.ctx, "SELECT coalesce("+lineageText+", '')").Scan(&fresh); err != nil {
			return errOther
		}
		s.lineage.Store(&fresh)
		known = &fresh
	}
	if *known == "" || *known != found[0].lineage {
		return errOther
	}
	return nil
}
