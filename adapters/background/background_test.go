package background

import (
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// More may expire between two sweeps than one batch holds.
func TestASweepGoesOnUntilNothingExpiredIsLeft(t *testing.T) {
	store := memstore.New()
	clock := apitest.NewClock()
	service, err := siteapi.New(apitest.Ports(store, clock), kernel.Options{Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	const old = 25
	err = store.Update(t.Context(), func(tx port.Tx) error {
		for i := range old + 3 {
			at := clock.Now()
			if i < old {
				at = at.Add(-48 * time.Hour)
			}
			if err := tx.Log().Append(port.LogEntry{Site: 1, At: at, Message: fmt.Sprint(i)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	day := 24 * time.Hour
	w := newWork(service, Options{})
	if n, err := w.purge(t.Context(), kernel.Retention{Ledger: day, Deliveries: day, Log: day}, 10); n != old || err != nil {
		t.Errorf("%d records went, %v, want %d", n, err, old)
	}
	err = store.View(t.Context(), func(tx port.Tx) error {
		left, err := tx.Log().After(1, 0, 100)
		if len(left) != 3 {
			t.Errorf("%d entries are left, want the 3 that are young", len(left))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
