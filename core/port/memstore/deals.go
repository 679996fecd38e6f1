package memstore

import (
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) DealNumbers() port.DealNumbers { return dealNumbers(t) }

type dealNumbers struct{ *unit }

func (r dealNumbers) Next(of site.ID, agency site.AgencyID, kind deal.Kind) (int64, error) {
	k := dealNumberKey(of, agency, kind)
	counted, _ := r.state.dealNumbers.get(k)
	n := counted.Last + 1
	return n, put(r.unit, &r.state.dealNumbers, k, port.DealNumber{Site: of, Agency: agency, Kind: kind, Last: n}, same)
}

func dealNumberKey(of site.ID, agency site.AgencyID, kind deal.Kind) string {
	return key(int64(of), int64(agency)) + string(kind)
}
