package product_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
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

func TestWhatBecameOfAMandate(t *testing.T) {
	const today = "2026-09-16"
	of := func(values criteria.Values, edit func(*product.Product)) product.Product {
		p := product.Product{Criteria: values}
		edit(&p)
		return p
	}
	none := func(*product.Product) {}
	number := func(n string) criteria.Values { return criteria.Values{"NumeroMandat": criteria.Text(n)} }
	with := func(key string, v criteria.Value) criteria.Values {
		values := number("M-1")
		values[key] = v
		return values
	}
	for name, c := range map[string]struct {
		before, after product.Product
		want          product.MandateChange
	}{
		"none at all":          {product.Product{}, of(criteria.Values{"Prix": criteria.Number(1)}, none), product.MandateAsBefore},
		"the first":            {product.Product{}, of(number("M-1"), none), product.MandateRegistered},
		"another":              {of(number("M-1"), none), of(number("M-2"), none), product.MandateRegistered},
		"the same":             {of(number("M-1"), none), of(with("Surface", criteria.Number(80)), none), product.MandateAsBefore},
		"given back":           {of(number("M-1"), none), product.Product{}, product.MandateChanged},
		"another type":         {of(number("M-1"), none), of(with("TypeMandat", criteria.Unique("SIMPLE")), none), product.MandateChanged},
		"another price":        {of(with("Prix", criteria.Number(1)), none), of(with("Prix", criteria.Number(2)), none), product.MandateChanged},
		"fees":                 {of(number("M-1"), none), of(with("Honoraires", criteria.Number(2)), none), product.MandateChanged},
		"sold":                 {of(number("M-1"), none), of(with("Statut", criteria.Unique("Vendu")), none), product.MandateChanged},
		"a status that is one": {of(number("M-1"), none), of(with("Statut", criteria.Unique("SousOffre")), none), product.MandateAsBefore},
		"another owner":        {of(number("M-1"), none), of(number("M-1"), func(p *product.Product) { p.Customer = 7 }), product.MandateChanged},
		"another agent":        {of(number("M-1"), none), of(number("M-1"), func(p *product.Product) { p.User = 7 }), product.MandateChanged},
		"another color":        {of(number("M-1"), none), of(number("M-1"), func(p *product.Product) { p.Color = 3 }), product.MandateAsBefore},
	} {
		if got := c.after.MandateSince(c.before, today); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
