package main

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers are those of the core, the highest first, each with its packages.
var layers = []struct {
	id, name string
	packages []string
}{
	{"entry", "Entry points", []string{"siteapi", "backoffice"}},
	{"areas", "Use cases and engines", []string{
		"office", "tokens", "listing", "people", "deals", "agenda", "hooks", "requests", "transfer", "imports",
		"deliver", "locate", "follow",
	}},
	{"kernel", "What use cases share", []string{"api", "dealrecords", "agendarecords"}},
	{"ports", "Ports", []string{"port", "porttest", "memstore", "archive"}},
	{"search", "Search and memory", []string{"catalogue", "cache", "intern"}},
	{"operation", "Operation and webhooks", []string{"webhook", "trace", "operator", "importrun"}},
	{"calendars", "Calendars", []string{"recurrence", "slot", "appointment", "permanence", "worktime", "booking", "feed"}},
	{"sales", "Sales and lettings", []string{"offer", "agreement", "letting", "deal", "money", "deadline"}},
	{"listings", "Listings and people", []string{"product", "publication", "customer", "action", "demand", "lead", "energy", "insee"}},
	{"basics", "Basics", []string{"fault", "french", "opt", "form", "criteria", "site", "access", "event", "calendar", "interval", "transition"}},
}

// TestGoldenArchitecture draws the layers of the core, as its packages import each
// other, into docs/architecture/core.md.
func TestGoldenArchitecture(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "architecture", "core.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- layers -->\n", "<!-- /layers -->\n"
	before, rest, found := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no picture between %q and %q", page, begin, end)
	}
	want := before + begin + drawn(layerImports(t)) + end + after
	if os.Getenv("VITRINE_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Error("docs/architecture/core.md does not draw the layers as they are; run make golden")
	}
}

// TestGoldenPackages: the pages of the architecture say what each package of the core
// and of the adapters holds, and of none that is gone.
func TestGoldenPackages(t *testing.T) {
	for module, ignored := range map[string][]string{"core": nil, "adapters": {"internal"}} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture", module+".md"))
		if err != nil {
			t.Fatal(err)
		}
		var described []string
		for _, row := range tableRow.FindAllStringSubmatch(string(text), -1) {
			for _, name := range codeSpan.FindAllString(row[1], -1) {
				described = append(described, strings.Trim(name, "`"))
			}
		}
		there := slices.Collect(maps.Keys(packageImports(t, module)))
		for _, name := range less(there, append(described, ignored...)) {
			t.Errorf("docs/architecture/%s.md does not say what %s/%s holds", module, module, name)
		}
		for _, name := range described {
			if !isInRepository(module + "/" + name) {
				t.Errorf("docs/architecture/%s.md says what %s/%s holds, which is not there", module, module, name)
			}
		}
	}
}

// packageImports are the packages of a module, but those inside others, each with
// those it imports outside of tests.
func packageImports(t *testing.T, module string) map[string][]string {
	t.Helper()
	prefix := "github.com/vitrine-crm/vitrine/" + module + "/"
	packages := map[string][]string{}
	files, err := filepath.Glob(filepath.Join("..", "..", module, "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files of", module, err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(path))
		packages[name] = append(packages[name], []string{}...)
		for _, imported := range file.Imports {
			path, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if other, inner := strings.CutPrefix(path, prefix); inner && !strings.Contains(other, "/") {
				packages[name] = append(packages[name], other)
			}
		}
	}
	return packages
}

// layerImports are the layers by id, each with those whose packages its own import.
// Every package is on one, and none imports from a layer above its own.
func layerImports(t *testing.T) map[string][]string {
	t.Helper()
	layerOf, rank := map[string]string{}, map[string]int{}
	for i, l := range layers {
		rank[l.id] = i
		for _, name := range l.packages {
			layerOf[name] = l.id
		}
	}
	imports := map[string][]string{}
	for name, others := range packageImports(t, "core") {
		from, placed := layerOf[name]
		if !placed {
			t.Errorf("core/%s is on no layer: give it a place in layers, and a row in docs/architecture/core.md", name)
			continue
		}
		for _, other := range others {
			to := layerOf[other]
			switch {
			case rank[to] < rank[from]:
				t.Errorf("core/%s of the layer %s imports core/%s of the layer %s, which is above it", name, from, other, to)
			case to != from && !slices.Contains(imports[from], to):
				imports[from] = append(imports[from], to)
			}
		}
	}
	return imports
}

// drawn is the picture of the layers in Mermaid, without the arrows that follow from
// others.
func drawn(imports map[string][]string) string {
	var out strings.Builder
	out.WriteString("```mermaid\nflowchart TB\n")
	for _, l := range layers {
		out.WriteString("  " + l.id + "[\"<b>" + l.name + "</b><br>" + strings.Join(l.packages, " ") + "\"]\n")
	}
	for _, from := range layers {
		for _, to := range layers {
			isDetour := func(third string) bool { return third != to.id && reaches(imports, third, to.id) }
			if slices.Contains(imports[from.id], to.id) && !slices.ContainsFunc(imports[from.id], isDetour) {
				out.WriteString("  " + from.id + " --> " + to.id + "\n")
			}
		}
	}
	out.WriteString("```\n")
	return out.String()
}

func reaches(imports map[string][]string, from, to string) bool {
	return slices.ContainsFunc(imports[from], func(next string) bool { return next == to || reaches(imports, next, to) })
}
