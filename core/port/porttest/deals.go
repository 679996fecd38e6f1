package porttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
	"github.com/vitrine-crm/vitrine/core/port"
)

// dealKinds are the kinds of record that are kept in port.Deals.
func dealKinds() []dealKinder {
	return []dealKinder{
		dealKind[offer.ID, offer.Offer]{
			inTable[offer.ID, offer.Offer]{
				name: "Offers", table: func(tx port.Tx) port.Table[offer.ID, offer.Offer] { return tx.Offers() }, sample: sampleOffer,
				key: func(o *offer.Offer) (*site.ID, *offer.ID, *int64) { return &o.Site, &o.ID, &o.Version },
			},
			port.Tx.Offers, deal.OfOffer, func(o *offer.Offer, f deal.Facts) {
				o.Agency, o.User, o.Product, o.Status, o.Ahead, o.Date = f.Agency, f.User, f.Product, offer.Status(f.Status), f.Ahead, f.Date
				o.Buyers, o.Sellers, o.Amount, o.Added, o.Modified = nil, f.Parties, f.Amount, f.Added, f.Modified
			},
		},
		dealKind[agreement.ID, agreement.Agreement]{
			inTable[agreement.ID, agreement.Agreement]{
				name: "Agreements", table: func(tx port.Tx) port.Table[agreement.ID, agreement.Agreement] { return tx.Agreements() }, sample: sampleAgreement,
				key: func(a *agreement.Agreement) (*site.ID, *agreement.ID, *int64) { return &a.Site, &a.ID, &a.Version },
			},
			port.Tx.Agreements, deal.OfAgreement, func(a *agreement.Agreement, f deal.Facts) {
				a.Agency, a.User, a.Product, a.Offer, a.Type = f.Agency, f.User, f.Product, f.Offer, agreement.Type(f.Type)
				a.Status, a.Ahead, a.Date = agreement.Status(f.Status), f.Ahead, f.Date
				a.Buyers, a.Sellers, a.Price, a.Added, a.Modified = nil, f.Parties, f.Amount, f.Added, f.Modified
			},
		},
		dealKind[letting.ID, letting.Lease]{
			inTable[letting.ID, letting.Lease]{
				name: "Lettings", table: func(tx port.Tx) port.Table[letting.ID, letting.Lease] { return tx.Lettings() }, sample: sampleLease,
				key: func(l *letting.Lease) (*site.ID, *letting.ID, *int64) { return &l.Site, &l.ID, &l.Version },
			},
			port.Tx.Lettings, deal.OfLease, func(l *letting.Lease, f deal.Facts) {
				l.Agency, l.User, l.Product, l.Type = f.Agency, f.User, f.Product, letting.Type(f.Type)
				l.Status, l.Ahead, l.Start = letting.Status(f.Status), f.Ahead, f.Date
				l.Landlords, l.Tenants, l.Guarantors, l.Rent, l.Added, l.Modified = nil, f.Parties, nil, f.Amount, f.Added, f.Modified
			},
		},
	}
}

// dealKinder is a kind of record that is kept in port.Deals, whatever its type.
type dealKinder interface {
	entity
	races() []example
	found(program) command
}

// dealKind is one of them.
type dealKind[ID ~int64, T any] struct {
	inTable[ID, T]
	deals func(port.Tx) port.Deals[ID, T]
	facts func(T) deal.Facts
	// set makes a record have some facts.
	set func(*T, deal.Facts)
}

// dealExamples are about numbers.
func dealExamples() []example {
	return []example{
		{"NumbersOfDealsGrowWithoutGaps", dealNumbersGrow},
	}
}

// dealRaces are about what several do at once.
func dealRaces() []example {
	all := []example{{"NumbersOfDealsDifferAndHaveNoGaps", dealNumbersDiffer}}
	for _, k := range dealKinds() {
		all = append(all, k.races()...)
	}
	return all
}

func (k dealKind[ID, T]) examples() []example {
	return append(k.inTable.examples(),
		example{k.name + "AreFoundByWhatIsKnownOfThem", k.searched},
		example{k.name + "HaveTheStatusOfTheMoment", k.effective},
		example{k.name + "AreSortedAndPaged", k.sorted},
		example{k.name + "AreFoundByProduct", k.about},
		example{k.name + "AreFoundByParty", k.with},
		example{k.name + "AreDueInTheirOrder", k.due})
}

func (k dealKind[ID, T]) races() []example {
	return []example{{"TheLastPartiesOf" + k.name + "AreFound", k.lastParties}}
}

// of makes a record with some facts.
func (k dealKind[ID, T]) of(s site.ID, f deal.Facts) T {
	v := k.bare(s, ID(f.ID))
	k.set(&v, f)
	return v
}

// stored puts records with some facts into a new site.
func (k dealKind[ID, T]) stored(t *testing.T, w *world, facts ...deal.Facts) site.ID {
	t.Helper()
	id := w.site(t)
	for _, f := range facts {
		k.puts(t, w, k.of(id, f))
	}
	return id
}

func (k dealKind[ID, T]) finds(t *testing.T, w *world, what string, read func(port.Deals[ID, T]) ([]T, error), want ...int64) {
	t.Helper()
	k.inTable.finds(t, w, what, func(tx port.Tx) ([]T, error) { return read(k.deals(tx)) }, want...)
}

func (k dealKind[ID, T]) searched(t *testing.T, w *world) {
	day := calendar.Of(2026, 3, 1)
	facts := []deal.Facts{
		{ID: 1, Agency: 1, User: 1, Product: 1, Offer: 1, Parties: []customer.ID{1, 2}, Type: "A", Status: "s", Date: day, Modified: instant(1)},
		{ID: 2, Agency: 1, User: 2, Product: 2, Offer: 2, Parties: []customer.ID{2, 2}, Type: "B", Status: "%", Date: day + 1, Modified: instant(2)},
		{ID: 3, Agency: 2, User: 1, Product: 1, Offer: 2, Parties: []customer.ID{3}, Type: "C", Status: "s", Modified: instant(3)},
		{ID: 4, Agency: 2, Type: "A", Date: day - 1},
	}
	id := k.stored(t, w, facts...)
	k.stored(t, w, facts...)
	all := []site.AgencyID{1, 2, 3}
	for what, f := range map[string]deal.Filter{
		"everything":           {Agencies: all},
		"no agency":            {},
		"one agency":           {Agencies: []site.AgencyID{2}},
		"another agency":       {Agencies: []site.AgencyID{3}},
		"a product":            {Agencies: all, Product: 1},
		"a product elsewhere":  {Agencies: []site.AgencyID{1}, Product: 1},
		"a party":              {Agencies: all, Customer: 2},
		"another party":        {Agencies: all, Customer: 3},
		"nobody":               {Agencies: all, Customer: 4},
		"a user":               {Agencies: all, User: 1},
		"an offer":             {Agencies: all, Offer: 2},
		"a status":             {Agencies: all, Statuses: []string{"s"}},
		"some statuses":        {Agencies: all, Statuses: []string{"%", "x", ""}},
		"a type":               {Agencies: all, Types: []string{"A"}},
		"some types":           {Agencies: all, Types: []string{"B", "C", ""}},
		"from a day":           {Agencies: all, From: day},
		"to a day":             {Agencies: all, To: day},
		"a day":                {Agencies: all, From: day, To: day},
		"modified since":       {Agencies: all, ModifiedSince: instant(2)},
		"several things":       {Agencies: all, User: 1, Statuses: []string{"s"}, Customer: 1, From: day},
		"several, one of them": {Agencies: all, User: 2, Statuses: []string{"s"}},
	} {
		var want []int64
		for _, stored := range facts {
			if f.Matches(k.facts(k.of(id, stored))) {
				want = append(want, stored.ID)
			}
		}
		k.finds(t, w, what, func(r port.Deals[ID, T]) ([]T, error) { return r.Find(port.DealQuery{Site: id, Filter: f, Limit: 9}) }, want...)
	}
	// The whole record comes back.
	full := k.sample(id, 9)
	k.puts(t, w, full)
	w.view(t, func(tx port.Tx) error {
		found, err := k.deals(tx).Find(port.DealQuery{Site: id, After: 8, Limit: 9, Filter: deal.Filter{Agencies: all}})
		same(t, "the record", []T{full}, found)
		return err
	})
}

func (k dealKind[ID, T]) effective(t *testing.T, w *world) {
	one := []transition.Phase{{Status: "b", From: instant(10)}}
	two := []transition.Phase{{Status: "b", From: instant(10)}, {Status: "c", From: instant(20)}}
	id := k.stored(t, w,
		deal.Facts{ID: 1, Agency: 1, Status: "a"},
		deal.Facts{ID: 2, Agency: 1, Status: "a", Ahead: one},
		deal.Facts{ID: 3, Agency: 1, Status: "a", Ahead: two},
		deal.Facts{ID: 4, Agency: 1, Status: "b", Ahead: two[1:]})
	before := func(n int) time.Time { return instant(n).Add(-time.Microsecond) }
	for _, c := range []struct {
		status string
		now    time.Time
		want   []int64
	}{
		{"a", before(10), []int64{1, 2, 3}},
		{"a", time.Time{}, []int64{1, 2, 3}},
		{"b", before(10), []int64{4}},
		{"a", instant(10), []int64{1}},
		{"b", instant(10), []int64{2, 3, 4}},
		{"b", before(20), []int64{2, 3, 4}},
		{"b", instant(20), []int64{2}},
		{"c", before(20), nil},
		{"c", instant(20), []int64{3, 4}},
		{"c", instant(30), []int64{3, 4}},
	} {
		q := port.DealQuery{Site: id, Limit: 9, Filter: deal.Filter{Agencies: []site.AgencyID{1}, Statuses: []string{c.status}, Now: c.now}}
		k.finds(t, w, fmt.Sprintf("%s at %v", c.status, c.now), func(r port.Deals[ID, T]) ([]T, error) { return r.Find(q) }, c.want...)
	}
}

func (k dealKind[ID, T]) sorted(t *testing.T, w *world) {
	id := k.stored(t, w,
		deal.Facts{ID: 1, Agency: 1, Amount: 300, Added: instant(2), Modified: instant(3)},
		deal.Facts{ID: 2, Agency: 1, Amount: 100, Added: instant(2), Modified: instant(1)},
		deal.Facts{ID: 12, Agency: 1, Amount: 200, Added: instant(1)},
		deal.Facts{ID: 13, Agency: 1, Amount: 200, Modified: instant(2)})
	for _, c := range []struct {
		order deal.Order
		after int64
		skip  int
		limit int
		want  []int64
	}{
		{deal.Order{}, 0, 0, 9, []int64{1, 2, 12, 13}},
		{deal.Order{Desc: true}, 0, 0, 9, []int64{13, 12, 2, 1}},
		{deal.Order{Key: deal.ByModified}, 0, 0, 9, []int64{12, 2, 13, 1}},
		{deal.Order{Key: deal.ByModified, Desc: true}, 0, 0, 9, []int64{1, 13, 2, 12}},
		{deal.Order{Key: deal.ByAdded}, 0, 0, 9, []int64{13, 12, 1, 2}},
		{deal.Order{Key: deal.ByAdded, Desc: true}, 0, 0, 9, []int64{2, 1, 12, 13}},
		{deal.Order{Key: deal.ByAmount}, 0, 0, 9, []int64{2, 12, 13, 1}},
		{deal.Order{Key: deal.ByAmount, Desc: true}, 0, 0, 9, []int64{1, 13, 12, 2}},
		{deal.Order{Key: deal.ByAmount}, 0, 1, 2, []int64{12, 13}},
		{deal.Order{Key: deal.ByAmount}, 0, 4, 2, nil},
		{deal.Order{}, 2, 0, 1, []int64{12}},
		{deal.Order{}, 13, 0, 9, nil},
		{deal.Order{}, -5, -1, 2, []int64{1, 2}},
		{deal.Order{}, 0, 0, 0, nil},
		{deal.Order{}, 0, 0, -1, nil},
	} {
		q := port.DealQuery{Site: id, Order: c.order, After: c.after, Skip: c.skip, Limit: c.limit, Filter: deal.Filter{Agencies: []site.AgencyID{1}}}
		k.finds(t, w, fmt.Sprintf("%+v", c), func(r port.Deals[ID, T]) ([]T, error) { return r.Find(q) }, c.want...)
	}
}

func (k dealKind[ID, T]) about(t *testing.T, w *world) {
	facts := []deal.Facts{{ID: 12, Product: 1}, {ID: 3, Product: 2}, {ID: 5, Product: 1}, {ID: 7}}
	id := k.stored(t, w, facts...)
	k.stored(t, w, facts...)
	is := func(what string, products []product.ID, want ...int64) {
		t.Helper()
		k.finds(t, w, what, func(r port.Deals[ID, T]) ([]T, error) { return r.About(id, products) }, want...)
	}
	is("about one", []product.ID{1}, 5, 12)
	is("about several", []product.ID{2, 1, 9, 2}, 3, 5, 12)
	is("about none", nil)
	k.puts(t, w, k.of(id, deal.Facts{ID: 12, Product: 2}))
	w.update(t, func(tx port.Tx) error { return k.deals(tx).Delete(id, 5) })
	is("about the one before", []product.ID{1})
	is("about the one after", []product.ID{2}, 3, 12)
}

func (k dealKind[ID, T]) with(t *testing.T, w *world) {
	facts := []deal.Facts{{ID: 12, Parties: []customer.ID{1, 2}}, {ID: 3, Parties: []customer.ID{2, 3, 2}}, {ID: 5}}
	id := k.stored(t, w, facts...)
	other := k.stored(t, w, facts...)
	is := func(of site.ID, c customer.ID, want ...int64) {
		t.Helper()
		k.finds(t, w, fmt.Sprintf("with %d at %d", c, of), func(r port.Deals[ID, T]) ([]T, error) { return r.With(of, c) }, want...)
	}
	is(id, 1, 12)
	is(id, 2, 3, 12)
	is(id, 3, 3)
	is(id, 4)
	k.puts(t, w, k.of(id, deal.Facts{ID: 12, Parties: []customer.ID{3, 4}}))
	w.update(t, func(tx port.Tx) error { return k.deals(tx).Delete(id, 3) })
	is(id, 1)
	is(id, 2)
	is(id, 3, 12)
	is(id, 4, 12)
	is(other, 2, 3, 12)
	// Who was a party to a record that is gone is none to its successor.
	k.puts(t, w, k.of(id, deal.Facts{ID: 3}))
	is(id, 2)
	// Everybody in a full record is one.
	full := k.sample(id, 9)
	k.puts(t, w, full)
	for _, c := range k.facts(full).Parties {
		w.view(t, func(tx port.Tx) error {
			found, err := k.deals(tx).With(id, c)
			if !slices.Contains(k.ids(found), 9) {
				t.Errorf("the record is not found with %d", c)
			}
			return err
		})
	}
}

// due looks at a time of its own: what is due is so at any site.
func (k dealKind[ID, T]) due(t *testing.T, w *world) {
	at := func(n int) time.Time { return time.Date(1970, 1, 2, 0, 0, n, 1000, time.UTC) }
	phases := func(seconds ...int) (ahead []transition.Phase) {
		for n, s := range seconds {
			ahead = append(ahead, transition.Phase{Status: fmt.Sprint(n), From: at(s)})
		}
		return ahead
	}
	id := k.stored(t, w, deal.Facts{ID: 7, Ahead: phases(3)}, deal.Facts{ID: 8, Ahead: phases(1, 2)}, deal.Facts{ID: 9}, deal.Facts{ID: 10, Ahead: phases(9)})
	other := k.stored(t, w, deal.Facts{ID: 2, Ahead: phases(3)}, deal.Facts{ID: 3, Ahead: phases(2)})
	is := func(what string, now time.Time, n int, want ...int64) {
		t.Helper()
		k.finds(t, w, what, func(r port.Deals[ID, T]) ([]T, error) { return r.Due(now, n) }, want...)
	}
	is("all, by moment, site and id", at(5), 9, 8, 3, 7, 2)
	is("the first", at(5), 2, 8, 3)
	is("at the moment", at(3), 9, 8, 3, 7, 2)
	is("just before", at(3).Add(-time.Microsecond), 9, 8, 3)
	is("before all", at(0), 9)
	is("none of them", at(5), 0)
	is("less than none", at(5), -1)
	// What the clock did is stored, and the next phase is ahead.
	k.puts(t, w, k.of(id, deal.Facts{ID: 8, Status: "0", Ahead: phases(4)}), k.of(other, deal.Facts{ID: 3}))
	is("after what was done", at(5), 9, 7, 2, 8)
	w.update(t, func(tx port.Tx) error {
		return errors.Join(k.deals(tx).Delete(id, 7), k.deals(tx).Delete(id, 8), k.deals(tx).Delete(other, 2))
	})
	is("after all was done", at(5), 9)
}

// lastParties lets workers change the parties to one record at once.
func (k dealKind[ID, T]) lastParties(t *testing.T, w *world) {
	id := k.stored(t, w, deal.Facts{ID: 1})
	together(t, workers, func(ctx context.Context, i int) error {
		for round := range rounds {
			v := k.of(id, deal.Facts{ID: 1, Parties: []customer.ID{customer.ID(i + 1), customer.ID(round%2 + 50)}})
			if err := w.Update(ctx, func(tx port.Tx) error { return k.deals(tx).Put(v) }); err != nil {
				return err
			}
		}
		return nil
	})
	w.view(t, func(tx port.Tx) error {
		last, err := k.deals(tx).Get(id, 1)
		for c := range customer.ID(60) {
			with, err2 := k.deals(tx).With(id, c)
			if err = errors.Join(err, err2); (len(with) == 1) != slices.Contains(k.facts(last).Parties, c) {
				t.Errorf("with %d there are %d, and the parties are %v", c, len(with), k.facts(last).Parties)
			}
		}
		return err
	})
}

func (k dealKind[ID, T]) picture(tx port.Tx, s site.ID) (any, error) {
	table, err := k.inTable.picture(tx, s)
	facts := k.facts(k.sample(s, 1))
	found, err2 := k.deals(tx).Find(port.DealQuery{Site: s, Limit: 9, Filter: deal.Filter{Agencies: []site.AgencyID{facts.Agency}}})
	about, err3 := k.deals(tx).About(s, []product.ID{facts.Product})
	with, err4 := k.deals(tx).With(s, facts.Parties[0])
	return []any{table, found, about, with}, errors.Join(err, err2, err3, err4)
}

// dealCommand makes up one command about offers, agreements and leases.
func (p program) dealCommand() command {
	k := draw(p, "kind", dealKinds()...)
	if draw(p, "number", false, false, false, true) {
		agency, kind := site.AgencyID(p.number("agency", 2)), draw(p, "kind", deal.Kinds()...)
		return command{fmt.Sprintf("next %s of %d", kind, agency), func(tx port.Tx) (any, error) { return tx.DealNumbers().Next(p.site, agency, kind) }}
	}
	return draw(p, "about", k.found, k.found, k.command)(p)
}

// found makes up a command that finds records, or stores some to be found.
func (k dealKind[ID, T]) found(p program) command {
	f := p.facts()
	switch draw(p, "way", "put", "put", "find", "find", "about", "with", "due") {
	case "put":
		v := k.of(p.site, f)
		return command{fmt.Sprintf("put %s %+v", k.name, f), func(tx port.Tx) (any, error) { return nil, k.deals(tx).Put(v) }}
	case "find":
		q := p.dealQuery()
		return command{fmt.Sprintf("find %s %+v", k.name, q), func(tx port.Tx) (any, error) { return k.deals(tx).Find(q) }}
	case "about":
		return command{fmt.Sprintf("%s about %d", k.name, f.Product), func(tx port.Tx) (any, error) {
			return k.deals(tx).About(p.site, []product.ID{f.Product, 1})
		}}
	case "with":
		party := customer.ID(p.number("party", 3))
		return command{fmt.Sprintf("%s with %d", k.name, party), func(tx port.Tx) (any, error) { return k.deals(tx).With(p.site, party) }}
	}
	// Those of other programs are due as well.
	at := instant(int(p.number("at", 5)) - 1)
	return command{fmt.Sprintf("%s due at %v", k.name, at), func(tx port.Tx) (any, error) {
		found, err := k.deals(tx).Due(at, 1<<20)
		return slices.DeleteFunc(found, func(v T) bool { of, _, _ := k.key(&v); return *of != p.site }), err
	}}
}

func (p program) facts() deal.Facts {
	f := deal.Facts{
		ID: p.number("id", 4), Agency: site.AgencyID(p.number("agency", 2)), User: site.UserID(p.number("user", 2)),
		Product: product.ID(p.number("product", 3) - 1), Offer: offer.ID(p.number("offer", 3) - 1),
		Type: draw(p, "type", "", "T", "t"), Status: draw(p, "status", "A", "B"),
		Date: draw(p, "date", 0, calendar.Of(2026, 1, 1), calendar.Of(2026, 1, 2)), Amount: money.Amount(p.number("amount", 3)),
		Added: p.moment("added"), Modified: p.moment("modified"),
	}
	for _, c := range p.numbers("parties", 3) {
		f.Parties = append(f.Parties, customer.ID(c))
	}
	for n, next := rapid.IntRange(0, 2).Draw(p.rapid, "phases"), 0; len(f.Ahead) < n; {
		next += int(p.number("phase", 3) - 1)
		f.Ahead = append(f.Ahead, transition.Phase{Status: draw(p, "later", "A", "B", "C"), From: instant(next)})
	}
	return f
}

// moment is one of a few, or none.
func (p program) moment(what string) time.Time {
	return draw(p, what, time.Time{}, instant(1), instant(2), instant(3))
}

func (p program) dealQuery() port.DealQuery {
	f := p.facts()
	q := port.DealQuery{
		Site: p.site, Limit: int(p.number("limit", 5)) - 1, Skip: int(p.number("skip", 3)) - 1,
		Order:  deal.Order{Key: draw(p, "key", deal.ByID, deal.ByModified, deal.ByAdded, deal.ByAmount), Desc: draw(p, "desc", true, false)},
		Filter: deal.Filter{Agencies: draw(p, "agencies", nil, []site.AgencyID{1}, []site.AgencyID{2, 1}, []site.AgencyID{1, 2}), Now: p.moment("now")},
	}
	maybe := func(what string, narrow func()) {
		if draw(p, what, false, false, true) {
			narrow()
		}
	}
	maybe("product", func() { q.Filter.Product = f.Product })
	maybe("party", func() { q.Filter.Customer = customer.ID(p.number("party", 3)) })
	maybe("user", func() { q.Filter.User = f.User })
	maybe("offer", func() { q.Filter.Offer = f.Offer })
	maybe("statuses", func() { q.Filter.Statuses = draw(p, "statuses", []string{"A"}, []string{"B", "C"}, []string{"C"}) })
	maybe("types", func() { q.Filter.Types = draw(p, "types", []string{"T"}, []string{"", "t"}) })
	maybe("from", func() { q.Filter.From = f.Date })
	maybe("to", func() { q.Filter.To = f.Date })
	maybe("since", func() { q.Filter.ModifiedSince = f.Modified })
	maybe("cursor", func() { q.After, q.Skip, q.Order = p.number("after", 4), 0, deal.Order{} })
	return q
}

func dealNumbersGrow(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	next := func(tx port.Tx, s site.ID, a site.AgencyID, kind deal.Kind) int64 {
		n, err := tx.DealNumbers().Next(s, a, kind)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for _, failed := range []bool{true, false} {
		var drawn []int64
		err := w.Update(t.Context(), func(tx port.Tx) error {
			drawn = []int64{
				next(tx, id, 1, deal.Offers), next(tx, id, 1, deal.Offers), next(tx, id, 1, deal.Agreements), next(tx, id, 1, deal.Leases),
				next(tx, id, 2, deal.Offers), next(tx, other, 1, deal.Offers), next(tx, id, 1, deal.Offers),
			}
			if failed {
				return errAborted
			}
			return nil
		})
		if failed != errors.Is(err, errAborted) {
			t.Fatal(err)
		}
		same(t, "numbers", []int64{1, 2, 1, 1, 1, 1, 3}, drawn)
	}
	w.update(t, func(tx port.Tx) error {
		drawn := []int64{
			next(tx, id, 1, deal.Offers), next(tx, id, 1, deal.Agreements), next(tx, id, 1, deal.Leases), next(tx, id, 2, deal.Offers),
			next(tx, id, 2, deal.Leases), next(tx, other, 1, deal.Offers),
		}
		same(t, "the next numbers", []int64{4, 2, 2, 2, 1, 2}, drawn)
		return nil
	})
}

// dealNumbersDiffer draws in many units, of which every third fails.
func dealNumbersDiffer(t *testing.T, w *world) {
	id := w.site(t)
	var all drawn
	together(t, workers, func(ctx context.Context, i int) error {
		for round := range rounds {
			var n int64
			err := w.Update(ctx, func(tx port.Tx) (err error) {
				if n, err = tx.DealNumbers().Next(id, 1, deal.Offers); err == nil && (i+round)%3 == 0 {
					err = errAborted
				}
				return err
			})
			if err == nil {
				all.add(n)
			} else if !errors.Is(err, errAborted) {
				return err
			}
		}
		return nil
	})
	slices.Sort(all.numbers)
	for n, got := range all.numbers {
		if got != int64(n+1) {
			t.Fatalf("the numbers are %v", all.numbers)
		}
	}
}
