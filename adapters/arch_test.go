// Package adapters_test holds what is true of the adapters as a whole.
package adapters_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	vitrine  = "github.com/vitrine-crm/vitrine/"
	adapters = vitrine + "adapters/"
	apps     = vitrine + "apps"
)

// mayImport lists the only adapters that import another one: the two engines fill
// in the one SQL layer and the request log, which speaks its dialects and seals under
// its keys; pages for browsers look alike; archives and backups are files of the same kind.
var mayImport = map[string][]string{
	"postgres":   {"sqlstore", "requestlog", "internal/socket"},
	"sqlite":     {"sqlstore", "requestlog"},
	"requestlog": {"sqlstore"},
	"backup":     {"internal/tarfile"},
	"console":    {"internal/look", "internal/language"},
	"httpapi":    {"internal/language"},
	"pages":      {"internal/look"},
}

func TestAdaptersDoNotImportEachOther(t *testing.T) {
	for _, p := range packages(t) {
		for _, path := range p.imports {
			inner, ok := strings.CutPrefix(path, adapters)
			if !ok {
				continue
			}
			from, to := adapterOf(p.name), inner
			if adapterOf(inner) != "internal" {
				to = adapterOf(inner)
			}
			if from != to && !slices.Contains(mayImport[from], to) {
				t.Errorf("adapters/%s imports adapters/%s, but adapters do not import each other "+
					"(but for the few in mayImport): let apps/internal/wire bring them together", p.name, inner)
			}
		}
	}
}

func TestNoAdapterImportsAnApp(t *testing.T) {
	for _, p := range packages(t) {
		for _, path := range slices.Concat(p.imports, p.testImports) {
			if path == apps || strings.HasPrefix(path, apps+"/") {
				t.Errorf("adapters/%s imports %s, but apps choose adapters and are known by nobody, even in tests", p.name, path)
			}
		}
	}
}

// The model store and the law of the ports serve tests and apps.
func TestNoAdapterShipsTheModel(t *testing.T) {
	for _, p := range packages(t) {
		for _, path := range p.imports {
			if path == vitrine+"core/port/memstore" || path == vitrine+"core/port/porttest" || path == vitrine+"core/siteapi/apitest" || path == vitrine+"core/siteapi/dealtest" {
				t.Errorf("adapters/%s imports %s, but outside tests an adapter knows only the ports", p.name, path)
			}
		}
	}
}

// oracles judge in tests what adapters do, and share nothing with it.
var oracles = []string{"github.com/emersion/go-ical", "github.com/teambition/rrule-go"}

func TestNoAdapterShipsAnOracle(t *testing.T) {
	for _, p := range packages(t) {
		for _, path := range p.imports {
			if slices.Contains(oracles, path) {
				t.Errorf("adapters/%s imports %s, which is there to judge in tests", p.name, path)
			}
		}
	}
}

// A role that embeds a unit of work gets all its methods, and the compiler writes each of them
// for each role and each instance of a generic one: a third of the program.
func TestRolesOfTheSQLStoreDoNotEmbedATx(t *testing.T) {
	paths, err := filepath.Glob("sqlstore/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal("no file of sqlstore", err)
	}
	files := token.NewFileSet()
	for _, path := range paths {
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					expr := f.Type
					if star, ok := expr.(*ast.StarExpr); ok {
						expr = star.X
					}
					if name, ok := expr.(*ast.Ident); ok && len(f.Names) == 0 && name.Name == "tx" {
						t.Errorf("%s embeds tx: hold it in a field with a name", files.Position(f.Pos()))
					}
				}
			}
			return true
		})
	}
}

type pkg struct {
	name        string // relative to the module: "httpapi", "sqlstore/migrations"
	imports     []string
	testImports []string
}

// packages reads the imports of every file, whatever its build constraints. It
// reads the files itself, so that the go command knows to run these tests
// again when one of them has changed.
func packages(t *testing.T) []pkg {
	t.Helper()
	byName := map[string]*pkg{}
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != "." && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(filepath.Dir(path))
		if byName[name] == nil {
			byName[name] = &pkg{name: name}
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if strings.HasSuffix(path, "_test.go") {
				byName[name].testImports = append(byName[name].testImports, imported)
			} else {
				byName[name].imports = append(byName[name].imports, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []pkg
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		p := byName[name]
		slices.Sort(p.imports)
		p.imports = slices.Compact(p.imports)
		slices.Sort(p.testImports)
		p.testImports = slices.Compact(p.testImports)
		found = append(found, *p)
	}
	return found
}

// adapterOf is the adapter a package belongs to.
func adapterOf(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return first
}
