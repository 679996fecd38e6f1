package demand_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
)

func TestRolesFollowFromTheTransaction(t *testing.T) {
	for transaction, want := range map[string][2]string{
		"":                    {"", ""},
		"Vente":               {demand.RoleSeller, demand.RoleBuyer},
		"Viager":              {demand.RoleSeller, demand.RoleBuyer},
		"CessionFonds":        {demand.RoleSeller, demand.RoleBuyer},
		"Location":            {demand.RoleLandlord, demand.RoleTenant},
		"LocationSaisonniere": {demand.RoleLandlord, demand.RoleTenant},
	} {
		if got := [2]string{demand.OwnerRole(transaction), demand.SeekerRole(transaction)}; got != want {
			t.Errorf("%q makes %q, not %q", transaction, got, want)
		}
	}
}
