package httpapi

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// appender writes the JSON of a plain value behind out: what encoding/json writes,
// without an encoder for each. It returns false when it would have to write
// something that it has no plan for.
type appender func(out []byte, v reflect.Value) ([]byte, bool)

// planAppend plans the writing of a type that is made of numbers, booleans, texts,
// instants, pointers, lists, objects with plain names, and fields of any type. It is nil
// for all others.
func planAppend(t reflect.Type) appender { return planWithin(t, nil) }

var marshalers = []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()}

// writesItself reports whether a type says how it is written.
func writesItself(t reflect.Type) bool {
	return slices.ContainsFunc(marshalers, func(m reflect.Type) bool { return t.Implements(m) || reflect.PointerTo(t).Implements(m) })
}

// planWithin plans the writing of a type inside others. Those inside themselves have
// no plan.
func planWithin(t reflect.Type, others []reflect.Type) appender {
	switch t {
	case instantType:
		return appendInstant
	case reflect.PointerTo(instantType):
		return appendPointer(appendInstant)
	}
	if writesItself(t) || slices.Contains(others, t) {
		return nil
	}
	others = append(others, t)
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return appendInt
	case reflect.Bool:
		return appendBool
	case reflect.Float64:
		return appendFloat
	case reflect.String:
		return appendText
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return appendAny
		}
		return nil
	case reflect.Pointer:
		return appendPointer(planWithin(t.Elem(), others))
	case reflect.Slice:
		return appendList(planWithin(t.Elem(), others))
	case reflect.Struct:
		return planObject(t, others)
	default:
		return nil
	}
}

func appendPointer(value appender) appender {
	if value == nil {
		return nil
	}
	return func(out []byte, v reflect.Value) ([]byte, bool) {
		if v.IsNil() {
			return append(out, "null"...), true
		}
		return value(out, v.Elem())
	}
}

func appendList(value appender) appender {
	if value == nil {
		return nil
	}
	return func(out []byte, v reflect.Value) ([]byte, bool) {
		if v.IsNil() {
			return append(out, "null"...), true
		}
		var ok bool
		out = append(out, '[')
		for i := range v.Len() {
			if i > 0 {
				out = append(out, ',')
			}
			if out, ok = value(out, v.Index(i)); !ok {
				return out, false
			}
		}
		return append(out, ']'), true
	}
}

// appended is a field of an object, or the fields of a record within it.
type appended struct {
	// opening is the name of the field, and what comes before its value.
	opening string
	index   int
	value   appender
	// omitted: the field is left out while it is nil.
	omitted bool
	// record are the fields of an embedded record, which a pointer to none has not.
	record []appended
}

// planObject plans the writing of a record. Fields of embedded records count as its own,
// as long as no two have one name.
func planObject(t reflect.Type, others []reflect.Type) appender {
	names := map[string]bool{}
	fields, ok := planFields(t, others, names)
	if !ok || len(names) == 0 {
		return nil
	}
	return func(out []byte, v reflect.Value) ([]byte, bool) {
		start := len(out)
		out, ok := appendFields(append(out, '{'), v, fields, start+1)
		return append(out, '}'), ok
	}
}

func planFields(t reflect.Type, others []reflect.Type, names map[string]bool) (fields []appended, ok bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" && options == "", !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && f.IsExported() && name == "" && options == "":
			record, ok := planEmbedded(f.Type, others, names)
			if !ok {
				return nil, false
			}
			fields = append(fields, appended{index: i, record: record})
			continue
		}
		value := planWithin(f.Type, others)
		omitted := options == "omitempty" && f.Type.Kind() == reflect.Pointer
		if value == nil || name == "" || options != "" && !omitted || !isPlainName(name) || names[name] {
			return nil, false
		}
		names[name] = true
		fields = append(fields, appended{opening: `"` + name + `":`, index: i, value: value, omitted: omitted})
	}
	return fields, true
}

// planEmbedded plans the fields of an embedded record.
func planEmbedded(t reflect.Type, others []reflect.Type, names map[string]bool) (fields []appended, ok bool) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || writesItself(t) || slices.Contains(others, t) {
		return nil, false
	}
	return planFields(t, append(others, t), names)
}

// appendFields writes the fields of a record into an object that begins at start.
func appendFields(out []byte, v reflect.Value, fields []appended, start int) ([]byte, bool) {
	var ok bool
	for i := range fields {
		f := &fields[i]
		value := v.Field(f.index)
		if f.value == nil {
			if value.Kind() == reflect.Pointer {
				if value.IsNil() {
					continue
				}
				value = value.Elem()
			}
			if out, ok = appendFields(out, value, f.record, start); !ok {
				return out, false
			}
			continue
		}
		if f.omitted && value.IsNil() {
			continue
		}
		if len(out) > start {
			out = append(out, ',')
		}
		out = append(out, f.opening...)
		if out, ok = f.value(out, value); !ok {
			return out, false
		}
	}
	return out, true
}

// isPlainName reports whether a name can be written as it is.
func isPlainName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r != '_' && (r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' && r < 'a') })
}

// append writes a value, by the plan for its type if there is one and it goes so far.
func (a appender) append(out *bytes.Buffer, v reflect.Value) error {
	if a != nil {
		if written, ok := a(out.AvailableBuffer(), v); ok {
			out.Write(written)
			return nil
		}
	}
	return appendJSON(out, v.Interface())
}
