package porttest_test

import (
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

func TestARoleIsHeldToItsPartOfTheLaw(t *testing.T) {
	opened := 0
	var mu sync.Mutex
	t.Run("Receipts", func(t *testing.T) {
		porttest.Roles(t, func(testing.TB) port.Store {
			mu.Lock()
			defer mu.Unlock()
			opened++
			return memstore.New()
		}, "Receipts")
	})
	if opened == 0 || opened > 8 {
		t.Errorf("%d parts of the law are about receipts", opened)
	}
}

func TestEveryRoleHasAName(t *testing.T) {
	names := porttest.Names()
	for _, name := range []string{"Products", "Customers", "Receipts"} {
		if !slices.Contains(names, name) {
			t.Errorf("%q lacks %s", names, name)
		}
	}
	if slices.Contains(names, "NextIDs") || len(names) != 15 || len(names) >= reflect.TypeFor[port.Roles]().NumMethod() {
		t.Errorf("the roles are %q", names)
	}
}
