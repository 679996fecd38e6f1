package api_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/site"
)

type revised struct {
	site     site.ID
	revision int64
}

func newSnapshots(load func(context.Context, site.ID) (*revised, error)) *api.Snapshots[revised] {
	return api.NewSnapshots(func(r *revised) int64 { return r.revision }, load)
}

// Whoever asks gets the revision asked for or a later one, of the site asked for,
// and nothing is read without need.
func TestSnapshotsAreAsNewAsAskedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		present, known, loads := map[site.ID]int64{1: 1, 2: 1}, map[site.ID]int64{}, 0
		snapshots := newSnapshots(func(_ context.Context, id site.ID) (*revised, error) {
			loads++
			return &revised{id, present[id]}, nil
		})
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			id := site.ID(rapid.IntRange(1, 2).Draw(t, "site"))
			present[id] += int64(rapid.IntRange(0, 2).Draw(t, "changes"))
			asked := rapid.Int64Range(1, present[id]).Draw(t, "revision")
			before := loads
			got, err := snapshots.At(context.Background(), id, asked)
			if err != nil || got.site != id || got.revision < asked {
				t.Fatalf("asked for %d of site %d: %+v, %v", asked, id, got, err)
			}
			if needed := known[id] < asked; (loads > before) != needed {
				t.Fatalf("asked for %d where %d is known, there are %d loads", asked, known[id], loads-before)
			}
			known[id] = got.revision
		}
	})
}

func TestASnapshotThatCannotBeReadIsNotKept(t *testing.T) {
	down := errors.New("down")
	failing := true
	snapshots := newSnapshots(func(_ context.Context, id site.ID) (*revised, error) {
		if failing {
			return nil, down
		}
		return &revised{id, 3}, nil
	})
	if _, err := snapshots.At(t.Context(), 1, 1); !errors.Is(err, down) {
		t.Errorf("got %v", err)
	}
	failing = false
	first, err := snapshots.At(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	failing = true
	if again, err := snapshots.At(t.Context(), 1, 3); again != first || err != nil {
		t.Errorf("what is known is read again: %v", err)
	}
	if _, err := snapshots.At(t.Context(), 1, 4); !errors.Is(err, down) {
		t.Errorf("an old snapshot stands for a new one: %v", err)
	}
}

// A slow read that began earlier does not replace what is newer.
func TestSnapshotsDoNotGoBack(t *testing.T) {
	begun, proceed, done := make(chan struct{}), make(chan struct{}), make(chan *revised)
	first := true
	snapshots := newSnapshots(func(_ context.Context, id site.ID) (*revised, error) {
		if first {
			first = false
			close(begun)
			<-proceed
			return &revised{id, 1}, nil
		}
		return &revised{id, 2}, nil
	})
	go func() {
		slow, _ := snapshots.At(t.Context(), 1, 1)
		done <- slow
	}()
	<-begun
	if _, err := snapshots.At(t.Context(), 1, 2); err != nil {
		t.Fatal(err)
	}
	close(proceed)
	if slow := <-done; slow.revision != 2 {
		t.Errorf("the slow reader gets revision %d", slow.revision)
	}
	if kept, _ := snapshots.At(t.Context(), 1, 1); kept.revision != 2 {
		t.Errorf("kept is revision %d", kept.revision)
	}
}
