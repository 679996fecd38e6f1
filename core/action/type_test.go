package action_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/action"
)

func TestT3_ActionsWithAnActiveChildAreInTheHistory(t *testing.T) {
	active, closed := action.Child{ID: 1, Active: true}, action.Child{ID: 2}
	for name, c := range map[string]struct {
		children []action.Child
		want     bool
	}{
		"no children": {nil, false}, "closed": {[]action.Child{closed}, false}, "active": {[]action.Child{active}, true},
		"one of two": {[]action.Child{closed, active}, true},
	} {
		for _, self := range []bool{true, false} {
			if got := (action.Type{Active: self, Children: c.children}).InHistory(); got != c.want {
				t.Errorf("%s: %t", name, got)
			}
		}
	}
}
