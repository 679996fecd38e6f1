package fault_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func TestNoProblemIsNoError(t *testing.T) {
	var p fault.Problems
	if err := p.Err(); err != nil || !p.Empty() {
		t.Errorf("the zero Problems has %v", err)
	}
	p.Append()
	if !p.Empty() {
		t.Error("appending nothing is a problem")
	}
}

// The rule of the catalogue: the code all details share, or validation_error.
func TestSeveralProblemsShareACodeOrAreAValidationError(t *testing.T) {
	codes := rapid.SampledFrom([]fault.Code{fault.CodeRequired, fault.CodeOutOfRange, fault.CodeUnknownRoom})
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.SliceOfN(codes, 1, 5).Draw(t, "codes")
		var p fault.Problems
		want := drawn[0]
		for i, code := range drawn {
			p.Add(fmt.Sprintf("f[%d]", i), code, "problem %d", i)
			if code != drawn[0] {
				want = fault.CodeValidationError
			}
		}
		err := p.Err()
		if !errors.Is(err, fault.Invalid) || p.Empty() {
			t.Fatalf("%v is not Invalid", err)
		}
		got := fault.From(err)
		if got.Code != want {
			t.Fatalf("the codes %v make %s, not %s", drawn, got.Code, want)
		}
		if len(got.Details) != len(drawn) {
			t.Fatalf("%d problems became %d details", len(drawn), len(got.Details))
		}
		for i, d := range got.Details {
			if want := (fault.Detail{Field: fmt.Sprintf("f[%d]", i), Code: drawn[i], Message: fault.Textf("problem %d", i)}); !reflect.DeepEqual(d, want) {
				t.Fatalf("detail %d is %+v, not %+v", i, d, want)
			}
		}
		if single := len(drawn) == 1; single != (got.Message.String() == "problem 0") || !single && !strings.Contains(got.Message.String(), fmt.Sprint(len(drawn))) {
			t.Fatalf("the message of %d problems is %q", len(drawn), got.Message)
		}
	})
}

func TestAcceptedValuesAreAtMostFifty(t *testing.T) {
	many := make([]string, 60)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	var p fault.Problems
	p.Append(fault.Detail{Accepted: many}, fault.Detail{Accepted: many[:51]}, fault.Detail{Accepted: many[:50]}, fault.Detail{Accepted: many[:2]})
	for i, want := range []int{50, 50, 50, 2} {
		if got := fault.From(p.Err()).Details[i].Accepted; !reflect.DeepEqual(got, many[:want]) {
			t.Errorf("detail %d lists %d accepted values, not %d", i, len(got), want)
		}
	}
}

func TestOneRefusalListsAtMostAHundredProblems(t *testing.T) {
	var p fault.Problems
	for i := range 250 {
		p.Add(fmt.Sprint(i), fault.CodeRequired, "%d is required", i)
	}
	told := fault.From(p.Err())
	if len(told.Details) != 100 || told.Details[99].Field != "99" || told.Code != fault.CodeRequired {
		t.Errorf("%d details, the code %s", len(told.Details), told.Code)
	}
}

func fields(err error) string {
	var names []string
	for _, d := range fault.From(err).Details {
		names = append(names, d.Field)
	}
	return strings.Join(names, " ")
}

// A unit of work that runs again starts from the same problems again.
func TestErrIsNotChangedByLaterProblems(t *testing.T) {
	var start fault.Problems
	for _, field := range []string{"a", "b", "c"} {
		start.Add(field, fault.CodeRequired, "%s is required", field)
	}
	run := func(field string) error {
		p := start
		p.Add(field, fault.CodeRequired, "%s is required", field)
		return p.Err()
	}
	first, second := run("d"), run("e")
	if fields(start.Err()) != "a b c" || fields(first) != "a b c d" || fields(second) != "a b c e" {
		t.Errorf("the details are %q, %q and %q", fields(start.Err()), fields(first), fields(second))
	}
}
