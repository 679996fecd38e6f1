package sqlstore

import (
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

var rejections = mapping[webhook.Rejection]{
	table: "rejection",
	keys:  []string{"site_id", "kind", "resource_id", "hook_id"},
	row: func(j *webhook.Rejection) row {
		return row{
			{"site_id", whole(&j.Site)}, {"kind", text(&j.Kind)}, {"resource_id", whole(&j.Resource)}, {"hook_id", whole(&j.Hook)},
			{"type", text(&j.Type)}, {"reason", text(&j.Reason)}, {"rejected_at", instant(&j.At)},
		}
	},
}

type rejectionRole struct{ tx *tx }

func (r rejectionRole) Put(j webhook.Rejection) error {
	redacted, err := r.tx.redacted(redaction{Site: j.Site, Kind: j.Kind, Resource: j.Resource})
	if err != nil {
		return err
	}
	if len(redacted) > 0 {
		j.Reason = ""
	}
	return put(r.tx, rejections, j)
}

func (r rejectionRole) Clear(id site.ID, hook webhook.ID, kind string, resource int64) (bool, error) {
	return r.clear(r.tx.store.hot.hooks.clear, int64(id), kind, resource, int64(hook))
}

func (r rejectionRole) ClearWebhook(id site.ID, hook webhook.ID) (bool, error) {
	return r.clear(r.tx.store.text(squirrel.Delete(rejections.table).Where("site_id = ? AND hook_id = ?")), int64(id), int64(hook))
}

func (r rejectionRole) ClearResource(id site.ID, kind string, resource int64) (bool, error) {
	return r.clear(r.tx.store.hot.hooks.clearResource, int64(id), kind, resource)
}

func (r rejectionRole) clear(statement string, args ...any) (bool, error) {
	n, err := r.tx.exec(statement, args...)
	return n > 0, err
}

func (r rejectionRole) Many(id site.ID, kind string, resources []int64) ([]webhook.Rejection, error) {
	return list(r.tx, rejections, r.tx.store.hot.hooks.rejections, int64(id), kind, r.tx.store.dialect.Numbers(resources))
}

func (r rejectionRole) Rejected(id site.ID, kind string, n int) ([]int64, error) {
	statement := squirrel.Select("DISTINCT resource_id").From(rejections.table).Where("site_id = ? AND kind = ?").
		OrderBy("resource_id").Suffix("LIMIT ?")
	return list(r.tx, numberColumn, r.tx.store.text(statement), int64(id), kind, max(n, 0))
}

// Purge implements port.Ledger. The head of a site keeps what was counted.
func (r ledgerRole) Purge(before time.Time, n int) (int, error) {
	return purge(r.tx, events, "happened_at", before, n)
}

func purge[T any](t *tx, m mapping[T], age string, before time.Time, n int) (int, error) {
	gone, err := t.exec(t.store.text(oldest(m, "1 = 1", age, m.keys...)), micros(before), max(n, 0))
	return int(gone), err
}

// oldest deletes a number of records of some age, the oldest first, and those of one
// age in the order of some columns.
func oldest[T any](m mapping[T], condition, age string, then ...string) squirrel.DeleteBuilder {
	keys := strings.Join(m.keys, ", ")
	return squirrel.Delete(m.table).Where("(" + keys + ") IN (SELECT " + keys + " FROM " + m.table +
		" WHERE " + condition + " AND " + age + " < ? ORDER BY " + age + ", " + strings.Join(then, ", ") + " LIMIT ?)")
}
