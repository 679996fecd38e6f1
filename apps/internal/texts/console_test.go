package texts_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/texts"
)

// TestEveryTextOfTheConsoleHasItsFrench: what is a text of the console is in a table of French, and
// the tables have nothing else. The phrases of templates are held to the same by the tests of rooms.
func TestEveryTextOfTheConsoleHasItsFrench(t *testing.T) {
	said, french, err := texts.Constants("../../..", "github.com/vitrine-crm/vitrine/adapters/console/internal/kit.Text", "./adapters/console/...")
	if err != nil {
		t.Fatal(err)
	}
	if len(said) < 300 {
		t.Fatalf("only %d texts were found", len(said))
	}
	for _, text := range slices.Sorted(maps.Keys(said)) {
		if french[text] == "" {
			t.Errorf("%s: %q has no French: add it to french.go", said[text], text)
		}
		delete(french, text)
	}
	for _, text := range slices.Sorted(maps.Keys(french)) {
		t.Errorf("%s: nobody says %q any more", french[text], text)
	}
}
