package fault_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// declared reads the constants of codes.go: their names by their codes.
func declared(t *testing.T) map[fault.Code]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[fault.Code]string{}
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			constant := spec.(*ast.ValueSpec)
			name := constant.Names[0].Name
			literal, ok := constant.Values[0].(*ast.BasicLit)
			if !ok {
				t.Fatalf("%s is not a plain string", name)
			}
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if other, taken := names[fault.Code(value)]; taken {
				t.Errorf("%s and %s are the same code %s", name, other, value)
			}
			names[fault.Code(value)] = name
		}
	}
	if len(names) < 40 {
		t.Fatalf("codes.go declares only %d codes", len(names))
	}
	return names
}

func TestE1_CatalogueListsEveryCodeOnce(t *testing.T) {
	names := declared(t)
	listed := map[fault.Code]bool{}
	for _, e := range fault.Catalogue() {
		if listed[e.Code] {
			t.Errorf("the catalogue lists %s twice", e.Code)
		}
		listed[e.Code] = true
		if names[e.Code] == "" {
			t.Errorf("the catalogue lists %s, which is not declared", e.Code)
		}
	}
	for code, name := range names {
		if !listed[code] {
			t.Errorf("the catalogue lacks %s (%s)", code, name)
		}
	}
}

func TestE1_CodesAreLowerSnakeCase(t *testing.T) {
	snake := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for code, name := range declared(t) {
		if !snake.MatchString(string(code)) {
			t.Errorf("%s is %q", name, code)
		}
		if want := "Code"; !strings.HasPrefix(name, want) {
			t.Errorf("the constant of %s is named %s", code, name)
		}
	}
}

func TestE1_EveryCodeSaysItsKindsAndMeaning(t *testing.T) {
	for _, e := range fault.Catalogue() {
		if len(e.Kinds) == 0 || strings.TrimSpace(e.Meaning) == "" {
			t.Errorf("%s comes with the kinds %v and means %q", e.Code, e.Kinds, e.Meaning)
		}
		for i, k := range e.Kinds {
			if k >= fault.Kinds {
				t.Errorf("%s comes with the unknown kind %d", e.Code, k)
			}
			for _, other := range e.Kinds[:i] {
				if k == other {
					t.Errorf("%s comes with %v twice", e.Code, k)
				}
			}
		}
	}
}

// The kinds of the codes the contract, or the table of statuses, fixes.
func TestE3_CodesComeWithTheKindsTheirStatusNeeds(t *testing.T) {
	want := map[fault.Code][]fault.Kind{
		fault.CodeCriteriaValueUnknown: {fault.Unrecognised, fault.Invalid},
		fault.CodeMalformedJSON:        {fault.Invalid},
		fault.CodeInvalidClient:        {fault.Unauthenticated},
		fault.CodeUnauthenticated:      {fault.Unauthenticated},
		fault.CodeTokenExpired:         {fault.Unauthenticated},
		fault.CodeInvalidGrant:         {fault.Forbidden},
		fault.CodeAgencyOutOfScope:     {fault.Forbidden},
		fault.CodeResourceOutOfScope:   {fault.Forbidden},
		fault.CodeSiteOutOfScope:       {fault.Forbidden},
		fault.CodeUnknownSite:          {fault.NotFound, fault.Invalid},
		fault.CodeUnknownRoute:         {fault.NotFound},
		fault.CodeMethodNotAllowed:     {fault.NotAllowed},
		fault.CodeUnsupportedMediaType: {fault.Unsupported},
		fault.CodePayloadTooLarge:      {fault.TooLarge},
		fault.CodeConflict:             {fault.Conflict},
		fault.CodeReferenceTaken:       {fault.Invalid},
		fault.CodeUnknownUser:          {fault.Invalid},
		fault.CodeRateLimited:          {fault.Limited},
		fault.CodeInternalError:        {fault.Internal},
		fault.CodeUnavailable:          {fault.Unavailable},
	}
	for _, e := range fault.Catalogue() {
		kinds, fixed := want[e.Code]
		if !fixed {
			continue
		}
		delete(want, e.Code)
		if len(kinds) != len(e.Kinds) || kinds[0] != e.Kinds[0] || kinds[len(kinds)-1] != e.Kinds[len(kinds)-1] {
			t.Errorf("%s comes with %v, not %v", e.Code, e.Kinds, kinds)
		}
	}
	for code := range want {
		t.Errorf("the catalogue lacks %s", code)
	}
}

// general are codes that stand for their kind where nothing more precise is
// known. They belong to the catalogue whether or not a fault uses them today.
var general = map[fault.Code]bool{fault.CodeForbidden: true, fault.CodeConflict: true}

func TestE1_EveryCodeIsUsedSomewhere(t *testing.T) {
	names := declared(t)
	used := map[string]bool{}
	word := regexp.MustCompile(`\bCode[A-Z]\w*`)
	for _, module := range []string{"core", "adapters", "apps"} {
		top := filepath.Join("..", "..", "..", module)
		if _, err := os.Stat(top); err != nil {
			t.Skipf("%s is not here, so nobody knows which codes it uses", module)
		}
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(filepath.ToSlash(path), "core/domain/fault/codes.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, name := range word.FindAllString(string(text), -1) {
				used[name] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for code, name := range names {
		if !used[name] && !general[code] {
			t.Errorf("no fault has the code %s (%s)", code, name)
		}
	}
}
