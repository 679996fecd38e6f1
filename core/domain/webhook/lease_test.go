package webhook_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

func TestW31_DeliveriesOfAResourceGoOneByOne(t *testing.T) {
	now := noon
	soon := now.Add(time.Second)
	at := func(id webhook.DeliveryID, kind event.Type, resource int64, due time.Time) webhook.Delivery {
		return webhook.Delivery{ID: id, Type: kind, Resource: resource, Due: due}
	}
	for name, c := range map[string]struct {
		pending []webhook.Delivery
		want    [][]webhook.DeliveryID
	}{
		"nothing": {nil, nil},
		"one lane for each resource, the one that came first in front": {
			[]webhook.Delivery{
				at(1, event.ProductCreate, 5, now), at(2, event.ProductUpdate, 6, now), at(3, event.ProductUpdate, 5, now),
			},
			[][]webhook.DeliveryID{{1, 3}, {2}},
		},
		"a product and a customer of the same id are two resources": {
			[]webhook.Delivery{at(1, event.ProductUpdate, 5, now), at(2, event.CustomerUpdate, 5, now)},
			[][]webhook.DeliveryID{{1}, {2}},
		},
		"what has to wait holds back what came later": {
			[]webhook.Delivery{
				at(1, event.ProductUpdate, 5, soon), at(2, event.ProductDelete, 5, now), at(3, event.ProductUpdate, 6, now),
			},
			[][]webhook.DeliveryID{{3}},
		},
		"a lane ends before what has to wait": {
			[]webhook.Delivery{
				at(1, event.ProductCreate, 5, now), at(2, event.ProductUpdate, 5, soon), at(3, event.ProductDelete, 5, now),
			},
			[][]webhook.DeliveryID{{1}},
		},
		"due at this very moment": {[]webhook.Delivery{at(1, event.ProductCreate, 5, now)}, [][]webhook.DeliveryID{{1}}},
	} {
		t.Run(name, func(t *testing.T) {
			var got [][]webhook.DeliveryID
			for _, lane := range webhook.Lanes(c.pending, now) {
				var ids []webhook.DeliveryID
				for _, d := range lane {
					ids = append(ids, d.ID)
				}
				got = append(got, ids)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
