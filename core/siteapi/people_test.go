package siteapi_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/people"
)

func TestAFollowUpOfProduct0NamesBothMistakes(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	_, err := w.People.CreateFollowUp(t.Context(), full, people.CreateFollowUp{CustomerID: 1001, ProductID: opt.Of(int64(0))})
	var codes []fault.Code
	for _, d := range fault.From(err).Details {
		if d.Field == "product_id" {
			codes = append(codes, d.Code)
		}
	}
	if !slices.Equal(codes, []fault.Code{fault.CodeOutOfRange, fault.CodeUnknownProduct}) {
		t.Errorf("%v: %v", codes, err)
	}
}
