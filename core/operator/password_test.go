package operator_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/operator"
)

func TestPasswordsAreLongAndNotCommon(t *testing.T) {
	common := func(p string) bool { return p == "password1234" }
	for password, want := range map[string]fault.Code{
		"":                             fault.CodeOutOfRange,
		"elevenchars":                  fault.CodeOutOfRange,
		"twelve chars":                 "",
		"ééééééééééé":                  fault.CodeOutOfRange,
		"éééééééééééé":                 "",
		"password1234":                 fault.CodeInvalidFormat,
		strings.Repeat("x", 200):       "",
		strings.Repeat("x", 201):       fault.CodeOutOfRange,
		"only lower case and no digit": "",
	} {
		var problems fault.Problems
		operator.CheckPassword("password", password, common, &problems)
		got := fault.Code("")
		if err := problems.Err(); err != nil {
			got = fault.From(err).Details[0].Code
		}
		if got != want {
			t.Errorf("%q: %q, want %q", password, got, want)
		}
	}
}
