package e2e_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	listing "github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// shell runs commands as a page shows them, with the program in the path.
func shell(t *testing.T, folder, script string) (string, error) {
	t.Helper()
	command := exec.Command("sh", "-e", "-c", script)
	command.Dir, command.Env = folder, environment(t)
	out, err := command.CombinedOutput()
	return string(out), err
}

func environment(t *testing.T) []string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "PATH="+filepath.Dir(path)+":"+os.Getenv("PATH"), "VITRINE_SECRET_KEY="+testSecrets.SecretKey, "VITRINE_LOG_LEVEL=error")
}

var progressLine = regexp.MustCompile(`(?m)^(im|ex)porting: \d.*\n`)

// TestOperatingTellsHowToMove runs the commands that the page shows, on a sandbox
// with a picture, and serves what came of them.
func TestOperatingTellsHowToMove(t *testing.T) {
	t.Parallel()
	mustHave(t, "postgres")
	page, err := os.ReadFile("../../docs/operating/databases.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Moving from SQLite to PostgreSQL\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1) {
		script.WriteString(block[1])
	}
	folder := t.TempDir()
	old, photos := filepath.Join(folder, "vitrine.db"), "file://"+filepath.Join(folder, "photos")
	postgres, drop, err := newSchema()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(drop)

	p := serving(t, old)
	c := p.network(t)
	id := c.create(object{"model": "moving", "web_status": true})
	shown := c.get(product(id, "/pictures/", c.add(id, "public", picture(900, 600)))).is(200).text("data.url")
	before := c.get(product(id, "?fetch=rooms,descriptions")).is(200)
	events := c.get("/events").is(200)
	p.stop()

	moves := strings.NewReplacer("/var/lib/vitrine/vitrine.db", old, "postgres://vitrine:secret@db.example.org/vitrine", postgres, "file:///srv/vitrine/photos", photos)
	out, err := shell(t, folder, moves.Replace(script.String()))
	out = progressLine.ReplaceAllString(out, "") // there are some when it takes long
	line, _, _ := strings.Cut(out, "\n")
	if err != nil || !regexp.MustCompile(`^\d{3,} records, [1-9]\d* pictures$`).MatchString(line) || out != strings.Repeat(line+"\n", 3) {
		t.Fatalf("%v: %s", err, out)
	}

	served := served(t, "--database", postgres, "--photos", photos, "--public-url", p.url)
	d := &client{t: t, w: served, token: c.token}
	if after := d.get(product(id, "?fetch=rooms,descriptions")).is(200); !bytes.Equal(after.body, before.body) || after.tag() != before.tag() {
		t.Errorf("%s\nwas %s", after, before)
	}
	if after := d.get("/events").is(200); !bytes.Equal(after.body, events.body) {
		t.Errorf("%s\nwas %s", after, events)
	}
	if got := d.get(strings.ReplaceAll(shown, p.url, served.url)).is(200); len(got.body) < 1000 {
		t.Errorf("the picture has %d bytes", len(got.body))
	}

	// Once more, it is refused; so is another file.
	for what, c := range map[string]struct{ command, want string }{
		"a site that is there":    {"vitrine import --format archive --database $DB --photos $PHOTOS site-1.tar.gz", "site 1 is there already"},
		"a damaged file":          {"head -c 20000 site-1.tar.gz > cut && vitrine import --format archive --database new.db cut", "damaged or cut off"},
		"another key":             {"VITRINE_SECRET_KEY=" + strings.Repeat("A", 43) + "= vitrine import --format archive --database new.db site-1.tar.gz", "another secret key"},
		"no key":                  {"VITRINE_SECRET_KEY= vitrine import --format archive --database new.db site-1.tar.gz", "VITRINE_SECRET_KEY, which is not set"},
		"another site":            {"vitrine import --format archive --database new.db --site 2 site-1.tar.gz", "the archive of site 1, not of site 2"},
		"an agency":               {"vitrine import --format archive --database new.db --agency 2 site-1.tar.gz", "--agency cannot be given"},
		"an absent site":          {"vitrine export --format archive --database $DB --photos $PHOTOS --site 99 --out x.tar", "there is no site 99"},
		"an export of an agency":  {"vitrine export --format archive --database $DB --photos $PHOTOS --site 1 --agency 11 --out x.tar", "--agency cannot be given"},
		"listings without a site": {"vitrine import --database $DB site-1.tar.gz", "say with --site and --agency"},
	} {
		command := strings.NewReplacer("$DB", "'"+postgres+"'", "$PHOTOS", photos).Replace(c.command)
		if out, err := shell(t, folder, command); err == nil || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v: %s", what, err, out)
		}
	}
	for _, name := range []string{"new.db", "x.tar"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			t.Errorf("there is a %s", name)
		}
	}
	if out, err := shell(t, folder, "vitrine import --format archive --database new.db --dry-run site-1.tar.gz"); err != nil || !strings.Contains(out, "There is room for site 1 with ") {
		t.Errorf("a dry run: %v: %s", err, out)
	}
}

// served is the program serving a database, until the test ends.
func served(t *testing.T, args ...string) *world {
	t.Helper()
	address, err := rig.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	p, _ := started(t, append([]string{"serve", "--listen", address, "--no-dispatch"}, args...)...)
	p.world = &world{url: "http://" + address, http: &http.Client{}, tokens: map[string]string{}}
	eventually(t, "the server is ready", func() bool { return p.ready() == 200 })
	return p.world
}

// TestAKilledImportLeavesNothing kills imports at any moment. After each, the site
// is either not there, or the import was over.
func TestAKilledImportLeavesNothing(t *testing.T) {
	t.Parallel()
	const products = 2000
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			mustHave(t, engine)
			from := database(t, "sqlite")
			if err := from.store.Update(t.Context(), func(tx port.Tx) error {
				if err := tx.Sites().Put(site.Site{ID: 7}); err != nil {
					return err
				}
				for n := range products {
					if err := tx.Products().Add(listing.Product{ID: listing.ID(n + 1), Site: 7, Agency: 1, Reference: fmt.Sprint(n)}); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			content := from.archive(t, 7)
			folder := t.TempDir()
			name := filepath.Join(folder, "site.tar")
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
			to := database(t, engine)
			path, err := program()
			if err != nil {
				t.Fatal(err)
			}
			kills, limit := 0, 300*time.Millisecond
			for tries := 0; ; tries++ {
				command := exec.Command(path, "import", "--format", "archive", "--database", to.database, "--photos", "file://"+folder+"/photos", name)
				var out bytes.Buffer
				command.Env, command.Stderr = append(environment(t), "TMPDIR="+folder), &out
				if err := command.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan error, 1)
				go func() { ended <- command.Wait() }()
				select {
				case err := <-ended:
					if err != nil {
						t.Fatalf("%v: %s", err, out.String())
					}
				case <-time.After(time.Duration(rand.Int64N(int64(limit)))):
					kills++
					limit += limit / 3 // so that one is through at last
					_ = command.Process.Kill()
					<-ended
				}
				if _, err := to.store.Head(t.Context(), 7); err != nil {
					continue // not there
				}
				if !bytes.Equal(content, to.archive(t, 7)) {
					t.Fatalf("after %d kills there is half a site", kills)
				}
				t.Logf("%d imports were killed", kills)
				return
			}
		})
	}
}
