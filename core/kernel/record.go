package kernel

import (
	"slices"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// readers are the packs that may receive events about a kind of resource.
var readers = map[string]access.Packs{
	event.ProductUpdate.Resource():     access.Properties | access.Websites | access.Sales,
	event.CustomerUpdate.Resource():    access.Customers,
	event.ActionCreate.Resource():      access.Properties | access.Customers,
	event.SearchUpdate.Resource():      access.Customers,
	event.FollowUpUpdate.Resource():    access.Customers,
	event.LeadUpdate.Resource():        access.Leads,
	event.MandateUpdate.Resource():     AgencyPacks,
	event.OfferUpdate.Resource():       access.Sales,
	event.AgreementUpdate.Resource():   access.Sales,
	event.LeaseUpdate.Resource():       access.Sales,
	event.AppointmentUpdate.Resource(): AgendaPacks,
	event.ReminderCreate.Resource():    AgendaPacks,
	event.PermanenceUpdate.Resource():  AgendaPacks,
	event.WorktimeUpdate.Resource():    AgendaPacks,
	event.UserUpdate.Resource():        access.Users | access.Properties | access.Customers | access.Leads | access.Agenda,
	event.CriteriaUpdate.Resource():    access.Properties | access.Websites | access.Leads | access.Customers,
	event.AgencyUpdate.Resource():      access.Agencies | access.Properties | access.Websites | access.Sales | access.Leads | access.Customers,
}

// MayHear reports whether packs cover the resources of events of a type.
func MayHear(packs access.Packs, t event.Type) bool { return packs.Any(readers[t.Resource()]) }

// Reaches reports whether the caller receives an event: one of an agency in scope, or of
// the site as a whole. Of other agencies only deletions are sent. Nothing else can be read
// of what left the scope, and a client that has read it before needs to know that it is
// deleted.
func (c Caller) Reaches(e event.Event) bool {
	return e.Agency == 0 || c.Scope.Has(e.Agency) || e.Type.IsDelete()
}

// Record appends an event about one resource to the ledger of the site, enqueues its
// deliveries to webhooks, and returns it with its sequence, which is the new version of
// the resource, and its time. It locks the ledger of the site, so call it late in a unit
// of work.
func (u Unit) Record(e event.Event) (event.Event, error) { return u.RecordAll([]event.Event{e}) }

// RecordAll is Record for several events in order. It returns the last. They name the caller and its
// request as their cause.
func (u Unit) RecordAll(happened []event.Event) (event.Event, error) {
	recorded, by := slices.Clone(happened), u.Actor()
	for i := range recorded {
		recorded[i].By, recorded[i].Request = by, u.Request
	}
	last, err := u.Ledger().Append(u.Site.ID, u.Now, recorded)
	if err != nil || len(recorded) == 0 {
		return last, err
	}
	for i := range recorded {
		recorded[i].Site, recorded[i].At = last.Site, last.At
		recorded[i].Seq = last.Seq - int64(len(recorded)-1-i)
	}
	return last, u.fanOut(recorded)
}

// fanOut enqueues one delivery of each event for each webhook that subscribes to it. A
// suspended webhook gets one that is cancelled at once, so that missed events can be seen
// and replayed.
func (u Unit) fanOut(recorded []event.Event) error {
	hooks, err := u.Webhooks().Of(u.Site.ID)
	if err != nil {
		return err
	}
	var wanted []webhook.Delivery
	for _, w := range hooks {
		// Most webhooks do not subscribe to an event, so their owners are not read.
		if !slices.ContainsFunc(recorded, func(e event.Event) bool { return w.Wants(e.Type) }) ||
			w.SkipOwn && w.CreatedBy == u.Grant.Credential {
			continue
		}
		hears, err := u.Audience(w)
		if err != nil {
			return err
		}
		for _, e := range recorded {
			if !hears(e) {
				continue
			}
			d := u.delivery(DeliveryOf(e), w)
			d.Due = d.Due.Add(w.Wait(e.Type))
			if w.State == webhook.Suspended {
				d = d.Cancel("the webhook is suspended")
			}
			wanted = append(wanted, d)
		}
	}
	return u.enqueue(wanted)
}

// Audience returns a function that reports whether a webhook receives an event: it
// subscribes to the type, and its credential may read the resource, within the site's scope.
func (u Unit) Audience(w webhook.Webhook) (func(event.Event) bool, error) {
	owner, err := u.owner(w)
	if err != nil {
		return nil, err
	}
	entitled := owner.ID != "" && !owner.Disabled && !owner.Revoked() && owner.Reaches(w.Site)
	return func(e event.Event) bool {
		return entitled && w.Wants(e.Type) && u.Reaches(e) && MayHear(owner.Packs, e.Type)
	}, nil
}

// owner returns the client that a webhook belongs to, empty when there is none. It is read
// once in the unit: the rights at the time of the event count.
func (u Unit) owner(w webhook.Webhook) (access.Credential, error) {
	if owner, known := u.owners[w.CreatedBy]; known {
		return owner, nil
	}
	owner, err := u.Credentials().Get(w.CreatedBy)
	if err = AbsentIs(err, nil); err == nil && u.owners != nil {
		u.owners[w.CreatedBy] = owner
	}
	return owner, err
}

// DeliveryOf returns the delivery of an event, without a webhook.
func DeliveryOf(e event.Event) webhook.Delivery {
	return webhook.Delivery{
		Event: e.Seq, Message: "evt_" + strconv.FormatInt(int64(e.Site), 10) + "_" + strconv.FormatInt(e.Seq, 10),
		Type: e.Type, Resource: e.Resource, Subject: e.Subject, At: e.At,
	}
}

// Deliver enqueues deliveries to a webhook, as new ones that are due at once, and returns
// their ids.
func (u Unit) Deliver(w webhook.Webhook, messages []webhook.Delivery) ([]webhook.DeliveryID, error) {
	fresh := make([]webhook.Delivery, len(messages))
	for i, d := range messages {
		fresh[i] = u.delivery(d, w)
	}
	err := u.enqueue(fresh)
	ids := make([]webhook.DeliveryID, len(fresh))
	for i, d := range fresh {
		ids[i] = d.ID
	}
	return ids, err
}

// Silence cancels for a reason what is pending for a webhook that was just suspended. The
// webhook it returns has the first event it misses: the first that is pending, that was
// settled with the suspension, or that follows.
func Silence(tx port.Tx, w webhook.Webhook, settled []webhook.Settled, reason string) (webhook.Webhook, error) {
	head, err := tx.Ledger().Head(w.Site) // first: later events come after it, or are pending
	if err != nil {
		return w, err
	}
	pending, err := tx.Deliveries().Pending(w.Site, w.ID, webhook.Window)
	if err != nil {
		return w, err
	}
	for _, s := range settled {
		if s.Status == webhook.Failed || s.Status == webhook.Cancelled {
			pending = append(pending, s.Delivery)
		}
	}
	first := head.Seq + 1
	for _, d := range pending {
		if d.Event > 0 { // a test is no event
			first = min(first, d.Event)
		}
	}
	return w.Misses(first), tx.Deliveries().Cancel(w.Site, w.ID, reason)
}

// delivery returns a new delivery of a message to a webhook.
func (u Unit) delivery(d webhook.Delivery, w webhook.Webhook) webhook.Delivery {
	return webhook.Delivery{
		Site: w.Site, Hook: w.ID, Event: d.Event, Message: d.Message, Type: d.Type, Resource: d.Resource, Subject: d.Subject, At: d.At,
		Epoch: w.Epoch, Due: u.Now, Added: u.Now,
	}
}

// enqueue sets the ids of deliveries and stores them.
func (u Unit) enqueue(deliveries []webhook.Delivery) error {
	if len(deliveries) == 0 {
		return nil
	}
	ids, err := u.NextIDs(port.DeliveryIDs, len(deliveries))
	if err != nil {
		return err
	}
	for i := range deliveries {
		deliveries[i].ID = webhook.DeliveryID(ids[i])
	}
	return u.Deliveries().Add(deliveries)
}
