package sender

import (
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

const (
	// tripAfter is how many failures in a row open the breaker of a webhook. It
	// is more than one delivery can have before its webhook is suspended, so that
	// a delivery that fails alone never meets an open breaker; and more than a
	// webhook has under way at once.
	tripAfter = 6
	// maxHooks bounds the webhooks whose failures are remembered.
	maxHooks = 10_000
)

// hookBreakers protect receivers that are going down from many resources being
// sent at once: one breaker for each webhook, and a new one when the webhook is
// updated.
type hookBreakers struct {
	open time.Duration // negative: no breakers

	mu    sync.Mutex
	known map[hookKey]*hookBreaker
}

type hookKey struct {
	site site.ID
	hook webhook.ID
}

type hookBreaker struct {
	epoch int64
	*circuit
}

func newHookBreakers(open time.Duration) *hookBreakers {
	return &hookBreakers{open: open, known: map[hookKey]*hookBreaker{}}
}

// allow returns what to call with the end of the attempt; or nil, and how long
// to wait.
func (b *hookBreakers) allow(r webhook.Request) (func(subject), time.Duration) {
	breaker := b.of(r)
	if breaker == nil {
		return func(subject) {}, 0
	}
	done, err := breaker.Allow()
	if err != nil {
		return nil, breaker.wait()
	}
	return func(about subject) {
		switch about {
		case alive:
			done(nil)
		case receiver, network:
			done(errFailed)
		case nobody, ourselves:
			done(errIgnored)
		}
	}, 0
}

// of finds the breaker of a webhook as it is configured now; nil for a request
// that was made before the last update.
func (b *hookBreakers) of(r webhook.Request) *hookBreaker {
	if b.open < 0 {
		return nil
	}
	key := hookKey{r.Site, r.Hook}
	b.mu.Lock()
	defer b.mu.Unlock()
	known := b.known[key]
	switch {
	case known != nil && known.epoch == r.Epoch:
		return known
	case known != nil && known.epoch > r.Epoch:
		return nil
	}
	b.makeRoom()
	fresh := &hookBreaker{epoch: r.Epoch, circuit: newCircuit(b.open, func(c gobreaker.Counts) bool {
		return c.ConsecutiveFailures >= tripAfter
	}, func() {})}
	b.known[key] = fresh
	return fresh
}

// makeRoom forgets the webhooks that have nothing to remember, and if that is
// not enough, some of the others: they lose nothing but a little protection.
func (b *hookBreakers) makeRoom() {
	if len(b.known) < maxHooks {
		return
	}
	for key, breaker := range b.known {
		if !breaker.isOpen() && breaker.Counts().ConsecutiveFailures == 0 {
			delete(b.known, key)
		}
	}
	for key := range b.known {
		if len(b.known) < maxHooks*9/10 {
			return
		}
		delete(b.known, key)
	}
}

// opened counts the breakers that hold requests back.
func (b *hookBreakers) opened() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	count := 0
	for _, breaker := range b.known {
		if breaker.State() == gobreaker.StateOpen {
			count++
		}
	}
	return float64(count)
}
