package porttest

import (
	"context"
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// leadExamples are about the keys that stand for leads.
func leadExamples() []example {
	return []example{
		{"TheKeysOfALeadAreClaimedTogether", claimedTogether},
		{"KeysOfALeadAreClaimedUntilTheyAreOld", claimsGrowOld},
		{"AReleasedKeyIsFree", releasedKeys},
	}
}

// leadRaces are about keys that several claim at once.
func leadRaces() []example {
	return []example{
		{"LeadsThatShareKeysAreOne", oneOfManyClaims},
		{"NoKeyIsAddedToALeadThatIsReleased", noneSlipsIn},
	}
}

// claims claims keys for a lead at a moment, and returns who has them.
func (w *world) claims(t *testing.T, of site.ID, l demand.LeadID, now int, keys ...string) (holder demand.LeadID) {
	t.Helper()
	w.update(t, func(tx port.Tx) (err error) {
		holder, err = tx.Claims().Claim(of, keys, l, instant(now), instant(now-10))
		return err
	})
	return holder
}

func claimedTogether(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	for i, c := range []struct {
		of   site.ID
		id   demand.LeadID
		keys []string
		want demand.LeadID
	}{
		{id, 1, []string{"a"}, 1},
		{id, 2, []string{"b", "c"}, 2},
		{id, 3, []string{"d", "a"}, 1}, // d is 1's from now on
		{id, 4, []string{"d"}, 1},
		{id, 5, []string{"c", "a", "e"}, 1}, // c stays 2's
		{id, 6, []string{"e"}, 1},
		{id, 7, []string{"c"}, 2},
		{id, 8, nil, 8},
		{other, 9, []string{"a", "b"}, 9},
		{id, 10, []string{"f", "f"}, 10},
	} {
		same(t, fmt.Sprintf("%d: who has %q", i, c.keys), c.want, w.claims(t, c.of, c.id, 11, c.keys...))
	}
}

func claimsGrowOld(t *testing.T, w *world) {
	id := w.site(t)
	w.claims(t, id, 1, 11, "a")
	same(t, "within the time", demand.LeadID(1), w.claims(t, id, 2, 21, "a", "b"))
	// What was added later grows old with the rest.
	same(t, "a key that was added", demand.LeadID(3), w.claims(t, id, 3, 22, "b"))
	same(t, "both, of which one is new", demand.LeadID(3), w.claims(t, id, 4, 23, "a", "b"))
	same(t, "the old one", demand.LeadID(3), w.claims(t, id, 5, 32, "a"))
	same(t, "when all is old", demand.LeadID(6), w.claims(t, id, 6, 33, "a", "b"))
}

func releasedKeys(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.claims(t, id, 1, 12, "a", "b")
	w.claims(t, id, 2, 12, "c")
	w.claims(t, id, 3, 12, "d")
	w.claims(t, other, 1, 12, "a")
	w.update(t, func(tx port.Tx) error { return tx.Claims().Release(id, nil) })
	w.update(t, func(tx port.Tx) error { return tx.Claims().Release(id, []demand.LeadID{1, 3, 77}) })
	got := []demand.LeadID{w.claims(t, id, 9, 12, "a"), w.claims(t, id, 9, 12, "b"), w.claims(t, id, 9, 12, "c"), w.claims(t, id, 9, 12, "d"), w.claims(t, other, 9, 12, "a")}
	same(t, "who has the keys", []demand.LeadID{9, 9, 2, 9, 1}, got)
}

// oneOfManyClaims lets workers claim two keys each, in rings: whoever shares a key
// with another has the same holder as soon as one of them came after the other.
func oneOfManyClaims(t *testing.T, w *world) {
	id := w.site(t)
	for round := range rounds {
		key := func(i int) string { return fmt.Sprint(round, ".", i%3) }
		holders := make([]demand.LeadID, workers)
		together(t, workers, func(ctx context.Context, i int) error {
			return w.Update(ctx, func(tx port.Tx) (err error) {
				holders[i], err = tx.Claims().Claim(id, []string{key(i + 1), key(i)}, demand.LeadID(100*round+i+1), instant(12), instant(2))
				return err
			})
		})
		// Any two of three pairs of three keys have one in common.
		for _, holder := range holders {
			same(t, "who has the keys", holders[0], holder)
		}
		for i := range 3 {
			same(t, "who has one of them", holders[0], w.claims(t, id, 99_999, 12, key(i)))
		}
	}
}

// noneSlipsIn lets others add keys to a lead while its keys are released: in
// whatever order it happens, none of them stands for it afterwards.
func noneSlipsIn(t *testing.T, w *world) {
	id := w.site(t)
	for round := range rounds {
		gone := demand.LeadID(100*round + 1)
		key := func(i int) string { return fmt.Sprint(i, " of ", round) }
		w.claims(t, id, gone, 12, key(1), key(2))
		together(t, workers, func(ctx context.Context, i int) error {
			return w.Update(ctx, func(tx port.Tx) error {
				if i == 0 {
					return tx.Claims().Release(id, []demand.LeadID{gone})
				}
				_, err := tx.Claims().Claim(id, []string{key(i), key(i + 1)}, gone+demand.LeadID(i), instant(12), instant(2))
				return err
			})
		})
		for i := range workers + 1 {
			if holder := w.claims(t, id, gone+99, 12, key(i)); holder == gone {
				t.Errorf("%s still stands for a lead that was released", key(i))
			}
		}
	}
}
