package memstore

import (
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

func (t tx) NextReference(id site.ID, agency site.AgencyID) (int64, error) {
	counter, _ := t.state.counters.get(key(int64(id), int64(agency)))
	return counter + 1, t.RaiseReference(id, agency, counter+1)
}

func (t tx) RaiseReference(id site.ID, agency site.AgencyID, n int64) error {
	k := key(int64(id), int64(agency))
	if counter, found := t.state.counters.get(k); found && counter >= n {
		return t.writing()
	}
	return put(t.unit, &t.state.counters, k, n, same)
}

func (t tx) NextDeal(of site.ID, agency site.AgencyID, kind deal.Kind) (int64, error) {
	k := key(int64(of), int64(agency)) + string(kind)
	last, _ := t.state.dealNumbers.get(k)
	return last + 1, put(t.unit, &t.state.dealNumbers, k, last+1, same)
}
