package sqlstore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// redaction is a resource about which nothing is kept of what receivers say.
type redaction struct {
	Site     site.ID
	Kind     string
	Resource int64
}

var redactions = mapping[redaction]{
	table: "hushed",
	keys:  []string{"site_id", "kind", "resource_id"},
	row: func(r *redaction) row {
		return row{{"site_id", whole(&r.Site)}, {"kind", text(&r.Kind)}, {"resource_id", whole(&r.Resource)}}
	},
}

func (r deliveryRole) Redact(id site.ID, kind string, resources []int64) error {
	statement := r.tx.store.text(redactions.insert().Suffix("ON CONFLICT (" + strings.Join(redactions.keys, ", ") + ") DO NOTHING"))
	for _, resource := range resources {
		if _, err := write(r.tx, redactions, statement, redaction{Site: id, Kind: kind, Resource: resource}); err != nil {
			return err
		}
	}
	return r.tx.writing()
}

// redacted finds those of some resources, of any sites, about which nothing is kept.
// Only personal ones are looked up: nearly all deliveries are about others.
func (t *tx) redacted(about ...redaction) ([]redaction, error) {
	about = slices.DeleteFunc(about, func(r redaction) bool { return !event.IsPersonal(r.Kind) })
	if len(about) == 0 {
		return nil, nil
	}
	rows, err := rowsOf(redactions, about)
	if err != nil {
		return nil, t.fail(fmt.Errorf("reading %s: %w", redactions.table, err))
	}
	return list(t, redactions, t.store.hot.hooks.redacted, rows)
}

// withoutRedacted takes away what receivers said about resources of which nothing is kept.
func (r deliveryRole) withoutRedacted(settled []webhook.Settled) ([]webhook.Settled, error) {
	aboutOf := func(s webhook.Settled) redaction {
		return redaction{Site: s.Site, Kind: s.Type.Resource(), Resource: s.Resource}
	}
	var about []redaction
	var sites, hooks, ids []int64
	for _, s := range settled {
		if a := aboutOf(s); event.IsPersonal(a.Kind) {
			about = append(about, a)
			sites, hooks, ids = append(sites, int64(s.Site)), append(hooks, int64(s.Hook)), append(ids, int64(s.ID))
		}
	}
	if len(about) == 0 {
		return settled, nil
	}
	// The deliveries are held first: who redacts a resource either has done so, or
	// waits, and forgets what is stored here.
	if _, err := list(r.tx, deliveries, r.tx.store.hot.hooks.manyHeld, r.tx.store.dialect.Tuples(sites, hooks, ids)...); err != nil {
		return nil, err
	}
	found, err := r.tx.redacted(about...)
	if err != nil || len(found) == 0 {
		return settled, err
	}
	settled = slices.Clone(settled)
	for i := range settled {
		s := &settled[i]
		if !slices.Contains(found, aboutOf(*s)) {
			continue
		}
		s.Reason = ""
		if s.Attempt != nil {
			attempt := *s.Attempt
			attempt.Excerpt = ""
			s.Attempt = &attempt
		}
	}
	return settled, nil
}

func (r deliveryRole) Forget(id site.ID, kind string, resources []int64) error {
	about := "site_id = ? AND resource_id " + r.tx.store.dialect.Among + " AND type LIKE ? ESCAPE '!'"
	if kind != event.ProductUpdate.Resource() {
		// Redundant, so that the index with this condition is used.
		about += " AND type <> 'PRODUCT_CREATE' AND type <> 'PRODUCT_UPDATE' AND type <> 'PRODUCT_DELETE'"
	}
	args := []any{int64(id), r.tx.store.dialect.Numbers(resources), kind + `!_%`}
	// The reasons come first: who settles one of these deliveries at this moment is waited
	// for, and what they stored is found.
	if _, err := r.tx.exec(r.tx.store.text(squirrel.Update(deliveries.table).Set("reason", squirrel.Expr("''")).Where(about)), args...); err != nil {
		return err
	}
	said, err := list(r.tx, r.tx.store.attempts(), r.tx.store.text(r.tx.store.attempts().find(about+` AND attempts LIKE '%"excerpt":%'`)), args...)
	if err != nil || len(said) == 0 {
		return err
	}
	for _, d := range said {
		for i := range d.Attempts {
			d.Attempts[i].Excerpt = ""
		}
	}
	_, err = r.tx.writeAttempts(r.tx.store.hot.hooks.replace, said)
	return err
}

func (r rejectionRole) Forget(id site.ID, kind string, resources []int64) error {
	statement := r.tx.store.text(squirrel.Update(rejections.table).Set("reason", squirrel.Expr("''")).
		Where("site_id = ? AND kind = ? AND resource_id " + r.tx.store.dialect.Among))
	_, err := r.tx.exec(statement, int64(id), kind, r.tx.store.dialect.Numbers(resources))
	return err
}
