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

// firstRelease is the last of the migrations that make the tables of the first release. Servers
// of the version before may meet those after it.
const firstRelease = 111

var (
	firstLine = regexp.MustCompile(`\A-- (expands|contracts since v[0-9.]+): `)
	takesAway = regexp.MustCompile(`(?i)\bDROP (COLUMN|TABLE|CONSTRAINT)\b|\bRENAME\b|\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b|\bSET NOT NULL\b`)
	demands   = regexp.MustCompile(`'least_schema', '(\d{5})'`)
	newTable  = regexp.MustCompile(`(?i)\bCREATE TABLE (\w+)`)
	newIndex  = regexp.MustCompile(`(?i)\bCREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(\w+)\s+ON (\w+)`)
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
		if !demands.MatchString(up) {
			return "it does not say in least_schema what programs have to know from now on"
		}
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

// stops says why a migration would stop those who write to a table of PostgreSQL for as long
// as it makes an index; empty if it does not. One that failed leaves an index that is of no
// use, and waits for everybody who reads, so it is not in a hurry.
func stops(text string) string {
	up, _, _ := strings.Cut(text, "-- +goose Down")
	fresh := map[string]bool{}
	for _, table := range newTable.FindAllStringSubmatch(up, -1) {
		fresh[table[1]] = true
	}
	for _, index := range newIndex.FindAllStringSubmatch(up, -1) {
		switch name := index[2]; {
		case fresh[index[3]]:
		case index[1] == "":
			return "it makes the index " + name + " without CONCURRENTLY"
		case !strings.Contains(text, "-- +goose NO TRANSACTION"):
			return "it makes the index " + name + " in a transaction"
		case !strings.Contains(up, "DROP INDEX CONCURRENTLY IF EXISTS "+name+";"):
			return "it cannot be applied again where the index " + name + " was begun"
		case !strings.Contains(up, "SET lock_timeout = 0;") || !strings.Contains(up, "RESET lock_timeout;"):
			return "it gives up on the index " + name + " while somebody reads for long"
		}
	}
	return ""
}

// TestAMigrationExpandsOrSaysSinceWhenItContracts: nodes are upgraded one by one, so the
// version before works with what the next one made.
func TestAMigrationExpandsOrSaysSinceWhenItContracts(t *testing.T) {
	files := os.DirFS("migrations")
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		number, err := goose.NumericComponent(path.Base(name))
		if err != nil || number <= firstRelease {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if why := refused(string(text)); why != "" {
			t.Errorf("%s: %s", name, why)
		}
		if least := demands.FindStringSubmatch(string(text)); least != nil && least[1] >= path.Base(name)[:5] {
			t.Errorf("%s demands %s of those before it, which cannot know that", name, least[1])
		}
		if why := stops(string(text)); why != "" && path.Dir(name) != "sqlite" {
			t.Errorf("%s: %s", name, why)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAMigrationThatBreaksTheVersionBeforeIsRefused(t *testing.T) {
	const contracting = "-- contracts since v0.3.0: a column.\n-- +goose Up\nALTER TABLE a DROP COLUMN b;"
	for text, want := range map[string]bool{
		"-- expands: a table.\n-- +goose Up\nCREATE TABLE a (b TEXT NOT NULL);\n-- +goose Down\nDROP TABLE a;": true,
		"-- expands: a column.\n-- +goose Up\nALTER TABLE a ADD COLUMN b TEXT NOT NULL DEFAULT '';":            true,
		"-- expands: a column.\n-- +goose Up\nALTER TABLE a ADD COLUMN b TEXT;":                                true,
		contracting + "INSERT INTO meta VALUES ('least_schema', '00083') ON CONFLICT …;":                       true,
		contracting: false,
		"-- A table.\n-- +goose Up\nCREATE TABLE a (b TEXT);":                                          false,
		"-- expands: nothing.\n-- +goose Up\nALTER TABLE a DROP COLUMN b;":                             false,
		"-- expands: nothing.\n-- +goose Up\nDROP TABLE a;":                                            false,
		"-- expands: nothing.\n-- +goose Up\nALTER TABLE a RENAME COLUMN b TO c;":                      false,
		"-- expands: nothing.\n-- +goose Up\nALTER TABLE a ADD COLUMN b TEXT NOT NULL;":                false,
		"-- expands: nothing.\n-- +goose Up\nALTER TABLE a ALTER COLUMN b SET NOT NULL;":               false,
		"-- expands: nothing.\n-- +goose Up\nALTER TABLE a ALTER COLUMN b TYPE BIGINT;":                false,
		"-- contracts: a column, since nobody knows when.\n-- +goose Up\nALTER TABLE a DROP COLUMN b;": false,
	} {
		if why := refused(text); (why == "") != want {
			t.Errorf("%s\nis refused: %q", text, why)
		}
	}
}

func TestAnIndexThatStopsWritersIsRefused(t *testing.T) {
	const (
		drop, index = "DROP INDEX CONCURRENTLY IF EXISTS a_b;", "CREATE INDEX CONCURRENTLY a_b ON a (b);"
		patient     = "SET lock_timeout = 0;" + drop + index + "RESET lock_timeout;"
		outside     = "-- +goose NO TRANSACTION\n"
	)
	for text, want := range map[string]bool{
		"CREATE TABLE a (b TEXT); CREATE INDEX a_b ON a (b);": true,
		outside + patient:            true,
		"CREATE INDEX a_b ON a (b);": false,
		"CREATE TABLE c (b TEXT); CREATE UNIQUE INDEX a_b ON a (b);": false,
		patient:                                false,
		outside + index:                        false,
		outside + drop + index:                 false,
		"-- +goose Down\nCREATE INDEX a ON b;": true,
	} {
		if why := stops(text); (why == "") != want {
			t.Errorf("%s\nis refused: %q", text, why)
		}
	}
}
