package sqlstore

import (
	"strings"

	"github.com/Masterminds/squirrel"
)

// hotHooks are the statements about webhooks worth keeping: those of every write
// to a site, and those of every delivery.
type hotHooks struct {
	get, held, free, of, put  string
	delivery, many, manyHeld  string
	pending, settle           string
	attempts, replace         string
	delivered, clear          string
	clearResource, rejections string
	redacted                  string
	take, hold, kept          string
	extend, release           string
	add, due                  inserts
}

func (s *Store) hookStatements(keep func(squirrel.Sqlizer) string) hotHooks {
	var h hotHooks
	get := s.webhooks().find("site_id = ? AND id = ?")
	hold := heldLeases.find(ofLease)
	h.get = keep(get)
	h.held = h.get
	free := s.webhooks().find(s.dialect.AmongTuples("site_id", "id")).OrderBy("site_id", "id")
	skipHeld := ""
	if held := s.dialect.Held; held != "" {
		h.held = keep(get.Suffix(held))
		hold = hold.Suffix(held)
		skipHeld = held + " SKIP LOCKED"
		free = free.Suffix(skipHeld)
	}
	h.of = keep(s.webhooks().find("site_id = ?").OrderBy("id"))
	h.put = keep(s.webhooks().upsert())
	h.add = insertsOf(s.dialect, keep, deliveries, "")
	h.due = insertsOf(s.dialect, keep, hookLeases, sooner)
	h.delivery = keep(deliveries.find("site_id = ? AND hook_id = ? AND id = ?"))
	h.pending = keep(deliveries.find(pendingOf).OrderBy("event_seq", "id").Suffix("LIMIT ?"))
	h.clear = keep(squirrel.Delete(rejections.table).Where("site_id = ? AND kind = ? AND resource_id = ? AND hook_id = ?"))
	h.clearResource = keep(squirrel.Delete(rejections.table).Where("site_id = ? AND kind = ? AND resource_id = ?"))
	h.rejections = keep(rejections.find("site_id = ? AND kind = ? AND resource_id "+s.dialect.Among).OrderBy("resource_id", "hook_id"))
	h.take = keep(take(skipHeld))
	h.hold = keep(hold)
	h.extend = keep(squirrel.Update(hookLeases.table).Set("until", squirrel.Expr("?")).Where(ofLease).Where("holder = ?"))
	h.release = keep(release())

	// Not prepared: PostgreSQL would plan them once, perhaps while the table was
	// small, and then read all of it every time.
	h.free = s.text(free)
	h.kept = s.text(takenLeases.find(s.dialect.AmongTuples(hookLeases.keys...)).Where(openSite(hookLeases.table)))
	h.redacted = s.text(redactions.find("(" + strings.Join(redactions.keys, ", ") + ") IN (" + s.dialect.Rows(redactions.table, redactions.keys) + ")"))
	many := deliveries.find(s.dialect.AmongTuples(deliveries.keys...)).OrderBy("id")
	h.many, h.manyHeld = s.text(many), s.text(many.Suffix(s.dialect.Held))
	h.settle = s.text(s.settlement())
	h.replace = s.text(s.givenAttempts(squirrel.Update(deliveries.table).Set("attempts", squirrel.Expr("made"))))
	h.attempts = s.text(s.attempts().find("attempts <> '' AND " + s.dialect.AmongTuples(deliveries.keys...)))
	// Each half has an index of its own.
	among := func(status string) squirrel.SelectBuilder {
		return squirrel.Select("event_seq").From(deliveries.table).
			Where("site_id = ? AND hook_id = ? AND status = '" + status + "' AND event_seq " + s.dialect.Among)
	}
	h.delivered = s.text(among("succeeded").SuffixExpr(among("pending").Prefix("UNION").Suffix("ORDER BY 1")))
	return h
}
