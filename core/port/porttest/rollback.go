package porttest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

func rollbacks() []example {
	return []example{
		{"AFailedUnitLeavesNothing", failedUnit},
		{"APanicLeavesNothing", panickingUnit},
		{"AnExitingGoroutineLeavesNothing", exitingUnit},
		{"AViewCannotWrite", viewsCannotWrite},
		{"AUnitIsOverWhenItEnds", unitsEnd},
	}
}

// place is a corner of the store that one example has to itself, with something
// of every kind in it.
type place struct {
	site       site.ID
	family     access.FamilyID
	credential access.CredentialID
	hash       access.Hash
	stale      access.Hash
	following  port.Following
}

func (w *world) place(t *testing.T) place {
	t.Helper()
	id := w.site(t)
	p := place{
		site: id, family: access.FamilyID(id),
		credential: access.CredentialID(fmt.Sprint("place-", id)), hash: access.Hash(fmt.Sprint("hash-", id)), stale: access.Hash(fmt.Sprint("stale-", id)),
	}
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return p.seeds(tx) },
			func() error { return tx.Credentials().Put(access.Credential{ID: p.credential}) },
			func() error { return tx.Tokens().PutFamily(access.Family{ID: p.family, Credential: p.credential}) },
			func() error {
				return tx.Tokens().Put(access.Token{Hash: p.hash, Family: p.family, Expires: instant(0)})
			},
			func() error {
				return tx.Tokens().Put(access.Token{Hash: p.stale, Family: p.family, Expires: time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)})
			},
			func() error { return tx.Products().Add(sampleProduct(id, 1)) },
			func() error { return tx.Products().Add(sampleProduct(id, 2)) },
			func() error { return each(tx.Products().Add, sampleProduct(id, 4), sampleProduct(id, 5)) },
			func() error {
				return each(tx.Products().Replace, deletedProduct(id, 4, instant(1)), deletedProduct(id, 5, old(0)))
			},
			func() error { return tx.Holds().Put(planning.Hold{Site: id, ID: 4, User: 1, Expires: old(0)}) },
			func() error { return tx.Actions().Append(sampleAction(id, 1)) },
			func() error {
				alone := sampleAction(id, 9)
				alone.Customer = 0
				return tx.Actions().Append(alone)
			},
			func() error { return tx.RaiseReference(id, 1, 10) },
			func() error {
				return tx.Receipts().Put(port.Receipt{ReceiptID: receiptID(id, "old"), At: old(0), Customer: 1})
			},
			func() error { _, err := tx.Claims().Claim(id, []string{"key"}, 1, instant(1), instant(0)); return err },
			func() error { return tx.Credentials().CountRequests(old(p.day()), "a", 1) },
			func() error { return p.hooks(tx) }, // the oldest event comes first
			func() error { return appends(tx, id, 2) },
		)
	})
	for p.following.Site != id {
		p.following, _ = w.follows(t, p.follower(), "me", old(0), old(20))
	}
	return p
}

// day is one that no other place counts on.
func (p place) day() int { return int(p.site) }

func (p place) follower() string { return "follower-of-" + string(p.hash) }

// writes is every way to write, each to something of the place.
func (p place) writes(tx port.Tx) map[string]func() error {
	changed := plainProduct(p.site, 1)
	changed.Reference = "another"
	deleted := sampleProduct(p.site, 2)
	deleted.Deleted = instant(20)
	ways := map[string]func() error{
		"site":       func() error { return tx.Sites().Put(sampleSite(p.site)) },
		"action":     func() error { return tx.Actions().Append(sampleAction(p.site, 2)) },
		"credential": func() error { return tx.Credentials().Put(sampleCredential(p.credential)) },
		"token":      func() error { return tx.Tokens().Put(sampleToken(p.hash, p.family, instant(1))) },
		"family":     func() error { return tx.Tokens().PutFamily(access.Family{ID: p.family, Revoked: true}) },
		"purge": func() error {
			_, err := tx.Tokens().Purge(time.Date(1991, 1, 1, 0, 0, 0, 0, time.UTC), 1000)
			return err
		},
		"add":             func() error { return tx.Products().Add(sampleProduct(p.site, 3)) },
		"replace":         func() error { return tx.Products().Replace(changed) },
		"delete":          func() error { return tx.Products().Replace(deleted) },
		"restore":         func() error { return tx.Products().Restore(sampleProduct(p.site, 4)) },
		"purge products":  func() error { _, err := tx.Products().Purge(old(1), 1000); return err },
		"purge holds":     func() error { _, err := tx.Holds().Purge(old(1), 1000); return err },
		"release":         func() error { return tx.Claims().Release(p.site, []demand.LeadID{1}) },
		"move actions":    func() error { _, _, err := tx.Actions().Move(p.site, sampleAction(p.site, 1).Customer, 6); return err },
		"forget actions":  func() error { _, err := tx.Actions().Forget(p.site, sampleAction(p.site, 1).Customer); return err },
		"forget about":    func() error { return tx.Actions().ForgetAbout(p.site, customer.AimedAtProduct, []int64{1}) },
		"forget receipts": func() error { return tx.Receipts().Forget(p.site, 1) },
		"next":            func() error { _, err := tx.NextReference(p.site, 1); return err },
		"deal number":     func() error { _, err := tx.NextDeal(p.site, 1, deal.Leases); return err },
		"raise":           func() error { return tx.RaiseReference(p.site, 1, 1000) },
		"claim":           func() error { _, err := tx.Receipts().Claim(sampleReceipt(p.site, "new")); return err },
		"receipt":         func() error { return tx.Receipts().Put(sampleReceipt(p.site, "old")) },
		"purge receipts":  func() error { _, err := tx.Receipts().Purge(old(1), 1000); return err },
		"follow": func() error {
			_, _, err := tx.Ledger().Follow(p.follower(), "somebody", old(30), old(1000))
			return err
		},
		"unfollow": func() error {
			f := p.following
			f.Scanning = false
			return tx.Ledger().StopFollowing(f)
		},
		"use": func() error {
			return tx.Credentials().Used(access.Use{Credential: p.credential, Key: 1, At: instant(1)})
		},
		"revoke tokens": func() error { _, err := tx.Tokens().Revoke(p.credential); return err },
		"usage":         func() error { return tx.Credentials().CountRequests(old(p.day()), "a", 1) },
		"purge usage":   func() error { _, err := tx.Credentials().PurgeRequests(old(p.day()+1), 1000); return err },
		"append":        func() error { return appends(tx, p.site, 3) },
		"settings":      func() error { return tx.Ledger().Touch(p.site, port.AspectSettings) },
		"access":        func() error { return tx.Ledger().Touch(p.site, port.AspectAccess) },
	}
	ways["lead claim"] = func() error { _, err := tx.Claims().Claim(p.site, []string{"new key"}, 2, old(1), old(0)); return err }
	for _, e := range entities() {
		maps.Copy(ways, e.writes(tx, p.site))
	}
	maps.Copy(ways, p.hookWrites(tx))
	return ways
}

// seeds puts one of each kind of record into a place.
func (p place) seeds(tx port.Tx) error {
	for _, e := range entities() {
		if err := e.seed(tx, p.site); err != nil {
			return err
		}
	}
	return nil
}

// looks are all there is to read of a place.
func (p place) looks() []command {
	all := append(p.hookLooks(),
		reads("events", func(tx port.Tx) ([]event.Event, error) { return tx.Ledger().After(p.site, 0, 100) }),
		reads("head", func(tx port.Tx) (port.Head, error) { return tx.Ledger().Head(p.site) }),
		reads("site", func(tx port.Tx) (site.Site, error) { return tx.Sites().Get(p.site) }),
		reads("actions", func(tx port.Tx) ([]customer.Action, error) {
			return tx.Actions().Page(port.ActionQuery{Site: p.site, Subject: sampleAction(p.site, 1).Subject, Limit: 9})
		}),
		reads("credential", func(tx port.Tx) (access.Credential, error) { return tx.Credentials().Get(p.credential) }),
		reads("token", func(tx port.Tx) (access.Token, error) { return tx.Tokens().Get(p.hash) }),
		reads("stale token", func(tx port.Tx) (access.Token, error) { return tx.Tokens().Get(p.stale) }),
		reads("family", func(tx port.Tx) (access.Family, error) { return tx.Tokens().Family(p.family) }),
		reads("products", func(tx port.Tx) ([]product.Product, error) {
			return tx.Products().Kept(p.site, []product.ID{1, 2, 3, 4, 5})
		}),
		reads("owned products", func(tx port.Tx) ([]product.Product, error) {
			return tx.Products().OwnedBy(p.site, sampleProduct(p.site, 1).Customer)
		}),
		reads("holder of another reference", func(tx port.Tx) (product.ID, error) { return tx.Products().Holder(p.site, 1, "another") }),
		reads("old receipt", func(tx port.Tx) (port.Receipt, error) { return tx.Receipts().Get(receiptID(p.site, "old")) }),
		reads("new receipt", func(tx port.Tx) (port.Receipt, error) { return tx.Receipts().Get(receiptID(p.site, "new")) }),
		reads("behind", func(tx port.Tx) (int, error) { _, sites, err := tx.Ledger().Behind(p.follower()); return sites, err }),
		reads("usage", func(tx port.Tx) (map[access.CredentialID]int64, error) {
			return tx.Credentials().Requests(old(p.day()))
		}),
		reads("uses", func(tx port.Tx) ([]access.Use, error) { return tx.Credentials().LastUses() }))
	for _, e := range entities() {
		all = append(all, reads("records", func(tx port.Tx) (any, error) { return e.picture(tx, p.site) }))
	}
	return all
}

// tries show what whoever comes then would be given.
func (p place) tries() []command {
	return append(p.hookTries(),
		reads("holder of a key", func(tx port.Tx) (demand.LeadID, error) {
			return tx.Claims().Claim(p.site, []string{"key"}, 2, instant(2), instant(1))
		}),
		reads("holder of a new key", func(tx port.Tx) (demand.LeadID, error) {
			return tx.Claims().Claim(p.site, []string{"new key"}, 9, old(2), old(0))
		}),
		reads("number of a lease", func(tx port.Tx) (int64, error) { return tx.NextDeal(p.site, 1, deal.Leases) }),
		reads("next reference", func(tx port.Tx) (int64, error) { return tx.NextReference(p.site, 1) }),
		reads("whom a follower serves", func(tx port.Tx) (port.Following, error) {
			f, _, err := tx.Ledger().Follow(p.follower(), "a look", old(30), old(31))
			return f, err
		}))
}

// look is all that can be seen of a place: what is read in a view, and what is given in a unit
// that fails.
func (w *world) look(t *testing.T, p place) (seen []step) {
	t.Helper()
	all := func(tx port.Tx, looks []command) {
		for _, c := range looks {
			answer, err := c.run(tx)
			seen = append(seen, step{c.name, answer, kind(err)})
		}
	}
	w.view(t, func(tx port.Tx) error { all(tx, p.looks()); return nil })
	read := len(seen)
	err := w.Update(t.Context(), func(tx port.Tx) error { seen = seen[:read]; all(tx, p.tries()); return errAborted })
	if !errors.Is(err, errAborted) {
		t.Fatal(err)
	}
	return append(seen, step{"head of the store", w.head(t, p.site), ""})
}

// unchanged runs something that must leave a place as it was.
func unchanged(t *testing.T, w *world, p place, what string, run func()) {
	t.Helper()
	before := w.look(t, p)
	run()
	same(t, "what is left of "+what, before, w.look(t, p))
}

// unchangedByAny tries every way to write in a place, each of which must leave it as it was.
// To look at a place takes longer than all of them, so it looks once, and after each of
// them only to say which it was.
func unchangedByAny(t *testing.T, w *world, try func(p place, what string)) {
	t.Helper()
	ways := slices.Sorted(maps.Keys(place{}.writes(port.Tx{})))
	p := w.place(t)
	before := w.look(t, p)
	for _, what := range ways {
		try(p, what)
	}
	left := difference(before, w.look(t, p))
	if left == "" {
		return
	}
	t.Errorf("what is left of all of them (-want +got):\n%s", left)
	p = w.place(t)
	for _, what := range ways {
		unchanged(t, w, p, what, func() { try(p, what) })
	}
}

func failedUnit(t *testing.T, w *world) {
	undone := errors.New("undone")
	unchangedByAny(t, w, func(p place, what string) {
		err := w.Update(t.Context(), func(tx port.Tx) error {
			if err := p.writes(tx)[what](); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			return fmt.Errorf("wrapped: %w", undone)
		})
		if !errors.Is(err, undone) {
			t.Errorf("%s: the unit ended with %v, want the function's own error", what, err)
		}
	})
	// What follows is about looks, not about a store, and one store tells.
	if _, isModel := w.Store.(*memstore.Store); isModel {
		everyWriteShows(t, w)
	}
}

// everyWriteShows tells that a look is fine enough to show every write that is not undone.
func everyWriteShows(t *testing.T, w *world) {
	t.Helper()
	for what := range (place{}).writes(port.Tx{}) {
		p := w.place(t)
		before := w.look(t, p)
		w.update(t, func(tx port.Tx) error { return p.writes(tx)[what]() })
		// Not equal: it takes long with looks that differ.
		if reflect.DeepEqual(before, w.look(t, p)) {
			t.Errorf("%s: a unit that succeeded changed nothing", what)
		}
	}
	p := w.place(t)
	if before, after := w.look(t, p), w.look(t, p); !reflect.DeepEqual(before, after) {
		t.Errorf("two looks differ though nothing was written (-first +second):\n%s", difference(before, after))
	}
}

// everything writes all there is to write. It reads first: a store that tells a unit what it
// expects may have to run it again, and here it does not get to.
func (p place) everything(t *testing.T, tx port.Tx) {
	t.Helper()
	if _, err := tx.Sites().Get(p.site); err != nil {
		t.Error(err)
	}
	for what, write := range p.writes(tx) {
		if err := write(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func panickingUnit(t *testing.T, w *world) {
	p := w.place(t)
	unchanged(t, w, p, "a panic", func() {
		defer func() {
			if r := recover(); r != "on purpose" {
				t.Errorf("recovered %v, want the function's own panic", r)
			}
		}()
		_ = w.Update(t.Context(), func(tx port.Tx) error {
			p.everything(t, tx)
			panic("on purpose")
		})
	})
}

func exitingUnit(t *testing.T, w *world) {
	p := w.place(t)
	unchanged(t, w, p, "an exit", func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = w.Update(t.Context(), func(tx port.Tx) error {
				p.everything(t, tx)
				runtime.Goexit()
				return nil
			})
		}()
		<-done
	})
}

func viewsCannotWrite(t *testing.T, w *world) {
	unchangedByAny(t, w, func(p place, what string) {
		_ = w.View(t.Context(), func(tx port.Tx) error {
			// It is no trouble that a caller could mend or wait for.
			if err := p.writes(tx)[what](); kind(err) != kind(errors.ErrUnsupported) {
				t.Errorf("%s: writing in a view answers %v", what, err)
			}
			return nil
		})
	})
	p := w.place(t)
	_ = w.View(t.Context(), func(tx port.Tx) error {
		if ids, err := tx.NextIDs(port.ProductIDs, 1); err == nil {
			t.Errorf("a view draws %v", ids)
		}
		if err := tx.ReserveID(port.ProductIDs, 5); err == nil {
			t.Error("a view reserves an id")
		}
		if err := tx.Calendars().Hold(p.site, []site.UserID{1}); err == nil {
			t.Error("a view holds a calendar")
		}
		return nil
	})
}

func unitsEnd(t *testing.T, w *world) {
	p := w.place(t)
	var kept port.Tx
	for what, open := range map[string]func(){
		"a view":        func() { w.view(t, func(tx port.Tx) error { kept = tx; return nil }) },
		"a unit":        func() { w.update(t, func(tx port.Tx) error { kept = tx; return nil }) },
		"a failed unit": func() { _ = w.Update(t.Context(), func(tx port.Tx) error { kept = tx; return errors.New("undone") }) },
	} {
		unchanged(t, w, p, what+" that is over", func() {
			open()
			if _, err := kept.Products().Get(p.site, 1); err == nil {
				t.Errorf("%s that is over can be read", what)
			}
			for way, write := range p.writes(kept) {
				if err := write(); err == nil {
					t.Errorf("%s: %s that is over can be written", way, what)
				}
			}
			if err := kept.Calendars().Hold(p.site, []site.UserID{1}); err == nil {
				t.Errorf("%s that is over holds a calendar", what)
			}
		})
	}
}
