package porttest

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func followerExamples() []example {
	return []example{
		{"AFollowerGoesThroughTheProductsAndThenTheLedger", followerGoesOn},
		{"AFollowerServesTheLongestUnservedSite", followerIsFair},
		{"ALeaseToFollowThatEndedIsTakenOver", followingIsTakenOver},
		{"FollowersDoNotKnowEachOther", followersApart},
		{"NoSiteIsFollowedTwiceAtOnce", noTwoFollowings},
	}
}

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
			if err := tx.Followers().Release(f); err != nil {
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
		f, found, err = tx.Followers().Take(name, holder, now, until)
		return err
	})
	return f, found
}

func (w *world) leaves(t *testing.T, f port.Following) {
	t.Helper()
	w.update(t, func(tx port.Tx) error { return tx.Followers().Release(f) })
}

// behind checks what a follower has yet to do.
func (w *world) behind(t *testing.T, name string, events int64, sites int) {
	t.Helper()
	w.view(t, func(tx port.Tx) error {
		n, of, err := tx.Followers().Behind(name)
		same(t, "events and sites to come", []int64{events, int64(sites)}, []int64{n, int64(of)})
		return err
	})
}

func followerGoesOn(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error { return appends(tx, id, 3) })
	name := w.follower(t, id)
	w.behind(t, name, 0, 1)

	f, found := w.follows(t, name, "me", old(2), old(9))
	same(t, "the first lease", port.Following{Name: name, Site: id, Holder: "me", Scanning: true}, f)
	if _, again := w.follows(t, name, "me", old(3), old(9)); !found || again {
		t.Errorf("a lease is found %t, and again %t", found, again)
	}
	f.Seq, f.Scanned = 3, 17
	w.leaves(t, f)
	w.behind(t, name, 0, 1)

	f, _ = w.follows(t, name, "you", old(4), old(9))
	same(t, "the lease amid the products", port.Following{Name: name, Site: id, Holder: "you", Seq: 3, Scanning: true, Scanned: 17}, f)
	f.Scanning, f.Scanned = false, 0
	w.leaves(t, f)
	w.behind(t, name, 0, 0)
	if f, found := w.follows(t, name, "me", old(5), old(9)); found {
		t.Errorf("with nothing to do there is a lease: %+v", f)
	}

	w.update(t, func(tx port.Tx) error { return appends(tx, id, 2) })
	w.behind(t, name, 2, 0)
	f, _ = w.follows(t, name, "me", old(6), old(9))
	same(t, "the lease after new events", port.Following{Name: name, Site: id, Holder: "me", Seq: 3}, f)
	f.Seq = 4
	w.leaves(t, f)
	w.behind(t, name, 1, 0)
}

func followerIsFair(t *testing.T, w *world) {
	a, b, c := w.site(t), w.site(t), w.site(t)
	name := w.follower(t, a, b, c)
	now := 10
	serve := func(want site.ID) {
		t.Helper()
		now++
		f, _ := w.follows(t, name, "me", old(now), old(1000))
		same(t, "the site in turn", want, f.Site)
		w.leaves(t, f)
	}
	for _, want := range []site.ID{a, b, c, a, b, c} {
		serve(want)
	}
	// Who was not there before has not been served for longest.
	newest := w.site(t)
	serve(newest)
	serve(a)
}

func followingIsTakenOver(t *testing.T, w *world) {
	id := w.site(t)
	name := w.follower(t, id)
	mine, _ := w.follows(t, name, "me", old(2), old(10))
	if _, found := w.follows(t, name, "you", old(9), old(20)); found {
		t.Error("a lease is taken over before it ends")
	}
	yours, found := w.follows(t, name, "you", old(10), old(20))
	if !found {
		t.Fatal("a lease that ended is not taken over")
	}
	mine.Scanned = 99
	w.leaves(t, mine)
	w.leaves(t, port.Following{Name: name, Site: id})
	if _, found := w.follows(t, name, "me", old(11), old(30)); found {
		t.Error("a lease was given up by somebody who lost it")
	}
	yours.Scanned = 5
	w.leaves(t, yours)
	again, _ := w.follows(t, name, "me", old(12), old(30))
	same(t, "what the holder left", port.Following{Name: name, Site: id, Holder: "me", Scanning: true, Scanned: 5}, again)
}

func followersApart(t *testing.T, w *world) {
	id := w.site(t)
	one, another := w.follower(t, id), w.follower(t, id)
	f, _ := w.follows(t, one, "me", old(2), old(10))
	g, found := w.follows(t, another, "me", old(2), old(10))
	same(t, "the lease of another follower", port.Following{Name: another, Site: id, Holder: "me", Scanning: true}, g)
	if !found {
		t.Error("one follower keeps another away")
	}
	f.Scanning = false
	w.leaves(t, f)
	w.behind(t, one, 0, 0)
	w.behind(t, another, 0, 1)
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
				f, found, err = tx.Followers().Take(name, fmt.Sprint(i, "-", round), old(1), old(1000))
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
			if err := w.Update(ctx, func(tx port.Tx) error { return tx.Followers().Release(f) }); err != nil {
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

// followCommand makes up a command about a follower of its own: others would
// find the site, too.
func (p program) followCommand() command {
	name := fmt.Sprint("program-", p.site)
	holder, seconds := draw(p, "holder", "a", "b"), p.second()
	switch draw(p, "command", "take", "take", "release", "behind") {
	case "take":
		until := p.second() + seconds - 2
		return command{fmt.Sprintf("%s follows from %d to %d", holder, seconds, until), func(tx port.Tx) (any, error) {
			f, found, err := tx.Followers().Take(name, holder, old(seconds), old(until))
			return []any{f, found}, err
		}}
	case "release":
		f := port.Following{Name: name, Site: site.ID(p.number("site", 3)) + p.site - 3, Holder: holder, Seq: p.number("seq", 3) - 1}
		f.Scanning, f.Scanned = draw(p, "scanning", true, false), 7
		return command{fmt.Sprintf("release %+v", f), func(tx port.Tx) (any, error) { return nil, tx.Followers().Release(f) }}
	}
	return command{"behind", func(tx port.Tx) (any, error) {
		events, sites, err := tx.Followers().Behind(name)
		return []any{events, sites}, err
	}}
}
