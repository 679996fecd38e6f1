package dealtest

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// State is everything that a step can change, as it is stored, and the ledger.
type State struct {
	Offers     map[offer.ID]offer.Offer
	Agreements map[agreement.ID]agreement.Agreement
	Leases     map[letting.ID]letting.Lease
	Products   map[product.ID]product.Product
	Customers  map[customer.ID]customer.Customer
	Searches   map[demand.SearchID]demand.SearchRequest
	FollowUps  map[demand.FollowUpID]demand.FollowUp
	Events     []event.Event
}

// State reads it.
func (p *Play) State() (s State) {
	p.T.Helper()
	const most = 10_000
	p.View(func(tx port.Tx) error {
		offers, err := tx.Offers().Scan(theSite, 0, most)
		agreements, err2 := tx.Agreements().Scan(theSite, 0, most)
		leases, err3 := tx.Lettings().Scan(theSite, 0, most)
		ids := make([]product.ID, len(p.products))
		for n, id := range p.products {
			ids[n] = product.ID(id)
		}
		products, err4 := tx.Products().Many(theSite, ids)
		customers, err5 := tx.Customers().Scan(theSite, 0, most)
		searches, err6 := tx.SearchRequests().Scan(theSite, 0, most)
		followUps, err7 := tx.FollowUps().Scan(theSite, 0, most)
		events, err8 := tx.Ledger().After(theSite, 0, most)
		s = State{
			Offers:     byID(offers, func(o offer.Offer) offer.ID { return o.ID }),
			Agreements: byID(agreements, func(a agreement.Agreement) agreement.ID { return a.ID }),
			Leases:     byID(leases, func(l letting.Lease) letting.ID { return l.ID }),
			Products:   byID(products, func(p product.Product) product.ID { return p.ID }),
			Customers:  byID(customers, func(c customer.Customer) customer.ID { return c.ID }),
			Searches:   byID(searches, func(r demand.SearchRequest) demand.SearchID { return r.ID }),
			FollowUps:  byID(followUps, func(f demand.FollowUp) demand.FollowUpID { return f.ID }),
			Events:     events,
		}
		return kernel.FirstError(err, err2, err3, err4, err5, err6, err7, err8)
	})
	return s
}

func byID[ID comparable, T any](records []T, id func(T) ID) map[ID]T {
	all := make(map[ID]T, len(records))
	for _, r := range records {
		all[id(r)] = r
	}
	return all
}

// named is a record of some kind.
type named struct {
	kind string
	id   int64
}

// versions are those of all records.
func (s State) versions() map[named]int64 {
	all := map[named]int64{}
	add := func(kind string, id, version int64) { all[named{kind, id}] = version }
	for id, o := range s.Offers {
		add("OFFER", int64(id), o.Version)
	}
	for id, a := range s.Agreements {
		add("AGREEMENT", int64(id), a.Version)
	}
	for id, l := range s.Leases {
		add("LEASE", int64(id), l.Version)
	}
	for id, p := range s.Products {
		add("PRODUCT", int64(id), p.Version)
	}
	for id, c := range s.Customers {
		add("CUSTOMER", int64(id), c.Version)
	}
	for id, r := range s.Searches {
		add("SEARCH", int64(id), r.Version)
	}
	for id, f := range s.FollowUps {
		add("FOLLOWUP", int64(id), f.Version)
	}
	return all
}
