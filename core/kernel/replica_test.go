package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// journal is a replica that holds how it came to be.
type journal struct {
	seq  int64
	size int
	// replayed are the sequences of the events it was told.
	replayed []int64
}

// Seq implements kernel.Replica.
func (j *journal) Seq() int64 { return j.seq }

// Bytes implements kernel.Replica.
func (j *journal) Bytes() int { return j.size }

// journals are a kind of replica, of a size each. failing makes the next replay
// fail.
func journals(name string, size int, failing *error) kernel.ReplicaKind[*journal] {
	return kernel.ReplicaKind[*journal]{
		Name: name,
		Load: func(_ kernel.Unit, seq int64) (*journal, error) { return &journal{seq: seq, size: size}, nil },
		Replay: func(_ kernel.Unit, _ *journal, events []event.Event) (func(*journal), error) {
			if failing != nil && *failing != nil {
				return nil, *failing
			}
			return happen(events), nil
		},
	}
}

// happen has a journal hold that events happened.
func happen(events []event.Event) func(*journal) {
	return func(held *journal) {
		for _, e := range events {
			held.seq, held.replayed = e.Seq, append(held.replayed, e.Seq)
		}
	}
}

// append adds events to the ledger of site 1.
func (k ownKernel) append(n int) {
	k.world.Update(func(tx port.Tx) error {
		_, err := tx.Ledger().Append(1, k.Moment(), slices.Repeat([]event.Event{{Type: event.ProductUpdate, Resource: 1, Agency: 11}}, n))
		return err
	})
}

// present is the replica of site 1 as its caller sees it now.
func (k ownKernel) present(of kernel.ReplicaKind[*journal]) *journal {
	k.world.T.Helper()
	held, err := kernel.Present(k.world.T.Context(), k.Kernel, k.caller(1), of)
	if err != nil {
		k.world.T.Fatal(err)
	}
	return held
}

func TestAReplicaIsLoadedOnceAndThenReplayed(t *testing.T) {
	k := newKernel(t)
	of := journals("a", 1, nil)
	first := k.present(of)
	if first.seq != k.world.Seq(1) || first != k.present(of) || len(first.replayed) > 0 {
		t.Errorf("the replica is %+v", first)
	}
	k.append(3)
	if again := k.present(of); again != first || !slices.Equal(again.replayed, []int64{3, 4, 5}) {
		t.Errorf("after three events it is %+v", again)
	}
	old := k.caller(1)
	k.append(1)
	k.present(of)
	if held, err := kernel.Present(t.Context(), k.Kernel, old, of); err != nil || held.seq != 6 {
		t.Errorf("who came before sees what is there by now: %+v, %v", held, err)
	}
	if other := k.present(journals("b", 1, nil)); other == first || other.seq != 6 {
		t.Errorf("another kind shows %+v", other)
	}
}

func TestAReplicaIsLoadedAnewWhereReplayingIsNoUse(t *testing.T) {
	for name, c := range map[string]struct {
		change func(ownKernel)
		anew   bool
	}{
		"5,000 events behind": {func(k ownKernel) { k.append(5000) }, false},
		"more than that":      {func(k ownKernel) { k.append(5001) }, true},
		"events were purged": {func(k ownKernel) {
			k.append(2)
			k.world.Clock.Advance(91 * 24 * time.Hour)
			k.append(1)
			if _, err := k.Purge(t.Context(), kernel.DefaultRetention(), 1000); err != nil {
				t.Fatal(err)
			}
		}, true},
		"searchable otherwise": {func(k ownKernel) {
			no := false
			k.world.Redefine(func(c *transfer.SetupCriterion) {
				if c.Key == "Prix" {
					c.IsSearchable = &no
				}
			})
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKernel(t)
			of := journals("a", 1, nil)
			before := k.present(of)
			c.change(k)
			after := k.present(of)
			if (after != before) != c.anew || after.seq != k.world.Seq(1) {
				t.Errorf("loaded anew: %t; it stands at %d of %d", after != before, after.seq, k.world.Seq(1))
			}
		})
	}
}

func TestAReplayThatFailsIsTriedAgain(t *testing.T) {
	k := newKernel(t)
	var failing error
	of := journals("a", 1, &failing)
	first := k.present(of)
	k.append(1)
	failing = errors.New("unreadable")
	if _, err := kernel.Present(t.Context(), k.Kernel, k.caller(1), of); !errors.Is(err, failing) {
		t.Errorf("got %v", err)
	}
	failing = nil
	if again := k.present(of); again != first || again.seq != 3 {
		t.Errorf("then it is %+v", again)
	}
}

// What a replica grows by counts as what it was loaded with does.
func TestWhatAReplicaGrowsByIsCounted(t *testing.T) {
	k := newKernel(t)
	of := journals("a", 10, nil)
	replay := of.Replay
	of.Replay = func(u kernel.Unit, held *journal, events []event.Event) (func(*journal), error) {
		held.size += 10 * len(events)
		return replay(u, held, events)
	}
	k.present(of)
	k.append(5)
	if k.present(of); k.Cached()["a"].Bytes != 60 {
		t.Errorf("after five events it takes %d bytes", k.Cached()["a"].Bytes)
	}
}

// Settings and replicas share one budget. Replicas leave room for settings, and do not push
// them out.
func TestReplicasLeaveRoomForSettings(t *testing.T) {
	const limit = 1 << 20
	k := kernelOver(t, apitest.New(t), kernel.Options{CatalogueBytes: limit})
	k.caller(2)
	large := journals("large", limit/3, nil)
	for round := range 100 {
		large.Name = fmt.Sprint("large ", round)
		k.present(large)
		if all := k.keptBytes(); all > limit {
			t.Fatalf("%d bytes are kept", all)
		}
	}
	if settings := k.Cached()["settings"]; settings.Evictions != 0 || settings.Values != 2 {
		t.Errorf("of two sites, of which one has 100 replicas, %+v", settings)
	}
	before := k.HasRoom()
	if k.present(journals("nearly all", limit/10*9, nil)); !before || k.HasRoom() {
		t.Errorf("there is room beside two replicas of a third each: %t, and beside one of nine tenths: %t", before, k.HasRoom())
	}
}

func (k ownKernel) keptBytes() (all int) {
	for _, u := range k.Cached() {
		all += u.Bytes
	}
	return all
}

// Settings of many sites do not take more than a quarter of the budget, nor push out a replica
// that has room beside them.
func TestSettingsTakeAQuarterAtMost(t *testing.T) {
	const limit = 1 << 20
	k := kernelOver(t, apitest.New(t), kernel.Options{CatalogueBytes: limit})
	k.present(journals("half", limit/2, nil))
	large := kernel.SnapshotKind[revised]{
		Name: "settings of many", Revision: func(*revised) int64 { return 1 }, Bytes: func(*revised) int { return limit / 100 },
		Load: func(_ context.Context, id site.ID) (*revised, error) { return &revised{id, 1}, nil },
	}
	for id := range site.ID(100) {
		if _, err := large.At(t.Context(), k.Kernel, id+1, 1); err != nil {
			t.Fatal(err)
		}
		if all := k.keptBytes() - limit/2; all > limit/4 {
			t.Fatalf("settings take %d bytes", all)
		}
	}
	kept := k.Cached()
	if many := kept["settings of many"]; many.Loads != 100 || many.Values < 10 || kept["settings"].Evictions != 1 || kept["half"].Values != 1 {
		t.Errorf("%+v", kept)
	}
	if k.caller(1); k.Cached()["settings"].Loads != kept["settings"].Loads+1 {
		t.Error("what left is not loaded again")
	}
}

// A replay under way does not hold up who needs nothing of it.
func TestWhoseHeadIsMetDoesNotWaitForAReplay(t *testing.T) {
	k := newKernel(t)
	of := journals("a", 1, nil)
	first, old := k.present(of), k.caller(1)
	k.append(1)
	begun, end, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	replay := of.Replay
	of.Replay = func(u kernel.Unit, held *journal, events []event.Event) (func(*journal), error) {
		close(begun)
		<-end
		return replay(u, held, events)
	}
	go func() {
		defer close(done)
		k.present(of)
	}()
	<-begun
	if held, err := kernel.Present(t.Context(), k.Kernel, old, of); held != first || err != nil {
		t.Errorf("it gets %v, %v", held, err)
	}
	close(end)
	<-done
}

// Whatever there is, everything is read once and in order.
func TestScansReadEverythingOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(0, 5), rapid.IntRange(1995, 2005), rapid.IntRange(3995, 4005)).Draw(rt, "records")
		reads, taken := 0, 0
		err := kernel.ScanAll(1, func(of site.ID, after int64, chunk int) (page []int64, err error) {
			reads++
			for id := after + 1; id <= int64(n) && len(page) < chunk; id++ {
				page = append(page, id)
			}
			return page, nil
		}, func(id int64) int64 {
			taken++
			if id != int64(taken) {
				rt.Fatalf("record %d comes as number %d", id, taken)
			}
			return id
		})
		if err != nil || taken != n || reads != n/2000+1 {
			rt.Fatalf("%d of %d records in %d reads, %v", taken, n, reads, err)
		}
	})
	down := errors.New("down")
	if err := kernel.ScanAll(1, func(site.ID, int64, int) ([]int64, error) { return nil, down }, func(id int64) int64 { return id }); !errors.Is(err, down) {
		t.Error(fmt.Sprint(err))
	}
}
