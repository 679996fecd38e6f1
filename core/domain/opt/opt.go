// Package opt distinguishes the three states of a field of a request: absent,
// null, or a value.
package opt

import "reflect"

// Field is a field of a request.
type Field[T any] struct {
	// Value is meaningful when Set is true and Null is false.
	Value T
	// Set is true when the request carries the field, null included.
	Set bool
	// Null is true when the request carries null.
	Null bool
}

// Of returns a field with a value.
func Of[T any](value T) Field[T] { return Field[T]{Value: value, Set: true} }

// Null returns a field that is null.
func Null[T any]() Field[T] { return Field[T]{Set: true, Null: true} }

// Given reports whether the field is present with a value.
func (f Field[T]) Given() bool { return f.Set && !f.Null }

// Or returns the value, or the fallback when the field is absent or null.
func (f Field[T]) Or(fallback T) T {
	if f.Given() {
		return f.Value
	}
	return fallback
}

// elem marks every Field, whatever it holds.
func (Field[T]) elem() reflect.Type { return reflect.TypeFor[T]() }

// Elem returns T for the type Field[T], and whether t is such a type at all.
func Elem(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	field, ok := reflect.Zero(t).Interface().(interface{ elem() reflect.Type })
	if !ok {
		return nil, false
	}
	return field.elem(), true
}

// Same reports whether two optional values are equal, or both absent.
func Same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }
