package sqlstore_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"
)

// expandsFrom is the first migration that servers of the version before may meet: those
// before it were made before anything was released.
const expandsFrom = 83

var (
	firstLine = regexp.MustCompile(`\A-- (expands|contracts since v[0-9.]+): `)
	takesAway = regexp.MustCompile(`(?i)\bDROP (COLUMN|TABLE|CONSTRAINT)\b|\bRENAME\b|\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b|\bSET NOT NULL\b`)
	addsNeed  = regexp.MustCompile(`(?i)\bADD (COLUMN )?\w+ [^;,]*\bNOT NULL\b[^;,]*`)
)

// refused says why a migration would break servers of the version before, which go on
// while it is applied; empty if it does not.
func refused(text string) string {
	found := firstLine.FindStringSubmatch(text)
	if found == nil {
		return "its first line does not say whether it expands, or contracts since which version"
	}
	up, _, _ := strings.Cut(text, "-- +goose Down")
	if found[1] != "expands" {
		return ""
	}
	if what := takesAway.FindString(up); what != "" {
		return "it takes something away: " + what
	}
	for _, column := range addsNeed.FindAllString(up, -1) {
		if !strings.Contains(strings.ToUpper(column), "DEFAULT") {
			return "it adds a column that the version before does not fill: " + column
		}
	}
	return ""
}

// TestAMigrationExpandsOrSaysSinceWhenItContracts: nodes are upgraded one by one, so the
// version before works with what the next one made.
func TestAMigrationExpandsOrSaysSinceWhenItContracts(t *testing.T) {
	files := os.DirFS("migrations")
	seen := 0
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		number, err := goose.NumericComponent(path.Base(name))
		if err != nil || number < expandsFrom {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if why := refused(string(text)); why != "" {
			t.Errorf("%s: %s", name, why)
		}
		seen++
		return err
	})
	if err != nil || seen == 0 {
		t.Errorf("%d migrations, %v", seen, err)
	}
}

func TestAMigrationThatBreaksTheVersionBeforeIsRefused(t *testing.T) {
	for text, want := range map[string]bool{
		"-- expands: a table.\n-- +goose Up\nCREATE TABLE a (b TEXT NOT NULL);\n-- +goose Down\nDROP TABLE a;": true,
		"-- expands: a column.\n-- +goose Up\nALTER TABLE a ADD COLUMN b TEXT NOT NULL DEFAULT '';":            true,
		"-- expands: a column.\n-- +goose Up\nALTER TABLE a ADD COLUMN b TEXT;":                                true,
		"-- contracts since v0.3.0: a column.\n-- +goose Up\nALTER TABLE a DROP COLUMN b;":                     true,
		"-- A table.\n-- +goose Up\nCREATE TABLE a (b TEXT);":                                                  false,
		"-- expands: nothing.\n-- +goose Up\nALTER TABLE a DROP COLUMN b;":                                     false,
		"-- expands: nothing.\n-- +goose Up\nDROP TABLE a;":                                                    false,
		"-- expands: nothing.\n-- +goose Up\nALTER TABLE a RENAME COLUMN b TO c;":                              false,
		"-- expands: nothing.\n-- +goose Up\nALTER TABLE a ADD COLUMN b TEXT NOT NULL;":                        false,
		"-- expands: nothing.\n-- +goose Up\nALTER TABLE a ALTER COLUMN b SET NOT NULL;":                       false,
		"-- expands: nothing.\n-- +goose Up\nALTER TABLE a ALTER COLUMN b TYPE BIGINT;":                        false,
		"-- contracts: a column, since nobody knows when.\n-- +goose Up\nALTER TABLE a DROP COLUMN b;":         false,
	} {
		if why := refused(text); (why == "") != want {
			t.Errorf("%s\nis refused: %q", text, why)
		}
	}
}
