package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fencedBlock   = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	headingLine   = regexp.MustCompile(`(?m)^#+ `)
	codeSpan      = regexp.MustCompile("`[^`]+`")
	linkTarget    = regexp.MustCompile(`\]\(([^)]+)\)`)
	rowOrItem     = regexp.MustCompile(`(?m)^(\||- |\d+\. )`)
	figure        = regexp.MustCompile(`[0-9]+`)
	thousands     = regexp.MustCompile(`([0-9])[, \x{a0}]([0-9]{3})\b`)
	shellComment  = regexp.MustCompile(`(?m)\s+# .*$`)
	requestRemark = regexp.MustCompile(`(?m)^([A-Z]+ +\S+) +[^{\s].*$`)
)

// TestGoldenFrench holds the French pages of docs/fr against the English ones:
// prose may differ, but not what a program is written by. It is named so that
// make golden runs it: the go command does not notice changes of docs, and may
// answer from its cache.
func TestGoldenFrench(t *testing.T) {
	translated := map[string]bool{}
	for _, page := range sourceFiles(t, "docs/fr", ".md") {
		original := originalOf(page.path)
		translated[original] = true
		english, french := passagesOf(t, original), passagesOf(t, page.path)
		if len(english) != len(french) {
			t.Errorf("%s has %d headings, %s %d", page.path, len(french), original, len(english))
			continue
		}
		for i, passage := range french {
			passage.isLike(t, page.path, english[i])
		}
	}
	for _, page := range sourceFiles(t, "docs/integrating", ".md") {
		if !translated[page.path] {
			t.Errorf("%s has no French page", page.path)
		}
	}
}

// originalOf is the path of the page that a French one translates.
func originalOf(page string) string { return strings.Replace(page, "docs/fr/", "docs/", 1) }

// passage is what a heading and the text below it have in every language.
type passage struct {
	heading, level        string
	blocks                []string // with the language of each, without comments
	spans, links, figures []string // sorted, each once
	lines                 int      // of tables and lists
}

// passagesOf reads a page.
func passagesOf(t *testing.T, page string) []passage {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", page))
	if err != nil {
		t.Fatal(err)
	}
	blocks := fencedBlock.FindAllStringSubmatch(string(text), -1)
	prose := fencedBlock.ReplaceAllString(string(text), "\x00")
	var passages []passage
	starts := headingLine.FindAllStringIndex(prose, -1)
	for i, start := range starts {
		end := len(prose)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		part := prose[start[0]:end]
		s := passage{level: strings.TrimSpace(prose[start[0]:start[1]]), lines: len(rowOrItem.FindAllString(part, -1))}
		s.heading, _, _ = strings.Cut(part, "\n")
		for range strings.Count(part, "\x00") {
			s.blocks = append(s.blocks, blocks[0][1]+"\n"+withoutComments(blocks[0][1], blocks[0][2]))
			blocks = blocks[1:]
		}
		for _, link := range linkTarget.FindAllStringSubmatch(part, -1) {
			s.links = append(s.links, resolved(page, link[1]))
		}
		words := linkTarget.ReplaceAllString(codeSpan.ReplaceAllString(part, ""), "]")
		s.links = set(s.links)
		s.spans = set(codeSpan.FindAllString(part, -1))
		s.figures = set(figure.FindAllString(thousands.ReplaceAllString(words, "$1$2"), -1))
		passages = append(passages, s)
	}
	return passages
}

// withoutComments leaves of a block what must be the same in every language: the
// answers, the commands, and of requests what is sent.
func withoutComments(language, block string) string {
	switch language {
	case "sh":
		return shellComment.ReplaceAllString(block, "")
	case "":
		return requestRemark.ReplaceAllString(block, "$1")
	}
	return block
}

// resolved is a link of a page as seen from the root of the repository, the same
// for a page and its translation.
func resolved(page, link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "#") {
		return link
	}
	file, anchor, _ := strings.Cut(link, "#")
	return originalOf(path.Join(path.Dir(page), file)) + "#" + anchor
}

// set sorts what there is, each once.
func set(of []string) []string {
	slices.Sort(of)
	return slices.Compact(of)
}

// isLike reports where a French passage differs from the English one.
func (s passage) isLike(t *testing.T, page string, english passage) {
	t.Helper()
	where := page + ", " + s.heading
	if s.level != english.level || s.lines != english.lines || len(s.blocks) != len(english.blocks) {
		t.Errorf("%s: a heading %s, %d lines of tables and lists, %d blocks; in English (%s) %s, %d, %d", where,
			s.level, s.lines, len(s.blocks), english.heading, english.level, english.lines, len(english.blocks))
		return
	}
	for i, block := range s.blocks {
		if block != english.blocks[i] {
			t.Errorf("%s: a block is not as in English:\n%s\nin English:\n%s", where, block, english.blocks[i])
		}
	}
	for what, pair := range map[string][2][]string{
		"code": {s.spans, english.spans}, "links": {s.links, english.links}, "figures": {s.figures, english.figures},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s: %s differ: only in French %q, only in English %q", where, what, less(pair[0], pair[1]), less(pair[1], pair[0]))
		}
	}
}

// less is what one set has and another has not.
func less(one, other []string) []string {
	return slices.DeleteFunc(slices.Clone(one), func(s string) bool { return slices.Contains(other, s) })
}
