package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// A unit of work that writes begins no transaction before it has to. Most creations never
// do: their ids come from a block, and everything else that they are told, such as the
// next sequence of the ledger, is what this process expects of the site. What they write
// is collected, and stored with a single statement, together with what other units have
// collected meanwhile. That statement stores nothing unless all that was expected is so.
// Then, and when a unit asks for something that nobody can expect, it is run again, with a
// transaction from the start.

// errCollected is what a unit of work fails with inside the store that has to be run again
// with a transaction.
var errCollected = errors.New("what the unit of work was told may not be so")

// errNotAsTold is errCollected where something was not as the unit was told: it may be told of
// what is so now.
var errNotAsTold = fmt.Errorf("%w any more", errCollected)

// collected is what a unit of work has been told and has written without a transaction. It
// is about one site.
type collected struct {
	// of is nil until something was told. Until the unit is over, no other one is told
	// anything of the site.
	of *expected
	// epoch is that of the expectations.
	epoch int
	// seq is the sequence before the events, and last the moment of the last one.
	seq        int64
	last       time.Time
	events     []event.Event
	counters   map[site.AgencyID]counter
	parts      map[string]rowsOfPart
	deliveries []webhook.Delivery
	// seen are the records that it is based on.
	seen []seen
	// open are the sites that were seen to take changes, before anything was written.
	open map[site.ID]bool
	// provided is how many ids of deliveries were.
	provided int
	// hooks and access are set when the unit was told of webhooks and of credentials.
	hooks  *string
	access *int64

	// handed says that it is about to be stored, and done is closed when err is set.
	handed bool
	done   chan struct{}
	err    error
}

// counter is how far a unit moves the counter of an agency's references.
type counter struct{ from, to int64 }

// about begins to tell a unit of a site, and reports whether that is possible.
func (c *collected) about(ctx context.Context, s *Store, id site.ID) bool {
	if c.of != nil {
		return c.of.id == id
	}
	e, known := s.expectations.of(id)
	if !known || c.open != nil && !c.isOpenOnly(id) {
		return false
	}
	for range 2 { // a unit with a transaction may come between
		if !e.settle(ctx, s.settlePatience) {
			return false
		}
		if e.needsHead() {
			// What is wrong with it, whoever begins a transaction is told.
			if p, err := s.head(ctx, id); err == nil && p.here {
				e.learn(p)
			}
		}
		if e.begin(ctx, c) {
			c.of = e
			return true
		}
	}
	return false
}

// isOpenOnly reports whether a site is the only one that was seen to take changes: that it still
// does is found out when the unit is stored.
func (c *collected) isOpenOnly(id site.ID) bool {
	return c.open[id] && len(c.open) == 1
}

// abandon ends the telling of a unit that is not stored.
func (c *collected) abandon() {
	if c.of != nil && !c.handed {
		c.of.end(c, false)
	}
}

// retract ends the telling of a unit that was told nothing yet, so that it can still have a
// transaction.
func (c *collected) retract() {
	if len(c.events) == 0 && len(c.counters) == 0 && len(c.parts) == 0 {
		c.of.end(c, false)
		c.of = nil
	}
}

// hand ends the telling of a unit that is about to be stored.
func (c *collected) hand() {
	c.handed = true
	c.of.end(c, true)
}

// append tells what the events will be.
func (c *collected) append(at time.Time, happened []event.Event) event.Event {
	at = at.Truncate(time.Microsecond).UTC()
	if at.Before(c.last) {
		at = c.last
	}
	c.last = at
	happened = slices.Clone(happened)
	for i := range happened {
		happened[i].Site, happened[i].Seq, happened[i].At = c.of.id, c.seq+int64(len(c.events)+i+1), at
	}
	c.events = append(c.events, happened...)
	return happened[len(happened)-1]
}

// counterOf is the counter of an agency's references, as far as this unit moved it.
func (c *collected) counterOf(t *tx, agency site.AgencyID) (counter, bool) {
	if moved, known := c.counters[agency]; known {
		return moved, true
	}
	n, known := c.of.counter(t, agency)
	return counter{n, n}, known
}

func (c *collected) count(agency site.AgencyID, moved counter) {
	if c.counters == nil {
		c.counters = map[site.AgencyID]counter{}
	}
	c.counters[agency] = moved
}

// credential tells of a client, if it is remembered as of the accesses of the site.
func (c *collected) credential(t *tx, id access.CredentialID) (access.Credential, bool) {
	found, at, known := c.of.credential(t, id)
	if known {
		c.access = &at
	}
	return found, known
}

// collect keeps a record that the unit has written, for a part of the statement.
func (t *tx) collect(c *collected, p storePart, table string, written row) error {
	fields, err := written.fields()
	if err != nil {
		return t.fail(fmt.Errorf("writing %s: %w", table, err))
	}
	c.collect(p, recordKey{table, fields["site_id"].(int64), fields["id"].(int64)}, fields)
	return nil
}

func (c *collected) collect(p storePart, key recordKey, fields map[string]any) {
	of, known := c.parts[p.name]
	if !known {
		of = rowsOfPart{p, map[recordKey]map[string]any{}}
		if c.parts == nil {
			c.parts = map[string]rowsOfPart{}
		}
		c.parts[p.name] = of
	}
	of.rows[key] = fields
}

// webhooks tells of the webhooks of the site.
func (c *collected) webhooks(t *tx) ([]webhook.Webhook, bool) {
	hooks, fingerprint, known := c.of.webhooks(t)
	if known {
		c.hooks = &fingerprint
	}
	return hooks, known
}

// provisional are ids of deliveries to webhooks that the unit was told of: negative ones, for
// the statement draws the true ones. It holds the ledger of the site, so that deliveries are
// in the order of their events.
func (c *collected) provisional(n int) []int64 {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = math.MinInt32 + int64(c.provided+i)
	}
	c.provided += n
	return ids
}
