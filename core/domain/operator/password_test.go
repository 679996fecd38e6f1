package operator_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
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
		operator.CheckPassword("password", password, operator.Operator{}, common, &problems)
		got := fault.Code("")
		if err := problems.Err(); err != nil {
			got = fault.From(err).Details[0].Code
		}
		if got != want {
			t.Errorf("%q: %q, want %q", password, got, want)
		}
	}
}

func TestPasswordsAreMoreThanWhatIsKnownOfTheirOwner(t *testing.T) {
	claire := operator.Operator{Email: "claire.morel@example.org", Name: "Claire Morel-Dupré"}
	for password, refused := range map[string]bool{
		"claire.morel@example.org":   true,
		"Claire.Morel@Example.org":   true,
		"Claire Morel-Dupré":         true,
		"clairemorel2024":            true,
		"claire-example":             true,
		"Morel!Morel!Morel!":         true,
		"claire has three cats":      false,
		"correct horse battery":      false,
		"------------":               false,
		"my own sentence for claire": false,
	} {
		var problems fault.Problems
		operator.CheckPassword("password", password, claire, func(string) bool { return false }, &problems)
		if got := problems.Err() != nil; got != refused {
			t.Errorf("%q is refused: %v, want %v", password, got, refused)
		}
	}
}
