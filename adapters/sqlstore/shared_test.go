package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// queue is a store with units of work that wait for the writer behind one that has it.
type queue struct {
	t     *testing.T
	store *sqlstore.Store
	units sync.WaitGroup
	n     int
}

var errUndone = errors.New("undone")

// behind has units wait, in this order, until all of them do.
func behind(t *testing.T, s *sqlstore.Store, first func(port.Tx) error, is func(error) bool, units ...func(q *queue)) {
	t.Helper()
	q := &queue{t: t, store: s}
	began, goOn := make(chan struct{}), make(chan struct{})
	begin := sync.OnceFunc(func() { close(began) })
	q.units.Go(func() {
		err := s.Update(t.Context(), func(tx port.Tx) error {
			begin()
			<-goOn
			return first(tx)
		})
		if !is(err) {
			t.Errorf("the first unit ended with %v", err)
		}
	})
	<-began
	for _, unit := range units {
		unit(q)
	}
	close(goOn)
	q.units.Wait()
}

// wait has one more unit wait, which ends as it should.
func (q *queue) wait(ctx context.Context, update func(context.Context, func(port.Tx) error) error, fn func(port.Tx) error, is func(error) bool) {
	q.n++
	q.units.Go(func() {
		if err := update(ctx, fn); !is(err) {
			q.t.Errorf("a unit ended with %v", err)
		}
	})
	for sqlstore.Waiting(q.store) < q.n {
		runtime.Gosched()
	}
}

func stored(err error) bool  { return err == nil }
func undone(err error) bool  { return errors.Is(err, errUndone) }
func stopped(err error) bool { return errors.Is(err, context.Canceled) }

// queued is a unit that waits, and ends as it should.
func queued(fn func(port.Tx) error, is func(error) bool) func(*queue) {
	return func(q *queue) { q.wait(q.t.Context(), q.store.Update, fn, is) }
}

// patient is a store whose units share a transaction also on a machine that is slow.
func patient(t *testing.T, p place) *sqlstore.Store {
	s := p.migrated(t)
	sqlstore.ShareAtAnyTime(s)
	return s
}

// committed are the sites of which others know.
func committed(t *testing.T, s *sqlstore.Store) map[site.ID]bool {
	t.Helper()
	there := map[site.ID]bool{}
	err := s.View(t.Context(), func(tx port.Tx) error {
		all, err := tx.Sites().All()
		for _, one := range all {
			there[one.ID] = true
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return there
}

// sites checks of which sites others know.
func sites(t *testing.T, s *sqlstore.Store, want ...site.ID) {
	t.Helper()
	there := committed(t, s)
	for _, id := range want {
		if !there[id] {
			t.Errorf("site %d is not stored", id)
		}
	}
	if len(there) != len(want) {
		t.Errorf("stored are the sites %v, want %v", there, want)
	}
}

func TestUnitsThatWaitShareATransaction(t *testing.T) {
	t.Parallel()
	s := patient(t, sqlitePlace(t))
	leaves, leave := context.WithCancel(t.Context())
	ends, end := context.WithCancel(t.Context())
	behind(t, s, putSite(1), stored,
		queued(func(tx port.Tx) error {
			sites(t, s) // the first one is not answered before the last has gone on
			return putSite(2)(tx)
		}, stored),
		queued(func(tx port.Tx) error { return errors.Join(putSite(3)(tx), errUndone) }, undone),
		func(q *queue) {
			q.n++
			q.units.Go(func() {
				defer func() {
					if recover() != "it is wrong" {
						t.Error("a panic did not pass")
					}
				}()
				_ = s.Update(t.Context(), func(tx port.Tx) error {
					if err := putSite(4)(tx); err != nil {
						t.Error(err)
					}
					panic("it is wrong")
				})
			})
			for sqlstore.Waiting(s) < q.n {
				runtime.Gosched()
			}
		},
		func(q *queue) {
			q.wait(leaves, s.Update, func(port.Tx) error {
				t.Error("a unit has begun whose context had ended")
				return nil
			}, stopped)
			leave()
			for q.n--; sqlstore.Waiting(s) > q.n; {
				runtime.Gosched()
			}
		},
		func(q *queue) {
			q.wait(ends, s.Update, func(tx port.Tx) error {
				err := putSite(5)(tx)
				end()
				return err
			}, stopped)
		},
		queued(func(tx port.Tx) error {
			sites(t, s)
			all, err := tx.Sites().All()
			if len(all) != 2 {
				t.Errorf("a unit sees %v", all)
			}
			return errors.Join(err, putSite(6)(tx))
		}, stored),
		queued(func(tx port.Tx) error { return errors.Join(putSite(7)(tx), errUndone) }, undone),
	)
	sites(t, s, 1, 2, 6)
}

// The first unit of a transaction has no savepoint: those who wait begin anew.
func TestTheFirstUnitThatFailsLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	s := patient(t, sqlitePlace(t))
	behind(t, s, func(tx port.Tx) error { return errors.Join(putSite(1)(tx), errUndone) }, undone,
		queued(putSite(2), stored), queued(putSite(3), stored))
	sites(t, s, 2, 3)
}

func TestASharedCommitThatFailsFailsAll(t *testing.T) {
	t.Parallel()
	p := sqlitePlace(t)
	s := patient(t, p)
	failingCommits(t, p)
	runs := 0
	unconfirmed := func(err error) bool {
		refused, ok := errors.AsType[*fault.Error](err)
		return ok && errors.Is(err, fault.Unavailable) && strings.Contains(refused.Message.String(), "may or may not have happened")
	}
	counted := func(fn func(port.Tx) error) func(port.Tx) error {
		return func(tx port.Tx) error {
			runs++
			return fn(tx)
		}
	}
	behind(t, s, counted(putSite(1)), unconfirmed,
		queued(counted(putSite(2)), unconfirmed),
		queued(counted(func(tx port.Tx) error { return errors.Join(putSite(3)(tx), errUndone) }), undone),
		queued(counted(func(tx port.Tx) error { return tx.Customers().Put(customer.Customer{ID: 1, Site: 1}) }), unconfirmed),
	)
	if runs != 4 {
		t.Errorf("four units have run %d times", runs)
	}
	sites(t, s)
	update(t, s, putSite(4))
	sites(t, s, 4)
}

// The engine undoes all of a transaction with a statement that is interrupted while it
// writes: the other units run again.
func TestUnitsRunAgainThatWereUndoneWithAnother(t *testing.T) {
	t.Parallel()
	p := sqlitePlace(t)
	s := patient(t, p)
	execute(t, p.raw(t), "CREATE TABLE embedded (n BIGINT)")
	ends, end := context.WithCancel(t.Context())
	runs := 0
	behind(t, s, func(tx port.Tx) error {
		runs++
		return putSite(1)(tx)
	}, stored,
		func(q *queue) {
			q.wait(ends, s.Update, func(tx port.Tx) error {
				own, err := sqlstore.StatementsOf(tx)
				if err != nil {
					return err
				}
				go func() {
					grown(t, p.url+"-wal", 1<<20)
					end()
				}()
				_, err = own.Exec("INSERT INTO embedded WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c")
				return err
			}, stopped)
		},
		queued(putSite(2), stored),
	)
	if runs != 2 {
		t.Errorf("the first unit has run %d times", runs)
	}
	sites(t, s, 1, 2)
}

// grown waits until a file has grown by as many bytes: the engine is writing then.
func grown(t *testing.T, file string, by int64) {
	size := func() int64 {
		info, err := os.Stat(file)
		if err != nil {
			t.Error(err)
			return 0
		}
		return info.Size()
	}
	for before := size(); !t.Failed() && size() < before+by; {
		time.Sleep(time.Millisecond)
	}
}

// What takes long goes by itself: nobody waits for its end without having to.
func TestAUnitThatIsAloneSharesNothing(t *testing.T) {
	t.Parallel()
	s := patient(t, sqlitePlace(t))
	alone := func(q *queue) {
		q.wait(t.Context(), func(ctx context.Context, fn func(port.Tx) error) error { return sqlstore.UpdateAlone(ctx, s, fn) },
			func(tx port.Tx) error {
				sites(t, s, 1, 2)
				return putSite(3)(tx)
			}, stored)
	}
	behind(t, s, putSite(1), stored, queued(putSite(2), stored), alone, queued(func(tx port.Tx) error {
		sites(t, s, 1, 2, 3)
		return putSite(4)(tx)
	}, stored))
	sites(t, s, 1, 2, 3, 4)
}

// However many wait, and however long they take, a transaction ends.
func TestATransactionIsSharedByNoMoreThanItsBounds(t *testing.T) {
	t.Parallel()
	s := sqlitePlace(t).migrated(t)
	var units []func(*queue)
	const many, slow = 150, 140
	for i := range many {
		units = append(units, queued(func(tx port.Tx) error {
			all, err := tx.Sites().All()
			there := committed(t, s)
			if shared := len(all) - len(there); shared >= sqlstore.SharedAtMost {
				t.Errorf("%d units share a transaction", shared+1)
			}
			if i > slow && len(all)-len(there) != 0 {
				t.Errorf("somebody waits for %d slow units", len(all)-len(there))
			}
			if i >= slow {
				time.Sleep(sqlstore.SharedFor)
			}
			return errors.Join(err, putSite(site.ID(i+2))(tx))
		}, stored))
	}
	behind(t, s, putSite(1), stored, units...)
	if there := committed(t, s); len(there) != many+1 {
		t.Errorf("%d sites are stored", len(there))
	}
}

// Whatever becomes of the others: all of a unit that succeeded is there, nothing of one that
// did not, and each reads what those before it have left.
func TestUnitsThatShareAreAtomic(t *testing.T) {
	t.Parallel()
	s := sqlitePlace(t).migrated(t)
	update(t, s, putSite(1))
	var mu sync.Mutex
	told := map[int64]int64{} // sequence and resource of each event that is confirmed
	var group sync.WaitGroup
	const clients, rounds = 12, 40
	for i := range int64(clients) {
		group.Go(func() {
			for round := range int64(rounds) {
				ctx, end := context.WithCancel(t.Context())
				how := rand.IntN(8)
				if how == 0 {
					time.AfterFunc(time.Duration(rand.IntN(1500))*time.Microsecond, end)
				}
				resource := i*rounds + round + 1
				var seq int64
				err := func() (err error) {
					defer func() {
						if recover() != nil {
							err = errUndone
						}
					}()
					return s.Update(ctx, func(tx port.Tx) error {
						e, err := tx.Ledger().Append(1, time.UnixMicro(resource), []event.Event{{Type: event.ProductCreate, Resource: resource}})
						if err == nil {
							err = addProduct(1, product.ID(resource), fmt.Sprint(resource))(tx)
						}
						seq = e.Seq
						switch how {
						case 1:
							return errors.Join(err, errUndone)
						case 2:
							panic("it is wrong")
						}
						return err
					})
				}()
				switch {
				case err == nil:
					mu.Lock()
					told[seq] = resource
					mu.Unlock()
				case !undone(err) && !stopped(err):
					t.Error(err)
				}
				end()
			}
		})
	}
	group.Wait()
	err := s.View(t.Context(), func(tx port.Tx) error {
		found, err := tx.Ledger().After(1, 0, 10_000)
		if len(found) != len(told) {
			t.Errorf("%d units have succeeded, and there are %d events", len(told), len(found))
		}
		for i, e := range found {
			if e.Seq != int64(i+1) || told[e.Seq] != e.Resource {
				t.Errorf("event %d is %v; told was %d", i+1, e, told[e.Seq])
			}
			delete(told, e.Seq)
		}
		all, failed := tx.Products().Scan(1, 0, 10_000)
		if len(all) != len(found) {
			t.Errorf("%d products for %d events", len(all), len(found))
		}
		return errors.Join(err, failed)
	})
	if err != nil || len(told) > 0 {
		t.Errorf("%v; lost is %v", err, told)
	}
}
