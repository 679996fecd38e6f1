package product_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

func addressed(street, postalCode, city, alentour string) product.Product {
	v := criteria.Values{}
	for key, text := range map[string]string{"Adresse": street, "CodePostal": postalCode, "Ville": city, "Alentour": alentour} {
		if text != "" {
			v[key] = criteria.Text(text)
		}
	}
	return product.Product{Criteria: v}
}

func drawAddressed(t *rapid.T, label string) product.Product {
	word := func(of string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label+" "+of) }
	p := addressed(word("street", "", "1 rue Été", "1 RUE ETE ", "2 rue X"), word("code", "", "69003", "42000"),
		word("city", "", "Lyon", "lyon", "Saint-Étienne"), word("alentour", "", "", "45.1,4.8"))
	if rapid.Bool().Draw(t, label+" abroad") {
		p.Criteria["Pays"] = criteria.Unique("BE")
	}
	if rapid.Bool().Draw(t, label+" masked") {
		p.Criteria["AdresseMasquee"] = criteria.Flag(true)
	}
	return p
}

var somewhere = product.Place{Position: criteria.Position{Latitude: 45.7, Longitude: 4.8}, Source: product.FromAddress, Score: 0.8}

// K19: an address is asked about once, and its answer counts while it stays.
func TestK19_AnAnswerCountsForItsAddressAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := drawAddressed(t, "p"), drawAddressed(t, "q")
		_, given := p.Position()
		asked, needed := p.Unlocated()
		alentour := p.Criteria.Text("Alentour") != ""
		if needed && alentour || given != alentour {
			t.Fatalf("needed %t, position %t, Alentour %t", needed, given, alentour)
		}
		if !needed {
			if p.Locate(p.Address(), somewhere) {
				t.Fatal("an answer nobody needs is kept")
			}
			return
		}
		answer := somewhere
		if rapid.Bool().Draw(t, "nowhere") {
			answer = product.Place{}
		}
		if !p.Locate(asked, answer) {
			t.Fatal("the answer is not kept")
		}
		if _, again := p.Unlocated(); again {
			t.Fatal("it is asked about again")
		}
		if got, found := p.Place(); got != answer || found != (answer.Source != "") {
			t.Fatalf("the place is %+v, %t", got, found)
		}
		// The product moves to the address of another.
		p.Criteria = q.Criteria
		moved := p.Address().Folded() != asked.Folded()
		if _, needed := p.Unlocated(); needed && !moved {
			t.Fatal("the same address is asked about again")
		}
		if got, found := p.Place(); moved && found && got.Source != product.FromAlentour {
			t.Fatalf("after moving it is still at %+v", got)
		}
		if moved && p.Locate(asked, somewhere) {
			t.Fatal("an answer about the former address is kept")
		}
	})
}

func TestK20_TheQuestionsAreTheAddressAndThenItsTown(t *testing.T) {
	type address = product.Address
	for _, c := range []struct {
		about address
		want  []address
	}{
		{address{}, nil},
		{address{Street: "s"}, nil},
		{address{Street: "s", Country: "FR"}, nil},
		{address{City: "c"}, []address{{City: "c"}}},
		{address{PostalCode: "p"}, []address{{PostalCode: "p"}}},
		{address{Street: "s", PostalCode: "p"}, []address{{Street: "s", PostalCode: "p"}, {PostalCode: "p"}}},
		{
			address{Street: "s", PostalCode: "p", City: "c", Country: "BE"},
			[]address{{Street: "s", PostalCode: "p", City: "c", Country: "BE"}, {PostalCode: "p", City: "c", Country: "BE"}},
		},
	} {
		if got := c.about.Questions(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %+v", c.about, got)
		}
	}
}

func TestWhoWasAskedAboutATownHasNotFoundAHouse(t *testing.T) {
	house, town := product.Address{Street: "s", City: "c"}, product.Address{City: "c"}
	place := func(from product.Source) product.Place {
		return product.Place{Position: criteria.Position{Latitude: 45, Longitude: 4}, Source: from}
	}
	for _, c := range []struct {
		asked product.Address
		found product.Source
		want  product.Source
	}{
		{house, product.FromAddress, product.FromAddress}, {house, product.FromCity, product.FromCity}, {house, "", product.FromCity},
		{house, product.FromAlentour, product.FromCity}, {town, product.FromAddress, product.FromCity}, {town, product.FromCity, product.FromCity},
	} {
		if got, ok := c.asked.Accept(place(c.found)); got != place(c.want) || !ok {
			t.Errorf("%q for %+v is %+v, %t", c.found, c.asked, got, ok)
		}
	}
}

func TestOnlyCommunesAreAccepted(t *testing.T) {
	for code, want := range map[string]string{"69383": "69383", "2A004": "2A004", "": "", "Lyon": "", "69383\x00": ""} {
		found := product.Place{Position: criteria.Position{Latitude: 45, Longitude: 4}, Commune: code}
		if got, ok := (product.Address{City: "c"}).Accept(found); got.Commune != want || !ok {
			t.Errorf("%q: %+v, %t", code, got, ok)
		}
	}
}

func TestOnlyPlacesOnTheGlobeAreAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		found := product.Place{
			Position: criteria.Position{Latitude: rapid.Float64().Draw(t, "latitude"), Longitude: rapid.Float64().Draw(t, "longitude")},
			Source:   product.FromAddress, Score: rapid.Float64().Draw(t, "score"),
		}
		kept, ok := product.Address{Street: "s", City: "c"}.Accept(found)
		if !ok {
			return
		}
		if again, err := criteria.ParsePosition("", kept.String()); err != nil || again != kept.Position {
			t.Fatalf("%+v would be no Alentour: %v", kept, err)
		}
		if kept.Score < 0 || kept.Score > 1 || math.IsNaN(kept.Score) {
			t.Fatalf("the score is %v", kept.Score)
		}
	})
	for _, p := range []criteria.Position{{}, {Latitude: math.NaN()}, {Longitude: math.NaN(), Latitude: 1}, {Latitude: 90.1}, {Longitude: -181}, {Latitude: math.Inf(1)}} {
		if kept, ok := (product.Address{City: "c"}).Accept(product.Place{Position: p}); ok {
			t.Errorf("%v is accepted as %+v", p, kept)
		}
	}
}

// P35: a position that moves is a change; an answer that moves nothing is none.
func TestP35_SameSeesTheGeocodedPosition(t *testing.T) {
	before := addressed("1 rue X", "69003", "Lyon", "")
	after := before.Clone()
	after.Locate(after.Address(), product.Place{})
	if !after.Same(before) {
		t.Error("to find nothing is a change")
	}
	after = before.Clone()
	after.Locate(after.Address(), somewhere)
	if after.Same(before) {
		t.Error("to find a position is no change")
	}
	elsewhere := after.Clone()
	elsewhere.Geocoded.Place.Score = 0.1
	if elsewhere.Same(after) {
		t.Error("a score is shown, too")
	}
}

func TestAMaskedAddressIsItsTown(t *testing.T) {
	p := addressed("1 rue X", "69003", "Lyon", "")
	p.Locate(p.Address(), somewhere)
	p.Criteria["AdresseMasquee"] = criteria.Flag(true)
	if place, found := p.Place(); found {
		t.Errorf("masked, it is at %+v", place)
	}
	if asked, _ := p.Unlocated(); asked != (product.Address{PostalCode: "69003", City: "Lyon"}) {
		t.Errorf("asked about %+v", asked)
	}
}
