package texts

import (
	"go/ast"
	"go/constant"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Constants finds the texts that are constants of a type, such as kit.Text, in packages of the
// workspace in a folder: each with a place where it is. said are those in files with other names
// than french.go, and french the keys of the tables in these, apart
// from those of codes, which are constants of the core, and of phrases, which templates have.
func Constants(folder, typeName string, patterns ...string) (said, french map[string]string, err error) {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: folder}, patterns...)
	if err != nil {
		return nil, nil, err
	}
	said, french = map[string]string{}, map[string]string{}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, nil, p.Errors[0]
		}
		for _, file := range p.Syntax {
			table := filepath.Base(p.Fset.Position(file.Pos()).Filename) == "french.go"
			ast.Inspect(file, func(n ast.Node) bool {
				if of, is := n.(*ast.ValueSpec); is && table && isNoTable(of.Names[0].Name) {
					return false
				}
				if pair, is := n.(*ast.KeyValueExpr); is && table {
					note(french, p, pair.Key, "")
					return false
				}
				if e, is := n.(ast.Expr); is && !table {
					note(said, p, e, typeName)
				}
				return true
			})
		}
	}
	return said, french, nil
}

func isNoTable(name string) bool {
	return strings.HasSuffix(name, "Codes") || strings.HasSuffix(name, "Phrases")
}

// note notes an expression that is a constant text of a type, or of any where it is empty. What has no letter needs no words.
func note(in map[string]string, p *packages.Package, e ast.Expr, typeName string) {
	known := p.TypesInfo.Types[e]
	if known.Value == nil || known.Value.Kind() != constant.String || typeName != "" && known.Type.String() != typeName {
		return
	}
	text := constant.StringVal(known.Value)
	if strings.ContainsFunc(text, isLetter) {
		in[text] = p.Fset.Position(e.Pos()).String()
	}
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
