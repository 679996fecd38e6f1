package plan

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// sitesKept is of how many sites something is known at most.
const sitesKept = 10_000

// patience is Planner.Patience: long enough for some dozens of transactions.
const patience = 250 * time.Millisecond

// Store is what plans need of the store that they are a part of. It reads outside any
// transaction; false means that nothing was found, or that reading failed.
type Store interface {
	// Head returns the head of a site.
	Head(context.Context, site.ID) (Head, bool)
	// Counter returns the last reference that was drawn for an agency.
	Counter(context.Context, site.ID, site.AgencyID) (int64, bool)
	Webhooks(context.Context, site.ID) ([]webhook.Webhook, bool)
	Credential(context.Context, access.CredentialID) (access.Credential, bool)
	// Wait returns a context that ends when its request cannot wait any longer. over ends
	// the wait, which is counted as one of the request.
	Wait(context.Context) (_ context.Context, over func())
	// Send sends a statement once, and returns the sites for which it stored something. It
	// fails with ErrNeedsTx if the database refused the statement, which then stored nothing.
	Send(context.Context, Statement) (map[site.ID]bool, error)
	// Unconfirmed returns the error of a plan of which nobody knows whether it is stored, and
	// Unsent that of one that is not sent because the database did not answer before.
	Unconfirmed(cause error) error
	Unsent(context.Context) error
}

// Head is what plans assume of the head of a site.
type Head struct {
	// Seq is the sequence of the last event in the ledger, and Last its moment. Access
	// counts the changes of what credentials may do at the site.
	Seq, Access int64
	Last        time.Time
	// Open says that the site takes changes.
	Open bool
}

// Planner makes and commits the plans of a process.
type Planner struct {
	store Store
	// Patience is how long a plan waits for units with a transaction that write to its
	// site. Its unit then gets a transaction, which waits for the same.
	Patience time.Duration
	queue    queue

	mu    sync.Mutex
	sites map[site.ID]*known
	// reached are the sites of credentials as they were read last.
	reached map[access.CredentialID][]site.ID
}

// New makes a Planner.
func New(store Store) *Planner { return &Planner{store: store, Patience: patience} }

// Plan returns an empty plan.
func (pl *Planner) Plan() *Plan { return &Plan{planner: pl} }

// Learn keeps a head that was read, if it is about a site that this process writes to.
func (pl *Planner) Learn(id site.ID, h Head) {
	if k := pl.known(id); k != nil {
		k.learn(h)
	}
}

// known returns what is known of a site, and nil where this process has not written to it.
func (pl *Planner) known(id site.ID) *known {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	return pl.sites[id]
}

// TxBegins notes that a unit with a transaction writes to a site: nothing is known of the site
// until ended is called.
func (pl *Planner) TxBegins(id site.ID) (ended func()) {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	k := pl.sites[id]
	if k == nil {
		if len(pl.sites) >= sitesKept || pl.sites == nil {
			pl.sites = map[site.ID]*known{}
		}
		k = &known{
			planner: pl, id: id, turn: make(chan struct{}, 1), counters: map[site.AgencyID]int64{},
			webhooks: map[site.ID]webhooks{}, credentials: map[access.CredentialID]access.Credential{},
		}
		k.fewer.L = &k.mu
		pl.sites[id] = k
	}
	k.txBegins()
	return k.txEnds
}

// share returns a credential whose list of sites is that of the same credential elsewhere,
// if it is equal: it may be thousands of sites, at each of which the credential is known.
func (pl *Planner) share(c access.Credential) access.Credential {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	if reached, found := pl.reached[c.ID]; found && slices.Equal(reached, c.Sites) {
		c.Sites = reached
		return c
	}
	if len(pl.reached) >= sitesKept || pl.reached == nil {
		pl.reached = map[access.CredentialID][]site.ID{}
	}
	pl.reached[c.ID] = c.Sites
	return c
}

// Queued returns how many plans wait for the statement that is under way.
func (pl *Planner) Queued() int {
	pl.queue.mu.Lock()
	defer pl.queue.mu.Unlock()
	return len(pl.queue.next)
}

// Waits reports whether a plan waits for units with a transaction that write to a site.
func (pl *Planner) Waits(id site.ID) bool {
	k := pl.known(id)
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.waiting > 0
}
