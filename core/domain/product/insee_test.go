package product_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/product"
)

func TestACommuneLiesInADepartmentAndARegion(t *testing.T) {
	for code, want := range map[string][2]string{
		"69386": {"69", "84"}, "75056": {"75", "11"}, "01053": {"01", "84"}, "2A004": {"2A", "94"}, "2B033": {"2B", "94"},
		"97105": {"971", "01"}, "97411": {"974", "04"}, "97611": {"976", "06"}, "67482": {"67", "44"},
		// Not in a region, or no code at all.
		"97502": {}, "98735": {}, "20004": {}, "2a004": {}, "96001": {}, "": {}, "6938": {}, "693860": {}, "Lyon!": {}, "6938 ": {}, "é9386": {},
	} {
		department, region, ok := product.LocateCommune(code)
		if got := [2]string{department, region}; got != want || ok != (want != [2]string{}) {
			t.Errorf("%q is in %q (%t), not %q", code, got, ok, want)
		}
	}
}

func TestCodesThatAreThoseOfFrance(t *testing.T) {
	for code, want := range map[string]bool{
		"01": true, "19": true, "21": true, "2A": true, "2B": true, "69": true, "95": true, "971": true, "974": true, "975": true, "976": true, "988": true,
		"": false, "1": false, "20": false, "00": false, "96": false, "97": false, "98": false, "99": false, "970": false, "979": false, "980": false,
		"999": false, "2a": false, "2C": false, "069": false, "5 9": false, "75 ": false, "Rhône": false,
	} {
		if product.IsDepartment(code) != want {
			t.Errorf("%q is a department: %t", code, !want)
		}
	}
	for code, want := range map[string]bool{
		"69386": true, "01053": true, "2A004": true, "97411": true, "97502": true, "98818": true,
		"": false, "x": false, "6938": false, "693860": false, "20004": false, "99999": false, "97000": false, "98000": false, "2a004": false, "6938X": false, "é9386": false,
	} {
		if product.IsCommune(code) != want {
			t.Errorf("%q is a commune: %t", code, !want)
		}
	}
}

func TestFranceHas101DepartmentsIn18Regions(t *testing.T) {
	departments, regions := map[string]bool{}, map[string]bool{}
	for _, first := range "0123456789" {
		for _, second := range "0123456789AB" {
			for _, third := range "0123456789" {
				if department, region, ok := product.LocateCommune(string([]rune{first, second, third}) + "01"); ok {
					departments[department], regions[region] = true, true
				}
			}
		}
	}
	if len(departments) != 101 || len(regions) != 18 {
		t.Errorf("%d departments in %d regions", len(departments), len(regions))
	}
}
