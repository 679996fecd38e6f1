package sqlstore

import (
	"fmt"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t *tx) Offers() port.Offers           { return dealsOf[offer.ID](t, saleOffers) }
func (t *tx) Agreements() port.Agreements   { return dealsOf[agreement.ID](t, saleAgreements) }
func (t *tx) Lettings() port.Lettings       { return dealsOf[letting.ID](t, lettings) }
func (t *tx) DealNumbers() port.DealNumbers { return dealNumberRole{t} }

// Offers, agreements and leases are read and written whole: each is one JSON value,
// beside what it is found and sorted by.

var saleOffers = mapDeals("sale_offer", deal.OfOffer,
	func(o *offer.Offer) (*site.ID, *offer.ID) { return &o.Site, &o.ID })

var saleAgreements = mapDeals("sale_agreement", deal.OfAgreement,
	func(a *agreement.Agreement) (*site.ID, *agreement.ID) { return &a.Site, &a.ID })

var lettings = mapDeals("letting", deal.OfLease,
	func(l *letting.Lease) (*site.ID, *letting.ID) { return &l.Site, &l.ID })

// dealsMapping is a mapping with what a search looks at, and the table of the
// parties.
type dealsMapping[T any] struct {
	mapping[T]
	key     func(*T) (site.ID, int64)
	facts   func(T) deal.Facts
	parties mapping[party]
}

// party is a customer who is one to a record.
type party struct {
	site     site.ID
	customer customer.ID
	record   int64
}

func mapDeals[ID ~int64, T any](table string, facts func(T) deal.Facts, key func(*T) (*site.ID, *ID)) dealsMapping[T] {
	return dealsMapping[T]{
		mapping: mapping[T]{
			table: table,
			keys:  []string{"site_id", "id"},
			row: func(v *T) row {
				of, id := key(v)
				return row{{"site_id", whole(of)}, {"id", whole(id)}, {"body", document(v)}}
			},
			extra: func(v *T) row { return factRow(facts(*v)) },
		},
		key: func(v *T) (site.ID, int64) {
			of, id := key(v)
			return *of, int64(*id)
		},
		facts: facts,
		parties: mapping[party]{
			table: table + "_party",
			keys:  []string{"site_id", "customer_id", "record_id"},
			row: func(p *party) row {
				return row{{"site_id", whole(&p.site)}, {"customer_id", whole(&p.customer)}, {"record_id", whole(&p.record)}}
			},
		},
	}
}

// phases are how many of them the columns have room for.
const phases = 2

// factRow are the columns of what a search looks at. Times that are sorted by are
// never NULL, for which each engine has a place of its own.
func factRow(f deal.Facts) row {
	var ahead [phases]transition.Phase
	copy(ahead[:], f.Ahead)
	day, added, modified := int64(f.Date), f.Added.UnixMicro(), f.Modified.UnixMicro()
	return row{
		{"agency_id", whole(&f.Agency)}, {"user_id", whole(&f.User)}, {"product_id", whole(&f.Product)}, {"offer_id", whole(&f.Offer)},
		{"type", text(&f.Type)}, {"status", text(&f.Status)},
		{"due_at", instant(&ahead[0].From)}, {"due_status", text(&ahead[0].Status)},
		{"later_at", instant(&ahead[1].From)}, {"later_status", text(&ahead[1].Status)},
		{"day", whole(&day)}, {"amount", whole(&f.Amount)}, {"added_at", whole(&added)}, {"modified_at", whole(&modified)},
	}
}

// statusAt is transition.StatusAt as an expression, for the same moment twice.
const statusAt = "CASE WHEN due_at IS NULL OR due_at > ? THEN status WHEN later_at IS NULL OR later_at > ? THEN due_status ELSE later_status END"

// dealRole is a port.Deals.
type dealRole[ID ~int64, T any] struct {
	table[ID, T]
	deals dealsMapping[T]
}

func dealsOf[ID ~int64, T any](t *tx, deals dealsMapping[T]) port.Deals[ID, T] {
	return dealRole[ID, T]{tableOf[ID](t, deals.mapping), deals}
}

func (r dealRole[ID, T]) Find(q port.DealQuery) ([]T, error) {
	f, dialect := q.Filter, r.tx.store.dialect
	s := searchOf(r.m, "site_id = ? AND id > ?", int64(q.Site), q.After)
	s.narrow(true, "agency_id "+dialect.Among, dialect.Numbers(plain(f.Agencies)))
	s.narrow(f.Product != 0, "product_id = ?", int64(f.Product))
	s.narrow(f.Customer != 0, r.partyTo(), int64(q.Site), int64(f.Customer))
	s.narrow(f.User != 0, "user_id = ?", int64(f.User))
	s.narrow(f.Offer != 0, "offer_id = ?", int64(f.Offer))
	s.among(statusAt, f.Statuses, f.Now.UnixMicro(), f.Now.UnixMicro())
	s.among("type", f.Types)
	s.narrow(f.From != 0, "day >= ?", int64(f.From))
	s.narrow(f.To != 0, "day <> 0 AND day <= ?", int64(f.To))
	s.narrow(!f.ModifiedSince.IsZero(), "modified_at >= ?", f.ModifiedSince.UnixMicro())
	columns := []string{"id"}
	switch q.Order.Key {
	case deal.ByModified:
		columns = []string{"modified_at", "id"}
	case deal.ByAdded:
		columns = []string{"added_at", "id"}
	case deal.ByAmount:
		columns = []string{"amount", "id"}
	case deal.ByID:
	}
	s.order(q.Order.Desc, columns...)
	return s.page(r.tx, q.Limit, q.Skip)
}

// partyTo is the condition that a customer of a site is a party.
func (r dealRole[ID, T]) partyTo() string {
	return "id IN (SELECT record_id FROM " + r.deals.parties.table + " WHERE site_id = ? AND customer_id = ?)"
}

func (r dealRole[ID, T]) About(of site.ID, products []product.ID) ([]T, error) {
	among := r.tx.store.dialect.Among
	return r.those(r.m.find("site_id = ? AND product_id "+among).OrderBy("id"), int64(of), r.tx.store.dialect.Numbers(plain(products)))
}

func (r dealRole[ID, T]) With(of site.ID, c customer.ID) ([]T, error) {
	return r.those(r.m.find("site_id = ?").Where(r.partyTo()).OrderBy("id"), int64(of), int64(of), int64(c))
}

func (r dealRole[ID, T]) Due(at time.Time, n int) ([]T, error) {
	return r.those(r.m.find("due_at <= ?").OrderBy("due_at", "site_id", "id").Suffix("LIMIT ?"), at.UnixMicro(), max(n, 0))
}

func (r dealRole[ID, T]) those(query squirrel.SelectBuilder, args ...any) ([]T, error) {
	return list(r.tx, r.m, r.tx.store.text(query), args...)
}

// Put refuses a record with more ahead than can be found.
func (r dealRole[ID, T]) Put(v T) error {
	facts := r.deals.facts(v)
	of, id := r.deals.key(&v)
	if n := len(facts.Ahead); n > phases {
		return r.tx.fail(fmt.Errorf("%s %d has %d phases ahead of it, and there is room for %d", r.m.table, id, n, phases))
	}
	if err := r.table.Put(v); err != nil {
		return err
	}
	if err := r.forget(of, id); err != nil {
		return err
	}
	var parties []party
	for _, c := range slices.Compact(slices.Sorted(slices.Values(facts.Parties))) {
		parties = append(parties, party{of, c, id})
	}
	return insertAll(r.tx, r.deals.parties, insertsOf(r.tx.store.dialect, r.tx.store.text, r.deals.parties, ""), parties)
}

func (r dealRole[ID, T]) Delete(of site.ID, id ID) error {
	if err := r.table.Delete(of, id); err != nil {
		return err
	}
	return r.forget(of, int64(id))
}

// forget removes the parties to a record.
func (r dealRole[ID, T]) forget(of site.ID, id int64) error {
	_, err := r.tx.exec(r.tx.store.text(squirrel.Delete(r.deals.parties.table).Where("site_id = ? AND record_id = ?")), int64(of), id)
	return err
}

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
