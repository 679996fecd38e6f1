package porttest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// dealExamples are about numbers.
func dealExamples() []example {
	return []example{
		{"NumbersOfDealsGrowWithoutGaps", dealNumbersGrow},
	}
}

// dealRaces are about what several do at once.
func dealRaces() []example {
	return []example{{"NumbersOfDealsDifferAndHaveNoGaps", dealNumbersDiffer}}
}

func dealNumbersGrow(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	next := func(tx port.Tx, s site.ID, a site.AgencyID, kind deal.Kind) int64 {
		n, err := tx.Numbers().NextDeal(s, a, kind)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for _, failed := range []bool{true, false} {
		var drawn []int64
		err := w.Update(t.Context(), func(tx port.Tx) error {
			drawn = []int64{
				next(tx, id, 1, deal.Offers), next(tx, id, 1, deal.Offers), next(tx, id, 1, deal.Agreements), next(tx, id, 1, deal.Leases),
				next(tx, id, 2, deal.Offers), next(tx, other, 1, deal.Offers), next(tx, id, 1, deal.Offers),
			}
			if failed {
				return errAborted
			}
			return nil
		})
		if failed != errors.Is(err, errAborted) {
			t.Fatal(err)
		}
		same(t, "numbers", []int64{1, 2, 1, 1, 1, 1, 3}, drawn)
	}
	w.update(t, func(tx port.Tx) error {
		drawn := []int64{
			next(tx, id, 1, deal.Offers), next(tx, id, 1, deal.Agreements), next(tx, id, 1, deal.Leases), next(tx, id, 2, deal.Offers),
			next(tx, id, 2, deal.Leases), next(tx, other, 1, deal.Offers),
		}
		same(t, "the next numbers", []int64{4, 2, 2, 2, 1, 2}, drawn)
		return nil
	})
}

// dealNumbersDiffer draws in many units, of which every third fails.
func dealNumbersDiffer(t *testing.T, w *world) {
	id := w.site(t)
	var all drawn
	together(t, workers, func(ctx context.Context, i int) error {
		for round := range rounds {
			var n int64
			err := w.Update(ctx, func(tx port.Tx) (err error) {
				if n, err = tx.Numbers().NextDeal(id, 1, deal.Offers); err == nil && (i+round)%3 == 0 {
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
	slices.Sort(all.numbers)
	for n, got := range all.numbers {
		if got != int64(n+1) {
			t.Fatalf("the numbers are %v", all.numbers)
		}
	}
}
