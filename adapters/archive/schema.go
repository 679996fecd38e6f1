package archive

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/port/archive"
)

// Schema is the list of all kinds of record with their fields, in Markdown.
func Schema() []byte {
	var b bytes.Buffer
	for _, k := range archive.Kinds() {
		fmt.Fprintf(&b, "\n## `%s`\n\n%s%s.\n\n| field | |\n|---|---|\n", k.Name, strings.ToUpper(k.About[:1]), k.About[1:])
		for _, f := range fieldsOf(k.Record) {
			if slices.Contains(k.Sealed, f.goName) {
				fmt.Fprintf(&b, "| `%s` | sealed: %s |\n", f.name, describe(f.Type))
				continue
			}
			rows(&b, f.name, f.Type)
		}
	}
	return b.Bytes()
}

// rows are those of a field, and of what is within it.
func rows(b *bytes.Buffer, name string, t reflect.Type) {
	fmt.Fprintf(b, "| `%s` | %s |\n", name, describe(t))
	for {
		switch {
		case hasForm(t):
			return
		case t.Kind() == reflect.Pointer:
			t = t.Elem()
		case t.Kind() == reflect.Slice:
			name, t = name+"[]", t.Elem()
		case t.Kind() == reflect.Struct:
			for _, f := range fieldsOf(t) {
				rows(b, name+"."+f.name, f.Type)
			}
			return
		default:
			return
		}
	}
}

func hasForm(t reflect.Type) bool {
	_, special := forms()[t]
	return special || t == valueType
}

// describe says how values of a type are written.
func describe(t reflect.Type) string {
	if f, special := forms()[t]; special {
		return f.schema
	}
	if t == valueType {
		return "value with its type"
	}
	switch t.Kind() { //nolint:exhaustive // the codec refuses the others
	case reflect.Pointer:
		return describe(t.Elem()) + ", or unknown"
	case reflect.Struct:
		return "object"
	case reflect.Slice:
		return "list: " + describe(t.Elem())
	case reflect.Map:
		return "object by name: " + describe(t.Elem())
	case reflect.Int, reflect.Int64:
		return "whole number"
	case reflect.Float64:
		return "number"
	case reflect.Bool:
		return "true or false"
	}
	return "text"
}
