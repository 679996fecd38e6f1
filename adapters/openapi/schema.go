package openapi

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// schemas gathers the schemas of named records while operations refer to them.
type schemas struct {
	components object
	types      map[string]reflect.Type
	// meanings say what fields without a description mean, by name.
	meanings map[string]string
	examples map[string]Example
	err      error
}

func newSchemas() *schemas {
	return &schemas{components: object{}, types: map[string]reflect.Type{}}
}

var (
	lazyType    = reflect.TypeFor[listing.Lazy]()
	oneOfType   = reflect.TypeFor[kernel.OneOf]()
	instantType = reflect.TypeFor[kernel.Instant]()
	rawType     = reflect.TypeFor[criteria.Raw]()
	idsType     = reflect.TypeFor[listing.IDList]()
	codesType   = reflect.TypeFor[kernel.Codes]()
	objectType  = reflect.TypeFor[kernel.Object]()
	ifMatchType = reflect.TypeFor[kernel.IfMatch]()
	versionType = reflect.TypeFor[kernel.Version]()
	choicesType = reflect.TypeFor[kernel.Choices]()
	fileType    = reflect.TypeFor[listing.File]()
)

// direction tells records that requests carry, whose fields are only required
// where a tag says so, from those of answers, which are always whole.
type direction int

const (
	request direction = iota
	answer
)

// of returns the schema of a type.
func (s *schemas) of(t reflect.Type, dir direction) object {
	if value, ok := opt.Elem(t); ok {
		return nullable(s.of(value, dir))
	}
	switch {
	case t == instantType:
		return object{"type": "string", "format": "date-time"}
	case t == fileType:
		return object{"type": "string", "format": "binary"}
	case t == rawType || t.Kind() == reflect.Interface:
		s.fail("a value of any type needs a tag that says which types it has")
		return object{}
	case t == objectType:
		return nullable(free())
	case t == idsType:
		return object{"oneOf": []object{{"type": "array", "items": integer()}, {"type": "string"}}}
	case t == codesType:
		return object{"oneOf": []object{{"type": "array", "items": object{"type": "string"}}, {"type": "string"}}}
	case t.Implements(choicesType):
		choices := reflect.Zero(t).Interface().(kernel.Choices).Choices()
		return object{"type": "array", "items": object{"type": "string", "enum": choices}}
	case t.Kind() == reflect.Struct && t.Implements(lazyType):
		return s.lazy(reflect.Zero(t).Interface().(listing.Lazy))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(s.of(t.Elem(), dir))
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return integer()
	case reflect.Float64:
		return number()
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem(), dir)}
	case reflect.Map:
		// In answers no map at all is null, unlike no slice, which is empty.
		members := object{"type": "object", "additionalProperties": s.of(t.Elem(), dir)}
		if dir == answer {
			return nullable(members)
		}
		return members
	case reflect.Struct:
		return s.record(t, dir)
	default:
		s.fail("no schema for %s", t)
		return object{}
	}
}

func (s *schemas) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// The formats say how wide numbers are: without them generated clients take types
// that lose digits.
func integer() object { return object{"type": "integer", "format": "int64"} }
func number() object  { return object{"type": "number", "format": "double"} }

// free returns an object of which nobody knows the members.
func free() object { return object{"type": "object", "additionalProperties": object{}} }

func (s *schemas) lazy(records listing.Lazy) object {
	schema := s.of(records.Elem(), answer)
	if records.Single() {
		return schema
	}
	return object{"type": "array", "items": schema}
}

// record returns the schema of a struct: a reference to a component when it has a
// name of its own.
func (s *schemas) record(t reflect.Type, dir direction) object {
	if t.Name() == "" {
		return s.properties(t, "json", dir)
	}
	if strings.Contains(t.Name(), "[") {
		schema := s.properties(t, "json", dir)
		return s.component(envelopeName(schema), t, func() object { return schema })
	}
	return s.component(t.Name(), t, func() object {
		if f, ok := t.FieldByName("OneOf"); ok && f.Type == oneOfType {
			return s.choice(t)
		}
		return s.properties(t, "json", dir)
	})
}

// component refers to a schema by name, which it makes when it is new.
func (s *schemas) component(name string, t reflect.Type, make func() object) object {
	switch known, ok := s.types[name]; {
	case !ok:
		s.types[name] = t
		s.components[name] = make()
	case known != t:
		s.fail("two schemas are called %s: %s and %s", name, known, t)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

func (s *schemas) choice(t reflect.Type) object {
	var choices []object
	for i := range t.NumField() {
		if f := t.Field(i); !f.Anonymous {
			choices = append(choices, s.of(f.Type.Elem(), answer))
		}
	}
	return object{"oneOf": choices}
}

// properties returns an object of the fields that have the given tag.
func (s *schemas) properties(t reflect.Type, source string, dir direction) object {
	properties, required, whole := object{}, []string{}, remarksOn(t)
	eachField(t, false, func(f reflect.StructField, maybe bool) {
		name, options, _ := strings.Cut(f.Tag.Get(source), ",")
		if name == "" || name == "-" {
			return
		}
		inner := f.Type
		if options == "omitempty" {
			// The outer pointer is for absence, whatever is in it for null.
			maybe, inner = true, inner.Elem()
		}
		must := (f.Tag.Get("required") == "true" || whole.required[name]) && !whole.optional[name]
		if value, isOpt := opt.Elem(f.Type); isOpt {
			if maybe = !must; must {
				inner = value // null is as good as nothing
			}
		} else if dir == request && !must {
			maybe = true
		}
		properties[name] = s.described(inner, s.documented(f.Tag, name), dir)
		if !maybe {
			required = append(required, name)
		}
	})
	schema := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	whole.describe(schema)
	return schema
}

// remarks are what a request says of its fields together, in the tags of a field
// without a name.
type remarks struct {
	// required and optional overrule the tags of the fields, which requests share.
	required, optional map[string]bool
	groups             []requiredGroup
}

// requiredGroup is fields of which at least one is required, or exactly one: the
// word of JSON Schema says which.
type requiredGroup struct {
	word  string
	names []string
}

func remarksOn(t reflect.Type) remarks {
	found := remarks{required: map[string]bool{}, optional: map[string]bool{}}
	found.gather(t)
	return found
}

func (r *remarks) gather(t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Tag == "" && f.Type.Kind() == reflect.Struct {
			r.gather(f.Type)
		}
		if f.Name != "_" {
			continue
		}
		names := func(tag string) []string {
			return strings.FieldsFunc(f.Tag.Get(tag), func(c rune) bool { return c == ',' })
		}
		for _, name := range names("required") {
			r.required[name] = true
		}
		for _, name := range names("optional") {
			r.optional[name] = true
		}
		for _, word := range []string{"anyOf", "oneOf"} {
			if group := names(word); len(group) > 0 {
				r.groups = append(r.groups, requiredGroup{word, group})
			}
		}
	}
}

func (r *remarks) describe(schema object) {
	var all []object
	for _, g := range r.groups {
		var choices []object
		for _, name := range g.names {
			choices = append(choices, object{"required": []string{name}})
		}
		all = append(all, object{g.word: choices})
	}
	if len(all) > 0 {
		schema["allOf"] = all
	}
}

// eachField visits the fields of a struct and of those embedded in it. Fields
// embedded by pointer may be absent.
func eachField(t reflect.Type, maybe bool, visit func(f reflect.StructField, maybe bool)) {
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Anonymous && f.Tag == "" && f.Type.Kind() == reflect.Pointer:
			eachField(f.Type.Elem(), true, visit)
		case f.Anonymous && f.Tag == "" && f.Type.Kind() == reflect.Struct:
			eachField(f.Type, maybe, visit)
		case f.IsExported():
			visit(f, maybe)
		}
	}
}
