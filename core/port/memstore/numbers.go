package memstore

import (
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

type numbers struct{ *unit }

func (r numbers) NextReference(id site.ID, agency site.AgencyID) (int64, error) {
	counter, _ := r.state.counters.get(key(int64(id), int64(agency)))
	return counter + 1, r.RaiseReference(id, agency, counter+1)
}

func (r numbers) RaiseReference(id site.ID, agency site.AgencyID, n int64) error {
	k := key(int64(id), int64(agency))
	if counter, found := r.state.counters.get(k); found && counter >= n {
		return r.writing()
	}
	return put(r.unit, &r.state.counters, k, n, same)
}

func (r numbers) NextDeal(of site.ID, agency site.AgencyID, kind deal.Kind) (int64, error) {
	k := key(int64(of), int64(agency)) + string(kind)
	last, _ := r.state.dealNumbers.get(k)
	return last + 1, put(r.unit, &r.state.dealNumbers, k, last+1, same)
}
