package demand_test

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

func choices(codes ...string) []criteria.Choice {
	var all []criteria.Choice
	for i, code := range codes {
		all = append(all, criteria.Choice{ID: int64(i + 1), Code: code, Label: code, Active: true})
	}
	return all
}

func rules() demand.Rules {
	return demand.Rules{
		Reading: criteria.Reading{Zone: time.UTC},
		Dictionary: criteria.NewDictionary([]criteria.Definition{
			{ID: 1, Key: criteria.KeyTransactionType, Type: criteria.UNIQUE, Active: true, Searchable: true, Choices: choices("Vente", "Location")},
			{ID: 2, Key: criteria.KeyPropertyType, Type: criteria.UNIQUE, Active: true, Searchable: true, Choices: choices("Appartement", "Maison")},
			{ID: 3, Key: criteria.KeyPrice, Type: criteria.NUMBER, Active: true, Searchable: true},
			{ID: 4, Key: "Balcon", Type: criteria.FLAG, Active: true, Searchable: true},
			{ID: 5, Key: "Chauffage", Type: criteria.UNIQUE, Active: true, Searchable: true, Choices: choices("Gaz")},
		}, []criteria.List{{ID: criteria.KeyPoints, Choices: choices("CALME")}}),
	}
}

func create(t *testing.T, c demand.Change) demand.SearchRequest {
	t.Helper()
	var problems fault.Problems
	made := rules().Create(c, &problems)
	if err := problems.Err(); err != nil {
		t.Fatalf("%v %+v", err, fault.From(err).Details)
	}
	return made
}

func sale() demand.Change { return demand.Change{TransactionType: opt.Of("Vente")} }

// priceUpTo is a condition as a request writes it.
func priceUpTo(limit string) opt.Field[[]criteria.ConditionInput] {
	return opt.Of([]criteria.ConditionInput{{ID: criteria.KeyPrice, Operator: opt.Of("INFERIEUR"), Value: criteria.Raw{V: criteria.Literal(limit)}}})
}

func TestASearchRequestIsActiveUnlessItSaysOtherwise(t *testing.T) {
	if made := create(t, sale()); !made.Open() || made.Status != demand.StatusActive {
		t.Errorf("%+v", made)
	}
	c := sale()
	c.Status = opt.Of(demand.StatusPaused)
	if made := create(t, c); made.Open() {
		t.Error("a paused one is open")
	}
}

func TestShortcutsAreMirroredInTheCriteria(t *testing.T) {
	c := sale()
	c.PriceMax = opt.Of(300_000.0)
	made := create(t, c)
	want := []criteria.Condition{{Criterion: criteria.KeyPrice, Type: criteria.NUMBER, Operator: criteria.INFERIEUR, Number: 300_000}}
	if d := gocmp.Diff(want, made.Criteria); d != "" {
		t.Error(d)
	}
	c = sale()
	c.Criteria = priceUpTo("300000")
	made = create(t, c)
	if limit, ok := made.Bound(demand.Bounds()[1]); !ok || limit != 300_000 {
		t.Errorf("price_max is %v", limit)
	}
}

// Every limit is set by the field of a request that has its name.
func TestEveryBoundHasItsField(t *testing.T) {
	for _, b := range demand.Bounds() {
		c := sale()
		for field, value := range reflect.ValueOf(&c).Elem().Fields() {
			if field.Tag.Get("json") == b.Field {
				value.Set(reflect.ValueOf(opt.Of(7.0)))
			}
		}
		if made := create(t, c); len(made.Criteria) != 1 || made.Criteria[0].Criterion != b.Criterion || made.Criteria[0].Operator != b.Operator {
			t.Errorf("%s: %+v", b.Field, made.Criteria)
		}
	}
}

func TestKeyPointsAreConditionsWhereACriterionSpeaksOfThem(t *testing.T) {
	c := sale()
	c.KeyPoints = opt.Of([]demand.KeyPointInput{
		{ID: opt.Of("Balcon"), Importance: opt.Of("INDISPENSABLE")}, {ID: opt.Of("CALME")},
		{ID: opt.Of("5"), Importance: opt.Of("EXCLU"), Value: criteria.Raw{V: "Gaz"}},
	})
	made := create(t, c)
	want := []demand.KeyPoint{
		{ID: "Balcon", Importance: demand.Indispensable, Condition: &criteria.Condition{Criterion: "Balcon", Type: criteria.FLAG, Operator: criteria.EGAL, Flag: true}},
		{ID: "CALME", Importance: demand.Souhaite},
		{ID: "Chauffage", Importance: demand.Exclu, Condition: &criteria.Condition{Criterion: "Chauffage", Type: criteria.UNIQUE, Operator: criteria.COMPREND, Codes: []string{"Gaz"}}},
	}
	if d := gocmp.Diff(want, made.KeyPoints); d != "" {
		t.Error(d)
	}
}

// square is a GeoJSON ring around 45 to 46 degrees north, 4 to 5 east.
func square() any {
	at := func(longitude, latitude string) any {
		return []any{criteria.Literal(longitude), criteria.Literal(latitude)}
	}
	return []any{at("4", "45"), at("5", "45"), at("5", "46"), at("4", "46"), at("4", "45")}
}

func TestAreasKeepTheirIdsAndPolygonsAreGeoJSON(t *testing.T) {
	c := sale()
	c.Areas = opt.Of([]demand.AreaInput{
		{Type: opt.Of("CITY"), Label: opt.Of("Lyon")},
		{Type: opt.Of("POLYGON"), Polygon: opt.Of(demand.GeoJSONInput{Type: opt.Of("Polygon"), Coordinates: criteria.Raw{V: []any{square()}}})},
		{Type: opt.Of("POLYGON"), Polygon: opt.Of(demand.GeoJSONInput{Type: opt.Of("MultiPolygon"), Coordinates: criteria.Raw{V: []any{[]any{square()}}}})},
	})
	made := create(t, c)
	if len(made.Areas) != 3 || made.Areas[0].ID != 1 || made.Areas[2].ID != 3 {
		t.Fatalf("%+v", made.Areas)
	}
	inside := criteria.Position{Latitude: 45.2, Longitude: 4.7}
	if !made.Areas[1].Outline.Has(inside) || !made.Areas[2].Outline.Has(inside) {
		t.Error("latitude and longitude are mixed up")
	}
	var problems fault.Problems
	after := rules().Update(made, demand.Change{Areas: opt.Of([]demand.AreaInput{
		{Type: opt.Of("POSTAL_CODE"), Code: opt.Of("69003")}, {ID: opt.Of(int64(1)), Type: opt.Of("CITY"), Label: opt.Of("Bron")},
	})}, &problems)
	if !problems.Empty() || len(after.Areas) != 2 || after.Areas[0].ID != 4 || after.Areas[1].ID != 1 || after.Areas[1].Label != "Bron" {
		t.Errorf("%+v %+v", after.Areas, problems.Err())
	}
	first := demand.AreaInput{ID: opt.Of(int64(1)), Type: opt.Of("CITY"), Label: opt.Of("Lyon")}
	rules().Update(made, demand.Change{Areas: opt.Of([]demand.AreaInput{first, first})}, &problems)
	if found := fault.From(problems.Err()); found.Code != fault.CodeAmbiguousField || found.Details[0].Field != "areas[1].id" {
		t.Errorf("an area given twice: %+v", found)
	}
}

func TestWhatIsWrongWithASearchRequestNamesItsField(t *testing.T) {
	with := func(change func(*demand.Change)) demand.Change {
		c := sale()
		change(&c)
		return c
	}
	area := func(a demand.AreaInput) demand.Change {
		return with(func(c *demand.Change) { c.Areas = opt.Of([]demand.AreaInput{a}) })
	}
	open := square().([]any)[:4]
	for name, c := range map[string]struct {
		change demand.Change
		field  string
		code   fault.Code
	}{
		"no transaction":      {demand.Change{}, "transaction_type", fault.CodeRequired},
		"an unknown one":      {demand.Change{TransactionType: opt.Of("Troc")}, "transaction_type", fault.CodeCriteriaValueUnknown},
		"an unknown property": {with(func(c *demand.Change) { c.PropertyTypes = opt.Of([]string{"Maison", "Igloo"}) }), "property_types[1]", fault.CodeCriteriaValueUnknown},
		"a price without end": {with(func(c *demand.Change) { c.PriceMin = opt.Of(math.Inf(1)) }), "price_min", fault.CodeOutOfRange},
		"nothing in between": {with(func(c *demand.Change) {
			c.PriceMin, c.PriceMax = opt.Of(2.0), opt.Of(1.0)
		}), "price_min", fault.CodeOutOfRange},
		"two different limits": {with(func(c *demand.Change) {
			c.PriceMax, c.Criteria = opt.Of(1.0), priceUpTo("2")
		}), "price_max", fault.CodeAmbiguousField},
		"an unknown key point": {with(func(c *demand.Change) { c.KeyPoints = opt.Of([]demand.KeyPointInput{{ID: opt.Of("SUNNY")}}) }), "key_points[0].id", fault.CodeUnknownCriterion},
		"a key point's value": {with(func(c *demand.Change) {
			c.KeyPoints = opt.Of([]demand.KeyPointInput{{ID: opt.Of("Chauffage"), Value: criteria.Raw{V: "Bois"}}})
		}), "key_points[0].value", fault.CodeCriteriaValueUnknown},
		"an area of no type":     {area(demand.AreaInput{}), "areas[0].type", fault.CodeRequired},
		"a department unnamed":   {area(demand.AreaInput{Type: opt.Of("DEPARTMENT")}), "areas[0].code", fault.CodeRequired},
		"a department of nobody": {area(demand.AreaInput{Type: opt.Of("DEPARTMENT"), Code: opt.Of("999")}), "areas[0].code", fault.CodeInvalidFormat},
		"Corsica in one":         {area(demand.AreaInput{Type: opt.Of("DEPARTMENT"), Code: opt.Of("20")}), "areas[0].code", fault.CodeInvalidFormat},
		"no commune":             {area(demand.AreaInput{Type: opt.Of("INSEE"), Code: opt.Of("x")}), "areas[0].code", fault.CodeInvalidFormat},
		"no postal code":         {area(demand.AreaInput{Type: opt.Of("POSTAL_CODE"), Code: opt.Of("!!")}), "areas[0].code", fault.CodeInvalidFormat},
		"no code of a town":      {area(demand.AreaInput{Type: opt.Of("CITY"), Code: opt.Of("?"), Label: opt.Of("Lyon")}), "areas[0].code", fault.CodeInvalidFormat},
		"a circle without size":  {area(demand.AreaInput{Type: opt.Of("RADIUS"), Latitude: opt.Of(1.0), Longitude: opt.Of(1.0)}), "areas[0].radius_km", fault.CodeOutOfRange},
		"a circle off the map":   {area(demand.AreaInput{Type: opt.Of("RADIUS"), Latitude: opt.Of(91.0), Longitude: opt.Of(1.0), RadiusKm: opt.Of(1.0)}), "areas[0].latitude", fault.CodeInvalidCoordinates},
		"a polygon without any":  {area(demand.AreaInput{Type: opt.Of("POLYGON")}), "areas[0].polygon.coordinates", fault.CodeRequired},
		"a ring left open":       {area(demand.AreaInput{Type: opt.Of("POLYGON"), Polygon: opt.Of(demand.GeoJSONInput{Coordinates: criteria.Raw{V: []any{open}}})}), "areas[0].polygon.coordinates", fault.CodeInvalidCoordinates},
		"an area nobody has":     {area(demand.AreaInput{ID: opt.Of(int64(9)), Type: opt.Of("CITY"), Label: opt.Of("Lyon")}), "areas[0].id", fault.CodeOutOfRange},
	} {
		var problems fault.Problems
		rules().Create(c.change, &problems)
		err := problems.Err()
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if d := fault.From(err).Details[0]; d.Field != c.field || d.Code != c.code {
			t.Errorf("%s: %s %s", name, d.Field, d.Code)
		}
	}
}

// TestEveryFiniteNumberIsABound: in a field of its own or in criteria, it is the
// double that was sent, and the two agree.
func TestEveryFiniteNumberIsABound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{330000.00000000006, math.MaxFloat64, -math.MaxFloat64, 5e-324, -1, 0})).Draw(t, "n")
		c := sale()
		c.PriceMax, c.SurfaceMin = opt.Of(n), opt.Of(n)
		c.Criteria = priceUpTo(strconv.FormatFloat(n, 'g', -1, 64))
		var problems fault.Problems
		made := rules().Create(c, &problems)
		if err := problems.Err(); err != nil {
			t.Fatalf("%v: %+v", n, fault.From(err).Details)
		}
		for _, b := range demand.Bounds() {
			if b.Field != "price_max" && b.Field != "surface_min" {
				continue
			}
			if got, ok := made.Bound(b); !ok || got != n {
				t.Fatalf("%s is %v, not %v", b.Field, got, n)
			}
		}
		found := rapid.Float64().Draw(t, "found")
		outcome := (&demand.Demand{Condition: &criteria.Condition{Type: criteria.NUMBER, Number: n}}).Off(found)
		if math.IsInf(outcome.By, 0) || math.IsNaN(outcome.By) || math.IsNaN(outcome.Slack) {
			t.Fatalf("%v is off %v by %+v", found, n, outcome)
		}
	})
}

// TestAreaCodesMatchSomething: what is accepted is what some product can have.
func TestAreaCodesMatchSomething(t *testing.T) {
	type codes = []string
	for kind, c := range map[string]struct{ right, wrong codes }{
		"DEPARTMENT": {
			codes{"01", "69", "95", "2A", "2b", " 2B ", "971", "972", "973", "974", "975", "976", "988"},
			codes{"1", "20", "96", "99", "97", "970", "999", "2C", "Rhône", "069", "0", "-1"},
		},
		"INSEE": {
			codes{"69383", "2A004", "2b033", "97411", "01053", "98818"},
			codes{"x", "6938", "693830", "20004", "99999", "Lyon", "69 38", "!!", "97000"},
		},
		"POSTAL_CODE": {
			codes{"69003", "97400", "98000", "1050", "L-1009", "1012 AB", "sw1a 1aa", "00-001", "1000-205", "AD500", "101", "10115", "12345-6789"},
			codes{"!!", "x", "75", "Lyon", "-", "--69003", "69003-", "690/03", "é1000", "12345678901", "٣٣٣"},
		},
		"CITY": {codes{"69123", "2A004", "21004", "09162000"}, codes{"!!", "x", "Lyon", "6", "69 12 ?"}},
	} {
		for want, given := range map[bool]codes{true: c.right, false: c.wrong} {
			for _, code := range given {
				change := sale()
				change.Areas = opt.Of([]demand.AreaInput{{Type: opt.Of(kind), Code: opt.Of(code), Label: opt.Of("Ici")}})
				var problems fault.Problems
				rules().Create(change, &problems)
				err := problems.Err()
				if (err == nil) != want {
					t.Errorf("%s %q: %v", kind, code, err)
				}
				if err == nil {
					continue
				}
				if d := fault.From(err).Details[0]; d.Field != "areas[0].code" || d.Code != fault.CodeInvalidFormat || d.Value != code && d.Value != strings.TrimSpace(code) {
					t.Errorf("%s %q: %+v", kind, code, d)
				}
			}
		}
	}
}

// TestAProductIsInItsCommune: as its criterion says, or else as its address was
// found.
func TestAProductIsInItsCommune(t *testing.T) {
	in := func(code string) []demand.Area { return []demand.Area{{Type: demand.INSEE, Code: code}} }
	told := product.Product{Criteria: criteria.Values{criteria.KeyCity: criteria.Text("Ajaccio"), criteria.KeyCommune: criteria.Text("2a004")}}
	found := product.Product{Criteria: criteria.Values{criteria.KeyCity: criteria.Text("Lyon")}}
	found.Locate(found.Address(), product.Place{Source: product.FromCity, Commune: "69123"})
	for code, p := range map[string]product.Product{"2A004": told, "69123": found} {
		if !demand.Within(in(code), demand.PlaceOf(p)) || demand.Within(in("75056"), demand.PlaceOf(p)) {
			t.Errorf("a product of %s is in %q", code, demand.PlaceOf(p).INSEE)
		}
	}
	if department := demand.PlaceOf(told).Department(); department != "2A" {
		t.Errorf("Ajaccio is in %q", department)
	}
}
