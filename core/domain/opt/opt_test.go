package opt_test

import (
	"reflect"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

func TestFieldTellsAbsentNullAndValueApart(t *testing.T) {
	for name, c := range map[string]struct {
		field            opt.Field[int]
		set, null, given bool
		or               int
	}{
		"absent":                           {opt.Field[int]{}, false, false, false, 7},
		"null":                             {opt.Null[int](), true, true, false, 7},
		"value":                            {opt.Of(3), true, false, true, 3},
		"the zero value":                   {opt.Of(0), true, false, true, 0},
		"null wins over a value beside it": {opt.Field[int]{Value: 3, Set: true, Null: true}, true, true, false, 7},
	} {
		if c.field.Set != c.set || c.field.Null != c.null {
			t.Errorf("%s: set %t, null %t", name, c.field.Set, c.field.Null)
		}
		if got := c.field.Given(); got != c.given {
			t.Errorf("%s: given is %t", name, got)
		}
		if got := c.field.Or(7); got != c.or {
			t.Errorf("%s: or 7 is %d, not %d", name, got, c.or)
		}
	}
}

func TestElemTellsFieldsFromOtherTypes(t *testing.T) {
	type list []string
	for field, want := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[opt.Field[int]]():             reflect.TypeFor[int](),
		reflect.TypeFor[opt.Field[list]]():            reflect.TypeFor[list](),
		reflect.TypeFor[opt.Field[opt.Field[bool]]](): reflect.TypeFor[opt.Field[bool]](),
	} {
		if got, ok := opt.Elem(field); !ok || got != want {
			t.Errorf("%s is of %v (%t)", field, got, ok)
		}
	}
	for _, other := range []reflect.Type{
		reflect.TypeFor[int](), reflect.TypeFor[struct{ Value int }](), reflect.TypeFor[*opt.Field[int]](), reflect.TypeFor[any](),
	} {
		if got, ok := opt.Elem(other); ok {
			t.Errorf("%s is taken for a field of %s", other, got)
		}
	}
}
