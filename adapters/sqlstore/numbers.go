package sqlstore

import (
	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

func nextReference() squirrel.Sqlizer {
	return squirrel.Insert("reference_counter").Columns("site_id", "agency_id", "last_number").
		Values(append(parameters(2), squirrel.Expr("1"))...).
		Suffix("ON CONFLICT (site_id, agency_id) DO UPDATE SET last_number = reference_counter.last_number + 1 RETURNING last_number")
}

type numberRole struct{ tx *tx }

// NextReference counts in one statement, which also locks the counter.
func (r numberRole) NextReference(id site.ID, agency site.AgencyID) (int64, error) {
	if n, ok := r.plan(id, agency, func(last int64) int64 { return last + 1 }); ok {
		return n, nil
	}
	drawn, err := r.tx.numbers(r.tx.store.hot.referenceNext, int64(id), int64(agency))
	if err != nil {
		return 0, err
	}
	return drawn[0], nil
}

func (r numberRole) RaiseReference(id site.ID, agency site.AgencyID, n int64) error {
	if _, ok := r.plan(id, agency, func(last int64) int64 { return max(last, n) }); ok {
		return nil
	}
	b := squirrel.Insert("reference_counter").Columns("site_id", "agency_id", "last_number").Values(parameters(3)...).
		Suffix("ON CONFLICT (site_id, agency_id) DO UPDATE SET last_number = excluded.last_number").
		Suffix("WHERE excluded.last_number > reference_counter.last_number")
	_, err := r.tx.exec(r.tx.store.text(b), int64(id), int64(agency), n)
	return err
}

// plan moves the counter in the plan of the unit, if it can be, and returns where it then stands.
func (r numberRole) plan(id site.ID, agency site.AgencyID, move func(last int64) int64) (int64, bool) {
	p, ok := r.tx.beginPlan(id)
	if !ok {
		return 0, false
	}
	return p.MoveCounter(r.tx.ctx, agency, move)
}

// NextDeal counts in one statement, which also holds the number.
func (r numberRole) NextDeal(of site.ID, agency site.AgencyID, kind deal.Kind) (int64, error) {
	counted := squirrel.Insert("deal_number").Columns("site_id", "agency_id", "kind", "last_number").
		Values(append(parameters(3), squirrel.Expr("1"))...).
		Suffix("ON CONFLICT (site_id, agency_id, kind) DO UPDATE SET last_number = deal_number.last_number + 1 RETURNING last_number")
	drawn, err := r.tx.numbers(r.tx.store.text(counted), int64(of), int64(agency), string(kind))
	if err != nil {
		return 0, err
	}
	return drawn[0], nil
}
