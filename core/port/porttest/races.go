package porttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func races() []example {
	return []example{
		{"NoChangeOfAProductIsLost", noLostProduct},
		{"NoChangeOfADeletedProductIsLost", noLostDeleted},
		{"NoChangeOfSeveralProductsIsLost", noneOfSeveralLost},
		{"NoChangeOfAnUnlockedProductIsLost", noLostUnlockedProduct},
		{"WhatWasReadUnlockedIsSoWhenTheUnitEnds", unlockedUntilTheEnd},
		{"NoChangeOfAFamilyIsLost", noLostFamily},
		{"NoChangeOfARunIsLost", noLostRun},
		{"NoChangeOfAWebhookIsLost", noLostWebhook},
		{"ACredentialIsHeld", credentialIsHeld},
		{"UsageIsCountedOnceByUnitsThatMeet", usageIsShared},
		{"TheLedgerHasNoGaps", gaplessLedger},
		{"WhatTheHeadSaysCanBeRead", headIsTrue},
		{"TheHeadShowsWhatHadCommitted", headIsPresent},
		{"OneOfManyTakesAReference", oneTakesTheReference},
		{"IDsAreDistinct", distinctIDs},
		{"UnitsThatAddAgenciesTakeTurns", agenciesDiffer},
		{"OneOfManyClaimsAReceipt", oneAnswers},
		{"UnitsThatCrossAllEnd", crossing},
		{"NumbersOfDealsDifferAndHaveNoGaps", numbersDiffer},
		{"LeadsThatShareKeysAreOne", oneOfManyClaims},
		{"NoKeyIsAddedToALeadThatIsReleased", noneSlipsIn},
		{"TimeOfHeldCalendarsIsGivenAwayOnce", heldOnce},
		{"UnitsThatHoldCalendarsCrosswiseAllEnd", heldCrosswise},
		{"NoSiteIsFollowedTwiceAtOnce", noTwoFollowings},
		{"WhatIsWrittenAsASiteBeginsToMoveIsThereOrRefused", freezeIsExact},
	}
}

// together runs fn in n goroutines at once, with their numbers.
func together(t *testing.T, n int, fn func(ctx context.Context, i int) error) {
	t.Helper()
	var group sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		group.Go(func() {
			<-start
			if err := fn(t.Context(), i); err != nil {
				t.Errorf("worker %d: %v", i, err)
			}
		})
	}
	close(start)
	group.Wait()
}

const workers, rounds = 8, 12

// noneLost has workers change one thing at once, each adding one to a count, and
// demands that no change is lost.
func noneLost(t *testing.T, w *world, count func(port.Tx) (int64, error), change func(port.Tx) error) {
	t.Helper()
	counted := func() (n int64) {
		w.view(t, func(tx port.Tx) (err error) {
			n, err = count(tx)
			return err
		})
		return n
	}
	before := counted()
	together(t, workers, func(ctx context.Context, _ int) error {
		for range rounds {
			if err := w.Update(ctx, change); err != nil {
				return err
			}
		}
		return nil
	})
	same(t, "changes", int64(workers*rounds), counted()-before)
}

// noneLostOf is noneLost for a record that is read and put, and in which a number counts.
func noneLostOf[T any](t *testing.T, w *world, get func(port.Tx) (T, error), number func(*T) *int64, put func(port.Tx, T) error) {
	t.Helper()
	noneLost(t, w, func(tx port.Tx) (int64, error) {
		found, err := get(tx)
		if err != nil {
			return 0, err
		}
		return *number(&found), nil
	}, func(tx port.Tx) error {
		found, err := get(tx)
		if err != nil {
			return err
		}
		*number(&found)++
		return put(tx, found)
	})
}

func versionOf(p *product.Product) *int64 { return &p.Version }

func noLostProduct(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1)
	noneLostOf(t, w, func(tx port.Tx) (product.Product, error) { return tx.Products().Get(id, 1) }, versionOf,
		func(tx port.Tx, p product.Product) error { return tx.Products().Replace(p) })
}

func noLostDeleted(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1)
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(deletedProduct(id, 1, instant(1))) })
	noneLostOf(t, w, func(tx port.Tx) (product.Product, error) { return tx.Products().Deleted(id, 1) }, versionOf,
		func(tx port.Tx, p product.Product) error { return tx.Products().Restore(p) })
}

func noneOfSeveralLost(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1, 2)
	noneLostOf(t, w, func(tx port.Tx) ([]product.Product, error) {
		both, err := port.GetAll(tx.Products(), id, []product.ID{2, 1})
		if err == nil && len(both) != 2 {
			err = fmt.Errorf("%d products instead of two", len(both))
		}
		return both, err
	}, func(both *[]product.Product) *int64 { return &(*both)[0].Version },
		func(tx port.Tx, both []product.Product) error { return port.ReplaceAll(tx.Products(), both) })
}

func noLostFamily(t *testing.T, w *world) {
	id := access.FamilyID(w.id())
	w.update(t, func(tx port.Tx) error { return tx.Tokens().PutFamily(access.Family{ID: id}) })
	noneLostOf(t, w, func(tx port.Tx) (access.Family, error) { return tx.Tokens().Family(id) }, func(f *access.Family) *int64 { return (*int64)(&f.Site) },
		func(tx port.Tx, f access.Family) error { return tx.Tokens().PutFamily(f) })
}

func noLostRun(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error { return tx.Imports().Save(sampleRun(id, 1), nil) })
	noneLostOf(t, w, func(tx port.Tx) (operator.ImportRun, error) { return tx.Imports().Get(id, 1) }, func(r *operator.ImportRun) *int64 { return &r.Size },
		func(tx port.Tx, r operator.ImportRun) error { return tx.Imports().Save(r, nil) })
}

func noLostWebhook(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error { return tx.Webhooks().Put(sampleWebhook(id, 1)) })
	noneLostOf(t, w, func(tx port.Tx) (webhook.Webhook, error) { return tx.Webhooks().Get(id, 1) }, func(h *webhook.Webhook) *int64 { return &h.Epoch },
		func(tx port.Tx, h webhook.Webhook) error { return tx.Webhooks().Put(h) })
}

func credentialIsHeld(t *testing.T, w *world) {
	id := keyHolder(w.site(t))
	w.update(t, func(tx port.Tx) error { return tx.Credentials().Put(sampleCredential(id)) })
	noneLostOf(t, w, func(tx port.Tx) (access.Credential, error) {
		held, err := tx.Credentials().Held(id)
		if err == nil && len(held.Sites) == 0 {
			err = errors.New("the sites of the credential are gone")
		}
		return held, err
	}, func(c *access.Credential) *int64 { return (*int64)(&c.Sites[0]) },
		func(tx port.Tx, c access.Credential) error { return tx.Credentials().Put(c) })
}

// drawn collects numbers that must differ.
type drawn struct {
	sync.Mutex
	numbers []int64
}

func (d *drawn) add(numbers ...int64) {
	d.Lock()
	defer d.Unlock()
	d.numbers = append(d.numbers, numbers...)
}

func (d *drawn) distinct(t *testing.T, want int) {
	t.Helper()
	slices.Sort(d.numbers)
	if n := len(slices.Compact(slices.Clone(d.numbers))); n != want || len(d.numbers) != want {
		t.Errorf("%d different numbers among %d, want %d: %v", n, len(d.numbers), want, d.numbers)
	}
}

func gaplessLedger(t *testing.T, w *world) {
	id := w.site(t)
	undone := errors.New("undone")
	var group sync.WaitGroup
	stop := make(chan struct{})
	group.Go(func() {
		var last port.Head
		for {
			select {
			case <-stop:
				return
			default:
			}
			h, err := w.Head(t.Context(), id)
			if err != nil || h.Seq < last.Seq || h.Settings < last.Settings {
				t.Errorf("the head went from %v to %v (%v)", last, h, err)
				return
			}
			last = h
		}
	})
	together(t, workers, func(ctx context.Context, i int) error {
		for round := range rounds {
			err := w.Update(ctx, func(tx port.Tx) error {
				last, err := tx.Ledger().Append(id, instant(i), someEvents(i%3+1))
				if err != nil {
					return err
				}
				if h, err := tx.Ledger().Head(id); err != nil || h.Seq != last.Seq {
					return fmt.Errorf("the head is %v (%w) after an append that ended at %d", h, err, last.Seq)
				}
				if (i+round)%4 == 0 {
					return undone
				}
				return tx.Ledger().Touch(id, port.AspectSettings)
			})
			if err != nil && !errors.Is(err, undone) {
				return err
			}
		}
		return nil
	})
	close(stop)
	group.Wait()
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Ledger().After(id, 0, 10_000)
		for i, e := range found {
			if e.Seq != int64(i+1) {
				t.Fatalf("event %d has the sequence %d", i+1, e.Seq)
			}
		}
		same(t, "head", port.Head{Seq: int64(len(found)), Settings: int64(workers * rounds * 3 / 4)}, w.head(t, id))
		return err
	})
}

// headIsTrue: what an event up to the head speaks of is there to be read.
func headIsTrue(t *testing.T, w *world) {
	id := w.site(t)
	together(t, workers, func(ctx context.Context, i int) error {
		for round := range rounds {
			if i%2 == 0 {
				p := product.ID(100*i + round + 1)
				err := w.Update(ctx, func(tx port.Tx) error {
					one := someEvents(1)
					one[0].Resource = int64(p)
					_, err := tx.Ledger().Append(id, instant(1), one)
					return errors.Join(err, tx.Products().Add(plainProduct(id, p)))
				})
				if err != nil {
					return err
				}
				continue
			}
			h, err := w.Head(ctx, id)
			if err != nil {
				return err
			}
			err = w.View(ctx, func(tx port.Tx) error {
				found, err := tx.Ledger().After(id, 0, 10_000)
				if err != nil {
					return err
				}
				if int64(len(found)) < h.Seq {
					return fmt.Errorf("the head was at %d, and there are %d events", h.Seq, len(found))
				}
				for _, e := range found {
					if _, err := tx.Products().Get(id, product.ID(e.Resource)); err != nil {
						return fmt.Errorf("event %d: %w", e.Seq, err)
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// headIsPresent: whoever asks for a head after a unit had committed sees it, however many
// others ask, and whenever they began to.
func headIsPresent(t *testing.T, w *world) {
	ids := make([]site.ID, workers)
	for i := range ids {
		ids[i] = w.site(t)
	}
	var group sync.WaitGroup
	stop := make(chan struct{})
	for i := range 2 * workers {
		group.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := w.Head(t.Context(), ids[i%workers]); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	together(t, workers, func(ctx context.Context, i int) error {
		for range 2 * rounds {
			var last int64
			err := w.Update(ctx, func(tx port.Tx) error {
				e, err := tx.Ledger().Append(ids[i], instant(1), someEvents(1))
				last = e.Seq
				return err
			})
			if err != nil {
				return err
			}
			if h, err := w.Head(ctx, ids[i]); err != nil || h.Seq != last {
				return fmt.Errorf("event %d had committed, and the head was at %d, %w", last, h.Seq, err)
			}
		}
		return nil
	})
	close(stop)
	group.Wait()

	together(t, 2*workers, func(ctx context.Context, i int) error {
		if _, err := w.Head(ctx, ids[i/2]+site.ID(i%2)*1_000_000); errors.Is(err, fault.NotFound) != (i%2 == 1) {
			return fmt.Errorf("every other site is not there: %w", err)
		}
		return nil
	})
}

func oneTakesTheReference(t *testing.T, w *world) {
	for range 5 {
		id := w.site(t)
		var next atomic.Int64
		oneOf(t, w, port.ErrReferenceTaken, func(tx port.Tx) error {
			p := plainProduct(id, product.ID(next.Add(1)))
			p.Reference = "the one"
			return tx.Products().Add(p)
		})
	}
}

// distinctIDs draws while others draw, and reserve what may be drawn next.
func distinctIDs(t *testing.T, w *world) {
	var all drawn
	var count, highest atomic.Int64
	together(t, workers, func(ctx context.Context, i int) error {
		for range 3 * rounds {
			var ids []int64
			err := w.Update(ctx, func(tx port.Tx) (err error) {
				if i < 2 {
					return tx.ReserveID(port.RoomIDs, highest.Load()+int64(i))
				}
				ids, err = tx.NextIDs(port.RoomIDs, 1+i%3)
				return err
			})
			if err != nil {
				return err
			}
			for _, id := range ids {
				highest.Store(id)
			}
			count.Add(int64(len(ids)))
			all.add(ids...)
		}
		return nil
	})
	all.distinct(t, int(count.Load()))
}

// crossing units take the same two products in opposite orders. There are few,
// because an engine may look for deadlocks once a second.
func crossing(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1, 2)
	together(t, 2, func(ctx context.Context, i int) error {
		for range 2 {
			err := w.Update(ctx, func(tx port.Tx) error {
				for n := range 2 {
					p, err := tx.Products().Get(id, product.ID((i+n)%2+1))
					if err != nil {
						return err
					}
					p.Color++
					if err := tx.Products().Replace(p); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	w.view(t, func(tx port.Tx) error {
		for _, n := range []product.ID{1, 2} {
			p, err := tx.Products().Get(id, n)
			if err != nil {
				return err
			}
			same(t, "changes", sampleProduct(id, n).Color+4, p.Color)
		}
		return nil
	})
}

// numbersDiffer draws in many units, of which every third fails: references differ, and deals
// are numbered 1, 2, 3 and so on.
func numbersDiffer(t *testing.T, w *world) {
	id := w.site(t)
	draws := func(draw func(port.Sequencer) (int64, error)) []int64 {
		var all drawn
		together(t, workers, func(ctx context.Context, i int) error {
			for round := range rounds {
				var n int64
				err := w.Update(ctx, func(tx port.Tx) (err error) {
					if n, err = draw(tx); err == nil && (i+round)%3 == 0 {
						err = errAborted
					}
					return err
				})
				if err == nil {
					all.add(n)
				} else if !errors.Is(err, errAborted) {
					return err
				}
			}
			return nil
		})
		all.distinct(t, len(all.numbers))
		return all.numbers
	}
	draws(func(of port.Sequencer) (int64, error) { return of.NextReference(id, 1) })
	for n, got := range draws(func(of port.Sequencer) (int64, error) { return of.NextDeal(id, 1, deal.Offers) }) {
		if got != int64(n+1) {
			t.Fatalf("deal %d has the number %d", n+1, got)
		}
	}
}

// agenciesDiffer has workers add agencies to sites of their own, each with the id after the last.
func agenciesDiffer(t *testing.T, w *world) {
	add := func(tx port.Tx, to site.ID) (site.AgencyID, error) {
		last, err := tx.Agencies().LastID()
		if err != nil {
			return 0, err
		}
		return last + 1, tx.Agencies().Put(site.Agency{Site: to, ID: last + 1, Name: "A"})
	}
	first := w.site(t)
	w.update(t, func(tx port.Tx) error { _, err := add(tx, first); return err })
	sites := make([]site.ID, workers)
	for i := range sites {
		sites[i] = w.site(t)
	}
	var mu sync.Mutex
	seen := map[site.AgencyID]bool{}
	together(t, workers, func(ctx context.Context, i int) error {
		for range rounds {
			var made site.AgencyID
			err := w.Update(ctx, func(tx port.Tx) (err error) {
				made, err = add(tx, sites[i])
				return err
			})
			if err != nil {
				return err
			}
			mu.Lock()
			if seen[made] {
				t.Errorf("there are two agencies %d", made)
			}
			seen[made] = true
			mu.Unlock()
		}
		return nil
	})
}
