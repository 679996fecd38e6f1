package porttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// said is a delivery whose receiver had something to say.
func said(s site.ID, id webhook.DeliveryID, about event.Type, resource int64) (webhook.Delivery, *webhook.Attempt) {
	d := plainDelivery(s, 5, id, int64(id), old(0))
	d.Type, d.Resource, d.Status, d.Number, d.Reason = about, resource, webhook.Rejected, 1, awkward
	attempt := sampleAttempt(1)
	return d, &attempt
}

func reject(s site.ID, kind string, resource int64) webhook.Rejection {
	j := sampleRejection(s, 5, resource)
	j.Kind = kind
	return j
}

// quiet demands that nothing is kept of what a receiver said.
func quiet(t *testing.T, w *world, d webhook.Delivery) {
	t.Helper()
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Deliveries().Get(d.Site, d.Hook, d.ID)
		attempts, err2 := tx.Deliveries().Attempts(d.Site, d.Hook, []webhook.DeliveryID{d.ID})
		attempt, err2 := only(attempts[d.ID], err2)
		rejection, err3 := only(tx.Rejections().Many(d.Site, d.Type.Resource(), []int64{d.Resource}))
		if err := errors.Join(err, err2, err3); err != nil {
			return fmt.Errorf("a delivery, its attempts and its rejections: %w", err)
		}
		kept := []string{found.Reason, attempt.Excerpt, rejection.Reason}
		if !slices.Equal(kept, []string{"", "", ""}) || found.Status != webhook.Rejected || attempt.Error != awkward {
			t.Errorf("%s %d: of what the receiver said %q is kept", d.Type, d.Resource, kept)
		}
		return nil
	})
}

// nobodySlipsIn lets receivers answer while their resource is redacted and what they
// said is forgotten: in whatever order it happens, nothing is kept.
func nobodySlipsIn(t *testing.T, w *world) {
	id := w.site(t)
	for round := range rounds {
		d, attempt := said(id, webhook.DeliveryID(round+1), event.CustomerUpdate, int64(round+1))
		w.update(t, func(tx port.Tx) error { return tx.Deliveries().Add([]webhook.Delivery{d}) })
		resource := []int64{d.Resource}
		together(t, 2, func(ctx context.Context, i int) error {
			return w.Update(ctx, func(tx port.Tx) error {
				if i == 0 {
					return errors.Join(settle(tx, d, attempt), tx.Rejections().Put(reject(d.Site, d.Type.Resource(), d.Resource)))
				}
				return try(
					func() error { return tx.Deliveries().Redact(id, "CUSTOMER", resource) },
					func() error { return tx.Deliveries().Forget(id, "CUSTOMER", resource) },
					func() error { return tx.Rejections().Forget(id, "CUSTOMER", resource) },
				)
			})
		})
		quiet(t, w, d)
	}
}
