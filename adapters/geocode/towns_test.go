package geocode_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/geocode"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

type address = product.Address

func towns(t *testing.T, file string) *geocode.Towns {
	t.Helper()
	read, err := geocode.ReadTownsFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// near checks that a town is found about there, or nowhere at 0, 0.
func near(t *testing.T, g *geocode.Towns, a address, latitude, longitude float64) {
	t.Helper()
	place, err := g.Locate(t.Context(), a)
	if latitude == 0 && longitude == 0 {
		if !errors.Is(err, fault.NotFound) {
			t.Errorf("%+v is at %+v (%v), want nowhere", a, place, err)
		}
		return
	}
	if err != nil || math.Abs(place.Latitude-latitude) > 1e-6 || math.Abs(place.Longitude-longitude) > 1e-6 {
		t.Errorf("%+v is at %+v (%v), want %v, %v", a, place, err, latitude, longitude)
	}
	if err == nil && (place.Source != product.FromCity || place.Score != 0) {
		t.Errorf("%+v: %+v", a, place)
	}
}

func TestTownsAreFoundInPostalCodes(t *testing.T) {
	g := towns(t, "postal.txt")
	near(t, g, address{PostalCode: "42000", City: "Saint-Étienne", Country: "FR"}, 45.4339, 4.39)
	near(t, g, address{PostalCode: " 42 000 ", City: "ST ETIENNE CEDEX 1", Country: "fr"}, 45.4339, 4.39)
	near(t, g, address{City: "saint etienne", Country: "FR"}, 45.4339, 4.39)
	near(t, g, address{PostalCode: "42000", Country: "FR"}, 45.4339, 4.39)
	near(t, g, address{PostalCode: "69003", City: "Lyon", Country: "FR"}, 45.75, 4.85) // the file says Lyon 03
	near(t, g, address{PostalCode: "01400", Country: "FR"}, (46.1167+46.1833)/2, (4.95+4.9667)/2)
	near(t, g, address{PostalCode: "01400", City: "Sulignat", Country: "FR"}, 46.1833, 4.9667)
	near(t, g, address{PostalCode: "1000", City: "Bruxelles", Country: "BE"}, 50.8466, 4.3528)
}

func TestTownsThatAreNotKnownAreNowhere(t *testing.T) {
	g := towns(t, "postal.txt")
	for _, a := range []address{
		{Street: "12 rue du Lac", PostalCode: "42000", City: "Saint-Étienne", Country: "FR"}, // no streets here
		{City: "Saint-Denis", Country: "FR"},                                                 // which one?
		{City: "Nulle-Part", Country: "FR"}, {PostalCode: "99999", City: "Lyon", Country: "FR"}, {PostalCode: "99999", Country: "FR"},
		{PostalCode: "1000", Country: "FR"}, {PostalCode: "42000", Country: "BE"}, {Country: "FR"}, {},
	} {
		near(t, g, a, 0, 0)
	}
}

func TestTheOverseasArePartOfFrance(t *testing.T) {
	g := towns(t, "postal.txt")
	near(t, g, address{PostalCode: "97400", City: "Saint-Denis", Country: "RE"}, -20.8823, 55.4504)
	near(t, g, address{PostalCode: "97400", City: "Saint-Denis", Country: "FR"}, -20.8823, 55.4504)
	near(t, towns(t, "communes.json"), address{PostalCode: "97490", City: "saint denis", Country: "RE"}, -20.9342, 55.4533)
}

// Longitude comes first in GeoJSON, latitude in GeoNames.
func TestTownsAreFoundAmongCommunes(t *testing.T) {
	g := towns(t, "communes.json")
	near(t, g, address{PostalCode: "69003", City: "LYON", Country: "FR"}, 45.758, 4.8351)
	near(t, g, address{PostalCode: "01400", City: "L’Abergement Clémenciat", Country: "FR"}, 46.1517, 4.9306)
	near(t, g, address{City: "Lyon", Country: "FR"}, 45.758, 4.8351)
	near(t, g, address{PostalCode: "99999", City: "Sans centre", Country: "FR"}, 0, 0)
}

func TestAFileThatIsNoTableOfTownsIsRefused(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "blank": "\n\n", "commas": "FR,69003,Lyon\n", "no numbers": strings.Repeat("x\t", 12) + "\n",
		"off the globe": "FR\t69003\tLyon\t\t\t\t\t\t\t245.75\t4.85\t5\n", "no list": `{"nom": "Lyon"}`, "no towns": "[]", "cut off": `[{"nom": "Ly`,
	} {
		if _, err := geocode.ReadTowns(strings.NewReader(content)); err == nil {
			t.Errorf("%s: it is taken for a table of towns", name)
		}
	}
	if _, err := geocode.ReadTownsFile("testdata/absent.txt"); err == nil {
		t.Error("an absent file is read")
	}
}
