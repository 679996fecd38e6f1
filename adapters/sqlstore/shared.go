package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
)

// An engine with one writer flushes its file with every commit, and whoever wants to write
// waits for that. Units of work that have waited therefore share a transaction: each goes on
// where the one before it has ended, under a savepoint of its own, and one commit stores
// what all of them wrote. Nobody is told before that. A unit for which nobody waits commits
// at once.

// sharedAtMost and sharedFor bound a transaction: once so many units have had it, or when it
// has taken so long, nobody goes on with it.
const (
	sharedAtMost = 64
	sharedFor    = 10 * time.Millisecond
)

// writers are the units of work that take turns at the one connection that writes.
type writers struct {
	// sharedFor is how long a transaction may have taken that somebody goes on with.
	sharedFor time.Duration

	mu sync.Mutex
	// busy says that a unit has its turn.
	busy    bool
	waiting []*waiter
}

// waiter is a unit that waits for its turn.
type waiter struct {
	alone bool
	// turn is given the transaction to go on with, or one that has not begun.
	turn chan *sharedTx
}

// sharedTx is a transaction that units have one after the other.
type sharedTx struct {
	alone bool
	// raw is nil until it has begun, which end ends with its connection.
	raw   *sql.Tx
	end   func()
	begun time.Time
	units int
	// lost says that nothing of it is left.
	lost bool
	// written are the units whose changes are in it.
	written []*outcome
}

// outcome is what became of what a unit has written. done is closed when again and err are
// set.
type outcome struct {
	done  chan struct{}
	again bool
	err   error
}

// enter waits for a unit's turn.
func (s *Store) enter(ctx context.Context, alone bool) (*sharedTx, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := &s.writers
	w.mu.Lock()
	if !w.busy {
		w.busy = true
		w.mu.Unlock()
		return &sharedTx{alone: alone}, nil
	}
	waits := &waiter{alone, make(chan *sharedTx, 1)}
	w.waiting = append(w.waiting, waits)
	w.mu.Unlock()
	select {
	case g := <-waits.turn:
		return g, nil
	case <-ctx.Done():
	}
	w.mu.Lock()
	i := slices.Index(w.waiting, waits)
	if i >= 0 {
		w.waiting = slices.Delete(w.waiting, i, i+1)
	}
	w.mu.Unlock()
	if i < 0 { // its turn came at that moment
		s.passOn(<-waits.turn)
	}
	return nil, ctx.Err()
}

// next is who goes on with a transaction, if anybody does.
func (w *writers) next(g *sharedTx) (*waiter, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if g.raw == nil || g.lost || g.alone || g.units >= sharedAtMost || time.Since(g.begun) >= w.sharedFor ||
		len(w.waiting) == 0 || w.waiting[0].alone {
		return nil, false
	}
	return w.first(), true
}

// leave ends a turn, and begins that of who has waited longest.
func (w *writers) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy = len(w.waiting) > 0; w.busy {
		next := w.first()
		next.turn <- &sharedTx{alone: next.alone}
	}
}

func (w *writers) first() *waiter {
	first := w.waiting[0]
	w.waiting = slices.Delete(w.waiting, 0, 1)
	return first
}

// passOn gives the transaction to who goes on with it, or ends it with the turn.
func (s *Store) passOn(g *sharedTx) {
	if next, found := s.writers.next(g); found {
		next.turn <- g
		return
	}
	g.finish()
	s.writers.leave()
}

// errUndone is why units are run again of which nothing is left in their transaction.
var errUndone = errors.New("the engine has undone the transaction because of another unit of work")

// shared runs a unit of work in a transaction that others may share.
func (s *Store) shared(t *tx, alone bool, fn func(port.Tx) error) (again bool, err error) {
	g, err := s.enter(t.ctx, alone)
	if err != nil {
		return false, err
	}
	var stored *outcome
	again, err = func() (again bool, err error) {
		defer s.passOn(g)
		defer func() { // also while a panic passes
			t.over = true
			g.leave(stored)
		}()
		if err := g.enter(t); err != nil {
			return t.again, err
		}
		if again, err = t.run(fn); err == nil {
			stored = &outcome{done: make(chan struct{})}
		}
		return again, err
	}()
	if stored == nil {
		return again, err
	}
	<-stored.done
	if stored.again {
		return true, errTooBusy(errUndone)
	}
	return false, confirmed(t.ctx, stored.err)
}

// enter begins a unit's part of the transaction, and the transaction with the first one.
func (g *sharedTx) enter(t *tx) (err error) {
	g.units++
	if g.raw == nil {
		g.begun = time.Now()
		if g.raw, g.end, err = t.store.begin(t.ctx, t.pool, t.store.dialect.Update, true); err != nil {
			return t.fail(err)
		}
	} else if err := g.exec("SAVEPOINT unit"); err != nil {
		err = t.fail(err)
		g.lost, t.again = true, true
		return err
	}
	t.raw = g.raw
	return nil
}

// leave ends a unit's part of the transaction: what it wrote stays in it if there is an
// outcome to tell, and is undone otherwise.
func (g *sharedTx) leave(stored *outcome) {
	if stored != nil {
		g.written = append(g.written, stored)
	}
	switch {
	case g.raw == nil || g.lost:
	case g.units == 1:
		g.lost = stored == nil
	case stored != nil:
		g.lost = g.exec("RELEASE unit") != nil
	default:
		// The engine may have undone all of it, as it does with a statement that is
		// interrupted: there is no savepoint then.
		g.lost = g.exec("ROLLBACK TO unit") != nil || g.exec("RELEASE unit") != nil
	}
}

func (g *sharedTx) exec(statement string) error {
	_, err := g.raw.ExecContext(context.Background(), statement)
	return err
}

// finish ends the transaction, and tells the units whose changes were in it.
func (g *sharedTx) finish() {
	var err error
	if g.raw != nil {
		if g.lost {
			_ = g.raw.Rollback()
		} else {
			err = g.raw.Commit()
		}
		g.end()
	}
	for _, o := range g.written {
		o.again, o.err = g.lost, err
		close(o.done)
	}
}
