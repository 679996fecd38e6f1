package action_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/action"
)

// known draws the action types of a site.
func known(t *rapid.T) action.Types {
	types := action.Types{}
	for range rapid.IntRange(0, 6).Draw(t, "types") {
		id := action.TypeID(rapid.IntRange(1, 20).Draw(t, "id"))
		made := action.Type{
			ID: id, Code: rapid.SampledFrom([]string{"VISITE", "APPEL", "visite", ""}).Draw(t, "code"), Active: rapid.Bool().Draw(t, "active"),
			Target: rapid.SampledFrom(action.Kinds()).Draw(t, "target"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "children") {
			made.Children = append(made.Children, action.Child{ID: int64(rapid.IntRange(1, 5).Draw(t, "child")), Active: rapid.Bool().Draw(t, "active child")})
		}
		types[id] = made
	}
	return types
}

func TestATypeFitsTheKindItAimsAt(t *testing.T) {
	for target, fits := range map[action.Kind][]action.Kind{
		action.Product: {action.Product}, action.Customer: {action.Customer}, action.Both: {action.Product, action.Customer, action.Both},
	} {
		for _, kind := range action.Kinds() {
			if got, want := (action.Type{Target: target}).Fits(kind), slices.Contains(fits, kind); got != want {
				t.Errorf("what aims at %s fits %s: %t", target, kind, got)
			}
		}
	}
	if (action.Type{}).Fits(action.Product) {
		t.Error("what aims at nothing fits a product")
	}
}

func TestKindsAreListedOnceAndCannotBeChanged(t *testing.T) {
	kinds := action.Kinds()
	if want := []action.Kind{action.Product, action.Customer, action.Both}; !slices.Equal(kinds, want) {
		t.Errorf("%q", kinds)
	}
	kinds[0] = "x"
	if action.Kinds()[0] != action.Product {
		t.Error("whoever lists the kinds can change them")
	}
}

func TestAChildIsFoundByItsIDActiveOrNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, made := range known(t) {
			for id := range int64(7) {
				got, found := made.Child(id)
				n := slices.IndexFunc(made.Children, func(c action.Child) bool { return c.ID == id })
				if found != (n >= 0) || found && got != made.Children[n] || !found && got != (action.Child{}) {
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
			got  []action.TypeID
			want func(action.Type) bool
		}{
			"in histories": {types.InHistory(), func(t action.Type) bool { return t.InHistory() }},
			"visits":       {types.Visits(), func(t action.Type) bool { return t.Code == "VISITE" }},
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
	if none := (action.Types)(nil); none.InHistory() == nil || none.Visits() == nil {
		t.Error("no types are every type")
	}
}

func TestT3_WhetherATypeItselfIsActiveDoesNotMatterForHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, made := range known(t) {
			want := slices.ContainsFunc(made.Children, func(c action.Child) bool { return c.Active })
			made.Active = rapid.Bool().Draw(t, "active")
			if made.InHistory() != want {
				t.Fatalf("%+v is in histories: %t", made, !want)
			}
		}
	})
}
