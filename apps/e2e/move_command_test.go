package e2e_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMovingWhileAServerRuns runs the command that the page shows, on a database with a
// picture that a server goes on with, and serves what came of it.
func TestMovingWhileAServerRuns(t *testing.T) {
	t.Parallel()
	mustHave(t, "postgres")
	page, err := os.ReadFile("../../docs/operating/moving.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile("(?s)```sh\n(.*?)```").FindSubmatch(page)[1]
	folder := t.TempDir()
	old, photos := filepath.Join(folder, "vitrine.db"), "file://"+filepath.Join(folder, "photos")
	postgres, drop, err := newSchema()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(drop)
	p := serving(t, old)
	p.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c := p.network(t)
	id := c.create(object{"model": "moving", "web_status": true})
	shown := c.get(product(id, "/pictures/", c.add(id, "public", picture(900, 600)))).is(200).text("data.url")
	before, events := c.get(product(id)).is(200), c.get("/events").is(200)

	run := func(more string) (string, error) {
		return shell(t, folder, strings.NewReplacer(
			"/var/lib/vitrine/vitrine.db", old, "postgres://vitrine:secret@db.example.org/vitrine", postgres, "file:///srv/vitrine/photos", photos, "\n", more+"\n",
		).Replace(string(command)))
	}
	for what, c := range map[string]struct{ more, want string }{
		"an unknown site":    {" --site 99", "there is no such site"},
		"what is no address": {" --domain crm", "--domain is a scheme and a host"},
	} {
		if out, err := run(c.more); err == nil || !strings.Contains(out, c.want) || strings.Contains(out, "--abort") {
			t.Errorf("%s: %v: %s", what, err, out)
		}
	}
	if out, err := shell(t, folder, "VITRINE_SECRET_KEY="+strings.Repeat("A", 43)+"= vitrine move --from "+old+" --to new.db"); err == nil || !strings.Contains(out, "another key") {
		t.Errorf("another key: %v: %s", err, out)
	}
	if out, err := shell(t, folder, "vitrine move --site 99 --from "+old+" --to absent.db || ls absent.db"); err == nil || !strings.Contains(out, "there is no such site") {
		t.Errorf("a refused move makes a file: %v: %s", err, out)
	}
	if out, err := shell(t, folder, "vitrine move --from "+old+" --to no/such/folder.db"); err == nil || !strings.Contains(out, "--to: no/such/folder.db: ") {
		t.Errorf("no folder: %v: %s", err, out)
	}
	if out, err := shell(t, folder, "vitrine backup --database "+old+" no/such.tar.gz"); err == nil || !strings.Contains(out, "no/such.tar.gz cannot be written: no such file or directory") {
		t.Errorf("no folder: %v: %s", err, out)
	}
	if out, err := shell(t, folder, "vitrine migrate --database '"+postgres+"'"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := run(" --site 1 --abort"); err != nil || !strings.Contains(out, "nothing to undo") {
		t.Errorf("nothing to undo: %v: %s", err, out)
	}
	out, err := run("")
	if err != nil || !strings.Contains(out, "site 1: open at the target; its writes were refused for ") {
		t.Fatalf("%v: %s", err, out)
	}
	if got := c.get("/discovery").refused(308, "site_moved"); got.header.Get("Location") != "https://new.example.org/api/v2/site/discovery" {
		t.Error(got.header)
	}
	if again, err := run(""); err == nil || !strings.Contains(again, "it has moved already") || strings.Contains(again, "--abort") {
		t.Errorf("again: %v: %s", err, again)
	}
	next := served(t, "--database", postgres, "--photos", photos, "--public-url", p.url)
	d := &client{t: t, w: next, token: c.token}
	if after := d.get(product(id)).is(200); !bytes.Equal(after.body, before.body) || after.tag() != before.tag() {
		t.Errorf("%s\nwas %s", after, before)
	}
	if after := d.get("/events").is(200); !bytes.Equal(after.body, events.body) {
		t.Errorf("%s\nwas %s", after, events)
	}
	if got := d.get(strings.ReplaceAll(shown, p.url, next.url)).is(200); len(got.body) < 1000 {
		t.Errorf("the picture has %d bytes", len(got.body))
	}
	d.reprice(id)
}
