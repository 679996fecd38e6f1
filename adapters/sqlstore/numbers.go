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

// NextReference counts in one statement, which also locks the counter.
func (t *tx) NextReference(id site.ID, agency site.AgencyID) (int64, error) {
	if n, ok := t.moveCounter(id, agency, func(last int64) int64 { return last + 1 }); ok {
		return n, nil
	}
	drawn, err := t.numbers(t.store.hot.referenceNext, int64(id), int64(agency))
	if err != nil {
		return 0, err
	}
	return drawn[0], nil
}

func (t *tx) RaiseReference(id site.ID, agency site.AgencyID, n int64) error {
	if _, ok := t.moveCounter(id, agency, func(last int64) int64 { return max(last, n) }); ok {
		return nil
	}
	b := squirrel.Insert("reference_counter").Columns("site_id", "agency_id", "last_number").Values(parameters(3)...).
		Suffix("ON CONFLICT (site_id, agency_id) DO UPDATE SET last_number = excluded.last_number").
		Suffix("WHERE excluded.last_number > reference_counter.last_number")
	_, err := t.exec(t.store.text(b), int64(id), int64(agency), n)
	return err
}

// moveCounter moves the counter in the plan of the unit, if it can be, and returns where it then stands.
func (t *tx) moveCounter(id site.ID, agency site.AgencyID, move func(last int64) int64) (int64, bool) {
	p, ok := t.beginPlan(id)
	if !ok {
		return 0, false
	}
	return p.MoveCounter(t.ctx, agency, move)
}

// NextDeal counts in one statement, which also holds the number.
func (t *tx) NextDeal(of site.ID, agency site.AgencyID, kind deal.Kind) (int64, error) {
	counted := squirrel.Insert("deal_number").Columns("site_id", "agency_id", "kind", "last_number").
		Values(append(parameters(3), squirrel.Expr("1"))...).
		Suffix("ON CONFLICT (site_id, agency_id, kind) DO UPDATE SET last_number = deal_number.last_number + 1 RETURNING last_number")
	drawn, err := t.numbers(t.store.text(counted), int64(of), int64(agency), string(kind))
	if err != nil {
		return 0, err
	}
	return drawn[0], nil
}
