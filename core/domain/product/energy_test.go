package product_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/energy"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// labelled are the rules of a French site that knows everything about energy.
// H was a letter once, and nobody knows A+.
var labelled = product.Rules{
	Dictionary: criteria.NewDictionary([]criteria.Definition{
		{ID: 1, Key: "TypeBien", Type: criteria.UNIQUE, Active: true, Choices: choices(
			"Appartement Maison Villa Studio Loft Duplex Chalet Peniche Immeuble Bureau LocalCommercial FondsCommerce Entrepot LocalActivite " +
				"Restaurant Hotel ResidenceServices CentreCommercial Terrain Parking Garage Cave Divers")},
		{ID: 2, Key: "Prix", Type: criteria.NUMBER, Active: true},
		{ID: 3, Key: "Pays", Type: criteria.UNIQUE, Active: true, Choices: choices("FR BE LU DE ES")},
		{ID: 4, Key: "CodePostal", Type: criteria.TEXT, Active: true},
		{ID: 5, Key: "Surface", Type: criteria.NUMBER, Active: true},
		{ID: 6, Key: "SurfaceReference", Type: criteria.NUMBER, Active: true},
		{ID: 7, Key: "Altitude", Type: criteria.NUMBER, Active: true},
		{ID: 8, Key: "DateDPE", Type: criteria.DATE, Active: true},
		{ID: 9, Key: "conso_energ", Type: criteria.NUMBER, Active: true},
		{ID: 10, Key: "valeur_GES", Type: criteria.NUMBER, Active: true},
		{ID: 11, Key: "ConsoEner", Type: criteria.UNIQUE, Active: true, Choices: choices("A B C D E F G -H NS VI")},
		{ID: 12, Key: "GES", Type: criteria.UNIQUE, Active: true, Choices: choices("A B C D E F G NS VI")},
	}, nil),
	Zone: time.FixedZone("été", 2*3600), Country: "FR",
}

// letters shows the two letters, those that were computed in brackets, and the
// regime.
func letters(p product.Product) string {
	var words []string
	for _, key := range []string{"ConsoEner", "GES"} {
		switch code := p.Criteria.Code(key); {
		case code == "":
			words = append(words, "-")
		case p.Derived.Has(key):
			words = append(words, "["+code+"]")
		default:
			words = append(words, code)
		}
	}
	return strings.TrimSpace(strings.Join(append(words, p.Derived.Regime), " "))
}

// history creates a product and updates it, each step a list of criteria, and
// shows the letters after each.
func history(t testing.TB, rules product.Rules, steps ...[]product.CriterionInput) (shown []string) {
	t.Helper()
	var p product.Product
	for i, step := range steps {
		var problems fault.Problems
		if i == 0 {
			p = rules.Create(criteriaOf(step...), &problems)
		} else {
			p = rules.Update(p, criteriaOf(step...), &problems)
		}
		if !problems.Empty() {
			t.Fatal(told(problems))
		}
		shown = append(shown, letters(p))
	}
	return shown
}

// set writes criteria: key, value, key, value.
func set(pairs ...any) (changes []product.CriterionInput) {
	for i := 0; i < len(pairs); i += 2 {
		value := pairs[i+1]
		if n, ok := value.(int); ok {
			value = number(fmt.Sprint(n))
		}
		changes = append(changes, give(pairs[i].(string), value))
	}
	return changes
}

func TestK22_DeclaredAndComputedLetters(t *testing.T) {
	flat := func(more ...any) []product.CriterionInput {
		return set(append([]any{"TypeBien", "Appartement", "CodePostal", "75011", "Surface", 65}, more...)...)
	}
	for name, c := range map[string]struct {
		steps [][]product.CriterionInput
		want  []string
	}{
		"letters follow the numbers": {
			[][]product.CriterionInput{flat("conso_energ", 100), set("valeur_GES", 60), set("conso_energ", 400), set("valeur_GES", nil), set("conso_energ", nil)},
			[]string{"[B] - fr-2021", "[E] [E] fr-2021", "[F] [E] fr-2021", "[F] - fr-2021", "- -"},
		},
		"a letter that is sent with its number wins": {
			[][]product.CriterionInput{flat("conso_energ", 100, "valeur_GES", 20, "ConsoEner", "E"), set("Prix", 1), set("Surface", 30)},
			[]string{"E [C] fr-2021", "E [C] fr-2021", "E [C] fr-2021-small"},
		},
		"its number, sent later, replaces it": {
			[][]product.CriterionInput{flat("conso_energ", 100, "ConsoEner", "E"), set("conso_energ", 200)},
			[]string{"E -", "[D] - fr-2021"},
		},
		"even when the number is the same": {
			[][]product.CriterionInput{flat("conso_energ", 100, "ConsoEner", "E"), set("conso_energ", 100)},
			[]string{"E -", "[B] - fr-2021"},
		},
		"the other number leaves it": {
			[][]product.CriterionInput{flat("conso_energ", 100, "ConsoEner", "A"), set("valeur_GES", 60)},
			[]string{"A -", "A [E] fr-2021"},
		},
		"a letter sent alone keeps the number": {
			[][]product.CriterionInput{flat("valeur_GES", 20), set("GES", "D"), set("GES", nil)},
			[]string{"- [C] fr-2021", "- D", "- [C] fr-2021"},
		},
		"null removes a declared letter, and a computed one comes back": {
			[][]product.CriterionInput{flat("conso_energ", 100, "ConsoEner", "VI"), set("ConsoEner", nil), set("ConsoEner", "")},
			[]string{"VI -", "[B] - fr-2021", "[B] - fr-2021"},
		},
		"removing a number leaves a declared letter": {
			[][]product.CriterionInput{flat("conso_energ", 100, "ConsoEner", "E"), set("conso_energ", nil)},
			[]string{"E -", "E -"},
		},
		"a computed letter that is sent is declared from then on": {
			[][]product.CriterionInput{flat("conso_energ", 100), set("ConsoEner", "B"), set("TypeBien", "Bureau")},
			[]string{"[B] - fr-2021", "B -", "B -"},
		},
		"where nothing can be computed, the declared letter stays": {
			[][]product.CriterionInput{flat("Pays", "ES", "ConsoEner", "C"), set("conso_energ", 100), set("Pays", "FR"), set("conso_energ", 100)},
			[]string{"C -", "C -", "C -", "[B] - fr-2021"},
		},
		"every input counts": {
			[][]product.CriterionInput{
				flat("conso_energ", 345, "valeur_GES", 75), set("Surface", 30), set("SurfaceReference", 120), set("CodePostal", "73000", "Altitude", 1200),
				set("Altitude", nil), set("DateDPE", "2019-03-01"), set("TypeBien", "Bureau"), set("TypeBien", "Terrain"), set("TypeBien", "Maison", "Pays", "BE", "CodePostal", "5000"),
				set("Pays", nil), set("CodePostal", "97400"),
			},
			[]string{
				"[F] [F] fr-2021", "[F] [F] fr-2021-small", "[F] [F] fr-2021", "[E] [E] fr-2021",
				"[F] [F] fr-2021", "[F] [F] fr-2006", "[D] [E] fr-tertiary-offices", "- -", "[E] - be-wal",
				"[F] [F] fr-2006", "- -",
			},
		},
		"a surface of 0 is not known": {
			[][]product.CriterionInput{flat("conso_energ", 345, "SurfaceReference", 0), set("Surface", 30), set("Surface", 0)},
			[]string{"[F] - fr-2021", "[E] - fr-2021-small", "[F] - fr-2021"},
		},
		"a letter the site does not know is not given": {
			[][]product.CriterionInput{set("TypeBien", "Maison", "Pays", "DE", "conso_energ", 20), set("conso_energ", 40), set("conso_energ", 300), set("valeur_GES", 20)},
			[]string{"- -", "[A] - de-2014", "- -", "- -"},
		},
	} {
		if got := history(t, labelled, c.steps...); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

func TestK26_TheDateOfTheDPEIsADayOfTheSite(t *testing.T) {
	for date, want := range map[string]string{
		"2021-06-30": "fr-2006", "2021-07-01": "fr-2021", "30/06/2021 23:59": "fr-2006", "2021-06-30T21:59:59Z": "fr-2006", "2021-06-30T22:00:00Z": "fr-2021",
	} {
		got := history(t, labelled, set("TypeBien", "Maison", "conso_energ", 60, "DateDPE", date))[0]
		if !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s, want %s", date, got, want)
		}
	}
}

func TestK24_WhichTypesOfPropertyAreLabelled(t *testing.T) {
	for regime, types := range map[string]string{
		"[D] - fr-2021-small":          "Appartement Maison Villa Studio Loft Duplex Chalet",
		"[E] - fr-2021":                "Immeuble",
		"[D] - fr-tertiary-offices":    "Bureau",
		"[E] - fr-tertiary-other":      "LocalCommercial FondsCommerce Entrepot LocalActivite Restaurant",
		"[C] - fr-tertiary-continuous": "Hotel ResidenceServices",
		"[E] - fr-tertiary-shopping":   "CentreCommercial",
		"- -":                          "Peniche Terrain Parking Garage Cave Divers",
	} {
		for _, code := range strings.Fields(types) {
			if got := history(t, labelled, set("TypeBien", code, "Surface", 17, "conso_energ", 317))[0]; got != regime {
				t.Errorf("%s: %s, want %s", code, got, regime)
			}
		}
	}
	if got := history(t, labelled, set("conso_energ", 100))[0]; got != "- -" {
		t.Errorf("without a type: %s", got)
	}
}

func TestLettersNeedTheirCriteria(t *testing.T) {
	flat := set("TypeBien", "Appartement", "conso_energ", 100, "valeur_GES", 20)
	for name, change := range map[string]func(*criteria.Definition){
		"inactive":                 func(d *criteria.Definition) { d.Active = false },
		"of another type":          func(d *criteria.Definition) { d.Type, d.Choices = criteria.TEXT, nil },
		"without the letter":       func(d *criteria.Definition) { d.Choices = choices("A B D E") },
		"with the letter given up": func(d *criteria.Definition) { d.Choices = choices("A B -C D E") },
		"gone":                     func(d *criteria.Definition) { d.Key = "Autre" },
	} {
		definitions := labelled.Dictionary.Definitions()
		for i := range definitions {
			if definitions[i].Key == "GES" || definitions[i].Key == "ConsoEner" {
				change(&definitions[i])
			}
		}
		rules := labelled
		rules.Dictionary = criteria.NewDictionary(definitions, nil)
		if got := history(t, rules, flat)[0]; got != "- -" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestTheSiteChoosesItsScalesAndCountry(t *testing.T) {
	rules := labelled
	rules.EnergyScales = energy.Scales{energy.NoScale}
	if got := history(t, rules, set("TypeBien", "Maison", "conso_energ", 100))[0]; got != "- -" {
		t.Errorf("without scales: %s", got)
	}
	rules.EnergyScales, rules.Country = nil, "LU"
	if got := history(t, rules, set("TypeBien", "Maison", "conso_energ", 100), set("Pays", "FR")); fmt.Sprint(got) != "[[C] - lu-house [B] - fr-2021]" {
		t.Errorf("in Luxembourg: %s", got)
	}
}

// Letters stored before there were marks count as declared, and products
// without letters get theirs with their next change, not before.
func TestProductsFromBeforeLettersWereComputed(t *testing.T) {
	old := product.Product{Reference: "1", Criteria: criteria.Values{
		"TypeBien": criteria.Unique("Appartement"), "conso_energ": criteria.Number(100), "valeur_GES": criteria.Number(20), "GES": criteria.Unique("A"),
	}}
	for want, c := range map[string]product.Change{
		"- A":           criteriaOf(give("TypeBien", "Appartement")),
		"[C] A fr-2021": {WebStatus: opt.Of(true)},
	} {
		var problems fault.Problems
		if after := labelled.Update(old, c, &problems); letters(after) != want {
			t.Errorf("%s, want %s", letters(after), want)
		}
	}
}

// The laws of letters, over random histories.

var energyValues = map[string][]any{
	"TypeBien": {"Appartement", "Maison", "Bureau", "Terrain", nil}, "Pays": {"FR", "BE", "DE", "ES", nil},
	"CodePostal": {"75011", "73000", "97400", "5000", nil}, "Surface": {number("20"), number("65"), nil}, "SurfaceReference": {number("30"), nil},
	"Altitude": {number("1200"), nil}, "DateDPE": {"2019-01-01", "2023-01-01", nil}, "Prix": {number("1"), number("2")},
	"conso_energ": {number("0"), number("100"), number("345"), number("1200"), nil}, "valeur_GES": {number("5"), number("60"), nil},
	"ConsoEner": {"A", "E", "VI", nil}, "GES": {"B", "NS", nil},
}

func drawStep(t *rapid.T) []product.CriterionInput {
	var changes []product.CriterionInput
	keys := []string{"TypeBien", "Pays", "CodePostal", "Surface", "SurfaceReference", "Altitude", "DateDPE", "Prix", "conso_energ", "valeur_GES", "ConsoEner", "GES"}
	for _, key := range rapid.Permutation(keys).Draw(t, "keys")[:rapid.IntRange(0, 6).Draw(t, "how many")] {
		changes = append(changes, give(key, rapid.SampledFrom(energyValues[key]).Draw(t, key)))
	}
	return changes
}

func TestLettersAreAFunctionOfThePresentState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var problems fault.Problems
		p := labelled.Create(criteriaOf(drawStep(t)...), &problems)
		for range rapid.IntRange(0, 4).Draw(t, "updates") {
			p = labelled.Update(p, criteriaOf(drawStep(t)...), &problems)
		}
		if !problems.Empty() {
			t.Fatal(told(problems))
		}
		// Without its computed letters, created at once, the product is the same.
		var all []product.CriterionInput
		for key, value := range p.Criteria {
			if !p.Derived.Has(key) {
				all = append(all, give(key, shown(value)))
			}
		}
		anew := labelled.Create(criteriaOf(all...), &problems)
		if letters(anew) != letters(p) || !anew.Criteria.Equal(p.Criteria) {
			t.Fatalf("%s after a history, %s at once: %v", letters(p), letters(anew), p.Criteria)
		}
		if p.Derived.Any() != (p.Derived.Regime != "") {
			t.Fatalf("%+v", p.Derived)
		}
		for _, key := range []string{"ConsoEner", "GES"} {
			if _, has := p.Criteria[key]; p.Derived.Has(key) && !has {
				t.Fatalf("%s was computed and is not there", key)
			}
		}
	})
}

func TestP14_TheSameEnergyTwiceIsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var problems fault.Problems
		p := labelled.Create(criteriaOf(drawStep(t)...), &problems)
		step := criteriaOf(drawStep(t)...)
		once := labelled.Update(p, step, &problems)
		if twice := labelled.Update(once, step, &problems); !twice.Same(once) {
			t.Fatalf("once %s, twice %s", letters(once), letters(twice))
		}
		if nothing := labelled.Update(once, product.Change{}, &problems); !nothing.Same(once) {
			t.Fatalf("%s became %s by nothing", letters(once), letters(nothing))
		}
	})
}

func TestADeclaredLetterYieldsToNothingButItsNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var problems fault.Problems
		p := labelled.Create(criteriaOf(drawStep(t)...), &problems)
		p = labelled.Update(p, criteriaOf(give("ConsoEner", "F")), &problems)
		step := drawStep(t)
		after := labelled.Update(p, criteriaOf(step...), &problems)
		for _, c := range step {
			if c.ID == "ConsoEner" || c.ID == "conso_energ" {
				return
			}
		}
		if after.Criteria.Code("ConsoEner") != "F" || after.Derived.Energy {
			t.Fatalf("%v made F %s", step, letters(after))
		}
	})
}

func TestK22_NegativeNumbersAreRefused(t *testing.T) {
	for _, key := range []string{"conso_energ", "valeur_GES"} {
		var problems fault.Problems
		labelled.Create(criteriaOf(give(key, number("-0.1"))), &problems)
		if got := told(problems); got != "criteria[0].value out_of_range" {
			t.Errorf("%s: %s", key, got)
		}
	}
}
