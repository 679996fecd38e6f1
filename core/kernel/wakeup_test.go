package kernel_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// woken reports whether there was a wakeup.
func woken(w kernel.Wakeup) bool {
	select {
	case <-w:
		return true
	default:
		return false
	}
}

func TestManyWakeupsWakeOnce(t *testing.T) {
	w := make(kernel.Wakeup, 1)
	if woken(w) {
		t.Error("it is awake from the beginning")
	}
	for range 3 {
		w.Wake()
	}
	if !woken(w) || woken(w) {
		t.Error("three wakeups do not wake once")
	}
}

func TestAnnouncementsAreTakenOnce(t *testing.T) {
	k := newKernel(t)
	one, two := webhook.Key{Site: 1, Hook: 1}, webhook.Key{Site: 1, Hook: 2}
	k.Deliveries.Announce(map[webhook.Key]bool{one: true})
	k.Deliveries.Announce(map[webhook.Key]bool{one: true, two: true})
	announced, all := k.Deliveries.Take()
	slices.SortFunc(announced, func(a, b webhook.Key) int { return int(a.Hook - b.Hook) })
	if !slices.Equal(announced, []webhook.Key{one, two}) || all || !woken(k.Deliveries.Wakeup) {
		t.Errorf("announced are %v, %t", announced, all)
	}
	k.Deliveries.AnnounceAny()
	if announced, all := k.Deliveries.Take(); len(announced) > 0 || !all || !woken(k.Deliveries.Wakeup) {
		t.Errorf("announced are %v, %t", announced, all)
	}
	if announced, all := k.Deliveries.Take(); len(announced) > 0 || all || woken(k.Deliveries.Wakeup) {
		t.Errorf("announced are still %v, %t", announced, all)
	}
}

// The engines of the process are woken by what a unit of work leaves for them, and
// only once it is committed.
func TestACommitWakesTheEngines(t *testing.T) {
	k := newKernel(t)
	hook := k.world.Subscribe(k.world.As("full", 1), apitest.HookFor("PRODUCT_CREATE"))
	tell := func(what event.Type) func(kernel.Unit) error {
		return func(u kernel.Unit) error {
			_, err := u.Record(event.Event{Type: what, Resource: 1, Agency: 11})
			return err
		}
	}
	located := product.Place{Position: criteria.Position{Latitude: 45, Longitude: 5}, Source: product.FromAddress, Score: 1}
	id := product.ID(0)
	add := func(values criteria.Values, change func(product.Product) product.Product) func(kernel.Unit) error {
		return func(u kernel.Unit) error {
			id++
			made := change(product.Product{ID: id, Site: 1, Agency: 11, Reference: string(rune('a' + id)), Criteria: values, Added: u.Now})
			return u.Products().Add(made)
		}
	}
	as := func(p product.Product) product.Product { return p }
	town := criteria.Values{"Ville": criteria.Text("Lyon"), "CodePostal": criteria.Text("69003")}
	for name, c := range map[string]struct {
		unit                  func(kernel.Unit) error
		deliveries, addresses bool
	}{
		"nothing":                    {func(kernel.Unit) error { return nil }, false, false},
		"an event that is wanted":    {tell(event.ProductCreate), true, false},
		"an event nobody wants":      {tell(event.ProductUpdate), false, false},
		"deliveries that are sooner": {func(u kernel.Unit) error { return u.Deliveries().Hasten(1, webhook.ID(hook), u.Now) }, true, false},
		"a product with an address":  {add(town, as), false, true},
		"a product without":          {add(nil, as), false, false},
		"a product that is located": {add(town, func(p product.Product) product.Product {
			at, _ := p.Unlocated()
			p.Locate(at, located)
			return p
		}), false, false},
		"a deleted one": {add(town, func(p product.Product) product.Product {
			p.Deleted = k.Moment()
			return p
		}), false, false},
	} {
		if err := k.write(c.unit); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		announced, all := k.Deliveries.Take()
		if woken(k.Deliveries.Wakeup) != c.deliveries || (len(announced) == 1) != c.deliveries || all {
			t.Errorf("%s announces %v, %t", name, announced, all)
		}
		if woken(k.Addresses) != c.addresses {
			t.Errorf("%s wakes the locator, or should", name)
		}
		undone := errors.New("undone")
		if err := k.write(func(u kernel.Unit) error { return errors.Join(c.unit(u), undone) }); !errors.Is(err, undone) {
			t.Fatal(err)
		}
		if woken(k.Deliveries.Wakeup) || woken(k.Addresses) {
			t.Errorf("%s wakes an engine though nothing came of it", name)
		}
	}
	k.world.View(func(tx port.Tx) error {
		due, err := tx.Deliveries().Due(k.Moment(), 10)
		if due != 1 {
			t.Errorf("%d deliveries are due", due)
		}
		return err
	})
}
