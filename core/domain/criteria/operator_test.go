package criteria_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// matrix is Q15, by hand.
var matrix = map[criteria.Operator]string{
	criteria.EGAL:            "UNIQUE NUMBER FLAG TEXT MULTIPLE DATE",
	criteria.DIFFERENT:       "UNIQUE NUMBER FLAG TEXT MULTIPLE DATE",
	criteria.SUPERIEUR:       "NUMBER DATE",
	criteria.INFERIEUR:       "NUMBER DATE",
	criteria.CONTIENT:        "TEXT",
	criteria.COMPREND:        "UNIQUE MULTIPLE",
	criteria.NE_COMPREND_PAS: "UNIQUE MULTIPLE",
}

// operands are values every operator of their criterion can compare with.
var operands = map[string]any{
	"TypeBien": "Maison", "Prix": "1", "Etage": number("1"), "Ascenseur": "1", "Ville": "Lyon", "Remarques": "x", "Equipements": "SAUNA",
	"DateDPE": "2026-09-16", "Alentour": "48",
}

func TestOperatorsHaveTheContractsNames(t *testing.T) {
	if got := strings.Join(criteria.OperatorNames(), " "); got != "EGAL DIFFERENT SUPERIEUR INFERIEUR CONTIENT COMPREND NE_COMPREND_PAS" {
		t.Errorf("the operators are %s", got)
	}
	for i, o := range criteria.Operators() {
		if parsed, ok := criteria.ParseOperator(o.String()); !ok || parsed != o || o.String() != criteria.OperatorNames()[i] {
			t.Errorf("%v parses as %v, %t", o, parsed, ok)
		}
	}
	for _, name := range []string{"", "egal", "EGALE", "=", "?", " EGAL", "NE COMPREND PAS"} {
		if o, ok := criteria.ParseOperator(name); ok || o != 0 {
			t.Errorf("%q is the operator %v", name, o)
		}
	}
	if got := criteria.Operator(0).String() + criteria.Operator(8).String(); got != "??" {
		t.Errorf("what are no operators are named %s", got)
	}
}

func TestQ15_OperatorMatrix(t *testing.T) {
	if len(matrix) != len(criteria.Operators()) {
		t.Fatal("the matrix lacks an operator")
	}
	for _, o := range append(criteria.Operators(), 0, 8, 255) {
		for _, typed := range append(criteria.Types(), 0, 7) {
			want := slices.Contains(strings.Fields(matrix[o]), typed.String())
			if o.Admits(typed) != want {
				t.Errorf("%v applies to %v: %t", o, typed, !want)
			}
		}
		for _, d := range definitions {
			condition, detail := d.Condition(o, raw(operands[d.Key]), asOperand)
			switch {
			case o.Admits(d.Type) && (detail != nil || condition.Criterion != d.Key || condition.Type != d.Type || condition.Operator != o):
				t.Errorf("%s %v: %+v, %+v", d.Key, o, condition, detail)
			case !o.Admits(d.Type) && (detail == nil || detail.Field != "operator" || detail.Code != fault.CodeOperatorNotSupported || detail.Value != o.String()):
				t.Errorf("%s %v: %+v", d.Key, o, detail)
			}
			if detail == nil {
				continue
			}
			for _, name := range detail.Accepted {
				other, _ := criteria.ParseOperator(name)
				if !other.Admits(d.Type) || !strings.Contains(detail.Message.String(), name) {
					t.Errorf("%s %v: the error names %s", d.Key, o, name)
				}
			}
			if len(detail.Accepted) < 2 {
				t.Errorf("%s %v: the error names only %v", d.Key, o, detail.Accepted)
			}
		}
	}
}

func TestCriteriaThatAreNotSearchable(t *testing.T) {
	for _, d := range definitions {
		d.Searchable = false
		for _, o := range criteria.Operators() {
			_, detail := d.Condition(o, raw(operands[d.Key]), asOperand)
			if detail == nil || detail.Field != "operator" || detail.Code != fault.CodeOperatorNotSupported || len(detail.Accepted) != 0 {
				t.Errorf("%s %v: %+v", d.Key, o, detail)
			}
		}
	}
}

func TestOperandsAreRead(t *testing.T) {
	type c = criteria.Condition
	const hour = 3_600_000_000
	day, begin := float64(time.Date(2026, 9, 16, 0, 0, 0, 0, time.UTC).UnixMicro()), time.Date(2026, 9, 15, 22, 0, 0, 0, time.UTC)
	for _, x := range []struct {
		d        criteria.Definition
		operator criteria.Operator
		given    any
		want     c
	}{
		{kind, criteria.COMPREND, list("Maison", "7", "Maison"), c{Codes: []string{"Maison", "7"}}},
		{kind, criteria.EGAL, "Chateau", c{Codes: []string{"Chateau"}}}, // Q25: deactivated codes are fine
		{extra, criteria.EGAL, list("TENNIS", "SAUNA", "TENNIS"), c{Codes: []string{"TENNIS", "SAUNA"}}},
		{extra, criteria.NE_COMPREND_PAS, "MINITEL", c{Codes: []string{"MINITEL"}}},
		{price, criteria.INFERIEUR, "-1000000000.125", c{Number: -1000000000.125}}, // bounds and decimals are for writes
		{price, criteria.SUPERIEUR, number("1e3"), c{Number: 1000}},                // Q24
		{lift, criteria.EGAL, "1", c{Flag: true}},
		{lift, criteria.DIFFERENT, number("0"), c{}},
		{city, criteria.CONTIENT, list(" Saint-Étienne", "LYON"), c{Texts: []string{"saint-etienne", "lyon"}}},
		{city, criteria.EGAL, "L’Haÿ ", c{Texts: []string{"l'hay"}}},
		{position, criteria.CONTIENT, "48.8", c{Texts: []string{"48.8"}}},
		{dated, criteria.SUPERIEUR, "16/09/2026", c{Number: day, Instant: begin}},
		{dated, criteria.EGAL, "2026-09-16T00:00", c{Number: day, Instant: begin}}, // in the site's zone
		{dated, criteria.EGAL, "2026-09-15T23:00Z", c{Number: day + 12*hour, Instant: begin.Add(time.Hour)}},
	} {
		got, detail := x.d.Condition(x.operator, raw(x.given), onWrite) // Condition reads an operand in any case
		x.want.Criterion, x.want.Type, x.want.Operator = x.d.Key, x.d.Type, x.operator
		if detail != nil || !reflect.DeepEqual(got, x.want) {
			t.Errorf("%s %v %v: %+v, %+v, not %+v", x.d.Key, x.operator, x.given, got, detail, x.want)
		}
	}
}

func TestOperandsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct {
		rule     string
		d        criteria.Definition
		operator criteria.Operator
		given    any
		code     fault.Code
	}{
		{"Q18 array", kind, criteria.EGAL, list("Maison"), fault.CodeInvalidCriteriaValue},
		{"Q18 array", kind, criteria.DIFFERENT, list("Maison", "7"), fault.CodeInvalidCriteriaValue},
		{"Q18 array", price, criteria.EGAL, list(number("1")), fault.CodeInvalidCriteriaValue},
		{"Q18 array", price, criteria.SUPERIEUR, list("1", "2"), fault.CodeInvalidCriteriaValue},
		{"Q18 array", dated, criteria.INFERIEUR, list("2026-09-16"), fault.CodeInvalidCriteriaValue},
		{"Q18 array", lift, criteria.DIFFERENT, list("1"), fault.CodeInvalidCriteriaValue},
		{"Q18 array", city, criteria.EGAL, list("Lyon"), fault.CodeInvalidCriteriaValue},
		{"Q25 code", kind, criteria.EGAL, "Villa", fault.CodeCriteriaValueUnknown},
		{"Q25 code", kind, criteria.COMPREND, list("Maison", "maison"), fault.CodeCriteriaValueUnknown},
		{"Q25 code", extra, criteria.NE_COMPREND_PAS, list("SAUNA", number("2")), fault.CodeCriteriaValueUnknown},
		{"Q26 null", kind, criteria.EGAL, nil, fault.CodeRequired},
		{"Q26 empty", city, criteria.CONTIENT, " ", fault.CodeRequired},
		{"Q26 empty", extra, criteria.COMPREND, list(), fault.CodeRequired},
		{"empty item", city, criteria.CONTIENT, list("Lyon", ""), fault.CodeInvalidCriteriaValue},
		{"null item", kind, criteria.COMPREND, list("Maison", nil), fault.CodeInvalidCriteriaValue},
		{"nested array", extra, criteria.COMPREND, list(list("SAUNA", "TENNIS")), fault.CodeInvalidCriteriaValue},
		{"nested array", extra, criteria.EGAL, list("SAUNA", list("TENNIS")), fault.CodeInvalidCriteriaValue},
		{"nested array", city, criteria.CONTIENT, list(list("Lyon")), fault.CodeInvalidCriteriaValue},
		{"accents alone", city, criteria.CONTIENT, "\u0301", fault.CodeInvalidCriteriaValue},
		{"accents alone", city, criteria.EGAL, "\u0301", fault.CodeInvalidCriteriaValue},
		{"type", price, criteria.EGAL, "1,5", fault.CodeInvalidCriteriaValue},
		{"type", city, criteria.CONTIENT, number("75"), fault.CodeInvalidCriteriaValue},
		{"type", city, criteria.CONTIENT, map[string]any{}, fault.CodeInvalidCriteriaValue},
		{"type", dated, criteria.SUPERIEUR, "hier", fault.CodeInvalidCriteriaValue},
		{"type", lift, criteria.EGAL, "oui", fault.CodeInvalidCriteriaValue},
		{"U+0000", city, criteria.CONTIENT, "a\x00", fault.CodeInvalidFormat},
		{"length", city, criteria.EGAL, strings.Repeat("x", 256), fault.CodeOutOfRange},
	} {
		got, detail := c.d.Condition(c.operator, raw(c.given), asOperand)
		if detail == nil || detail.Code != c.code || detail.Field != "value" || detail.Message.String() == "" {
			t.Errorf("%s: %s %v %v: %+v, %+v", c.rule, c.d.Key, c.operator, c.given, got, detail)
		}
	}
}

// meets says whether a value, written as a request would, meets a condition.
// Without a value the product has no such criterion.
func meets(t *testing.T, d criteria.Definition, o criteria.Operator, operand any, given any) bool {
	t.Helper()
	condition, detail := d.Condition(o, raw(operand), asOperand)
	if detail != nil {
		t.Fatalf("%s %v %v: %s", d.Key, o, operand, detail.Message)
	}
	if given == nil {
		return condition.Matches(nil)
	}
	return condition.Matches(accepted(t, d, given))
}

type semantics struct {
	d       criteria.Definition
	o       criteria.Operator
	operand any
	yes, no []any
}

func (s semantics) check(t *testing.T) {
	t.Helper()
	for want, values := range map[bool][]any{true: s.yes, false: s.no} {
		for _, v := range values {
			if meets(t, s.d, s.o, s.operand, v) != want {
				t.Errorf("%s = %v: %v %v is %t", s.d.Key, v, s.o, s.operand, !want)
			}
		}
	}
}

func TestQ16_ContientFindsAnyOfTheStrings(t *testing.T) {
	for _, s := range []semantics{
		{city, criteria.CONTIENT, "étienne", []any{"Saint-Etienne", "ÉTIENNE", "etiennes"}, []any{nil, "Etien", "Saint Ét ienne"}},
		{city, criteria.CONTIENT, list("lyon", "PARIS "), []any{"Lyon", "Paris 11e", "à Lyon"}, []any{nil, "Lille", "Pari"}},
		{city, criteria.CONTIENT, "  saint   ", []any{"Saint-Denis", "Toussaint"}, []any{"St Denis"}},
		{city, criteria.CONTIENT, "a  b", []any{"a b", "xa\u00a0\tby"}, []any{"ab"}},
		{city, criteria.CONTIENT, "%", []any{"100 % neuf"}, []any{"neuf", "_"}},
		{city, criteria.CONTIENT, "œuvre", []any{"Oeuvre", "Main d’ŒUVRE"}, []any{"ouvre"}},
	} {
		s.check(t)
	}
}

func TestQ17_ComprendFindsAnyOfTheCodes(t *testing.T) {
	for _, s := range []semantics{
		{kind, criteria.COMPREND, list("Maison", "7"), []any{"Maison", "7"}, []any{nil, "Appartement"}},
		{kind, criteria.COMPREND, "Maison", []any{"Maison"}, []any{nil, "7"}},
		{extra, criteria.COMPREND, list("SAUNA", "TENNIS"), []any{list("SAUNA"), list("PISCINE", "TENNIS"), list("SAUNA", "TENNIS")}, []any{nil, list("PISCINE", "5")}},
		{extra, criteria.COMPREND, "PISCINE", []any{list("PISCINE", "5")}, []any{nil, list("5")}},
		{kind, criteria.NE_COMPREND_PAS, list("Maison", "7"), []any{nil, "Appartement"}, []any{"Maison", "7"}},
		{extra, criteria.NE_COMPREND_PAS, list("SAUNA", "TENNIS"), []any{nil, list("PISCINE", "5")}, []any{list("SAUNA"), list("PISCINE", "TENNIS")}}, // Q19
	} {
		s.check(t)
	}
}

func TestQ18_EgalComparesTheWholeSet(t *testing.T) {
	for _, s := range []semantics{
		{extra, criteria.EGAL, list("TENNIS", "SAUNA"), []any{list("SAUNA", "TENNIS")}, []any{nil, list("SAUNA"), list("SAUNA", "TENNIS", "5"), list("SAUNA", "5")}},
		{extra, criteria.EGAL, list("SAUNA", "SAUNA"), []any{"SAUNA"}, []any{list("SAUNA", "TENNIS"), nil}},
		{extra, criteria.EGAL, "SAUNA", []any{list("SAUNA")}, []any{list("SAUNA", "5"), "5", nil}},
		{extra, criteria.DIFFERENT, list("TENNIS", "SAUNA"), []any{nil, list("SAUNA"), list("SAUNA", "TENNIS", "5")}, []any{list("SAUNA", "TENNIS")}},
	} {
		s.check(t)
	}
}

func TestQ20_ProductsWithoutTheCriterion(t *testing.T) {
	for _, d := range definitions {
		for _, o := range criteria.Operators() {
			if !o.Admits(d.Type) {
				continue
			}
			negation := o == criteria.DIFFERENT || o == criteria.NE_COMPREND_PAS
			operand := operands[d.Key] // of FLAG it is 1: Q21 is about 0
			if got := meets(t, d, o, operand, nil); got != negation {
				t.Errorf("no %s: %v %v is %t", d.Key, o, operand, got)
			}
		}
	}
}

func TestQ21_AnAbsentFlagIsZero(t *testing.T) {
	for _, s := range []semantics{
		{lift, criteria.EGAL, "0", []any{nil, "0"}, []any{"1"}},
		{lift, criteria.EGAL, "1", []any{"1"}, []any{nil, "0"}},
		{lift, criteria.DIFFERENT, "0", []any{"1"}, []any{nil, "0"}},
		{lift, criteria.DIFFERENT, "1", []any{nil, "0"}, []any{"1"}},
	} {
		s.check(t)
	}
}

func TestQ22_TextsAreEqualWithoutCaseAccentsAndOuterSpaces(t *testing.T) {
	for _, s := range []semantics{
		{city, criteria.EGAL, " saint-ETIENNE", []any{"Saint-Étienne", "saint-etienne "}, []any{nil, "Saint Etienne", "Saint-Etienne 2"}},
		{city, criteria.DIFFERENT, "lyon", []any{nil, "Lyon 3", "Lille"}, []any{"LYON", "Lyón"}},
	} {
		s.check(t)
	}
}

func TestQ23_SuperieurAndInferieurAreInclusive(t *testing.T) {
	for _, s := range []semantics{
		{price, criteria.SUPERIEUR, "100", []any{"100", "100.01", number("1e3")}, []any{nil, "99.99", "0"}},
		{price, criteria.INFERIEUR, "100", []any{"100", "99.99", "0"}, []any{nil, "100.01"}},
		{level, criteria.INFERIEUR, "-1", []any{"-1", "-1.5"}, []any{nil, "0", "-0.5"}},
		{dated, criteria.SUPERIEUR, "2026-09-16", []any{"16/09/2026", "2026-09-16T00:00", "2027-01-01"}, []any{nil, "2026-09-15", "2026-09-15T23:59"}},
		{dated, criteria.INFERIEUR, "16/09/2026", []any{"2026-09-16", "2026-09-15", "2026-09-16T00:00"}, []any{nil, "2026-09-17", "2026-09-16T00:01"}},
		{dated, criteria.EGAL, "2026-09-16T08:30:00.123999Z", []any{"2026-09-16T08:30:00.123Z", "2026-09-16T08:30:00.1231Z"}, []any{nil, "2026-09-16T08:30:00.124Z"}},
	} {
		s.check(t)
	}
}

func TestQ24_NumbersAsStrings(t *testing.T) {
	for _, s := range []semantics{
		{price, criteria.EGAL, "120000.50", []any{number("120000.5"), "120000.5"}, []any{nil, "120000"}},
		{price, criteria.EGAL, number("1.2e5"), []any{"120000", number("120000.00")}, []any{"12"}},
		{price, criteria.DIFFERENT, "1", []any{nil, "2"}, []any{number("1"), "1.0"}},
	} {
		s.check(t)
	}
}

// drawCondition draws a condition on the criterion. Its operand is often equal
// or close to a value.
func drawCondition(t *rapid.T, d criteria.Definition) criteria.Condition {
	var admitted []criteria.Operator
	for _, o := range criteria.Operators() {
		if o.Admits(d.Type) {
			admitted = append(admitted, o)
		}
	}
	for {
		operator := rapid.SampledFrom(admitted).Draw(t, "operator")
		c, detail := d.Condition(operator, sent(criteria.Plain(drawValue(t, d))), asOperand)
		if detail == nil {
			return c
		}
	}
}

// drawMaybe draws a value of the criterion, the condition's own among them, or
// none.
func drawMaybe(t *rapid.T, d criteria.Definition, c criteria.Condition) criteria.Value {
	switch rapid.IntRange(0, 4).Draw(t, "value") {
	case 0:
		return nil
	case 1, 2:
		return own(d, c)
	}
	return drawValue(t, d)
}

// own is a value equal to the operand of the condition.
func own(d criteria.Definition, c criteria.Condition) criteria.Value {
	switch d.Type {
	case criteria.UNIQUE:
		return criteria.Unique(c.Codes[0])
	case criteria.MULTIPLE:
		set, _ := d.Parse(sent(c.Codes), asOperand)
		return set
	case criteria.NUMBER:
		return criteria.Number(c.Number)
	case criteria.FLAG:
		return criteria.Flag(c.Flag)
	case criteria.TEXT:
		return criteria.Text(c.Texts[0])
	default: // DATE
		value, _ := d.Parse(raw(c.Plain()), asOperand)
		return value
	}
}

// with is the condition under another operator.
func with(c criteria.Condition, o criteria.Operator) criteria.Condition {
	c.Operator = o
	return c
}

func eachCriterion(t *testing.T, law func(*rapid.T, criteria.Definition)) {
	t.Helper()
	for _, d := range definitions {
		t.Run(d.Key, rapid.MakeCheck(func(t *rapid.T) { law(t, d) }))
	}
}

func TestDifferentIsTheComplementOfEgal(t *testing.T) {
	eachCriterion(t, func(t *rapid.T, d criteria.Definition) {
		c := drawCondition(t, d)
		v := drawMaybe(t, d, c)
		if with(c, criteria.EGAL).Matches(v) == with(c, criteria.DIFFERENT).Matches(v) {
			t.Fatalf("%+v: %#v is both or neither", c, v)
		}
		if !with(c, criteria.EGAL).Matches(own(d, c)) {
			t.Fatalf("%+v does not find its own value", c)
		}
	})
}

func TestNeComprendPasIsTheComplementOfComprend(t *testing.T) {
	eachCriterion(t, func(t *rapid.T, d criteria.Definition) {
		if !criteria.COMPREND.Admits(d.Type) {
			return
		}
		c := drawCondition(t, d)
		v := drawMaybe(t, d, c)
		if with(c, criteria.COMPREND).Matches(v) == with(c, criteria.NE_COMPREND_PAS).Matches(v) {
			t.Fatalf("%+v: %#v is both or neither", c, v)
		}
	})
}

func TestSuperieurAndInferieurMeetInEgal(t *testing.T) {
	eachCriterion(t, func(t *rapid.T, d criteria.Definition) {
		if !criteria.SUPERIEUR.Admits(d.Type) {
			return
		}
		c := drawCondition(t, d)
		v := drawMaybe(t, d, c)
		up, down, equal := with(c, criteria.SUPERIEUR).Matches(v), with(c, criteria.INFERIEUR).Matches(v), with(c, criteria.EGAL).Matches(v)
		if (up && down) != equal || (up || down) != (v != nil) {
			t.Fatalf("%+v: %#v is above %t, below %t, equal %t", c, v, up, down, equal)
		}
	})
}

// CONTIENT and COMPREND with an array are the same with one of its items, for
// some item; the negation is, for every item.
func TestArraysAreAnyOfTheirItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("aéB")), 1, 3, -1)
		contient := criteria.Condition{Type: criteria.TEXT, Operator: criteria.CONTIENT}
		value := criteria.Text(rapid.StringOfN(rapid.SampledFrom([]rune("aéB")), 0, 6, -1).Draw(t, "text"))
		found := false
		for range rapid.IntRange(1, 3).Draw(t, "texts") {
			part := criteria.Fold(text.Draw(t, "part"))
			contient.Texts = append(contient.Texts, part)
			found = found || strings.Contains(criteria.Fold(string(value)), part)
		}
		if contient.Matches(value) != found {
			t.Fatalf("%q contains one of %q: %t", value, contient.Texts, !found)
		}

		c := drawCondition(t, extra)
		set := drawMaybe(t, extra, c)
		found = false
		for _, code := range c.Codes {
			found = found || slices.Contains(criteria.Codes(set), code)
		}
		if with(c, criteria.COMPREND).Matches(set) != found {
			t.Fatalf("%v includes one of %v: %t", set, c.Codes, !found)
		}
	})
}

// A value of another type than its criterion's, which only a change of the
// definition could bring about, is as good as none.
func TestConditionsIgnoreValuesOfAnotherType(t *testing.T) {
	strangers := []criteria.Value{criteria.Unique("1"), criteria.Number(1), criteria.Flag(true), criteria.Text("1"), criteria.Multiple{"1"}}
	for _, d := range []criteria.Definition{price, lift, city} {
		for _, o := range criteria.Operators() {
			if !o.Admits(d.Type) {
				continue
			}
			c, _ := d.Condition(o, raw("1"), asOperand)
			for _, v := range strangers {
				if v.Type() != d.Type && c.Matches(v) != c.Matches(nil) {
					t.Errorf("%s %v 1 finds %#v: %t", d.Key, o, v, c.Matches(v))
				}
			}
		}
	}
	if (criteria.Condition{}).Matches(criteria.Number(0)) {
		t.Error("no operator finds something")
	}
}
