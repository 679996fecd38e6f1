package siteapi_test

import (
	"math"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

func counting(ids ...string) (in siteapi.ProductFacets) {
	for _, id := range ids {
		in.Facets = append(in.Facets, siteapi.FacetInput{ID: id})
	}
	return in
}

// redefine changes definitions of site 1.
func (w *world) redefine(change func(*siteapi.SetupCriterion)) {
	w.t.Helper()
	setup := smallNetwork()
	setup.Sites = setup.Sites[:1]
	for i := range setup.Sites[0].Criteria {
		change(&setup.Sites[0].Criteria[i])
	}
	if _, err := w.Provision(w.t.Context(), setup); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) values(in siteapi.ProductFacets) (codes []any, counts []int) {
	w.t.Helper()
	result, err := w.CountFacets(w.t.Context(), w.as("full", 1), in)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, v := range *result.Data[0].Values {
		codes, counts = append(codes, v.Value), append(counts, v.Count)
	}
	return codes, counts
}

func TestAnInactiveValueIsCountedWhileProductsHaveIt(t *testing.T) {
	w := newWorld(t)
	maison := w.create(criterion("TypeBien", "Maison"))
	w.create(criterion("TypeBien", "Appartement"))
	no := false
	w.redefine(func(c *siteapi.SetupCriterion) {
		for i := range c.Values {
			if c.Values[i].Model == "Maison" || c.Values[i].Model == "Terrain" {
				c.Values[i].IsActive = &no
			}
		}
	})
	if codes, counts := w.values(counting("TypeBien")); !slices.Equal(codes, []any{"Appartement", "Maison"}) || !slices.Equal(counts, []int{1, 1}) {
		t.Errorf("values %v are counted %v", codes, counts)
	}
	if err := w.update(maison, func(in *siteapi.UpdateProduct) { in.Criteria = criteriaOf(criterion("TypeBien", "Appartement")) }); err != nil {
		t.Fatal(err)
	}
	if codes, counts := w.values(counting("TypeBien")); !slices.Equal(codes, []any{"Appartement"}) || !slices.Equal(counts, []int{2}) {
		t.Errorf("without a house, values %v are counted %v", codes, counts)
	}
}

func TestR6_APrivateCriterionIsNoFacetOfAWebsite(t *testing.T) {
	w := newWorld(t)
	w.redefine(func(c *siteapi.SetupCriterion) { c.IsPrivate = c.Key == "TypeBien" })
	if _, err := w.CountFacets(t.Context(), w.as("full", 1), counting("Equipements", "TypeBien")); err != nil {
		t.Error(err)
	}
	_, err := w.CountFacets(t.Context(), w.as("website", 1), counting("Equipements", "TypeBien"))
	refusedField(t, err, fault.CodeUnknownCriterion, "facets[1].id")
}

// TestEmbeddersAreHeldToTheSameBounds: what the HTTP door cannot let in, callers
// in Go can pass.
func TestEmbeddersAreHeldToTheSameBounds(t *testing.T) {
	w := newWorld(t)
	nan := math.NaN()
	for _, c := range []struct {
		near   siteapi.NearInput
		within siteapi.WithinInput
		field  string
	}{
		{siteapi.NearInput{Latitude: nan, RadiusKM: 1}, siteapi.WithinInput{}, "near.latitude"},
		{siteapi.NearInput{Longitude: nan, RadiusKM: 1}, siteapi.WithinInput{}, "near.longitude"},
		{siteapi.NearInput{RadiusKM: nan}, siteapi.WithinInput{}, "near.radius_km"},
		{siteapi.NearInput{}, siteapi.WithinInput{}, "near.radius_km"},
		{siteapi.NearInput{RadiusKM: 1}, siteapi.WithinInput{East: nan}, "within.east"},
		{siteapi.NearInput{RadiusKM: 1}, siteapi.WithinInput{North: nan}, "within.north"},
	} {
		in := siteapi.CountProducts{}
		in.Near, in.Within = opt.Of(c.near), opt.Of(c.within)
		_, err := w.CountProducts(t.Context(), w.as("full", 1), in)
		refusedField(t, err, fault.CodeOutOfRange, c.field)
	}
}
