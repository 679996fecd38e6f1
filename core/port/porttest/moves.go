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
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func moveExamples() []example {
	return []example{
		{"ASiteIsOpenUntilItMoves", openUntilMoved},
		{"ASiteThatMovesIsReadAndNotChanged", movingIsRead},
		{"NothingIsDoneForASiteThatRests", restingRests},
		{"NothingIsLeftOfASiteThatMoved", movedIsForgotten},
		{"ASiteIsForgottenWhenItsTimeIsOver", movedIsKept},
	}
}

func moveRaces() []example {
	return []example{{"WhatIsWrittenAsASiteBeginsToMoveIsThereOrRefused", freezeIsExact}}
}

// stands puts a site into a state.
func (w *world) stands(t testing.TB, m site.Move) {
	t.Helper()
	w.update(t, func(tx port.Tx) error { return tx.Sites().PutMove(m) })
}

func openUntilMoved(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	stood := func(id site.ID, want site.Move) {
		t.Helper()
		w.view(t, func(tx port.Tx) error {
			m, err := tx.Sites().Move(id)
			same(t, "how the site stands", want, m)
			return err
		})
		if state := w.head(t, id).State; state != want.State {
			t.Errorf("the head says %s, want %s", state, want.State)
		}
	}
	stood(id, site.Move{Site: id})
	for _, m := range []site.Move{
		{Site: id, State: site.Resting, ID: awkward},
		{Site: id, State: site.Moving, ID: "a"},
		{Site: id, State: site.Moved, ID: "a", Domain: awkward, Until: instant(9)},
		{Site: id, State: site.Arriving, ID: "b"},
		{Site: id},
	} {
		w.stands(t, m)
		stood(id, m)
		stood(other, site.Move{Site: other})
	}
	missing := site.ID(w.id())
	if err := w.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().PutMove(site.Move{Site: missing}) }); !errors.Is(err, fault.NotFound) {
		t.Errorf("a site that is not there was put: %v", err)
	}
	w.view(t, func(tx port.Tx) error {
		if _, err := tx.Sites().Move(missing); !errors.Is(err, fault.NotFound) {
			t.Errorf("a site that is not there stands: %v", err)
		}
		return nil
	})
}

// changes are the three ways to take part in a site.
func changes(id site.ID) map[string]func(port.Tx) error {
	return map[string]func(port.Tx) error{
		"an event":     func(tx port.Tx) error { _, err := tx.Ledger().Append(id, instant(1), someEvents(1)); return err },
		"an aspect":    func(tx port.Tx) error { return tx.Ledger().Touch(id, port.AspectAccess) },
		"keeping it":   func(tx port.Tx) error { return tx.Ledger().KeepOpen(id) },
		"a view of it": func(tx port.Tx) error { _, err := tx.Ledger().Head(id); return err },
	}
}

func movingIsRead(t *testing.T, w *world) {
	id := w.site(t)
	for state, takes := range map[site.State]bool{site.Open: true, site.Resting: true, site.Moving: false, site.Arriving: false, site.Moved: false} {
		w.stands(t, site.Move{Site: id, State: state})
		before := w.head(t, id)
		for name, change := range changes(id) {
			err := w.Update(t.Context(), func(tx port.Tx) error {
				if err := tx.Users().Put(site.User{Site: id, ID: 9}); err != nil {
					return err
				}
				_ = change(tx) // who forgets to look cannot go on either
				return nil
			})
			if takes || name == "a view of it" {
				if err != nil {
					t.Errorf("%s at a site that is %s: %v", name, state, err)
				}
				continue
			}
			if told := fault.From(err); told.Kind != fault.Unavailable || told.Code != fault.CodeSiteMoving || told.Wait != port.MovingWait {
				t.Errorf("%s at a site that is %s: %v", name, state, err)
			}
		}
		after := w.head(t, id)
		if changed := after.Seq != before.Seq || after.Access != before.Access; changed != takes {
			t.Errorf("a site that is %s went from %+v to %+v", state, before, after)
		}
	}
}

func restingRests(t *testing.T, w *world) {
	id := w.site(t)
	follower := w.follower(t, id)
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Webhooks().Put(sampleWebhook(id, 1)) },
			func() error { return tx.Deliveries().Add([]webhook.Delivery{plainDelivery(id, 1, 1, 1, instant(1))}) },
		)
	})
	mine := func(taken []webhook.Lease) (found []webhook.Lease) {
		for _, l := range taken {
			if l.Site == id {
				found = append(found, l)
			}
		}
		return found
	}
	lease := mine(w.takes(t, "before", instant(2), instant(3), 100))
	if len(lease) != 1 {
		t.Fatalf("leases %+v", lease)
	}
	holds := func(want bool) {
		t.Helper()
		w.update(t, func(tx port.Tx) error {
			held, open, err := tx.Leases().Hold(lease[0])
			if !held || open != want {
				t.Errorf("held %t, open %t", held, open)
			}
			kept, failed := tx.Leases().Kept(lease)
			if len(kept) == 1 != want {
				t.Errorf("kept %+v", kept)
			}
			return errors.Join(err, failed)
		})
	}
	holds(true)
	for _, state := range []site.State{site.Resting, site.Moving, site.Arriving, site.Moved} {
		w.stands(t, site.Move{Site: id, State: state})
		if taken := mine(w.takes(t, "meanwhile", instant(4), instant(5), 100)); len(taken) > 0 {
			t.Errorf("a site that is %s is delivered for: %+v", state, taken)
		}
		holds(false)
		if f, found := w.follows(t, follower, "meanwhile", instant(4), instant(5)); found {
			t.Errorf("a site that is %s is followed: %+v", state, f)
		}
	}
	w.stands(t, site.Move{Site: id})
	if taken := mine(w.takes(t, "after", instant(4), instant(5), 100)); len(taken) != 1 {
		t.Errorf("an open site is not delivered for: %+v", taken)
	}
	if _, found := w.follows(t, follower, "after", instant(4), instant(5)); !found {
		t.Error("an open site is not followed")
	}
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
