package listing_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// searchingFor is a search with a keyword.
func searchingFor(keyword string) (in listing.SearchProducts) {
	in.Keyword = opt.Of(keyword)
	return in
}

func TestR6_APrivateCriterionIsNowhereForAWebsite(t *testing.T) {
	w := newWorld(t)
	private := []string{"Prix", "Ville", "TypeBien", "VisiteVirtuelle"}
	w.Redefine(func(c *transfer.SetupCriterion) { c.IsPrivate = slices.Contains(private, c.Key) })
	id := w.CreateProduct("Prix", 250000, "Ville", "Lyon", "TypeBien", "Maison", "VisiteVirtuelle", "https://v.example/")
	full, website := w.As("full", 1), w.As("website", 1)

	fetch := "category,live_visit,criteres_text,criteres_number"
	if p := w.ReadProduct(full, id, fetch); p.Price == nil || p.City == nil || p.PropertyType == nil || !p.HasVisit360 || *p.Category == nil || *p.LiveVisit == nil {
		t.Errorf("the network sees %+v", p.ProductFields)
	}
	p := w.ReadProduct(website, id, fetch)
	if p.Price != nil || p.City != nil || p.PropertyType != nil || p.HasVisit360 || *p.Category != nil || *p.LiveVisit != nil || len(*p.CriteresNumber) != 0 {
		t.Errorf("a website sees %+v", p.ProductFields)
	}
	visited, unvisited := listing.SearchProducts{}, listing.SearchProducts{}
	visited.HasVisit360, unvisited.HasVisit360 = opt.Of(true), opt.Of(false)
	for name, in := range map[string]listing.SearchProducts{"the price": searchingFor("250000"), "the city": searchingFor("lyon"), "the visit": visited} {
		if got := w.FindProducts(full, in); !slices.Equal(got, []int64{id}) {
			t.Errorf("the network finds %v by %s", got, name)
		}
		if got := w.FindProducts(website, in); len(got) != 0 {
			t.Errorf("a website finds %v by %s", got, name)
		}
	}
	if got := w.FindProducts(website, unvisited); !slices.Equal(got, []int64{id}) {
		t.Errorf("to a website, a private visit is none: %v", got)
	}
	byPrice := listing.SearchProducts{SortType: opt.Of("prix")}
	_, err := w.Listing.SearchProducts(t.Context(), website, byPrice)
	apitest.RefusedField(t, err, fault.CodeInvalidFormat, "sort_type")
	byPrice.SortType = opt.Of("surface")
	w.FindProducts(website, byPrice)
}

func TestR6_AMaskedAddressIsNotFoundByAWebsite(t *testing.T) {
	w := newWorld(t)
	masked := w.CreateProduct("Adresse", "3 rue Haute", "Ville", "Lyon", "AdresseMasquee", 1)
	shown := w.CreateProduct("Adresse", "5 rue Haute", "Ville", "Lyon")
	full, website := w.As("full", 1), w.As("website", 1)
	for name, x := range map[string]struct {
		in   listing.SearchProducts
		seen []int64 // by a website; the network sees both
	}{
		"a street": {searchingFor("rue haute"), []int64{shown}}, "street and city": {searchingFor("haute lyon"), []int64{shown}},
		"the city": {searchingFor("lyon"), []int64{masked, shown}},
		"CONTIENT": {searching(condition("Adresse", "CONTIENT", "haute")), []int64{shown}},
		"another":  {searching(condition("Adresse", "DIFFERENT", "7 rue Haute")), []int64{masked, shown}},
	} {
		if got := w.FindProducts(full, x.in); !slices.Equal(got, []int64{masked, shown}) {
			t.Errorf("%s: the network finds %v", name, got)
		}
		if got := w.FindProducts(website, x.in); !slices.Equal(got, x.seen) {
			t.Errorf("%s: a website finds %v, not %v", name, got, x.seen)
		}
	}
	if got := w.FindProducts(website, searching(condition("Adresse", "DIFFERENT", "3 rue Haute"))); !slices.Equal(got, []int64{masked, shown}) {
		t.Errorf("a website is told the address by what is different: %v", got)
	}
	in := listing.SearchProducts{}
	in.CustomerID = opt.Of(int64(1001))
	_, err := w.Listing.SearchProducts(t.Context(), website, in)
	apitest.Refused(t, err, fault.Forbidden, fault.CodeFilterNotAllowed)
}
