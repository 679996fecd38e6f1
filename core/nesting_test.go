package core_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// withUnits are the folders whose packages open units of work.
var withUnits = []string{"kernel", "usecase", "engine", "backoffice"}

// reaching are the things that could open a unit of work, by the last word of
// their type.
var reaching = map[string]bool{"Context": true, "Kernel": true, "Store": true, "Service": true, "Ports": true}

// A unit of work that opens another one waits for itself as soon as all
// connections of a pool are taken. What runs inside a unit is a method of a unit
// type, or a short function literal. Neither can open another unit: the types
// hold nothing that could, and the literals use no context, which everything
// that could demands.
func TestUnitsNeverNest(t *testing.T) {
	literals, types := 0, 0
	eachFile(t, 0, func(path string, fset *token.FileSet, file *ast.File) {
		folder, _, _ := strings.Cut(filepath.ToSlash(path), "/")
		if !slices.Contains(withUnits, folder) || strings.HasSuffix(path, "_test.go") {
			return
		}
		names := contexts(file)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if fields := unitFields(n); fields != nil {
					types++
					for _, field := range fields {
						if word := lastWord(field.Type); reaching[word] {
							t.Errorf("%s: the unit %s holds a %s", fset.Position(field.Pos()), n.Name.Name, word)
						}
					}
				}
			case *ast.CallExpr:
				if !opensUnit(n) {
					return true
				}
				for _, argument := range n.Args {
					if literal, ok := argument.(*ast.FuncLit); ok {
						literals++
						noContext(t, fset, names, literal)
					}
				}
			}
			return true
		})
	})
	if literals < 10 || types < 6 {
		t.Errorf("the test looked at %d literals and %d types, which are too few to be all", literals, types)
	}
}

// unitFields are the fields of a struct that stands for a unit of work: one that
// embeds a Unit or a Tx.
func unitFields(spec *ast.TypeSpec) []*ast.Field {
	made, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, field := range made.Fields.List {
		if word := lastWord(field.Type); len(field.Names) == 0 && (word == "Unit" || word == "Tx") {
			return made.Fields.List
		}
	}
	return nil
}

func lastWord(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return lastWord(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func opensUnit(call *ast.CallExpr) bool {
	switch name := lastWord(call.Fun); name {
	case "View", "Update", "Write", "update":
		return true
	}
	return false
}

// contexts are the names that contexts have in a file: as parameters, and as what
// package context made.
func contexts(file *ast.File) map[string]bool {
	names := map[string]bool{"context": true}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if lastWord(n.Type) == "Context" {
				for _, name := range n.Names {
					names[name.Name] = name.Name != "_"
				}
			}
		case *ast.AssignStmt:
			call, ok := n.Rhs[0].(*ast.CallExpr)
			if !ok {
				return true
			}
			if made, ok := call.Fun.(*ast.SelectorExpr); ok && lastWord(made.X) == "context" {
				names[lastWord(n.Lhs[0])] = true
			}
		}
		return true
	})
	return names
}

// noContext reports every use of a context in a literal.
func noContext(t *testing.T, fset *token.FileSet, contexts map[string]bool, literal *ast.FuncLit) {
	t.Helper()
	ast.Inspect(literal.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && contexts[id.Name] {
			t.Errorf("%s: a context inside a unit of work could open another one", fset.Position(id.Pos()))
		}
		return true
	})
}
