// Package texts finds every text that is made for clients in the sources of the core
// and the adapters, so that a test can hold them against their French.
package texts

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

const (
	vitrine = "github.com/vitrine-crm/vitrine/"
	textf   = vitrine + "core/domain/fault.Textf"
	text    = vitrine + "core/domain/fault.Text"
)

// Found are the formats of texts, each with a place where it is, and what cannot be
// said in another language, with why.
type Found struct {
	Formats  map[string]string
	Problems []string
}

// Find looks through packages, such as ./core/..., of the workspace in a folder. A
// text is what becomes the format of fault.Textf, directly or through functions that
// hand a format on.
func Find(folder string, patterns ...string) (Found, error) {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: folder}, patterns...)
	if err != nil {
		return Found{}, err
	}
	f := finder{takes: map[string]int{textf: 0}}
	for known := 0; known < len(f.takes); {
		known = len(f.takes)
		f.found = Found{Formats: map[string]string{}}
		for _, p := range loaded {
			if len(p.Errors) > 0 {
				return Found{}, p.Errors[0]
			}
			f.search(p)
		}
	}
	return f.found, nil
}

// finder finds texts, and the functions that take the format of one.
type finder struct {
	// takes has the place of the format among the parameters of a function.
	takes map[string]int
	found Found
}

func (f *finder) search(p *packages.Package) {
	for _, file := range p.Syntax {
		var around []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			if call, ok := n.(*ast.CallExpr); ok {
				if place, takes := f.takes[called(p, call.Fun)]; takes && place < len(call.Args) {
					f.judge(p, around, call, place)
				}
			}
			return true
		})
	}
}

// judge notes the format of a call, or that the function around it hands one on.
func (f *finder) judge(p *packages.Package, around []ast.Node, call *ast.CallExpr, place int) {
	at := p.Fset.Position(call.Pos()).String()
	given, shown := call.Args[place], call.Args[place+1:]
	value := p.TypesInfo.Types[given].Value
	if value == nil {
		if name, place, ok := parameter(p, around, given); ok {
			f.takes[name] = place
			return
		}
		f.problem("%s: the format is not a constant", at)
		return
	}
	format := constant.StringVal(value)
	f.found.Formats[format] = at
	for _, arg := range shown {
		if why := untranslated(p.TypesInfo.Types[arg], format); why != "" {
			f.problem("%s: %s", at, why)
		}
	}
}

func (f *finder) problem(format string, args ...any) {
	f.found.Problems = append(f.found.Problems, fmt.Sprintf(format, args...))
}

// untranslated returns why an argument would be in English whatever the language.
func untranslated(arg types.TypeAndValue, format string) string {
	isError := types.Implements(arg.Type, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
	switch {
	case arg.Value != nil && arg.Value.Kind() == constant.String && !isCode(constant.StringVal(arg.Value)):
		return "a word in the place of an argument is a text of its own: use fault.Textf"
	case slices.Contains([]string{"%s", "%v"}, format) && arg.Type.String() != text && !isError:
		return "what is shown as it is should be a fault.Text"
	}
	return ""
}

// isCode reports whether a constant is the name of a field or a code, and no word.
func isCode(word string) bool {
	return !slices.ContainsFunc([]rune(word), func(r rune) bool { return r == ' ' || r == '\'' })
}

// called names the function that is called, if it can be told.
func called(p *packages.Package, fun ast.Expr) string {
	fun = ast.Unparen(fun)
	if generic, ok := fun.(*ast.IndexExpr); ok {
		fun = generic.X
	}
	var name *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	default:
		return ""
	}
	switch of := p.TypesInfo.Uses[name].(type) {
	case *types.Func:
		return of.Origin().FullName()
	case *types.Var:
		return variable(p, of)
	}
	return ""
}

// variable names a function that is the value of a variable.
func variable(p *packages.Package, of types.Object) string {
	return p.Fset.Position(of.Pos()).String()
}

// parameter returns the function around an expression one of whose parameters it is, and
// the place of that parameter.
func parameter(p *packages.Package, around []ast.Node, e ast.Expr) (function string, place int, ok bool) {
	id, isName := ast.Unparen(e).(*ast.Ident)
	if !isName {
		return "", 0, false
	}
	for i := len(around) - 1; i > 0; i-- {
		var of *ast.FuncType
		switch fn := around[i].(type) {
		case *ast.FuncDecl:
			of, function = fn.Type, p.TypesInfo.Defs[fn.Name].(*types.Func).FullName()
		case *ast.FuncLit:
			of, function = fn.Type, ""
			if assigned, ok := around[i-1].(*ast.AssignStmt); ok && len(assigned.Lhs) == 1 {
				function = variable(p, p.TypesInfo.ObjectOf(assigned.Lhs[0].(*ast.Ident)))
			}
		default:
			continue
		}
		if place := slices.Index(parameters(p, of), p.TypesInfo.Uses[id]); place >= 0 && function != "" {
			return function, place, true
		}
	}
	return "", 0, false
}

func parameters(p *packages.Package, of *ast.FuncType) (all []types.Object) {
	for _, field := range of.Params.List {
		for _, name := range field.Names {
			all = append(all, p.TypesInfo.Defs[name])
		}
	}
	return all
}
