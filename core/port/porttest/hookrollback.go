package porttest

import (
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// hooks puts something of every kind about webhooks into a place: one with
// deliveries of each kind, and one that is being served.
func (p place) hooks(tx port.Tx) error {
	over := plainDelivery(p.site, 1, 3, 3, old(0))
	over.Status, over.Added = webhook.Succeeded, old(0)
	attempt := sampleAttempt(1)
	return try(
		func() error {
			return tx.Deliveries().Add([]webhook.Delivery{plainDelivery(p.site, 2, 4, 1, old(0)), plainDelivery(p.site, 2, 5, 2, old(40)), over})
		},
		func() error { _, err := tx.Leases().Take(p.holder(), old(1), old(20), 1000); return err },
		func() error {
			return tx.Deliveries().Add([]webhook.Delivery{plainDelivery(p.site, 1, 1, 1, old(2)), plainDelivery(p.site, 1, 2, 2, old(90))})
		},
		func() error { return settle(tx, over, &attempt) },
		func() error { return tx.Rejections().Put(sampleRejection(p.site, 1, 1)) },
		func() error {
			_, err := tx.Ledger().Append(p.site, old(0), []event.Event{{Type: event.ProductUpdate, Resource: 1}})
			return err
		},
	)
}

func (p place) holder() string { return string(p.hash) }

// served is the lease that is under way in a place.
func (p place) served() webhook.Lease {
	return webhook.Lease{Site: p.site, Hook: 2, Holder: p.holder(), Until: old(20)}
}

// hookWrites is every way to write about webhooks.
func (p place) hookWrites(tx port.Tx) map[string]func() error {
	settled := plainDelivery(p.site, 1, 1, 1, old(3))
	settled.Number = 1
	personal := settled
	personal.Type = event.CustomerUpdate
	attempt := sampleAttempt(1)
	rejection := sampleRejection(p.site, 2, 1)
	rejection.Kind = "CUSTOMER"
	return map[string]func() error{
		"gone webhook":   func() error { return tx.Webhooks().Delete(p.site, 1) },
		"served webhook": func() error { return tx.Webhooks().Delete(p.site, 2) },
		"deliveries": func() error {
			return tx.Deliveries().Add([]webhook.Delivery{plainDelivery(p.site, 1, 6, 1, old(1)), plainDelivery(p.site, 4, 7, 1, old(1))})
		},
		"settle":           func() error { return settle(tx, settled, nil) },
		"settle personal":  func() error { return settle(tx, personal, &attempt) },
		"attempt":          func() error { return settle(tx, settled, &attempt) },
		"cancel":           func() error { return tx.Deliveries().Cancel(p.site, 1, "r") },
		"hasten":           func() error { return tx.Deliveries().Hasten(p.site, 1, old(1)) },
		"take":             func() error { _, err := tx.Leases().Take("somebody", old(3), old(1000), 1000); return err },
		"extend":           func() error { return tx.Leases().Extend(p.served(), old(60)) },
		"release":          func() error { return tx.Leases().Release(p.served()) },
		"redact":           func() error { return tx.Deliveries().Redact(p.site, "CUSTOMER", []int64{1}) },
		"forget said":      func() error { return tx.Deliveries().Forget(p.site, "PRODUCT", []int64{1}) },
		"forget why":       func() error { return tx.Rejections().Forget(p.site, "PRODUCT", []int64{1}) },
		"reject":           func() error { return tx.Rejections().Put(rejection) },
		"clear":            func() error { _, err := tx.Rejections().Clear(p.site, 1, "PRODUCT", 1); return err },
		"clear resource":   func() error { _, err := tx.Rejections().ClearResource(p.site, "PRODUCT", 1); return err },
		"forget":           func() error { _, err := tx.Rejections().ClearWebhook(p.site, 1); return err },
		"touch rejections": func() error { return tx.Ledger().Touch(p.site, port.AspectRejections) },
		"purge sent":       func() error { _, err := tx.Deliveries().Purge(old(1), 1000); return err },
		"purge event":      func() error { _, err := tx.Ledger().Purge(instant(1000), 1000); return err },
	}
}

// hookPicture is everything that can be read about webhooks of a place.
type hookPicture struct {
	Deliveries [][]webhook.Delivery
	Pending    [][]webhook.Delivery
	Attempts   []map[webhook.DeliveryID][]webhook.Attempt
	Rejections [][]webhook.Rejection
	Head       port.Head
	Due        []int
	Held       bool
	Free       []webhook.ID
	Redacted   bool // customer 1
}

func (w *world) hookPicture(t *testing.T, p place) hookPicture {
	t.Helper()
	var c hookPicture
	w.view(t, func(tx port.Tx) (err error) {
		for hook := webhook.ID(1); hook < 5; hook++ {
			all, err := tx.Deliveries().List(port.DeliveryQuery{Site: p.site, Hook: hook, Limit: 100})
			pending, err2 := tx.Deliveries().Pending(p.site, hook, 100)
			attempts, err3 := tx.Deliveries().Attempts(p.site, hook, []webhook.DeliveryID{1, 3})
			if err := errors.Join(err, err2, err3); err != nil {
				return err
			}
			c.Deliveries, c.Pending, c.Attempts = append(c.Deliveries, all), append(c.Pending, pending), append(c.Attempts, attempts)
		}
		for _, kind := range []string{"PRODUCT", "CUSTOMER"} {
			rejections, err := tx.Rejections().Many(p.site, kind, []int64{1})
			if err != nil {
				return err
			}
			c.Rejections = append(c.Rejections, rejections)
		}
		for _, seconds := range []int{1, 2, 3, 19, 20, 40, 59, 60, 90} {
			due, _, err := tx.Leases().Due(old(seconds))
			if err != nil {
				return err
			}
			c.Due = append(c.Due, due)
		}
		c.Head, err = tx.Ledger().Head(p.site)
		return err
	})
	undone := errors.New("undone")
	err := w.Update(t.Context(), func(tx port.Tx) (err error) {
		c.Free = nil
		if c.Held, _, err = tx.Leases().Hold(p.served()); err != nil {
			return err
		}
		if err := tx.Rejections().Put(reject(p.site, "CUSTOMER", 1)); err != nil {
			return err
		}
		rejections, err := tx.Rejections().Many(p.site, "CUSTOMER", []int64{1})
		if err != nil {
			return err
		}
		c.Redacted = rejections[0].Reason == ""
		taken, err := tx.Leases().Take("a look", old(3), old(4), 1000)
		for _, lease := range taken {
			if lease.Site == p.site {
				c.Free = append(c.Free, lease.Hook)
			}
		}
		return errors.Join(err, undone)
	})
	if !errors.Is(err, undone) {
		t.Fatal(err)
	}
	return c
}

// end leaves nothing due that a program made up.
func (p program) end(tx port.Tx) error {
	for hook := webhook.ID(1); hook <= madeHooks; hook++ {
		if err := tx.Webhooks().Delete(p.site, hook); err != nil {
			return err
		}
	}
	_, err := tx.Deliveries().Purge(time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC), 1<<30)
	return err
}
