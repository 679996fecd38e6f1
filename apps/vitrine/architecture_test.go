package main

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// folders are those of the core, the highest first, each with what it holds.
var folders = []struct{ id, name string }{
	{"backoffice", "what operators do"},
	{"siteapi", "the Site API"},
	{"engine", "what works without being asked"},
	{"usecase", "the areas"},
	{"kernel", "what use cases share"},
	{"port", "what the world must supply"},
	{"search", "search and memory"},
	{"domain", "what is true"},
	{"mirror", "a copy of a catalogue"},
}

// TestGoldenArchitecture draws the folders of the core, as their packages import each
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
	want := before + begin + drawn(packageImports(t, "core")) + end + after
	if os.Getenv("VITRINE_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Error("docs/architecture/core.md does not draw the folders as they are; run make golden")
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
		there := slices.DeleteFunc(slices.Collect(maps.Keys(packageImports(t, module))), func(name string) bool {
			return module == "adapters" && strings.Contains(name, "/") // a row has a whole folder
		})
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

// packageImports are the packages of a module, but internal ones, each with those it imports
// outside of tests.
func packageImports(t *testing.T, module string) map[string][]string {
	t.Helper()
	prefix := "github.com/vitrine-crm/vitrine/" + module + "/"
	packages := map[string][]string{}
	for _, source := range sourceFiles(t, module, ".go") {
		name := strings.TrimPrefix(path.Dir(source.path), module+"/")
		if name == module || strings.HasSuffix(source.path, "_test.go") || slices.Contains(strings.Split(name, "/"), "internal") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), source.path, source.text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		packages[name] = append(packages[name], []string{}...)
		for _, imported := range file.Imports {
			path, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if other, inner := strings.CutPrefix(path, prefix); inner {
				packages[name] = append(packages[name], other)
			}
		}
	}
	return packages
}

// drawn is the picture of the folders with their packages in Mermaid, without the arrows
// that follow from others.
func drawn(packages map[string][]string) string {
	imports, inside := map[string][]string{}, map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		folder, inner, _ := strings.Cut(name, "/")
		if inner != "" && !strings.HasSuffix(inner, "test") {
			inside[folder] = append(inside[folder], inner)
		}
		for _, other := range packages[name] {
			if to, _, _ := strings.Cut(other, "/"); to != folder {
				imports[folder] = append(imports[folder], to)
			}
		}
	}
	var out strings.Builder
	out.WriteString("```mermaid\nflowchart TB\n")
	for _, f := range folders {
		out.WriteString("  " + f.id + "[\"<b>" + f.id + "</b>: " + f.name + "<br>" + strings.Join(inside[f.id], " ") + "\"]\n")
	}
	for _, from := range folders {
		for _, to := range folders {
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
