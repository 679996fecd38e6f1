package people_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

func TestAFollowUpOfProduct0NamesBothMistakes(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
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

func TestAFollowUpThatIsAbsentIsToldFirst(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	n := slices.IndexFunc(w.Operations(), func(o kernel.Operation) bool { return o.ID == "followup.update" })
	apitest.Refused(t, w.Operations()[n].Exists(t.Context(), full, []string{"1001", "999"}), fault.NotFound, fault.CodeNotFound)
}
