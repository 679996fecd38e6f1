package product_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// complete are adverts to which nothing is missing.
var complete = map[string]criteria.Values{
	"a flat for sale": {
		"TypeBien": criteria.Unique("Appartement"), "TypeTransaction": criteria.Unique("Vente"), "Prix": criteria.Number(210000),
		"NumeroMandat": criteria.Text("1042"), "ChargeHonoraires": criteria.Unique("ACQUEREUR"), "Honoraires": criteria.Number(10000),
		"PrixNetVendeur": criteria.Number(200000), "Copropriete": criteria.Flag(true), "NbLotsCopro": criteria.Number(20),
		"ChargesCopro": criteria.Number(1200), "ProcedureCopro": criteria.Flag(false), "SurfaceCarrez": criteria.Number(60),
		"ConsoEner": criteria.Unique("D"), "GES": criteria.Unique("B"), "DateDPE": criteria.Date{At: time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC)},
		"DepensesEnergieMin": criteria.Number(800), "DepensesEnergieMax": criteria.Number(1100), "AnneeRefEnergie": criteria.Number(2024),
		"Georisques": criteria.Flag(true), "Ville": criteria.Text("Lyon"),
	},
	"a house to let": {
		"TypeBien": criteria.Unique("Maison"), "TypeTransaction": criteria.Unique("Location"), "Prix": criteria.Number(900),
		"NumeroMandat": criteria.Text("G-7"), "Honoraires": criteria.Number(600), "Surface": criteria.Number(80), "Charges": criteria.Number(50),
		"DepotGarantie": criteria.Number(850), "Meuble": criteria.Flag(false), "conso_energ": criteria.Number(150), "valeur_GES": criteria.Number(20),
		"DateDPE": criteria.Date{At: time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC)}, "DepensesEnergieMin": criteria.Number(800),
		"DepensesEnergieMax": criteria.Number(1100), "AnneeRefEnergie": criteria.Number(2024), "Georisques": criteria.Flag(false),
		"Ville": criteria.Text("Lyon"),
	},
}

// mentionsDictionary has every criterion of the rules; Ville is required for publication.
var mentionsDictionary = func() *criteria.Dictionary {
	codes := map[string]string{
		"TypeBien": "Appartement Maison Terrain Parking Bureau Immeuble", "TypeTransaction": "Vente VenteNeuf Viager Location LocationSaisonniere CessionFonds",
		"ChargeHonoraires": "VENDEUR ACQUEREUR PARTAGE", "ConsoEner": "A D G NS VI", "GES": "A B NS VI", "Pays": "FR BE",
	}
	values := map[string]criteria.Value{"Pays": criteria.Unique("FR"), "Gardien": criteria.Flag(true), "Jardin": criteria.Flag(true)}
	for _, advert := range complete {
		maps.Copy(values, advert)
	}
	var definitions []criteria.Definition
	for i, key := range slices.Sorted(maps.Keys(values)) {
		d := criteria.Definition{ID: criteria.ID(i + 1), Key: key, Type: values[key].Type(), Active: true}
		for n, code := range strings.Fields(codes[key]) {
			d.Choices = append(d.Choices, criteria.Choice{ID: int64(n + 1), Code: code, Active: true})
		}
		switch key {
		case "Ville":
			d.RequiredForPublication = true
		case "Gardien":
			d.RequiredForPublication, d.Active = true, false
		case "Jardin":
			d.RequiredForPublication, d.PropertyTypes = true, []string{"Immeuble"}
		}
		definitions = append(definitions, d)
	}
	return criteria.NewDictionary(definitions, nil)
}()

// changed is a complete advert with some criteria changed; nil removes one.
func changed(name string, changes map[string]criteria.Value) product.Advert {
	values := complete[name].Clone()
	for key, value := range changes {
		values[key] = value
		if value == nil {
			delete(values, key)
		}
	}
	return product.Advert{Values: values, Photos: 1, Country: "FR", Today: "2026-05-04", Zone: time.UTC}
}

// gaps are what is missing, as "key code".
func gaps(a product.Advert) string {
	var found []string
	for _, g := range product.Gaps(a, mentionsDictionary) {
		if g.Message == "" {
			panic("a gap without a message")
		}
		found = append(found, strings.TrimSpace(g.Key+" "+string(g.Code)))
	}
	return strings.Join(found, ", ")
}

func TestACompleteAdvertLacksNothing(t *testing.T) {
	for name := range complete {
		if got := gaps(changed(name, nil)); got != "" {
			t.Errorf("%s lacks %s", name, got)
		}
	}
}

type changes = map[string]criteria.Value

// Each mention, one at a time: what is due, and where it is not.
func TestMentionsOfFrenchLaw(t *testing.T) {
	const flat, house = "a flat for sale", "a house to let"
	land := changes{
		"TypeBien": criteria.Unique("Terrain"), "Copropriete": nil, "NbLotsCopro": nil, "ChargesCopro": nil, "ProcedureCopro": nil, "SurfaceCarrez": nil,
		"ConsoEner": nil, "GES": nil, "DateDPE": nil, "DepensesEnergieMin": nil, "DepensesEnergieMax": nil, "AnneeRefEnergie": nil,
	}
	with := func(base changes, key string, value criteria.Value) changes {
		base = maps.Clone(base)
		base[key] = value
		return base
	}
	for _, c := range []struct {
		rule, advert string
		changes      changes
		want         string
	}{
		{"price", flat, changes{"Prix": nil}, "Prix"},
		{"rent", house, changes{"Prix": nil}, "Prix"},
		{"mandate of a sale", flat, changes{"NumeroMandat": nil}, "NumeroMandat"},
		{"mandate of a rental", house, changes{"NumeroMandat": nil}, "NumeroMandat"},
		{"who bears the fees", flat, changes{"ChargeHonoraires": nil, "Honoraires": nil, "PrixNetVendeur": nil}, "ChargeHonoraires"},
		{"who bears the fees of a viager", flat, changes{"TypeTransaction": criteria.Unique("Viager"), "ChargeHonoraires": nil}, "ChargeHonoraires"},
		{"a promoter has no agency's fees", flat, changes{"TypeTransaction": criteria.Unique("VenteNeuf"), "ChargeHonoraires": nil}, ""},
		{"fees on the buyer", flat, changes{"Honoraires": nil}, "Honoraires"},
		{"shared fees", flat, changes{"ChargeHonoraires": criteria.Unique("PARTAGE"), "Honoraires": nil}, "Honoraires"},
		{"fees on the seller", flat, changes{"ChargeHonoraires": criteria.Unique("VENDEUR"), "Honoraires": nil, "PrixNetVendeur": nil}, ""},
		{"fees on the tenant", house, changes{"Honoraires": nil}, "Honoraires"},
		{"price without fees", flat, changes{"PrixNetVendeur": nil}, "PrixNetVendeur"},

		{"copropriété is stated", flat, changes{"Copropriete": nil, "NbLotsCopro": nil, "ChargesCopro": nil, "ProcedureCopro": nil, "SurfaceCarrez": nil}, "Copropriete"},
		{"no copropriété", flat, changes{"Copropriete": criteria.Flag(false), "NbLotsCopro": nil, "ChargesCopro": nil, "ProcedureCopro": nil, "SurfaceCarrez": nil}, ""},
		{"houses need not say", flat, changes{"TypeBien": criteria.Unique("Maison"), "Copropriete": nil}, ""},
		{"lots", flat, changes{"NbLotsCopro": nil}, "NbLotsCopro"},
		{"charges of the year", flat, changes{"ChargesCopro": nil}, "ChargesCopro"},
		{"procedure", flat, changes{"ProcedureCopro": nil}, "ProcedureCopro"},
		{"Carrez", flat, changes{"SurfaceCarrez": nil}, "SurfaceCarrez"},
		{"no Carrez for a parking space", flat, changes{"TypeBien": criteria.Unique("Parking"), "SurfaceCarrez": nil}, ""},
		{"copropriété of a rental", house, changes{"Copropriete": criteria.Flag(true)}, ""},

		{"living area", house, changes{"Surface": nil}, "Surface"},
		{"charges of a rental", house, changes{"Charges": nil}, "Charges"},
		{"deposit", house, changes{"DepotGarantie": nil}, "DepotGarantie"},
		{"furnished", house, changes{"Meuble": nil}, "Meuble"},
		{"an office to let", house, changes{
			"TypeBien": criteria.Unique("Bureau"), "Surface": nil, "Charges": nil, "DepotGarantie": nil, "Meuble": nil, "Honoraires": nil,
			"DepensesEnergieMin": nil, "DepensesEnergieMax": nil, "AnneeRefEnergie": nil,
		}, ""},

		{"energy letter", flat, changes{"ConsoEner": nil}, "ConsoEner"},
		{"the number stands for the letter", flat, changes{"ConsoEner": nil, "conso_energ": criteria.Number(200)}, ""},
		{"climate letter", flat, changes{"GES": nil}, "GES"},
		{"energy number", house, changes{"conso_energ": nil}, "ConsoEner"},
		{"climate number", house, changes{"valeur_GES": nil}, "GES"},
		{"date of the DPE", flat, changes{"DateDPE": nil}, "DateDPE"},
		{"costs, from", flat, changes{"DepensesEnergieMin": nil}, "DepensesEnergieMin"},
		{"costs, to", house, changes{"DepensesEnergieMax": nil}, "DepensesEnergieMax"},
		{"year of the costs", flat, changes{"AnneeRefEnergie": nil}, "AnneeRefEnergie"},
		{"a building not subject to the DPE", flat, changes{
			"ConsoEner": criteria.Unique("NS"), "GES": nil, "DateDPE": nil, "DepensesEnergieMin": nil, "DepensesEnergieMax": nil, "AnneeRefEnergie": nil,
		}, ""},
		{"the same by the other letter", flat, changes{"ConsoEner": nil, "GES": criteria.Unique("NS"), "DateDPE": nil, "DepensesEnergieMin": nil, "DepensesEnergieMax": nil, "AnneeRefEnergie": nil}, ""},
		{"a blank DPE has no costs", flat, changes{"ConsoEner": criteria.Unique("VI"), "DepensesEnergieMin": nil, "DepensesEnergieMax": nil, "AnneeRefEnergie": nil}, ""},
		{"an office has no costs", flat, changes{"TypeBien": criteria.Unique("Bureau"), "DepensesEnergieMin": nil, "DepensesEnergieMax": nil, "AnneeRefEnergie": nil}, ""},
		{"a building of flats has a DPE", flat, changes{"TypeBien": criteria.Unique("Immeuble"), "DateDPE": nil, "Jardin": criteria.Flag(true)}, "DateDPE"},
		{"land has none", flat, land, ""},
		{"nor has a holiday let", house, changes{
			"TypeTransaction": criteria.Unique("LocationSaisonniere"), "conso_energ": nil, "valeur_GES": nil, "DateDPE": nil, "DepensesEnergieMin": nil,
			"DepensesEnergieMax": nil, "AnneeRefEnergie": nil, "Charges": nil, "DepotGarantie": nil, "Meuble": nil, "Honoraires": nil,
		}, ""},
		{"nor has a business for sale", flat, changes{
			"TypeTransaction": criteria.Unique("CessionFonds"), "ConsoEner": nil, "GES": nil, "DateDPE": nil, "DepensesEnergieMin": nil,
			"DepensesEnergieMax": nil, "AnneeRefEnergie": nil, "Georisques": nil,
		}, ""},

		{"risks, for sale", flat, changes{"Georisques": nil}, "Georisques"},
		{"risks, to let", house, changes{"Georisques": nil}, "Georisques"},
		{"risks, by the week", house, changes{"TypeTransaction": criteria.Unique("LocationSaisonniere"), "Georisques": nil}, "Georisques"},
		{"risks of land", flat, with(land, "Georisques", nil), "Georisques"},
	} {
		if c.want != "" {
			c.want += " legal_mention_missing"
		}
		if got := gaps(changed(c.advert, c.changes)); got != c.want {
			t.Errorf("%s: missing are %q, not %q", c.rule, got, c.want)
		}
	}
}

func TestFrenchLawIsForProductsInFrance(t *testing.T) {
	advert := changed("a flat for sale", changes{"Georisques": nil})
	for _, c := range []struct{ country, site, want string }{
		{"", "FR", "Georisques legal_mention_missing"}, {"FR", "BE", "Georisques legal_mention_missing"}, {"BE", "FR", ""}, {"", "BE", ""},
	} {
		advert.Country = c.site
		delete(advert.Values, "Pays")
		if c.country != "" {
			advert.Values["Pays"] = criteria.Unique(c.country)
		}
		if got := gaps(advert); got != c.want {
			t.Errorf("a product in %q of a site in %s lacks %q, not %q", c.country, c.site, got, c.want)
		}
	}
}

func TestWhatTheSiteRequires(t *testing.T) {
	for _, c := range []struct {
		rule    string
		changes changes
		want    string
	}{
		{"a required criterion", changes{"Ville": nil}, "Ville missing"},
		{"one for another type of property", changes{"Jardin": nil}, ""},
		{"one for this type of property", changes{"TypeBien": criteria.Unique("Immeuble")}, "Jardin missing"},
		{"one that is not active", changes{"Gardien": nil}, ""},
		{"a code that is not in the referential", changes{"TypeTransaction": criteria.Unique("Troc")}, "TypeTransaction invalid"},
		{"several things, in the order of the definitions", changes{"Ville": nil, "Prix": nil, "ConsoEner": criteria.Unique("H")},
			"ConsoEner invalid, Prix legal_mention_missing, Ville missing"},
	} {
		if got := gaps(changed("a flat for sale", c.changes)); got != c.want {
			t.Errorf("%s: missing are %q, not %q", c.rule, got, c.want)
		}
	}
}

func TestAPublicPhotoIsNeeded(t *testing.T) {
	advert := changed("a flat for sale", nil)
	advert.Photos = 0
	if got := gaps(advert); got != "photo_missing" {
		t.Errorf("missing are %q", got)
	}
}

// A site without the criterion has no place for the mention.
func TestWhatASiteDoesNotKnowIsNotMissing(t *testing.T) {
	if found := product.Gaps(product.Advert{Values: criteria.Values{}, Photos: 1, Country: "FR"}, criteria.NewDictionary(nil, nil)); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}

func TestADiagnosisThatIsVoidIsNamed(t *testing.T) {
	for _, c := range []struct {
		made, today string
		others      changes
		want        string
	}{
		{"2021-06-30", "2026-05-04", nil, "DateDPE diagnosis_void"}, {"2014-01-01", "2026-05-04", nil, "DateDPE diagnosis_void"}, {"2021-07-01", "2026-05-04", nil, ""},
		{"2022-05-04", "2032-05-04", nil, ""}, {"2022-05-04", "2032-05-05", nil, "DateDPE diagnosis_void"}, {"2024-02-29", "2034-03-01", nil, ""},
		{"2021-06-30", "2026-05-04", changes{"ConsoEner": criteria.Unique("NS")}, ""}, {"2021-06-30", "2026-05-04", changes{"Pays": criteria.Unique("BE")}, ""},
	} {
		made, _ := time.Parse(time.DateOnly, c.made)
		others := changes{"DateDPE": criteria.Date{At: made}}
		maps.Copy(others, c.others)
		advert := changed("a flat for sale", others)
		advert.Today = c.today
		if got := gaps(advert); got != c.want {
			t.Errorf("made on %s, on %s with %v: %q", c.made, c.today, c.others, got)
		}
	}
}
