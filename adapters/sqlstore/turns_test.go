package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
)

var errUndone = errors.New("undone")

func undone(err error) bool  { return errors.Is(err, errUndone) }
func stopped(err error) bool { return errors.Is(err, context.Canceled) }

// A unit that waits for the writer ends with its context, and others go on.
func TestAUnitEndsThatWaitsForTheWriter(t *testing.T) {
	t.Parallel()
	s := sqlitePlace(t).migrated(t)
	update(t, s, func(tx port.Tx) error {
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- s.Update(ctx, func(port.Tx) error {
				t.Error("two units write at a time")
				return nil
			})
		}()
		end()
		if err := <-ended; !stopped(err) {
			t.Errorf("it ended with %v", err)
		}
		return putSite(1)(tx)
	})
	update(t, s, putSite(2))
}

// Whatever becomes of the others: all of a unit that succeeded is there, nothing of one that
// did not, and each reads what those before it have stored.
func TestUnitsThatTakeTurnsAreAtomic(t *testing.T) {
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
