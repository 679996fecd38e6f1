package deal_test

import (
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
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// sample has something that every part of a filter can be about.
var sample = deal.Facts{
	ID: 7, Agency: 1, User: 2, Product: 3, Offer: 4, Parties: []customer.ID{5, 6}, Type: "VIDE", Status: "SIGNE",
	Ahead: []transition.Phase{{Status: "EN_COURS", From: noon}, {Status: "TERMINE", From: noon.Add(time.Hour)}},
	Date:  calendar.Of(2026, 3, 1), Amount: 800_00, Added: noon.Add(-2 * time.Hour), Modified: noon.Add(-time.Hour),
}

func TestEveryPartOfAFilterMustHold(t *testing.T) {
	day := sample.Date
	all := []site.AgencyID{1}
	for _, c := range []struct {
		what string
		f    deal.Filter
		want bool
	}{
		{"its agency", deal.Filter{Agencies: all}, true},
		{"one of several", deal.Filter{Agencies: []site.AgencyID{9, 1}}, true},
		{"no agency", deal.Filter{}, false},
		{"another agency", deal.Filter{Agencies: []site.AgencyID{2}}, false},
		{"its product", deal.Filter{Agencies: all, Product: 3}, true},
		{"another product", deal.Filter{Agencies: all, Product: 4}, false},
		{"a party", deal.Filter{Agencies: all, Customer: 6}, true},
		{"nobody", deal.Filter{Agencies: all, Customer: 7}, false},
		{"its user", deal.Filter{Agencies: all, User: 2}, true},
		{"another user", deal.Filter{Agencies: all, User: 3}, false},
		{"its offer", deal.Filter{Agencies: all, Offer: 4}, true},
		{"another offer", deal.Filter{Agencies: all, Offer: 5}, false},
		{"its type", deal.Filter{Agencies: all, Types: []string{"MEUBLE", "VIDE"}}, true},
		{"another type", deal.Filter{Agencies: all, Types: []string{"MEUBLE", ""}}, false},
		{"from its day", deal.Filter{Agencies: all, From: day}, true},
		{"from the day after", deal.Filter{Agencies: all, From: day + 1}, false},
		{"to its day", deal.Filter{Agencies: all, To: day}, true},
		{"to the day before", deal.Filter{Agencies: all, To: day - 1}, false},
		{"modified then", deal.Filter{Agencies: all, ModifiedSince: sample.Modified}, true},
		{"modified later", deal.Filter{Agencies: all, ModifiedSince: sample.Modified.Add(1)}, false},
		{"before all", deal.Filter{Agencies: all, Statuses: []string{"SIGNE"}, Now: noon.Add(-1)}, true},
		{"at the first moment", deal.Filter{Agencies: all, Statuses: []string{"SIGNE"}, Now: noon}, false},
		{"from then on", deal.Filter{Agencies: all, Statuses: []string{"EN_COURS"}, Now: noon}, true},
		{"until the next", deal.Filter{Agencies: all, Statuses: []string{"EN_COURS"}, Now: noon.Add(time.Hour)}, false},
		{"at the next", deal.Filter{Agencies: all, Statuses: []string{"TERMINE", "ANNULE"}, Now: noon.Add(time.Hour)}, true},
		{"another status", deal.Filter{Agencies: all, Statuses: []string{"ANNULE"}, Now: noon}, false},
	} {
		if got := c.f.Matches(sample); got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
	undated := sample
	undated.Date = 0
	for _, f := range []deal.Filter{{Agencies: all, From: 1}, {Agencies: all, To: day}} {
		if f.Matches(undated) {
			t.Errorf("what has no date is within %+v", f)
		}
	}
}

func anyFacts(t *rapid.T) deal.Facts {
	number := func(name string) int64 { return rapid.Int64Range(0, 3).Draw(t, name) }
	f := deal.Facts{
		ID: number("id"), Agency: site.AgencyID(number("agency")), User: site.UserID(number("user")), Product: product.ID(number("product")),
		Offer: offer.ID(number("offer")), Parties: []customer.ID{customer.ID(number("party"))}, Type: rapid.SampledFrom([]string{"", "A", "B"}).Draw(t, "type"),
		Status: rapid.SampledFrom([]string{"A", "B"}).Draw(t, "status"), Date: calendar.Day(number("date")), Amount: money.Amount(number("amount")),
		Added: noon.Add(time.Duration(number("added"))), Modified: noon.Add(time.Duration(number("modified"))),
	}
	if number("ahead") > 1 {
		f.Ahead = []transition.Phase{{Status: "C", From: noon.Add(time.Duration(number("from")))}}
	}
	return f
}

// Whatever a filter leaves open it takes everything of, and two parts of a filter
// take what either of them takes.
func TestPartsOfAFilterAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := anyFacts(t)
		like := anyFacts(t)
		parts := []func(*deal.Filter){
			func(f *deal.Filter) { f.Product = like.Product },
			func(f *deal.Filter) { f.Customer = like.Parties[0] },
			func(f *deal.Filter) { f.User = like.User },
			func(f *deal.Filter) { f.Offer = like.Offer },
			func(f *deal.Filter) { f.Statuses, f.Now = []string{like.Status}, like.Added },
			func(f *deal.Filter) { f.Types = []string{like.Type} },
			func(f *deal.Filter) { f.From = like.Date },
			func(f *deal.Filter) { f.To = like.Date },
			func(f *deal.Filter) { f.ModifiedSince = like.Modified },
		}
		open := deal.Filter{Agencies: []site.AgencyID{of.Agency}}
		if !open.Matches(of) {
			t.Fatal("an open filter does not take everything")
		}
		whole, want := open, true
		for n, part := range parts {
			if !rapid.Bool().Draw(t, "given") {
				continue
			}
			alone := open
			part(&alone)
			part(&whole)
			want = want && alone.Matches(of)
			if got := whole.Matches(of); got != want {
				t.Fatalf("with part %d %+v takes %+v: %t", n, whole, of, got)
			}
		}
	})
}

func TestEveryOrderIsOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := deal.Order{Key: rapid.SampledFrom([]deal.Key{deal.ByID, deal.ByModified, deal.ByAdded, deal.ByAmount}).Draw(t, "key"), Desc: rapid.Bool().Draw(t, "desc")}
		a, b, c := anyFacts(t), anyFacts(t), anyFacts(t)
		if o.Compare(a, b) != -o.Compare(b, a) || (o.Compare(a, b) == 0) != (a.ID == b.ID && key(o.Key, a) == key(o.Key, b)) {
			t.Fatalf("%+v: %d and %d", o, o.Compare(a, b), o.Compare(b, a))
		}
		three := []deal.Facts{a, b, c}
		slices.SortFunc(three, o.Compare)
		if o.Compare(three[0], three[2]) > 0 {
			t.Fatalf("%+v is not transitive: %+v", o, three)
		}
		up := deal.Order{Key: o.Key}
		if up.Compare(a, b) > 0 && key(o.Key, a) < key(o.Key, b) {
			t.Fatalf("%+v puts %+v after %+v", up, a, b)
		}
	})
}

// key is what facts are sorted by, as a number.
func key(by deal.Key, f deal.Facts) int64 {
	switch by {
	case deal.ByModified:
		return f.Modified.UnixNano()
	case deal.ByAdded:
		return f.Added.UnixNano()
	case deal.ByAmount:
		return int64(f.Amount)
	case deal.ByID:
	}
	return f.ID
}

func TestFactsAreThoseOfTheRecord(t *testing.T) {
	parties := func(f deal.Facts) []customer.ID {
		slices.Sort(f.Parties)
		return f.Parties
	}
	o := deal.OfOffer(offer.Offer{ID: 1, Date: 9, Amount: 5, Counter: 6, Agreed: 7, Buyers: []customer.ID{3}, Sellers: []customer.ID{1}})
	a := deal.OfAgreement(agreement.Agreement{ID: 2, Offer: 1, Date: 8, Deed: 9, Price: 5, Type: "COMPROMIS", Buyers: []customer.ID{3}, Sellers: []customer.ID{1}})
	l := deal.OfLease(letting.Lease{
		ID: 3, Start: 8, Date: 7, Rent: 5, Type: "VIDE", Landlords: []customer.ID{1}, Tenants: []customer.ID{2}, Guarantors: []customer.ID{3},
	})
	if o.Date != 9 || o.Amount != 5 || o.Type != "" || !slices.Equal(parties(o), []customer.ID{1, 3}) {
		t.Errorf("of an offer: %+v", o)
	}
	if a.Date != 8 || a.Amount != 5 || a.Offer != 1 || a.Type != "COMPROMIS" || !slices.Equal(parties(a), []customer.ID{1, 3}) {
		t.Errorf("of an agreement: %+v", a)
	}
	if l.Date != 8 || l.Amount != 5 || l.Type != "VIDE" || !slices.Equal(parties(l), []customer.ID{1, 2, 3}) {
		t.Errorf("of a lease: %+v", l)
	}
	if !sample.Due().Equal(noon) || !o.Due().IsZero() {
		t.Errorf("due at %v, and never at %v", sample.Due(), o.Due())
	}
}
