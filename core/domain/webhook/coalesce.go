package webhook

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
)

// MaxCoalesce is the longest time for which a webhook may have updates of one
// resource gathered.
const MaxCoalesce = 60 * time.Second

// Wait returns how long after an event its delivery is due.
func (w Webhook) Wait(t event.Type) time.Duration {
	if t.IsUpdate() {
		return w.Coalesce
	}
	return 0
}

// replaceable reports whether a later update of its resource may take the place
// of a delivery. One that was attempted keeps its place, and with it its count
// of failures.
func (d Delivery) replaceable() bool {
	return d.Status == Pending && d.Number == 0 && d.Type.IsUpdate()
}

// Coalesce sorts the pending deliveries of a webhook that gathers updates, given
// in event order. Of updates of one resource that follow each other, none of
// them attempted, the last takes the place of the others once the first is due:
// it is due with it, and they are superseded.
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

// Supersede ends a pending delivery that a later update of its resource takes
// the place of. One that was attempted stays as it is.
func (d Delivery) Supersede() Delivery {
	if d.replaceable() {
		d.Status, d.Reason = Superseded, "a later update of the resource took its place"
	}
	return d
}
