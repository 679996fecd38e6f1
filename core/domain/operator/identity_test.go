package operator_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

func TestTheFirstGroupDecidesTheRoleAndOthersOfTheRoleAddSites(t *testing.T) {
	table := []operator.GroupRole{
		{Group: "admins", Role: operator.Administrator},
		{Group: "nantes", Role: operator.Reader, Sites: []site.ID{9, 7}},
		{Group: "privacy", Role: operator.Privacy, Sites: []site.ID{8}},
		{Group: "rennes", Role: operator.Reader, Sites: []site.ID{8, 7}},
		{Group: "readers", Role: operator.Reader},
	}
	for _, e := range []struct {
		groups     []string
		role       operator.Role
		sites      []site.ID
		everywhere bool
	}{
		{nil, "", nil, false},
		{[]string{"others", "Admins"}, "", nil, false},
		{[]string{"rennes", "admins"}, operator.Administrator, nil, true},
		{[]string{"nantes"}, operator.Reader, []site.ID{7, 9}, false},
		{[]string{"rennes", "nantes", "privacy"}, operator.Reader, []site.ID{7, 8, 9}, false},
		{[]string{"readers", "nantes"}, operator.Reader, nil, true},
		{[]string{"privacy", "rennes"}, operator.Privacy, []site.ID{8}, false},
	} {
		role, sites, everywhere, ok := operator.RoleOf(table, e.groups)
		if role != e.role || !slices.Equal(sites, e.sites) || everywhere != e.everywhere || ok != (e.role != "") {
			t.Errorf("%v: %s at %v, everywhere %v, %v", e.groups, role, sites, everywhere, ok)
		}
	}
}
