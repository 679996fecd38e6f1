package port

import (
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Deals holds the offers, agreements or leases.
type Deals[ID ~int64, T any] struct {
	Table[ID, T]
	facts func(T) deal.Facts
}

// Find lists the records a query wants, in its order: those of which deal.Filter.Matches
// is true, as deal.Order.Compare sorts them.
func (d Deals[ID, T]) Find(q DealQuery) ([]T, error) {
	f := q.Filter
	where := conditions{AmongIDs("agency_id", f.Agencies), {Field: "id", Is: Above, Value: q.After}}
	where.add(f.Product != 0, Condition{Field: "product_id", Is: Equal, Value: int64(f.Product)})
	where.add(f.Customer != 0, LinkedTo(party, f.Customer))
	where.add(f.User != 0, Condition{Field: "user_id", Is: Equal, Value: int64(f.User)})
	where.add(f.Offer != 0, Condition{Field: "offer_id", Is: Equal, Value: int64(f.Offer)})
	where.add(len(f.Statuses) > 0, statusAt(f.Statuses, f.Now))
	where.add(len(f.Types) > 0, AmongTexts("type", f.Types))
	where.add(f.From != 0, Condition{Field: "day", Is: AtLeast, Value: int64(f.From)})
	where.add(f.To != 0, Condition{Field: "day", Is: AtMost, Value: int64(f.To)})
	where.add(f.To != 0, Condition{Field: "day", Is: Above, Value: int64(0)})
	where.add(!f.ModifiedSince.IsZero(), Condition{Field: "modified_at", Is: AtLeast, Value: f.ModifiedSince.UnixMicro()})
	by := ""
	switch q.Order.Key {
	case deal.ByModified:
		by = "modified_at"
	case deal.ByAdded:
		by = "added_at"
	case deal.ByAmount:
		by = "amount"
	case deal.ByID:
	}
	return d.find(Query{Site: q.Site, Where: where, By: by, Desc: q.Order.Desc, Skip: max(q.Skip, 0), Limit: max(q.Limit, 0)})
}

// statusAt is the condition that transition.StatusAt is one of some statuses.
func statusAt(statuses []string, now time.Time) Condition {
	later := func(field string) Condition {
		return Condition{Either: [][]Condition{{{Field: field, Is: Unset}}, {{Field: field, Is: Above, Value: now}}}}
	}
	reached := func(field string) Condition { return Condition{Field: field, Is: AtMost, Value: now} }
	return Condition{Either: [][]Condition{
		{later("due_at"), AmongTexts("status", statuses)},
		{reached("due_at"), later("later_at"), AmongTexts("due_status", statuses)},
		{reached("due_at"), reached("later_at"), AmongTexts("later_status", statuses)},
	}}
}

// About lists the records about some products, by id.
func (d Deals[ID, T]) About(of site.ID, products []product.ID) ([]T, error) {
	return d.find(Query{Site: of, Where: []Condition{AmongIDs("product_id", products)}, Limit: All})
}

// With lists the records to which a customer is a party, by id.
func (d Deals[ID, T]) With(of site.ID, c customer.ID) ([]T, error) {
	return d.find(Query{Site: of, Where: []Condition{LinkedTo(party, c)}, Limit: All})
}

// Due lists at most n records, of any site, that the clock changes at a moment or earlier,
// the first due first.
func (d Deals[ID, T]) Due(at time.Time, n int) ([]T, error) {
	return d.find(Query{Where: []Condition{{Field: "due_at", Is: AtMost, Value: at}}, By: "due_at", Limit: max(n, 0)})
}

// Put stores a record, whether or not there is one with its id. It refuses one that has
// more ahead of it than it can be found by.
func (d Deals[ID, T]) Put(record T) error {
	if n := len(d.facts(record).Ahead); n > phases {
		return fmt.Errorf("port: a deal has %d phases ahead of it, and can be found by %d", n, phases)
	}
	return d.Table.Put(record)
}

// Offers holds the offers.
type Offers = Deals[offer.ID, offer.Offer]

// Agreements holds the sale agreements.
type Agreements = Deals[agreement.ID, agreement.Agreement]

// Lettings holds the leases of products.
type Lettings = Deals[letting.ID, letting.Lease]

// DealQuery says which offers, agreements or leases of a site are wanted.
type DealQuery struct {
	Site   site.ID
	Filter deal.Filter
	Order  deal.Order
	// After wants only ids above it, and goes with ascending ids; Skip passes over
	// that many.
	After int64
	Skip  int
	Limit int
}
