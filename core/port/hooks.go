package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// Webhooks holds the subscriptions, and shares those with due deliveries out among the
// processes that send. URLs and headers are kept so that nobody who reads the storage can
// read them.
type Webhooks interface {
	// Of lists the webhooks of a site by id.
	Of(site.ID) ([]webhook.Webhook, error)
	// Put stores a webhook, whether or not there is one with its id.
	Put(webhook.Webhook) error
	// Get returns a webhook; in an Update it is held until the unit ends.
	Get(site.ID, webhook.ID) (webhook.Webhook, error)
	// Free takes hold of those among some webhooks that exist and that no other
	// unit holds, until the unit ends, and lists them by site and id. It waits for
	// nobody.
	Free([]webhook.Key) ([]webhook.Webhook, error)
	// Delete removes a webhook with its lease. Its deliveries stay.
	Delete(site.ID, webhook.ID) error

	// Take gives holder the leases of at most n webhooks of open sites that are due at
	// now and that nobody serves, until the given moment. Those that were not served for
	// longest are the first to be taken; the answer is in no order.
	Take(holder string, now, until time.Time, n int) ([]webhook.Lease, error)
	// Hold takes hold of a lease until the unit of work ends and reports whether
	// it is still the holder's, and whether the site is open. Where it is not, the
	// holder sends nothing more and gives the lease up.
	Hold(webhook.Lease) (held, open bool, err error)
	// Kept lists those among some leases that are still their holders', and whose
	// site is open, in no order, without taking hold of them.
	Kept([]webhook.Lease) ([]webhook.Lease, error)
	// Extend moves the end of a lease that is held. A lease that is somebody
	// else's by now stays as it is.
	Extend(l webhook.Lease, until time.Time) error
	// Release gives up a lease that is held: Hold must have said so in the same
	// unit. The webhook is due again at webhook.NextDue of its pending
	// deliveries. A lease that is somebody else's by now stays as it is.
	Release(webhook.Lease) error
	// Due counts the webhooks of open sites that are due and that nobody serves, and tells since
	// when the longest waiting one has been.
	Due(now time.Time) (count int, oldest time.Time, err error)
}

// Signings holds what webhooks sign with, under the id of the webhook.
type Signings = Table[webhook.ID, webhook.Signing]

// WebhookAuths holds the authentication configurations of a site.
type WebhookAuths = SiteTable[webhook.AuthID, webhook.Auth]

// Deliveries is the outbox, and the log of what became of everything in it.
type Deliveries interface {
	// Add stores new deliveries, whose ids are drawn, and makes each webhook due
	// when its earliest pending delivery is.
	Add([]webhook.Delivery) error
	Get(site.ID, webhook.ID, webhook.DeliveryID) (webhook.Delivery, error)
	// Many lists those among some deliveries of a webhook that exist, by id.
	Many(site.ID, webhook.ID, []webhook.DeliveryID) ([]webhook.Delivery, error)
	// Pending lists at most n pending deliveries of a webhook, in event order:
	// by Event, then by id.
	Pending(id site.ID, hook webhook.ID, n int) ([]webhook.Delivery, error)
	// Settle stores what became of deliveries, of any webhooks: Status, Epoch,
	// Failures, Number and Reason, and Due of those that are still pending. It
	// stores the attempts behind them, too; of a resource that is redacted no
	// reason and no excerpt. The caller names each delivery once, as it was read but
	// for these fields; one that does not exist is fault.NotFound.
	Settle([]webhook.Settled) error
	// Redact makes sure that nothing receivers say from now on about personal
	// resources (see event.IsPersonal) of a kind is kept.
	Redact(id site.ID, kind string, resources []int64) error
	// Cancel ends all pending deliveries of a webhook for a reason.
	Cancel(id site.ID, hook webhook.ID, reason string) error
	// Hasten makes all pending deliveries of a webhook due at a moment, unless
	// they are due before.
	Hasten(id site.ID, hook webhook.ID, due time.Time) error
	// Due counts the pending deliveries, of any webhook, that are due at a
	// moment; it stops counting at n.
	Due(now time.Time, n int) (int, error)
	// List finds deliveries, latest first.
	List(DeliveryQuery) ([]webhook.Delivery, error)
	// Count counts the latest deliveries of a webhook by the steps of time in which they were
	// added, the earliest step first. Steps without any are left out.
	Count(DeliveryCounting) ([]webhook.DeliveryCount, error)
	// Attempts finds the attempts of some deliveries of a webhook, those of each in order.
	// Deliveries without any are left out.
	Attempts(site.ID, webhook.ID, []webhook.DeliveryID) (map[webhook.DeliveryID][]webhook.Attempt, error)
	// DeliveredOrPending lists those among some events that got through to a webhook, or
	// are on their way to it, in order.
	DeliveredOrPending(id site.ID, hook webhook.ID, events []int64) ([]int64, error)
	// Forget empties what receivers said about resources of a kind: the reasons
	// of deliveries, and the excerpts of their attempts.
	Forget(id site.ID, kind string, resources []int64) error
	// Purge removes at most n deliveries that are final and were added before
	// the given moment, with their attempts, and reports how many: the oldest first,
	// those of one moment by their sites and ids.
	Purge(before time.Time, n int) (int, error)
}

// DeliveryQuery says which deliveries of a webhook are wanted.
type DeliveryQuery struct {
	Site   site.ID
	Hook   webhook.ID
	Before webhook.DeliveryID // only ids below; 0 is no bound
	Limit  int
	// Status, Type and Resource narrow the list; nil, "" and 0 do not.
	Status   *webhook.Status
	Type     string
	Resource int64
	// From and To bound when the delivery was added: From <= added < To. Zero is
	// no bound.
	From, To time.Time
}

// DeliveryCounting says which deliveries of a webhook are counted, and in which steps.
type DeliveryCounting struct {
	Site site.ID
	Hook webhook.ID
	// From is the beginning of the first step, Step the length of each, which is not 0. What was
	// added before is one step of its own.
	From time.Time
	Step time.Duration
	// Latest is how many are counted at most: those with the highest ids.
	Latest int
}

// Rejections holds which resources' last event a receiver refused. Whoever
// changes the rejections of a site touches AspectRejections in the same unit of
// work, and does so before taking hold of leases and rejections: other units that
// write hold the site's ledger first.
type Rejections interface {
	// Put stores a rejection; one of a resource that is redacted (see Deliveries)
	// without the reason.
	Put(webhook.Rejection) error
	// Forget empties the reasons of the rejections of some resources of a kind.
	Forget(id site.ID, kind string, resources []int64) error
	// Clear removes the rejection of a resource by one webhook, and reports
	// whether there was one.
	Clear(id site.ID, hook webhook.ID, kind string, resource int64) (bool, error)
	// ClearWebhook removes all rejections by a webhook, and reports whether there
	// were any.
	ClearWebhook(id site.ID, hook webhook.ID) (bool, error)
	// ClearResource removes all rejections of a resource, and reports whether
	// there were any.
	ClearResource(id site.ID, kind string, resource int64) (bool, error)
	// Many lists the rejections of some resources of a kind, by resource and
	// webhook.
	Many(id site.ID, kind string, resources []int64) ([]webhook.Rejection, error)
	// Rejected lists at most n resources of a kind that have a rejection, by id.
	Rejected(id site.ID, kind string, n int) ([]int64, error)
}

// Log is the application log the contract speaks of.
type Log struct {
	entries Table[int64, LogEntry]
	ids     Sequencer
}

// Append adds an entry, whose id it draws.
func (l Log) Append(e LogEntry) error {
	ids, err := l.ids.NextIDs(LogIDs, 1)
	if err != nil {
		return err
	}
	e.ID = ids[0]
	return l.entries.Put(e)
}

// After lists at most n entries of a site with an id above after, in order.
func (l Log) After(id site.ID, after int64, n int) ([]LogEntry, error) {
	return l.entries.Scan(id, after, n)
}

// Purge removes at most n entries older than the given moment, the oldest
// first, and reports how many.
func (l Log) Purge(before time.Time, n int) (int, error) {
	return l.entries.purge("logged_at", before, n)
}

// LogEntry is something an operator may want to know later.
type LogEntry struct {
	ID   int64 // given by the store
	Site site.ID
	At   time.Time
	// Kind is what the entry is about, such as hook_suspended.
	Kind    string
	Hook    webhook.ID
	Message string
}
