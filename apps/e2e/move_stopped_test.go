package e2e_test

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAMoveOfEverythingThatIsStoppedGoesOn moves two sites with their operators from
// PostgreSQL to SQLite, while a server runs. It is stopped between the two again and again,
// and the same command goes on.
func TestAMoveOfEverythingThatIsStoppedGoesOn(t *testing.T) {
	t.Parallel()
	mustHave(t, "postgres")
	folder := t.TempDir()
	photos, target := "file://"+filepath.Join(folder, "photos"), filepath.Join(folder, "new.db")
	postgres, drop, err := newSchema()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(drop)
	p := serving(t, postgres, "--photos", photos)
	type seen struct {
		*client
		id                    int64
		shown                 string
		before, events, found answer
	}
	var sites []seen
	look := func(c *client, id int64) (before, events, found answer) {
		return c.get(product(id, "?fetch=rooms,descriptions")).is(200), c.get("/events").is(200), c.post("/products/search", object{}).is(200)
	}
	for _, c := range []*client{p.network(t), p.rival(t)} {
		s := seen{client: c, id: c.create(object{"model": "moving", "web_status": true})}
		s.shown = c.get(product(s.id, "/pictures/", c.add(s.id, "public", picture(900, 600)))).is(200).text("data.url")
		s.before, s.events, s.found = look(c, s.id)
		sites = append(sites, s)
	}
	open := func(driver, at string) *sql.DB {
		db := (&world{database: at}).raw(t, driver)
		t.Cleanup(func() { db.Close() })
		return db
	}
	change := func(db *sql.DB, statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	if out, err := shell(t, folder, "vitrine migrate --database new.db"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	here, there := open("postgres", postgres), open("sqlite", target)
	change(here, `INSERT INTO operator (site_id, id, email, body) VALUES (0, 77, 'ada@example.org', '{"ID":77,"Email":"ada@example.org","Name":"Ada","Role":"integrator","Everywhere":true}')`,
		"CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stopped here'; END $$")
	move := func() (string, error) {
		return shell(t, folder, "vitrine move --from '"+postgres+"' --from-photos "+photos+" --to new.db")
	}

	for _, stop := range []struct {
		what, begin, end string
		db               *sql.DB
		// here and there are the states of both sites in the two databases.
		here, there []string
	}{
		{"the second site is copied", "CREATE TRIGGER stop BEFORE INSERT ON site_head WHEN NEW.site_id = 2 BEGIN SELECT RAISE(ABORT, 'stopped here'); END",
			"DROP TRIGGER stop", there, []string{"1 2", "2 2"}, []string{"1 3"}},
		{"the second site is closed", "CREATE TRIGGER stop BEFORE UPDATE ON site_head FOR EACH ROW WHEN (NEW.site_id = 2 AND NEW.state = 4) EXECUTE FUNCTION stop()",
			"DROP TRIGGER stop ON site_head", here, []string{"1 4", "2 2"}, []string{"1 3", "2 3"}},
		{"the second site is opened", "CREATE TRIGGER stop BEFORE UPDATE ON site_head WHEN NEW.site_id = 2 AND NEW.state = 0 BEGIN SELECT RAISE(ABORT, 'stopped here'); END",
			"DROP TRIGGER stop", there, []string{"1 4", "2 4"}, []string{"1 0", "2 3"}},
	} {
		change(stop.db, stop.begin)
		out, err := move()
		if err == nil || !strings.Contains(out, "stopped here") || !strings.Contains(out, "Run the same command again") {
			t.Errorf("stopped before %s: %v: %s", stop.what, err, out)
		}
		const states = "SELECT site_id || ' ' || state FROM site_head ORDER BY site_id"
		if atHere, atThere := rowsOf(t, here, states), rowsOf(t, there, states); !slices.Equal(atHere, stop.here) || !slices.Equal(atThere, stop.there) {
			t.Errorf("stopped before %s, the sites are %q and %q: %s", stop.what, atHere, atThere, out)
		}
		change(stop.db, stop.end)
	}
	out, err := move()
	if err != nil || !strings.Contains(out, "site 1: it has moved already") || !strings.Contains(out, "site 2: open at the target") {
		t.Fatalf("%v: %s", err, out)
	}

	next := served(t, "--database", target, "--public-url", p.url)
	for _, s := range sites {
		d := &client{t: t, w: next, token: s.token}
		before, events, found := look(d, s.id)
		if !bytes.Equal(before.body, s.before.body) || before.tag() != s.before.tag() {
			t.Errorf("%s\nwas %s", before, s.before)
		}
		if !bytes.Equal(events.body, s.events.body) {
			t.Errorf("%s\nwas %s", events, s.events)
		}
		if !bytes.Equal(found.body, s.found.body) {
			t.Errorf("%s\nwas %s", found, s.found)
		}
		if got := d.get(strings.ReplaceAll(s.shown, p.url, next.url)).is(200); len(got.body) < 1000 {
			t.Errorf("the picture has %d bytes", len(got.body))
		}
		last := d.lastEvent()
		d.reprice(s.id)
		if now := d.lastEvent(); now != last+1 {
			t.Errorf("the event after %d is %d", last, now)
		}
	}
	if out, err := shell(t, folder, "vitrine operator list --database new.db"); err != nil || !strings.Contains(out, "ada@example.org") {
		t.Errorf("operators: %v: %s", err, out)
	}
}
