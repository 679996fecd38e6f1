package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// widest is how many characters a row of a table may show, and longest how many
// lines a page of the larger guides may have: what a screen shows, and what a reader
// takes in.
const (
	widest  = 160
	longest = 250
)

var linkInRow = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// TestGoldenTables: what is written by hand fits a screen, and is short enough to
// find something in it.
func TestGoldenTables(t *testing.T) {
	for _, page := range documentation(t) {
		if strings.Contains(page.path, "/reference/") {
			continue
		}
		for _, line := range strings.Split(fencedBlock.ReplaceAllString(page.text, ""), "\n") {
			if width := shown(line); strings.HasPrefix(line, "|") && width > widest {
				t.Errorf("%s: a row of a table shows %d characters, more than %d; put what is long below the table: %s", page.path, width, widest, line)
			}
		}
		isGuide := strings.Count(page.path, "/") > 1
		if lines := strings.Count(page.text, "\n"); isGuide && lines > longest {
			t.Errorf("%s has %d lines, more than %d: make two pages of it", page.path, lines, longest)
		}
	}
}

// shown is how many characters of a row somebody sees.
func shown(row string) int {
	row = linkInRow.ReplaceAllString(row, "$1")
	row = strings.NewReplacer("`", "", "**", "", `\|`, "/").Replace(row)
	return utf8.RuneCountInString(strings.Join(strings.Fields(strings.ReplaceAll(row, "|", " ")), " "))
}

func TestTheWidthOfARowIsWhatIsSeen(t *testing.T) {
	if got := shown("| `a` | [page](some/where.md#there) and **é**  | x\\|y |"); got != len("a page and e x/y") {
		t.Error(got)
	}
}
