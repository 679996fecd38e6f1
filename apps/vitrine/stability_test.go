package main

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var stabilityRow = regexp.MustCompile("(?m)^\\| (`[^|]+`) \\| (stable|may change|internal) \\| [^|]+ \\|$")

// TestGoldenStability: docs/embedding/stability.md has a word on each package that can
// be imported, once, and on none that is gone.
func TestGoldenStability(t *testing.T) {
	for module, words := range stability(t) {
		var there []string
		for _, file := range sourceFiles(t, module, ".go") {
			name := strings.TrimPrefix(path.Dir(file.path), module+"/")
			if name != module && !strings.HasSuffix(file.path, "_test.go") && !slices.Contains(strings.Split(name, "/"), "internal") {
				there = append(there, name)
			}
		}
		there = set(there)
		described := make([]string, 0, len(words))
		for name := range words {
			described = append(described, name)
		}
		if missing, gone := less(there, described), less(described, there); len(missing)+len(gone) > 0 {
			t.Errorf("docs/embedding/stability.md has no word on %q of %s, and one on %q, which are not there", missing, module, gone)
		}
	}
}

// stability is what the page says of the packages of each module.
func stability(t *testing.T) map[string]map[string]string {
	t.Helper()
	modules := map[string]map[string]string{}
	for _, page := range sourceFiles(t, "docs/embedding", ".md") {
		if path.Base(page.path) != "stability.md" {
			continue
		}
		for _, section := range strings.Split(page.text, "\n## ")[1:] {
			module, text, _ := strings.Cut(section, "\n")
			modules[module] = map[string]string{}
			for _, row := range stabilityRow.FindAllStringSubmatch(text, -1) {
				for _, name := range codeSpan.FindAllString(row[1], -1) {
					name = strings.Trim(name, "`")
					if modules[module][name] != "" {
						t.Errorf("docs/embedding/stability.md says twice what %s/%s is", module, name)
					}
					modules[module][name] = row[2]
				}
			}
		}
	}
	if len(modules["core"]) == 0 || len(modules["adapters"]) == 0 {
		t.Fatalf("docs/embedding/stability.md says nothing: %v", modules)
	}
	return modules
}
