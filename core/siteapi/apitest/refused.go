package apitest

import (
	"errors"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Refused checks that err is a fault of a kind with a code.
func Refused(t *testing.T, err error, kind fault.Kind, code fault.Code) {
	t.Helper()
	var known *fault.Error
	if !errors.As(err, &known) || known.Kind != kind || known.Code != code {
		t.Errorf("got %v, want %v with the code %s", err, kind, code)
	}
}

// RefusedField checks that err is Invalid with one detail.
func RefusedField(t *testing.T, err error, code fault.Code, field string) {
	t.Helper()
	Refused(t, err, fault.Invalid, code)
	var known *fault.Error
	if errors.As(err, &known) && (len(known.Details) != 1 || known.Details[0].Field != field) {
		t.Errorf("the details are %+v, want one about %s", known.Details, field)
	}
}
