package memstore

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) Offers() port.Offers {
	return deals[offer.ID, offer.Offer]{
		tableOf(t.unit, &t.state.offers, "offer", func(o offer.Offer) (site.ID, offer.ID) { return o.Site, o.ID }), deal.OfOffer,
	}
}

func (t tx) Agreements() port.Agreements {
	return deals[agreement.ID, agreement.Agreement]{
		tableOf(t.unit, &t.state.agreements, "agreement", func(a agreement.Agreement) (site.ID, agreement.ID) { return a.Site, a.ID }), deal.OfAgreement,
	}
}

func (t tx) Lettings() port.Lettings {
	return deals[letting.ID, letting.Lease]{
		tableOf(t.unit, &t.state.lettings, "lease", func(l letting.Lease) (site.ID, letting.ID) { return l.Site, l.ID }), deal.OfLease,
	}
}

// deals is a port.Deals.
type deals[ID ~int64, T any] struct {
	table[ID, T]
	facts func(T) deal.Facts
}

// those copies the records whose key begins with prefix and whose facts are
// wanted, by key.
func (r deals[ID, T]) those(prefix string, wanted func(deal.Facts) bool) ([]T, error) {
	found, err := all(r.unit, *r.records, prefix, r.clone)
	return slices.DeleteFunc(found, func(v T) bool { return !wanted(r.facts(v)) }), err
}

func (r deals[ID, T]) Find(q port.DealQuery) ([]T, error) {
	found, err := r.those(key(int64(q.Site)), func(f deal.Facts) bool { return f.ID > q.After && q.Filter.Matches(f) })
	slices.SortFunc(found, func(a, b T) int { return q.Order.Compare(r.facts(a), r.facts(b)) })
	found = found[min(len(found), max(q.Skip, 0)):]
	return found[:min(len(found), max(q.Limit, 0))], err
}

func (r deals[ID, T]) About(of site.ID, products []product.ID) ([]T, error) {
	return r.those(key(int64(of)), func(f deal.Facts) bool { return slices.Contains(products, f.Product) })
}

func (r deals[ID, T]) With(of site.ID, party customer.ID) ([]T, error) {
	return r.those(key(int64(of)), func(f deal.Facts) bool { return slices.Contains(f.Parties, party) })
}

func (r deals[ID, T]) Due(at time.Time, n int) ([]T, error) {
	found, err := r.those("", func(f deal.Facts) bool { return !f.Due().IsZero() && !f.Due().After(at) })
	slices.SortStableFunc(found, func(a, b T) int { return r.facts(a).Due().Compare(r.facts(b).Due()) })
	return found[:min(len(found), max(n, 0))], err
}

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
