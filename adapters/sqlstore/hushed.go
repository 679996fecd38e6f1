package sqlstore

import (
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// hush is a resource about which nothing is kept of what receivers say.
type hush struct {
	site     site.ID
	kind     string
	resource int64
}

var hushes = mapping[hush]{
	table: "hushed",
	keys:  []string{"site_id", "kind", "resource_id"},
	row: func(h *hush) row {
		return row{{"site_id", whole(&h.site)}, {"kind", text(&h.kind)}, {"resource_id", whole(&h.resource)}}
	},
}

func (r deliveryRole) Hush(id site.ID, kind string, resources []int64) error {
	statement := r.store.text(hushes.insert().Suffix("ON CONFLICT (" + strings.Join(hushes.keys, ", ") + ") DO NOTHING"))
	for _, resource := range resources {
		if _, err := write(r.tx, hushes, statement, hush{id, kind, resource}); err != nil {
			return err
		}
	}
	return r.writing()
}

// hushed finds those of some resources about which nothing is kept. Only personal
// ones are looked up: nearly all deliveries are about others.
func (t *tx) hushed(id site.ID, kind string, resources ...int64) ([]int64, error) {
	if !event.IsPersonal(kind) {
		return nil, nil
	}
	return list(t, numberColumn, t.store.hot.hooks.hushed, int64(id), kind, t.store.dialect.Numbers(resources))
}

// quiet are the ids of those of some deliveries whose resource is hushed.
func (r deliveryRole) quiet(id site.ID, settled []webhook.Settled) (ids []int64, err error) {
	about := map[string][]int64{}
	for _, s := range settled {
		about[s.Type.Resource()] = append(about[s.Type.Resource()], s.Resource)
	}
	for kind, resources := range about {
		found, err := r.hushed(id, kind, resources...)
		if err != nil {
			return nil, err
		}
		for _, s := range settled {
			if s.Type.Resource() == kind && slices.Contains(found, s.Resource) {
				ids = append(ids, int64(s.ID))
			}
		}
	}
	return ids, nil
}

// withoutReason takes the reasons of some deliveries of a webhook away.
func withoutReason(among string) squirrel.Sqlizer {
	return squirrel.Update(deliveries.table).Set("reason", squirrel.Expr("''")).Where("site_id = ? AND hook_id = ? AND id " + among)
}

func (r deliveryLogRole) Forget(id site.ID, kind string, resources []int64) error {
	about := "site_id = ? AND resource_id " + r.store.dialect.Among + " AND type LIKE ? ESCAPE '!'"
	if kind != event.ProductUpdate.Resource() {
		about += " AND type <> 'PRODUCT_UPDATE'" // for the sake of the index, which says so
	}
	args := []any{int64(id), r.store.dialect.Numbers(resources), kind + `!_%`}
	// The deliveries come first: who settles one of them at this moment is waited
	// for, and what they stored is found.
	if _, err := r.exec(r.store.text(squirrel.Update(deliveries.table).Set("reason", squirrel.Expr("''")).Where(about)), args...); err != nil {
		return err
	}
	excerpts := squirrel.Update(tries.table).Set("excerpt", squirrel.Expr("''")).
		Where("site_id = ? AND delivery_id IN (SELECT id FROM " + deliveries.table + " WHERE " + about + ")")
	_, err := r.exec(r.store.text(excerpts), append([]any{int64(id)}, args...)...)
	return err
}

func (r rejectionRole) Forget(id site.ID, kind string, resources []int64) error {
	statement := r.store.text(squirrel.Update(rejections.table).Set("reason", squirrel.Expr("''")).
		Where("site_id = ? AND kind = ? AND resource_id " + r.store.dialect.Among))
	_, err := r.exec(statement, int64(id), kind, r.store.dialect.Numbers(resources))
	return err
}
