package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port/archive"
)

// codec writes records as lines of JSON and reads them. A record is an object of
// its fields under their names in snake case; what is empty is left out, and so
// is the site, which the archive names once.
type codec struct {
	keys Keys
	site site.ID
}

// field is one field of a record, wherever it is embedded.
type field struct {
	name   string
	goName string
	index  []int
	Type   reflect.Type
}

// shapes are the fields of structs, by type.
var shapes sync.Map

// fieldsOf are the fields of a struct, those of embedded ones among them.
func fieldsOf(t reflect.Type) []field {
	known, found := shapes.Load(t)
	if !found {
		known, _ = shapes.LoadOrStore(t, readFields(t))
	}
	return known.([]field)
}

func readFields(t reflect.Type) (fields []field) {
	for f := range t.Fields() {
		switch {
		case f.Anonymous:
			for _, inner := range readFields(f.Type) {
				inner.index = append(slices.Clone(f.Index), inner.index...)
				fields = append(fields, inner)
			}
		case f.Name == "Site" && f.Type == reflect.TypeFor[site.ID]():
		case f.IsExported():
			fields = append(fields, field{snake(f.Name), f.Name, f.Index, f.Type})
		default:
			panic(fmt.Sprintf("archive: %s.%s would be lost", t, f.Name)) // a mistake of ours, which every test meets
		}
	}
	return fields
}

// snake writes VATNumber as vat_number.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		begins := i > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// place is where a sealed field is: in which line of a kind.
func (c codec) place(k archive.Kind, line int, f field) string {
	return fmt.Sprintf("%s.%s of site %d, line %d", k.Name, f.name, c.site, line)
}

// encode writes the record that is the given line of its kind.
func (c codec) encode(k archive.Kind, line int, record any) ([]byte, error) {
	return appendObject(nil, reflect.ValueOf(record), func(f field, text []byte) ([]byte, error) {
		if !slices.Contains(k.Sealed, f.goName) {
			return text, nil
		}
		return json.Marshal(c.keys.seal(string(text), c.place(k, line, f)))
	})
}

// decode is what encode wrote.
func (c codec) decode(k archive.Kind, line int, text []byte) (any, error) {
	raw, err := parse(text)
	if err != nil {
		return nil, err
	}
	v := reflect.New(k.Record).Elem()
	err = setObject(raw, v, func(f field, raw any) (any, error) {
		if !slices.Contains(k.Sealed, f.goName) {
			return raw, nil
		}
		sealed, ok := raw.(string)
		if !ok {
			return nil, errors.New("what should be sealed is not")
		}
		secret, err := c.keys.open(sealed, c.place(k, line, f))
		if err != nil {
			return nil, err
		}
		return parse([]byte(secret))
	})
	if of := v.FieldByName("Site"); err == nil && of.IsValid() && of.Type() == reflect.TypeFor[site.ID]() {
		of.SetInt(int64(c.site))
	}
	return v.Interface(), err
}

// parse reads one JSON value and nothing else.
func parse(text []byte) (raw any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return nil, errors.New("a line is not JSON") // without quoting it
	}
	if d.More() {
		return nil, errors.New("a line has more than one value")
	}
	return raw, nil
}

func appendObject(b []byte, v reflect.Value, change func(field, []byte) ([]byte, error)) ([]byte, error) {
	b = append(b, '{')
	first := true
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.index)
		if isEmpty(value) {
			continue
		}
		text, err := appendValue(nil, value)
		if err == nil {
			text, err = change(f, text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(strconv.AppendQuote(b, f.name), ':'), text...)
	}
	return append(b, '}'), nil
}

func asItIs(_ field, text []byte) ([]byte, error) { return text, nil }

// isEmpty reports what is left out. Zero behind a pointer is not nothing.
func isEmpty(v reflect.Value) bool {
	if forms()[v.Type()].always {
		return false
	}
	switch v.Kind() { //nolint:exhaustive // the others are empty when they are zero
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		if at, ok := v.Interface().(interface{ IsZero() bool }); ok {
			return at.IsZero()
		}
		for _, f := range fieldsOf(v.Type()) {
			if !isEmpty(v.FieldByIndex(f.index)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

func appendValue(b []byte, v reflect.Value) ([]byte, error) {
	if f, special := forms()[v.Type()]; special {
		plain, err := f.write(v)
		if err != nil {
			return nil, err
		}
		return appendPlain(b, plain)
	}
	if v.Type() == valueType {
		plain, err := writeCriterion(v)
		if err != nil {
			return nil, err
		}
		return appendPlain(b, plain)
	}
	switch v.Kind() { //nolint:exhaustive // the others are refused
	case reflect.Pointer:
		return appendValue(b, v.Elem())
	case reflect.Struct:
		return appendObject(b, v, asItIs)
	case reflect.Slice:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = appendValue(b, v.Index(i)); err != nil {
				return nil, fmt.Errorf("item %d: %w", i, err)
			}
		}
		return append(b, ']'), nil
	case reflect.Map:
		b = append(b, '{')
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for i, key := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = appendPlain(b, key.String()); err == nil {
				b, err = appendValue(append(b, ':'), v.MapIndex(key))
			}
			if err != nil {
				return nil, fmt.Errorf("%q: %w", key.String(), err)
			}
		}
		return append(b, '}'), nil
	case reflect.String:
		return appendPlain(b, v.String())
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case reflect.Float64:
		return appendPlain(b, v.Float())
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	}
	return nil, fmt.Errorf("say in forms how a %s is written", v.Type())
}

// appendPlain writes what encoding/json knows, without its care for HTML.
func appendPlain(b []byte, plain any) ([]byte, error) {
	switch plain := plain.(type) {
	case string:
		if !utf8.ValidString(plain) {
			return nil, errors.New("the text is not UTF-8")
		}
	case float64:
		if math.IsNaN(plain) || math.IsInf(plain, 0) {
			return nil, fmt.Errorf("%v is no number", plain)
		}
	}
	text := bytes.NewBuffer(b)
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false)
	if err := e.Encode(plain); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

func setObject(raw any, v reflect.Value, change func(field, any) (any, error)) error {
	object, ok := raw.(map[string]any)
	if !ok {
		return errors.New("this is not an object")
	}
	known := 0
	for _, f := range fieldsOf(v.Type()) {
		value, given := object[f.name]
		if !given {
			continue
		}
		known++
		value, err := change(f, value)
		if err == nil {
			err = setValue(value, v.FieldByIndex(f.index))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	if known < len(object) {
		names := map[string]bool{}
		for _, f := range fieldsOf(v.Type()) {
			names[f.name] = true
		}
		for name := range object {
			if !names[name] {
				return fmt.Errorf("%w %q", errUnknown, name)
			}
		}
	}
	return nil
}

// errUnknown is what a later program may have added.
var errUnknown = errors.New("this program does not know the field")

func setValue(raw any, v reflect.Value) error {
	if f, special := forms()[v.Type()]; special {
		return f.read(raw, v)
	}
	if v.Type() == valueType {
		return readCriterion(raw, v)
	}
	wrong := fmt.Errorf("this is not a %s", v.Kind())
	switch v.Kind() { //nolint:exhaustive // the others are refused
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return setValue(raw, v.Elem())
	case reflect.Struct:
		return setObject(raw, v, func(_ field, raw any) (any, error) { return raw, nil })
	case reflect.Slice:
		items, ok := raw.([]any)
		if !ok {
			return wrong
		}
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
		for i, item := range items {
			if err := setValue(item, v.Index(i)); err != nil {
				return fmt.Errorf("item %d: %w", i, err)
			}
		}
		return nil
	case reflect.Map:
		object, ok := raw.(map[string]any)
		if !ok {
			return wrong
		}
		v.Set(reflect.MakeMapWithSize(v.Type(), len(object)))
		for name, item := range object {
			value := reflect.New(v.Type().Elem()).Elem()
			if err := setValue(item, value); err != nil {
				return fmt.Errorf("%q: %w", name, err)
			}
			v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), value)
		}
		return nil
	case reflect.String:
		text, ok := raw.(string)
		if !ok {
			return wrong
		}
		v.SetString(text)
		return nil
	case reflect.Int, reflect.Int64:
		return readWhole(raw, v)
	case reflect.Float64:
		number, ok := raw.(json.Number)
		n, err := strconv.ParseFloat(string(number), 64)
		if !ok || err != nil {
			return wrong
		}
		v.SetFloat(n)
		return nil
	case reflect.Bool:
		flag, ok := raw.(bool)
		if !ok {
			return wrong
		}
		v.SetBool(flag)
		return nil
	}
	return fmt.Errorf("say in forms how a %s is read", v.Type())
}

// readWhole reads a whole number.
func readWhole(raw any, v reflect.Value) error {
	number, ok := raw.(json.Number)
	n, err := strconv.ParseInt(string(number), 10, 64)
	if !ok || err != nil || v.OverflowInt(n) {
		return fmt.Errorf("this is not a %s", v.Kind())
	}
	v.SetInt(n)
	return nil
}
