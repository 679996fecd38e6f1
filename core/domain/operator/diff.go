package operator

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// keepTag marks the texts of a record that may be written down as they are.
const keepTag = "trace"

// Diff lists the fields that two states of a record do not have in common, in their
// order. What is written down is an allow-list by type: numbers, booleans, moments,
// names of kinds that print themselves, and texts whose field is tagged
// `trace:"keep"`. Of every other value only its kind and length are said, so that
// neither a secret nor anything personal gets into the audit by being forgotten. The
// fields of a record in the record are listed each, as Former.Until.
func Diff(before, after any) []Change {
	return diff("", reflect.ValueOf(before), reflect.ValueOf(after))
}

func diff(path string, b, a reflect.Value) (changes []Change) {
	for i := range a.NumField() {
		field := a.Type().Field(i)
		if !field.IsExported() || reflect.DeepEqual(b.Field(i).Interface(), a.Field(i).Interface()) {
			continue
		}
		name := path + field.Name
		if _, moment := a.Field(i).Interface().(time.Time); field.Type.Kind() == reflect.Struct && !moment {
			changes = append(changes, diff(name+".", b.Field(i), a.Field(i))...)
			continue
		}
		kept := field.Tag.Get(keepTag) == "keep"
		changes = append(changes, Change{Field: name, Before: shown(b.Field(i), kept), After: shown(a.Field(i), kept)})
	}
	return changes
}

// shown returns what is written down of a value.
func shown(v reflect.Value, kept bool) string {
	switch x := v.Interface().(type) {
	case time.Time:
		if x.IsZero() {
			return ""
		}
		return x.UTC().Format(time.RFC3339)
	case fmt.Stringer:
		if v.Kind() != reflect.Struct && v.Kind() != reflect.String {
			return x.String()
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.String:
		return text(v.String(), kept)
	case reflect.Slice:
		items := make([]string, v.Len())
		for i := range items {
			items[i] = shown(v.Index(i), kept)
		}
		return strings.Join(items, ", ")
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return shown(v.Elem(), kept)
	case reflect.Map:
		return fmt.Sprintf("‹%d entries›", v.Len())
	default:
		return "‹" + v.Kind().String() + "›"
	}
}

// text returns a text, or how long it is.
func text(s string, kept bool) string {
	if kept || s == "" {
		return s
	}
	return fmt.Sprintf("‹string, %d›", utf8.RuneCountInString(s))
}
