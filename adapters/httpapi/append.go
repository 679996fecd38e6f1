package httpapi

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// appender writes the JSON of a plain value behind out: what encoding/json writes,
// without an encoder for each. It returns false when it would have to write
// something that it has no plan for.
type appender func(out []byte, v reflect.Value) ([]byte, bool)

// planAppend plans the writing of a type that is made of numbers without fractions,
// booleans, texts, pointers, lists and objects with plain names. It is nil for all
// others.
func planAppend(t reflect.Type) appender { return planWithin(t, nil) }

var marshalers = []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()}

// planWithin plans the writing of a type inside others. Those inside themselves have
// no plan.
func planWithin(t reflect.Type, others []reflect.Type) appender {
	writesItself := func(m reflect.Type) bool { return t.Implements(m) || reflect.PointerTo(t).Implements(m) }
	if slices.ContainsFunc(marshalers, writesItself) || slices.Contains(others, t) {
		return nil
	}
	others = append(others, t)
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return appendInt
	case reflect.Bool:
		return appendBool
	case reflect.String:
		return appendText
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

func appendInt(out []byte, v reflect.Value) ([]byte, bool) {
	return strconv.AppendInt(out, v.Int(), 10), true
}

func appendBool(out []byte, v reflect.Value) ([]byte, bool) {
	return strconv.AppendBool(out, v.Bool()), true
}

// appendText writes texts in which nothing has to be escaped. There are many rules
// about the others, and one place that knows them.
func appendText(out []byte, v reflect.Value) ([]byte, bool) {
	text := v.String()
	for _, r := range text {
		switch {
		case r < ' ', r == '"', r == '\\', r == '\u2028', r == '\u2029', r == utf8.RuneError:
			return out, false
		}
	}
	out = append(out, '"')
	out = append(out, text...)
	return append(out, '"'), true
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

// appended is a field of an object; a value of nil stands for the fields of an
// embedded record that is not there.
type appended struct {
	opening string
	index   int
	value   appender
}

func planObject(t reflect.Type, others []reflect.Type) appender {
	var fields []appended
	opening := "{"
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" && options == "", !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Pointer:
			fields = append(fields, appended{index: i})
			continue
		}
		value := planWithin(f.Type, others)
		if value == nil || name == "" || options != "" || !isPlainName(name) {
			return nil
		}
		fields = append(fields, appended{opening + `"` + name + `":`, i, value})
		opening = ","
	}
	if opening == "{" {
		return nil
	}
	return appendObject(fields)
}

// isPlainName reports whether a name can be written as it is.
func isPlainName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r != '_' && (r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' && r < 'a') })
}

func appendObject(fields []appended) appender {
	return func(out []byte, v reflect.Value) ([]byte, bool) {
		var ok bool
		for _, f := range fields {
			value := v.Field(f.index)
			if f.value == nil {
				if !value.IsNil() {
					return out, false
				}
				continue
			}
			out = append(out, f.opening...)
			if out, ok = f.value(out, value); !ok {
				return out, false
			}
		}
		return append(out, '}'), true
	}
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
