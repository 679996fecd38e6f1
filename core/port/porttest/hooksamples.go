package porttest

import (
	"fmt"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

func sampleWebhook(s site.ID, id webhook.ID) webhook.Webhook {
	return webhook.Webhook{
		ID: id, Site: s, URL: "https://é.example/h?a=1&b=2", Origins: []event.Type{event.ProductUpdate, event.CustomerDelete},
		Headers: map[string]string{"X-Clé": awkward, "Authorization": "Bearer " + awkward, "X-Empty": ""}, Auth: 7,
		Format: webhook.CloudEvents, SkipOwn: true, Coalesce: 7 * time.Second, CreatedBy: "client", State: webhook.Suspended, Epoch: 1 << 40,
		SuspendedAt: instant(1), SuspendedReason: awkward, LastSuccess: instant(2), LastFailure: instant(3), MissedFrom: 1 << 41, MissedAt: instant(6),
		Added: instant(4), Modified: instant(5),
	}
}

func sampleDelivery(s site.ID, hook webhook.ID, id webhook.DeliveryID) webhook.Delivery {
	return webhook.Delivery{
		ID: id, Site: s, Hook: hook, Event: 1 << 40, Message: "evt_1_" + awkward, Type: event.ProductCreate, Resource: 1 << 41, Subject: awkward,
		At: instant(1), Status: webhook.Pending, Epoch: 3, Failures: 2, Number: 5, Due: instant(2), Reason: awkward, Added: instant(3),
	}
}

// plainDelivery is pending, of an event.
func plainDelivery(s site.ID, hook webhook.ID, id webhook.DeliveryID, seq int64, due time.Time) webhook.Delivery {
	return webhook.Delivery{
		ID: id, Site: s, Hook: hook, Event: seq, Message: fmt.Sprint("evt_", seq), Type: event.ProductUpdate, Resource: 1,
		At: instant(0), Epoch: 1, Due: due, Added: instant(0),
	}
}

func sampleAttempt(n int) webhook.Attempt {
	return webhook.Attempt{
		Number: n, At: instant(n), URL: "https://x", Status: 503, Duration: 1234567 * time.Nanosecond, Error: awkward, Excerpt: awkward,
	}
}

// accepted is what became of a delivery that got through at the first attempt.
func accepted(d webhook.Delivery) webhook.Settled {
	d.Status, d.Number, d.Failures, d.Reason = webhook.Succeeded, 1, 0, ""
	return webhook.Settled{Delivery: d, Attempt: &webhook.Attempt{
		Number: 1, At: d.At.Add(time.Duration(d.ID%1000) * time.Millisecond), URL: "https://x", Status: 200 + int(d.ID%3), Duration: time.Duration(d.ID) * 1234567,
		Excerpt: []string{"", "ok", awkward}[d.ID%3],
	}}
}

func sampleRejection(s site.ID, hook webhook.ID, resource int64) webhook.Rejection {
	return webhook.Rejection{
		Site: s, Hook: hook, Kind: "PRODUCT", Resource: resource, Type: string(event.ProductUpdate), Reason: awkward, At: instant(1),
	}
}

// old is long before every other moment of the examples, so that what is due or
// purged then is theirs alone.
func old(seconds int) time.Time {
	return time.Date(1985, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(seconds) * time.Second)
}

// hookIDs are the webhooks of leases, sorted.
func hookIDs(leases []webhook.Lease) []webhook.ID {
	var ids []webhook.ID
	for _, t := range leases {
		ids = append(ids, t.Hook)
	}
	slices.Sort(ids)
	return ids
}

func deliveryIDs(found []webhook.Delivery, err error) ([]webhook.DeliveryID, error) {
	var ids []webhook.DeliveryID
	for _, d := range found {
		ids = append(ids, d.ID)
	}
	return ids, err
}
