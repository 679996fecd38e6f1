package kernel_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// twice is a store that runs every unit of work two times and takes the first back.
type twice struct{ port.Store }

var errAgain = errors.New("again")

func (s twice) Update(ctx context.Context, fn func(port.Tx) error) error {
	err := s.Store.Update(ctx, func(tx port.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errAgain
	})
	if !errors.Is(err, errAgain) {
		return err
	}
	return s.Store.Update(ctx, fn)
}

func TestWhatAUnitPurgesIsCountedOnceHoweverOftenItRuns(t *testing.T) {
	w := apitest.Over(t, twice{memstore.New()})
	w.Token("full", 1)
	w.Clock.Advance(31 * 24 * time.Hour)
	if purged, err := w.Purge(t.Context(), kernel.DefaultRetention(), 1000); purged != 2 || err != nil {
		t.Errorf("purged %d tokens, %v; want 2", purged, err)
	}
}
