package customer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// EmailKey returns the form e-mail addresses are compared in: case does not matter, what
// nobody sees is left out, and the domain is in its ASCII form. İ is no i.
func EmailKey(address string) string {
	address = criteria.Normalise(criteria.Bare(address))
	at := strings.LastIndexByte(address, '@') + 1
	local, domain := strings.Map(lower, address[:at]), address[at:]
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil || at == 0 {
		ascii = strings.Map(lower, domain)
	}
	return local + ascii
}

// lower returns the small letter of a capital, but of İ, whose small letter has no sign of
// its own.
func lower(r rune) rune {
	if r == 'İ' {
		return r
	}
	return unicode.ToLower(r)
}

// Key returns the form phone numbers are compared in: international where there is
// one, digits alone otherwise.
func (p PhoneNumber) Key() string { return PhoneKey(p.Number, p.E164) }

// PhoneKey is Key of a number somebody looks for.
func PhoneKey(number, e164 string) string {
	if e164 != "" {
		return e164
	}
	return digits(number)
}

// digits returns those of any script, in ASCII.
func digits(number string) string { return strings.Map(digit, number) }

func digit(r rune) rune {
	if n, is := digitOf(r); is {
		return '0' + n
	}
	return -1
}

// digitOf returns the value of a digit of any script. Unicode has the ten of a script in
// a row.
func digitOf(r rune) (n rune, is bool) {
	if r <= unicode.MaxASCII {
		return r - '0', '0' <= r && r <= '9'
	}
	for _, of := range unicode.Nd.R16 {
		if rune(of.Lo) <= r && r <= rune(of.Hi) {
			return (r - rune(of.Lo)) % 10, true
		}
	}
	for _, of := range unicode.Nd.R32 {
		if rune(of.Lo) <= r && r <= rune(of.Hi) {
			return (r - rune(of.Lo)) % 10, true
		}
	}
	return 0, false
}

// betweenNumbers is what separates numbers from each other and from what is said about
// them, the surest first. Whatever else is in a number may be how it is written.
var betweenNumbers = []*regexp.Regexp{
	regexp.MustCompile(`[\p{L};|\n]+`), regexp.MustCompile(`[,/]`), regexp.MustCompile(`\s[-–—]\s`), regexp.MustCompile(`\s+`),
}

// ReadNumbers reads what is in the field of a phone number: the international form
// of the first number that has one, and what the field is found by besides it: the
// international forms of the others, and the digits of each number as it was
// written, unless they have the same form when they are dialled at home. e164 is as
// in Rules.
func ReadNumbers(text, country, home string, e164 func(number, country string) string) (first string, also []string) {
	text = strings.Map(func(r rune) rune {
		if n, is := digitOf(r); is {
			return '0' + n
		}
		return r
	}, text)
	var parts []string
	for _, part := range betweenNumbers[0].Split(text, -1) {
		parts = append(parts, numbersIn(part, country, e164)...)
	}
	for _, part := range parts {
		form := e164(part, country)
		if first == "" {
			first = form
		} else if form != first {
			also = withKey(also, form)
		}
		if form == "" || e164(part, home) != form {
			also = withKey(also, digits(part))
		}
	}
	return first, also
}

// numbersIn returns the numbers in a text without letters: the text itself where it is
// one, or else what it falls into with the first separators that part it into
// numbers.
func numbersIn(text, country string, e164 func(number, country string) string) []string {
	if e164(text, country) != "" {
		return []string{text}
	}
	for _, between := range betweenNumbers[1:] {
		parts := between.Split(text, -1)
		parts = slices.DeleteFunc(parts, func(part string) bool { return e164(part, country) == "" })
		if len(parts) > 0 {
			return parts
		}
	}
	if len(digits(text)) < minDigits {
		return nil
	}
	return []string{text}
}

// minDigits is how many digits a phone number has at least.
const minDigits = 4

// validEmail reports what could be an address from what could not: one @ with
// something on both sides, a dot after it, no spaces, and none of what encloses
// addresses or comes before them, as mailto: does.
func validEmail(address string) bool {
	local, domain, found := strings.Cut(address, "@")
	return found && local != "" && !strings.ContainsAny(address, "<>()[],;:\\") && !strings.Contains(domain, "@") && len(address) <= 254 &&
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
