package catalogue_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

type customerID = customer.ID

var everyAgency = []site.AgencyID{1, 2, 3}

// matches lists the products that meet the conditions, by id.
func matches(index *catalogue.Index, conditions ...criteria.Condition) []product.ID {
	page := index.Search(catalogue.Query{
		Filter: product.Filter{Agencies: everyAgency, Criteria: conditions}, Limit: 1000,
	})
	ids := make([]product.ID, len(page.Entries))
	for i, e := range page.Entries {
		ids[i] = e.ID
	}
	return ids
}

// The laws hold whatever the specification says, so they do not ask it.

func TestOperatorsComplementEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index, _ := drawCatalogue(t)
		everything := matches(index)
		for range 20 {
			c := drawCondition(t)
			with := func(o criteria.Operator) []product.ID {
				c := c
				c.Operator = o
				return matches(index, c)
			}
			for _, pair := range [][2]criteria.Operator{
				{criteria.EGAL, criteria.DIFFERENT}, {criteria.COMPREND, criteria.NE_COMPREND_PAS},
			} {
				yes, no := with(pair[0]), with(pair[1])
				union := slices.Sorted(slices.Values(append(slices.Clone(yes), no...)))
				if !slices.Equal(union, everything) {
					t.Fatalf("%+v: %v finds %v, %v finds %v, but there are %v", c, pair[0], yes, pair[1], no, everything)
				}
			}
		}
	})
}

func TestBoundsMeetInTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index, _ := drawCatalogue(t)
		c := criteria.Condition{Criterion: pick(t, "key", keysOf[criteria.NUMBER]), Type: criteria.NUMBER, Number: pick(t, "number", amounts)}
		low, high, equal := c, c, c
		low.Operator, high.Operator, equal.Operator = criteria.SUPERIEUR, criteria.INFERIEUR, criteria.EGAL
		if got, want := matches(index, low, high), matches(index, equal); !slices.Equal(got, want) {
			t.Fatalf("%s >= and <= %v: %v, equal: %v", c.Criterion, c.Number, got, want)
		}
	})
}

func TestConditionsNarrowInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index, _ := drawCatalogue(t)
		conditions := rapid.SliceOfN(rapid.Custom(drawCondition), 1, 4).Draw(t, "conditions")
		found := matches(index, conditions...)
		if again := matches(index, rapid.Permutation(conditions).Draw(t, "permuted")...); !slices.Equal(found, again) {
			t.Fatalf("in another order the conditions find %v instead of %v", again, found)
		}
		for _, id := range matches(index, append(conditions, drawCondition(t))...) {
			if !slices.Contains(found, id) {
				t.Fatalf("one more condition finds %d, which is not in %v", id, found)
			}
		}
	})
}
