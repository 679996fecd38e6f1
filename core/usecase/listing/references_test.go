package listing_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

func TestReferencesAreThoseOfTheProductsThatTheCallerSees(t *testing.T) {
	w := apitest.New(t)
	home, gone := w.CreateProduct("Prix", 1), w.CreateProduct("Prix", 2)
	if err := w.UpdateProduct(home, func(in *listing.UpdateProduct) { in.Model = opt.Of("HOME-1") }); err != nil {
		t.Fatal(err)
	}
	full := w.As("full", 1)
	if _, err := w.Service.Listing.DeleteProduct(t.Context(), full, listing.DeleteProduct{ID: gone}); err != nil {
		t.Fatal(err)
	}
	in := listing.ReadReferences{IDs: []int64{gone, home, 999, home}}
	for name, c := range map[string]struct {
		caller kernel.Caller
		want   map[int64]string
	}{
		"of its site":       {w.Again(full), map[int64]string{home: "HOME-1"}},
		"of another site":   {w.As("rival", 2), map[int64]string{}},
		"of no agency here": {without(w.Again(full)), map[int64]string{}},
	} {
		got, err := w.Service.Listing.References(t.Context(), c.caller, in)
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	nobody := w.Again(full)
	nobody.Grant.Packs = access.Users
	_, err := w.Service.Listing.References(t.Context(), nobody, in)
	apitest.Refused(t, err, fault.Forbidden, fault.CodePackMissing)
}

func TestProductsAreFoundByTheirTitlesWhereTheCallerSeesThem(t *testing.T) {
	w := apitest.New(t)
	home := w.CreateProduct("Prix", 1)
	if err := w.UpdateProduct(home, func(in *listing.UpdateProduct) {
		in.Model = opt.Of("HOME-1")
		in.Descriptions = opt.Of([]product.DescriptionInput{{Language: "fr", Title: opt.Of("Maison d'été")}})
	}); err != nil {
		t.Fatal(err)
	}
	full := w.As("full", 1)
	for name, c := range map[string]struct {
		caller kernel.Caller
		words  string
		want   []listing.Titled
	}{
		"of its site":       {w.Again(full), " ÉTÉ  maison", []listing.Titled{{ID: home, Reference: "HOME-1", Title: "Maison d'été"}}},
		"by no word":        {w.Again(full), " ", nil},
		"of another site":   {w.As("rival", 2), "maison", nil},
		"of no agency here": {without(w.Again(full)), "maison", nil},
	} {
		got, err := w.Service.Listing.Titled(t.Context(), c.caller, listing.FindTitled{Words: c.words, Count: 9})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// without is a caller in whose scope there is no agency.
func without(c kernel.Caller) kernel.Caller {
	c.Scope = site.Scope{}
	return c
}
