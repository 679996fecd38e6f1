package kernel

import (
	"maps"
	"slices"
	"sync"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// Wakeup wakes whoever reads from it. Several calls before it is read wake once.
type Wakeup chan struct{}

// Wake makes the channel readable.
func (w Wakeup) Wake() {
	select {
	case w <- struct{}{}:
	default:
	}
}

// DeliveryWakeup tells the dispatcher of this process, if there is one, that
// deliveries may be due.
type DeliveryWakeup struct {
	Wakeup

	mu        sync.Mutex
	announced map[webhook.Key]bool
	all       bool
}

func newDeliveryWakeup() *DeliveryWakeup {
	return &DeliveryWakeup{Wakeup: make(Wakeup, 1), announced: map[webhook.Key]bool{}}
}

// Announce says which webhooks have something to deliver.
func (w *DeliveryWakeup) Announce(hooks map[webhook.Key]bool) {
	w.mu.Lock()
	maps.Copy(w.announced, hooks)
	w.mu.Unlock()
	w.Wake()
}

// AnnounceAny says that something may be due, without knowing for which webhook.
func (w *DeliveryWakeup) AnnounceAny() {
	w.mu.Lock()
	w.all = true
	w.mu.Unlock()
	w.Wake()
}

// Take returns what was announced since the last call.
func (w *DeliveryWakeup) Take() (announced []webhook.Key, all bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	announced, all = slices.Collect(maps.Keys(w.announced)), w.all
	clear(w.announced)
	w.all = false
	return announced, all
}
