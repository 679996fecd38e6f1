package siteapi_test

import (
	"math"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

func counting(ids ...string) (in listing.ProductFacets) {
	for _, id := range ids {
		in.Facets = append(in.Facets, listing.FacetInput{ID: id})
	}
	return in
}

// redefine changes definitions of site 1.
func (w *world) redefine(change func(*transfer.SetupCriterion)) {
	w.t.Helper()
	setup := smallNetwork()
	setup.Sites = setup.Sites[:1]
	for i := range setup.Sites[0].Criteria {
		change(&setup.Sites[0].Criteria[i])
	}
	if _, err := w.Transfer.Provision(w.t.Context(), setup); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) values(in listing.ProductFacets) (codes []any, counts []int) {
	w.t.Helper()
	result, err := w.Listing.CountFacets(w.t.Context(), w.as("full", 1), in)
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
	w.redefine(func(c *transfer.SetupCriterion) {
		for i := range c.Values {
			if c.Values[i].Model == "Maison" || c.Values[i].Model == "Terrain" {
				c.Values[i].IsActive = &no
			}
		}
	})
	if codes, counts := w.values(counting("TypeBien")); !slices.Equal(codes, []any{"Appartement", "Maison"}) || !slices.Equal(counts, []int{1, 1}) {
		t.Errorf("values %v are counted %v", codes, counts)
	}
	if err := w.update(maison, func(in *listing.UpdateProduct) { in.Criteria = criteriaOf(criterion("TypeBien", "Appartement")) }); err != nil {
		t.Fatal(err)
	}
	if codes, counts := w.values(counting("TypeBien")); !slices.Equal(codes, []any{"Appartement"}) || !slices.Equal(counts, []int{2}) {
		t.Errorf("without a house, values %v are counted %v", codes, counts)
	}
}

func TestR6_APrivateCriterionIsNoFacetOfAWebsite(t *testing.T) {
	w := newWorld(t)
	w.redefine(func(c *transfer.SetupCriterion) { c.IsPrivate = c.Key == "TypeBien" })
	if _, err := w.Listing.CountFacets(t.Context(), w.as("full", 1), counting("Equipements", "TypeBien")); err != nil {
		t.Error(err)
	}
	_, err := w.Listing.CountFacets(t.Context(), w.as("website", 1), counting("Equipements", "TypeBien"))
	refusedField(t, err, fault.CodeUnknownCriterion, "facets[1].id")
}

// TestEmbeddersAreHeldToTheSameBounds: what the HTTP door cannot let in, callers
// in Go can pass.
func TestEmbeddersAreHeldToTheSameBounds(t *testing.T) {
	w := newWorld(t)
	nan := math.NaN()
	for _, c := range []struct {
		near   listing.NearInput
		within listing.WithinInput
		field  string
	}{
		{listing.NearInput{Latitude: nan, RadiusKM: 1}, listing.WithinInput{}, "near.latitude"},
		{listing.NearInput{Longitude: nan, RadiusKM: 1}, listing.WithinInput{}, "near.longitude"},
		{listing.NearInput{RadiusKM: nan}, listing.WithinInput{}, "near.radius_km"},
		{listing.NearInput{}, listing.WithinInput{}, "near.radius_km"},
		{listing.NearInput{RadiusKM: 1}, listing.WithinInput{East: nan}, "within.east"},
		{listing.NearInput{RadiusKM: 1}, listing.WithinInput{North: nan}, "within.north"},
	} {
		in := listing.CountProducts{}
		in.Near, in.Within = opt.Of(c.near), opt.Of(c.within)
		_, err := w.Listing.CountProducts(t.Context(), w.as("full", 1), in)
		refusedField(t, err, fault.CodeOutOfRange, c.field)
	}
}
