package porttest

import (
	"errors"
	"slices"

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
		func() error { _, err := tx.Webhooks().Take(p.holder(), old(1), old(20), 1000); return err },
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
		"take":             func() error { _, err := tx.Webhooks().Take("somebody", old(3), old(1000), 1000); return err },
		"extend":           func() error { return tx.Webhooks().Extend(p.served(), old(60)) },
		"release":          func() error { return tx.Webhooks().Release(p.served()) },
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

// hookLooks are all there is to read about webhooks of a place.
func (p place) hookLooks() (all []command) {
	for hook := webhook.ID(1); hook < 5; hook++ {
		all = append(all,
			reads("deliveries", func(tx port.Tx) ([]webhook.Delivery, error) {
				return tx.Deliveries().List(port.DeliveryQuery{Site: p.site, Hook: hook, Limit: 100})
			}),
			reads("pending", func(tx port.Tx) ([]webhook.Delivery, error) { return tx.Deliveries().Pending(p.site, hook, 100) }),
			reads("attempts", func(tx port.Tx) (map[webhook.DeliveryID][]webhook.Attempt, error) {
				return tx.Deliveries().Attempts(p.site, hook, []webhook.DeliveryID{1, 3})
			}))
	}
	for _, kind := range []string{"PRODUCT", "CUSTOMER"} {
		all = append(all, reads("rejections", func(tx port.Tx) ([]webhook.Rejection, error) { return tx.Rejections().Many(p.site, kind, []int64{1}) }))
	}
	for _, seconds := range []int{1, 2, 3, 19, 20, 40, 59, 60, 90} {
		all = append(all, reads("webhooks due", func(tx port.Tx) (int, error) { due, _, err := tx.Webhooks().Due(old(seconds)); return due, err }))
	}
	return all
}

// hookTries show who would be served, and what would be kept of what receivers say.
func (p place) hookTries() []command {
	return []command{
		reads("the lease is held", func(tx port.Tx) (bool, error) { held, _, err := tx.Webhooks().Hold(p.served()); return held, err }),
		reads("a rejection", func(tx port.Tx) ([]webhook.Rejection, error) {
			err := tx.Rejections().Put(reject(p.site, "CUSTOMER", 1))
			made, err2 := tx.Rejections().Many(p.site, "CUSTOMER", []int64{1})
			return made, errors.Join(err, err2)
		}),
		reads("webhooks that are free", func(tx port.Tx) (free []webhook.ID, _ error) {
			taken, err := tx.Webhooks().Take("a look", old(3), old(4), 1000)
			for _, lease := range taken {
				if lease.Site == p.site {
					free = append(free, lease.Hook)
				}
			}
			slices.Sort(free)
			return free, err
		}),
	}
}
