package kernel_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

type revised struct {
	site     site.ID
	revision int64
}

// revisions are a kind of snapshot.
func revisions(load func(context.Context, site.ID) (*revised, error)) kernel.SnapshotKind[revised] {
	return kernel.SnapshotKind[revised]{
		Name: "revised", Revision: func(r *revised) int64 { return r.revision }, Load: load, Bytes: func(*revised) int { return 1 },
	}
}

// Whoever asks gets the revision asked for or a later one, of the site asked for,
// and nothing is read without need.
func TestSnapshotsAreAsNewAsAskedFor(t *testing.T) {
	w := apitest.New(t)
	rapid.Check(t, func(rt *rapid.T) {
		k := kernelOver(t, w, kernel.Options{})
		present, known, loads := map[site.ID]int64{1: 1, 2: 1}, map[site.ID]int64{}, 0
		snapshots := revisions(func(_ context.Context, id site.ID) (*revised, error) {
			loads++
			return &revised{id, present[id]}, nil
		})
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			id := site.ID(rapid.IntRange(1, 2).Draw(rt, "site"))
			present[id] += int64(rapid.IntRange(0, 2).Draw(rt, "changes"))
			asked := rapid.Int64Range(1, present[id]).Draw(rt, "revision")
			before := loads
			got, err := snapshots.At(context.Background(), k.Kernel, id, asked)
			if err != nil || got.site != id || got.revision < asked {
				rt.Fatalf("asked for %d of site %d: %+v, %v", asked, id, got, err)
			}
			if needed := known[id] < asked; (loads > before) != needed {
				rt.Fatalf("asked for %d where %d is known, there are %d loads", asked, known[id], loads-before)
			}
			known[id] = got.revision
		}
	})
}

func TestASnapshotThatCannotBeReadIsNotKept(t *testing.T) {
	k := newKernel(t)
	down := errors.New("down")
	failing := true
	snapshots := revisions(func(_ context.Context, id site.ID) (*revised, error) {
		if failing {
			return nil, down
		}
		return &revised{id, 3}, nil
	})
	if _, err := snapshots.At(t.Context(), k.Kernel, 1, 1); !errors.Is(err, down) {
		t.Errorf("got %v", err)
	}
	failing = false
	first, err := snapshots.At(t.Context(), k.Kernel, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	failing = true
	if again, err := snapshots.At(t.Context(), k.Kernel, 1, 3); again != first || err != nil {
		t.Errorf("what is known is read again: %v", err)
	}
	if _, err := snapshots.At(t.Context(), k.Kernel, 1, 4); !errors.Is(err, down) {
		t.Errorf("an old snapshot stands for a new one: %v", err)
	}
}
