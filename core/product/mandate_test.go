package product_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/product"
)

func TestTheStatusOfAMandateFollowsFromItsDatesAndItsProduct(t *testing.T) {
	const today = "2026-09-16"
	day := func(text string) criteria.Value {
		date, ok := criteria.ParseDate(text, nil)
		if !ok {
			t.Fatalf("%q is no date", text)
		}
		return date
	}
	for name, c := range map[string]struct {
		values criteria.Values
		want   string
	}{
		"without a date":        {criteria.Values{}, product.MandateDraft},
		"to begin tomorrow":     {criteria.Values{"DateMandat": day("2026-09-17")}, product.MandateDraft},
		"begun today":           {criteria.Values{"DateMandat": day("2026-09-16")}, product.MandateActive},
		"begun at an hour":      {criteria.Values{"DateMandat": day("2026-09-16T23:00:00Z")}, product.MandateActive},
		"until today":           {criteria.Values{"DateMandat": day("2026-01-01"), "DateFinMandat": day("2026-09-16")}, product.MandateActive},
		"until yesterday":       {criteria.Values{"DateMandat": day("2026-01-01"), "DateFinMandat": day("2026-09-15")}, product.MandateExpired},
		"ended, never begun":    {criteria.Values{"DateFinMandat": day("2026-09-15")}, product.MandateDraft},
		"on offer":              {criteria.Values{"Statut": criteria.Unique("EnCours"), "DateMandat": day("2026-01-01")}, product.MandateActive},
		"sold":                  {criteria.Values{"Statut": criteria.Unique("Vendu")}, product.MandateFulfilled},
		"let, after the end":    {criteria.Values{"Statut": criteria.Unique("Loue"), "DateMandat": day("2026-01-01"), "DateFinMandat": day("2026-02-01")}, product.MandateFulfilled},
		"withdrawn":             {criteria.Values{"Statut": criteria.Unique("Retire"), "DateMandat": day("2026-01-01")}, product.MandateTerminated},
		"sold by somebody else": {criteria.Values{"Statut": criteria.Unique("VenduParTiers")}, product.MandateTerminated},
	} {
		c.values["NumeroMandat"] = criteria.Text("M-77")
		got, ok := product.Product{Criteria: c.values}.Mandate(today)
		if !ok || got.Status != c.want || !slices.Contains(product.MandateStatuses(), got.Status) {
			t.Errorf("%s: %s (%t), want %s", name, got.Status, ok, c.want)
		}
	}
}

func TestAMandateIsWhatItsCriteriaTell(t *testing.T) {
	begun := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	values := criteria.Values{
		"NumeroMandat": criteria.Text("M-77"), "TypeMandat": criteria.Unique("EXCLUSIF"),
		"DateMandat": criteria.Date{At: begun, Timed: true}, "DateFinMandat": criteria.Date{At: begun.AddDate(0, 3, 0)},
	}
	want := product.Mandate{Number: "M-77", Type: "EXCLUSIF", Start: "2026-01-05", End: "2026-04-05", Status: product.MandateActive}
	if got, ok := (product.Product{Criteria: values}).Mandate("2026-02-01"); !ok || got != want {
		t.Errorf("%+v (%t)", got, ok)
	}
	delete(values, "NumeroMandat")
	if got, ok := (product.Product{Criteria: values}).Mandate("2026-02-01"); ok {
		t.Errorf("without a number it is %+v", got)
	}
}
