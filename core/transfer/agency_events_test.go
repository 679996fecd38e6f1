package transfer_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// Who may read agencies hears of them, and nobody else does.
func TestAgenciesAreHeardOfByTheirReaders(t *testing.T) {
	operations := apitest.New(t).Operations()
	n := slices.IndexFunc(operations, func(o api.Operation) bool { return o.ID == "agency.get" })
	for pack := access.Packs(1); pack&access.AllPacks != 0; pack <<= 1 {
		if want := operations[n].Rule.Packs.Any(pack); api.MayHear(pack, event.AgencyUpdate) != want {
			t.Errorf("%v: reads agencies %t, hears of them %t", pack, want, !want)
		}
	}
}
