package product_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

func TestDifferencesNameWhatDiffersAndShowNoValue(t *testing.T) {
	before := product.Product{
		Reference: "A", Criteria: criteria.Values{"Ville": criteria.Text("Lyon"), "Prix": criteria.Number(1), "Etage": criteria.Number(2)},
		Descriptions: []product.Description{{Language: "fr", Text: "Vue"}, {Language: "en", Text: "View"}},
		Rooms:        []product.Room{{ID: 1}},
	}
	after := before.Clone()
	if names := before.Differences(after); len(names) != 0 {
		t.Errorf("between equal states: %q", names)
	}
	after.Criteria["Prix"], after.Criteria["Surface"] = criteria.Number(2), criteria.Number(3)
	delete(after.Criteria, "Etage")
	after.Reference, after.WebStatus, after.Rooms = "B", true, nil
	after.Descriptions = []product.Description{{Language: "fr", Text: "Vue"}, {Language: "de", Text: "Blick"}}
	want := []string{"Etage", "Prix", "Surface", "model", "web_status", "rooms", "description de", "description en"}
	if names := before.Differences(after); !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}

// Whatever differs to anyone is named: what Same tells apart has a name.
func TestWhatIsNotTheSameHasADifference(t *testing.T) {
	for name, edit := range map[string]func(*product.Product){
		"agency_id": func(p *product.Product) { p.Agency = 2 }, "user_id": func(p *product.Product) { p.User = 2 },
		"customer_id": func(p *product.Product) { p.Customer = 2 }, "parent_id": func(p *product.Product) { p.Parent = 2 },
		"intercabinet": func(p *product.Product) { p.Intercabinet = true }, "seller_statistics": func(p *product.Product) { p.SellerStatistics = true },
		"next_contact": func(p *product.Product) { p.NextContact = "2026-01-01" }, "color": func(p *product.Product) { p.Color = 2 },
		"pictures": func(p *product.Product) { p.Pictures = []product.Picture{{ID: 1}} },
	} {
		var before, after product.Product
		edit(&after)
		if names := before.Differences(after); before.Same(after) || !slices.Equal(names, []string{name}) {
			t.Errorf("%s: %q", name, names)
		}
	}
}
