package criteria_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// TestFactsSayWhatValuesSay: one is looked up in like the other.
func TestFactsSayWhatValuesSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := criteria.Values{}
		for range rapid.IntRange(0, 12).Draw(t, "criteria") {
			key := rapid.StringMatching(`[A-Za-z]{1,3}`).Draw(t, "key")
			d := definitions[rapid.IntRange(0, len(definitions)-1).Draw(t, "type")]
			values[key] = drawValue(t, d)
		}
		before := criteria.Facts{{Key: "before"}}
		all := criteria.AppendFacts(before, values)
		facts := all[1:]
		if all[0].Key != "before" || !slices.IsSortedFunc(facts, func(a, b criteria.Fact) int { return strings.Compare(a.Key, b.Key) }) {
			t.Fatalf("%v are not appended in order", facts)
		}
		if !facts.Values().Equal(values) {
			t.Fatalf("%v have become %v", values, facts.Values())
		}
		keys := []string{"", "~", rapid.StringMatching(`[A-Za-z]{1,3}`).Draw(t, "another key")}
		for key := range values {
			keys = append(keys, key)
		}
		for _, key := range keys {
			n, isNumber := facts.Number(key)
			m, wasNumber := values.Number(key)
			if n != m || isNumber != wasNumber || facts.Code(key) != values.Code(key) || facts.Text(key) != values.Text(key) || facts.Flag(key) != values.Flag(key) {
				t.Fatalf("the facts of %v say something else of %s", values, key)
			}
			f, value := facts.Find(key), values[key]
			if (f == nil) != (value == nil) {
				t.Fatalf("%s is found: %t", key, f != nil)
			}
			if date, isDate := value.(criteria.Date); isDate && f.Text != date.String() {
				t.Fatalf("the date %s is written %s", date, f.Text)
			}
		}
	})
}
