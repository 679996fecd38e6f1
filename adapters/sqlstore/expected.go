package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// expectationsKept bounds the sites of which something is expected.
const expectationsKept = 10_000

// settlePatience is how long a unit waits for others at its site before it begins a transaction, which
// would wait for the same at first: long enough for some dozens of transactions.
const settlePatience = 250 * time.Millisecond

// expectations are what this process expects of the sites it writes to. Nothing depends on
// them being right: what is told by them is stored only if it is so.
type expectations struct {
	mu    sync.Mutex
	sites map[site.ID]*expected
	// reached are the sites of credentials as they were read last.
	reached map[access.CredentialID][]site.ID
}

// share has all sites remember one list of the sites that a credential reaches: it may
// reach thousands, and write to each of them.
func (x *expectations) share(c access.Credential) access.Credential {
	x.mu.Lock()
	defer x.mu.Unlock()
	if known, found := x.reached[c.ID]; found && slices.Equal(known, c.Sites) {
		c.Sites = known
		return c
	}
	if len(x.reached) >= expectationsKept || x.reached == nil {
		x.reached = map[access.CredentialID][]site.ID{}
	}
	x.reached[c.ID] = c.Sites
	return c
}

// of is what is expected of a site that was written to.
func (x *expectations) of(id site.ID) (*expected, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	e, known := x.sites[id]
	return e, known
}

// learn takes over a head that was read.
func (x *expectations) learn(id site.ID, p placed) {
	if e, known := x.of(id); known {
		e.learn(p)
	}
}

// begun notes that a unit with a transaction writes to the site: until it is over, nothing
// is expected of it.
func (x *expectations) begun(id site.ID) *expected {
	x.mu.Lock()
	defer x.mu.Unlock()
	e, known := x.sites[id]
	if !known {
		if len(x.sites) >= expectationsKept || x.sites == nil {
			x.sites = map[site.ID]*expected{}
		}
		e = &expected{id: id, turn: make(chan struct{}, 1)}
		x.sites[id] = e
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.others++
	e.forget()
	return e
}

// ended notes that such a unit is over.
func (e *expected) ended() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.others--
	e.over++
	e.forget()
	e.changed()
}

// expected is what the next unit that writes to a site can be told.
type expected struct {
	id site.ID
	// turn has room for the unit that is being told.
	turn chan struct{}

	mu sync.Mutex
	// epoch grows when expectations turn out to be wrong. What was told before is void.
	epoch int
	// others are the units with a transaction that write to the site, and collected those
	// without that are not stored yet.
	others, collected int
	// over counts the units with a transaction that have ended. fewer is closed when others or
	// collected become fewer, if anybody waits for that.
	over  int
	fewer chan struct{}
	// known says that seq, access and last are those of a head, and of what was stored since.
	known       bool
	seq, access int64
	last        time.Time
	counters    map[site.AgencyID]int64
	hooks       []webhook.Webhook
	fingerprint *string
	credentials map[access.CredentialID]access.Credential
}

// forget is called when what is expected may not be so. The mutex is held.
func (e *expected) forget() {
	e.epoch++
	e.known, e.counters, e.hooks, e.fingerprint, e.credentials = false, nil, nil, nil, nil
}

// learn takes over a head that was read. One that was read before units were told of later
// numbers is of no use.
func (e *expected) learn(p placed) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.others > 0 || e.collected > 0 || e.known && (p.Seq < e.seq || p.Access < e.access) {
		return
	}
	if p.Access != e.access {
		e.credentials = nil
	}
	if p.Seq != e.seq {
		e.counters = nil // whoever wrote it may have drawn references
	}
	if !e.known || p.Seq != e.seq || p.Access != e.access {
		e.epoch++ // a unit may have been told what was there before
	}
	e.known, e.seq, e.access, e.last = true, p.Seq, p.Access, p.last
}

// needsHead reports whether the head has to be read before a unit is told of the site.
func (e *expected) needsHead() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.known && e.others == 0 && e.collected == 0
}

// begin gives a unit its turn to be told of the site.
func (e *expected) begin(ctx context.Context, c *collected) bool {
	defer noting(ctx, 0)()
	ctx, answered := bounded(ctx)
	defer answered()
	select {
	case e.turn <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.known || e.others > 0 {
		<-e.turn
		return false
	}
	c.epoch, c.seq, c.last = e.epoch, e.seq, e.last
	return true
}

// end ends the turn. What is about to be stored is what the next unit may count on.
func (e *expected) end(c *collected, stored bool) {
	defer func() { <-e.turn }()
	e.mu.Lock()
	defer e.mu.Unlock()
	if !stored {
		return
	}
	e.collected++
	if e.epoch != c.epoch {
		return
	}
	e.seq, e.last = c.seq+int64(len(c.events)), c.last
	for agency, moved := range c.counters {
		e.counters[agency] = moved.to
	}
}

// current reports whether what the unit was told still stands.
func (e *expected) current(c *collected) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.epoch == c.epoch
}

// stored notes what became of what a unit collected.
func (e *expected) stored(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.collected--
	if err != nil {
		e.forget()
	}
	e.changed()
}

// settle waits until a unit can be told of the site, as it can unless one with a transaction
// writes to it, or what was expected turned out to be wrong while more is about to be stored.
// Whoever did not wait would begin a transaction, which waits for the same, and as long as
// units keep coming no other would ever be told of the site. It gives up after patience, and
// when those that a transaction would have waited for are over and others have come.
func (e *expected) settle(ctx context.Context, patience time.Duration) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.isSettled() {
		return true
	}
	defer noting(ctx, 0)()
	ctx, answered := bounded(ctx)
	defer answered()
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for before := e.over + e.others; !e.isSettled(); {
		if e.others > 0 && e.over >= before || !e.changes(ctx) {
			return false
		}
	}
	return true
}

// isSettled reports whether a unit can be told of the site, if need be once its head was
// read. The mutex is held.
func (e *expected) isSettled() bool { return e.others == 0 && (e.known || e.collected == 0) }

// changes waits until fewer units write to the site. The mutex is held, but for the while.
func (e *expected) changes(ctx context.Context) bool {
	if e.fewer == nil {
		e.fewer = make(chan struct{})
	}
	fewer := e.fewer
	e.mu.Unlock()
	defer e.mu.Lock()
	select {
	case <-fewer:
		return true
	case <-ctx.Done():
		return false
	}
}

// changed tells those that wait that fewer units write to the site. The mutex is held.
func (e *expected) changed() {
	if e.fewer != nil {
		close(e.fewer)
		e.fewer = nil
	}
}

// counter is where the references of an agency stand.
func (e *expected) counter(t *tx, agency site.AgencyID) (int64, bool) {
	e.mu.Lock()
	n, known := e.counters[agency]
	epoch := e.epoch
	e.mu.Unlock()
	if known {
		return n, true
	}
	found, err := list(t.apart(), numberColumn, t.store.hot.referenceLast, int64(e.id), int64(agency))
	if err != nil || len(found) == 0 {
		return 0, false
	}
	return found[0], e.note(epoch, func() {
		if e.counters == nil {
			e.counters = map[site.AgencyID]int64{}
		}
		e.counters[agency] = found[0]
	})
}

// webhooks are those of the site, and the fingerprint that tells whether they still are.
func (e *expected) webhooks(t *tx) ([]webhook.Webhook, string, bool) {
	e.mu.Lock()
	hooks, fingerprint, epoch := e.hooks, e.fingerprint, e.epoch
	e.mu.Unlock()
	if fingerprint == nil {
		found, err := list(t.apart(), t.store.webhooks(), t.store.hot.hooks.of, int64(e.id))
		if err != nil {
			return nil, "", false
		}
		computed := fingerprintOf(found)
		hooks, fingerprint = found, &computed
		if !e.note(epoch, func() { e.hooks, e.fingerprint = hooks, fingerprint }) {
			return nil, "", false
		}
	}
	return slices.Clone(hooks), *fingerprint, true
}

// credential is a client, and the accesses of the site that it is as of.
func (e *expected) credential(t *tx, id access.CredentialID) (access.Credential, int64, bool) {
	e.mu.Lock()
	found, known := e.credentials[id]
	epoch, at := e.epoch, e.access
	e.mu.Unlock()
	if known {
		return found, at, true
	}
	read, err := list(t.apart(), credentials, t.store.hot.credential, string(id))
	if err != nil || len(read) == 0 {
		return access.Credential{}, 0, false
	}
	found = t.store.expectations.share(read[0])
	asRead := e.note(epoch, func() {
		if e.access != at {
			return // the next one reads it again
		}
		if e.credentials == nil {
			e.credentials = map[access.CredentialID]access.Credential{}
		}
		e.credentials[id] = found
	})
	return found, at, asRead
}

// note keeps what was read since the epoch, unless it may not be so any more. Nobody reads
// with the mutex held: who has a connection would wait for one who waits for a connection.
func (e *expected) note(epoch int, keep func()) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.epoch != epoch {
		return false
	}
	keep()
	return true
}

// fingerprintOf changes whenever another event, or the same one in another way, may go to a
// webhook of the site.
func fingerprintOf(hooks []webhook.Webhook) string {
	each := make([]string, len(hooks))
	for i, w := range hooks {
		each[i] = fmt.Sprintf("%d:%d:%s:%d", w.ID, w.Epoch, w.State, stamp(w.Modified))
	}
	return strings.Join(each, ",")
}

// hooksFingerprint is fingerprintOf in the database, of the webhooks of the site in the column.
func hooksFingerprint(column string) string {
	return "(SELECT coalesce(string_agg(concat_ws(':', id, epoch, state, coalesce(modified_at, 0)), ',' ORDER BY id), '') " +
		"FROM webhook WHERE webhook.site_id = " + column + ")"
}
