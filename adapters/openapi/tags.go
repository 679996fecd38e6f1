package openapi

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// described returns the schema of a field, with what its tags add.
func (s *schemas) described(t reflect.Type, tag reflect.StructTag, dir direction) object {
	schema := s.tagged(t, tag, dir)
	value := valueOf(schema)
	if format := tag.Get("format"); format != "" {
		value["format"] = format
	}
	for _, bound := range []string{"minimum", "maximum"} {
		if text := tag.Get(bound); text != "" {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil {
				s.fail("%s %q is not a number", bound, text)
			}
			value[bound] = n
		}
	}
	if name := tag.Get("max"); name != "" {
		most, known := limits()[name]
		if !known {
			s.fail("no limit is called %q", name)
		}
		limit(value, most)
	}
	doc := tag.Get("doc")
	if words := tag.Get("enum"); words != "" {
		doc = choose(value, strings.Split(words, ","), doc, dir)
	}
	if doc != "" {
		schema["description"] = doc
	}
	if alias := tag.Get("alias"); alias != "" {
		schema["x-aliases"] = strings.Split(alias, ",")
	}
	return schema
}

// tagged returns the schema of a field, whose tag may name its types.
func (s *schemas) tagged(t reflect.Type, tag reflect.StructTag, dir direction) object {
	if types := tag.Get("type"); types != "" {
		return s.oneOf(strings.Split(types, ","))
	}
	if tag.Get("coerce") == "string" {
		return object{"type": "string"}
	}
	if types := tag.Get("items"); types != "" {
		list := listOf(s.oneOf(strings.Split(types, ",")))
		if _, maybe := opt.Elem(t); maybe {
			return nullable(list)
		}
		return list
	}
	return s.of(t, dir)
}

func listOf(items object) object { return object{"type": "array", "items": items} }

// oneOf returns a choice of simple types. Generators of clients do not understand a
// schema with a list of types.
func (s *schemas) oneOf(types []string) object {
	simple := map[string]func() object{
		"string": func() object { return object{"type": "string"} }, "strings": func() object { return listOf(object{"type": "string"}) },
		"number": number, "integer": integer, "object": free,
		// As GeoJSON nests them: rings of positions, which are numbers.
		"polygon": func() object { return listOf(listOf(listOf(number()))) }, "multipolygon": func() object { return listOf(listOf(listOf(listOf(number())))) },
	}
	var choices []object
	for _, name := range types {
		if make, known := simple[name]; known {
			choices = append(choices, make())
		} else if name != "null" {
			s.fail("no simple type is called %q", name)
		}
	}
	schema := object{"oneOf": choices}
	if len(choices) == 1 {
		schema = choices[0]
	}
	if types[len(types)-1] == "null" {
		return nullable(schema)
	}
	return schema
}

// choose returns which codes a field can have, and returns what to say of it in words.
// A request with another code is refused. An answer may have one that is added later,
// and an enum would have clients refuse it.
func choose(schema object, codes []string, doc string, dir direction) string {
	if dir == request || len(codes) == 1 {
		schema["enum"] = codes
		return doc
	}
	schema["x-extensible-enum"] = codes
	known := "one of `" + strings.Join(codes, "`, `") + "`; more may be added"
	if doc == "" {
		return known
	}
	return doc + "; " + known
}

// nullable returns a schema that admits null as well.
func nullable(schema object) object {
	if len(schema) == 0 || admitsNull(schema) {
		return schema
	}
	return object{"anyOf": []object{schema, {"type": "null"}}}
}

func admitsNull(schema object) bool {
	choices, _ := schema["anyOf"].([]object)
	return len(choices) == 2 && choices[1]["type"] == "null"
}

// valueOf returns what a schema says of values other than null.
func valueOf(schema object) object {
	if admitsNull(schema) {
		return schema["anyOf"].([]object)[0]
	}
	return schema
}
