package e2e_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// cage makes up requests in which every field that can hold something about a
// person holds a canary: a value that occurs nowhere else. The fields are found
// by reflection, so that one that is added later has a canary too, or makes the
// request fail until it is said here what it takes.
type cage struct {
	t     testing.TB
	birds []canary
	// given are the values of some fields, by type and name in JSON; nil leaves
	// the field out.
	given map[string]any
}

// canary is a value to be looked for, and the field it was in.
type canary struct{ field, text string }

// pick makes a new canary.
func (g *cage) pick(field, pattern string) string {
	n := len(g.birds) + 1
	text := pattern
	if strings.Contains(pattern, "%") {
		text = fmt.Sprintf(pattern, n)
	}
	g.birds = append(g.birds, canary{field, text})
	return text
}

// word is a canary of letters alone: no engine and no encoding writes it in
// another way.
func (g *cage) word(field string) string {
	n := len(g.birds) + 1
	return g.pick(field, "zanari"+string(rune('a'+n/676%26))+string(rune('a'+n/26%26))+string(rune('a'+n%26))+"qx")
}

// request fills the body of an operation's request.
func (g *cage) request(in reflect.Type) object { return g.object(in, in.Name()) }

func (g *cage) object(of reflect.Type, name string) object {
	filled := object{}
	for field := range of.Fields() {
		key := field.Tag.Get("json")
		switch {
		case field.Anonymous && key == "":
			for key, value := range g.object(field.Type, field.Type.Name()) {
				filled[key] = value
			}
		case key == "":
		default:
			given, known := g.given[name+"."+key]
			if bare, found := g.given[key]; found && !known {
				given, known = bare, true
			}
			if known && given == nil {
				continue
			}
			if !known {
				given = g.value(field.Type, field.Tag, name+"."+key)
			}
			if given != nil {
				filled[key] = given
			}
		}
	}
	return filled
}

var codeOfList = regexp.MustCompile(`code of list (\d+)`)

// codes are one of each list of the sandbox.
var codes = map[string]string{"5": "VENDEUR", "6": "MME", "7": "MOBILE", "8": "FISCALE", "9": "INTERESSE", "10": "PORTAIL", "14": "IMMEDIAT", "15": "PRIX"}

// value is a canary for a field, as far as its type and tags leave room for one.
func (g *cage) value(of reflect.Type, tag reflect.StructTag, field string) any {
	if of.Kind() == reflect.Struct && strings.HasPrefix(of.Name(), "Field[") {
		inner, _ := of.FieldByName("Value")
		of = inner.Type
	}
	listed := codeOfList.FindStringSubmatch(tag.Get("doc"))
	enum, _, _ := strings.Cut(tag.Get("enum"), ",")
	switch {
	case of == reflect.TypeFor[kernel.Object]():
		return object{g.word(field): object{"deep": list{g.word(field)}}}
	case enum != "":
		return enum
	case listed != nil:
		return codes[listed[1]]
	case tag.Get("format") == "email":
		return g.word(field) + "@example.com"
	case tag.Get("format") == "date":
		return g.pick(field, "1%03d-03-17")
	case tag.Get("format") == "date-time":
		return g.pick(field, "1%03d-05-23") + "T04:05:06Z"
	case of.Kind() == reflect.String && (strings.HasSuffix(field, ".phone") || strings.HasSuffix(field, ".number")):
		return "0" + g.pick(field, "67310%04d")
	}
	switch of.Kind() { //nolint:exhaustive // the others are ids
	case reflect.String:
		if strings.Contains(tag.Get("doc"), "at most 10,000 characters") { // longer than a page of a file
			return strings.Repeat(g.word(field)+" ", 800)
		}
		return g.word(field)
	case reflect.Float64:
		amount := 8_130_000.25 + float64(1000*len(g.birds))
		g.pick(field, strconv.FormatFloat(amount, 'f', -1, 64))
		return amount
	case reflect.Bool:
		return true
	case reflect.Int:
		return 3
	case reflect.Slice:
		if inner := of.Elem(); inner.Kind() == reflect.Struct {
			return list{g.object(inner, inner.Name())}
		}
	case reflect.Struct:
		return g.object(of, of.Name())
	}
	return nil
}
