package plan

import (
	"context"
	"sync"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// known is what this process knows of a site. It need not be true: a plan that assumes it is
// stored only if it is.
type known struct {
	planner *Planner
	id      site.ID
	// turn has room for the plan that is being made.
	turn chan struct{}

	mu sync.Mutex
	// epoch counts how often something turned out to be wrong, or may be. A plan of an
	// earlier epoch is not sent.
	epoch int
	// txs are the units with a transaction that write to the site, and plans those plans
	// that are queued or under way.
	txs, plans int
	// ended counts the units with a transaction that have ended. fewer is signalled when txs
	// or plans become fewer, for which some plans are waiting.
	ended   int
	fewer   sync.Cond
	waiting int
	// headKnown says that head is the one in the database, once all plans are stored.
	headKnown bool
	head      Head
	counters  map[site.AgencyID]int64
	// webhooks has those of this site, if they are known.
	webhooks    map[site.ID]webhooks
	credentials map[access.CredentialID]access.Credential
}

type webhooks struct {
	all         []webhook.Webhook
	fingerprint string
}

func (k *known) txBegins() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.txs++
	k.forget()
}

func (k *known) txEnds() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.txs--
	k.ended++
	k.forget()
	k.fewer.Broadcast()
}

// forget forgets everything. The mutex is locked.
func (k *known) forget() {
	k.epoch++
	k.headKnown = false
	clear(k.counters)
	clear(k.webhooks)
	clear(k.credentials)
}

// learn keeps a head that was read, unless it may be older than what is known.
func (k *known) learn(h Head) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.txs > 0 || k.plans > 0 || k.headKnown && (h.Seq < k.head.Seq || h.Access < k.head.Access) {
		return
	}
	if h.Access != k.head.Access {
		clear(k.credentials)
	}
	if h.Seq != k.head.Seq {
		clear(k.counters) // another process has written to the site, and may have drawn references
	}
	if !k.headKnown || h.Seq != k.head.Seq || h.Access != k.head.Access {
		k.epoch++ // a plan that is being made may assume the head before
	}
	k.headKnown, k.head = true, h
}

// wait waits until a plan can be made of the site, and returns whether the head has to be
// read before. Without waiting, a unit would begin a transaction where another one has one,
// and as long as units keep coming none would be without. It gives up after
// Planner.Patience, and when the units with a transaction that were there have ended and
// others have come.
func (k *known) wait(ctx context.Context) (needsHead, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.isReady() {
		return !k.headKnown, true
	}
	ctx, over := k.planner.store.Wait(ctx)
	defer over()
	ctx, stop := context.WithTimeout(ctx, k.planner.Patience)
	defer stop()
	defer context.AfterFunc(ctx, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.fewer.Broadcast()
	})()
	k.waiting++
	defer func() { k.waiting-- }()
	for before := k.ended + k.txs; !k.isReady(); k.fewer.Wait() {
		if ctx.Err() != nil || k.txs > 0 && k.ended >= before {
			return false, false
		}
	}
	return !k.headKnown, true
}

// isReady reports whether a plan can be made, if need be once the head was read. The mutex
// is locked.
func (k *known) isReady() bool { return k.txs == 0 && (k.headKnown || k.plans == 0) }

// begin has a plan assume the head, when it is its turn, and reports whether it could.
func (k *known) begin(ctx context.Context, p *Plan) bool {
	ctx, over := k.planner.store.Wait(ctx)
	defer over()
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.headKnown || k.txs > 0 {
		k.release()
		return false
	}
	p.epoch, p.head, p.last = k.epoch, k.head, k.head.Last
	return true
}

// release ends the turn of a plan.
func (k *known) release() { <-k.turn }

// enqueue ends the turn of a plan that is about to be stored: the next one assumes that it is.
func (k *known) enqueue(p *Plan) {
	defer k.release()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.plans++
	if k.epoch != p.epoch {
		return
	}
	k.head.Seq, k.head.Last = p.head.Seq+int64(p.events), p.last
	for agency, d := range p.draws {
		k.counters[agency] = d.To
	}
}

// isCurrent reports whether a plan is of this epoch.
func (k *known) isCurrent(p *Plan) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.epoch == p.epoch
}

// committed notes how the commit of a plan ended.
func (k *known) committed(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.plans--
	if err != nil {
		k.forget()
	}
	k.fewer.Broadcast()
}

// counter returns where the references of an agency stand.
func (k *known) counter(ctx context.Context, agency site.AgencyID) (int64, bool) {
	return lookUp(k, k.counters, agency, func(s Store) (int64, bool) { return s.Counter(ctx, k.id, agency) })
}

func (k *known) webhooksOf(ctx context.Context) (webhooks, bool) {
	return lookUp(k, k.webhooks, k.id, func(s Store) (webhooks, bool) {
		all, found := s.Webhooks(ctx, k.id)
		return webhooks{all, fingerprint(all)}, found
	})
}

func (k *known) credential(ctx context.Context, id access.CredentialID) (access.Credential, bool) {
	return lookUp(k, k.credentials, id, func(s Store) (access.Credential, bool) {
		c, found := s.Credential(ctx, id)
		if found {
			c = k.planner.share(c)
		}
		return c, found
	})
}

// lookUp returns what is known under a key. What is not is read, and known from then on,
// unless the epoch has ended meanwhile. The mutex is not locked while reading: a unit with a
// connection would wait for one that waits for a connection.
func lookUp[K comparable, V any](k *known, facts map[K]V, key K, read func(Store) (V, bool)) (V, bool) {
	k.mu.Lock()
	v, found := facts[key]
	epoch := k.epoch
	k.mu.Unlock()
	if found {
		return v, true
	}
	if v, found = read(k.planner.store); !found {
		return v, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.epoch != epoch {
		return v, false
	}
	facts[key] = v
	return v, true
}
