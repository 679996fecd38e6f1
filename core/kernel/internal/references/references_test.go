package references

import (
	"reflect"
	"testing"
)

type referring struct {
	ID      int64
	Product *int64 `ref:"product"`
	Parts   []part
	Pages   *[]*part
	*embedded
	Itself *referring
	hidden *int64
}

type part struct {
	Search *int64  `ref:"search"`
	Owners []int64 `ref:"customer"`
}

type embedded struct {
	Customer *int64 `ref:"customer"`
}

func TestReferencesAreFoundWhereverTheyAre(t *testing.T) {
	var plans Plans
	n := func(id int64) *int64 { return &id }
	v := []referring{
		{ID: 1, Product: n(2), Parts: []part{{n(3), []int64{8, 7}}, {}, {n(4), nil}}, embedded: &embedded{n(6)}, hidden: n(9)},
		{Pages: &[]*part{nil, {Search: n(5)}}},
	}
	found := map[string]named{}
	plans.Of(reflect.TypeOf(v)).collect(reflect.ValueOf(&v).Elem(), found)
	ids := map[string][]int64{}
	for kind, places := range found {
		ids[kind] = places.ids()
	}
	if want := map[string][]int64{"product": {2}, "search": {3, 4, 5}, "customer": {6, 7, 8}}; !reflect.DeepEqual(ids, want) {
		t.Errorf("the references are %v, want %v", ids, want)
	}
	for _, none := range []any{1, "", []string{}, struct{ At *int64 }{}} {
		if plan := plans.Of(reflect.TypeOf(none)); plan != nil {
			t.Errorf("%T has references: %+v", none, plan)
		}
	}
}

func TestATagThatNobodyKnowsIsAMistake(t *testing.T) {
	for _, wrong := range []any{
		struct {
			ID *int64 `ref:"house"`
		}{},
		struct {
			ID int64 `ref:"product"`
		}{},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T is taken", wrong)
				}
			}()
			var plans Plans
			plans.Of(reflect.TypeOf(wrong))
		}()
	}
}
