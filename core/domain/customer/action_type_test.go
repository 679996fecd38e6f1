package customer_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
)

func TestT3_ActionsWithAnActiveChildAreInTheHistory(t *testing.T) {
	active, closed := customer.ActionChild{ID: 1, Active: true}, customer.ActionChild{ID: 2}
	for name, c := range map[string]struct {
		children []customer.ActionChild
		want     bool
	}{
		"no children": {nil, false}, "closed": {[]customer.ActionChild{closed}, false}, "active": {[]customer.ActionChild{active}, true},
		"one of two": {[]customer.ActionChild{closed, active}, true},
	} {
		for _, self := range []bool{true, false} {
			if got := (customer.ActionType{Active: self, Children: c.children}).InHistory(); got != c.want {
				t.Errorf("%s: %t", name, got)
			}
		}
	}
}
