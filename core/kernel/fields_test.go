package kernel_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

func TestFieldsAsJSON(t *testing.T) {
	at := time.Date(2026, 9, 16, 10, 30, 0, 123_456_789, time.FixedZone("", 7200))
	for want, value := range map[string]any{
		`"2026-09-16T08:30:00.123Z"`:     kernel.When(at),
		`null`:                           kernel.When(time.Time{}),
		`{"2026-09-16T08:30:00.123Z":1}`: map[kernel.Instant]int{{Time: at}: 1},
		`{"a":1}`:                        kernel.Object{Text: `{"a":1}`},
		`{"data":[]}`:                    kernel.Data[[]int]{Data: kernel.List[int](nil)},
		`[1]`:                            kernel.List([]int{1}),
		`"x"`:                            kernel.Nullable("x"),
		`{"id":7}`:                       kernel.Created{ID: 7, Location: "/things/7"},
	} {
		if got, err := json.Marshal(value); err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
	for _, none := range []any{kernel.Object{}, kernel.Nullable(0), kernel.Nullable("")} {
		if got, err := json.Marshal(none); err != nil || string(got) != "null" {
			t.Errorf("%T is %s, %v", none, got, err)
		}
	}
}

func TestTheLatestOfTwo(t *testing.T) {
	a := time.Unix(1, 0)
	if b := a.Add(1); !kernel.Latest(a, b).Equal(b) || !kernel.Latest(b, a).Equal(b) || !kernel.Latest(a, a).Equal(a) {
		t.Error("it is the other one")
	}
}

func TestTextsOfARequest(t *testing.T) {
	for text, fine := range map[string]bool{strings.Repeat("é", 255): true, strings.Repeat("é", 256): false, "a\x00b": false, "\xff": false, "": true} {
		var problems fault.Problems
		if got := kernel.CheckText("name", text, kernel.MaxText, &problems); got != fine || (problems.Err() == nil) != fine {
			t.Errorf("%q: %t, %v", text, got, problems.Err())
		}
	}
}

func TestErrorsOfStores(t *testing.T) {
	other, down := errors.New("other"), errors.New("down")
	absent := fault.New(fault.NotFound, fault.CodeNotFound, "no such thing")
	if !kernel.IsAbsent(absent) || !kernel.IsAbsent(kernel.Unknown("it")) || kernel.IsAbsent(down) || kernel.IsAbsent(nil) {
		t.Error("IsAbsent is mistaken")
	}
	if got := kernel.AbsentIs(absent, other); got != other { //nolint:errorlint // the very same
		t.Errorf("absent is %v", got)
	}
	if kernel.AbsentIs(absent, nil) != nil || kernel.AbsentIs(down, nil) != down || kernel.AbsentIs(nil, other) != nil { //nolint:errorlint // the very same
		t.Error("AbsentIs changes something else")
	}
	if kernel.FirstError(nil, down, other) != down || kernel.FirstError(nil, nil) != nil { //nolint:errorlint // the very same
		t.Error("the first error is another")
	}
}
