package sqlstore

import (
	"context"
	"database/sql/driver"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func headRow(h *port.Head) row {
	return row{
		{"seq", whole(&h.Seq)}, {"settings", whole(&h.Settings)}, {"access", whole(&h.Access)}, {"rejections", whole(&h.Rejections)},
		{"state", stateColumn{&h.State}},
	}
}

var heads = mapping[port.Head]{table: "site_head", row: headRow}

var events = mapping[event.Event]{
	table: "ledger",
	keys:  []string{"site_id", "seq"},
	row: func(e *event.Event) row {
		return row{
			{"site_id", whole(&e.Site)}, {"seq", whole(&e.Seq)}, {"type", text(&e.Type)},
			{"resource_id", whole(&e.Resource)}, {"subject", text(&e.Subject)}, {"agency_id", whole(&e.Agency)}, {"happened_at", instant(&e.At)},
			{"changed", text(&e.Changed)},
		}
	},
}

// ledger is the mapping by which events are written: with their causes and values, which those
// who follow a ledger do not read.
func (s *Store) ledger() mapping[event.Event] {
	m := events
	m.extra = func(e *event.Event) row { return append(causes(e), s.values(e)) }
	return m
}

// causes are the columns of who caused an event.
func causes(e *event.Event) row {
	return row{{"done_by", text(&e.By)}, {"request_id", text(&e.Request)}}
}

// values is the column of the values of an event, sealed. A store without keys keeps none.
func (s *Store) values(e *event.Event) column {
	sealed := sealing{s.keyring, events.table, &e.Site, numbered(&e.Seq)}.sealed("edits", secret{&e.Values})
	return column{"edits", sealedValues{sealed, &e.Values}}
}

// sealedValues is a sealed column where most rows have nothing to seal.
type sealedValues struct {
	sealedColumn
	p *string
}

func (c sealedValues) Value() (driver.Value, error) {
	if *c.p == "" || len(c.keys.keys) == 0 {
		return "", nil
	}
	return c.sealedColumn.Value()
}

func (c sealedValues) Scan(src any) error {
	var sealed string
	if err := text(&sealed).Scan(src); err != nil || sealed == "" {
		*c.p = ""
		return err
	}
	return c.sealedColumn.Scan(sealed)
}

// countEvents moves the head of a site's ledger. The row stays locked until the
// unit ends, which is what keeps the sequence without gaps.
func countEvents(d Dialect) squirrel.Sqlizer {
	return squirrel.Update("site_head").
		Set("seq", squirrel.Expr("seq + ?")).
		Set("last_at", squirrel.Expr("CASE WHEN last_at > ? THEN last_at ELSE ? END")).
		Where("site_id = ? AND " + takesChanges + " AND " + d.sameTimeline()).Suffix("RETURNING site_id, seq, last_at")
}

// counted is where and when the ledger stands after countEvents.
var counted = mapping[event.Event]{
	table: "site_head",
	row: func(e *event.Event) row {
		return row{{"site_id", whole(&e.Site)}, {"seq", whole(&e.Seq)}, {"last_at", instant(&e.At)}}
	},
}

func (r ledgerRole) Find(q port.EventQuery) ([]event.Event, error) {
	m := mapping[event.Event]{table: events.table, row: func(e *event.Event) row {
		columns := append(events.row(e), causes(e)...)
		if q.Values {
			columns = append(columns, r.tx.store.values(e))
		}
		return columns
	}}
	of, seq := "site_id = ?", "seq"
	if q.Request != "" { // which no index has: the engine is to go by the time
		of, seq = "+site_id = ?", "+seq"
	}
	s := searchOf(m, of, int64(q.Site))
	var types []string
	for _, t := range q.Types {
		types = append(types, string(t))
	}
	s.among("type", types)
	s.narrow(q.Resource != 0, "resource_id = ?", q.Resource)
	s.narrow(q.Agency != 0, "agency_id = ?", int64(q.Agency))
	s.narrow(!q.From.IsZero(), "happened_at >= ?", micros(q.From))
	s.narrow(!q.To.IsZero(), "happened_at < ?", micros(q.To))
	s.narrow(q.Above != 0, "seq > ?", q.Above)
	s.narrow(q.Below != 0, "seq < ?", q.Below)
	s.narrow(q.Request != "", "request_id = ?", q.Request)
	s.order(true, seq)
	return s.page(r.tx, q.Limit, 0)
}

func (r ledgerRole) Forget(id site.ID, kind string, resources []int64) error {
	s := squirrel.Update(events.table).Set("edits", squirrel.Expr("''")).
		Where("site_id = ? AND resource_id " + r.tx.store.dialect.Among + " AND edits <> '' AND type LIKE ? ESCAPE '!'")
	_, err := r.tx.exec(r.tx.store.text(s), int64(id), r.tx.store.dialect.Numbers(resources), kind+`!_%`)
	return err
}

type ledgerRole struct{ tx *tx }

// batch is how many records one statement inserts, well below the number of
// parameters either engine takes.
const batch = 1000

func (r ledgerRole) Append(id site.ID, at time.Time, happened []event.Event) (event.Event, error) {
	if err := r.tx.writing(); err != nil || len(happened) == 0 {
		return event.Event{}, err
	}
	if p, ok := r.tx.beginPlan(id); ok {
		happened = p.Append(at, happened)
		last := happened[len(happened)-1]
		r.tx.last = append(r.tx.last, last)
		_, err := planRecords(r.tx, r.tx.store.hot.recording, r.tx.store.ledger(), happened...)
		return last, err
	}
	if err := r.tx.begun(); err != nil {
		return event.Event{}, err
	}
	r.tx.appendsTo(id)
	micros := at.UnixMicro()
	heads, err := list(r.tx, counted, r.tx.store.hot.count, int64(len(happened)), micros, micros, int64(id))
	if err != nil {
		return event.Event{}, err
	}
	if len(heads) == 0 {
		return event.Event{}, r.notCounted(id)
	}
	last := heads[0]
	happened = slices.Clone(happened)
	for i := range happened {
		happened[i].Site, happened[i].Seq, happened[i].At = id, last.Seq-int64(len(happened)-1-i), last.At
	}
	for chunk := range slices.Chunk(happened, batch) {
		if err := insertAll(r.tx, r.tx.store.ledger(), r.tx.store.hot.record, chunk); err != nil {
			return event.Event{}, err
		}
	}
	r.tx.last = append(r.tx.last, last)
	return happened[len(happened)-1], nil
}

func (r ledgerRole) After(id site.ID, seq int64, n int) ([]event.Event, error) {
	return list(r.tx, events, r.tx.store.text(events.find("site_id = ? AND seq > ?").OrderBy("seq").Suffix("LIMIT ?")),
		int64(id), seq, max(n, 0))
}

func (r ledgerRole) Head(id site.ID) (port.Head, error) {
	found, err := list(r.tx, timelineHeads, r.tx.store.hot.head, int64(id))
	switch {
	case err != nil:
		return port.Head{}, err
	case len(found) == 0:
		return port.Head{}, r.noHead(id)
	case !found[0].sameTimeline:
		return port.Head{}, r.tx.otherTimeline()
	}
	return found[0].Head, nil
}

// LedgerEnd is where and when the last event happened, of all sites.
func (s *Store) LedgerEnd(ctx context.Context) (end event.Event, err error) {
	err = s.View(ctx, func(t port.Tx) error {
		found, err := list(t.Roles.(*tx), counted, s.text(squirrel.Select("site_id, seq, last_at").From(heads.table).
			OrderBy("last_at DESC", "site_id").Limit(1)))
		if len(found) > 0 {
			end = found[0]
		}
		return err
	})
	return end, err
}

// noHead says why a site has no head: the database is not where it was, or there is no
// such site.
func (r ledgerRole) noHead(id site.ID) error {
	if err := r.tx.isSameTimeline(); err != nil {
		return err
	}
	return noSite(id)
}

func (r ledgerRole) Touch(id site.ID, aspect port.Aspect) error {
	name := "settings"
	switch aspect {
	case port.AspectSettings:
	case port.AspectAccess:
		name = "access"
	case port.AspectRejections:
		name = "rejections"
	}
	b := squirrel.Update("site_head").Set(name, squirrel.Expr(name+" + 1")).Where("site_id = ? AND " + takesChanges + " AND " + r.tx.store.dialect.sameTimeline())
	n, err := r.tx.exec(r.tx.store.text(b), int64(id))
	if err == nil && n == 0 {
		err = r.notCounted(id)
	}
	return err
}

// notCounted says why nothing was counted up at a site. It ends the unit, which may have
// written something else.
func (r ledgerRole) notCounted(id site.ID) error {
	if _, err := r.Head(id); err != nil {
		return err
	}
	r.tx.broken = port.NotOpen()
	return r.tx.broken
}

// keepOpen reads the row of a site that takes changes. Where several units write at a
// time it is held in a way that keeps nobody out but Moves.Put.
func keepOpen(d Dialect) squirrel.Sqlizer {
	return squirrel.Select("site_id AS n").From(heads.table).Where("site_id = ? AND " + takesChanges).Suffix(d.Shared)
}

func (r ledgerRole) KeepOpen(id site.ID) error {
	if err := r.tx.writing(); err != nil {
		return err
	}
	if r.tx.readsOutsideTx() && r.tx.plan.AssumeOpen(r.tx.ctx, id) {
		return nil
	}
	kept, err := list(r.tx, numberColumn, r.tx.store.hot.keepOpen, int64(id))
	if err == nil && len(kept) == 0 {
		err = r.notCounted(id)
	}
	return err
}
