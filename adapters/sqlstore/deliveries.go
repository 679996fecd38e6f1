package sqlstore

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

var deliveries = mapping[webhook.Delivery]{
	table: "delivery",
	keys:  []string{"site_id", "hook_id", "id"},
	row: func(d *webhook.Delivery) row {
		return row{
			{"site_id", whole(&d.Site)}, {"id", whole(&d.ID)}, {"hook_id", whole(&d.Hook)}, {"event_seq", whole(&d.Event)},
			{"message", text(&d.Message)}, {"type", text(&d.Type)}, {"resource_id", whole(&d.Resource)}, {"subject", text(&d.Subject)},
			{"happened_at", instant(&d.At)}, {"status", statusName{&d.Status}}, {"epoch", whole(&d.Epoch)},
			{"failures", whole(&d.Failures)}, {"number", whole(&d.Number)}, {"due_at", instant(&d.Due)}, {"reason", text(&d.Reason)},
			{"added_at", instant(&d.Added)},
		}
	},
}

// The names of statuses are part of the indexes, and stand in statements so that
// engines recognise these. Without mention of the event, SQLite would rather go
// through all deliveries of a webhook than through the pending ones. No event is below 0:
// the numbers of a ledger begin at 1, and a test has 0.
const (
	pendingOf = "site_id = ? AND hook_id = ? AND status = 'pending' AND event_seq >= 0"
	over      = "status <> 'pending'"
)

// statusName is a column of a delivery's status by its name.
type statusName struct{ p *webhook.Status }

func (c statusName) Value() (driver.Value, error) { return c.p.String(), nil }

func (c statusName) Scan(src any) error {
	var name string
	if err := text(&name).Scan(src); err != nil {
		return err
	}
	status, known := webhook.ParseStatus(name)
	if !known {
		return fmt.Errorf("%q is no status of a delivery", name)
	}
	*c.p = status
	return nil
}

type deliveryRole struct{ tx *tx }

// Add records the deliveries first and then makes webhooks due. Whoever releases a
// lease looks for deliveries while holding it, so that it either finds these or
// is the one that came first.
func (r deliveryRole) Add(added []webhook.Delivery) error {
	if p := r.tx.plan; p != nil && p.AssumesWebhooks() && r.tx.reading() == nil {
		_, err := planRecords(r.tx, addingDeliveries, deliveries, added...)
		return err
	}
	for chunk := range slices.Chunk(added, batch) {
		if err := insertAll(r.tx, deliveries, r.tx.store.hot.hooks.add, chunk); err != nil {
			return err
		}
	}
	return r.becomeDue(added)
}

func (r deliveryRole) becomeDue(added []webhook.Delivery) error {
	for chunk := range slices.Chunk(leasesOf(added), batch) {
		if err := insertAll(r.tx, hookLeases, r.tx.store.hot.hooks.due, chunk); err != nil {
			return err
		}
	}
	return nil
}

func (r deliveryRole) Get(id site.ID, hook webhook.ID, d webhook.DeliveryID) (webhook.Delivery, error) {
	return one(r.tx, deliveries, r.tx.store.hot.hooks.delivery, int64(id), int64(hook), int64(d))
}

func (r deliveryRole) Pending(id site.ID, hook webhook.ID, n int) ([]webhook.Delivery, error) {
	return list(r.tx, deliveries, r.tx.store.hot.hooks.pending, int64(id), int64(hook), max(n, 0))
}

func (r deliveryRole) Many(id site.ID, hook webhook.ID, ids []webhook.DeliveryID) ([]webhook.Delivery, error) {
	of := slices.Repeat([]int64{int64(id)}, len(ids))
	by := slices.Repeat([]int64{int64(hook)}, len(ids))
	return list(r.tx, deliveries, r.tx.store.hot.hooks.many, r.tx.store.dialect.Tuples(of, by, plain(ids))...)
}

// addingDeliveries is the part that adds deliveries, with ids in the order of their events, and
// makes their webhooks due.
var addingDeliveries = func() plan.Part {
	const name = "added_delivery"
	names := deliveries.row(new(webhook.Delivery)).names()
	values := slices.Clone(names)
	values[slices.Index(names, "id")] = "nextval('" + sequenceNames[port.DeliveryIDs] + "')"
	due, _, _ := dueAsIn("sent", "status = 'pending'").ToSql()
	return plan.Part{Name: name, Text: "sent AS (SELECT added.* FROM json_populate_recordset(NULL::delivery, ?::json) AS added JOIN met USING (site_id)), " +
		name + " AS (INSERT INTO delivery (" + strings.Join(names, ", ") + ") SELECT " + strings.Join(values, ", ") +
		" FROM (SELECT * FROM sent ORDER BY site_id, event_seq, id) AS sent), due AS (" + due + ")"}
}()

// Settle stores with one statement what became of all that ended alike.
func (r deliveryRole) Settle(settled []webhook.Settled) error {
	if err := r.tx.writing(); err != nil {
		return err
	}
	settled, err := r.withoutRedacted(settled)
	if err != nil {
		return err
	}
	alike := map[webhook.Delivery][]webhook.Settled{}
	var endings []webhook.Delivery
	for _, s := range settled {
		e := endingOf(s.Delivery)
		if alike[e] == nil {
			endings = append(endings, e)
		}
		alike[e] = append(alike[e], s)
	}
	for _, e := range endings {
		if err := r.end(e, alike[e]); err != nil {
			return err
		}
	}
	return nil
}

// end stores how some deliveries ended, and the attempts behind that.
func (r deliveryRole) end(e webhook.Delivery, alike []webhook.Settled) error {
	made := make([]deliveryAttempts, len(alike))
	for i, s := range alike {
		made[i] = deliveryAttempts{Site: s.Site, Hook: s.Hook, Delivery: s.ID}
		if s.Attempt != nil {
			made[i].Attempts = []webhook.Attempt{*s.Attempt}
		}
	}
	values, err := ending(&e).values()
	if err != nil {
		return r.tx.fail(fmt.Errorf("writing %s: %w", deliveries.table, err))
	}
	n, err := r.tx.writeAttempts(r.tx.store.hot.hooks.settle, made, values...)
	if missing := int64(len(alike)) - n; err == nil && missing != 0 {
		err = fmt.Errorf("%d of %d deliveries: %w", missing, len(alike), fault.NotFound)
	}
	return err
}

// endingOf is what deliveries that ended alike have in common. When one that is
// final was due does not matter any more.
func endingOf(d webhook.Delivery) webhook.Delivery {
	e := webhook.Delivery{Status: d.Status, Epoch: d.Epoch, Failures: d.Failures, Number: d.Number, Reason: d.Reason}
	if d.Status == webhook.Pending {
		e.Due = d.Due
	}
	return e
}

// ending are the columns that settling changes.
func ending(d *webhook.Delivery) row {
	return row{
		{"status", statusName{&d.Status}}, {"epoch", whole(&d.Epoch)}, {"failures", whole(&d.Failures)},
		{"number", whole(&d.Number)}, {"reason", text(&d.Reason)}, {"due_at", instant(&d.Due)},
	}
}

// settlement changes the columns of an ending, and adds attempts to those that are there. A
// moment that is NULL leaves the one that is there.
func (s *Store) settlement() squirrel.Sqlizer {
	b := squirrel.Update(deliveries.table)
	for _, name := range ending(&webhook.Delivery{}).names() {
		value := "?"
		if name == "due_at" {
			value = "COALESCE(?, due_at)"
		}
		b = b.Set(name, squirrel.Expr(value))
	}
	return s.givenAttempts(b.Set("attempts", squirrel.Expr("attempts || made")))
}

func (r deliveryRole) Cancel(id site.ID, hook webhook.ID, reason string) error {
	why, err := text(&reason).Value()
	if err != nil {
		return r.tx.fail(fmt.Errorf("writing %s: %w", deliveries.table, err))
	}
	_, err = r.tx.exec(r.tx.store.text(squirrel.Update(deliveries.table).Set("status", squirrel.Expr("?")).Set("reason", squirrel.Expr("?")).
		Where(pendingOf)), webhook.Cancelled.String(), why, int64(id), int64(hook))
	return err
}

func (r deliveryRole) Hasten(id site.ID, hook webhook.ID, due time.Time) error {
	_, err := r.tx.exec(r.tx.store.text(squirrel.Update(deliveries.table).Set("due_at", squirrel.Expr("?")).
		Where(pendingOf).Where("due_at > ?")), micros(due), int64(id), int64(hook), micros(due))
	if err != nil {
		return err
	}
	_, err = r.tx.exec(r.tx.store.text(dueAsIn(deliveries.table, pendingOf)), int64(id), int64(hook))
	return err
}

func (r deliveryRole) Due(now time.Time, n int) (int, error) {
	due := squirrel.Select("1").From(deliveries.table).Where("status = 'pending' AND due_at <= ?").Suffix("LIMIT ?")
	found, err := list(r.tx, numberColumn, r.tx.store.text(squirrel.Select("count(*)").FromSelect(due, "due")), micros(now), max(n, 0))
	if err != nil {
		return 0, err
	}
	return int(found[0]), nil
}
