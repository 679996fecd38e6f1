package porttest

import (
	"reflect"
	"testing"
)

// What is left empty in a sample is not seen to come back.
func TestSamplesHaveEveryField(t *testing.T) {
	var samples []any
	for _, k := range recordKinds() {
		samples = append(samples, reflect.ValueOf(k.sample(1, 1)).Elem().Interface())
	}
	for _, sample := range samples {
		v := reflect.ValueOf(sample)
		full(t, v.Type().String(), v)
	}
}

// full demands that everything within a value is set; of a list, the first item.
func full(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	if v.IsZero() {
		t.Errorf("%s is empty", name)
		return
	}
	switch v.Kind() { //nolint:exhaustive // the others have nothing within them
	case reflect.Slice:
		full(t, name+"[0]", v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				full(t, name+"."+f.Name, v.Field(i))
			}
		}
	}
}
