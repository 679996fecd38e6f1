package api_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
)

func TestFieldsAsJSON(t *testing.T) {
	at := time.Date(2026, 9, 16, 10, 30, 0, 123_456_789, time.FixedZone("", 7200))
	for want, value := range map[string]any{
		`"2026-09-16T08:30:00.123Z"`:     api.When(at),
		`null`:                           api.When(time.Time{}),
		`{"2026-09-16T08:30:00.123Z":1}`: map[api.Instant]int{{Time: at}: 1},
		`{"a":1}`:                        api.Object{Text: `{"a":1}`},
		`{"data":[]}`:                    api.Data[[]int]{Data: api.List[int](nil)},
		`[1]`:                            api.List([]int{1}),
		`"x"`:                            api.Nullable("x"),
		`{"id":7}`:                       api.Created{ID: 7, Location: "/things/7"},
	} {
		if got, err := json.Marshal(value); err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
	for _, none := range []any{api.Object{}, api.Nullable(0), api.Nullable("")} {
		if got, err := json.Marshal(none); err != nil || string(got) != "null" {
			t.Errorf("%T is %s, %v", none, got, err)
		}
	}
}

func TestTheLatestOfTwo(t *testing.T) {
	a := time.Unix(1, 0)
	if b := a.Add(1); !api.Latest(a, b).Equal(b) || !api.Latest(b, a).Equal(b) || !api.Latest(a, a).Equal(a) {
		t.Error("it is the other one")
	}
}

func TestTextsOfARequest(t *testing.T) {
	for text, fine := range map[string]bool{strings.Repeat("é", 255): true, strings.Repeat("é", 256): false, "a\x00b": false, "\xff": false, "": true} {
		var problems fault.Problems
		if got := api.CheckText("name", text, api.MaxText, &problems); got != fine || (problems.Err() == nil) != fine {
			t.Errorf("%q: %t, %v", text, got, problems.Err())
		}
	}
}

func TestErrorsOfStores(t *testing.T) {
	other, down := errors.New("other"), errors.New("down")
	absent := fault.New(fault.NotFound, fault.CodeNotFound, "no such thing")
	if !api.IsAbsent(absent) || !api.IsAbsent(api.Unknown("it")) || api.IsAbsent(down) || api.IsAbsent(nil) {
		t.Error("IsAbsent is mistaken")
	}
	if got := api.AbsentIs(absent, other); got != other { //nolint:errorlint // the very same
		t.Errorf("absent is %v", got)
	}
	if api.AbsentIs(absent, nil) != nil || api.AbsentIs(down, nil) != down || api.AbsentIs(nil, other) != nil { //nolint:errorlint // the very same
		t.Error("AbsentIs changes something else")
	}
	if api.FirstError(nil, down, other) != down || api.FirstError(nil, nil) != nil { //nolint:errorlint // the very same
		t.Error("the first error is another")
	}
}
