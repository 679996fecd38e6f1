package deliver_test

import (
	"context"
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// world is the engine over a store in memory, with a clock that stands still
// until it is moved.
type world struct {
	*deliver.Service
	apitest.Engine
}

// newWorld has the sites of apitest.Engine.AddSites.
func newWorld(t *testing.T) *world { return newWorldOver(t, memstore.New()) }

func newWorldOver(t *testing.T, store port.Store) *world {
	t.Helper()
	w := serviceOver(t, store, apitest.NewClock())
	w.AddSites()
	return w
}

// serviceOver is another process on the same store.
func serviceOver(t *testing.T, store port.Store, c *apitest.Clock) *world {
	t.Helper()
	e := apitest.NewEngine(t, store, c, rand.Reader)
	return &world{deliver.New(e.Kernel), e}
}

// create tells of a new product of site 1.
func (w *world) create() int64 {
	w.T.Helper()
	return w.createAt(1)
}

func (w *world) createAt(id site.ID) (product int64) {
	w.T.Helper()
	w.Write(id, func(u kernel.Unit) (err error) {
		if product, err = kernel.NextID[int64](u, port.ProductIDs); err != nil {
			return err
		}
		_, err = u.Record(event.Event{Type: event.ProductCreate, Resource: product, Agency: apitest.AgencyOf(id)})
		return err
	})
	return product
}

// change tells that a product of site 1 was changed, remove that it was deleted.
func (w *world) change(product int64) { w.T.Helper(); w.tell(event.ProductUpdate, product) }
func (w *world) remove(product int64) { w.T.Helper(); w.tell(event.ProductDelete, product) }

func (w *world) tell(what event.Type, product int64) {
	w.T.Helper()
	w.Write(1, func(u kernel.Unit) error {
		_, err := u.Record(event.Event{Type: what, Resource: product, Agency: 10})
		return err
	})
}

func hookFor(origins ...event.Type) webhook.Webhook {
	return webhook.Webhook{Site: 1, URL: "https://portal.example.org/in", Origins: origins, Format: webhook.Default, Epoch: 1, CreatedBy: "full"}
}

func (w *world) subscribe(hook webhook.Webhook) webhook.ID {
	w.T.Helper()
	w.Write(hook.Site, func(u kernel.Unit) (err error) {
		if hook.ID, err = kernel.NextID[webhook.ID](u, port.WebhookIDs); err != nil {
			return err
		}
		secret, err := webhook.NewSecret(rand.Reader)
		return kernel.FirstError(err, u.Webhooks().Put(hook), u.Signings().Put(webhook.Signing{Site: hook.Site, Hook: hook.ID, Current: secret}))
	})
	return hook.ID
}

// update reconfigures a webhook of site 1, as a request would.
func (w *world) update(id webhook.ID, edit func(webhook.Webhook) webhook.Webhook) {
	w.T.Helper()
	w.Write(1, func(u kernel.Unit) error {
		hook, err := u.Webhooks().Get(1, id)
		hook = edit(hook.Reconfigured(u.Now))
		if err := kernel.FirstError(err, u.Webhooks().Put(hook)); err != nil {
			return err
		}
		if hook.State == webhook.Suspended {
			return u.Deliveries().Cancel(1, id, hook.SuspendedReason)
		}
		return u.Deliveries().Hasten(1, id, u.Now)
	})
}

func movedTo(url string) func(webhook.Webhook) webhook.Webhook {
	return func(w webhook.Webhook) webhook.Webhook {
		w.URL = url
		return w
	}
}

// unsubscribe deletes a webhook of site 1, as a request would.
func (w *world) unsubscribe(id webhook.ID) {
	w.T.Helper()
	w.Write(1, func(u kernel.Unit) error {
		_, err := u.Webhooks().Get(1, id)
		return kernel.FirstError(err, u.Deliveries().Cancel(1, id, "the webhook was deleted"), u.Webhooks().Delete(1, id))
	})
}

func (w *world) hook(id webhook.ID) (hook webhook.Webhook) {
	w.T.Helper()
	w.View(func(tx port.Tx) (err error) {
		hook, err = tx.Webhooks().Get(1, id)
		return err
	})
	return hook
}

// deliveries are those of a webhook of site 1, oldest first.
func (w *world) deliveries(id webhook.ID) (all []webhook.Delivery) {
	w.T.Helper()
	w.View(func(tx port.Tx) (err error) {
		all, err = tx.Deliveries().List(port.DeliveryQuery{Site: 1, Hook: id, Limit: 1000})
		return err
	})
	slices.Reverse(all)
	return all
}

// statuses are those of all deliveries of a webhook, oldest first.
func (w *world) statuses(id webhook.ID) (statuses []string) {
	w.T.Helper()
	for _, d := range w.deliveries(id) {
		statuses = append(statuses, d.Status.String())
	}
	return statuses
}

// attempts counts those of a delivery in the log.
func (w *world) attempts(of webhook.Delivery) (n int) {
	w.T.Helper()
	w.View(func(tx port.Tx) error {
		all, err := tx.Deliveries().Attempts(of.Site, of.Hook, []webhook.DeliveryID{of.ID})
		n = len(all[of.ID])
		return err
	})
	return n
}

// rejections are those of a product of site 1.
func (w *world) rejections(product int64) (found []webhook.Rejection) {
	w.T.Helper()
	w.View(func(tx port.Tx) (err error) {
		found, err = tx.Rejections().Many(1, event.ProductUpdate.Resource(), []int64{product})
		return err
	})
	return found
}

// allAre reports whether deliveries have no other status.
func allAre(statuses []string, want string) bool {
	return !slices.ContainsFunc(statuses, func(s string) bool { return s != want })
}

// sending is a port.Sender.
type sending func(context.Context, webhook.Request) webhook.Answer

func (s sending) Send(ctx context.Context, r webhook.Request) webhook.Answer { return s(ctx, r) }

// dispatching delivers in the background, and looks for due deliveries all the
// time: what is due is decided by the clock of the world.
func (w *world) dispatching(send port.Sender) {
	o := deliver.DefaultOptions()
	w.Background(func(ctx context.Context, tick <-chan time.Time) error {
		o.Tick = tick
		return w.Run(ctx, send, o)
	})
}
