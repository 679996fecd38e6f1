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

// split parts the results about which everything is kept from those of redacted
// resources, without what the receiver said.
func (r deliveryRole) split(settled []webhook.Settled) (whole, redacted []webhook.Settled, err error) {
	aboutOf := func(s webhook.Settled) redaction {
		return redaction{Site: s.Site, Kind: s.Type.Resource(), Resource: s.Resource}
	}
	about := make([]redaction, len(settled))
	for i, s := range settled {
		about[i] = aboutOf(s)
	}
	found, err := r.tx.redacted(about...)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range settled {
		if !slices.Contains(found, aboutOf(s)) {
			whole = append(whole, s)
			continue
		}
		if s.Attempt != nil {
			attempt := *s.Attempt
			attempt.Excerpt = ""
			s.Attempt = &attempt
		}
		redacted = append(redacted, s)
	}
	return whole, redacted, nil
}

// withoutReason takes the reasons of some deliveries away.
func withoutReason(which string) squirrel.Sqlizer {
	return squirrel.Update(deliveries.table).Set("reason", squirrel.Expr("''")).Where(which)
}

func (r deliveryLogRole) Forget(id site.ID, kind string, resources []int64) error {
	about := "site_id = ? AND resource_id " + r.tx.store.dialect.Among + " AND type LIKE ? ESCAPE '!'"
	if kind != event.ProductUpdate.Resource() {
		// Redundant, so that the index with this condition is used.
		about += " AND type <> 'PRODUCT_CREATE' AND type <> 'PRODUCT_UPDATE' AND type <> 'PRODUCT_DELETE'"
	}
	args := []any{int64(id), r.tx.store.dialect.Numbers(resources), kind + `!_%`}
	// The deliveries come first: who settles one of them at this moment is waited
	// for, and what they stored is found.
	if _, err := r.tx.exec(r.tx.store.text(squirrel.Update(deliveries.table).Set("reason", squirrel.Expr("''")).Where(about)), args...); err != nil {
		return err
	}
	excerpts := squirrel.Update(r.tx.store.tries().table).Set("excerpt", squirrel.Expr("''")).
		Where("site_id = ? AND delivery_id IN (SELECT id FROM " + deliveries.table + " WHERE " + about + ")")
	_, err := r.tx.exec(r.tx.store.text(excerpts), append([]any{int64(id)}, args...)...)
	return err
}

func (r rejectionRole) Forget(id site.ID, kind string, resources []int64) error {
	statement := r.tx.store.text(squirrel.Update(rejections.table).Set("reason", squirrel.Expr("''")).
		Where("site_id = ? AND kind = ? AND resource_id " + r.tx.store.dialect.Among))
	_, err := r.tx.exec(statement, int64(id), kind, r.tx.store.dialect.Numbers(resources))
	return err
}
