package demand_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
)

func TestSameSeesEveryFieldThatShows(t *testing.T) {
	at, amount := time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC), 250000.0
	unseen := []string{"Modified", "Version"}
	seesEveryField(t, demand.SearchRequest.Same, unseen, demand.SearchRequest{
		ID: 1, Site: 2, Customer: 3, Agency: 4, User: 5, Name: "Lyon", Active: true, Status: demand.StatusActive, TransactionType: "Vente",
		PropertyTypes: []string{"Maison"}, Criteria: []criteria.Condition{{Criterion: "Prix", Number: 1}},
		KeyPoints: []demand.KeyPoint{{ID: "VUE"}}, Areas: []demand.Area{{ID: 1, Type: demand.City, Label: "Lyon"}},
		Financing: demand.Financing{BudgetTotal: &amount}, Alerts: demand.Alerts{Email: true}, Urgency: "IMMEDIAT", Origin: "PORTAIL",
		Comment: "calme", Added: at, Modified: at, Deleted: at, Version: 6,
	})
	seesEveryField(t, demand.FollowUp.Same, unseen, demand.FollowUp{
		ID: 1, Site: 2, Customer: 3, Product: 4, Search: 5, User: 6, Status: "REFUSE", RefusalReason: "PRIX", Rating: 2, Comment: "trop cher",
		NextContact: "2026-10-01", History: []demand.Step{{Status: "REFUSE", At: at}}, Added: at, Modified: at, Version: 7,
	})
}

// seesEveryField takes each field of a whole record away in turn.
func seesEveryField[T any](t *testing.T, same func(T, T) bool, unseen []string, whole T) {
	t.Helper()
	if !same(whole, whole) {
		t.Errorf("%+v is not the same as itself", whole)
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		less := whole
		at := reflect.ValueOf(&less).Elem().FieldByIndex(field.Index)
		if at.IsZero() {
			t.Errorf("%s is new: give it a value here", field.Name)
		}
		at.SetZero()
		if same(whole, less) != slices.Contains(unseen, field.Name) || same(less, whole) != same(whole, less) {
			t.Errorf("without %s: same is %t", field.Name, same(whole, less))
		}
	}
}

func TestEmptyListsAreTheSameAsNone(t *testing.T) {
	empty := demand.SearchRequest{PropertyTypes: []string{}, Criteria: []criteria.Condition{}, KeyPoints: []demand.KeyPoint{}, Areas: []demand.Area{}}
	if !empty.Same(demand.SearchRequest{}) || !(demand.SearchRequest{}).Same(empty) {
		t.Error("a search request changes with the form of its empty lists")
	}
	if f := (demand.FollowUp{History: []demand.Step{}}); !f.Same(demand.FollowUp{}) {
		t.Error("a follow-up changes with the form of its empty history")
	}
}
