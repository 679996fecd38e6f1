package memstore

import "reflect"

// deep copies a value so that the copy shares nothing with it.
func deep[T any](v T) T {
	detach(reflect.ValueOf(&v).Elem())
	return v
}

// deepRecord is deep for a pointer to a record.
func deepRecord(record any) any {
	v := reflect.New(reflect.TypeOf(record)).Elem()
	v.Set(reflect.ValueOf(record))
	detach(v)
	return v.Interface()
}

// detach replaces what a value refers to by copies.
func detach(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		c := reflect.New(v.Type().Elem())
		c.Elem().Set(v.Elem())
		detach(c.Elem())
		v.Set(c)
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		// One that is empty stays so: written down, behind a pointer, nil is nothing at all.
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		v.Set(c)
		for i := range v.Len() {
			detach(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, value := range v.Seq2() {
			held := reflect.New(value.Type()).Elem()
			held.Set(value)
			detach(held)
			c.SetMapIndex(key, held)
		}
		v.Set(c)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				detach(v.Field(i))
			}
		}
	default: // nothing is shared; a criterion's value is never changed
	}
}
