package sqlstore

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// bundle takes what can be kept in bundles out of the table of deliveries, and returns the rest.
// What had attempts before, or is not in the table, is among the rest.
func (t *tx) bundle(settled []webhook.Settled) (rest []webhook.Settled, err error) {
	if err := t.writing(); err != nil || !t.store.bundling.Load() {
		return settled, err
	}
	together, rest := bundlable(settled)
	if len(together) == 0 {
		return settled, nil
	}
	taken, err := list(t, takenDeliveries, t.store.hot.hooks.unlist, t.keysOf(slices.Concat(together...))...)
	if err != nil {
		return nil, err
	}
	due := make(map[deliveryKey]time.Time, len(taken))
	for _, d := range taken {
		due[deliveryKeyOf(d)] = d.Due
	}
	var made []bundle
	for _, some := range together {
		var kept []webhook.Settled
		for _, s := range some {
			if at, was := due[deliveryKeyOf(s.Delivery)]; was {
				s.Due = at
				kept = append(kept, s)
			} else {
				rest = append(rest, s)
			}
		}
		if len(kept) == 0 {
			continue
		}
		p, err := bundleOf(kept)
		if err != nil {
			return nil, t.fail(fmt.Errorf("writing %s: %w", t.store.bundles().table, err))
		}
		made = append(made, p)
	}
	return rest, insertAll(t, t.store.bundles(), t.store.hot.hooks.bundle, made)
}

// deliveryKey is the key of a delivery.
type deliveryKey struct {
	webhook.Key
	id webhook.DeliveryID
}

func deliveryKeyOf(d webhook.Delivery) deliveryKey {
	return deliveryKey{webhook.Key{Site: d.Site, Hook: d.Hook}, d.ID}
}

// idsBySite are the ids of deliveries, by their sites.
func idsBySite(keys map[deliveryKey]bool) map[site.ID][]int64 {
	ids := map[site.ID][]int64{}
	for k := range keys {
		ids[k.Site] = append(ids[k.Site], int64(k.id))
	}
	return ids
}

// takenDeliveries are deliveries by their keys, and when they were due.
var takenDeliveries = mapping[webhook.Delivery]{
	table: deliveries.table,
	row: func(d *webhook.Delivery) row {
		return row{{"site_id", whole(&d.Site)}, {"hook_id", whole(&d.Hook)}, {"id", whole(&d.ID)}, {"due_at", instant(&d.Due)}}
	},
}

// unlisting takes deliveries that had no attempt yet out of their table.
func unlisting(which string) squirrel.Sqlizer {
	return squirrel.Delete(deliveries.table).Where(which).Where("number = 0").
		Suffix("RETURNING " + strings.Join(takenDeliveries.row(new(webhook.Delivery)).names(), ", "))
}

// bundled is what bundles hold of some deliveries of a site, in the order of ids.
func (t *tx) bundled(id site.ID, ids []int64) (found []webhook.Settled, err error) {
	// Between ids that are far from each other there may be any number of bundles.
	for near := range parts(slices.Sorted(slices.Values(ids))) {
		err = t.around(id, near, "", func(_ bundle, all []webhook.Settled) error {
			for _, s := range all {
				if slices.Contains(near, int64(s.ID)) {
					found = append(found, s)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(found, func(a, b webhook.Settled) int { return cmp.Compare(a.ID, b.ID) })
	return found, nil
}

// around goes through the bundles of a site that may hold some deliveries.
func (t *tx) around(id site.ID, ids []int64, hold string, use func(bundle, []webhook.Settled) error) error {
	if len(ids) == 0 {
		return nil
	}
	m, least, most := t.store.bundles(), slices.Min(ids), slices.Max(ids)
	// That the last id is not far beyond tells an engine that keeps days by themselves where
	// to look.
	b := m.find("site_id = ? AND first_id > ? AND first_id <= ? AND last_id >= ? AND last_id < ?").OrderBy(m.keys...)
	if hold != "" {
		b = b.Suffix(hold)
	}
	found, err := list(t, m, t.store.text(b), int64(id), least-bundleSpan, most, least, most+bundleSpan)
	if err != nil {
		return err
	}
	for _, p := range found {
		if !slices.ContainsFunc(ids, func(id int64) bool { return id >= int64(p.first) && id <= int64(p.last) }) {
			continue
		}
		all, err := p.open()
		if err == nil {
			err = use(p, all)
		}
		if err != nil {
			return t.fail(err)
		}
	}
	return nil
}

// bundledOf is what bundles hold of some deliveries of one webhook.
func (t *tx) bundledOf(id site.ID, hook webhook.ID, ids []int64) ([]webhook.Delivery, error) {
	found, err := t.bundled(id, ids)
	var of []webhook.Delivery
	for _, s := range found {
		if s.Hook == hook {
			of = append(of, s.Delivery)
		}
	}
	return of, err
}

// unbundle moves deliveries from bundles to the tables of deliveries and attempts.
func (t *tx) unbundle(settled []webhook.Settled) error {
	keys := map[deliveryKey]bool{}
	for _, s := range settled {
		keys[deliveryKeyOf(s.Delivery)] = true
	}
	moved, err := t.takeOut(keys)
	if err != nil {
		return err
	}
	var made []port.DeliveryAttempt
	for chunk := range slices.Chunk(moved, batch) {
		var some []webhook.Delivery
		for _, s := range chunk {
			some, made = append(some, s.Delivery), append(made, port.DeliveryAttempt{Site: s.Site, Delivery: s.ID, Attempt: *s.Attempt})
		}
		if err := insertAll(t, deliveries, t.store.hot.hooks.add, some); err != nil {
			return err
		}
	}
	return insertAll(t, t.store.tries(), t.store.hot.hooks.try, made)
}

// takeOut takes deliveries out of the bundles that they are in.
func (t *tx) takeOut(keys map[deliveryKey]bool) (taken []webhook.Settled, err error) {
	ids := idsBySite(keys)
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		slices.Sort(ids[id])
		for near := range parts(ids[id]) {
			err := t.around(id, near, t.store.dialect.Held, func(p bundle, all []webhook.Settled) error {
				var stay []webhook.Settled
				for _, s := range all {
					if keys[deliveryKeyOf(s.Delivery)] {
						taken = append(taken, s)
					} else {
						stay = append(stay, s)
					}
				}
				if len(stay) == len(all) {
					return nil
				}
				return t.rebundle(p, stay)
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return taken, nil
}

// rebundle replaces a bundle by what stays of it.
func (t *tx) rebundle(p bundle, stay []webhook.Settled) error {
	m := t.store.bundles()
	if _, err := t.exec(t.store.text(squirrel.Delete(m.table).Where("site_id = ? AND hook_id = ? AND last_id = ?")), int64(p.site), int64(p.hook), int64(p.last)); err != nil {
		return err
	}
	if len(stay) == 0 {
		return nil
	}
	rest, err := bundleOf(stay)
	if err != nil {
		return t.fail(fmt.Errorf("writing %s: %w", m.table, err))
	}
	_, err = write(t, m, t.store.hot.hooks.bundle.one, rest)
	return err
}

// bundleWalk goes through bundles in an order.
type bundleWalk struct {
	// where has the args.
	where string
	args  []any
	// order are columns that tell the bundles apart.
	order []string
	desc  bool
}

const (
	fewBundles  = 4
	manyBundles = 256
)

// walk hands bundles over, a few at first and then more and more of them, until use has enough.
func (t *tx) walk(w bundleWalk, use func(bundle, []webhook.Settled) (enough bool, err error)) error {
	m := t.store.bundles()
	beyond, args := "", w.args
	for n := fewBundles; ; n = min(2*n, manyBundles) {
		s := searchOf(m, w.where, args...)
		if beyond != "" {
			s.b = s.b.Where(beyond)
		}
		s.order(w.desc, w.order...)
		found, err := s.page(t, n, 0)
		if err != nil {
			return err
		}
		for _, p := range found {
			all, err := p.open()
			if err != nil {
				return t.fail(err)
			}
			if enough, err := use(p, all); err != nil || enough {
				return err
			}
		}
		if len(found) < n {
			return nil
		}
		values, err := w.place(m, &found[n-1])
		if err != nil {
			return t.fail(err)
		}
		sign := " > ("
		if w.desc {
			sign = " < ("
		}
		beyond = "(" + strings.Join(w.order, ", ") + ")" + sign + squirrel.Placeholders(len(values)) + ")"
		args = slices.Concat(w.args, values)
	}
}

// place is where a bundle stands in the order.
func (w bundleWalk) place(m mapping[bundle], p *bundle) ([]any, error) {
	var key row
	for _, name := range w.order {
		of := m.row(p)
		key = append(key, of[slices.IndexFunc(of, func(c column) bool { return c.name == name })])
	}
	return key.values()
}

// nearest collects the first n of what is in bundles, or fewer, where bundles come in an order
// that what is in them only roughly has: what is behind the bound that comes with a bundle may
// still be in a later one.
type nearest[T any] struct {
	n       int
	compare func(a, b T) int
	found   []T
}

func (c *nearest[T]) add(found ...T) { c.found = append(c.found, found...) }

// enough reports whether n were found that do not come behind the bound.
func (c *nearest[T]) enough(bound T) bool {
	if len(c.found) < c.n {
		return false
	}
	before := 0
	for _, v := range c.found {
		if c.compare(v, bound) < 0 {
			before++
		}
	}
	return before >= c.n
}

// with are the first n of what was found and of others, which are as they are now where
// they are twice.
func (c *nearest[T]) with(others []T) []T {
	all := slices.Concat(c.found, others)
	slices.SortStableFunc(all, c.compare)
	all = slices.CompactFunc(all, func(a, b T) bool { return c.compare(a, b) == 0 })
	return all[:min(len(all), max(c.n, 0))]
}

// listed finds in bundles what may be on a page of the log, beside what is on it so far.
func (t *tx) listed(q port.DeliveryQuery, page []webhook.Delivery) ([]webhook.Delivery, error) {
	if q.Limit <= 0 || q.Status != nil && *q.Status != webhook.Succeeded {
		return page, nil
	}
	w := bundleWalk{where: "site_id = ? AND hook_id = ?", args: []any{int64(q.Site), int64(q.Hook)}, order: []string{"last_id"}, desc: true}
	narrow := func(wanted bool, condition string, args ...any) {
		if wanted {
			w.where, w.args = w.where+" AND "+condition, append(w.args, args...)
		}
	}
	narrow(q.Before != 0, "first_id < ? AND last_id < ?", int64(q.Before), min(int64(q.Before), math.MaxInt64-bundleSpan)+bundleSpan)
	narrow(!q.From.IsZero(), "last_added >= ?", micros(q.From))
	narrow(!q.To.IsZero(), "first_added < ?", micros(q.To))
	if len(page) == q.Limit {
		narrow(true, "last_id > ?", int64(page[len(page)-1].ID))
	}
	found := nearest[webhook.Delivery]{n: q.Limit, compare: func(a, b webhook.Delivery) int { return cmp.Compare(b.ID, a.ID) }}
	err := t.walk(w, func(p bundle, all []webhook.Settled) (bool, error) {
		for _, s := range all {
			if isWanted(q, s.Delivery) {
				found.add(s.Delivery)
			}
		}
		return found.enough(webhook.Delivery{ID: p.last - 1}), nil
	})
	return found.with(page), err
}

// isWanted reports whether a query wants a delivery of its webhook, whatever its status.
func isWanted(q port.DeliveryQuery, d webhook.Delivery) bool {
	return (q.Before == 0 || d.ID < q.Before) && (q.Type == "" || string(d.Type) == q.Type) && (q.Resource == 0 || d.Resource == q.Resource) &&
		(q.From.IsZero() || !d.Added.IsZero() && !d.Added.Before(q.From)) && (q.To.IsZero() || !d.Added.IsZero() && d.Added.Before(q.To))
}

// deliveredIn finds in bundles those among some events that got through to a webhook.
func (t *tx) deliveredIn(id site.ID, hook webhook.ID, events []int64) (got []int64, err error) {
	if len(events) == 0 {
		return nil, nil
	}
	err = t.walk(bundleWalk{
		where: "site_id = ? AND hook_id = ? AND last_event >= ? AND first_event <= ?",
		args:  []any{int64(id), int64(hook), slices.Min(events), slices.Max(events)}, order: []string{"last_id"},
	}, func(_ bundle, all []webhook.Settled) (bool, error) {
		for _, s := range all {
			if slices.Contains(events, s.Event) {
				got = append(got, s.Event)
			}
		}
		return false, nil
	})
	return got, err
}

// forgetIn empties what receivers said, in bundles. There is nothing about people in them.
func (t *tx) forgetIn(id site.ID, kind string, resources []int64) error {
	if isAboutPeople(kind) || len(resources) == 0 {
		return nil
	}
	said := func(s webhook.Settled) bool {
		return s.Attempt.Excerpt != "" && s.Type.Resource() == kind && slices.Contains(resources, s.Resource)
	}
	// While we wait for a bundle, somebody may make another one of what is in it: it is over
	// when nothing more is found.
	for {
		ids, err := t.saidIn(id, said)
		if err != nil || len(ids) == 0 {
			return err
		}
		for near := range parts(ids) {
			err := t.around(id, near, t.store.dialect.Held, func(b bundle, all []webhook.Settled) error {
				if !slices.ContainsFunc(all, said) {
					return nil
				}
				for _, s := range all {
					if said(s) {
						s.Attempt.Excerpt = ""
					}
				}
				return t.rebundle(b, all)
			})
			if err != nil {
				return err
			}
		}
	}
}

// saidIn are the deliveries in bundles of a site of which receivers said something, in order.
func (t *tx) saidIn(id site.ID, said func(webhook.Settled) bool) (ids []int64, err error) {
	w := bundleWalk{where: "site_id = ?", args: []any{int64(id)}, order: []string{"hook_id", "last_id"}}
	err = t.walk(w, func(_ bundle, all []webhook.Settled) (bool, error) {
		for _, s := range all {
			if said(s) {
				ids = append(ids, int64(s.ID))
			}
		}
		return false, nil
	})
	slices.Sort(ids)
	return ids, err
}

// parts parts ids, which are in order, so that those of a part are near each other.
func parts(ids []int64) func(func([]int64) bool) {
	return func(yield func([]int64) bool) {
		for begin, i := 0, 1; begin < len(ids); i++ {
			if i == len(ids) || ids[i]-ids[begin] >= bundleSpan {
				if !yield(ids[begin:i]) {
					return
				}
				begin = i
			}
		}
	}
}

// oldestIn are the first n of what is in bundles and was added before a moment.
func (t *tx) oldestIn(before time.Time, n int) ([]webhook.Delivery, error) {
	found := nearest[webhook.Delivery]{n: n, compare: byAge}
	if n <= 0 {
		return nil, nil
	}
	err := t.walk(bundleWalk{
		where: "first_added < ?", args: []any{micros(before)}, order: []string{"first_added", "site_id", "last_id", "hook_id"},
	}, func(p bundle, all []webhook.Settled) (bool, error) {
		for _, s := range all {
			if !s.Added.IsZero() && s.Added.Before(before) {
				found.add(s.Delivery)
			}
		}
		return found.enough(webhook.Delivery{Added: p.firstAdded, Site: math.MinInt64}), nil
	})
	return found.with(nil), err
}

// byAge is the order in which deliveries are purged.
func byAge(a, b webhook.Delivery) int {
	return cmp.Or(a.Added.Compare(b.Added), cmp.Compare(a.Site, b.Site), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Hook, b.Hook))
}

// resealBundles goes through the bundles part by part.
func resealBundles(t *tx) (written int, err error) {
	m := t.store.bundles()
	after := t.store.text(m.find("(site_id, hook_id, last_id) > (?, ?, ?)").OrderBy(m.keys...).Suffix("LIMIT ?"))
	var last bundle
	for {
		found, err := list(t, m, after, int64(last.site), int64(last.hook), int64(last.last), atOnce)
		if err != nil || len(found) == 0 {
			return written, err
		}
		if err := insertAll(t, m, insertsOf(t.store.dialect, t.store.text, m, m.replacing()), found); err != nil {
			return written, err
		}
		written, last = written+len(found), found[len(found)-1]
	}
}
