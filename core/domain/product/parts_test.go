package product_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// fetch lists the fetch values of the contract with the parts they stand for.
var fetch = map[string]product.Parts{
	"criteres_text": product.TextCriteria, "criteres_number": product.NumberCriteria, "criteres_fulltext": product.FullTextCriteria,
	"criteres_flag": product.FlagCriteria, "criteres_publication_errors": product.PublicationErrors, "descriptions": product.Descriptions,
	"rooms": product.Rooms, "products_photos": product.Photos, "customer": product.Owner, "assigned_to": product.AssignedTo,
	"created_by": product.CreatedBy, "publications": product.Publications, "actions_history": product.ActionsHistory,
	"sale_agreement": product.SaleAgreement, "active_sale_agreement": product.ActiveSaleAgreement, "log_actions": product.LogActions,
	"live_visit": product.LiveVisit, "scopes": product.Scopes, "statistic": product.Statistic, "insee": product.INSEE,
	"online_booking": product.OnlineBooking, "category": product.Category, "themes": product.Themes,
}

func TestFetchValuesAreThoseOfTheContract(t *testing.T) {
	names := product.PartNames()
	if len(names) != len(fetch) {
		t.Errorf("there are %d values, not %d", len(names), len(fetch))
	}
	for _, name := range names {
		part, known := fetch[name]
		parsed, unknown := product.ParseParts(name)
		if !known || unknown != "" || parsed != part || !slices.Equal(part.Names(), []string{name}) {
			t.Errorf("%q is %b, %q", name, parsed, unknown)
		}
	}
	if all, _ := product.ParseParts(strings.Join(names, ",")); all != product.AllParts {
		t.Errorf("all values are %b", all)
	}
	names[0] = "spoilt"
	if product.PartNames()[0] == "spoilt" {
		t.Error("what is handed out changes the list")
	}
}

func TestR2_UnknownFetchValues(t *testing.T) {
	for given, want := range map[string]string{
		"photos": "photos", "rooms,photo": "photo", "Rooms": "Rooms", "rooms;customer": "rooms;customer", "rooms customer": "rooms customer",
		" x ,y": "x", "all": "all", "*": "*",
	} {
		if parts, unknown := product.ParseParts(given); unknown != want || parts != 0 {
			t.Errorf("%q: %q is unknown, the rest is %b", given, unknown, parts)
		}
	}
}

func TestR3_FetchIsTolerant(t *testing.T) {
	both := product.Rooms | product.Owner
	for given, want := range map[string]product.Parts{
		"": 0, " ": 0, ",": 0, ", ,": 0, "rooms,customer": both, " rooms ,\tcustomer ": both, "customer,rooms,customer,rooms": both, ",rooms,,customer,": both,
	} {
		if parts, unknown := product.ParseParts(given); unknown != "" || parts != want {
			t.Errorf("%q is %b, %q", given, parts, unknown)
		}
	}
}

func TestPartsAreTheSetOfTheirNames(t *testing.T) {
	some := rapid.Map(rapid.Uint32Range(0, product.AllParts), func(n uint32) product.Parts { return product.Parts(n) })
	rapid.Check(t, func(t *rapid.T) {
		p, q := some.Draw(t, "parts"), some.Draw(t, "others")
		parsed, unknown := product.ParseParts(strings.Join(rapid.Permutation(p.Names()).Draw(t, "names"), ","))
		if unknown != "" || parsed != p {
			t.Fatalf("%v is %b, not %b", p.Names(), parsed, p)
		}
		all := true
		for _, name := range q.Names() {
			all = all && slices.Contains(p.Names(), name)
		}
		if p.Has(q) != all {
			t.Fatalf("%v has all of %v: %t", p.Names(), q.Names(), !all)
		}
	})
}
