package wire

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// A cell that is new hashes as the others do, so that tokens and secrets are good there.
// One that has clients of its own is left as it is.
func TestACellTakesThePepperOfAnother(t *testing.T) {
	folder := t.TempDir()
	first, second, third := filepath.Join(folder, "1.db"), filepath.Join(folder, "2.db"), filepath.Join(folder, "3.db")
	enters(t, first, keyOf(1), "")
	enters(t, third, keyOf(1), "")
	adopt := func(from, to string, c config.Secrets) error {
		return AdoptPepper(t.Context(), opened(t, from), opened(t, to), c)
	}
	if err := adopt(second, first, keyOf(1)); err == nil || !strings.Contains(err.Error(), "has none yet") {
		t.Errorf("from a database that has none: %v", err)
	}
	if err := adopt(first, third, keyOf(1)); err == nil || !strings.Contains(err.Error(), "--pepper-from") {
		t.Errorf("to a database with another one: %v", err)
	}
	if err := adopt(first, second, keyOf(2)); err == nil || !strings.Contains(err.Error(), "another key") {
		t.Errorf("with another secret key: %v", err)
	}
	for range 2 {
		if err := adopt(first, second, keyOf(1)); err != nil {
			t.Fatal(err)
		}
	}
	var peppers []string
	for _, file := range []string{first, second, third} {
		s := opened(t, file)
		if err := openSecrets(t.Context(), s, keyOf(1)); err != nil {
			t.Fatal(err)
		}
		key, err := pepper(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		peppers = append(peppers, string(key))
	}
	if peppers[0] != peppers[1] || peppers[0] == peppers[2] {
		t.Error("the peppers are not those that they ought to be")
	}
}

func TestOnlyDatabasesOfOneSchemaExchangeSites(t *testing.T) {
	folder := t.TempDir()
	first, second := opened(t, filepath.Join(folder, "1.db")), opened(t, filepath.Join(folder, "2.db"))
	if err := SameSchema(t.Context(), first, second); err != nil {
		t.Error(err)
	}
	if err := SameSchema(t.Context(), first, asItIs(t, filepath.Join(folder, "3.db"))); err == nil || !strings.Contains(err.Error(), "vitrine migrate") {
		t.Errorf("tables that are not made: %v", err)
	}
}

func TestWhatIsNoCell(t *testing.T) {
	folder := t.TempDir()
	open := func(name string, c config.Secrets, mayBeNew bool) error {
		s, err := OpenCell(t.Context(), config.Database{Database: filepath.Join(folder, name)}, c, mayBeNew, slog.New(slog.DiscardHandler))
		if err == nil {
			err = s.Close()
		}
		return err
	}
	if err := open("new.db", keyOf(1), true); err != nil {
		t.Error(err)
	}
	if err := open("none.db", keyOf(1), false); err == nil || !strings.Contains(err.Error(), "there is nothing") {
		t.Error(err)
	}
	if err := open("new.db", config.Secrets{}, true); err == nil || !strings.Contains(err.Error(), "VITRINE_SECRET_KEY is not set") {
		t.Error(err)
	}
	sandbox := filepath.Join(folder, "sandbox.db")
	if err := SetEnvironment(t.Context(), opened(t, sandbox), SandboxEnvironment); err != nil {
		t.Fatal(err)
	}
	enters(t, sandbox, config.Secrets{}, "")
	if err := open("sandbox.db", keyOf(1), true); err == nil || !strings.Contains(err.Error(), "secret-key rotate") {
		t.Error(err)
	}
	environments(t, opened(t, sandbox), opened(t, filepath.Join(folder, "new.db")))
}

func environments(t *testing.T, sandbox, other *sqlstore.Store) {
	t.Helper()
	if err := SameEnvironment(t.Context(), sandbox, other); err != nil {
		t.Error(err)
	}
	if name, err := Environment(t.Context(), other); name != SandboxEnvironment || err != nil {
		t.Errorf("it is for %q, %v", name, err)
	}
	if err := SetEnvironment(t.Context(), other, "production"); err != nil {
		t.Fatal(err)
	}
	if err := SameEnvironment(t.Context(), sandbox, other); err == nil {
		t.Error("a sandbox moves into production")
	}
}
