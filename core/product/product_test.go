package product_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/product"
)

func TestPositionIsAlentour(t *testing.T) {
	for text, want := range map[string]criteria.Position{"45.439700,4.387200": {Latitude: 45.4397, Longitude: 4.3872}, "": {}, "Paris": {}, "0,0": {}} {
		p := product.Product{Criteria: criteria.Values{"Alentour": criteria.Text(text)}}
		if got, ok := p.Position(); got != want || ok != (want != criteria.Position{}) {
			t.Errorf("%q is %v, %t", text, got, ok)
		}
	}
	if _, ok := (product.Product{}).Position(); ok {
		t.Error("a product without Alentour has a position")
	}
	if p := mustCreate(t, criteriaOf(give("Alentour", "45.4397, 4.3872"))); p.Criteria.Text("Alentour") != "45.439700,4.387200" {
		t.Errorf("stored as %q", p.Criteria.Text("Alentour"))
	}
}

func TestT3_ActionsWithAnActiveChildAreInTheHistory(t *testing.T) {
	active, closed := product.ChildAction{ID: 1, Active: true}, product.ChildAction{ID: 2}
	for name, c := range map[string]struct {
		children []product.ChildAction
		want     bool
	}{
		"no children": {nil, false}, "closed": {[]product.ChildAction{closed}, false}, "active": {[]product.ChildAction{active}, true},
		"one of two": {[]product.ChildAction{closed, active}, true},
	} {
		for _, self := range []bool{true, false} {
			if got := (product.ActionType{Active: self, Children: c.children}).InHistory(); got != c.want {
				t.Errorf("%s: %t", name, got)
			}
		}
	}
}
