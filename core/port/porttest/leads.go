package porttest

import (
	"context"
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// claims claims keys for a lead at a moment, and returns who has them.
func (w *world) claims(t *testing.T, of site.ID, l demand.LeadID, now int, keys ...string) (holder demand.LeadID) {
	t.Helper()
	w.update(t, func(tx port.Tx) (err error) {
		holder, err = tx.Claims().Claim(of, keys, l, instant(now), instant(now-10))
		return err
	})
	return holder
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
