package customer

import (
	"strings"
	"unicode"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// EmailKey is the form e-mail addresses are compared in: case does not matter.
func EmailKey(address string) string { return strings.ToLower(criteria.Normalise(address)) }

// Key is the form phone numbers are compared in: international where there is
// one, digits alone otherwise.
func (p PhoneNumber) Key() string { return PhoneKey(p.Number, p.E164) }

// PhoneKey is Key of a number somebody looks for.
func PhoneKey(number, e164 string) string {
	if e164 != "" {
		return e164
	}
	return digits(number)
}

func digits(number string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, number)
}

// validEmail tells what could be an address from what could not: one @ with
// something on both sides, a dot after it, and no spaces.
func validEmail(address string) bool {
	local, domain, found := strings.Cut(address, "@")
	return found && local != "" && !strings.Contains(domain, "@") && len(address) <= 254 &&
		strings.Contains(strings.Trim(domain, "."), ".") && !strings.HasPrefix(domain, ".") && !strings.HasSuffix(domain, ".") &&
		!strings.ContainsFunc(address, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
}

// validSIRET checks the length and check digit of an establishment's number.
// Those of La Poste, which ran out of numbers, have a sum of their own.
func validSIRET(siret string) bool {
	if len(siret) != 14 || digits(siret) != siret {
		return false
	}
	luhn, sum := 0, 0
	for i, r := range siret {
		d := int(r - '0')
		sum += d
		if i%2 == 0 {
			d = d*2%10 + d*2/10
		}
		luhn += d
	}
	const laPoste = "356000000"
	return luhn%10 == 0 || strings.HasPrefix(siret, laPoste) && sum%5 == 0
}
