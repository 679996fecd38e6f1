package sqlstore

import (
	"cmp"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// hookTurn is when a webhook is due, and whose turn it is.
type hookTurn struct {
	site          site.ID
	hook          webhook.ID
	due           time.Time
	holder        string
	until, served int64
}

var hookTurns = mapping[hookTurn]{
	table: "hook_turn",
	keys:  []string{"site_id", "hook_id"},
	row: func(t *hookTurn) row {
		return row{
			{"site_id", whole(&t.site)}, {"hook_id", whole(&t.hook)}, {"due_at", instant(&t.due)}, {"holder", text(&t.holder)},
			{"until", whole(&t.until)}, {"served_at", whole(&t.served)},
		}
	},
}

// turnsOf are the turns that the pending ones among deliveries make due, in the
// order of their keys, so that units that add to the same webhooks take turns.
func turnsOf(added []webhook.Delivery) []hookTurn {
	var turns []hookTurn
	for _, d := range added {
		if d.Status == webhook.Pending {
			turns = append(turns, hookTurn{site: d.Site, hook: d.Hook, due: d.Due})
		}
	}
	slices.SortFunc(turns, func(a, b hookTurn) int {
		return cmp.Or(cmp.Compare(a.site, b.site), cmp.Compare(a.hook, b.hook), a.due.Compare(b.due))
	})
	return slices.CompactFunc(turns, func(a, b hookTurn) bool { return a.site == b.site && a.hook == b.hook })
}

// sooner makes a turn that exists due no later than the new one would be. A turn
// that is left as it is, is nevertheless held until the unit ends: whoever is
// about to release it waits, and then sees what was added.
const sooner = "ON CONFLICT (site_id, hook_id) DO UPDATE SET due_at = excluded.due_at " +
	"WHERE hook_turn.due_at IS NULL OR excluded.due_at < hook_turn.due_at"

// dueAsPending makes a turn due when the earliest pending delivery is, if not
// before.
func dueAsPending() squirrel.Sqlizer {
	return squirrel.Insert(hookTurns.table).Columns(hookTurns.row(&hookTurn{}).names()...).
		Select(squirrel.Select("site_id", "hook_id", "min(due_at)", "''", "0", "0").
			From(deliveries.table).Where(pendingOf).GroupBy("site_id", "hook_id")).
		Suffix(sooner)
}

const ofTurn = "site_id = ? AND hook_id = ?"

func take(skipHeld string) squirrel.Sqlizer {
	free := squirrel.Select("site_id", "hook_id").From(hookTurns.table).Where("due_at <= ? AND until <= ?").
		OrderBy("served_at", "due_at", "site_id", "hook_id").Suffix("LIMIT ?")
	if skipHeld != "" {
		free = free.Suffix(skipHeld)
	}
	return squirrel.Update(hookTurns.table).PrefixExpr(free.Prefix("WITH free AS (").Suffix(")")).
		Set("holder", squirrel.Expr("?")).Set("until", squirrel.Expr("?")).Set("served_at", squirrel.Expr("?")).
		From("free").Where("hook_turn.site_id = free.site_id AND hook_turn.hook_id = free.hook_id").
		Suffix("RETURNING hook_turn.site_id, hook_turn.hook_id, hook_turn.holder")
}

// release finds out when the webhook is due next. The turn is held already, and
// a statement sees everything that was committed when it began: nobody can have
// added a delivery that it misses, and be gone.
func release() squirrel.Sqlizer {
	return squirrel.Update(hookTurns.table).
		Set("due_at", squirrel.Expr("?")).Set("holder", squirrel.Expr("''")).Set("until", squirrel.Expr("0")).
		Where(ofTurn).Where("holder = ?")
}

type turnRole struct{ *tx }

// takenTurns are turns by their holders, without their ends.
var takenTurns = mapping[webhook.Turn]{
	table: hookTurns.table,
	row: func(t *webhook.Turn) row {
		return row{{"site_id", whole(&t.Site)}, {"hook_id", whole(&t.Hook)}, {"holder", text(&t.Holder)}}
	},
}

// isAmong reports whether somebody still has a turn, given those that are taken.
func isAmong(taken []webhook.Turn, t webhook.Turn) bool {
	t.Until = time.Time{}
	return slices.Contains(taken, t)
}

func (r turnRole) Take(holder string, now, until time.Time, n int) ([]webhook.Turn, error) {
	if err := r.writing(); err != nil {
		return nil, err
	}
	at := stamp(now)
	taken, err := list(r.tx, takenTurns, r.store.hot.hooks.take, at, at, max(n, 0), holder, stamp(until), at)
	for i := range taken {
		taken[i].Until = until
	}
	return taken, err
}

func (r turnRole) Hold(t webhook.Turn) (bool, error) {
	if err := r.writing(); err != nil {
		return false, err
	}
	found, err := list(r.tx, takenTurns, r.store.hot.hooks.hold, int64(t.Site), int64(t.Hook))
	return isAmong(found, t), err
}

func (r turnRole) Kept(given []webhook.Turn) ([]webhook.Turn, error) {
	keys := make([]webhook.Key, len(given))
	for i, t := range given {
		keys[i] = t.Key()
	}
	found, err := list(r.tx, takenTurns, r.store.hot.hooks.kept, r.namesOf(keys)...)
	return slices.DeleteFunc(slices.Clone(given), func(t webhook.Turn) bool { return !isAmong(found, t) }), err
}

func (r turnRole) Extend(t webhook.Turn, until time.Time) error {
	_, err := r.exec(r.store.hot.hooks.extend, stamp(until), int64(t.Site), int64(t.Hook), t.Holder)
	return err
}

func (r turnRole) Release(t webhook.Turn) error {
	if err := r.writing(); err != nil {
		return err
	}
	pending, err := deliveryRole(r).Pending(t.Site, t.Hook, webhook.Window)
	if err != nil {
		return err
	}
	var due any // NULL: nothing is pending
	if next := webhook.NextDue(pending); !next.IsZero() {
		due = next.UnixMicro()
	}
	_, err = r.exec(r.store.hot.hooks.release, due, int64(t.Site), int64(t.Hook), t.Holder)
	return err
}

// waiting is how many webhooks are due, and since when.
type waiting struct {
	count  int
	oldest time.Time
}

var waitings = mapping[waiting]{
	table: hookTurns.table,
	row: func(w *waiting) row {
		return row{{"count(*)", whole(&w.count)}, {"min(due_at)", instant(&w.oldest)}}
	},
}

func (r turnRole) Due(now time.Time) (count int, oldest time.Time, err error) {
	w, err := one(r.tx, waitings, r.store.text(waitings.find("due_at <= ? AND until <= ?")), stamp(now), stamp(now))
	return w.count, w.oldest, err
}
