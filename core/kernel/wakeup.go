package kernel

import (
	"maps"
	"slices"
	"sync"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// Wakeup wakes its reader. Several calls before it is read wake once.
type Wakeup chan struct{}

// Wake makes the channel readable.
func (w Wakeup) Wake() {
	select {
	case w <- struct{}{}:
	default:
	}
}

// DeliveryWakeup wakes the dispatcher of this process, if there is one, when deliveries may be
// due.
type DeliveryWakeup struct {
	Wakeup

	mu        sync.Mutex
	announced map[webhook.Key]bool
	all       bool
}

func newDeliveryWakeup() *DeliveryWakeup {
	return &DeliveryWakeup{Wakeup: make(Wakeup, 1), announced: map[webhook.Key]bool{}}
}

// Announce wakes the dispatcher for webhooks with something to deliver.
func (w *DeliveryWakeup) Announce(hooks map[webhook.Key]bool) {
	w.mu.Lock()
	maps.Copy(w.announced, hooks)
	w.mu.Unlock()
	w.Wake()
}

// AnnounceAny wakes the dispatcher when the webhook is not known.
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
