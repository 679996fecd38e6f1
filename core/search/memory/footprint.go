package memory

import (
	"reflect"
	"slices"
)

// Footprint estimates the memory that a value and everything it leads to take, except
// what lies behind pointers of the given types: that is shared, and counted elsewhere. It
// is for values that are small and of many parts; it follows every one of them.
func Footprint(value any, shared ...reflect.Type) int {
	v := reflect.ValueOf(value)
	return int(v.Type().Size()) + behind(v, shared)
}

// behind returns what a value leads to.
func behind(v reflect.Value, shared []reflect.Type) (total int) {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() || slices.Contains(shared, v.Type()) {
			return 0
		}
		return int(v.Elem().Type().Size()) + behind(v.Elem(), shared)
	case reflect.Slice:
		total = v.Cap() * int(v.Type().Elem().Size())
	case reflect.Map:
		if v.IsNil() || slices.Contains(shared, v.Type()) {
			return 0
		}
		return mapBytes(v, shared)
	case reflect.Struct:
		for i := range v.NumField() {
			total += behind(v.Field(i), shared)
		}
		return total
	case reflect.Array:
	default:
		return 0
	}
	if plain(v.Type().Elem()) {
		return total
	}
	for i := range v.Len() {
		total += behind(v.Index(i), shared)
	}
	return total
}

// mapBytes returns what a map takes: it has groups of eight slots, is two thirds full, and has
// a byte more for each slot.
func mapBytes(v reflect.Value, shared []reflect.Type) int {
	const header, group = 48, 8
	if v.Len() == 0 {
		return header
	}
	slot := int(v.Type().Key().Size()+v.Type().Elem().Size()) + 1
	total := header + max(group, v.Len()*3/2)*slot
	for each := v.MapRange(); each.Next(); {
		total += behind(each.Key(), shared) + behind(each.Value(), shared)
	}
	return total
}

// plain reports whether values of a type lead to nothing.
func plain(t reflect.Type) bool { return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128 }
