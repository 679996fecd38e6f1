package operator_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

func TestAPageHasOneFilterOfAName(t *testing.T) {
	failed := operator.Filter{Name: "failed", Page: "/requests", Query: "status=5"}
	other := operator.Filter{Name: "failed", Page: "/events", Query: "types=X"}
	o := operator.Operator{Filters: []operator.Filter{failed, other}}
	changed := operator.Filter{Name: "failed", Page: "/requests", Query: "status=4"}
	third := operator.Filter{Name: "Failed", Page: "/requests", Query: "status=4"}
	for name, c := range map[string]struct{ got, want []operator.Filter }{
		"another one":             {o.WithFilter(third), []operator.Filter{failed, other, third}},
		"one in place of another": {o.WithFilter(changed), []operator.Filter{changed, other}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v", name, c.got)
		}
	}
	if left, found := o.WithoutFilter("/requests", "failed"); !found || !slices.Equal(left, []operator.Filter{other}) {
		t.Errorf("without one: %v, %v", left, found)
	}
	if left, found := o.WithoutFilter("/requests", "Failed"); found || len(left) != 2 {
		t.Errorf("without one that there is not: %v, %v", left, found)
	}
	if !slices.Equal(o.Filters, []operator.Filter{failed, other}) {
		t.Errorf("the operator has changed: %v", o.Filters)
	}
}
