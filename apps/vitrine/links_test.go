package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// sourceFile is a file of the repository, by its path from the root.
type sourceFile struct{ path, text string }

// sourceFiles reads the files of some kinds below a folder of the repository.
func sourceFiles(t *testing.T, folder string, kinds ...string) []sourceFile {
	t.Helper()
	var files []sourceFile
	repository := os.DirFS(filepath.Join("..", ".."))
	err := fs.WalkDir(repository, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains(kinds, path.Ext(name)) {
			return err
		}
		text, err := fs.ReadFile(repository, name)
		files = append(files, sourceFile{path: name, text: string(text)})
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files below %s: %v", len(files), folder, err)
	}
	return files
}

// documentation is the README and every page of docs.
func documentation(t *testing.T) []sourceFile {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return append(sourceFiles(t, "docs", ".md"), sourceFile{path: "README.md", text: string(readme)})
}

var (
	headingText = regexp.MustCompile(`(?m)^#+ (.+)$`)
	inlineCode  = regexp.MustCompile("`[^`\n]*`")
	tableRow    = regexp.MustCompile(`(?m)^\| ([^|]+) \|`)
	pathOfPage  = regexp.MustCompile(`\bdocs/[a-zA-Z0-9/_.-]+\.(?:md|json|webp|svg)\b`)
)

// TestGoldenLinks follows every relative link of the documentation to a file, and
// to a heading where it names one; and finds the pages that code speaks of. It is
// named so that make golden runs it, as TestGoldenFrench is.
func TestGoldenLinks(t *testing.T) {
	pages := documentation(t)
	anchors := map[string][]string{}
	for _, page := range pages {
		anchors[page.path] = anchorsOf(page.text)
	}
	linked := map[string]bool{"README.md": true}
	for _, page := range pages {
		prose := inlineCode.ReplaceAllString(fencedBlock.ReplaceAllString(page.text, ""), "")
		for _, link := range linkTarget.FindAllStringSubmatch(prose, -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			file, anchor, named := strings.Cut(link[1], "#")
			target := page.path
			if file != "" {
				target = path.Join(path.Dir(page.path), file)
				linked[target] = true
			}
			if !isInRepository(target) {
				t.Errorf("%s links %s, which is not there", page.path, link[1])
			} else if named && !slices.Contains(anchors[target], anchor) {
				t.Errorf("%s links %s, and the page has no such heading", page.path, link[1])
			}
		}
	}
	for _, page := range pages {
		if !linked[page.path] {
			t.Errorf("no page links %s", page.path)
		}
	}
	for _, module := range []string{"core", "adapters", "apps", "deploy"} {
		for _, file := range sourceFiles(t, module, ".go", ".yaml", ".sh") {
			for _, name := range pathOfPage.FindAllString(file.text, -1) {
				if !isInRepository(name) {
					t.Errorf("%s speaks of %s, which is not there", file.path, name)
				}
			}
		}
	}
}

func isInRepository(name string) bool {
	_, err := os.Stat(filepath.Join("..", "..", name))
	return err == nil
}

// anchorsOf are the names by which the headings of a page are linked, as forges
// that show Markdown make them.
func anchorsOf(text string) []string {
	var anchors []string
	for _, line := range headingText.FindAllStringSubmatch(fencedBlock.ReplaceAllString(text, ""), -1) {
		anchors = append(anchors, anchorOf(line[1]))
	}
	return anchors
}

func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

func TestAnchorsAreThoseOfForges(t *testing.T) {
	text := "# A page\n## `vitrine check`: what it says\n```sh\n# no heading\n```\n### Persons' rights, at 5 %\n"
	if got := anchorsOf(text); !slices.Equal(got, []string{"a-page", "vitrine-check-what-it-says", "persons-rights-at-5-"}) {
		t.Errorf("%q", got)
	}
}
