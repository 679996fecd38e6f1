package customer_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
)

// known draws the action types of a site.
func known(t *rapid.T) customer.ActionTypes {
	types := customer.ActionTypes{}
	for range rapid.IntRange(0, 6).Draw(t, "types") {
		id := customer.ActionTypeID(rapid.IntRange(1, 20).Draw(t, "id"))
		made := customer.ActionType{
			ID: id, Code: rapid.SampledFrom([]string{"VISITE", "APPEL", "visite", ""}).Draw(t, "code"), Active: rapid.Bool().Draw(t, "active"),
			Target: rapid.SampledFrom(customer.ActionKinds()).Draw(t, "target"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "children") {
			made.Children = append(made.Children, customer.ActionChild{ID: int64(rapid.IntRange(1, 5).Draw(t, "child")), Active: rapid.Bool().Draw(t, "active child")})
		}
		types[id] = made
	}
	return types
}

func TestATypeFitsTheKindItAimsAt(t *testing.T) {
	for target, fits := range map[customer.ActionKind][]customer.ActionKind{
		customer.AimedAtProduct: {customer.AimedAtProduct}, customer.AimedAtCustomer: {customer.AimedAtCustomer}, customer.AimedAtBoth: {customer.AimedAtProduct, customer.AimedAtCustomer, customer.AimedAtBoth},
	} {
		for _, kind := range customer.ActionKinds() {
			if got, want := (customer.ActionType{Target: target}).Fits(kind), slices.Contains(fits, kind); got != want {
				t.Errorf("what aims at %s fits %s: %t", target, kind, got)
			}
		}
	}
	if (customer.ActionType{}).Fits(customer.AimedAtProduct) {
		t.Error("what aims at nothing fits a product")
	}
}

func TestKindsAreListedOnceAndCannotBeChanged(t *testing.T) {
	kinds := customer.ActionKinds()
	if want := []customer.ActionKind{customer.AimedAtProduct, customer.AimedAtCustomer, customer.AimedAtBoth}; !slices.Equal(kinds, want) {
		t.Errorf("%q", kinds)
	}
	kinds[0] = "x"
	if customer.ActionKinds()[0] != customer.AimedAtProduct {
		t.Error("whoever lists the kinds can change them")
	}
}

func TestAChildIsFoundByItsIDActiveOrNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, made := range known(t) {
			for id := range int64(7) {
				got, found := made.Child(id)
				n := slices.IndexFunc(made.Children, func(c customer.ActionChild) bool { return c.ID == id })
				if found != (n >= 0) || found && got != made.Children[n] || !found && got != (customer.ActionChild{}) {
					t.Fatalf("child %d of %+v: %+v, %t", id, made, got, found)
				}
			}
		}
	})
}

// No list is nil: for stores that would be every type.
func TestT3_TypesInHistoriesAndVisitsAreListedByID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		types := known(t)
		for name, c := range map[string]struct {
			got  []customer.ActionTypeID
			want func(customer.ActionType) bool
		}{
			"in histories": {types.InHistory(), func(t customer.ActionType) bool { return t.InHistory() }},
			"visits":       {types.Visits(), func(t customer.ActionType) bool { return t.Code == "VISITE" }},
		} {
			if c.got == nil || !slices.IsSorted(c.got) {
				t.Fatalf("%s: %v", name, c.got)
			}
			for id, made := range types {
				if slices.Contains(c.got, id) != c.want(made) {
					t.Fatalf("%s: %v, of %+v", name, c.got, types)
				}
			}
			if len(slices.Compact(slices.Clone(c.got))) != len(c.got) || len(c.got) > len(types) {
				t.Fatalf("%s: %v", name, c.got)
			}
		}
	})
	if none := (customer.ActionTypes)(nil); none.InHistory() == nil || none.Visits() == nil {
		t.Error("no types are every type")
	}
}

func TestT3_WhetherATypeItselfIsActiveDoesNotMatterForHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, made := range known(t) {
			want := slices.ContainsFunc(made.Children, func(c customer.ActionChild) bool { return c.Active })
			made.Active = rapid.Bool().Draw(t, "active")
			if made.InHistory() != want {
				t.Fatalf("%+v is in histories: %t", made, !want)
			}
		}
	})
}
