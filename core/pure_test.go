package core_test

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

// outside lists the packages of the standard library that would let the world
// in, and what to do instead. A trailing "/..." covers what is below.
var outside = map[string]string{
	"C":                   "core is pure Go",
	"crypto/rand":         "core has no randomness of its own: take an io.Reader",
	"math/rand":           "core has no randomness of its own: take an io.Reader",
	"math/rand/v2":        "core has no randomness of its own: take an io.Reader",
	"database/sql":        "core does no I/O: storage belongs to an adapter",
	"database/sql/driver": "core does no I/O: storage belongs to an adapter",
	"embed":               "core carries no files",
	"encoding/json":       "core does not know JSON: encoding belongs to an adapter",
	"encoding/json/...":   "core does not know JSON: encoding belongs to an adapter",
	"expvar":              "core has no globals",
	"flag":                "core has no configuration: apps have",
	"io/fs":               "core does no I/O",
	"io/ioutil":           "core does no I/O",
	"log":                 "core does not log: it returns values and errors",
	"log/...":             "core does not log: it returns values and errors",
	"net":                 "core does no I/O",
	"net/...":             "core does no I/O; only net/netip and net/url are pure",
	"os":                  "core does no I/O",
	"os/...":              "core does no I/O",
	"path/filepath":       "core does no I/O; path is pure",
	"plugin":              "core does no I/O",
	"syscall":             "core does no I/O",
	"syscall/...":         "core does no I/O",
	"testing":             "only tests and packages for tests may import testing",
	"testing/...":         "only tests and packages for tests may import testing",
}

var pure = []string{"net/netip", "net/url"}

// clock lists what package time does besides computing.
var clock = []string{
	"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "LoadLocation",
}

// forTests lists what packages that exist for tests alone may import beyond the
// others, and what they may use of package time.
var forTests = map[string][]string{
	"siteapi/apitest":                {"testing", "os", "math/rand/v2", "time.LoadLocation", "time.NewTicker", "time.Sleep"},
	"port/porttest":                  {"testing", "pgregory.net/rapid", "github.com/google/go-cmp/cmp", "github.com/google/go-cmp/cmp/cmpopts"},
	"domain/access/accesstest":       {"pgregory.net/rapid"},
	"siteapi/dealtest":               {"pgregory.net/rapid", "github.com/google/go-cmp/cmp", "github.com/google/go-cmp/cmp/cmpopts"},
	"search/catalogue/cataloguetest": {"math/rand/v2"},
	"mirror/mirrortest":              {"testing", "pgregory.net/rapid", "github.com/google/go-cmp/cmp", "github.com/google/go-cmp/cmp/cmpopts"},
}

func TestCoreIsPure(t *testing.T) {
	for _, r := range packages(t) {
		for _, path := range r.imports {
			switch {
			case strings.HasPrefix(path, core+"/"):
			case strings.HasPrefix(path, vitrine):
				t.Errorf("core/%s imports %s, but core imports nothing of the modules around it", r.name, path)
			case standard(path):
				if why, denied := denial(path); denied && !slices.ContainsFunc(forTests[r.name], func(p string) bool { return under(path, p) }) {
					t.Errorf("core/%s imports %s, but %s", r.name, path, why)
				}
			case under(path, "golang.org/x/text"), path == "golang.org/x/net/idna":
			case slices.Contains(forTests[r.name], path):
			default:
				t.Errorf("core/%s imports %s, but beyond the standard library core may import only golang.org/x/text and golang.org/x/net/idna", r.name, path)
			}
		}
	}
}

// oracles are modules that the tests of one package hold it against.
var oracles = map[string]string{"domain/recurrence": "github.com/teambition/rrule-go"}

// TestTestsOfCoreNeedNothingElse: a test may touch the world through the
// standard library, but must not make core depend on more modules, an oracle
// excepted.
func TestTestsOfCoreNeedNothingElse(t *testing.T) {
	for _, r := range packages(t) {
		for _, path := range r.testImports {
			switch {
			case under(path, core), standard(path), under(path, "golang.org/x/text"), under(path, "pgregory.net/rapid"), under(path, "github.com/google/go-cmp"):
			case path == oracles[r.name]:
			case strings.HasPrefix(path, vitrine):
				t.Errorf("a test of core/%s imports %s, but core imports nothing of the modules around it, even in tests", r.name, path)
			default:
				t.Errorf("a test of core/%s imports %s, but tests of core may import only golang.org/x/text, pgregory.net/rapid, go-cmp and an oracle", r.name, path)
			}
		}
	}
}

// TestNoInternalTestsBesideTestsOfTheService: with a test file of its own package, export_test.go
// among them, a package is compiled again for its tests, and with it all between it and what
// its external tests import. For those of the whole service that is most of the core.
func TestNoInternalTestsBesideTestsOfTheService(t *testing.T) {
	internal, ofService := map[string]string{}, map[string]string{}
	eachFile(t, parser.ImportsOnly, func(path string, _ *token.FileSet, file *ast.File) {
		if !strings.HasSuffix(path, "_test.go") {
			return
		}
		folder := filepath.Dir(path)
		if !strings.HasSuffix(file.Name.Name, "_test") {
			internal[folder] = path
		}
		for _, spec := range file.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil && under(imported, core+"/siteapi") {
				ofService[folder] = path
			}
		}
	})
	for folder, path := range internal {
		if other, is := ofService[folder]; is {
			t.Errorf("core/%s is a test of its own package, and core/%s beside it starts the whole service, which is compiled again for it: "+
				"make the first an external test, or move what it tests to a package of its own", path, other)
		}
	}
	if len(internal) == 0 || len(ofService) == 0 {
		t.Error("no test is internal, or none starts the service")
	}
}

func TestCoreHasNoClockAndNoInit(t *testing.T) {
	eachFile(t, parser.SkipObjectResolution, func(path string, files *token.FileSet, file *ast.File) {
		if !strings.HasSuffix(path, "_test.go") {
			checkFile(t, files, file, forTests[filepath.ToSlash(filepath.Dir(path))])
		}
	})
}

func checkFile(t *testing.T, files *token.FileSet, file *ast.File, allowed []string) {
	t.Helper()
	timeName := ""
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != "time" {
			continue
		}
		timeName = "time"
		if spec.Name != nil {
			timeName = spec.Name.Name
		}
		if timeName == "." {
			t.Errorf("core/%s: package time is imported with a dot, which hides calls of the clock", files.Position(spec.Pos()))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if ok && timeName != "" && x.Name == timeName && slices.Contains(clock, n.Sel.Name) && !slices.Contains(allowed, "time."+n.Sel.Name) {
				t.Errorf("core/%s: time.%s is used, but core has no clock: take the time as a parameter",
					files.Position(n.Pos()), n.Sel.Name)
			}
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				t.Errorf("core/%s: func init is declared, but nothing in core happens because a package was imported",
					files.Position(n.Pos()))
			}
		}
		return true
	})
}

// corePackage is a package of the core. The top of the module has the name "".
type corePackage struct {
	name        string
	imports     []string
	testImports []string
}

// packages reads the imports of every file, whatever its build constraints. It
// reads the files itself, so that the go command knows to run these tests
// again when one of them has changed.
func packages(t *testing.T) []corePackage {
	t.Helper()
	byName := map[string]*corePackage{}
	eachFile(t, parser.ImportsOnly, func(path string, _ *token.FileSet, file *ast.File) {
		name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), ".")
		if byName[name] == nil {
			byName[name] = &corePackage{name: name}
		}
		r := byName[name]
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(path, "_test.go") {
				r.testImports = append(r.testImports, imported)
			} else {
				r.imports = append(r.imports, imported)
			}
		}
	})
	var found []corePackage
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		r := byName[name]
		slices.Sort(r.imports)
		r.imports = slices.Compact(r.imports)
		slices.Sort(r.testImports)
		r.testImports = slices.Compact(r.testImports)
		found = append(found, *r)
	}
	return found
}

// eachFile parses every Go file of the module.
func eachFile(t *testing.T, mode parser.Mode, visit func(path string, files *token.FileSet, file *ast.File)) {
	t.Helper()
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
		file, err := parser.ParseFile(files, path, nil, mode)
		if err != nil {
			return err
		}
		visit(path, files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func denial(path string) (string, bool) {
	if slices.Contains(pure, path) {
		return "", false
	}
	if why, ok := outside[path]; ok {
		return why, true
	}
	for dir := path; strings.Contains(dir, "/"); {
		dir = dir[:strings.LastIndex(dir, "/")]
		if why, ok := outside[dir+"/..."]; ok {
			return why, true
		}
	}
	return "", false
}

// standard reports whether path is of the standard library, whose packages
// have no dot in their first element.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// under reports whether path is the package root or lies below it.
func under(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}

// A role that embeds a port.Tx gets all its methods, and the compiler writes each of them for
// each role and each instance of a generic one: a third of the program.
func TestRolesOfTheModelDoNotEmbedATx(t *testing.T) {
	eachFile(t, parser.SkipObjectResolution, func(path string, files *token.FileSet, file *ast.File) {
		if filepath.ToSlash(filepath.Dir(path)) != "port/memstore" {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StructType:
				for _, f := range n.Fields.List {
					if len(f.Names) == 0 && pointedTo(f.Type) == "tx" {
						t.Errorf("%s embeds tx: embed *unit", files.Position(f.Pos()))
					}
				}
			case *ast.FuncDecl:
				if n.Recv != nil && n.Name.IsExported() && pointedTo(n.Recv.List[0].Type) == "unit" {
					t.Errorf("%s is an exported method of unit, which roles embed: make it one of tx", files.Position(n.Pos()))
				}
			}
			return true
		})
	})
}

// pointedTo is the name of a type or of what it points to, if it has one.
func pointedTo(expr ast.Expr) string {
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	name, _ := expr.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}
