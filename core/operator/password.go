package operator

import (
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/fault"
)

// How long a password may be, in characters.
const (
	MinPassword = 12
	MaxPassword = 200
)

// CheckPassword reports what is wrong with a new password: nothing about which
// characters it has, but that it is too short, or one that many people have.
func CheckPassword(field, password string, isCommon func(string) bool, problems *fault.Problems) {
	switch length := utf8.RuneCountInString(password); {
	case length < MinPassword || length > MaxPassword:
		problems.Add(field, fault.CodeOutOfRange, "a password has %d to %d characters", MinPassword, MaxPassword)
	case isCommon(password):
		problems.Add(field, fault.CodeInvalidFormat, "many people have this password; choose another one")
	}
}
