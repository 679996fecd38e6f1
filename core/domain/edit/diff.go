package edit

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// tag marks fields of records:
//
//   - `trace:"keep"` on a text: it may be written down as it is, because it is a code or a name
//     that the installation gave
//   - `trace:"length"`: Whole says of the texts in it how long they are, because they are about
//     somebody else than the record is
//   - `trace:"-"`: it is computed, and never listed
const tag = "trace"

// Diff lists the fields that two states of a record do not have in common, in their
// order. What is written down is an allow-list by type: numbers, booleans, moments,
// names of kinds that print themselves, and texts whose field is tagged
// `trace:"keep"`. Of every other text only its length is said, so that
// neither a secret nor anything personal is kept by being forgotten. The
// fields of a record in the record are listed each, as Former.Until. Of lists of records
// those are listed that one state alone has.
func Diff(before, after any) []Edit {
	return differ{}.diff("", reflect.ValueOf(before), reflect.ValueOf(after), textOf{})
}

// Closed is Diff for the history of a record: fields are named as in requests, ids and
// amounts of 0 are no value, and texts of a type of their own are words of a closed set.
func Closed[T any](before, after T) []Edit { return differ{history: true}.named(before, after) }

// Whole is Closed with all texts, but for those of fields tagged `trace:"length"`. What it
// returns is as personal as the record.
func Whole[T any](before, after T) []Edit {
	return differ{history: true, whole: true}.named(before, after)
}

// differ compares records. history is set for Closed and Whole, whole for the latter.
type differ struct{ history, whole bool }

func (d differ) named(before, after any) []Edit {
	edits := d.diff("", reflect.ValueOf(before), reflect.ValueOf(after), textOf{})
	for i := range edits {
		edits[i].Field = snake(edits[i].Field)
	}
	return edits
}

// textOf says what becomes of the texts of a field.
type textOf struct{ kept, length bool }

func (of textOf) field(f reflect.StructField) textOf {
	mark := f.Tag.Get(tag)
	return textOf{kept: mark == "keep", length: of.length || mark == "length"}
}

func (d differ) diff(path string, b, a reflect.Value, of textOf) (edits []Edit) {
	for i := range a.NumField() {
		field := a.Type().Field(i)
		if !field.IsExported() || field.Tag.Get(tag) == "-" || reflect.DeepEqual(b.Field(i).Interface(), a.Field(i).Interface()) {
			continue
		}
		name := path + field.Name
		if isRecord(field.Type) {
			inner := name + "."
			if field.Anonymous {
				inner = path
			}
			edits = append(edits, d.diff(inner, b.Field(i), a.Field(i), of.field(field))...)
			continue
		}
		before, after := b.Field(i), a.Field(i)
		if field.Type.Kind() == reflect.Slice && isRecord(field.Type.Elem()) {
			before, after = without(before, after), without(after, before)
		}
		edits = append(edits, Edit{Field: name, Before: d.shown(before, of.field(field)), After: d.shown(after, of.field(field))})
	}
	return edits
}

// isRecord reports whether values of a type have fields that are listed each.
func isRecord(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]()
}

// without returns the items of a list that another one does not have; all of them where it has
// them in another order.
func without(list, other reflect.Value) reflect.Value {
	left := reflect.MakeSlice(list.Type(), 0, list.Len())
	for i := range list.Len() {
		has := false
		for j := range other.Len() {
			has = has || reflect.DeepEqual(list.Index(i).Interface(), other.Index(j).Interface())
		}
		if !has {
			left = reflect.Append(left, list.Index(i))
		}
	}
	if left.Len() == 0 && list.Len() == other.Len() {
		return list
	}
	return left
}

// shown returns what is written down of a value.
func (d differ) shown(v reflect.Value, of textOf) string {
	switch x := v.Interface().(type) {
	case time.Time:
		if x.IsZero() {
			return ""
		}
		return x.UTC().Format(time.RFC3339)
	case fmt.Stringer:
		isNil := v.Kind() == reflect.Pointer && v.IsNil()
		if v.Kind() != reflect.Struct && v.Kind() != reflect.String && !isNil {
			return x.String()
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if d.history && v.IsZero() && v.Type().PkgPath() != "" {
			return ""
		}
		if amount, is := v.Interface().(interface{ Float() float64 }); is {
			return strconv.FormatFloat(amount.Float(), 'f', -1, 64)
		}
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case reflect.String:
		if of.kept || !of.length && (d.whole || d.history && v.Type().PkgPath() != "") {
			return v.String()
		}
		return length(v.String())
	case reflect.Slice:
		return d.list(v, of)
	case reflect.Struct:
		return d.record(v, of)
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return d.shown(v.Elem(), of)
	case reflect.Map:
		return fmt.Sprintf("‹%d entries›", v.Len())
	default:
		return "‹" + v.Kind().String() + "›"
	}
}

func (d differ) list(v reflect.Value, of textOf) string {
	between := ", "
	if isRecord(v.Type().Elem()) {
		between = "; "
	}
	items := make([]string, v.Len())
	for i := range items {
		items[i] = d.shown(v.Index(i), of)
	}
	return strings.Join(items, between)
}

// record returns the fields of a record that say something, but for its own id.
func (d differ) record(v reflect.Value, of textOf) string {
	var said []string
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || field.Name == "ID" || field.Tag.Get(tag) == "-" || v.Field(i).IsZero() {
			continue
		}
		said = append(said, snake(field.Name)+": "+d.shown(v.Field(i), of.field(field)))
	}
	return strings.Join(said, ", ")
}
