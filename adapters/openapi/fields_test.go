package openapi

import (
	"slices"
	"strings"
	"testing"
)

// told are the descriptions of all fields, parameters and headers of the document, by name;
// those that say nothing are faults.
func told(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	tell := func(where, name string, field any) {
		text, _ := field.(object)["description"].(string)
		if text == "" {
			t.Errorf("%s: nobody says what %s is", where, name)
		}
		all[name] = append(all[name], text)
	}
	visit(published(t), "#", func(where string, value any) {
		part, _ := value.(object)
		if properties, ok := part["properties"].(object); ok && !strings.HasSuffix(where, "/properties") {
			for name, field := range properties {
				tell(where, name, field)
			}
		}
		if headers, ok := part["headers"].(object); ok && strings.Contains(where, "/responses") {
			for name, header := range headers {
				if header := header.(object); header["$ref"] == nil {
					tell(where, name, header)
				}
			}
		}
		if name, ok := part["name"].(string); ok && part["in"] != nil {
			tell(where, name, part)
		}
	})
	return all
}

func TestEveryFieldIsDescribed(t *testing.T) {
	for name, texts := range told(t) {
		for _, text := range texts {
			if strings.HasSuffix(text, ".") || strings.TrimSpace(text) != text {
				t.Errorf("%s is described as %q, which is not how the others are", name, text)
			}
		}
	}
}

func TestEveryTagIsDescribed(t *testing.T) {
	for _, tag := range published(t)["tags"].([]any) {
		if tag.(object)["description"] == "" {
			t.Errorf("nobody says what %v is about", tag.(object)["name"])
		}
	}
}

func TestWhatFieldsMeanIsSaidOnceAndOfFieldsThatAreThere(t *testing.T) {
	all := told(t)
	var names []string
	for line := range strings.Lines(fieldsText) {
		name, meaning, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		names = append(names, name)
		if !slices.ContainsFunc(all[name], func(text string) bool { return strings.HasPrefix(text, meaning) }) {
			t.Errorf("no field called %s is described as %q", name, meaning)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("the names are not in order, or one is there twice")
	}
}
