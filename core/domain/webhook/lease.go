package webhook

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Lease is the right to serve one webhook for a while. Its holder is the
// only one to send its deliveries, which keeps them in order.
type Lease struct {
	Site site.ID
	Hook ID
	// Holder is the process that has the lease, or has taken it over.
	Holder string
	// Until is when other processes may take it over.
	Until time.Time
}

// Key names the webhook that is served.
func (l Lease) Key() Key { return Key{l.Site, l.Hook} }

// Resource identifies the resource of an event. Deliveries of one resource are sent in order.
type Resource struct {
	Kind string // such as PRODUCT
	ID   int64
}

// About returns the resource a delivery is about.
func (d Delivery) About() Resource { return Resource{d.Type.Resource(), d.Resource} }

// Window is the largest number of pending deliveries of a webhook that are read to find what
// may be sent, or when. A webhook with more is due again before all are sent.
const Window = 10_000

// Lane are due deliveries of one resource, to be sent one after the other.
type Lane []Delivery

// Lanes returns those of the pending deliveries of a webhook, in event order, that may be
// sent now: the due ones of each resource up to the first that is not due. Lanes may be sent
// in parallel. Those whose first delivery has waited longest come first.
func Lanes(pending []Delivery, now time.Time) []Lane {
	places := map[Resource]int{}
	blocked := map[Resource]bool{}
	var lanes []Lane
	for _, d := range pending {
		r := d.About()
		if d.Due.After(now) {
			blocked[r] = true
		}
		if blocked[r] {
			continue
		}
		place, known := places[r]
		if !known {
			place = len(lanes)
			places[r] = place
			lanes = append(lanes, nil)
		}
		lanes[place] = append(lanes[place], d)
	}
	return lanes
}

// NextDue returns when the first of the pending deliveries of a webhook, in event
// order, may be sent: those behind one of the same resource wait for it. Zero
// when there are none.
func NextDue(pending []Delivery) time.Time {
	var next time.Time
	seen := map[Resource]bool{}
	for _, d := range pending {
		if r := d.About(); !seen[r] {
			seen[r] = true
			if next.IsZero() || d.Due.Before(next) {
				next = d.Due
			}
		}
	}
	return next
}
