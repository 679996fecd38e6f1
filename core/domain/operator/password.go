package operator

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// How long a password may be, in characters.
const (
	MinPassword = 12
	MaxPassword = 200
	// minOwn is how many letters and digits a password has besides what everybody knows
	// of its owner.
	minOwn = 6
)

// CheckPassword reports what is wrong with a new password of somebody: nothing about
// which characters it has, but that it is too short, one that many people have, or
// little more than their e-mail address or name.
func CheckPassword(field, password string, whose Operator, isCommon func(string) bool, problems *fault.Problems) {
	switch length := utf8.RuneCountInString(password); {
	case length < MinPassword || length > MaxPassword:
		problems.Add(field, fault.CodeOutOfRange, "a password has %d to %d characters", MinPassword, MaxPassword)
	case isCommon(password):
		problems.Add(field, fault.CodeInvalidFormat, "many people have this password; choose another one")
	case isKnownOf(whose, password):
		problems.Add(field, fault.CodeInvalidFormat, "the password is little more than your e-mail address or your name; choose another one")
	}
}

// isKnownOf reports whether a password has little in it that is neither the e-mail
// address nor the name of its owner.
func isKnownOf(whose Operator, password string) bool {
	left := strings.ToLower(password)
	for _, part := range knownOf(whose) {
		left = strings.ReplaceAll(left, part, " ")
	}
	own := characters(left)
	return own < minOwn && own < characters(password)
}

// characters counts the letters and digits of a text.
func characters(text string) (n int) {
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// knownOf returns the e-mail address and the name of somebody, and the words of both, the
// longest first.
func knownOf(whose Operator) []string {
	const shortest = 3
	email, name := strings.ToLower(whose.Email), strings.ToLower(whose.Name)
	local, domain, _ := strings.Cut(email, "@")
	parts := append([]string{email, local, domain, name}, strings.FieldsFunc(email+" "+name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })...)
	parts = slices.DeleteFunc(parts, func(p string) bool { return utf8.RuneCountInString(p) < shortest })
	slices.SortFunc(parts, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return parts
}
