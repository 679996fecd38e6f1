package demand_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

func at(latitude, longitude float64) *criteria.Position {
	return &criteria.Position{Latitude: latitude, Longitude: longitude}
}

func TestWhereAnAreaIs(t *testing.T) {
	lyon := demand.Place{City: "lyon", PostalCode: "69003", Position: at(45.76, 4.85)}
	located := lyon
	located.INSEE = "69383"
	ajaccio := demand.Place{PostalCode: "20090"}
	bastia := demand.Place{PostalCode: "20200"}
	pointe := demand.Place{PostalCode: "97110"}
	square := demand.Outline{{{*at(45, 4), *at(45, 5), *at(46, 5), *at(46, 4), *at(45, 4)}, {*at(45.5, 4.5), *at(45.5, 4.6), *at(45.6, 4.6), *at(45.6, 4.5), *at(45.5, 4.5)}}}
	for name, c := range map[string]struct {
		area  demand.Area
		place demand.Place
		want  bool
	}{
		"a city by its name, whatever its spelling": {demand.Area{Type: demand.City, Label: "LYON "}, lyon, true},
		"another city": {demand.Area{Type: demand.City, Label: "Lyons-la-Forêt"}, lyon, false},
		"a city by its code where both are known": {demand.Area{Type: demand.City, Label: "Lyon", Code: "69123"}, located, true},
		"a city by the code of another":           {demand.Area{Type: demand.City, Label: "Lyon", Code: "69266"}, located, false},
		"a city by its name where one is not":     {demand.Area{Type: demand.City, Label: "Lyon", Code: "69123"}, lyon, true},
		"no city":                                 {demand.Area{Type: demand.City}, demand.Place{}, false},
		"a postal code, spaces aside":             {demand.Area{Type: demand.PostalCode, Code: "69 003"}, lyon, true},
		"another postal code":                     {demand.Area{Type: demand.PostalCode, Code: "69004"}, lyon, false},
		"a commune":                               {demand.Area{Type: demand.INSEE, Code: "69383"}, located, true},
		"a commune nobody knows":                  {demand.Area{Type: demand.INSEE, Code: "69383"}, lyon, false},
		"a department":                            {demand.Area{Type: demand.Department, Code: "69"}, lyon, true},
		"another department":                      {demand.Area{Type: demand.Department, Code: "01"}, lyon, false},
		"the south of Corsica":                    {demand.Area{Type: demand.Department, Code: "2a"}, ajaccio, true},
		"the north of Corsica":                    {demand.Area{Type: demand.Department, Code: "2B"}, bastia, true},
		"a department overseas":                   {demand.Area{Type: demand.Department, Code: "971"}, pointe, true},
		"a circle":                                {demand.Area{Type: demand.Radius, Center: *at(45.75, 4.85), RadiusKm: 1.2}, lyon, true},
		"outside a circle":                        {demand.Area{Type: demand.Radius, Center: *at(45.75, 4.85), RadiusKm: 1.1}, lyon, false},
		"a circle, nobody knowing where":          {demand.Area{Type: demand.Radius, Center: *at(45.75, 4.85), RadiusKm: 1000}, ajaccio, false},
		"a polygon":                               {demand.Area{Type: demand.Shape, Outline: square}, lyon, true},
		"outside a polygon":                       {demand.Area{Type: demand.Shape, Outline: square}, demand.Place{Position: at(46.1, 4.5)}, false},
		"the hole of a polygon":                   {demand.Area{Type: demand.Shape, Outline: square}, demand.Place{Position: at(45.55, 4.55)}, false},
		"the border of a polygon":                 {demand.Area{Type: demand.Shape, Outline: square}, demand.Place{Position: at(45, 4.2)}, true},
		"the corner of a polygon":                 {demand.Area{Type: demand.Shape, Outline: square}, demand.Place{Position: at(46, 5)}, true},
	} {
		if got := c.area.Has(c.place); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// arrondissements are those of the three cities that have some with codes of their
// own, by the code of the commune (INSEE, code officiel géographique).
func arrondissements() map[string][]string {
	all := map[string][]string{}
	for commune, c := range map[string]struct{ first, count int }{"75056": {75101, 20}, "69123": {69381, 9}, "13055": {13201, 16}} {
		for n := range c.count {
			all[commune] = append(all[commune], strconv.Itoa(c.first+n))
		}
	}
	return all
}

func TestACommuneHasItsArrondissementsAndTheyHaveNobody(t *testing.T) {
	var everywhere []string
	in := arrondissements()
	for commune, some := range in {
		everywhere = append(append(everywhere, commune), some...)
	}
	everywhere = append(everywhere, "69266", "13001", "75057", "69380", "69390", "13200", "13217", "75100", "75121")
	for _, kind := range []demand.AreaType{demand.City, demand.INSEE} {
		for _, wanted := range everywhere {
			for _, home := range everywhere {
				area, place := demand.Area{Type: kind, Label: "x", Code: wanted}, demand.Place{City: "y", INSEE: home}
				if got, want := area.Has(place), wanted == home || slices.Contains(in[wanted], home); got != want {
					t.Errorf("%s %s has a home at %s: %t", kind, wanted, home, got)
				}
			}
		}
	}
}

func TestTheDepartmentsOfIslands(t *testing.T) {
	for place, want := range map[demand.Place]string{
		{PostalCode: "97133"}: "977", {PostalCode: "97150"}: "978", {PostalCode: "97190"}: "971", {INSEE: "97701"}: "977", {INSEE: "97801", PostalCode: "97150"}: "978",
		{INSEE: "97123", PostalCode: "97133"}: "977", {INSEE: "97127"}: "978", {INSEE: "97133"}: "971", {PostalCode: "97500"}: "975", {PostalCode: "98800"}: "988",
		{PostalCode: "98714"}: "987", {PostalCode: "98600"}: "986", {INSEE: "97502"}: "975",
	} {
		for _, department := range []string{"971", "975", "977", "978", "986", "987", "988"} {
			if got := (demand.Area{Type: demand.Department, Code: department}).Has(place); got != (department == want) {
				t.Errorf("%+v lies in %s: %t", place, department, got)
			}
		}
	}
}

func TestACityHasItsArrondissementsByName(t *testing.T) {
	for _, c := range []struct {
		label, city string
		want        bool
	}{
		{"Lyon", "Lyon 3e Arrondissement", true}, {"Lyon", "LYON 03", true}, {"PARIS", "Paris 16ème", true}, {"Marseille", "Marseille 1er", true},
		{"Lyon 3e Arrondissement", "Lyon", false}, {"Lyon", "Paris 3e", false}, {"Nice", "Nice 3", false}, {"Lyon", "Lyons-la-Forêt", false},
		{"St Etienne", "Saint-Étienne", true}, {"L'Haÿ-les-Roses", "L HAY LES ROSES CEDEX", true}, {"Saint-Étienne", "Étienne", false},
	} {
		p := product.Product{Criteria: criteria.Values{criteria.KeyCity: criteria.Text(c.city)}}
		if got := (demand.Area{Type: demand.City, Label: c.label}).Has(demand.PlaceOf(p)); got != c.want {
			t.Errorf("%s has a home in %s: %t", c.label, c.city, got)
		}
	}
}

func TestTwoPostalCodesOfOnePlaceAreOne(t *testing.T) {
	for _, wanted := range []string{"75016", "75116", "75 116", "75015"} {
		for _, home := range []string{"75016", "75116", " 75116"} {
			p := product.Product{Criteria: criteria.Values{criteria.KeyPostalCode: criteria.Text(home)}}
			if got := (demand.Area{Type: demand.PostalCode, Code: wanted}).Has(demand.PlaceOf(p)); got != (wanted != "75015") {
				t.Errorf("%s has a home at %s: %t", wanted, home, got)
			}
		}
	}
}

func TestAreasAreAnyOfTheWantedAndNoneOfTheExcluded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		codes := []string{"69001", "69002", "69003"}
		place := demand.Place{PostalCode: rapid.SampledFrom(codes).Draw(t, "where")}
		areas := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) demand.Area {
			return demand.Area{Type: demand.PostalCode, Code: rapid.SampledFrom(codes).Draw(t, "code"), Excluded: rapid.Bool().Draw(t, "excluded")}
		}), 0, 4).Draw(t, "areas")
		wanted, listed, excluded := 0, 0, 0
		for _, a := range areas {
			switch {
			case a.Excluded && a.Has(place):
				excluded++
			case !a.Excluded:
				wanted++
				if a.Has(place) {
					listed++
				}
			}
		}
		if got, want := demand.Within(areas, place), excluded == 0 && (wanted == 0 || listed > 0); got != want {
			t.Fatalf("within is %t, not %t", got, want)
		}
	})
}

func TestAConvexPolygonHasWhatItsEdgesTurnAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "corners")
		ring := make([]criteria.Position, 0, n+1)
		for i := range n {
			angle := 2 * math.Pi * float64(i) / float64(n)
			ring = append(ring, criteria.Position{Latitude: 45 + math.Sin(angle), Longitude: 5 + math.Cos(angle)})
		}
		ring = append(ring, ring[0])
		p := criteria.Position{Latitude: rapid.Float64Range(43.5, 46.5).Draw(t, "latitude"), Longitude: rapid.Float64Range(3.5, 6.5).Draw(t, "longitude")}
		want := true
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			turn := (b.Longitude-a.Longitude)*(p.Latitude-a.Latitude) - (b.Latitude-a.Latitude)*(p.Longitude-a.Longitude)
			if math.Abs(turn) < 1e-9 {
				t.Skip("too near an edge for two ways of computing it to agree")
			}
			want = want && turn > 0
		}
		if got := (demand.Outline{{ring}}).Has(p); got != want {
			t.Fatalf("%v: %t", p, got)
		}
	})
}
