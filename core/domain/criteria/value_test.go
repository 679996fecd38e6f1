package criteria_test

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func TestTypesHaveTheContractsNames(t *testing.T) {
	var names []string
	for _, typed := range criteria.Types() {
		names = append(names, typed.String())
		if parsed, err := criteria.ParseType(typed.String()); err != nil || parsed != typed {
			t.Errorf("%v parses as %v, %v", typed, parsed, err)
		}
	}
	if got := strings.Join(names, " "); got != "UNIQUE NUMBER FLAG TEXT MULTIPLE DATE" {
		t.Errorf("the types are %s", got)
	}
	for _, name := range []string{"", "unique", "Type(0)", "FLOAT"} {
		if typed, err := criteria.ParseType(name); err == nil {
			t.Errorf("%q is the type %v", name, typed)
		}
	}
	if got := criteria.Type(0).String() + criteria.Type(9).String(); got != "Type(0)Type(9)" {
		t.Errorf("what are no types are named %s", got)
	}
}

// What a response shows can be written back, and is then no change.
func TestShownValuesReadBackAsTheyAre(t *testing.T) {
	for _, d := range definitions {
		t.Run(d.Key, rapid.MakeCheck(func(t *rapid.T) { mustBeStored(t, d, drawValue(t, d)) }))
	}
}

func TestPlainIsWhatResponsesCarry(t *testing.T) {
	noon := time.Date(2026, 9, 16, 12, 0, 0, 5e6, time.UTC)
	for _, c := range []struct {
		value criteria.Value
		want  any
	}{
		{criteria.Unique("Maison"), "Maison"},
		{criteria.Number(120000.5), 120000.5},
		{criteria.Flag(true), 1},
		{criteria.Flag(false), 0},
		{criteria.Text("Lyon"), "Lyon"},
		{criteria.Multiple{"SAUNA", "TENNIS"}, []string{"SAUNA", "TENNIS"}},
		{criteria.Date{At: noon.Truncate(24 * time.Hour)}, "2026-09-16"},
		{criteria.Date{At: noon, Timed: true}, "2026-09-16T12:00:00.005Z"},
		{nil, nil},
	} {
		if got := criteria.Plain(c.value); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%#v is shown as %#v, not %#v", c.value, got, c.want)
		}
	}
}

func TestEqualTellsValuesApart(t *testing.T) {
	day := time.Date(2026, 9, 16, 0, 0, 0, 0, time.UTC)
	classes := [][]criteria.Value{ // values of one class are equal, of two are not
		{nil},
		{criteria.Unique("1")}, {criteria.Unique("")}, {criteria.Text("1")}, {criteria.Text("")}, {criteria.Text("é")}, {criteria.Text("É")},
		{criteria.Number(1)}, {criteria.Number(0), criteria.Number(math.Copysign(0, -1))},
		{criteria.Flag(true)}, {criteria.Flag(false)},
		{criteria.Multiple{"1"}, criteria.Multiple{"1"}}, {criteria.Multiple{"1", "2"}}, {criteria.Multiple{"2", "1"}}, {criteria.Multiple{}, criteria.Multiple(nil)},
		{criteria.Date{At: day}, criteria.Date{At: day.In(onWrite.Zone)}}, {criteria.Date{At: day, Timed: true}}, {criteria.Date{At: day.Add(time.Hour)}},
	}
	for i, class := range classes {
		for _, a := range class {
			for j, other := range classes {
				for _, b := range other {
					if criteria.Equal(a, b) != (i == j) {
						t.Errorf("%#v equals %#v: %t", a, b, i != j)
					}
				}
			}
		}
	}
}

func TestValuesCompareAndCopyWhole(t *testing.T) {
	v := criteria.Values{"Prix": criteria.Number(1), "Equipements": criteria.Multiple{"SAUNA"}}
	w := v.Clone()
	if !v.Equal(w) || !w.Equal(v) || !(criteria.Values{}).Equal(nil) {
		t.Error("a copy differs")
	}
	w["Ville"] = criteria.Text("Lyon")
	if v.Equal(w) || w.Equal(v) || v["Ville"] != nil {
		t.Error("a larger copy is equal, or changed the original")
	}
	delete(w, "Prix")
	if v.Equal(w) || w.Equal(v) {
		t.Error("as many other criteria are equal")
	}
	w = v.Clone()
	if w["Prix"] = criteria.Number(2); v.Equal(w) {
		t.Error("another price is equal")
	}
	if (criteria.Values)(nil).Clone() == nil {
		t.Error("a copy of no values cannot be written to")
	}
}

func TestValuesByTypeAreZeroWithoutOne(t *testing.T) {
	v := criteria.Values{"u": criteria.Unique("A"), "n": criteria.Number(2.5), "t": criteria.Text("x"), "f": criteria.Flag(true)}
	if n, ok := v.Number("n"); v.Code("u") != "A" || v.Text("t") != "x" || !v.Flag("f") || n != 2.5 || !ok {
		t.Error("a value is not found")
	}
	for _, key := range []string{"none", "m"} {
		if n, ok := v.Number(key); v.Code(key) != "" || v.Text(key) != "" || v.Flag(key) || n != 0 || ok {
			t.Errorf("%s has a value", key)
		}
	}
	if _, ok := v.Number("t"); ok || v.Code("t") != "" || v.Text("u") != "" || v.Flag("n") {
		t.Error("a value is read as another type")
	}
	if got := criteria.Codes(criteria.Unique("A")); !reflect.DeepEqual(got, []string{"A"}) {
		t.Errorf("the codes of a UNIQUE are %v", got)
	}
	if got := criteria.Codes(criteria.Multiple{"A", "B"}); !reflect.DeepEqual(got, []string{"A", "B"}) {
		t.Errorf("the codes of a MULTIPLE are %v", got)
	}
	if got := criteria.Codes(criteria.Text("A")); got != nil {
		t.Errorf("the codes of a TEXT are %v", got)
	}
}

func TestK5_NullEmptyAndBlankAreNoValue(t *testing.T) {
	for _, v := range []any{nil, "", " ", "\u00a0\t", list()} {
		if !raw(v).Empty() {
			t.Errorf("%#v is a value", v)
		}
	}
	for _, v := range []any{"0", number("0"), false, list(""), list(nil), list(list()), map[string]any{}} {
		if raw(v).Empty() {
			t.Errorf("%#v is no value", v)
		}
	}
}

func TestK6_UniqueIsACodeOfTheReferential(t *testing.T) {
	if got := accepted(t, kind, "Maison"); got != criteria.Unique("Maison") {
		t.Errorf("%#v", got)
	}
	for name, v := range map[string]any{
		"another case": "maison", "the label": "Appartement de ville", "an id": "8", "an id as a number": number("8"),
		"unknown": "Villa", "with a space": "Maison ", "true": true, "false": false,
	} {
		t.Log(name)
		detail := refused(t, kind, v, fault.CodeCriteriaValueUnknown)
		if got := strings.Join(detail.Accepted, " "); got != "Appartement Maison 7" {
			t.Errorf("accepted values are %s", got)
		}
	}
	if detail := refused(t, kind, "Villa", fault.CodeCriteriaValueUnknown); detail.Value != "Villa" {
		t.Errorf("the value is repeated as %#v", detail.Value)
	}
	for _, v := range []any{list("Maison"), list(), nil, map[string]any{"model": "Maison"}} {
		refused(t, kind, v, fault.CodeInvalidCriteriaValue)
	}
}

func TestK6_AcceptedValuesAreAtMostFifty(t *testing.T) {
	many := kind
	many.Choices = []criteria.Choice{{ID: 1000, Code: "closed"}}
	for i := range 70 {
		many.Choices = append(many.Choices, criteria.Choice{ID: int64(i), Code: fmt.Sprint("C", i), Active: true})
	}
	detail := refused(t, many, "X", fault.CodeCriteriaValueUnknown)
	if len(detail.Accepted) != 50 || detail.Accepted[0] != "C0" || detail.Accepted[49] != "C49" {
		t.Errorf("%d accepted values: %v", len(detail.Accepted), detail.Accepted)
	}
}

func TestK7_CodesThatLookLikeIDsAreCodes(t *testing.T) {
	if got := accepted(t, kind, "7"); got != criteria.Unique("7") {
		t.Errorf("%#v, though 7 is the id of another value", got)
	}
	if got := accepted(t, extra, list("5")); !criteria.Equal(got, criteria.Multiple{"5"}) {
		t.Errorf("%#v", got)
	}
	refused(t, kind, number("7"), fault.CodeCriteriaValueUnknown)
	refused(t, extra, list(number("5")), fault.CodeCriteriaValueUnknown)
}

func TestK8_DeactivatedValuesAreSearchedButNotWritten(t *testing.T) {
	for _, c := range []struct {
		d    criteria.Definition
		v    any
		want criteria.Value
	}{
		{kind, "Chateau", criteria.Unique("Chateau")},
		{extra, "MINITEL", criteria.Multiple{"MINITEL"}},
		{extra, list("SAUNA", "MINITEL"), criteria.Multiple{"SAUNA", "MINITEL"}},
	} {
		refused(t, c.d, c.v, fault.CodeCriteriaValueUnknown)
		got, detail := c.d.Parse(raw(c.v), asOperand)
		if detail != nil || !criteria.Equal(got, c.want) {
			t.Errorf("a search for %#v compares with %#v, %+v", c.v, got, detail)
		}
	}
	if choice, ok := kind.Choice("Chateau"); !ok || choice.Label != "Château" {
		t.Error("a deactivated value has lost its label")
	}
}

func TestK9_Numbers(t *testing.T) {
	for text, want := range map[string]string{
		"120000.5": "120000.5", "0": "0", "-0": "0", "-0.0": "0", "007": "7", "-3": "-3", "1.50": "1.5", "0.1": "0.1",
		"999999999999999": "999999999999999", "0.123456789012345": "0.123456789012345", "123456789.012345000": "123456789.012345",
		"330000.00000000006": "330000.00000000006", "0.30000000000000004": "0.30000000000000004", "1000000000000000": "1000000000000000",
		"123456789.1234567": "123456789.1234567", "9007199254740993": "9007199254740992",
	} {
		for _, v := range []any{text, number(text)} {
			got, ok := accepted(t, level, v).(criteria.Number)
			if !ok || got.String() != want || math.Signbit(float64(got)) != strings.HasPrefix(want, "-") {
				t.Errorf("%#v is %v, not %s", v, got, want)
			}
		}
	}
	for literal, want := range map[number]string{
		"1e3": "1000", "1.5E+2": "150", "25e-2": "0.25", "-1E-5": "-0.00001", "0e5": "0", "-0E-400": "0", "1e14": "100000000000000",
		"1e21": "1000000000000000000000", "1e-400": "0", "-123e-999": "0",
	} {
		if got := accepted(t, level, literal).(criteria.Number); got.String() != want || got == 0 && math.Signbit(float64(got)) {
			t.Errorf("%s is %v, not %s", literal, got, want)
		}
	}
	if got := accepted(t, level, "+12"); got != criteria.Number(12) {
		t.Errorf("+12 is %v", got)
	}
	for _, v := range []any{
		"1,5", "120 000", "120\u00a0000", "120.000.000", "12€", "12 m2", "m", "1e3", "1.", ".5", "--1", "0x10", "1_000", "NaN", "Infinity", "Inf",
		"٣", true, false, list(number("1")), list("1", "2"), nil, map[string]any{}, 12.0, number("NaN"), number("1e400"), number("-1e400"),
		strings.Repeat("9", 400),
	} {
		refused(t, level, v, fault.CodeInvalidCriteriaValue)
	}
}

// TestK9_EveryFiniteNumberIsTheDoubleItDenotes: as a value and as a bound, with
// however many digits it is written.
func TestK9_EveryFiniteNumberIsTheDoubleItDenotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Float64Range(0, 1e7), func(n float64) float64 { return n * 1.1 })).Draw(t, "n")
		format, digits := rapid.SampledFrom([]byte("efg")).Draw(t, "format"), rapid.IntRange(-1, 25).Draw(t, "digits")
		text := strconv.FormatFloat(n, format, digits, 64)
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Skip("rounded beyond the largest")
		}
		for _, how := range []criteria.Reading{onWrite, asOperand} {
			value, detail := level.Parse(raw(number(text)), how)
			if detail != nil || float64(value.(criteria.Number)) != want || want == 0 && math.Signbit(float64(value.(criteria.Number))) {
				t.Fatalf("%s is %v, not %v (%+v)", text, value, want, detail)
			}
			if shown := value.(criteria.Number).String(); strings.ContainsAny(shown, "eE") {
				t.Fatalf("%s is shown as %s", text, shown)
			} else if again, err := strconv.ParseFloat(shown, 64); err != nil || again != want {
				t.Fatalf("%s is shown as %s (%v)", text, shown, err)
			}
		}
	})
}

func TestK9_NumbersKeepEveryDigit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawDecimal(t)
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%s is not a number", text)
		}
		for _, v := range []any{text, number(text)} {
			value, detail := level.Parse(raw(v), onWrite)
			if detail != nil {
				t.Fatalf("%#v: %s", v, detail.Message)
			}
			shown := value.(criteria.Number).String()
			if again, ok := new(big.Rat).SetString(shown); !ok || again.Cmp(exact) != 0 || strings.ContainsAny(shown, "eE") {
				t.Fatalf("%s is shown as %s", text, shown)
			}
		}
	})
}

// TestG14_MoneyIsRoundedToCents: when it is written, never when it is searched.
func TestG14_MoneyIsRoundedToCents(t *testing.T) {
	for text, want := range map[number]float64{
		"330000.00000000006": 330000, "0.001": 0, "-0.001": 0, "1.999": 2, "1.004": 1, "2.675": 2.68, "250000.125": 250000.13, "1.005": 1.01, "0.285": 0.29, "1000000000.001": 1e9, "0.29999999999999998": 0.3,
	} {
		if got := accepted(t, price, text); got != criteria.Number(want) {
			t.Errorf("%s is %v, not %v", text, got, want)
		}
		exact, _ := strconv.ParseFloat(string(text), 64)
		if got, detail := price.Parse(raw(text), asOperand); detail != nil || got != criteria.Number(exact) {
			t.Errorf("a search for %s compares with %v (%+v)", text, got, detail)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Float64().Draw(t, "n")
		got := criteria.Cents(n)
		if off := math.Abs(got - n); off > 0.005+math.Abs(n)*1e-15 || criteria.Cents(got) != got {
			t.Fatalf("%v is %v", n, got)
		}
		if _, decimals, _ := strings.Cut(criteria.Number(got).String(), "."); len(decimals) > 2 && math.Abs(got) < 1e13 {
			t.Fatalf("%v is %v", n, got)
		}
	})
}

func TestWhichCriteriaAreMoney(t *testing.T) {
	for unit, want := range map[string]bool{
		"€": true, "€/mois": true, "€ / an": true, "EUR": true, "CHF/mois": true, "$": true, "€ TTC": true,
		"": false, "m²": false, "kWh/m²/an": false, "kgCO2/m²/an": false, "ans": false, "m": false, " ": false, "k€": false,
	} {
		if got := (criteria.Definition{Key: "Charges", Type: criteria.NUMBER, Unit: unit}).IsMoney(); got != want {
			t.Errorf("%q: %t", unit, got)
		}
	}
	if !(criteria.Definition{Key: criteria.KeyPrice}).IsMoney() {
		t.Error("a price is money")
	}
}

// TestWhatArithmeticLeavesIsNoDecimal: 66 m² times 1.1 has two decimals, though
// the double has more.
func TestWhatArithmeticLeavesIsNoDecimal(t *testing.T) {
	for n, want := range map[float64]float64{66 * 1.1: 72.6, 0.1 + 0.2: 0.3, 72.61: 72.61, 123456789012345.67: 123456789012345.67, 1e300: 1e300, 0: 0} {
		if got, fits := criteria.Fit(n, 2); got != want || !fits {
			t.Errorf("%v is %v, %t", n, got, fits)
		}
	}
	for _, n := range []float64{72.601, 0.005, 1e-9, -0.001} {
		if got, fits := criteria.Fit(n, 2); fits {
			t.Errorf("%v is %v", n, got)
		}
	}
	surface := criteria.Definition{ID: 1, Key: criteria.KeySurface, Type: criteria.NUMBER, Unit: "m²", Decimals: places(2), Active: true}
	if got := accepted(t, surface, number("72.60000000000001")); got != criteria.Number(72.6) {
		t.Errorf("%v", got)
	}
}

func TestNumbersStayWithinTheirDefinition(t *testing.T) {
	for _, v := range []any{"0", number("1e9"), "0.01", "999999999.99", number("1.10"), number("2.50000")} {
		accepted(t, price, v)
	}
	refused(t, price, "-0.01", fault.CodeOutOfRange)
	refused(t, price, number("1000000000.01"), fault.CodeOutOfRange)
	exact := price
	exact.Key = criteria.KeySurface
	refused(t, exact, "0.001", fault.CodeInvalidCriteriaValue)
	refused(t, exact, number("1.999"), fault.CodeInvalidCriteriaValue)
	if got := refused(t, price, "-5", fault.CodeOutOfRange); !strings.Contains(got.Message.String(), "at least 0") || got.Value != "-5" {
		t.Errorf("%q, %v", got.Message, got.Value)
	}
	if got := refused(t, price, number("1e10"), fault.CodeOutOfRange); !strings.Contains(got.Message.String(), "at most 1000000000") || got.Value != "1e10" {
		t.Errorf("%q, %v", got.Message, got.Value)
	}
	whole := price
	whole.Decimals = places(0)
	accepted(t, whole, number("1e3"))
	refused(t, whole, "1.5", fault.CodeInvalidCriteriaValue)
	for _, v := range []any{"-5", number("1e10"), "0.001"} {
		if _, detail := price.Parse(raw(v), asOperand); detail != nil {
			t.Errorf("a search cannot compare with %v: %s", v, detail.Message)
		}
	}
}

func TestEnergyNumbersAreNeverNegative(t *testing.T) {
	for _, key := range []string{criteria.KeyConsumption, criteria.KeyEmission} {
		for name, d := range map[string]criteria.Definition{
			"unbounded": {ID: 1, Key: key, Type: criteria.NUMBER}, "bounded below": {ID: 1, Key: key, Type: criteria.NUMBER, Min: bound(-10)},
		} {
			t.Log(key, name)
			accepted(t, d, number("0"))
			refused(t, d, number("-0.1"), fault.CodeOutOfRange)
		}
		strict := criteria.Definition{ID: 1, Key: key, Type: criteria.NUMBER, Min: bound(5)}
		accepted(t, strict, "5")
		refused(t, strict, "4.9", fault.CodeOutOfRange)
	}
}

func TestK10_FlagIsZeroOrOne(t *testing.T) {
	for want, given := range map[criteria.Flag][]any{true: {true, "1", number("1"), number("1.0"), number("1e0")}, false: {false, "0", number("0"), number("-0.0")}} {
		for _, v := range given {
			if got := accepted(t, lift, v); got != want {
				t.Errorf("%#v is %v", v, got)
			}
		}
	}
	for _, v := range []any{"true", "oui", "2", number("2"), number("-1"), number("1.1"), "01", "1.0", list(true), list("1"), nil, map[string]any{}} {
		refused(t, lift, v, fault.CodeInvalidCriteriaValue)
	}
}

func TestK11_TextLength(t *testing.T) {
	short := city
	short.MaxLength = 3
	for _, c := range []struct {
		d     criteria.Definition
		limit int
	}{{city, 255}, {notes, 65535}, {short, 3}, {criteria.Definition{Key: "x", Type: criteria.TEXT, FullText: true, MaxLength: 10}, 10}} {
		if got := c.d.TextLimit(); got != c.limit {
			t.Errorf("%s may have %d characters, not %d", c.d.Key, got, c.limit)
		}
		accepted(t, c.d, strings.Repeat("é", c.limit))
		refused(t, c.d, strings.Repeat("é", c.limit)+"x", fault.CodeOutOfRange)
		// What counts is what is stored: composed, and without outer spaces.
		if got := accepted(t, c.d, " "+strings.Repeat("e\u0301", c.limit)+"\n"); got != criteria.Text(strings.Repeat("é", c.limit)) {
			t.Errorf("%s: %d characters were stored as %q", c.d.Key, c.limit, got)
		}
		refused(t, c.d, strings.Repeat("\u0958", c.limit), fault.CodeOutOfRange) // two characters each, composed
	}
}

func TestG27_TextIsStoredComposedAndTrimmed(t *testing.T) {
	if got := accepted(t, city, "\u00a0 Saint-E\u0301tienne\t\n"); got != criteria.Text("Saint-\u00c9tienne") {
		t.Errorf("%q", got)
	}
	if got := accepted(t, city, "<b>A &amp; B</b>  'l''Isle'"); got != criteria.Text("<b>A &amp; B</b>  'l''Isle'") {
		t.Errorf("text was interpreted: %q", got)
	}
	for _, v := range []any{number("75011"), true, nil, list("Lyon"), map[string]any{}} {
		refused(t, city, v, fault.CodeInvalidCriteriaValue)
	}
}

func TestG10_TextNoStoreCouldKeep(t *testing.T) {
	refused(t, city, "a\x00b", fault.CodeInvalidFormat)
	refused(t, city, "a\xffb", fault.CodeInvalidFormat)
	refused(t, position, "48.8\x00,2.3", fault.CodeInvalidFormat)
	for _, c := range []struct {
		text  string
		limit int
		code  fault.Code
	}{
		{"", 0, ""}, {"abc", 3, ""}, {"\u00e9\U0001f3e0", 2, ""}, {"abcd", 3, fault.CodeOutOfRange}, {"é\U0001f3e0", 1, fault.CodeOutOfRange},
		{"\x00", 3, fault.CodeInvalidFormat}, {"a\xc3", 3, fault.CodeInvalidFormat}, {"\xed\xa0\x80", 9, fault.CodeInvalidFormat}, {"\ufffd", 1, ""},
	} {
		detail := criteria.CheckText(c.text, c.limit)
		if (detail == nil) != (c.code == "") || detail != nil && (detail.Code != c.code || detail.Field != "" || detail.Message.String() == "") {
			t.Errorf("%q with %d characters: %+v", c.text, c.limit, detail)
		}
	}
}

func TestK12_MultipleIsASetInReferentialOrder(t *testing.T) {
	for _, c := range []struct {
		given any
		want  criteria.Multiple
	}{
		{list("TENNIS", "PISCINE"), criteria.Multiple{"PISCINE", "TENNIS"}},
		{list("SAUNA", "SAUNA", "PISCINE", "SAUNA"), criteria.Multiple{"PISCINE", "SAUNA"}},
		{"SAUNA", criteria.Multiple{"SAUNA"}},
		{list("5"), criteria.Multiple{"5"}},
	} {
		if got := accepted(t, extra, c.given); !criteria.Equal(got, c.want) {
			t.Errorf("%v is %v, not %v", c.given, got, c.want)
		}
	}
	for _, v := range []any{list("SAUNA", "sauna"), list("VILLA"), "VILLA", list("SAUNA", ""), list(true), list(number("2")), true, number("2")} {
		detail := refused(t, extra, v, fault.CodeCriteriaValueUnknown)
		if got := strings.Join(detail.Accepted, " "); got != "PISCINE SAUNA TENNIS 5" {
			t.Errorf("accepted values are %s", got)
		}
	}
	if detail := refused(t, extra, list("SAUNA", "VILLA", "X"), fault.CodeCriteriaValueUnknown); detail.Value != "VILLA" {
		t.Errorf("the code that is wrong is VILLA, not %v", detail.Value)
	}
	for _, v := range []any{nil, list(nil), list("SAUNA", list("TENNIS")), list(list("SAUNA")), map[string]any{}, list(map[string]any{})} {
		refused(t, extra, v, fault.CodeInvalidCriteriaValue)
	}
}

func TestK12_OrderAndRepetitionDoNotMatter(t *testing.T) {
	codes := rapid.SliceOfN(rapid.SampledFrom([]string{"PISCINE", "SAUNA", "TENNIS", "5"}), 1, 6)
	rapid.Check(t, func(t *rapid.T) {
		given := codes.Draw(t, "codes")
		value, _ := extra.Parse(sent(given), onWrite)
		other := append(rapid.Permutation(given).Draw(t, "permuted"), rapid.SampledFrom(given).Draw(t, "repeated"))
		if again, _ := extra.Parse(sent(other), onWrite); value == nil || !criteria.Equal(value, again) {
			t.Fatalf("%v is %v, but %v is %v", given, value, other, again)
		}
	})
}

func TestK13_Dates(t *testing.T) {
	for text, want := range map[string]string{
		"2026-09-16":                     "2026-09-16",
		"16/09/2026":                     "2026-09-16",
		" 16/09/2026 ":                   "2026-09-16",
		"2024-02-29":                     "2024-02-29",
		"0001-01-01":                     "0001-01-01",
		"9999-12-31":                     "9999-12-31",
		"2026-09-16T08:30:00Z":           "2026-09-16T08:30:00.000Z",
		"2026-09-16T08:30:00.5Z":         "2026-09-16T08:30:00.500Z",
		"2026-09-16T08:30:00.123456789Z": "2026-09-16T08:30:00.123Z",
		"2026-09-16T08:30:00+02:00":      "2026-09-16T06:30:00.000Z",
		"2026-09-16T00:30:00+02:00":      "2026-09-15T22:30:00.000Z",
		"2026-09-16T08:30:00-11:30":      "2026-09-16T20:00:00.000Z",
		"2026-09-16T08:30:00":            "2026-09-16T06:30:00.000Z", // in the site's zone, two hours ahead
		"16/09/2026 08:30":               "2026-09-16T06:30:00.000Z",
	} {
		if got := accepted(t, dated, text).(criteria.Date).String(); got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
	for _, v := range []any{
		"2026-02-30", "30/02/2026", "2025-02-29", "2026-13-01", "13/13/2026", "2026-00-10", "2026-09-00", "0000-01-01", "31/04/2026",
		"16/9/2026", "2026-9-16", "26-09-16", "16-09-2026", "2026/09/16", "09/16/2026", "16.09.2026", "20260916", "2026-09", "2026", "demain",
		"2026-09-16T25:00:00Z", "2026-09-16T08:60:00Z", "16/09/2026 24:00", "2026-09-16Z", "16/09/2026T08:30",
		"9999-12-31T23:59:59-01:00", "0001-01-01T00:00:00+01:00",
		number("20260916"), number("1789516800"), true, nil, list("2026-09-16"), map[string]any{},
	} {
		refused(t, dated, v, fault.CodeInvalidCriteriaValue)
	}
}

func TestK13_TwoWaysToWriteADayAreOneValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day := time.Date(rapid.IntRange(1, 9999).Draw(t, "year"), 1, rapid.IntRange(1, 365).Draw(t, "day"), 0, 0, 0, 0, time.UTC)
		iso, _ := dated.Parse(raw(day.Format("2006-01-02")), onWrite)
		french, _ := dated.Parse(raw(day.Format("02/01/2006")), criteria.Reading{})
		if iso == nil || !criteria.Equal(iso, french) || criteria.Plain(iso) != day.Format("2006-01-02") {
			t.Fatalf("%v is %v, or %v", day, iso, french)
		}
	})
}

func TestK13_OneInstantIsOneValueInEveryZone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "at")).UTC()
		offset := time.FixedZone("", 60*rapid.IntRange(-840, 840).Draw(t, "offset"))
		here, _ := dated.Parse(raw(at.Format(time.RFC3339Nano)), onWrite)
		there, _ := dated.Parse(raw(at.In(offset).Format(time.RFC3339Nano)), onWrite)
		naive, _ := dated.Parse(raw(at.In(offset).Format("2006-01-02T15:04:05.999999999")), criteria.Reading{Zone: offset})
		if want := (criteria.Date{At: at, Timed: true}); !criteria.Equal(here, want) || !criteria.Equal(there, want) || !criteria.Equal(naive, want) {
			t.Fatalf("%v is %v, %v and %v", at, here, there, naive)
		}
	})
}

func TestDatesLieOnOneAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawValue(t, dated).(criteria.Date), drawValue(t, dated).(criteria.Date)
		if (a.Scalar() < b.Scalar()) != a.At.Before(b.At) || (a.Scalar() == b.Scalar()) != a.At.Equal(b.At) {
			t.Fatalf("%v and %v are at %v and %v", a, b, a.Scalar(), b.Scalar())
		}
		zone := time.FixedZone("", 60*rapid.IntRange(-840, 840).Draw(t, "offset"))
		if a.Timed && !a.Instant(zone).Equal(a.At) {
			t.Fatalf("an instant moved with the zone: %v", a.Instant(zone))
		}
		if local := a.Instant(zone).In(zone); !a.Timed && (local.Format(time.DateTime) != a.String()+" 00:00:00" || a.Instant(zone).Location() != time.UTC) {
			t.Fatalf("%v begins at %v", a, local)
		}
	})
}

func TestK25_LettersThatAreNoLetters(t *testing.T) {
	letters := criteria.Definition{ID: 1, Key: criteria.KeyEnergyLetter, Type: criteria.UNIQUE, Active: true}
	for i, code := range strings.Fields("A B C D E F G NS VI") {
		letters.Choices = append(letters.Choices, criteria.Choice{ID: int64(i + 1), Code: code, Active: true})
	}
	for _, c := range letters.Choices {
		if got := accepted(t, letters, c.Code); got != criteria.Unique(c.Code) {
			t.Errorf("%s is %v", c.Code, got)
		}
	}
	for _, v := range []string{"NC", "H", "a", "vierge", "A+"} {
		refused(t, letters, v, fault.CodeCriteriaValueUnknown)
	}
}

func TestValuesOfNoTypeAreRefused(t *testing.T) {
	for _, d := range append(definitions, criteria.Definition{Key: "x"}) {
		for _, v := range []any{map[string]any{}, struct{}{}, 12, 1.5, []string{"a"}, func() {}, raw("x")} {
			refused(t, d, v, fault.CodeInvalidCriteriaValue)
		}
	}
}

func TestErrorsRepeatValuesInShort(t *testing.T) {
	long := strings.Repeat("é", 101)
	for _, c := range []struct{ given, want any }{
		{"x", "x"}, {number("12"), "12"}, {true, true}, {list("x"), nil}, {nil, nil}, {map[string]any{}, nil},
		{strings.Repeat("é", 100), strings.Repeat("é", 100)}, {long, strings.Repeat("é", 100) + "…"},
	} {
		if _, detail := dated.Parse(raw(c.given), onWrite); detail == nil || detail.Value != c.want {
			t.Errorf("%#v is repeated as %+v", c.given, detail)
		}
	}
}

// What was read once is read the same again, so that stored values can be held
// against the definitions of today.
func TestRestatedValuesAreReadTheSame(t *testing.T) {
	for key, raw := range map[string]criteria.Raw{
		"TypeBien": {V: "Maison"}, "Prix": {V: criteria.Literal("1250.5")}, "Etage": {V: "-1"}, "Ascenseur": {V: true}, "Ville": {V: " Saint-\u00c9tienne "},
		"Remarques": {V: "a\nb"}, "Equipements": {V: []any{"TENNIS", "PISCINE"}}, "DateDPE": {V: "16/09/2026 08:30"}, "Alentour": {V: "45.1, 4.8"},
	} {
		d, _ := criteria.NewDictionary(definitions, nil).ByKey(key)
		once, problem := d.Parse(raw, onWrite)
		if problem != nil {
			t.Fatalf("%s: %+v", key, problem)
		}
		twice, problem := d.Parse(criteria.Restate(once), criteria.Reading{Zone: time.UTC})
		if problem != nil || !criteria.Equal(once, twice) {
			t.Errorf("%s: %v becomes %v, %+v", key, once, twice, problem)
		}
	}
	if raw := criteria.Restate(nil); !raw.Empty() {
		t.Errorf("nothing becomes %v", raw)
	}
}
