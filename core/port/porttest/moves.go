package porttest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func moveExamples() []example {
	return []example{
		{"NothingIsLeftOfASiteThatMoved", movedIsForgotten},
		{"ASiteIsForgottenWhenItsTimeIsOver", movedIsKept},
	}
}

// stands puts a site into a state.
func (w *world) stands(t testing.TB, m site.Move) {
	t.Helper()
	w.update(t, func(tx port.Tx) error { return tx.Sites().PutMove(m) })
}

// forgets purges in small steps, and counts the records.
func (w *world) forgets(t *testing.T, before time.Time) (all int) {
	t.Helper()
	for {
		var n int
		w.update(t, func(tx port.Tx) (err error) {
			n, err = tx.Sites().PurgeMoved(before, 3)
			return err
		})
		if n > 3 {
			t.Fatalf("%d records went at once", n)
		}
		if all += n; n == 0 {
			return all
		}
	}
}

func movedIsForgotten(t *testing.T, w *world) {
	id, other := site.ID(w.id()), site.ID(w.id())
	FillSite(t, w, id)
	FillSite(t, w, other)
	before := w.head(t, other)
	w.stands(t, site.Move{Site: id, State: site.Moved, Until: instant(5)})
	if n := w.forgets(t, instant(6)); n < 20 {
		t.Errorf("%d records went", n)
	}
	if _, err := w.Head(t.Context(), id); !errors.Is(err, fault.NotFound) {
		t.Errorf("its head: %v", err)
	}
	same(t, "the head of another site", before, w.head(t, other))
	w.view(t, func(tx port.Tx) error {
		if _, err := tx.Sites().Get(id); !errors.Is(err, fault.NotFound) {
			t.Errorf("the site: %v", err)
		}
		for _, of := range []site.ID{id, other} {
			found, err := tx.Ledger().After(of, 0, 9)
			products, failed := tx.Products().Kept(of, []product.ID{1, 2, 3})
			agencies, wrong := tx.Agencies().Of(of)
			if err := errors.Join(err, failed, wrong); err != nil {
				return err
			}
			if is := len(found) + len(products) + len(agencies); (is > 0) != (of == other) {
				t.Errorf("%d records of site %d are left", is, of)
			}
			_, err = tx.Tokens().Get(tokenOf(of, 1, "a", instant(9)).Hash)
			if errors.Is(err, fault.NotFound) != (of == id) {
				t.Errorf("a token of site %d: %v", of, err)
			}
		}
		return nil
	})
	FillSite(t, w, id) // nothing is in its way
}

func movedIsKept(t *testing.T, w *world) {
	for name, m := range map[string]site.Move{
		"told of":  {State: site.Moved, Until: instant(9)},
		"moving":   {State: site.Moving, Until: instant(1)},
		"arriving": {State: site.Arriving},
		"open":     {},
	} {
		m.Site = w.site(t)
		w.stands(t, m)
		w.forgets(t, instant(9))
		if state := w.head(t, m.Site).State; state != m.State {
			t.Errorf("%s: %s", name, state)
		}
	}
}

// freezeIsExact: of units that write while a site begins to move, each is seen by
// whoever reads the site then, or refused. None comes later.
func freezeIsExact(t *testing.T, w *world) {
	for round := range 5 {
		id := w.site(t)
		var written atomic.Int64
		began := make(chan struct{}, 100)
		read := func() (now [2]int64) {
			w.view(t, func(tx port.Tx) error {
				head, err := tx.Ledger().Head(id)
				users, failed := tx.Users().Of(id)
				now = [2]int64{head.Seq, int64(len(users))}
				return errors.Join(err, failed)
			})
			return now
		}
		done := make(chan struct{})
		var frozen [2]int64
		go func() {
			defer close(done)
			for range 20 {
				<-began
			}
			w.stands(t, site.Move{Site: id, State: site.Moving})
			frozen = read()
		}()
		together(t, 8, func(ctx context.Context, i int) error {
			for n := 1; ; n++ {
				err := w.Update(ctx, func(tx port.Tx) error {
					if i%2 == 0 {
						_, err := tx.Ledger().Append(id, instant(n), []event.Event{{Type: event.ProductUpdate, Resource: 1}})
						return err
					}
					return try(
						func() error { return tx.Users().Put(site.User{Site: id, ID: site.UserID(i*1_000_000 + n)}) },
						func() error { return tx.Ledger().KeepOpen(id) },
					)
				})
				switch told := fault.From(err); {
				case err == nil:
					written.Add(1)
				case told.Code == fault.CodeSiteMoving:
					return nil
				default:
					return err
				}
				select {
				case began <- struct{}{}:
				default:
				}
			}
		})
		<-done
		if now := read(); now != frozen || now[0]+now[1] != written.Load() {
			t.Errorf("round %d: %d units wrote; events and users were %v when the site began to move, and are %v", round, written.Load(), frozen, now)
		}
	}
}
