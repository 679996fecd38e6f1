package criteria_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func bound(f float64) *float64 { return &f }

func places(n int) *int { return &n }

// One criterion of each type, and two with rules of their own. Chateau is not
// active any more, and "7" is a code that looks like an id.
var (
	kind = criteria.Definition{
		ID: 1, Key: "TypeBien", Type: criteria.UNIQUE, Active: true, Searchable: true,
		Choices: []criteria.Choice{
			{ID: 7, Code: "Appartement", Label: "Appartement de ville", Active: true},
			{ID: 8, Code: "Maison", Label: "Maison", Active: true},
			{ID: 9, Code: "7", Label: "Sept", Active: true},
			{ID: 10, Code: "Chateau", Label: "Château"},
		},
	}
	price = criteria.Definition{
		ID: 2, Key: "Prix", Type: criteria.NUMBER, Active: true, Searchable: true,
		Min: bound(0), Max: bound(1e9), Decimals: places(2),
	}
	level = criteria.Definition{ID: 3, Key: "Etage", Type: criteria.NUMBER, Active: true, Searchable: true}
	lift  = criteria.Definition{ID: 4, Key: "Ascenseur", Type: criteria.FLAG, Active: true, Searchable: true}
	city  = criteria.Definition{ID: 5, Key: "Ville", Type: criteria.TEXT, Active: true, Searchable: true}
	notes = criteria.Definition{ID: 6, Key: "Remarques", Type: criteria.TEXT, Active: true, Searchable: true, FullText: true}
	extra = criteria.Definition{
		ID: 7, Key: "Equipements", Type: criteria.MULTIPLE, Active: true, Searchable: true,
		Choices: []criteria.Choice{
			{ID: 1, Code: "PISCINE", Active: true}, {ID: 2, Code: "SAUNA", Active: true}, {ID: 3, Code: "TENNIS", Active: true},
			{ID: 4, Code: "MINITEL"}, {ID: 5, Code: "5", Active: true},
		},
	}
	dated    = criteria.Definition{ID: 8, Key: "DateDPE", Type: criteria.DATE, Active: true, Searchable: true}
	position = criteria.Definition{ID: 9, Key: criteria.KeyPosition, Type: criteria.TEXT, Active: true, Searchable: true}

	definitions = []criteria.Definition{kind, price, level, lift, city, notes, extra, dated, position}
)

// onWrite reads what a product is given, asOperand what a search compares with.
var (
	onWrite   = criteria.Reading{Zone: time.FixedZone("été", 2*3600)}
	asOperand = criteria.Reading{Zone: onWrite.Zone, Operand: true}
)

func raw(v any) criteria.Raw { return criteria.Raw{V: v} }

// list is an array as a request carries it.
func list(items ...any) []any { return append([]any{}, items...) }

// number is a number as a request writes it.
type number = criteria.Literal

// sent is what a client sends that writes back what a response showed.
func sent(plain any) criteria.Raw {
	switch v := plain.(type) {
	case float64:
		return raw(number(strconv.FormatFloat(v, 'g', -1, 64)))
	case int:
		return raw(number(strconv.Itoa(v)))
	case []string:
		items := list()
		for _, code := range v {
			items = append(items, code)
		}
		return raw(items)
	}
	return raw(plain)
}

// accepted parses a value that must be accepted.
func accepted(t testing.TB, d criteria.Definition, v any) criteria.Value {
	t.Helper()
	value, detail := d.Parse(raw(v), onWrite)
	if detail != nil {
		t.Fatalf("%s refuses %#v: %s", d.Key, v, detail.Message)
	}
	return value
}

// refused parses a value that must be refused with the code.
func refused(t testing.TB, d criteria.Definition, v any, code fault.Code) *fault.Detail {
	t.Helper()
	value, detail := d.Parse(raw(v), onWrite)
	switch {
	case detail == nil:
		t.Errorf("%s accepts %#v as %#v", d.Key, v, value)
		return &fault.Detail{}
	case value != nil:
		t.Errorf("%s refuses %#v and yet makes it %#v", d.Key, v, value)
	case detail.Code != code:
		t.Errorf("%s refuses %#v with %s, not %s", d.Key, v, detail.Code, code)
	case detail.Field != "" || detail.Message.String() == "":
		t.Errorf("%s refuses %#v with field %q and message %q", d.Key, v, detail.Field, detail.Message)
	}
	return detail
}

// nasty are the characters texts go wrong with: accents on their own, letters
// that compose or fall apart, all kinds of space, quotes and dashes.
var nasty = append([]rune("aAeEzZ09 éÉèÈêçÇàïöüœŒæÆßẞøØłŁÿŸ€'’ʼ‘-‐‑–,.;/%_\\\"\t\n\r"),
	'\u0300', '\u0301', '\u0308', '\u0327', '\u00a0', '\u202f', '\u2003', '\u3000', '\u0958', '\ufb01', '\u212b', '\u0130', '\u0131',
	'\u1e9b', '\uac00', '\u1100', '\u1715', '\u302e', '\U0001d165', '\U0001d16d', '\u034f', '\u200b', '\ufeff', '\ufffd', '\U0001f3e0')

func drawString(t *rapid.T, label string) string {
	return rapid.OneOf(rapid.StringOfN(rapid.SampledFrom(nasty), 0, 20, -1), rapid.String()).Draw(t, label)
}

// drawDecimal draws a number below 10^15 of at most 15 digits, as one would
// write it by hand.
func drawDecimal(t *rapid.T) string {
	digits := strconv.FormatInt(rapid.Int64Range(0, 999_999_999_999_999).Draw(t, "digits"), 10)
	digits = digits[:rapid.IntRange(1, len(digits)).Draw(t, "how many")]
	if point := rapid.IntRange(0, 17).Draw(t, "decimals"); point > 0 {
		digits = strings.Repeat("0", max(0, point+1-len(digits))) + digits
		digits = digits[:len(digits)-point] + "." + digits[len(digits)-point:]
	}
	return rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign") + digits
}

// drawDate draws a day or an instant, as one would write it.
func drawDate(t *rapid.T) string {
	const first, last = -62135596800 + 86400, 253402300799 - 86400
	at := time.Unix(rapid.Int64Range(first, last).Draw(t, "second"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanosecond"))
	if rapid.Bool().Draw(t, "of our days") {
		at = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(at.Sub(time.Unix(0, 0)) % (40 * 365 * 24 * time.Hour))
	}
	zone := time.FixedZone("", 60*rapid.IntRange(-14*60, 14*60).Draw(t, "offset"))
	layout := rapid.SampledFrom([]string{
		"2006-01-02", "02/01/2006", "02/01/2006 15:04", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05.999999999Z07:00",
		"2006-01-02T15:04:05.000Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
	}).Draw(t, "layout")
	return at.In(zone).Format(layout)
}

// drawRaw draws a value that the criterion accepts on a write.
func drawRaw(t *rapid.T, d criteria.Definition) criteria.Raw {
	asText := func(text string) criteria.Raw {
		if rapid.Bool().Draw(t, "as text") {
			return raw(text)
		}
		return raw(number(text))
	}
	switch d.Key {
	case price.Key:
		return asText(fmt.Sprintf("%d.%02d", rapid.IntRange(0, 999_999_999).Draw(t, "euros"), rapid.IntRange(0, 99).Draw(t, "cents")))
	case position.Key:
		return raw(fmt.Sprintf("%.*f,%.*f", rapid.IntRange(1, 8).Draw(t, "decimals"), rapid.Float64Range(0.1, 90).Draw(t, "latitude"),
			rapid.IntRange(1, 8).Draw(t, "decimals"), rapid.Float64Range(-180, 180).Draw(t, "longitude")))
	}
	switch d.Type {
	case criteria.UNIQUE:
		return raw(rapid.SampledFrom([]string{"Appartement", "Maison", "7"}).Draw(t, "code"))
	case criteria.MULTIPLE:
		codes := rapid.SampledFrom([]string{"PISCINE", "SAUNA", "TENNIS", "5"})
		if rapid.IntRange(0, 3).Draw(t, "alone") == 0 {
			return raw(codes.Draw(t, "code"))
		}
		return sent(rapid.SliceOfN(codes, 1, 5).Draw(t, "codes"))
	case criteria.NUMBER:
		return asText(drawDecimal(t))
	case criteria.FLAG:
		return raw(rapid.SampledFrom([]any{true, false, "0", "1", number("0"), number("1")}).Draw(t, "flag"))
	case criteria.DATE:
		return raw(drawDate(t))
	default: // TEXT
		text := drawString(t, "text")
		if detail := criteria.CheckText(criteria.Normalise(text), d.TextLimit()); detail != nil {
			t.Skip("no text of the criterion")
		}
		return raw(text)
	}
}

// drawValue draws a value of the criterion as a product has it.
func drawValue(t *rapid.T, d criteria.Definition) criteria.Value {
	given := drawRaw(t, d)
	value, detail := d.Parse(given, onWrite)
	if detail != nil {
		t.Fatalf("%s refuses %#v: %s", d.Key, given.V, detail.Message)
	}
	return value
}

// mustBeStored checks what every parsed value promises.
func mustBeStored(t interface {
	Helper()
	Fatalf(string, ...any)
}, d criteria.Definition, value criteria.Value) {
	t.Helper()
	if value.Type() != d.Type || !criteria.Equal(value, value) {
		t.Fatalf("%s has a value of type %v, equal to itself: %t", d.Key, value.Type(), criteria.Equal(value, value))
	}
	switch v := value.(type) {
	case criteria.Number:
		if n := float64(v); math.IsNaN(n) || math.IsInf(n, 0) || n == 0 && math.Signbit(n) {
			t.Fatalf("%s is the number %v", d.Key, n)
		}
	case criteria.Text:
		if s := string(v); !utf8.ValidString(s) || strings.ContainsRune(s, 0) || utf8.RuneCountInString(s) > d.TextLimit() || criteria.Normalise(s) != s {
			t.Fatalf("%s is the text %q", d.Key, s)
		}
	case criteria.Date:
		if v.At.Location() != time.UTC || v.At.Year() < 1 || v.At.Year() > 9999 {
			t.Fatalf("%s is the date %v", d.Key, v.At)
		}
	}
	again, detail := d.Parse(sent(criteria.Plain(value)), onWrite)
	if detail != nil || !criteria.Equal(again, value) {
		t.Fatalf("%s is shown as %#v, which reads as %#v instead of %#v, %+v", d.Key, criteria.Plain(value), again, value, detail)
	}
}
