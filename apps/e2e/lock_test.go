package e2e_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestASQLiteFileHasOneServer: a second one would not hear of what the first writes.
// Commands work beside it, and a server that was killed leaves nothing in the way.
func TestASQLiteFileHasOneServer(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	database := filepath.Join(folder, "vitrine.db")
	first := serving(t, database)
	id := first.network(t).create(object{"model": "kept"})
	for _, second := range []string{
		"vitrine serve --listen 127.0.0.1:0 --database " + database,
		"vitrine sandbox --listen 127.0.0.1:0 --keep --database " + database,
		"vitrine sandbox --listen 127.0.0.1:0 --database " + database,
		"ln -s vitrine.db other.db && vitrine serve --listen 127.0.0.1:0 --database other.db",
	} {
		out, err := shell(t, folder, second)
		if err == nil || !strings.Contains(out, "another server runs on ") || !strings.Contains(out, "vitrine.db-lock") {
			t.Errorf("%s: %v: %s", second, err, out)
		}
	}
	for _, beside := range []string{"credential list", "migrate", "export --site 1 --out x.csv"} {
		if out, err := shell(t, folder, "vitrine "+beside+" --database "+database); err != nil {
			t.Errorf("%s: %v: %s", beside, err, out)
		}
	}
	first.network(t).get(product(id)).is(200)

	if err := first.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.command.Wait()
	second := serving(t, database)
	second.network(t).get(product(id)).is(200)
	second.stop()
}
