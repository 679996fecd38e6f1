package apitest

import (
	"reflect"
	"testing"
	"time"
)

// Fill gives every field of the record that a pointer points to a value, so that
// none is zero: two items to a list, and so on within structs.
func Fill(t *testing.T, record any) {
	t.Helper()
	fill(t, reflect.ValueOf(record).Elem())
}

func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString("said of a person")
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint8:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(7, 0)))
			return
		}
		for _, field := range v.Fields() {
			fill(t, field)
		}
	default:
		t.Fatalf("say how to fill a %s", v.Type())
	}
}
