package office_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestC2_C4_C5_C6_CriteriaAndLists(t *testing.T) {
	w := apitest.New(t)
	caller := w.As("full", 1)
	for _, name := range []string{"TypeBien", "1", "typebien"} {
		d, err := w.Office.GetCriterion(t.Context(), caller, office.ReadCriterion{Criteria: name})
		if err != nil || d.Key != "TypeBien" || len(d.Values) != 3 {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	_, err := w.Office.GetCriterion(t.Context(), caller, office.ReadCriterion{Criteria: "Nope"})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	all, err := w.Office.ListCriteria(t.Context(), caller, kernel.Nothing{})
	if err != nil || len(all) != 17 || all[16].IsActive {
		t.Errorf("%d definitions, %v", len(all), err)
	}
	none, err := w.Office.ListCriterionValues(t.Context(), caller, office.ReadCriterionValues{Criteria: "Prix"})
	if err != nil || none == nil || len(none) != 0 {
		t.Errorf("a number has the values %v, %v", none, err)
	}
	rooms, err := w.Office.ListListValues(t.Context(), caller, office.ReadListValues{List: 1})
	if err != nil || len(rooms) != 3 || rooms[0].Model != "SEJOUR" {
		t.Errorf("list 1: %+v, %v", rooms, err)
	}
	_, err = w.Office.ListListValues(t.Context(), caller, office.ReadListValues{List: 99})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
}

func TestC5_C10_RemovedValuesAreRetired(t *testing.T) {
	w := apitest.New(t)
	setup := apitest.Network()
	kept := append([]transfer.SetupCriterion{}, setup.Sites[0].Criteria...)
	kept[0].Values = kept[0].Values[:2] // Terrain goes
	setup.Sites[0].Criteria = kept
	w.Provision(setup)
	caller := w.As("full", 1)
	active, _ := w.Office.ListCriterionValues(t.Context(), caller, office.ReadCriterionValues{Criteria: "TypeBien"})
	every, _ := w.Office.ListCriterionValues(t.Context(), caller, office.ReadCriterionValues{Criteria: "TypeBien", IncludeInactive: true})
	if len(active) != 2 || len(every) != 3 {
		t.Errorf("%d active values of %d, want 2 of 3", len(active), len(every))
	}
}
