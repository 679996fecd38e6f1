package insee_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/insee"
)

func TestACommuneLiesInADepartmentAndARegion(t *testing.T) {
	for code, want := range map[string][2]string{
		"69386": {"69", "84"}, "75056": {"75", "11"}, "01053": {"01", "84"}, "2A004": {"2A", "94"}, "2B033": {"2B", "94"},
		"97105": {"971", "01"}, "97411": {"974", "04"}, "97611": {"976", "06"}, "67482": {"67", "44"},
		// Not in a region, or no code at all.
		"97502": {}, "98735": {}, "20004": {}, "2a004": {}, "96001": {}, "": {}, "6938": {}, "693860": {}, "Lyon!": {}, "6938 ": {}, "é9386": {},
	} {
		department, region, ok := insee.Locate(code)
		if got := [2]string{department, region}; got != want || ok != (want != [2]string{}) {
			t.Errorf("%q is in %q (%t), not %q", code, got, ok, want)
		}
	}
}

func TestFranceHas101DepartmentsIn18Regions(t *testing.T) {
	departments, regions := map[string]bool{}, map[string]bool{}
	for _, first := range "0123456789" {
		for _, second := range "0123456789AB" {
			for _, third := range "0123456789" {
				if department, region, ok := insee.Locate(string([]rune{first, second, third}) + "01"); ok {
					departments[department], regions[region] = true, true
				}
			}
		}
	}
	if len(departments) != 101 || len(regions) != 18 {
		t.Errorf("%d departments in %d regions", len(departments), len(regions))
	}
}
