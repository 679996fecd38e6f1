package trace_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

type letters []string

func (letters) Choices() []string { return []string{"a", "b"} }

type inner struct {
	Price float64           `json:"price"`
	Name  opt.Field[string] `json:"name"`
	More  []*inner          `json:"more"`
}

type criterion struct {
	ID    string       `json:"id" coerce:"string"`
	Value criteria.Raw `json:"value"`
}

type request struct {
	inner
	Page      opt.Field[int]     `query:"page"`
	Customer  opt.Field[int64]   `json:"customer_id"`
	Kind      opt.Field[string]  `json:"kind" alias:"sort" enum:"RENT,SALE"`
	Letters   letters            `json:"letters"`
	Active    bool               `json:"active"`
	Criteria  []criterion        `json:"criteria"`
	Headers   map[string]string  `json:"headers"`
	Answered  string             `json:"answered" trace:"keep"`
	Positions opt.Field[[]int64] `json:"positions"`
}

// at follows names through a plan.
func at(p *trace.Plan, names ...string) *trace.Plan {
	for _, name := range names {
		if name == "[]" {
			p = p.Item()
			continue
		}
		p, _ = p.Field(name)
	}
	return p
}

func TestValuesAreShownByTheTypeOfTheirField(t *testing.T) {
	plan := trace.BodyPlan(reflect.TypeFor[request]())
	for name, c := range map[string]struct {
		at              *trace.Plan
		texts           map[string]bool
		number, boolean bool
	}{
		"number":       {at(plan, "price"), map[string]bool{"12.5": true, "12 rue du Lac": false, "1,2": true}, true, false},
		"text":         {at(plan, "name"), map[string]bool{"Ana": false, "12": false, "": false}, false, false},
		"nested":       {at(plan, "more", "[]", "more", "[]", "price"), map[string]bool{"1": true, "x": false}, true, false},
		"nested text":  {at(plan, "more", "[]", "name"), map[string]bool{"Ana": false}, false, false},
		"enum":         {at(plan, "kind"), map[string]bool{"RENT": true, "Ana": false, "RENT,SALE": true, "RENT,Ana": false}, false, false},
		"alias":        {at(plan, "sort"), map[string]bool{"RENT": true}, false, false},
		"choices":      {at(plan, "letters", "[]"), map[string]bool{"a": true, "c": false}, false, false},
		"joined":       {at(plan, "letters"), map[string]bool{"a,b": true, "a,c": false}, false, false},
		"boolean":      {at(plan, "active"), map[string]bool{"true": true, "Ana": false}, false, true},
		"map":          {at(plan, "headers"), map[string]bool{"Ana": false}, false, false},
		"in a map":     {at(plan, "headers", "X-Name"), map[string]bool{"Ana": false}, false, false},
		"keep":         {at(plan, "answered"), map[string]bool{"Ana": true}, true, true},
		"numbers":      {at(plan, "positions", "[]"), map[string]bool{"7": true, "Ana": false}, true, false},
		"unknown":      {at(plan, "surname"), map[string]bool{"Ana": false, "1": false}, false, false},
		"query":        {at(plan, "page"), map[string]bool{"1": false}, false, false},
		"criterion":    {at(plan, "criteria", "[]", "id"), map[string]bool{"Prix": false}, false, false},
		"its value":    {at(plan, "criteria", "[]", "value"), map[string]bool{"Ana": false}, true, true},
		"of the query": {at(trace.QueryPlan(reflect.TypeFor[request]()), "page"), map[string]bool{"1": true, "Ana": false}, true, false},
	} {
		for text, shown := range c.texts {
			if got := c.at.ShowsText(text); got != shown {
				t.Errorf("%s: %q is shown: %t", name, text, got)
			}
		}
		if c.at.ShowsNumber() != c.number || c.at.ShowsBoolean() != c.boolean {
			t.Errorf("%s: numbers are shown: %t, booleans: %t", name, c.at.ShowsNumber(), c.at.ShowsBoolean())
		}
	}
}

func TestFieldsThatNameCustomersSaySo(t *testing.T) {
	plan := trace.BodyPlan(reflect.TypeFor[request]())
	if !at(plan, "customer_id").NamesCustomers() || at(plan, "price").NamesCustomers() {
		t.Error("customer_id names customers, price does not")
	}
}

func TestACriterionSaysWhatItsValueMayBe(t *testing.T) {
	about := at(trace.BodyPlan(reflect.TypeFor[request]()), "criteria", "[]")
	if !about.HasCriterion() {
		t.Fatal("it has the id of a criterion")
	}
	unique := criteria.Definition{Key: "Chauffage", Type: criteria.UNIQUE, Choices: []criteria.Choice{{Code: "GAZ"}}}
	private := criteria.Definition{Key: "Cle", Type: criteria.NUMBER, Private: true}
	for name, c := range map[string]struct {
		of     criteria.Definition
		texts  map[string]bool
		number bool
	}{
		"unique":  {unique, map[string]bool{"GAZ": true, "Ana": false}, false},
		"text":    {criteria.Definition{Key: "Titre", Type: criteria.TEXT}, map[string]bool{"Ana": false, "1": false}, false},
		"private": {private, map[string]bool{"12": false}, false},
		"number":  {criteria.Definition{Key: "Prix", Type: criteria.NUMBER}, map[string]bool{"12": true, "Ana": false}, true},
		"date":    {criteria.Definition{Key: "Libre", Type: criteria.DATE}, map[string]bool{"2026-09-16": true, "Ana": false}, false},
	} {
		value := at(about.Of(c.of), "value")
		for text, shown := range c.texts {
			if got := value.ShowsText(text); got != shown {
				t.Errorf("%s: %q is shown: %t", name, text, got)
			}
		}
		if value.ShowsNumber() != c.number {
			t.Errorf("%s: numbers are shown: %t", name, value.ShowsNumber())
		}
		if !at(about.Of(c.of), "id").ShowsText(c.of.Key) {
			t.Errorf("%s: the id is hidden", name)
		}
	}
	if at(about, "id").ShowsText("Ana") {
		t.Error("an unknown id is shown")
	}
}

// No text but the words of an enum, and what is a number, is shown by any field that
// a client fills in.
func TestNoTextOfAClientIsShown(t *testing.T) {
	plan := trace.BodyPlan(reflect.TypeFor[request]())
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zA-Zéè@. ]{3,40}`).Draw(t, "text")
		for _, names := range [][]string{{"price"}, {"name"}, {"kind"}, {"letters"}, {"letters", "[]"}, {"criteria", "[]", "id"}, {"criteria", "[]", "value"}, {"headers"}, {"customer_id"}, {"positions"}} {
			if at(plan, names...).ShowsText(text) && text != "RENT" && text != "SALE" {
				t.Fatalf("%v shows %q", names, text)
			}
		}
	})
}

func TestPathsAreShownAsFarAsTheyAreKnown(t *testing.T) {
	plan := trace.BodyPlan(reflect.TypeFor[request]())
	for field, want := range map[string]string{
		"price": "price", "criteria[2].value": "criteria[2].value", "headers.X-Ana": "headers.…", "more[1].name": "more[1].name",
		"Ana": "…", "more[1].Ana.x": "more[1].…", "": "",
	} {
		if got := plan.Path(field); got != want {
			t.Errorf("%q is shown as %q, want %q", field, got, want)
		}
	}
}
