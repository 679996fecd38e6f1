package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func TestEveryKindHasItsOwnName(t *testing.T) {
	seen := map[string]fault.Kind{}
	for k := fault.Kind(0); k < fault.Kinds; k++ {
		name := k.Error()
		if other, taken := seen[name]; taken || name == "" || name == "unknown kind" {
			t.Errorf("kind %d is named %q, as is %d", k, name, other)
		}
		seen[name] = k
	}
	if got := fault.Kinds.Error(); got != "unknown kind" {
		t.Errorf("what is no kind is named %q", got)
	}
}

func TestFaultIsItsKindAndItsCause(t *testing.T) {
	for k := fault.Kind(0); k < fault.Kinds; k++ {
		plain := fault.New(k, fault.CodeNotFound, "no %s has id %d", "product", 7)
		caused := fault.New(k, fault.CodeNotFound, "gone").Because(fmt.Errorf("reading: %w", io.EOF))
		for _, err := range []error{plain, caused, fmt.Errorf("update: %w", plain), errors.Join(io.ErrNoProgress, caused)} {
			for other := fault.Kind(0); other < fault.Kinds; other++ {
				if errors.Is(err, other) != (other == k) {
					t.Errorf("%v of kind %v is %v: %t", err, k, other, other != k)
				}
			}
		}
		if errors.Is(plain, io.EOF) || !errors.Is(caused, io.EOF) {
			t.Errorf("kind %v: the cause is lost, or there is one without Because", k)
		}
	}
}

func TestErrorTellsOperatorsMoreThanMessageTellsClients(t *testing.T) {
	err := fault.New(fault.Unavailable, fault.CodeUnavailable, "try again %s", "later")
	if err.Error() != "try again later" {
		t.Errorf("%q", err.Error())
	}
	if same := err.Because(io.EOF); same != err || err.Error() != "try again later: EOF" || err.Message.String() != "try again later" {
		t.Errorf("with a cause: %q, message %q", err.Error(), err.Message)
	}
}

func TestE4_FromHidesWhatNobodyForesaw(t *testing.T) {
	known := fault.New(fault.Conflict, fault.CodeConflict, "no")
	unknown := errors.New("pq: password authentication failed")
	for name, c := range map[string]struct {
		err     error
		kind    fault.Kind
		code    fault.Code
		message string
	}{
		"a fault":                    {known, fault.Conflict, fault.CodeConflict, "no"},
		"a fault in a chain":         {fmt.Errorf("a: %w", fmt.Errorf("b: %w", known)), fault.Conflict, fault.CodeConflict, "no"},
		"anything else":              {unknown, fault.Internal, fault.CodeInternalError, "internal error"},
		"the kind Unavailable alone": {fmt.Errorf("dial: %w", fault.Unavailable), fault.Unavailable, fault.CodeUnavailable, "the service is temporarily unavailable"},
		"another kind alone":         {fmt.Errorf("get: %w", fault.NotFound), fault.Internal, fault.CodeInternalError, "internal error"},
	} {
		got := fault.From(c.err)
		if got.Kind != c.kind || got.Code != c.code || got.Message.String() != c.message {
			t.Errorf("%s: %v %s %q", name, got.Kind, got.Code, got.Message)
		}
		if got != known && !errors.Is(got, c.err) {
			t.Errorf("%s: the cause is lost to operators", name)
		}
	}
	if fault.From(nil) != nil {
		t.Error("nothing is wrong, but From says so")
	}
}
