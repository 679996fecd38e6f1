package kernel_test

import (
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

func TestTimeThatWasKeptForAVisitorIsForgottenAnHourAfterItExpired(t *testing.T) {
	w := apitest.New(t)
	w.Update(func(tx port.Tx) error {
		return tx.Holds().Put(planning.Hold{ID: 1, Site: 1, Product: 1, User: 101, Expires: w.Clock.Now().Add(10 * time.Minute)})
	})
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{time.Hour, 0}, {10*time.Minute - 1, 0}, {time.Second, 1}, {0, 0}} {
		w.Clock.Advance(step.after)
		if purged, err := w.Purge(t.Context(), kernel.DefaultRetention(), 1000); err != nil || purged != step.want {
			t.Errorf("%s later: purged %d, %v; want %d", step.after, purged, err, step.want)
		}
	}
}
