package product_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
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
