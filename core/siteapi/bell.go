package siteapi

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// bell tells the dispatcher of this process, if there is one, that something is
// due.
type bell struct {
	rung chan struct{}

	mu   sync.Mutex
	told map[webhook.Key]bool
	all  bool
}

func newBell() *bell { return &bell{rung: make(chan struct{}, 1), told: map[webhook.Key]bool{}} }

// ring says that something may be due. Those who say what rather tell.
func (b *bell) ring() {
	b.mu.Lock()
	b.all = true
	b.mu.Unlock()
	ring(b.rung)
}

// tell says which webhooks have something to deliver.
func (b *bell) tell(whom map[webhook.Key]bool) {
	b.mu.Lock()
	maps.Copy(b.told, whom)
	b.mu.Unlock()
	ring(b.rung)
}

// hear takes in what was said since it was asked last.
func (b *bell) hear() (told []webhook.Key, all bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	told, all = slices.Collect(maps.Keys(b.told)), b.all
	clear(b.told)
	b.all = false
	return told, all
}

// ring wakes whoever waits for a bell; ringing again before that changes
// nothing.
func ring(bell chan<- struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// watchedDeliveries notice for whom there is something to deliver.
type watchedDeliveries struct {
	port.Deliveries
	unit *watchedTx
}

// Add implements port.Deliveries.
func (w watchedDeliveries) Add(added []webhook.Delivery) error {
	for _, d := range added {
		w.unit.outbox[webhook.Key{Site: d.Site, Hook: d.Hook}] = true
	}
	return w.Deliveries.Add(added)
}

// Hasten implements port.Deliveries.
func (w watchedDeliveries) Hasten(id site.ID, hook webhook.ID, due time.Time) error {
	w.unit.outbox[webhook.Key{Site: id, Hook: hook}] = true
	return w.Deliveries.Hasten(id, hook, due)
}
