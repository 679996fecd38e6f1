package texts_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/texts"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func TestG18_EveryTextHasItsFrenchAndNothingElseHas(t *testing.T) {
	found, err := texts.Find("../../..", "./core/...", "./adapters/...")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range found.Problems {
		t.Error(problem)
	}
	if len(found.Formats) < 500 {
		t.Fatalf("only %d formats were found", len(found.Formats))
	}
	for _, code := range fault.Catalogue() {
		found.Formats[code.Meaning] = "core/domain/fault/codes.go"
	}
	known := maps.Collect(fault.FrenchFormats())
	for _, format := range slices.Sorted(maps.Keys(found.Formats)) {
		if known[format] == "" {
			t.Errorf("%s: %q has no French: add it to core/domain/fault", found.Formats[format], format)
		}
		delete(known, format)
	}
	for _, format := range slices.Sorted(maps.Keys(known)) {
		t.Errorf("nobody says %q any more: take its French out of core/domain/fault", format)
	}
}

func TestFindFollowsFormatsAndRefusesWhatItCannot(t *testing.T) {
	found, err := texts.Find("../../..", "./core/domain/fault", "./apps/internal/texts/testdata/said")
	if err != nil {
		t.Fatal(err)
	}
	var formats []string
	for format, at := range found.Formats {
		if strings.Contains(at, "said.go") {
			formats = append(formats, format)
		}
	}
	slices.Sort(formats)
	if want := []string{"%s", "%s is", "%s is found", "a constant", "a part", "by a closure", "direct", "handed on", "handed on twice", "the code %s"}; !slices.Equal(formats, want) {
		t.Errorf("%q were found", formats)
	}
	var lines []string
	for _, problem := range found.Problems {
		lines = append(lines, strings.SplitN(filepath.Base(problem), ":", 3)[1])
	}
	if want := []string{"27", "28", "29"}; !slices.Equal(lines, want) {
		t.Errorf("the problems are %q", found.Problems)
	}
}
