// Package core_test holds what is true of the core as a whole: what may
// import what, and that none of it does I/O.
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

const (
	vitrine = "github.com/vitrine-crm/vitrine/"
	core    = vitrine + "core"
)

// mayImport says of each package of the core which others it may import, the
// lowest layer first.
var mayImport = map[string][]string{
	"french":   {},
	"fault":    {"french"},
	"opt":      {},
	"calendar": {},
	"criteria": {"fault", "opt", "calendar"},
	"site":     {"criteria"},
	"access":   {"fault", "site"},
	"form":     {"fault", "opt", "criteria", "calendar"},
	"event":    {"site"},
	"energy":   {"fault"},
	"insee":    {},
	"customer": {"fault", "opt", "site", "criteria", "form"},
	"action":   {"site", "access", "customer"},
	"product":  {"fault", "opt", "site", "criteria", "form", "energy", "insee", "customer"},
	"webhook":  {"fault", "site", "access", "event"},
	"demand":   {"fault", "opt", "site", "criteria", "form", "insee", "customer", "product"},
	"lead":     {"site", "criteria", "customer", "product", "demand"},

	"publication": {"criteria"},

	// What is kept of requests.
	"trace": {"fault", "opt", "criteria", "site", "access", "customer"},

	// Sales and lettings.
	"transition": {"fault"},
	"deadline":   {"calendar"},
	"money":      {"fault", "opt", "form", "calendar"},
	"offer":      {"fault", "opt", "site", "criteria", "form", "calendar", "transition", "money", "customer", "product", "demand"},
	"agreement":  {"fault", "opt", "site", "form", "calendar", "transition", "deadline", "money", "customer", "product", "offer"},
	"letting":    {"fault", "opt", "site", "criteria", "form", "calendar", "transition", "deadline", "money", "customer", "product", "offer"},

	"deal": {"site", "calendar", "transition", "money", "customer", "product", "offer", "agreement", "letting"},

	// The agenda.
	"interval":    {},
	"recurrence":  {"fault", "calendar", "interval"},
	"slot":        {"fault", "site", "calendar", "interval"},
	"appointment": {"fault", "opt", "site", "access", "criteria", "form", "calendar", "transition", "interval", "recurrence", "customer", "product", "demand"},
	"permanence":  {"fault", "opt", "site", "form", "interval", "recurrence", "appointment"},
	"worktime":    {"site", "interval", "slot"},
	"booking":     {"site", "access", "interval", "customer", "product", "lead", "appointment"},
	"feed":        {"site", "access", "interval", "slot", "appointment", "permanence"},
	"operator":    {"fault", "site", "access"},

	"importrun": {"site", "operator", "product"},
	"catalogue": {"site", "criteria", "customer", "product", "demand"},
	"cache":     {"fault", "site"},
	"intern":    {},
	"port":      {"importrun", "operator", "trace", "interval", "slot", "appointment", "permanence", "worktime", "booking", "feed", "deal", "offer", "agreement", "letting", "fault", "site", "access", "action", "criteria", "event", "customer", "product", "webhook", "demand", "lead"},
	"memstore":  {"importrun", "operator", "trace", "interval", "slot", "appointment", "permanence", "worktime", "booking", "feed", "deal", "offer", "agreement", "letting", "fault", "site", "access", "action", "criteria", "event", "customer", "product", "webhook", "demand", "lead", "port"},
	"porttest":  {"importrun", "operator", "trace", "interval", "slot", "appointment", "permanence", "worktime", "booking", "feed", "calendar", "transition", "money", "deal", "offer", "agreement", "letting", "fault", "site", "access", "action", "criteria", "event", "customer", "product", "webhook", "demand", "lead", "port", "memstore"},
	"archive":   {"interval", "slot", "appointment", "permanence", "worktime", "booking", "feed", "deal", "offer", "agreement", "letting", "fault", "site", "access", "action", "event", "customer", "product", "webhook", "demand", "lead", "port"},
	// The Site API: the kernel, the areas of use cases, the engines that work behind
	// them, and the façade that puts all of it together.
	"api": {"api/internal/references", "operator", "appointment", "fault", "opt", "criteria", "site", "access", "event", "customer", "action", "product", "webhook", "demand", "lead", "catalogue", "cache", "intern", "port"},
	// Where answers name other records.
	"api/internal/references": {"customer", "product", "demand", "site", "port"},
	"dealrecords":             {"fault", "criteria", "site", "event", "calendar", "money", "customer", "product", "demand", "offer", "agreement", "letting", "port", "api"},
	"agendarecords":           {"fault", "access", "site", "event", "criteria", "calendar", "interval", "slot", "customer", "product", "appointment", "permanence", "worktime", "booking", "port", "api"},
	"office":                  {"fault", "opt", "criteria", "site", "access", "action", "form", "energy", "event", "product", "port", "api"},
	"tokens":                  {"fault", "opt", "site", "access", "port", "api"},
	"hooks":                   {"fault", "opt", "form", "access", "event", "webhook", "port", "api"},
	"listing":                 {"listing/internal/slab", "appointment", "agendarecords", "interval", "fault", "opt", "criteria", "site", "access", "event", "insee", "customer", "action", "product", "webhook", "publication", "cache", "catalogue", "port", "api", "office", "agreement", "dealrecords"},
	"listing/internal/slab":   {},
	"people":                  {"appointment", "booking", "agendarecords", "fault", "opt", "criteria", "site", "access", "form", "event", "customer", "action", "product", "demand", "lead", "catalogue", "port", "api", "listing", "offer", "agreement", "letting", "dealrecords"},
	"deals":                   {"fault", "opt", "criteria", "site", "access", "form", "calendar", "deadline", "transition", "money", "customer", "product", "demand", "offer", "agreement", "letting", "deal", "dealrecords", "port", "api", "people"},
	"agenda":                  {"fault", "opt", "site", "access", "event", "criteria", "calendar", "form", "transition", "interval", "slot", "customer", "action", "product", "demand", "deal", "appointment", "permanence", "worktime", "booking", "feed", "port", "api", "agendarecords", "listing", "people"},
	"transfer":                {"fault", "opt", "criteria", "site", "access", "energy", "event", "customer", "action", "product", "demand", "port", "api", "listing", "people", "tokens", "calendar", "letting", "offer", "agreement", "appointment", "permanence", "agenda"},
	"imports":                 {"fault", "opt", "criteria", "form", "site", "operator", "importrun", "port", "api", "transfer"},
	"deliver":                 {"webhook", "port", "api"},
	"follow":                  {"site", "event", "port", "api"},
	"locate":                  {"fault", "site", "event", "product", "port", "api", "listing", "follow"},
	"backoffice":              {"imports", "operator", "event", "requests", "trace", "fault", "opt", "site", "access", "customer", "port", "api", "office", "listing", "people", "tokens", "hooks", "transfer", "siteapi"},
	"requests":                {"fault", "opt", "access", "customer", "event", "site", "trace", "port", "api", "follow"},
	"siteapi":                 {"cache", "follow", "imports", "requests", "access", "api", "office", "listing", "people", "tokens", "hooks", "transfer", "deliver", "locate", "deals", "agenda"},

	// What tests of the Site API share.
	"siteapi/apitest": {"fault", "opt", "criteria", "site", "access", "product", "webhook", "port", "memstore", "api", "office", "listing", "people", "tokens", "hooks", "transfer", "deliver", "siteapi", "deals"},
	// What agents may try with offers, agreements and leases, and what must hold.
	"deals/dealtest": {"fault", "opt", "site", "event", "customer", "product", "demand", "transition", "offer", "agreement", "letting", "dealrecords", "port", "api", "listing", "people", "deals", "transfer", "siteapi/apitest"},
	// Made-up products and searches, for tests and benchmarks.
	"access/accesstest":       {},
	"slot/slottest":           {"site", "calendar", "interval", "slot"},
	"catalogue/cataloguetest": {"site", "criteria", "customer", "product", "demand", "catalogue"},
}

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

func TestPackagesImportOnlyWhatLiesBelow(t *testing.T) {
	for _, r := range packages(t) {
		if r.name == "" && r.imports == nil {
			continue // nothing but tests, such as this one
		}
		allowed, known := mayImport[r.name]
		if !known {
			t.Errorf("core/%s has no line: add it to mayImport with the packages it may import", r.name)
			continue
		}
		for _, path := range r.imports {
			inner, ok := strings.CutPrefix(path, core+"/")
			if ok && !slices.Contains(allowed, inner) {
				t.Errorf("core/%s imports core/%s, but may import only %s", r.name, inner, list(allowed))
			}
		}
	}
}

// TestImportsMayNotGoInCircles: a package may import another only if that one may
// not import it, on any way.
func TestImportsMayNotGoInCircles(t *testing.T) {
	var reaches func(from, to string) bool
	reaches = func(from, to string) bool {
		return slices.ContainsFunc(mayImport[from], func(next string) bool {
			return next == to || reaches(next, to)
		})
	}
	for name, allowed := range mayImport {
		for _, inner := range allowed {
			if _, ok := mayImport[inner]; !ok {
				t.Fatalf("mayImport lets core/%s import core/%s, which has no line", name, inner)
			}
			if inner == name || reaches(inner, name) {
				t.Fatalf("mayImport lets core/%s and core/%s import each other", name, inner)
			}
		}
	}
}

// forTests lists what packages that exist for tests alone may import beyond the
// others, and what they may use of package time.
var forTests = map[string][]string{
	"siteapi/apitest":         {"testing", "os", "math/rand/v2", "time.LoadLocation", "time.NewTicker", "time.Sleep"},
	"porttest":                {"interval", "slot", "appointment", "permanence", "worktime", "booking", "feed", "testing", "pgregory.net/rapid", "github.com/google/go-cmp/cmp", "github.com/google/go-cmp/cmp/cmpopts"},
	"access/accesstest":       {"pgregory.net/rapid"},
	"deals/dealtest":          {"pgregory.net/rapid", "github.com/google/go-cmp/cmp", "github.com/google/go-cmp/cmp/cmpopts"},
	"slot/slottest":           {"site", "calendar", "interval", "slot"},
	"catalogue/cataloguetest": {"math/rand/v2"},
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
			case under(path, "golang.org/x/text"):
			case slices.Contains(forTests[r.name], path):
			default:
				t.Errorf("core/%s imports %s, but beyond the standard library core may import only golang.org/x/text", r.name, path)
			}
		}
	}
}

// oracles are modules that the tests of one package hold it against.
var oracles = map[string]string{"recurrence": "github.com/teambition/rrule-go"}

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

func list(names []string) string {
	if len(names) == 0 {
		return "no other package"
	}
	return strings.Join(names, ", ")
}

// A role that embeds a port.Tx gets all its methods, and the compiler writes each of them for
// each role and each instance of a generic one: a third of the program.
func TestRolesOfTheModelDoNotEmbedATx(t *testing.T) {
	eachFile(t, parser.SkipObjectResolution, func(path string, files *token.FileSet, file *ast.File) {
		if filepath.ToSlash(filepath.Dir(path)) != "memstore" {
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
