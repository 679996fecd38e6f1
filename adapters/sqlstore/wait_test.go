package sqlstore_test

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	listings "github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// watched keeps the statements of a store from now on. said returns them.
func watched(s *sqlstore.Store) (said func() []string) {
	seen := &witness{statements: map[int][]string{}}
	sqlstore.Observed(seen)(s)
	return func() []string {
		seen.mu.Lock()
		defer seen.mu.Unlock()
		return slices.Concat(slices.Collect(maps.Values(seen.statements))...)
	}
}

// begin counts the statements that begin with a text.
func begin(statements []string, with string) (n int) {
	for _, s := range statements {
		if strings.HasPrefix(s, with) {
			n++
		}
	}
	return n
}

// counts is how a transaction counts what happens at a site.
const counts = "UPDATE site_head SET seq"

// inTx has a unit with a transaction do something. The unit ends when end is called.
func (w writer) inTx(do ...func(tx port.Tx) error) (end func()) {
	w.t.Helper()
	done, over, begun := make(chan struct{}), make(chan error, 1), make(chan struct{})
	go func() {
		over <- w.store.Update(w.t.Context(), func(tx port.Tx) error {
			for _, step := range do {
				if err := step(tx); err != nil {
					return err
				}
			}
			close(begun)
			<-done
			return nil
		})
	}()
	select {
	case <-begun:
	case err := <-over:
		w.t.Fatal(err)
	}
	return func() {
		close(done)
		if err := <-over; err != nil {
			w.t.Error(err)
		}
	}
}

// isAt checks up to which event the ledger of site 1 goes.
func (w writer) isAt(seq int64) {
	w.t.Helper()
	if head, err := w.store.Head(w.t.Context(), 1); err != nil || head.Seq != seq {
		w.t.Errorf("the head is at %d, %v, want %d", head.Seq, err, seq)
	}
}

func putUser(tx port.Tx) error { return tx.Users().Put(site.User{Site: 1, ID: 1}) }

// read begins a transaction.
func read(tx port.Tx) error {
	_, err := tx.Sites().Get(1)
	return err
}

func appendOne(tx port.Tx) error {
	_, err := tx.Ledger().Append(1, time.UnixMicro(1), []event.Event{{Type: event.ProductUpdate, Resource: 1, Agency: 1}})
	return err
}

// Units that come while one with a transaction writes to their site wait for it. If each of them began a
// transaction because another one has, this would not end as long as units keep coming.
func TestUnitsWaitForOneWithATransaction(t *testing.T) {
	t.Parallel()
	_, _, w := twoProcesses(t, 1)
	sqlstore.PlanPatience(w.store, time.Minute)
	said := watched(w.store)
	end := w.inTx(putUser, appendOne)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := w.create(1, false); err != nil {
				t.Error(err)
			}
		})
	}
	for !sqlstore.PlanWaits(w.store, 1) {
		time.Sleep(time.Millisecond)
	}
	end()
	all.Wait()
	if n := begin(said(), counts); n != 1 {
		t.Errorf("%d units had a transaction, want the one that was before them:\n%s", n, strings.Join(said(), "\n"))
	}
	w.isAt(3 + 1 + 8)
}

// A unit that has waited for long begins a transaction, and waits for the row as others do.
func TestAUnitThatHasWaitedBeginsATransaction(t *testing.T) {
	t.Parallel()
	_, _, w := twoProcesses(t, 1)
	sqlstore.PlanPatience(w.store, time.Millisecond)
	said := watched(w.store)
	end := w.inTx(putUser, appendOne)
	created := make(chan error)
	go func() { created <- w.create(1, false) }()
	for begin(said(), counts) < 2 {
		time.Sleep(time.Millisecond)
	}
	end()
	if err := <-created; err != nil {
		t.Error(err)
	}
	w.isAt(3 + 1 + 1)
}

// A unit waits for those that were before it. When others with transactions come all the time, it has one
// as well, and waits for the row as they do.
func TestAUnitWaitsForNoneThatCameLater(t *testing.T) {
	t.Parallel()
	_, _, w := twoProcesses(t, 1)
	sqlstore.PlanPatience(w.store, time.Minute)
	said := watched(w.store)
	awaits := func(n int) {
		for begin(said(), counts) < n {
			time.Sleep(time.Millisecond)
		}
	}
	endFirst := w.inTx(putUser, appendOne)
	created := make(chan error)
	go func() { created <- w.create(1, false) }()
	for !sqlstore.PlanWaits(w.store, 1) {
		time.Sleep(time.Millisecond)
	}
	second := make(chan func())
	go func() { second <- w.inTx(read, appendOne) }()
	awaits(2)
	endFirst()
	awaits(3)
	(<-second)()
	if err := <-created; err != nil {
		t.Error(err)
	}
}

// A unit that keeps a site open delays nobody who writes to it.
func TestKeepingASiteOpenDelaysNoCreation(t *testing.T) {
	t.Parallel()
	_, _, w := twoProcesses(t, 1)
	said := watched(w.store)
	end := w.inTx(putUser, func(tx port.Tx) error { return tx.Ledger().KeepOpen(1) })
	if err := w.create(1, false); err != nil {
		t.Error(err)
	}
	end()
	if n := begin(said(), counts); n != 0 {
		t.Errorf("the creation had a transaction:\n%s", strings.Join(said(), "\n"))
	}
}

// A change that changes nothing locks nothing: the product is read, and the head of its site.
func TestAChangeThatChangesNothingBeginsNoTransaction(t *testing.T) {
	t.Parallel()
	store := postgresPlace(t).migrated(t)
	w := apitest.Over(t, store)
	id := w.CreateProduct("Prix", 100_000)
	in := listings.UpdateProduct{ID: id, ProductID: opt.Of(id)}
	in.Criteria = apitest.Criteria("Prix", 200_000)
	change := func() error {
		_, err := w.Listing.UpdateProduct(t.Context(), w.As("full", 1), in)
		return err
	}
	if err := change(); err != nil {
		t.Fatal(err)
	}
	caller := w.As("full", 1)
	said := watched(store)
	if _, err := w.Listing.UpdateProduct(t.Context(), caller, in); err != nil {
		t.Fatal(err)
	}
	all := said()
	slices.Sort(all)
	if of := strings.Join(beginnings(all), ", "); of != "SELECT seq,, SELECT site_id," || begin(all, "BEGIN") > 0 {
		t.Errorf("%d statements:\n%s", len(all), strings.Join(all, "\n"))
	}
	update(t, store, func(tx port.Tx) error { return tx.Sites().PutMove(site.Move{Site: 1, State: site.Moving}) })
	if _, err := w.Listing.UpdateProduct(t.Context(), caller, in); fault.From(err).Code != fault.CodeSiteMoving {
		t.Errorf("at a site that moves: %v", err)
	}
}

// A unit that writes after it has seen that a site takes changes keeps it open from then on, and
// writes nothing to one that has begun to move.
func TestAUnitThatWritesKeepsOpenWhatItSaw(t *testing.T) {
	t.Parallel()
	_, elsewhere, w := twoProcesses(t, 1, 2)
	moved := false
	err := w.store.Update(t.Context(), func(tx port.Tx) error {
		if err := tx.Ledger().KeepOpen(1); err != nil {
			return err
		}
		if !moved {
			moved = true
			update(t, elsewhere, func(tx port.Tx) error { return tx.Sites().PutMove(site.Move{Site: 1, State: site.Moving}) })
		}
		return putUser(tx)
	})
	if fault.From(err).Code != fault.CodeSiteMoving {
		t.Errorf("%v, want that the site moves", err)
	}
	said := watched(w.store)
	err = w.store.Update(t.Context(), func(tx port.Tx) error {
		if err := tx.Ledger().KeepOpen(2); err != nil {
			return err
		}
		return tx.Users().Put(site.User{Site: 2, ID: 1})
	})
	if all := said(); err != nil || !slices.ContainsFunc(all, func(s string) bool { return strings.HasSuffix(s, "FOR KEY SHARE") }) {
		t.Errorf("%v; nothing is held:\n%s", err, strings.Join(all, "\n"))
	}
}
