package sqlstore

import (
	"cmp"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// hookLease is when a webhook is due, and who has the lease.
type hookLease struct {
	site          site.ID
	hook          webhook.ID
	due           time.Time
	holder        string
	until, served int64
}

var hookLeases = mapping[hookLease]{
	table: "hook_turn",
	keys:  []string{"site_id", "hook_id"},
	row: func(l *hookLease) row {
		return row{
			{"site_id", whole(&l.site)}, {"hook_id", whole(&l.hook)}, {"due_at", instant(&l.due)}, {"holder", text(&l.holder)},
			{"until", whole(&l.until)}, {"served_at", whole(&l.served)},
		}
	},
}

// leasesOf are the records of the webhooks that pending deliveries make due, in the
// order of their keys, so that units that add to the same webhooks take turns.
func leasesOf(added []webhook.Delivery) []hookLease {
	var leases []hookLease
	for _, d := range added {
		if d.Status == webhook.Pending {
			leases = append(leases, hookLease{site: d.Site, hook: d.Hook, due: d.Due})
		}
	}
	slices.SortFunc(leases, func(a, b hookLease) int {
		return cmp.Or(cmp.Compare(a.site, b.site), cmp.Compare(a.hook, b.hook), a.due.Compare(b.due))
	})
	return slices.CompactFunc(leases, func(a, b hookLease) bool { return a.site == b.site && a.hook == b.hook })
}

// sooner makes a webhook due no later than the new record would. A record
// that is left as it is, is nevertheless held until the unit ends: whoever is
// about to release it waits, and then sees what was added.
const sooner = "ON CONFLICT (site_id, hook_id) DO UPDATE SET due_at = excluded.due_at " +
	"WHERE hook_turn.due_at IS NULL OR excluded.due_at < hook_turn.due_at"

// dueAsIn makes webhooks due when the earliest of some deliveries is, if not before, in the
// order of their keys.
func dueAsIn(deliveries, condition string) squirrel.Sqlizer {
	return squirrel.Insert(hookLeases.table).Columns(hookLeases.row(&hookLease{}).names()...).
		Select(squirrel.Select("site_id", "hook_id", "min(due_at)", "''", "0", "0").
			From(deliveries).Where(condition).GroupBy("site_id", "hook_id").OrderBy("site_id", "hook_id")).
		Suffix(sooner)
}

const ofLease = "site_id = ? AND hook_id = ?"

func take(skipHeld string) squirrel.Sqlizer {
	free := squirrel.Select("site_id", "hook_id").From(hookLeases.table).Where("due_at <= ? AND until <= ?").
		Where(openSite(hookLeases.table)).OrderBy("served_at", "due_at", "site_id", "hook_id").Suffix("LIMIT ?")
	if skipHeld != "" {
		free = free.Suffix(skipHeld)
	}
	return squirrel.Update(hookLeases.table).PrefixExpr(free.Prefix("WITH free AS (").Suffix(")")).
		Set("holder", squirrel.Expr("?")).Set("until", squirrel.Expr("?")).Set("served_at", squirrel.Expr("?")).
		From("free").Where("hook_turn.site_id = free.site_id AND hook_turn.hook_id = free.hook_id").
		Suffix("RETURNING hook_turn.site_id, hook_turn.hook_id, hook_turn.holder")
}

// release finds out when the webhook is due next. The lease is held already, and
// a statement sees everything that was committed when it began: nobody can have
// added a delivery that it misses, and be gone.
func release() squirrel.Sqlizer {
	return squirrel.Update(hookLeases.table).
		Set("due_at", squirrel.Expr("?")).Set("holder", squirrel.Expr("''")).Set("until", squirrel.Expr("0")).
		Where(ofLease).Where("holder = ?")
}

// takenLeases are leases by their holders, without their ends.
var takenLeases = mapping[webhook.Lease]{
	table: hookLeases.table,
	row: func(l *webhook.Lease) row {
		return row{{"site_id", whole(&l.Site)}, {"hook_id", whole(&l.Hook)}, {"holder", text(&l.Holder)}}
	},
}

// isAmong reports whether somebody still has a lease, given those that are taken.
func isAmong(taken []webhook.Lease, l webhook.Lease) bool {
	l.Until = time.Time{}
	return slices.Contains(taken, l)
}

func (r webhookRole) Take(holder string, now, until time.Time, n int) ([]webhook.Lease, error) {
	if err := r.tx.writing(); err != nil {
		return nil, err
	}
	at := stamp(now)
	taken, err := list(r.tx, takenLeases, r.tx.store.hot.hooks.take, at, at, max(n, 0), holder, stamp(until), at)
	for i := range taken {
		taken[i].Until = until
	}
	return taken, err
}

// heldLease is a lease by its holder, and whether its site is open.
type heldLease struct {
	webhook.Lease
	open bool
}

var heldLeases = mapping[heldLease]{
	table: hookLeases.table,
	row: func(l *heldLease) row {
		return append(takenLeases.row(&l.Lease), column{openSite(hookLeases.table), &l.open})
	},
}

func (r webhookRole) Hold(l webhook.Lease) (held, open bool, err error) {
	if err := r.tx.writing(); err != nil {
		return false, false, err
	}
	found, err := list(r.tx, heldLeases, r.tx.store.hot.hooks.hold, int64(l.Site), int64(l.Hook))
	if err != nil || len(found) == 0 {
		return false, false, err
	}
	return isAmong([]webhook.Lease{found[0].Lease}, l), found[0].open, nil
}

func (r webhookRole) Kept(given []webhook.Lease) ([]webhook.Lease, error) {
	keys := make([]webhook.Key, len(given))
	for i, l := range given {
		keys[i] = l.Key()
	}
	found, err := list(r.tx, takenLeases, r.tx.store.hot.hooks.kept, r.tx.namesOf(keys)...)
	return slices.DeleteFunc(slices.Clone(given), func(l webhook.Lease) bool { return !isAmong(found, l) }), err
}

func (r webhookRole) Extend(l webhook.Lease, until time.Time) error {
	_, err := r.tx.exec(r.tx.store.hot.hooks.extend, stamp(until), int64(l.Site), int64(l.Hook), l.Holder)
	return err
}

func (r webhookRole) Release(l webhook.Lease) error {
	if err := r.tx.writing(); err != nil {
		return err
	}
	pending, err := deliveryRole(r).Pending(l.Site, l.Hook, webhook.Window)
	if err != nil {
		return err
	}
	var due any // NULL: nothing is pending
	if next := webhook.NextDue(pending); !next.IsZero() {
		due = next.UnixMicro()
	}
	_, err = r.tx.exec(r.tx.store.hot.hooks.release, due, int64(l.Site), int64(l.Hook), l.Holder)
	return err
}

// waiting is how many webhooks are due, and since when.
type waiting struct {
	count  int
	oldest time.Time
}

var waitings = mapping[waiting]{
	table: hookLeases.table,
	row: func(w *waiting) row {
		return row{{"count(*)", whole(&w.count)}, {"min(due_at)", instant(&w.oldest)}}
	},
}

func (r webhookRole) Due(now time.Time) (count int, oldest time.Time, err error) {
	w, err := one(r.tx, waitings, r.tx.store.text(waitings.find("due_at <= ? AND until <= ?").Where(openSite(hookLeases.table))), stamp(now), stamp(now))
	return w.count, w.oldest, err
}
