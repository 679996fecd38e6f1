package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEachFaultFitsTheSources: its text is in its file once, and the test that notices it
// exists. Whether it does is what the program finds out, which takes minutes.
func TestEachFaultFitsTheSources(t *testing.T) {
	source := filepath.Join("..", "..", "..")
	names := map[string]bool{}
	for _, m := range mutants() {
		if names[m.name] {
			t.Errorf("%s: there are two of this name", m.name)
		}
		names[m.name] = true
		content, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(m.file)))
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		if changed, err := m.change(string(content)); err != nil || changed == string(content) {
			t.Errorf("%s: %v", m.name, err)
		}
		if !hasTest(t, filepath.Join(source, filepath.FromSlash(m.folder)), m.run) {
			t.Errorf("%s: %s has no test %s", m.name, m.folder, m.run)
		}
	}
}

var function = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

func hasTest(t *testing.T, folder, pattern string) bool {
	top, _, _ := strings.Cut(pattern, "/")
	wanted := regexp.MustCompile(top)
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range function.FindAllSubmatch(content, -1) {
			if wanted.Match(found[1]) {
				return true
			}
		}
	}
	return false
}

func TestOnlyATestThatFailsCatchesAFault(t *testing.T) {
	broken := errors.New("exit status 1")
	for printed, want := range map[string]struct {
		ended  error
		caught bool
	}{
		"--- FAIL: TestX (0.00s)\nFAIL": {broken, true},
		"PASS":                          {nil, false},
		"testing: warning: no tests to run\nPASS":    {nil, false},
		"flag provided but not defined: -rapid.seed": {broken, false},
	} {
		if err := verdict([]byte(printed), want.ended); (err == nil) != want.caught {
			t.Errorf("%q: %v", printed, err)
		}
	}
}

func TestAFaultIsPutInOnce(t *testing.T) {
	m := mutant{file: "x.go", text: "a < b", replacement: "a <= b"}
	if changed, err := m.change("if a < b {"); err != nil || changed != "if a <= b {" {
		t.Errorf("%q, %v", changed, err)
	}
	for _, content := range []string{"", "a < b && a < b"} {
		if _, err := m.change(content); err == nil {
			t.Errorf("%q is changed", content)
		}
	}
}
