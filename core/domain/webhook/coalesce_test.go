package webhook_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// waiting is a delivery that was never attempted.
func waiting(id webhook.DeliveryID, kind event.Type, resource int64, due time.Time) webhook.Delivery {
	return webhook.Delivery{ID: id, Event: int64(id), Type: kind, Resource: resource, Due: due}
}

func attemptedOnce(d webhook.Delivery) webhook.Delivery {
	d.Number, d.Failures = 1, 1
	return d
}

func idsOf(deliveries []webhook.Delivery) []webhook.DeliveryID {
	ids := []webhook.DeliveryID{}
	for _, d := range deliveries {
		ids = append(ids, d.ID)
	}
	return ids
}

func TestW34_UpdatesOfAResourceBecomeOneRequest(t *testing.T) {
	soon := noon.Add(5 * time.Second)
	update, create, remove := event.ProductUpdate, event.ProductCreate, event.ProductDelete
	for name, c := range map[string]struct {
		pending          []webhook.Delivery
		left, superseded []webhook.DeliveryID
	}{
		"nothing": {nil, []webhook.DeliveryID{}, []webhook.DeliveryID{}},
		"the last takes the place of all, once the first is due": {
			[]webhook.Delivery{waiting(1, update, 5, noon), waiting(2, update, 5, soon), waiting(3, update, 5, soon)},
			[]webhook.DeliveryID{3}, []webhook.DeliveryID{1, 2},
		},
		"while the first is not due they wait": {
			[]webhook.Delivery{waiting(1, update, 5, soon), waiting(2, update, 5, soon)},
			[]webhook.DeliveryID{1, 2}, []webhook.DeliveryID{},
		},
		"every resource for itself": {
			[]webhook.Delivery{
				waiting(1, update, 5, noon), waiting(2, update, 6, noon), waiting(3, update, 5, soon), waiting(4, event.CustomerUpdate, 6, noon),
			},
			[]webhook.DeliveryID{2, 3, 4}, []webhook.DeliveryID{1},
		},
		"what was attempted keeps its place and its count": {
			[]webhook.Delivery{attemptedOnce(waiting(1, update, 5, noon)), waiting(2, update, 5, noon), waiting(3, update, 5, soon)},
			[]webhook.DeliveryID{1, 3}, []webhook.DeliveryID{2},
		},
		"creations and deletions are never left out": {
			[]webhook.Delivery{
				waiting(1, create, 5, noon), waiting(2, update, 5, noon), waiting(3, remove, 5, noon), waiting(4, update, 5, noon), waiting(5, update, 5, noon),
			},
			[]webhook.DeliveryID{1, 2, 3, 5}, []webhook.DeliveryID{4},
		},
	} {
		t.Run(name, func(t *testing.T) {
			left, superseded := webhook.Coalesce(c.pending, noon)
			if d := cmp.Diff(c.left, idsOf(left)); d != "" {
				t.Errorf("left: %s", d)
			}
			if d := cmp.Diff(c.superseded, idsOf(superseded)); d != "" {
				t.Errorf("superseded: %s", d)
			}
			for _, d := range superseded {
				if d.Status != webhook.Superseded || d.Reason == "" {
					t.Errorf("delivery %d is %s for %q", d.ID, d.Status, d.Reason)
				}
			}
		})
	}
}

func TestW34_OnlyUpdatesWait(t *testing.T) {
	w := active()
	w.Coalesce = 10 * time.Second
	for _, kind := range append(event.Types(), event.HookTest) {
		want := time.Duration(0)
		if strings.HasSuffix(string(kind), "_UPDATE") {
			want = 10 * time.Second
		}
		if got := w.Wait(kind); got != want {
			t.Errorf("%s waits %s, not %s", kind, got, want)
		}
		if got := active().Wait(kind); got != 0 {
			t.Errorf("%s waits %s although nothing is gathered", kind, got)
		}
	}
}

func TestW32_AnAttemptedDeliveryIsNeverSuperseded(t *testing.T) {
	for number := range 5 {
		d := pending()
		d.Number = number
		if got := d.Supersede().Status == webhook.Superseded; got != (number == 0) {
			t.Errorf("after %d attempts a delivery is superseded: %t", number, got)
		}
	}
}

// Whatever is pending: order stays, nothing is lost but updates that a later one
// takes the place of, and who was due is due.
func TestCoalescingLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		var before []webhook.Delivery
		for i := range n {
			d := waiting(webhook.DeliveryID(i+1),
				rapid.SampledFrom([]event.Type{event.ProductUpdate, event.ProductUpdate, event.ProductUpdate, event.CustomerUpdate, event.ProductDelete}).Draw(t, "type"),
				int64(rapid.IntRange(1, 2).Draw(t, "resource")), noon.Add(time.Duration(rapid.IntRange(-2, 2).Draw(t, "due"))*time.Second))
			d.Number = rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "number")
			before = append(before, d)
		}
		given := slices.Clone(before)
		left, superseded := webhook.Coalesce(before, noon)
		if !cmp.Equal(given, before) {
			t.Fatal("the deliveries that were given are changed")
		}
		if len(left)+len(superseded) != n || !slices.IsSortedFunc(left, func(a, b webhook.Delivery) int { return int(a.ID - b.ID) }) {
			t.Fatalf("of %v are left %v and superseded %v", idsOf(before), idsOf(left), idsOf(superseded))
		}
		for _, d := range superseded {
			heir := slices.IndexFunc(left, func(l webhook.Delivery) bool { return sameResource(l, d) && l.ID > d.ID })
			if heir < 0 || left[heir].Number != 0 || !left[heir].Type.IsUpdate() || left[heir].Due.After(noon) {
				t.Fatalf("nothing due takes the place of delivery %d", d.ID)
			}
			if d.Number != 0 || !d.Type.IsUpdate() {
				t.Fatalf("delivery %d, a %s attempted %d times, is superseded", d.ID, d.Type, d.Number)
			}
		}
		for _, d := range left {
			was := before[d.ID-1]
			if d.Due.After(noon) && !was.Due.After(noon) {
				t.Fatalf("delivery %d is not due any more", d.ID)
			}
			was.Due, d.Due = time.Time{}, time.Time{}
			if !cmp.Equal(was, d) {
				t.Fatalf("delivery %d is changed: %s", d.ID, cmp.Diff(was, d))
			}
		}
		if again, more := webhook.Coalesce(left, noon); len(more) > 0 || !cmp.Equal(again, left) {
			t.Fatalf("a second look supersedes %v as well", idsOf(more))
		}
	})
}
