package sqlstore

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/product"
)

// sampleRow is a packed row with the given criteria and descriptions.
func sampleRow(criteria, descriptions string) packedProduct {
	return packedProduct(strings.Join([]string{
		"7", "9", "1", "2", "3", "4", "5", "6", "8", "1000000", "", "t", "0", "f", "1", "f",
		"2026-01-02", "fr-2021", "", criteria, "null", descriptions, "[]", "R",
	}, rowSeparator))
}

func TestDescriptionsAreReadInAnyFormOfJSON(t *testing.T) {
	want := []product.Description{{Language: "fr", Title: "L'é\"té\n", Text: "<b>"}, {Language: "en", ShortText: "s"}}
	for _, text := range []string{
		`[{"Language":"fr","Title":"L'é\"té\n","Text":"\u003cb\u003e","ShortText":""},{"Language":"en","Title":"","Text":"","ShortText":"s"}]`,
		`[{"Language":"fr","Title":"L'é\"té\n","Text":"<b>"},{"ShortText":"s","Language":"en"}]`,
		` [ {"Language":"fr","Title":"L'é\"té\n","Text":"<b>","ShortText":""},{"Language":"en","ShortText":"s"}]`,
	} {
		var got product.Row
		if err := sampleRow("{}", text).Unpack(product.AllParts, &got); err != nil || !cmp.Equal(got.Descriptions, want) {
			t.Errorf("%s: %v, %v", text, got.Descriptions, err)
		}
	}
}

func TestADamagedRowIsRefused(t *testing.T) {
	whole := string(sampleRow(`{"Prix":1}`, "[]"))
	if err := packedProduct(whole).Unpack(product.AllParts, new(product.Row)); err != nil {
		t.Fatal(err)
	}
	fields := strings.Split(whole, rowSeparator)
	for i := range fields[:len(fields)-1] {
		if i == 16 || i == 17 {
			continue // any text
		}
		damaged := strings.Split(whole, rowSeparator)
		damaged[i] = "{x"
		for what, row := range map[string]string{
			"damaged": strings.Join(damaged, rowSeparator), "cut off": strings.Join(fields[:i+1], rowSeparator),
		} {
			if err := packedProduct(row).Unpack(product.AllParts, new(product.Row)); err == nil {
				t.Errorf("%s at column %d, and read all the same: %q", what, i, row)
			}
		}
	}
}
