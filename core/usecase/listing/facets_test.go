package listing_test

import (
	"math"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func counting(ids ...string) (in listing.ProductFacets) {
	for _, id := range ids {
		in.Facets = append(in.Facets, listing.FacetInput{ID: id})
	}
	return in
}

func (w *world) values(in listing.ProductFacets) (codes []any, counts []int) {
	w.T.Helper()
	result, err := w.Listing.CountFacets(w.T.Context(), w.As("full", 1), in)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, v := range *result.Data[0].Values {
		codes, counts = append(codes, v.Value), append(counts, v.Count)
	}
	return codes, counts
}

func TestAnInactiveValueIsCountedWhileProductsHaveIt(t *testing.T) {
	w := newWorld(t)
	maison := w.CreateProduct("TypeBien", "Maison")
	w.CreateProduct("TypeBien", "Appartement")
	no := false
	w.Redefine(func(c *transfer.SetupCriterion) {
		for i := range c.Values {
			if c.Values[i].Model == "Maison" || c.Values[i].Model == "Terrain" {
				c.Values[i].IsActive = &no
			}
		}
	})
	if codes, counts := w.values(counting("TypeBien")); !slices.Equal(codes, []any{"Appartement", "Maison"}) || !slices.Equal(counts, []int{1, 1}) {
		t.Errorf("values %v are counted %v", codes, counts)
	}
	if err := w.UpdateProduct(maison, func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria("TypeBien", "Appartement") }); err != nil {
		t.Fatal(err)
	}
	if codes, counts := w.values(counting("TypeBien")); !slices.Equal(codes, []any{"Appartement"}) || !slices.Equal(counts, []int{2}) {
		t.Errorf("without a house, values %v are counted %v", codes, counts)
	}
}

func TestR6_APrivateCriterionIsNoFacetOfAWebsite(t *testing.T) {
	w := newWorld(t)
	w.Redefine(func(c *transfer.SetupCriterion) { c.IsPrivate = c.Key == "TypeBien" })
	if _, err := w.Listing.CountFacets(t.Context(), w.As("full", 1), counting("Equipements", "TypeBien")); err != nil {
		t.Error(err)
	}
	_, err := w.Listing.CountFacets(t.Context(), w.As("website", 1), counting("Equipements", "TypeBien"))
	apitest.RefusedField(t, err, fault.CodeUnknownCriterion, "facets[1].id")
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
		_, err := w.Listing.CountProducts(t.Context(), w.As("full", 1), in)
		apitest.RefusedField(t, err, fault.CodeOutOfRange, c.field)
	}
}
