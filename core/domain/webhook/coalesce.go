package webhook

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
)

// MaxCoalesce is the largest Coalesce of a webhook.
const MaxCoalesce = 60 * time.Second

// Wait returns how long after an event its delivery is due.
func (w Webhook) Wait(t event.Type) time.Duration {
	if t.IsUpdate() {
		return w.Coalesce
	}
	return 0
}

// replaceable reports whether a later update of its resource may replace a delivery. One that
// was attempted is kept, and with it its count of failures.
func (d Delivery) replaceable() bool {
	return d.Status == Pending && d.Number == 0 && d.Type.IsUpdate()
}

// Coalesce splits the pending deliveries of a webhook that gathers updates, given in event
// order, into those to send and those that are superseded. Of successive updates of one
// resource, none of them attempted, the last replaces the others once the first is due: it
// is due at that time.
func Coalesce(pending []Delivery, now time.Time) (left, superseded []Delivery) {
	left = slices.Clone(pending)
	last := map[Resource]int{} // the place of the last of the updates that follow each other
	gone := map[int]bool{}
	for i, d := range left {
		r := d.About()
		first, follows := last[r]
		switch {
		case !d.replaceable():
			delete(last, r)
		case !follows:
			last[r] = i
		case !left[first].Due.After(now):
			superseded = append(superseded, left[first].Supersede())
			gone[first] = true
			left[i].Due = left[first].Due
			last[r] = i
		}
	}
	kept := left[:0]
	for i, d := range left {
		if !gone[i] {
			kept = append(kept, d)
		}
	}
	return kept, superseded
}

// Supersede returns a pending delivery as superseded by a later update of its resource. One
// that was attempted stays as it is.
func (d Delivery) Supersede() Delivery {
	if d.replaceable() {
		d.Status, d.Reason = Superseded, "a later update of the resource took its place"
	}
	return d
}
