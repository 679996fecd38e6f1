package sqlstore

import (
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

func (s *Store) webhooks() mapping[webhook.Webhook] {
	const table = "webhook"
	return mapping[webhook.Webhook]{
		table: table,
		keys:  []string{"site_id", "id"},
		row: func(w *webhook.Webhook) row {
			sealed := sealing{s.keyring, table, &w.Site, numbered(&w.ID)}
			return row{
				{"site_id", whole(&w.Site)}, {"id", whole(&w.ID)}, sealed.address("url", &w.URL), {"origins", document(&w.Origins)},
				sealed.column("headers", secretHeaders{&w.Headers}), {"auth_id", whole(&w.Auth)}, {"format", text(&w.Format)},
				{"skip_own", &w.SkipOwn}, {"coalesce_nanoseconds", whole(&w.Coalesce)}, {"created_by", text(&w.CreatedBy)}, {"state", stateName{&w.State}}, {"epoch", whole(&w.Epoch)},
				{"suspended_at", instant(&w.SuspendedAt)}, {"suspended_reason", text(&w.SuspendedReason)},
				{"last_success_at", instant(&w.LastSuccess)}, {"last_failure_at", instant(&w.LastFailure)},
				{"missed_from", whole(&w.MissedFrom)}, {"missed_at", instant(&w.MissedAt)},
				{"added_at", instant(&w.Added)}, {"modified_at", instant(&w.Modified)},
			}
		},
	}
}

// stateName is a column of a webhook's state by its name.
type stateName struct{ p *webhook.State }

func (c stateName) Value() (driver.Value, error) { return c.p.String(), nil }

func (c stateName) Scan(src any) error {
	var name string
	if err := text(&name).Scan(src); err != nil {
		return err
	}
	for _, state := range []webhook.State{webhook.Active, webhook.Suspended} {
		if state.String() == name {
			*c.p = state
			return nil
		}
	}
	return fmt.Errorf("%q is no state of a webhook", name)
}

type webhookRole struct{ tx *tx }

func (r webhookRole) Get(id site.ID, hook webhook.ID) (webhook.Webhook, error) {
	statement := r.tx.store.hot.hooks.get
	if r.tx.writes {
		statement = r.tx.store.hot.hooks.held
	}
	return one(r.tx, r.tx.store.webhooks(), statement, int64(id), int64(hook))
}

func (r webhookRole) Free(keys []webhook.Key) ([]webhook.Webhook, error) {
	if err := r.tx.writing(); err != nil {
		return nil, err
	}
	return list(r.tx, r.tx.store.webhooks(), r.tx.store.hot.hooks.free, r.tx.namesOf(keys)...)
}

// namesOf makes the parameters that name webhooks.
func (t *tx) namesOf(keys []webhook.Key) []any {
	var sites, hooks []int64
	for _, k := range keys {
		sites, hooks = append(sites, int64(k.Site)), append(hooks, int64(k.Hook))
	}
	return t.store.dialect.Tuples(sites, hooks)
}

func (r webhookRole) Of(id site.ID) ([]webhook.Webhook, error) {
	if p, ok := r.tx.planOf(id); ok {
		if hooks, known := p.Webhooks(r.tx.ctx); known {
			return hooks, nil
		}
	}
	return list(r.tx, r.tx.store.webhooks(), r.tx.store.hot.hooks.of, int64(id))
}

func (r webhookRole) Put(w webhook.Webhook) error {
	_, err := write(r.tx, r.tx.store.webhooks(), r.tx.store.hot.hooks.put, w)
	return err
}

func (r webhookRole) Delete(id site.ID, hook webhook.ID) error {
	for _, from := range []struct{ table, key string }{{"webhook", "id"}, {"hook_turn", "hook_id"}} {
		if err := r.tx.remove(from.table, from.key, id, int64(hook)); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes the record of a site with a key, if there is one.
func (t *tx) remove(table, key string, id site.ID, value int64) error {
	_, err := t.exec(t.store.text(squirrel.Delete(table).Where("site_id = ?").Where(key+" = ?")), int64(id), value)
	return err
}

// stamp is a moment in a column that has 0 for "never".
func stamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}
