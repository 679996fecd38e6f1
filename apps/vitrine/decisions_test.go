package main

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
)

const ruleCode = `[A-Z]{1,2}[0-9]{1,2}`

var (
	ruleLine    = regexp.MustCompile(`(?m)^- (` + ruleCode + `): `)
	anyRule     = regexp.MustCompile(`\b` + ruleCode + `\b`)
	namedRules  = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)((?:` + ruleCode + `_)+)`)
	quotedRules = regexp.MustCompile(`\(` + ruleCode + `\b|^` + ruleCode + `(?:: | ` + ruleCode + `$| [a-z]|$)`)
)

// noRules look like codes of rules and are something else.
var noRules = map[string]string{
	"AC3": "a format of exchange files",
	"C0":  "a made-up code of a referential", "C49": "another",
	"M7": "a made-up reference", "ME7": "another",
}

// TestGoldenDecisions holds docs/decisions.md against the codes of rules in names
// and messages of tests and in comments. It is named so that make golden runs
// it: other modules change without the go command noticing here.
func TestGoldenDecisions(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "decisions.md"))
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, line := range ruleLine.FindAllStringSubmatch(string(page), -1) {
		if said[line[1]] {
			t.Errorf("docs/decisions.md says twice what %s is", line[1])
		}
		said[line[1]] = true
	}
	used := map[string]string{}
	for _, module := range []string{"core", "adapters", "apps"} {
		gatherRules(t, filepath.Join("..", "..", module), used)
	}
	for rule, where := range used {
		if !said[rule] && noRules[rule] == "" {
			t.Errorf("%s: docs/decisions.md does not say what %s is", where, rule)
		}
	}
	for rule := range said {
		if used[rule] == "" {
			t.Errorf("docs/decisions.md says what %s is, but nobody uses it", rule)
		}
	}
}

// gatherRules notes the codes in the Go files below a folder, with a file that
// has them.
func gatherRules(t *testing.T, folder string, used map[string]string) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || filepath.Base(path) == "decisions_test.go" {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		note := func(text string) {
			for _, rule := range anyRule.FindAllString(text, -1) {
				used[rule] = path
			}
		}
		for _, comment := range file.Comments {
			note(comment.Text())
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if names := namedRules.FindStringSubmatch(n.Name.Name); names != nil {
					note(strings.ReplaceAll(names[1], "_", " "))
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					note(strings.Join(quotedRules.FindAllString(text, -1), " "))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
