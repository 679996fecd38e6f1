package main

import (
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

func TestMigrateSaysWhatItDid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	says := func(want string) {
		t.Helper()
		if text, err := said(t, "migrate", "--database", path); err != nil || !regexp.MustCompile("^"+want+"\n$").MatchString(text) {
			t.Errorf("%q, %v, want %s", text, err, want)
		}
	}
	const all = `all \d+ migrations for SQLite are applied, the last is \d{5}(; \d{5} is for PostgreSQL)?\.`
	says("The tables are made: " + all)
	says("There was nothing to do: " + all)
}

// Each engine has migrations of its own, and some numbers are nobody's: neither may look like one
// that was missed.
func TestGapsInTheNumbersOfMigrationsAreExplained(t *testing.T) {
	newest := sqlstore.SchemaVersion()
	at := func(versions ...int64) (all []sqlstore.Migration) {
		for _, v := range versions {
			all = append(all, sqlstore.Migration{Version: v, Name: "00000_x", Applied: time.Unix(1, 0)})
		}
		return all
	}
	pending := func(all []sqlstore.Migration) []sqlstore.Migration {
		for i := range all {
			all[i].Applied = time.Time{}
		}
		return all
	}
	for _, c := range []struct {
		database      string
		before, after []sqlstore.Migration
		want          string
	}{
		{"a.db", at(1, 7, newest), at(1, 7, newest), `There was nothing to do: all 3 migrations for SQLite are applied, the last is \d{5}\.`},
		{"a.db", at(1, 7), at(1, 7), `There was nothing to do: all 2 migrations for SQLite are applied, the last is 00007; \d{5} is for PostgreSQL\.`},
		{"postgres://a/b", at(1, 8), at(1, 8), `There was nothing to do: all 2 migrations for PostgreSQL are applied, the last is 00008; \d{5} is for SQLite\.`},
		{"a.db", pending(at(1, 7)), at(1, 7), `The tables are made: all 2 migrations for SQLite are applied, the last is 00007; .*`},
		{"a.db", append(at(1), pending(at(7, 9))...), at(1, 7, 9), `The tables went from 00001 to 00009 by 2 migrations: all 3 migrations for SQLite .*`},
		{"a.db", append(at(1, 9), pending(at(7))...), at(1, 7, 9), `The tables went from 00009 to 00009 by 1 migrations: all 3 .*`},
	} {
		if got := went(config.Database{Database: c.database}, c.before, c.after); !regexp.MustCompile("^" + c.want + "$").MatchString(got) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
