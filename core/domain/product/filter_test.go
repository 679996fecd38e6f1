package product_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// candidate is the product of flat: M-7 of agency 11, agent 101, owner 1001,
// 250 000 €, 3 rue de l'Église in Saint-Étienne, published, without a visit.
func candidate(t testing.TB) product.Candidate {
	t.Helper()
	p := flat(t)
	p.Modified = time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)
	return product.Candidate{Product: p, OwnerNames: customer.Customer{Firstname: "Anne", Lastname: "Le Goff", Company: "SCI du Lac"}.Names()}
}

func open() product.Filter { return product.Filter{Agencies: []site.AgencyID{12, 11}} }

// finds reports whether the filter, changed from an open one, finds the
// candidate.
func finds(t testing.TB, c product.Candidate, change func(*product.Filter)) bool {
	t.Helper()
	f := open()
	change(&f)
	return f.Matches(c)
}

func condition(t testing.TB, key string, o criteria.Operator, operand any) criteria.Condition {
	t.Helper()
	def, ok := dictionary.Find(key)
	if !ok {
		t.Fatalf("there is no %s", key)
	}
	def.Searchable = true
	c, detail := def.Condition(o, criteria.Raw{V: operand}, criteria.Reading{})
	if detail != nil {
		t.Fatal(detail.Message)
	}
	return c
}

func TestQ40_AFilterIsNeverOpen(t *testing.T) {
	c := candidate(t)
	for name, agencies := range map[string][]site.AgencyID{"none": nil, "another": {12}, "others": {1, 111}} {
		if (product.Filter{Agencies: agencies}).Matches(c) {
			t.Errorf("%s: a product of agency 11 is found", name)
		}
	}
	if !open().Matches(c) || !(product.Filter{Agencies: []site.AgencyID{11}}).Matches(c) {
		t.Error("a product of the scope is not found")
	}
	c.Product.Deleted = time.Unix(1, 0)
	if open().Matches(c) {
		t.Error("a deleted product is found")
	}
}

func TestQ14_SeveralCriteriasMustAllHold(t *testing.T) {
	c := candidate(t)
	dear, cheap := condition(t, "Prix", criteria.SUPERIEUR, "200000"), condition(t, "Prix", criteria.INFERIEUR, "300000")
	wrong := condition(t, "TypeBien", criteria.EGAL, "Maison")
	for name, x := range map[string]struct {
		conditions []criteria.Condition
		want       bool
	}{
		"none": {nil, true}, "one": {[]criteria.Condition{dear}, true}, "a range": {[]criteria.Condition{dear, cheap}, true},
		"one wrong": {[]criteria.Condition{dear, cheap, wrong}, false}, "the first wrong": {[]criteria.Condition{wrong, dear}, false},
		"both codes (Q17)":  {[]criteria.Condition{condition(t, "Equipements", criteria.COMPREND, "SAUNA"), condition(t, "Equipements", criteria.COMPREND, "PISCINE")}, true},
		"one of two codes":  {[]criteria.Condition{condition(t, "Equipements", criteria.COMPREND, "SAUNA"), condition(t, "Equipements", criteria.COMPREND, "TENNIS")}, false},
		"absent, not equal": {[]criteria.Condition{condition(t, "VisiteVirtuelle", criteria.DIFFERENT, "x")}, true},
		"absent, contains":  {[]criteria.Condition{condition(t, "VisiteVirtuelle", criteria.CONTIENT, "x")}, false},
	} {
		if got := finds(t, c, func(f *product.Filter) { f.Criteria = x.conditions }); got != x.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// keyword holds a phrase against the candidate, with or without the owner.
func keyword(t testing.TB, phrase string, owners bool) bool {
	t.Helper()
	return finds(t, candidate(t), func(f *product.Filter) { f.Keyword = product.NewKeyword(phrase, owners) })
}

func TestQ27_KeywordIsOnePhraseInReferencePlaceOrOwner(t *testing.T) {
	for _, phrase := range []string{
		"M-7", "m-7", "-7", "7", // reference
		"3 rue de l'Église", "EGLISE", "rue  DE l’eglise", "l'église saint-etienne", "saint", "Église Saint", // address and city
		"Anne Le Goff", "le goff ANNE", "goff a", "sci DU lac", "Lac", // owner
		" m-7 ", "",
	} {
		if !keyword(t, phrase, true) {
			t.Errorf("%q finds nothing", phrase)
		}
	}
	for _, phrase := range []string{"M 7", "M7", "rue église", "Saint-Étienne 3 rue", "Anne Goff", "Goff Lac", "Lyon", "Bel appartement", "Appartement", "m-7 3 rue", "lac anne"} {
		if keyword(t, phrase, true) {
			t.Errorf("%q finds the product", phrase)
		}
	}
}

func TestQ27_KeywordOfAPlaceThatLacksAPart(t *testing.T) {
	c := candidate(t)
	delete(c.Product.Criteria, "Adresse")
	if !finds(t, c, func(f *product.Filter) { f.Keyword = product.NewKeyword("saint-etienne", false) }) {
		t.Error("the city alone is not found")
	}
	delete(c.Product.Criteria, "Ville")
	if finds(t, c, func(f *product.Filter) { f.Keyword = product.NewKeyword("saint-etienne", false) }) {
		t.Error("a city is found where there is none")
	}
	if got := product.Haystack(product.Product{Reference: " É-1 "}); !slices.Equal(got, []string{"e-1", ""}) {
		t.Errorf("without a place the haystack is %q", got)
	}
}

func TestQ28_KeywordsThatAreNumbers(t *testing.T) {
	for phrase, want := range map[string]float64{
		"250000": 250000, "250 000": 250000, "250\u00a0000": 250000, "250\u202f000 €": 250000, "250000€": 250000, "250 000 EUR": 250000,
		"250000eur": 250000, " 250000 \u00a0Eur ": 250000, "250000.50": 250000.5, "250000,5 €": 250000.5, "0,5": 0.5, "1": 1, "007": 7, "250.000": 250,
		"0": 0, "0,0": 0, "-5": 0, "+5": 0, "": 0, "€": 0, "EUR": 0, "€ 5": 0, "EUR 5": 0, "5 euros": 0, "5 $": 0, "1e5": 0, "250k": 0,
		"1.000.000": 0, "1,000,000": 0, "1.": 0, ",5": 0, "12 bis": 0, "12 rue": 0, "M-7": 0, "5 €€": 0,
	} {
		if got := product.NewKeyword(phrase, false); got.Price != want || got.Phrase != criteria.Fold(phrase) {
			t.Errorf("%q is %+v, not %v", phrase, got, want)
		}
	}
}

func TestQ28_ANumberAlsoFindsPricesWithinTenPercent(t *testing.T) {
	for phrase, want := range map[string]bool{ // of 250 000
		"250000": true, "227 272,73 €": true, "227272,72": false, "277777,77 EUR": true, "277777,78": false, "250k": false, "0": false, "2500": false,
	} {
		if got := keyword(t, phrase, false); got != want {
			t.Errorf("%q finds 250 000 €: %t", phrase, got)
		}
	}
	c := candidate(t)
	c.Product.Reference = "250001"
	delete(c.Product.Criteria, "Prix")
	for phrase, want := range map[string]bool{"250001": true, "50001": true, "250000": false} { // the number is still a text
		if got := finds(t, c, func(f *product.Filter) { f.Keyword = product.NewKeyword(phrase, false) }); got != want {
			t.Errorf("%q finds the reference 250001 without a price: %t", phrase, got)
		}
	}
}

// Both ends are included exactly, for every amount in tenths, whose bounds are
// whole cents.
func TestQ28_TenPercentIsIncludedExactly(t *testing.T) {
	check := func(fatal func(string, ...any), tenths int64) {
		cents := func(n int64) float64 {
			f, _ := strconv.ParseFloat(fmt.Sprintf("%d.%02d", n/100, n%100), 64)
			return f
		}
		k := product.NewKeyword(fmt.Sprintf("%d,%d €", tenths/10, tenths%10), false)
		low, high := 9*tenths, 11*tenths
		if !k.NearPrice(cents(low)) || !k.NearPrice(cents(high)) || k.NearPrice(cents(low-1)) || k.NearPrice(cents(high+1)) {
			fatal("%v: %v %t, %v %t, %v %t, %v %t", k.Price, cents(low-1), k.NearPrice(cents(low-1)), cents(low), k.NearPrice(cents(low)),
				cents(high), k.NearPrice(cents(high)), cents(high+1), k.NearPrice(cents(high+1)))
		}
	}
	for tenths := int64(1); tenths <= 20_000; tenths++ {
		check(t.Fatalf, tenths)
	}
	rapid.Check(t, func(t *rapid.T) { check(t.Fatalf, rapid.Int64Range(1, 1e10).Draw(t, "tenths")) })
	if (product.Keyword{Phrase: "x"}).NearPrice(0) || (product.Keyword{}).NearPrice(0) {
		t.Error("a phrase that is no number is near a price")
	}
}

func TestQ29_OwnersAreFoundOnlyWhereAllowed(t *testing.T) {
	for _, phrase := range []string{"Anne Le Goff", "le goff", "Lac"} {
		if keyword(t, phrase, false) {
			t.Errorf("%q probes for the owner", phrase)
		}
		if !keyword(t, phrase, true) {
			t.Errorf("%q does not find the owner", phrase)
		}
	}
	if !keyword(t, "saint-etienne", false) {
		t.Error("without the owner nothing is found")
	}
}

func TestQ30_AnEmptyKeywordIsNone(t *testing.T) {
	for _, phrase := range []string{"", " ", "\u00a0", "\u0301"} {
		k := product.NewKeyword(phrase, true)
		if !k.Empty() || !k.Matches(product.Candidate{}) {
			t.Errorf("%q is a keyword", phrase)
		}
	}
	if product.NewKeyword("x", true).Matches(product.Candidate{}) {
		t.Error("a keyword finds an empty product")
	}
}

func TestQ31_ModelIsExactWithoutCase(t *testing.T) {
	for reference, want := range map[string]bool{"M-7": true, "m-7": true, " M-7 ": true, "": true, "M-": false, "M-77": false, "7": false, "M 7": false} {
		if got := finds(t, candidate(t), func(f *product.Filter) { f.Reference = reference }); got != want {
			t.Errorf("%q: %t", reference, got)
		}
	}
}

func TestQ32_Q33_OwnerAndAgents(t *testing.T) {
	for name, x := range map[string]struct {
		change func(*product.Filter)
		want   bool
	}{
		"the owner":          {func(f *product.Filter) { f.Customer = 1001 }, true},
		"another owner":      {func(f *product.Filter) { f.Customer = 1002 }, false},
		"any owner":          {func(f *product.Filter) { f.Customer = 0 }, true},
		"the agent":          {func(f *product.Filter) { f.Users = []site.UserID{101} }, true},
		"one of the agents":  {func(f *product.Filter) { f.Users = []site.UserID{7, 101} }, true},
		"other agents":       {func(f *product.Filter) { f.Users = []site.UserID{7, 8} }, false},
		"any agent":          {func(f *product.Filter) { f.Users = nil }, true},
		"no agent at all":    {func(f *product.Filter) { f.Users = []site.UserID{} }, false},
		"the agent, another": {func(f *product.Filter) { f.Users, f.Customer = []site.UserID{101}, 9 }, false},
	} {
		if got := finds(t, candidate(t), x.change); got != x.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	c := candidate(t)
	c.Product.Customer, c.Product.User = 0, 0
	if finds(t, c, func(f *product.Filter) { f.Customer = 1001 }) || finds(t, c, func(f *product.Filter) { f.Users = []site.UserID{101} }) {
		t.Error("a product without owner or agent is found by one")
	}
}

func TestQ34_LastModifiedIsInclusive(t *testing.T) {
	at := candidate(t).Product.Modified
	for since, want := range map[time.Time]bool{
		{}: true, at: true, at.Add(-time.Microsecond): true, at.Add(time.Microsecond): false, at.In(rules.Zone): true, at.AddDate(1, 0, 0): false,
	} {
		if got := finds(t, candidate(t), func(f *product.Filter) { f.ModifiedSince = since }); got != want {
			t.Errorf("since %v: %t", since, got)
		}
	}
}

func TestQ35_Q37_WebStatusAndVisit(t *testing.T) {
	for _, published := range []bool{true, false} {
		for visit, has := range map[any]bool{"https://visite.example/1": true, nil: false, "": false, " ": false} {
			c := candidate(t)
			c.Product = mustUpdate(t, c.Product, product.Change{WebStatus: opt.Of(published)})
			c.Product = mustUpdate(t, c.Product, criteriaOf(give("VisiteVirtuelle", visit)))
			if c.Product.HasVisit360() != has {
				t.Errorf("with %q there is a visit: %t", visit, !has)
			}
			for _, wanted := range []bool{true, false} {
				if got := finds(t, c, func(f *product.Filter) { f.WebStatus = &wanted }); got != (published == wanted) {
					t.Errorf("published %t, wanted %t: %t", published, wanted, got)
				}
				if got := finds(t, c, func(f *product.Filter) { f.Visit360 = &wanted }); got != (has == wanted) {
					t.Errorf("visit %t, wanted %t: %t", has, wanted, got)
				}
			}
		}
	}
}

func TestL4_ParentNarrowsToLots(t *testing.T) {
	for _, parent := range []product.ID{0, 5} {
		c := candidate(t)
		c.Product.Parent = parent
		if !open().Matches(c) {
			t.Error("lots are products like others")
		}
		for _, wanted := range []product.ID{0, 5, 6} {
			if got := finds(t, c, func(f *product.Filter) { f.Parent = &wanted }); got != (wanted == parent) {
				t.Errorf("the lot of %d, wanted of %d: %t", parent, wanted, got)
			}
		}
	}
}

// Every part that is set must hold: a filter finds what each of its parts finds
// alone, and nothing else.
func TestFilterIsAllOfItsParts(t *testing.T) {
	parts := []func(*rapid.T, *product.Filter){
		func(t *rapid.T, f *product.Filter) {
			f.Reference = rapid.SampledFrom([]string{"a-1", "B-2"}).Draw(t, "model")
		},
		func(t *rapid.T, f *product.Filter) {
			f.Keyword = product.NewKeyword(rapid.SampledFrom([]string{"lyon", "1", "a-1"}).Draw(t, "keyword"), true)
		},
		func(t *rapid.T, f *product.Filter) {
			f.Users = []site.UserID{rapid.SampledFrom([]site.UserID{101, 102}).Draw(t, "user")}
		},
		func(t *rapid.T, f *product.Filter) { f.WebStatus = pointer(rapid.Bool().Draw(t, "web_status")) },
		func(t *rapid.T, f *product.Filter) { f.Visit360 = pointer(rapid.Bool().Draw(t, "visit")) },
		func(t *rapid.T, f *product.Filter) {
			f.ModifiedSince = time.Unix(rapid.Int64Range(1e9, 1e9+4).Draw(t, "since"), 0)
		},
		func(t *rapid.T, f *product.Filter) {
			f.Criteria = append(f.Criteria, criteria.Condition{Criterion: "Prix", Type: criteria.NUMBER, Operator: rapid.SampledFrom(criteria.Operators()[:4]).Draw(t, "operator"), Number: 1})
		},
		func(t *rapid.T, f *product.Filter) {
			f.Criteria = append(f.Criteria, criteria.Condition{Criterion: "Ascenseur", Type: criteria.FLAG, Operator: criteria.EGAL, Flag: rapid.Bool().Draw(t, "lift")})
		},
		func(t *rapid.T, f *product.Filter) {
			f.Near = &product.Near{Radius: rapid.SampledFrom([]float64{1, 6000, 20_100}).Draw(t, "radius")}
		},
		func(t *rapid.T, f *product.Filter) {
			f.Within = &product.Within{South: -90, West: rapid.SampledFrom([]float64{-180, 3, 10}).Draw(t, "west"), North: 90, East: 180}
		},
	}
	rapid.Check(t, func(t *rapid.T) {
		c := product.Candidate{Product: drawProduct(t)}
		if rapid.Bool().Draw(t, "placed") {
			c.Product.Criteria[criteria.KeyPosition] = criteria.Text("0.5,4.5")
		}
		whole, each := open(), true
		for _, part := range parts {
			if !rapid.Bool().Draw(t, "part") {
				continue
			}
			alone := open()
			part(t, &alone)
			each = each && alone.Matches(c)
			// The same part, on the whole.
			join(&whole, alone)
		}
		if whole.Matches(c) != each {
			t.Fatalf("%+v finds %s: %t, its parts: %t", whole, c.Product.Reference, !each, each)
		}
	})
}

// join adds the parts of one filter to another.
func join(f *product.Filter, g product.Filter) {
	f.Criteria = append(f.Criteria, g.Criteria...)
	if g.Reference != "" {
		f.Reference = g.Reference
	}
	if !g.Keyword.Empty() {
		f.Keyword = g.Keyword
	}
	if len(g.Users) > 0 {
		f.Users = g.Users
	}
	if g.WebStatus != nil {
		f.WebStatus = g.WebStatus
	}
	if g.Visit360 != nil {
		f.Visit360 = g.Visit360
	}
	if g.Near != nil {
		f.Near = g.Near
	}
	if g.Within != nil {
		f.Within = g.Within
	}
	if !g.ModifiedSince.IsZero() {
		f.ModifiedSince = g.ModifiedSince
	}
}
