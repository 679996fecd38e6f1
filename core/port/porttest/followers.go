package porttest

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// follower is a name for somebody who has seen everything but some sites.
func (w *world) follower(t *testing.T, unseen ...site.ID) string {
	t.Helper()
	name := fmt.Sprint("follower-", w.id())
	var taken []port.Following
	for {
		f, found := w.follows(t, name, "other", old(0), old(1))
		if !found {
			break
		}
		taken = append(taken, f)
	}
	w.update(t, func(tx port.Tx) error {
		for _, f := range taken {
			if !slices.Contains(unseen, f.Site) {
				head, err := tx.Ledger().Head(f.Site)
				if err != nil {
					return err
				}
				f.Scanning, f.Seq = false, head.Seq
			}
			if err := tx.Ledger().StopFollowing(f); err != nil {
				return err
			}
		}
		return nil
	})
	return name
}

func (w *world) follows(t *testing.T, name, holder string, now, until time.Time) (f port.Following, found bool) {
	t.Helper()
	w.update(t, func(tx port.Tx) (err error) {
		f, found, err = tx.Ledger().Follow(name, holder, now, until)
		return err
	})
	return f, found
}

func noTwoFollowings(t *testing.T, w *world) {
	sites := []site.ID{w.site(t), w.site(t), w.site(t)}
	name := w.follower(t, sites...)
	served := map[site.ID]*atomic.Int32{}
	for _, id := range sites {
		served[id] = new(atomic.Int32)
	}
	var leases atomic.Int64
	together(t, workers, func(ctx context.Context, i int) error {
		for round := range rounds {
			var f port.Following
			var found bool
			err := w.Update(ctx, func(tx port.Tx) (err error) {
				f, found, err = tx.Ledger().Follow(name, fmt.Sprint(i, "-", round), old(1), old(1000))
				return err
			})
			if err != nil {
				return err
			}
			if !found {
				continue
			}
			leases.Add(1)
			if !served[f.Site].CompareAndSwap(0, 1) {
				return fmt.Errorf("site %d is followed twice", f.Site)
			}
			served[f.Site].Store(0)
			f.Scanned++
			if err := w.Update(ctx, func(tx port.Tx) error { return tx.Ledger().StopFollowing(f) }); err != nil {
				return err
			}
		}
		return nil
	})
	seen := int64(0)
	for range sites {
		f, _ := w.follows(t, name, "last", old(2), old(1000))
		seen += int64(f.Scanned)
	}
	same(t, "steps that were kept", leases.Load(), seen)
}

// followCommand makes up a command about one of two followers.
func (p program) followCommand() command {
	name, holder := fmt.Sprint(draw(p, "follower", "one", "another"), " of ", p.sites[0]), draw(p, "holder", "a", "b")
	now := p.second()
	until, left := now+p.second()-2, port.Following{Seq: p.number("seq", 4) - 1, Scanning: draw(p, "scanning", true, false), Scanned: product.ID(p.number("scanned", 9))}
	serve := reads("serve", func(tx port.Tx) (port.Following, error) {
		f, found, err := tx.Ledger().Follow(name, holder, old(now), old(until))
		if err != nil || !found {
			return f, err
		}
		left.Name, left.Site, left.Holder = name, f.Site, holder
		return f, tx.Ledger().StopFollowing(left)
	})
	return p.pick(with{"name": name, "holder": holder, "now": now, "until": until, "left": left}, []command{
		reads("behind", func(tx port.Tx) ([2]int64, error) {
			events, sites, err := tx.Ledger().Behind(name)
			return [2]int64{events, int64(sites)}, err
		}),
	}, serve, serve,
		reads("take", func(tx port.Tx) ([]any, error) {
			f, found, err := tx.Ledger().Follow(name, holder, old(now), old(until))
			return []any{f, found}, err
		}),
		writes("release", func(tx port.Tx) error {
			left.Name, left.Site, left.Holder = name, p.site, holder
			return tx.Ledger().StopFollowing(left)
		}))
}
