package kernel_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// wholeDays is a store's days as a test has them.
type wholeDays struct {
	asked, until time.Time
	err          error
}

func (d *wholeDays) KeepDays(_ context.Context, _, before time.Time) (about int, until time.Time, err error) {
	d.asked = before
	return 100, d.until, d.err
}

// TestDeliveriesGoByDaysWhereTheStoreKeepsThese: what no day took with it goes one by one,
// unless the day is only in use.
func TestDeliveriesGoByDaysWhereTheStoreKeepsThese(t *testing.T) {
	clock := apitest.NewClock()
	now := clock.Now()
	for name, c := range map[string]struct {
		err          error
		purged, left int
	}{
		"a day went":                {nil, 101, 1},
		"a day is in use":           {fault.New(fault.Unavailable, fault.CodeUnavailable, "the database does not answer"), 100, 2},
		"days cannot be kept there": {errors.New("must be owner"), 101, 1},
	} {
		t.Run(name, func(t *testing.T) {
			days := &wholeDays{until: now.Add(-3 * time.Hour), err: c.err}
			ports := apitest.Ports(memstore.New(), clock)
			ports.DeliveryDays = days
			service, err := siteapi.New(ports, kernel.Options{Pepper: make([]byte, 32)})
			if err != nil {
				t.Fatal(err)
			}
			err = ports.Store.Update(t.Context(), func(tx port.Tx) error {
				var added []webhook.Delivery
				for id, age := range []time.Duration{2 * time.Hour, 4 * time.Hour} {
					added = append(added, webhook.Delivery{ID: webhook.DeliveryID(id + 1), Site: 1, Hook: 1, Status: webhook.Succeeded, Added: now.Add(-age)})
				}
				return tx.Deliveries().Add(added)
			})
			if err != nil {
				t.Fatal(err)
			}
			keep := kernel.DefaultRetention()
			keep.Deliveries = time.Hour
			purged, err := service.Purge(t.Context(), keep, 10)
			if purged != c.purged || !errors.Is(err, c.err) || !days.asked.Equal(now.Add(-time.Hour)) {
				t.Errorf("%d are purged, %v; asked for days before %v", purged, err, days.asked)
			}
			err = ports.Store.View(t.Context(), func(tx port.Tx) error {
				left, err := tx.Deliveries().List(port.DeliveryQuery{Site: 1, Hook: 1, Limit: 10})
				if len(left) != c.left {
					t.Errorf("%d are left", len(left))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
