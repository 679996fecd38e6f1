package webhook

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// DeliveryID identifies a delivery.
type DeliveryID int64

// Status is the state of a delivery. All but Pending are final.
type Status uint8

const (
	// Pending: an attempt is due, or under way.
	Pending Status = iota
	// Succeeded: the receiver answered 2xx.
	Succeeded
	// Rejected: the receiver answered 422.
	Rejected
	// Failed: the last retry failed, which suspended the webhook.
	Failed
	// Cancelled: the webhook was suspended or deleted before it got through.
	Cancelled
	// Superseded: a later update of the same resource took its place before it
	// was attempted.
	Superseded
	// Statuses is the number of statuses.
	Statuses
)

var statusNames = [Statuses]string{"pending", "succeeded", "rejected", "failed", "cancelled", "superseded"}

// String returns the status as responses write it.
func (s Status) String() string {
	if s < Statuses {
		return statusNames[s]
	}
	return "?"
}

// ParseStatus returns the status with a name of responses.
func ParseStatus(name string) (Status, bool) {
	for s := range Statuses {
		if statusNames[s] == name {
			return s, true
		}
	}
	return 0, false
}

// Delivery is one event on its way to one webhook.
type Delivery struct {
	ID   DeliveryID
	Site site.ID
	Hook ID
	// Event is the sequence of the event in the site's ledger; 0 for a test.
	Event int64
	// Message is the webhook-id header, the same over all attempts, replays and
	// redeliveries of an event.
	Message  string
	Type     event.Type
	Resource int64
	// Subject is that of the event.
	Subject string
	// At is when the event occurred.
	At time.Time

	Status Status
	// Epoch is that of the webhook under which Failures were counted.
	Epoch int64
	// Failures counts the failed attempts of the epoch.
	Failures int
	// Number counts all attempts.
	Number int
	// Due is when the next attempt may begin.
	Due time.Time
	// Reason is why the receiver rejected it, or why it failed last.
	Reason string
	Added  time.Time
}

// DeliveryCount is what became of the deliveries of a webhook that were added in a step of time.
type DeliveryCount struct {
	// Start is the beginning of the step; zero for all that were added before the first one.
	Start time.Time
	// All counts the deliveries, Succeeded those that got through, and Failed the attempts that were
	// not answered with 2xx.
	All, Succeeded, Failed int64
	// Oldest is when the first of them was added.
	Oldest time.Time
}

// Attempt is one request that was made, for the delivery log.
type Attempt struct {
	Number   int
	At       time.Time
	URL      string // as Shown
	Status   int    // HTTP status; 0 without an answer
	Duration time.Duration
	Error    string
	// Excerpt is the beginning of the answer.
	Excerpt string
}

// Settled is a delivery after Settle, with its attempt; nil when there was none.
type Settled struct {
	Delivery
	Attempt *Attempt
}
