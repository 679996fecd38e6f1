package plan

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

// ErrNeedsTx is what a unit of work fails with, inside the store, that has to be run again
// with a transaction.
var ErrNeedsTx = errors.New("the unit of work needs a transaction")

// ErrChanged is ErrNeedsTx where something has changed that a plan assumes: another plan may
// assume what is so now.
var ErrChanged = fmt.Errorf("%w, or another plan", ErrNeedsTx)

// Plan is what a unit of work without a transaction assumes, and what it writes.
type Plan struct {
	planner *Planner
	// open is the site that was read to take changes; 0 for none.
	open site.ID
	// seen are the records that the unit is based on.
	seen []Seen

	// site is the site that the plan is about; nil while it assumes nothing of any. epoch and
	// head are what was known of it then.
	site  *known
	epoch int
	head  Head
	// events counts the events of the unit, and last is the moment of the last one.
	events int
	last   time.Time
	// draws are how far the unit moves the counters of references.
	draws map[site.AgencyID]draw
	// webhooks is the fingerprint of the webhooks of the site, and access that of head; nil
	// where the unit did not ask.
	webhooks *string
	access   *int64
	// deliveries is how many ids of deliveries the unit drew.
	deliveries int
	// parts are the records that it writes, by the name of the part.
	parts map[string]*records

	// queued is set when the plan is in the queue, and done closed when err is set.
	queued bool
	done   chan struct{}
	err    error
}

// Record is the key of a record.
type Record struct {
	Table string `json:"-"`
	Site  int64  `json:"site_id"`
	ID    int64  `json:"id"`
}

// Seen is the version of a record that a unit is based on.
type Seen struct {
	Record
	// Version is the transaction that wrote the row. No other one had that number while the
	// unit ran.
	Version string `json:"row_version"`
}

// Version is the column of Seen.Version.
const Version = "xmin::text"

// records are what a unit writes of a part, the last state of each record.
type records struct {
	part Part
	at   map[Record]int
	rows []map[string]any
}

// See notes that the unit is based on a record as it was read.
func (p *Plan) See(s Seen) { p.seen = append(p.seen, s) }

// Seen returns the records that the unit is based on.
func (p *Plan) Seen() []Seen { return p.seen }

// HasSeen reports whether the unit is based on a record.
func (p *Plan) HasSeen(r Record) bool {
	return slices.ContainsFunc(p.seen, func(s Seen) bool { return s.Record == r })
}

// AssumeOpen reads whether a site takes changes, and reports whether the plan can assume so.
// If the unit writes nothing in the end, nothing depends on it.
func (p *Plan) AssumeOpen(ctx context.Context, id site.ID) bool {
	if p.site != nil || p.open != 0 && p.open != id {
		return false
	}
	h, found := p.planner.store.Head(ctx, id)
	if !found || !h.Open {
		return false // the transaction that follows says what is wrong
	}
	p.open = id
	return true
}

// Open returns the site that is assumed to take changes; 0 for none.
func (p *Plan) Open() site.ID { return p.open }

// Assume makes the plan one about a site, if it can be: it then assumes what is known of the
// site, and other plans wait with that until this one is queued or released.
func (p *Plan) Assume(ctx context.Context, id site.ID) bool {
	if p.site != nil {
		return p.site.id == id
	}
	k := p.planner.known(id)
	if k == nil || p.open != 0 && p.open != id {
		return false
	}
	for range 2 { // a unit with a transaction may come between
		needsHead, ok := k.wait(ctx)
		if !ok {
			return false
		}
		if needsHead {
			if h, found := p.planner.store.Head(ctx, id); found {
				k.learn(h)
			}
		}
		if k.begin(ctx, p) {
			p.site = k
			return true
		}
	}
	return false
}

// Site returns the site that the plan is about; 0 for none. A unit whose plan is about a site
// can have no transaction any more.
func (p *Plan) Site() site.ID {
	if p.site == nil {
		return 0
	}
	return p.site.id
}

// Release ends the plan of a unit that failed.
func (p *Plan) Release() {
	if p.site != nil && !p.queued {
		p.site.release()
		p.site = nil
	}
}

// Append returns events with their sequences and their moment in the ledger of the site.
func (p *Plan) Append(at time.Time, happened []event.Event) []event.Event {
	at = at.Truncate(time.Microsecond).UTC()
	if at.Before(p.last) {
		at = p.last
	}
	p.last = at
	happened = slices.Clone(happened)
	for i := range happened {
		p.events++
		happened[i].Site, happened[i].Seq, happened[i].At = p.site.id, p.head.Seq+int64(p.events), at
	}
	return happened
}

// MoveCounter moves the counter of an agency's references, and returns where it then stands.
// If it is not known where it stood, a plan that assumes nothing else of the site is released,
// so that the unit can still have a transaction.
func (p *Plan) MoveCounter(ctx context.Context, agency site.AgencyID, move func(last int64) int64) (int64, bool) {
	d, drawn := p.draws[agency]
	if !drawn {
		last, known := p.site.counter(ctx, agency)
		if !known {
			if p.IsEmpty() && len(p.draws) == 0 && p.webhooks == nil {
				p.Release()
			}
			return 0, false
		}
		d = draw{p.site.id, agency, last, last}
	}
	d.To = move(d.To)
	if p.draws == nil {
		p.draws = map[site.AgencyID]draw{}
	}
	p.draws[agency] = d
	return d.To, true
}

// Webhooks returns the webhooks of the site.
func (p *Plan) Webhooks(ctx context.Context) ([]webhook.Webhook, bool) {
	hooks, known := p.site.webhooksOf(ctx)
	if known {
		p.webhooks = &hooks.fingerprint
	}
	return slices.Clone(hooks.all), known
}

// AssumesWebhooks reports whether the unit has asked for the webhooks of the site. Then its
// deliveries are planned as well.
func (p *Plan) AssumesWebhooks() bool { return p.webhooks != nil }

// Credential returns a credential, as the owner of a webhook.
func (p *Plan) Credential(ctx context.Context, id access.CredentialID) (access.Credential, bool) {
	c, known := p.site.credential(ctx, id)
	if known {
		p.access = &p.head.Access
	}
	return c, known
}

// DeliveryIDs returns ids that tell deliveries apart until the statement draws the true ones,
// in the order of their events. They are negative.
func (p *Plan) DeliveryIDs(n int) []int64 {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = math.MinInt32 + int64(p.deliveries+i)
	}
	p.deliveries += n
	return ids
}

// Write keeps a record, by its columns, for a part of the statement.
func (p *Plan) Write(part Part, key Record, row map[string]any) {
	of := p.parts[part.Name]
	if of == nil {
		of = &records{part: part, at: map[Record]int{}}
		if p.parts == nil {
			p.parts = map[string]*records{}
		}
		p.parts[part.Name] = of
	}
	if i, found := of.at[key]; found {
		of.rows[i] = row
		return
	}
	of.at[key] = len(of.rows)
	of.rows = append(of.rows, row)
}

// IsEmpty reports whether the unit has written no record yet, which it would have to find
// when it reads.
func (p *Plan) IsEmpty() bool { return len(p.parts) == 0 }

// isBasedOn reports whether the unit is based on one of some records.
func (p *Plan) isBasedOn(written map[Record]bool) bool {
	return slices.ContainsFunc(p.seen, func(s Seen) bool { return written[s.Record] })
}
