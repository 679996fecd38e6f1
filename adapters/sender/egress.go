package sender

import (
	"context"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

const (
	// Our own network is to blame when, of the latest attempts within the window,
	// this share reached nobody, and they were for that many hosts and sites. One
	// dead receiver, or all those of one customer, are never enough. Only so many
	// attempts count, or those that went well before the network died would
	// outweigh the others for a long time.
	egressWindow = 30 * time.Second
	egressShare  = 0.8
	egressHosts  = 5
	egressSites  = 2
	maxEvidence  = 20
	// maxDoubt is how long an attempt that reached nobody waits for evidence.
	maxDoubt = 2 * time.Second
)

// evidence is what one attempt says about our network.
type evidence struct {
	at     time.Time
	host   string
	site   site.ID
	failed bool
}

// egress is the one breaker for the way out: when it is our own network that is
// down, receivers are not charged for it.
type egress struct {
	*circuit // nil: no breaker

	mu   sync.Mutex
	seen []evidence // oldest first
}

func newEgress(open time.Duration) *egress {
	e := &egress{}
	if open > 0 {
		e.circuit = newCircuit(open, func(gobreaker.Counts) bool { return e.isOurs(time.Now()) }, e.forget)
	}
	return e
}

// allow returns what to call with the end of the attempt; or nil, and how long
// to wait.
func (e *egress) allow() (func(subject, evidence), time.Duration) {
	if e.circuit == nil {
		return func(subject, evidence) {}, 0
	}
	done, err := e.Allow()
	if err != nil {
		return nil, e.wait()
	}
	return func(about subject, seen evidence) {
		seen.at, seen.failed = time.Now(), about == network
		switch about {
		case nobody, ourselves:
			done(errIgnored)
		case network:
			e.remember(seen)
			done(errFailed)
		case alive, receiver:
			e.remember(seen)
			done(nil)
		}
	}, 0
}

// isToBlame reports whether our network turns out to be down soon after an
// attempt that reached nobody. The first to fail when it goes down cannot know;
// they wait a moment for others to fail as well, so that they are not charged
// either.
func (e *egress) isToBlame(ctx context.Context) bool {
	if e.circuit == nil {
		return false
	}
	doubt := time.NewTimer(min(maxDoubt, e.open/4))
	defer doubt.Stop()
	opens := e.opens()
	if e.isOpen() {
		return true
	}
	select {
	case <-opens:
		return true
	case <-doubt.C:
	case <-ctx.Done():
	}
	return e.isOpen()
}

// isOpen reports whether our network is taken to be down.
func (e *egress) isOpen() bool { return e.circuit != nil && e.circuit.isOpen() }

func (e *egress) remember(one evidence) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.seen) == maxEvidence {
		e.seen = append(e.seen[:0], e.seen[1:]...)
	}
	e.seen = append(e.seen, one)
}

// forget begins anew once somebody was reached.
func (e *egress) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = nil
}

// isOurs weighs the evidence.
func (e *egress) isOurs(now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	all, failed := 0, 0
	hosts, sites := map[string]bool{}, map[site.ID]bool{}
	for _, one := range e.seen {
		if now.Sub(one.at) > egressWindow {
			continue
		}
		all++
		if one.failed {
			failed++
			hosts[one.host], sites[one.site] = true, true
		}
	}
	return len(hosts) >= egressHosts && len(sites) >= egressSites && float64(failed) >= egressShare*float64(all)
}
