package kernel_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Who may read resources of a kind may hear of them.
func TestWhoMayHearOfWhat(t *testing.T) {
	agenda := []event.Type{
		event.AppointmentCreate, event.AppointmentUpdate, event.AppointmentDelete, event.ReminderCreate,
		event.PermanenceCreate, event.PermanenceUpdate, event.PermanenceDelete, event.WorktimeUpdate,
	}
	for _, c := range []struct {
		packs access.Packs
		types []event.Type
	}{
		{access.Agenda, append(agenda, event.UserCreate, event.UserUpdate, event.UserDelete)},
		{access.Properties, append(agenda, []event.Type{
			event.ProductCreate, event.ProductUpdate, event.ProductDelete, event.ActionCreate, event.MandateCreate,
			event.MandateUpdate, event.UserCreate, event.UserUpdate, event.UserDelete, event.AgencyUpdate, event.CriteriaUpdate,
		}...)},
		{access.Websites, []event.Type{event.ProductCreate, event.ProductUpdate, event.ProductDelete, event.AgencyUpdate, event.CriteriaUpdate}},
		{access.Sales, []event.Type{
			event.ProductCreate, event.ProductUpdate, event.ProductDelete, event.MandateCreate, event.MandateUpdate, event.AgencyUpdate,
			event.OfferCreate, event.OfferUpdate, event.OfferDelete, event.AgreementCreate, event.AgreementUpdate, event.AgreementDelete,
			event.LeaseCreate, event.LeaseUpdate, event.LeaseDelete,
		}},
		{access.Customers, append(agenda, []event.Type{
			event.CustomerCreate, event.CustomerUpdate, event.CustomerDelete, event.ActionCreate, event.SearchCreate, event.SearchUpdate, event.SearchDelete,
			event.FollowUpCreate, event.FollowUpUpdate, event.FollowUpDelete, event.MandateCreate, event.MandateUpdate,
			event.UserCreate, event.UserUpdate, event.UserDelete, event.AgencyUpdate, event.CriteriaUpdate,
		}...)},
		{access.Leads, []event.Type{
			event.LeadCreate, event.LeadUpdate, event.UserCreate, event.UserUpdate, event.UserDelete, event.AgencyUpdate, event.CriteriaUpdate,
		}},
		{access.Agencies, []event.Type{event.AgencyUpdate}},
		{access.Users, []event.Type{event.UserCreate, event.UserUpdate, event.UserDelete}},
		{access.Webhooks | access.Configs | access.Discovery, nil},
	} {
		for _, kind := range event.Types() {
			if got := kernel.MayHear(c.packs, kind); got != slices.Contains(c.types, kind) {
				t.Errorf("with %s one hears of %s: %t", c.packs, kind, got)
			}
		}
	}
}

// hook stores a webhook of site 1 for new products, and what change makes of it.
func (k ownKernel) hook(change func(*webhook.Webhook)) webhook.Webhook {
	k.world.T.Helper()
	w := webhook.Webhook{
		ID: 1, Site: 1, URL: "https://portal.example.org/in", Origins: []event.Type{event.ProductCreate, event.ProductUpdate},
		Format: webhook.Default, Epoch: 3, CreatedBy: "website",
	}
	change(&w)
	k.world.Update(func(tx port.Tx) error { return tx.Webhooks().Put(w) })
	return w
}

// deliveries are all of webhook 1 of site 1.
func (k ownKernel) deliveries() (found []webhook.Delivery) {
	k.world.T.Helper()
	k.world.View(func(tx port.Tx) (err error) {
		found, err = tx.Deliveries().List(port.DeliveryQuery{Site: 1, Hook: 1, Limit: 10})
		return err
	})
	return found
}

// An event becomes a delivery of each webhook that wants it, whose owner may still
// hear of it.
func TestAnEventGoesToThoseWhoMayHearOfIt(t *testing.T) {
	told := event.Event{Type: event.ProductCreate, Resource: 7, Agency: 11}
	owner := func(change func(*access.Credential)) func(ownKernel) {
		return func(k ownKernel) {
			k.world.Update(func(tx port.Tx) error {
				c, err := tx.Credentials().Get("website")
				change(&c)
				return kernel.FirstError(err, tx.Credentials().Put(c), tx.Ledger().Touch(1, port.AspectAccess))
			})
		}
	}
	for name, c := range map[string]struct {
		hook    func(*webhook.Webhook)
		prepare func(ownKernel)
		event   event.Event
		want    []webhook.Status
	}{
		"one that wants it":            {event: told, want: []webhook.Status{webhook.Pending}},
		"of another type":              {event: event.Event{Type: event.ProductDelete, Resource: 7, Agency: 11}},
		"of an agency out of scope":    {event: event.Event{Type: event.ProductCreate, Resource: 7, Agency: 13}},
		"a suspended one":              {hook: func(w *webhook.Webhook) { w.State = webhook.Suspended }, event: told, want: []webhook.Status{webhook.Cancelled}},
		"of the client's own":          {hook: func(w *webhook.Webhook) { w.CreatedBy = "full" }, event: told, want: []webhook.Status{webhook.Pending}},
		"not wanting the client's own": {hook: func(w *webhook.Webhook) { w.CreatedBy, w.SkipOwn = "full", true }, event: told},
		"not wanting its own":          {hook: func(w *webhook.Webhook) { w.SkipOwn = true }, event: told, want: []webhook.Status{webhook.Pending}},
		"of an unknown client":         {hook: func(w *webhook.Webhook) { w.CreatedBy = "nobody" }, event: told},
		"of a disabled client":         {prepare: owner(func(c *access.Credential) { c.Disabled = true }), event: told},
		"of a revoked client":          {prepare: owner(func(c *access.Credential) { c.RevokedAt = time.Unix(1, 0) }), event: told},
		"of one that left the site":    {prepare: owner(func(c *access.Credential) { c.Sites = nil }), event: told},
		"of one without the pack":      {prepare: owner(func(c *access.Credential) { c.Packs = access.Webhooks | access.Customers }), event: told},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKernel(t)
			hook := k.hook(func(w *webhook.Webhook) {
				if c.hook != nil {
					c.hook(w)
				}
			})
			k.caller(1) // who owns webhooks is known from before
			if c.prepare != nil {
				c.prepare(k)
			}
			var recorded event.Event
			err := k.write(func(u kernel.Unit) (err error) {
				recorded, err = u.Record(c.event)
				return err
			})
			if err != nil || recorded.Seq != 3 || recorded.Site != 1 || !recorded.At.Equal(k.Moment()) {
				t.Fatalf("recorded is %+v, %v", recorded, err)
			}
			got := k.deliveries()
			if len(got) != len(c.want) {
				t.Fatalf("there are %+v", got)
			}
			if len(got) == 0 {
				return
			}
			d := got[0]
			if d.Status != c.want[0] || d.Event != 3 || d.Message != "evt_1_3" || d.Type != c.event.Type || d.Resource != 7 || !d.Due.Equal(k.Moment()) || d.Epoch != hook.Epoch {
				t.Errorf("the delivery is %+v", d)
			}
		})
	}
}

// Updates wait for others at a webhook that gathers them, and nothing else does.
func TestUpdatesWaitWhereTheyAreGathered(t *testing.T) {
	k := newKernel(t)
	k.hook(func(w *webhook.Webhook) { w.Coalesce = 10 * time.Second })
	for _, kind := range []event.Type{event.ProductCreate, event.ProductUpdate} {
		if err := k.write(func(u kernel.Unit) error {
			_, err := u.Record(event.Event{Type: kind, Resource: 7, Agency: 11})
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	got := k.deliveries()
	if len(got) != 2 || got[0].Due.Sub(k.Moment()) != 10*time.Second || !got[1].Due.Equal(k.Moment()) {
		t.Errorf("latest first they are %+v", got)
	}
}

func TestWhatIsDeliveredAgainStartsAnew(t *testing.T) {
	k := newKernel(t)
	hook := k.hook(func(*webhook.Webhook) {})
	old := webhook.Delivery{
		ID: 99, Site: 1, Hook: 1, Event: 2, Message: "evt_1_2", Type: event.ProductCreate, Resource: 7, At: k.Moment(),
		Status: webhook.Failed, Failures: 4, Number: 4, Reason: "answered 500",
	}
	k.world.Clock.Advance(time.Hour)
	var ids []webhook.DeliveryID
	err := k.write(func(u kernel.Unit) (err error) {
		ids, err = u.Deliver(hook, []webhook.Delivery{old, old})
		return err
	})
	if err != nil || len(ids) != 2 || ids[0] == ids[1] || ids[0] == 99 {
		t.Fatalf("the ids are %v, %v", ids, err)
	}
	for _, d := range k.deliveries() {
		if d.Status != webhook.Pending || d.Failures != 0 || d.Reason != "" || d.Epoch != 3 || d.Message != "evt_1_2" || !d.Due.Equal(k.Moment()) || d.At.Equal(d.Due) {
			t.Errorf("%+v", d)
		}
	}
	if announced, _ := k.Deliveries.Take(); !slices.Equal(announced, []webhook.Key{{Site: 1, Hook: 1}}) {
		t.Errorf("announced are %v", announced)
	}
	none := errors.New("none")
	if err := k.write(func(u kernel.Unit) error {
		if ids, err := u.Deliver(hook, nil); len(ids) > 0 || err != nil {
			t.Errorf("of nothing come %v, %v", ids, err)
		}
		return none
	}); !errors.Is(err, none) {
		t.Error(err)
	}
}
