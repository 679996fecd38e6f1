package sqlstore_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// However many sites and kinds there are results of, what is redacted is asked once,
// and not at all when nothing is personal.
func TestWhatIsRedactedIsAskedOncePerRound(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		kinds := []event.Type{event.CustomerUpdate, event.LeadUpdate, event.ProductUpdate}
		var all []webhook.Settled
		update(t, s, func(tx port.Tx) error {
			for id := site.ID(1); id <= 3; id++ {
				for _, kind := range kinds {
					for resource := int64(1); resource <= 2; resource++ {
						all = append(all, said(id, webhook.DeliveryID(len(all)+1), kind, resource))
					}
				}
			}
			added := make([]webhook.Delivery, len(all))
			for i := range all {
				added[i], all[i].Status, all[i].Number = all[i].Delivery, webhook.Rejected, 1
			}
			if err := tx.Deliveries().Add(added); err != nil {
				return err
			}
			return tx.Deliveries().Redact(2, "LEAD", []int64{2})
		})
		seen := &witness{statements: map[int][]string{}}
		sqlstore.Observed(seen)(s)
		for _, c := range []struct {
			settled []webhook.Settled
			asked   int
		}{
			{all, 1},
			{slices.DeleteFunc(slices.Clone(all), func(s webhook.Settled) bool { return event.IsPersonal(s.Type.Resource()) }), 0},
		} {
			update(t, s, func(tx port.Tx) error { return tx.Deliveries().Settle(c.settled) })
			asked := 0
			for _, text := range seen.statements[seen.units] {
				if strings.HasPrefix(text, "SELECT ") && strings.Contains(text, "FROM hushed") {
					asked++
				}
			}
			if asked != c.asked {
				t.Errorf("of %d deliveries it is asked %d times, not %d", len(c.settled), asked, c.asked)
			}
		}
		update(t, s, func(tx port.Tx) error {
			for _, one := range all {
				attempts, err := tx.Deliveries().Attempts(one.Site, one.Hook, []webhook.DeliveryID{one.ID})
				if err != nil {
					return err
				}
				redacted := one.Site == 2 && one.Type == event.LeadUpdate && one.Resource == 2
				if kept := attempts[one.ID][0].Excerpt != ""; kept == redacted {
					t.Errorf("of %s %d of site %d what the receiver said is kept: %t", one.Type, one.Resource, one.Site, kept)
				}
			}
			return nil
		})
	})
}

func said(id site.ID, delivery webhook.DeliveryID, about event.Type, resource int64) webhook.Settled {
	at := time.UnixMicro(1).UTC()
	d := webhook.Delivery{
		ID: delivery, Site: id, Hook: 1, Event: int64(delivery), Message: "evt", Type: about, Resource: resource, At: at, Due: at, Added: at,
	}
	return webhook.Settled{Delivery: d, Attempt: &webhook.Attempt{Number: 1, At: at, Excerpt: "about somebody"}}
}

func TestWhatIsRedactedIsFoundByItsKey(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		plan := planOf(t, p, sqlstore.RedactedSearch(s), `[{"site_id":1,"kind":"LEAD","resource_id":2}]`)
		bounded := strings.Contains(plan, "site_id=? AND kind=? AND resource_id=?") ||
			strings.Contains(plan, "Index Cond: ((site_id = ") && strings.Contains(plan, "(resource_id = ")
		if !bounded {
			t.Errorf("the plan is %q", plan)
		}
	})
}
