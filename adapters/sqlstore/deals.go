package sqlstore

import (
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t *tx) DealNumbers() port.DealNumbers { return dealNumberRole{t} }

var dealNumbers = mapping[port.DealNumber]{
	table: "deal_number",
	keys:  []string{"site_id", "agency_id", "kind"},
	row: func(n *port.DealNumber) row {
		return row{{"site_id", whole(&n.Site)}, {"agency_id", whole(&n.Agency)}, {"kind", text(&n.Kind)}, {"last_number", whole(&n.Last)}}
	},
}

type dealNumberRole struct{ tx *tx }

// Next counts in one statement, which also holds the number.
func (r dealNumberRole) Next(of site.ID, agency site.AgencyID, kind deal.Kind) (int64, error) {
	counted := dealNumbers.insert().Suffix("ON CONFLICT (site_id, agency_id, kind) DO UPDATE SET last_number = deal_number.last_number + 1 RETURNING last_number")
	drawn, err := r.tx.numbers(r.tx.store.text(counted), int64(of), int64(agency), string(kind), 1)
	if err != nil {
		return 0, err
	}
	return drawn[0], nil
}
