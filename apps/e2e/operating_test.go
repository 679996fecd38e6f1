package e2e_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// shownCommands are the blocks of a page in which it shows commands, and the first setup
// that it shows.
var (
	shownCommands = regexp.MustCompile("(?s)```sh\n(.*?)```")
	shownSetup    = regexp.MustCompile("(?s)```yaml\n(.*?)```")
)

// TestTheCommandsOfTheOperatingPagesWork enters what the pages show, on a database that is
// set up as one of them shows it. Those of moving are entered by
// TestOperatingTellsHowToMove, and those of going back to any moment by `make chaos`, which
// needs pgBackRest.
func TestTheCommandsOfTheOperatingPagesWork(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	blocks := map[string][]string{}
	pages, err := filepath.Glob("../../docs/operating/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pages {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range shownCommands.FindAllStringSubmatch(string(text), -1) {
			blocks[filepath.Base(name)] = append(blocks[filepath.Base(name)], found[1])
		}
		if filepath.Base(name) == "provisioning.md" {
			setup := shownSetup.FindStringSubmatch(string(text))
			if err := os.WriteFile(filepath.Join(folder, "site.yaml"), []byte(setup[1]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	take := func(page string, n int) string {
		all := blocks[page]
		if len(all) < n {
			t.Fatalf("%s shows %d blocks of commands", page, len(all))
		}
		blocks[page] = all[n:]
		return strings.Join(all[:n], "")
	}
	take("any-moment.md", 3)
	take("databases.md", 2)
	take("memory.md", 1) // a benchmark, which takes minutes
	script := strings.Join([]string{
		"export VITRINE_PHOTOS=file://$PWD/photos",
		take("provisioning.md", 1),
		take("credentials.md", 3),
		take("databases.md", 1),
		"export VITRINE_DATABASE=my.db",
		"vitrine export --site 1 --agency 1 --out annonces.zip",
		take("imports.md", 2),
		"cp my.db older.db",
		take("servers.md", 1),
		"OLD=$VITRINE_SECRET_KEY",
		take("secret-key.md", 1),
		"NEW=$VITRINE_SECRET_KEY",
		take("secret-key.md", 1),
		"set -a",
		take("webhooks.md", 1),
		"vitrine check",
	}, "\n")
	// These need several databases: tests of moves have them.
	take("moving.md", 1)
	for page, left := range blocks {
		if len(left) > 0 {
			t.Errorf("%s shows commands that no test enters: %s", page, left)
		}
	}
	instead := strings.NewReplacer("--agency 11", "--agency 1", "bin/vitrine", "vitrine", " --database vitrine-sandbox.db", "", "2027-06-30", time.Now().AddDate(1, 0, 0).Format(time.DateOnly),
		"/backup/older.db", "older.db", "/var/lib/vitrine/vitrine.db", "restored.db")
	if out, err := shell(t, folder, instead.Replace(script)); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
