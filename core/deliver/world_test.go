package deliver_test

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/deliver"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// world is the engine over a store in memory, with a clock that stands still
// until it is moved.
type world struct {
	*deliver.Service
	kernel *api.Kernel
	t      *testing.T
	store  port.Store
	clock  *apitest.Clock
}

// newWorld has the sites 1 and 2, each with an agency, and the client full, which
// reaches both.
func newWorld(t *testing.T) *world { return newWorldOver(t, memstore.New()) }

func newWorldOver(t *testing.T, store port.Store) *world {
	t.Helper()
	w := serviceOver(t, store, apitest.NewClock())
	err := store.Update(t.Context(), func(tx port.Tx) error {
		sites := []site.ID{1, 2}
		for _, id := range sites {
			agency := site.Agency{ID: site.AgencyID(10 * id), Site: id, Active: true}
			if err := api.FirstError(tx.Sites().Put(site.Site{ID: id, Agencies: []site.AgencyID{agency.ID}}), tx.Agencies().Put(agency)); err != nil {
				return err
			}
		}
		return tx.Credentials().Put(access.Credential{ID: "full", Sites: sites, Packs: access.AllPacks})
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// serviceOver is another process on the same store.
func serviceOver(t *testing.T, store port.Store, c *apitest.Clock) *world {
	t.Helper()
	kernel, err := api.NewKernel(
		api.Ports{Store: store, Now: c.Now, Rand: rand.Reader, Zone: time.LoadLocation, E164: func(number, _ string) string { return number }},
		api.Options{Domain: "https://crm.example.org", Pepper: make([]byte, 32)},
	)
	if err != nil {
		t.Fatal(err)
	}
	return &world{Service: deliver.New(kernel), kernel: kernel, t: t, store: store, clock: c}
}

// write runs a unit of work of a request about a site.
func (w *world) write(id site.ID, unit func(api.Unit) error) {
	w.t.Helper()
	c, err := w.kernel.System(w.t.Context(), id)
	if err == nil {
		_, err = api.Write(w.t.Context(), w.kernel, c, func(u api.Unit) (api.None, error) { return api.None{}, unit(u) })
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(unit func(port.Tx) error) {
	w.t.Helper()
	if err := w.store.View(w.t.Context(), unit); err != nil {
		w.t.Fatal(err)
	}
}

// create tells of a new product of site 1.
func (w *world) create() int64 {
	w.t.Helper()
	return w.createAt(1)
}

func (w *world) createAt(id site.ID) (product int64) {
	w.t.Helper()
	w.write(id, func(u api.Unit) (err error) {
		if product, err = api.NextID[int64](u, port.ProductIDs); err != nil {
			return err
		}
		_, err = u.Record(event.Event{Type: event.ProductCreate, Resource: product, Agency: site.AgencyID(10 * id)})
		return err
	})
	return product
}

// change tells that a product of site 1 was changed, remove that it was deleted.
func (w *world) change(product int64) { w.t.Helper(); w.tell(event.ProductUpdate, product) }
func (w *world) remove(product int64) { w.t.Helper(); w.tell(event.ProductDelete, product) }

func (w *world) tell(what event.Type, product int64) {
	w.t.Helper()
	w.write(1, func(u api.Unit) error {
		_, err := u.Record(event.Event{Type: what, Resource: product, Agency: 10})
		return err
	})
}

func hookFor(origins ...event.Type) webhook.Webhook {
	return webhook.Webhook{Site: 1, URL: "https://portal.example.org/in", Origins: origins, Format: webhook.Default, Epoch: 1, CreatedBy: "full"}
}

func (w *world) subscribe(hook webhook.Webhook) webhook.ID {
	w.t.Helper()
	w.write(hook.Site, func(u api.Unit) (err error) {
		if hook.ID, err = api.NextID[webhook.ID](u, port.WebhookIDs); err != nil {
			return err
		}
		secret, err := webhook.NewSecret(rand.Reader)
		return api.FirstError(err, u.Webhooks().Put(hook), u.Signings().Put(hook.Site, hook.ID, webhook.Signing{Current: secret}))
	})
	return hook.ID
}

// update reconfigures a webhook of site 1, as a request would.
func (w *world) update(id webhook.ID, edit func(webhook.Webhook) webhook.Webhook) {
	w.t.Helper()
	w.write(1, func(u api.Unit) error {
		hook, err := u.Webhooks().Get(1, id)
		hook = edit(hook.Reconfigured(u.Now))
		if err := api.FirstError(err, u.Webhooks().Put(hook)); err != nil {
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
	w.t.Helper()
	w.write(1, func(u api.Unit) error {
		_, err := u.Webhooks().Get(1, id)
		return api.FirstError(err, u.Deliveries().Cancel(1, id, "the webhook was deleted"), u.Webhooks().Delete(1, id))
	})
}

func (w *world) hook(id webhook.ID) (hook webhook.Webhook) {
	w.t.Helper()
	w.read(func(tx port.Tx) (err error) {
		hook, err = tx.Webhooks().Get(1, id)
		return err
	})
	return hook
}

// deliveries are those of a webhook of site 1, oldest first.
func (w *world) deliveries(id webhook.ID) (all []webhook.Delivery) {
	w.t.Helper()
	w.read(func(tx port.Tx) (err error) {
		all, err = tx.DeliveryLog().List(port.DeliveryQuery{Site: 1, Hook: id, Limit: 1000})
		return err
	})
	slices.Reverse(all)
	return all
}

// statuses are those of all deliveries of a webhook, oldest first.
func (w *world) statuses(id webhook.ID) (statuses []string) {
	w.t.Helper()
	for _, d := range w.deliveries(id) {
		statuses = append(statuses, d.Status.String())
	}
	return statuses
}

// attempts counts those of a delivery in the log.
func (w *world) attempts(of webhook.Delivery) (n int) {
	w.t.Helper()
	w.read(func(tx port.Tx) error {
		all, err := tx.DeliveryLog().Attempts(of.Site, []webhook.DeliveryID{of.ID})
		n = len(all[of.ID])
		return err
	})
	return n
}

// rejections are those of a product of site 1.
func (w *world) rejections(product int64) (found []webhook.Rejection) {
	w.t.Helper()
	w.read(func(tx port.Tx) (err error) {
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
	ctx, stop := context.WithCancel(w.t.Context())
	ticker := time.NewTicker(time.Millisecond)
	var work sync.WaitGroup
	o := deliver.DefaultOptions()
	o.Tick = ticker.C
	work.Go(func() {
		if err := w.Run(ctx, send, o); err != nil {
			w.t.Error(err)
		}
	})
	w.t.Cleanup(func() {
		stop()
		work.Wait()
		ticker.Stop()
	})
}

// eventually waits until a condition holds.
func (w *world) eventually(what string, holds func() bool) {
	w.t.Helper()
	for range 2000 {
		if holds() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	w.t.Fatalf("it never happens that %s", what)
}
