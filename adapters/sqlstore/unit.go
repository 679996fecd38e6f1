package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// attempts bounds how often a unit of work that met another one is run.
const attempts = 8

// View implements port.Store.
func (s *Store) View(ctx context.Context, fn func(port.Tx) error) error {
	_, err := observed(ctx, s.observers, false, func(ctx context.Context) (bool, error) {
		return s.unit(ctx, s.read, reads, new(site.ID), fn)
	})
	if errors.Is(err, errOtherTimeline) {
		// fn runs once: whoever asks again sees the numbers moved on.
		return errors.Join(s.moveNumbersOn(ctx), errAskAgain())
	}
	return err
}

// Update implements port.Store.
func (s *Store) Update(ctx context.Context, fn func(port.Tx) error) error {
	if s.dialect.Plans {
		return s.update(ctx, plans, fn)
	}
	return s.update(ctx, writes, fn)
}

// updateInTx is Update for what takes long: it has a transaction from the start.
func (s *Store) updateInTx(ctx context.Context, fn func(port.Tx) error) error {
	return s.update(ctx, writes, fn)
}

func (s *Store) update(ctx context.Context, kind unitKind, fn func(port.Tx) error) error {
	var about site.ID
	for attempt := 1; ; attempt++ {
		again, err := observed(ctx, s.observers, true, func(ctx context.Context) (bool, error) {
			if attempt == 1 && kind == plans {
				again, err := s.unit(ctx, s.write, plans, &about, fn)
				if errors.Is(err, plan.ErrChanged) { // another plan costs less than a transaction
					again, err = s.unit(ctx, s.write, plans, &about, fn)
				}
				if !errors.Is(err, plan.ErrNeedsTx) {
					return again, err
				}
			}
			return s.unit(ctx, s.write, writes, &about, fn)
		})
		if errors.Is(err, errOtherTimeline) {
			if err := s.moveNumbersOn(ctx); err != nil {
				return err
			}
			again, err = true, errAskAgain()
		}
		if !again || attempt == attempts {
			return err
		}
		if err := pause(ctx, attempt); err != nil {
			return err
		}
	}
}

// pause waits longer from attempt to attempt, and never twice the same time, so
// that units that met do not meet again.
func pause(ctx context.Context, attempt int) error {
	wait := time.NewTimer(time.Duration(1+rand.Int64N(4<<attempt)) * time.Millisecond)
	defer wait.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-wait.C:
		return nil
	}
}

// readOnce runs a statement that reads, outside any transaction: one statement sees one
// moment. scan is given the rows.
func (s *Store) readOnce(ctx context.Context, statement string, args []any, scan func(*sql.Rows) error) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	if err := s.isStillUnderstood(ctx); err != nil {
		return err
	}
	defer s.dropStandbyConnections()
	_, err := observedStatement(ctx, s, statement, func(ctx context.Context) (none struct{}, err error) {
		rows, err := s.read.query(ctx, statement, args...)
		if err != nil {
			return none, err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		if err := scan(rows); err != nil {
			return none, err
		}
		return none, rows.Err()
	})
	return s.explain(ctx, err)
}

// unitKind is what a unit of work needs of a transaction.
type unitKind uint8

const (
	reads unitKind = iota
	writes
	// plans begins a transaction only if it has to.
	plans
)

// unit runs a function as a unit of work, and is the only place where transactions end. again
// reports that the engine undid the unit because of another one; after a commit that went wrong
// it is never set, because the commit may have happened. about is the site that it is known to be
// about, if any, and then that which it turned out to be about.
func (s *Store) unit(ctx context.Context, p *pool, kind unitKind, about *site.ID, fn func(port.Tx) error) (again bool, err error) {
	if err := s.prepare(ctx); err != nil {
		return false, err
	}
	if err := s.isStillUnderstood(ctx); err != nil {
		return false, err
	}
	defer s.dropStandbyConnections()
	t := &tx{ctx: ctx, store: s, pool: p, writes: kind != reads, about: *about}
	defer t.ended()
	defer func() { *about = t.about }()
	if kind == plans {
		t.plan = s.planner.Plan()
		defer t.plan.Release()
	} else if err := t.begun(); err != nil {
		return false, err
	}
	again, err = t.run(fn)
	switch {
	case err != nil:
		return again, err
	case t.plan != nil:
		err = s.planner.Commit(ctx, t.plan)
	case t.writes:
		err = confirmed(ctx, t.raw.Commit())
	}
	for _, last := range t.last {
		if err == nil {
			s.reached.wrote(last.Site, last.Seq)
		}
	}
	return false, err
}

// run runs what a unit of work does, and says why nothing of it may be stored, if so.
func (t *tx) run(fn func(port.Tx) error) (again bool, err error) {
	err = fn(port.Tx{Roles: t})
	switch {
	case t.isOtherTimeline:
		return false, errOtherTimeline
	case errors.Is(t.broken, plan.ErrNeedsTx):
		return false, plan.ErrNeedsTx
	case err != nil:
		return t.again, err
	case t.broken != nil:
		return t.again, t.broken
	}
	return false, t.ctx.Err()
}

// begin begins a transaction, and says what ends its connection. One that writes does not
// end with the context: a commit that is under way is never cancelled. The engine could
// take the cancelled one for done, show the change, and lose it with a crash, for nobody
// waited until a standby had it. The statements before it do end with the context.
func (s *Store) begin(ctx context.Context, p *pool, options *sql.TxOptions, writes bool, about site.ID) (raw *sql.Tx, end func(), err error) {
	if !writes {
		raw, err := inTime(ctx, func(ctx context.Context) (*sql.Tx, error) { return p.BeginTx(ctx, options) })
		return raw, func() {}, err
	}
	leave := func() {}
	if about != 0 {
		if leave, err = s.gates.enter(ctx, about); err != nil {
			return nil, nil, err
		}
	}
	// Each connection may have died since it was used last. Those of a pool are tried, and
	// then a new one.
	for range p.Stats().MaxOpenConnections + 1 {
		var conn *sql.Conn
		if conn, err = inTime(ctx, func(ctx context.Context) (*sql.Conn, error) { return p.Conn(ctx) }); err != nil {
			break
		}
		noted := noting(ctx, prompt)
		raw, err = conn.BeginTx(context.WithoutCancel(ctx), options)
		noted()
		if err == nil {
			return raw, func() {
				_ = conn.Close()
				leave()
			}, nil
		}
		_ = conn.Close()
		if !errors.Is(err, driver.ErrBadConn) {
			break
		}
	}
	leave()
	return nil, nil, err
}

// confirmed is what a commit says that ended with err.
func confirmed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	return unconfirmed(errors.Join(err, ctx.Err()))
}

func unconfirmed(err error) error {
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "the database did not confirm the change; it may or may not have happened").Because(err)
}

func errTooBusy(err error) error {
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "the database is too busy").Because(err)
}

// trouble says what kind of trouble an error of the driver is.
func (d Dialect) trouble(err error) Trouble {
	if kind := d.Classify(err); kind != Unknown {
		return kind
	}
	var network *net.OpError
	switch {
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.As(err, &network),
		errors.Is(err, context.Canceled),                            // whose request has no patience left
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // whoever took the connection hung up
		return Away
	}
	return Unknown
}

// ErrAway is, beside fault.Unavailable, that the database as a whole cannot be reached or cannot
// serve, and not that somebody holds a part of it.
var ErrAway = errors.New("the database is away")

// away is an error of the driver that is ErrAway.
type away struct{ error }

func (a away) Unwrap() error { return a.error }

func (away) Is(target error) bool { return target == ErrAway }

// Explain turns an error of the driver into what the ports promise.
func (d Dialect) Explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	return d.explained(ctx, err, d.trouble(err))
}

func (d Dialect) explained(ctx context.Context, err error, kind Trouble) error {
	// Drivers word the end of a context in their own way.
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch kind {
	case Again:
		return errTooBusy(err)
	case Away, Standby:
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "the database does not answer").Because(away{err})
	case Held:
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "the database does not answer").Because(err)
	default:
		return fmt.Errorf("sqlstore: %w", err)
	}
}

func (s *Store) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	kind := s.dialect.trouble(err)
	switch {
	case kind == Standby:
		s.standby.Store(true)
	case kind == Away && isSpent(ctx):
		kind = Held // it may as well be what others hold
	}
	return s.dialect.explained(ctx, err, kind)
}
