package form_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// problem is the code of the one thing that a part of a form finds wrong, which must be with
// "field"; empty where it finds nothing.
func problem(t rapid.TB, read func(form.Form)) fault.Code {
	t.Helper()
	var problems fault.Problems
	read(form.Form{Problems: &problems})
	err := problems.Err()
	if err == nil {
		return ""
	}
	details := fault.From(err).Details
	if len(details) != 1 || details[0].Field != "field" {
		t.Fatalf("the problems are %+v", details)
	}
	return details[0].Code
}

// anyField draws what a request may say of a field: nothing, null or a value.
func anyField[T any](t *rapid.T, values *rapid.Generator[T]) opt.Field[T] {
	switch rapid.IntRange(0, 3).Draw(t, "given") {
	case 0:
		return opt.Field[T]{}
	case 1:
		return opt.Null[T]()
	}
	return opt.Of(values.Draw(t, "value"))
}

func TestWholeNumbersKeepWithinTheirBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.IntRange(-5, 5).Draw(t, "low")
		high := low + rapid.IntRange(0, 5).Draw(t, "more")
		given := anyField(t, rapid.OneOf(rapid.IntRange(-7, 12), rapid.SampledFrom([]int{math.MinInt, math.MaxInt})))
		before := 99
		number, maybe := before, &before
		code := problem(t, func(f form.Form) { f.Between("field", &number, given, low, high) })
		if again := problem(t, func(f form.Form) { f.MaybeBetween("field", &maybe, given, low, high) }); again != code {
			t.Fatalf("%+v is %q, and %q where it may be unknown", given, code, again)
		}
		outside := given.Given() && (given.Value < low || given.Value > high)
		switch {
		case outside != (code == fault.CodeOutOfRange) || !outside && code != "":
			t.Fatalf("%+v of %d to %d is %q", given, low, high, code)
		case outside || !given.Set:
			if number != 99 || maybe != &before {
				t.Fatalf("%+v sets %d and %v", given, number, maybe)
			}
		case given.Null:
			if number != 0 || maybe != nil {
				t.Fatalf("null leaves %d and %v", number, maybe)
			}
		case number != given.Value || *maybe != given.Value:
			t.Fatalf("%+v sets %d and %d", given, number, *maybe)
		}
	})
}

func TestPercentagesAreFromNothingToAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.OneOf(rapid.Float64Range(-1, 101), rapid.SampledFrom([]float64{0, 100, math.NaN(), math.Inf(1), math.Nextafter(100, 101), math.Nextafter(0, -1)}))
		given := anyField(t, values)
		before := 7.0
		number, maybe := before, &before
		code := problem(t, func(f form.Form) { f.Percent("field", &number, given) })
		if again := problem(t, func(f form.Form) { f.MaybePercent("field", &maybe, given) }); again != code {
			t.Fatalf("%+v is %q, and %q where it may be unknown", given, code, again)
		}
		inside := given.Value >= 0 && given.Value <= 100
		switch {
		case given.Given() && !inside:
			if code != fault.CodeOutOfRange || number != 7 || maybe != &before {
				t.Fatalf("%+v is %q and sets %v and %v", given, code, number, maybe)
			}
		case code != "":
			t.Fatalf("%+v is %q", given, code)
		case given.Given():
			if number != given.Value || *maybe != given.Value {
				t.Fatalf("%+v sets %v and %v", given, number, *maybe)
			}
		case number != 7 || given.Null != (maybe == nil): // null says nothing of what is always known
			t.Fatalf("%+v sets %v and %v", given, number, maybe)
		}
	})
}

func TestAmountsAreNotNegativeAndRoundedToCents(t *testing.T) {
	for given, want := range map[float64]float64{0: 0, 0.004: 0, 1.006: 1.01, 1.005: 1.01, 250_000.125: 250_000.13, 250_000: 250_000, -0.004: 0} {
		var amount *float64
		if code := problem(t, func(f form.Form) { f.Amount("field", &amount, opt.Of(given)) }); code != "" || *amount != want {
			t.Errorf("%v is %v, %q", given, amount, code)
		}
	}
	for _, given := range []float64{-0.01, math.NaN(), math.Inf(1), math.Inf(-1)} {
		var amount *float64
		if code := problem(t, func(f form.Form) { f.Amount("field", &amount, opt.Of(given)) }); code != fault.CodeOutOfRange || amount != nil {
			t.Errorf("%v is %v, %q", given, amount, code)
		}
	}
}

// What is written takes active codes alone, what is looked for any that the list has; a
// site without the list takes any text, which is normalised and not too long.
func TestTheListsOfASiteSayWhichCodesTheyTake(t *testing.T) {
	const id = criteria.ListID(17)
	of := criteria.NewDictionary(nil, []criteria.List{{ID: id, Key: "reasons", Choices: []criteria.Choice{{Code: "A", Active: true}, {Code: "OLD"}}}})
	long := strings.Repeat("é", form.MaxName+1)
	for _, c := range []struct {
		of            *criteria.Dictionary
		given         opt.Field[string]
		listed, known fault.Code
		want          string // where it is taken
	}{
		{of, opt.Of("A"), "", "", "A"},
		{of, opt.Of("OLD"), fault.CodeCriteriaValueUnknown, "", "OLD"},
		{of, opt.Of("B"), fault.CodeCriteriaValueUnknown, fault.CodeCriteriaValueUnknown, ""},
		{of, opt.Of("a"), fault.CodeCriteriaValueUnknown, fault.CodeCriteriaValueUnknown, ""},
		{of, opt.Of(""), "", "", ""},
		{of, opt.Null[string](), "", "", ""},
		{of, opt.Field[string]{}, "", "", "before"},
		{criteria.NewDictionary(nil, nil), opt.Of("  any "), "", "", "any"},
		{criteria.NewDictionary(nil, nil), opt.Of(long), fault.CodeOutOfRange, fault.CodeOutOfRange, ""},
	} {
		for name, way := range map[string]struct {
			read func(form.Form, string, *string, opt.Field[string], *criteria.Dictionary, criteria.ListID)
			code fault.Code
		}{"Listed": {form.Form.Listed, c.listed}, "Known": {form.Form.Known, c.known}} {
			want := c.want
			if way.code != "" {
				want = "before"
			}
			target := "before"
			if code := problem(t, func(f form.Form) { way.read(f, "field", &target, c.given, c.of, id) }); code != way.code || target != want {
				t.Errorf("%s of %.20q: %q, and %q is set", name, c.given.Value, code, target)
			}
		}
	}
}

func TestNamesOfAKindAreItsCodes(t *testing.T) {
	type colour string
	colours := []colour{"RED", "BLUE"}
	for given, want := range map[string]colour{"BLUE": "BLUE", "": ""} {
		target := colour("RED")
		if code := problem(t, func(f form.Form) { form.OneOf(f, "field", &target, opt.Of(given), colours) }); code != "" || target != want {
			t.Errorf("%q sets %q, %q", given, target, code)
		}
	}
	target := colour("RED")
	var problems fault.Problems
	form.OneOf(form.Form{Problems: &problems}, "field", &target, opt.Of("GREEN"), colours)
	if found := fault.From(problems.Err()).Details; target != "RED" || len(found) != 1 || len(found[0].Accepted) != 2 || found[0].Accepted[1] != "BLUE" {
		t.Errorf("GREEN sets %q: %+v", target, found)
	}
}

func TestADayOfTheCalendar(t *testing.T) {
	before := calendar.Of(2026, 1, 2)
	for _, c := range []struct {
		given opt.Field[string]
		want  calendar.Day
		code  fault.Code
	}{
		{opt.Field[string]{}, before, ""},
		{opt.Null[string](), 0, ""},
		{opt.Of("2024-02-29"), calendar.Of(2024, 2, 29), ""},
		{opt.Of("2026-02-29"), before, fault.CodeInvalidFormat},
		{opt.Of("2026-9-16"), before, fault.CodeInvalidFormat},
		{opt.Of("0000-01-01"), before, fault.CodeInvalidFormat},
		{opt.Of(""), before, fault.CodeInvalidFormat},
	} {
		day := before
		if code := problem(t, func(f form.Form) { f.CalendarDay("field", &day, c.given) }); code != c.code || day != c.want {
			t.Errorf("%+v sets %s, %q", c.given, day, code)
		}
	}
}

func TestAListNamesEachEntryOnceAndFewOfThem(t *testing.T) {
	seen := map[int64]bool{}
	once := func(name int64) (first bool, code fault.Code) {
		code = problem(t, func(f form.Form) { first = form.Once(f, "field", name, seen) })
		return first, code
	}
	for _, c := range []struct {
		name  int64
		first bool
		code  fault.Code
	}{{1, true, ""}, {2, true, ""}, {1, false, fault.CodeAmbiguousField}} {
		if first, code := once(c.name); first != c.first || code != c.code {
			t.Errorf("%d: %t, %q", c.name, first, code)
		}
	}
	for n, want := range map[int]fault.Code{0: "", 3: "", 4: fault.CodeOutOfRange} {
		var few bool
		if code := problem(t, func(f form.Form) { few = f.Few("field", n, 3) }); code != want || few != (want == "") {
			t.Errorf("%d of 3: %t, %q", n, few, code)
		}
	}
}

func TestWhatIsRequiredAndMissingIsSaid(t *testing.T) {
	for missing, want := range map[bool]fault.Code{true: fault.CodeRequired, false: ""} {
		if code := problem(t, func(f form.Form) { f.Required("field", missing) }); code != want {
			t.Errorf("missing %t: %q", missing, code)
		}
	}
}

func TestAPartOfAPartIsNamedWithItsPlace(t *testing.T) {
	var problems fault.Problems
	form.Form{Problems: &problems}.In("buyers[%d]", 1).In("address").Refuse("city", fault.Detail{Code: fault.CodeRequired, Field: "elsewhere"})
	if found := fault.From(problems.Err()).Details; len(found) != 1 || found[0].Field != "buyers[1].address.city" {
		t.Errorf("%+v", found)
	}
}

// A record does not share memory with the request it was read from.
func TestWhatMayBeUnknownIsACopy(t *testing.T) {
	var target *int
	given := opt.Of(5)
	form.Maybe(&target, given)
	given.Value = 6
	if target == nil || *target != 5 {
		t.Errorf("%v", target)
	}
	kept := target
	if form.Maybe(&target, opt.Field[int]{}); target != kept {
		t.Error("what is absent does not stay")
	}
	if form.Maybe(&target, opt.Null[int]()); target != nil {
		t.Error("null leaves a value")
	}
}
