package transfer_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// Who may read what provisioning keeps hears of it, and nobody else does.
func TestWhatProvisioningTellsIsHeardByItsReaders(t *testing.T) {
	operations := apitest.New(t).Operations()
	for id, told := range map[string]event.Type{
		"agency.get": event.AgencyUpdate, "user.get": event.UserUpdate, "criteria.get": event.CriteriaUpdate,
	} {
		n := slices.IndexFunc(operations, func(o kernel.Operation) bool { return o.ID == id })
		for pack := access.Packs(1); pack&access.AllPacks != 0; pack <<= 1 {
			if want := operations[n].Rule.Packs.Any(pack); kernel.MayHear(pack, told) != want {
				t.Errorf("%v: %s %t, hears of %s %t", pack, id, want, told, !want)
			}
		}
	}
}
