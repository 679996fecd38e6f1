package e2e_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

// TestAServerSeesThatItsDatabaseWasSetBack: two servers on one database live through its
// restoring from an older copy. Neither takes what was written since for what is written
// now, though the numbers were the same.
func TestAServerSeesThatItsDatabaseWasSetBack(t *testing.T) {
	t.Parallel()
	mustHave(t, "postgres")
	database, drop, err := newSchema()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(drop)
	first := serving(t, database)
	second := served(t, "--database", database, "--public-url", first.url)
	a := first.network(t)
	b := &client{t: t, w: second, token: a.token}
	kept := a.create(object{"model": "kept"})
	before := a.count(object{})
	back := keepDatabase(t, database)

	// What is lost: products that are searched for and read, and a token that is used.
	told := a.ledger()
	lost := map[int64]string{}
	var latest int64
	for i := range 20 {
		latest = a.create(object{"model": fmt.Sprint("lost-", i), "web_status": true})
		lost[latest] = a.get(product(latest)).is(200).tag()
		b.get(product(latest)).is(200)
	}
	if n := a.count(object{}); n != before+20 || b.count(object{}) != n {
		t.Fatalf("%d products", n)
	}
	told.news()
	back()

	// What is new comes by one server, the other one has only what it remembers.
	if n := a.count(object{}); n != before {
		t.Errorf("of %d products %d are counted", before, n)
	}
	var fresh []int64
	for i := range 20 {
		id := b.create(object{"model": fmt.Sprint("new-", i), "web_status": true})
		if _, was := lost[id]; was || id <= latest {
			t.Errorf("the id %d comes again, after %d", id, latest)
		}
		fresh = append(fresh, id)
	}
	for id, tag := range lost {
		a.get(product(id)).refused(404, "not_found")
		a.get(product(id), "If-None-Match", tag).refused(404, "not_found")
	}
	for i, id := range fresh {
		model := fmt.Sprint("new-", i)
		a.get(product(id)).is(200).equals("data.model", model)
		if found := a.search(object{"model": model}).is(200).ids(); !slices.Equal(found, []int64{id}) {
			t.Errorf("%s is found as %v", model, found)
		}
	}
	if n := a.count(object{}); n != before+20 {
		t.Errorf("%d products, want %d", n, before+20)
	}
	a.get(product(kept)).is(200)
	// A client with a cursor from before gets everything that follows.
	news := told.news()
	for _, id := range fresh {
		if !slices.Contains(news, fmt.Sprint("PRODUCT_CREATE ", id)) {
			t.Errorf("%d is not told to who knew what was lost", id)
		}
	}

	// The revision of a revocation was known too, with another content.
	token := b.grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200).text("access_token")
	a.with(token).get("/site").is(200)
	b.form("/api/client/token/revoke", "sandbox-network", "sandbox-network-secret", url.Values{"token": {token}}).is(200)
	a.with(token).get("/site").refused(401, "unauthenticated")
	first.told()
	first.ends()
}

// keepDatabase remembers what is in a database of PostgreSQL. back brings it back in
// tables made anew, as a restored dump does.
func keepDatabase(t *testing.T, database string) (back func()) {
	t.Helper()
	open := func() *sqlstore.Store {
		store, err := wire.OpenStore(t.Context(), config.Database{Database: database, Connections: 2}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		return store
	}
	type row struct {
		table   string
		columns []string
		values  []any
	}
	var rows []row
	store := open()
	schema, err := store.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sequences, err := store.Rows(t.Context(), func(table string, columns []string, values []any) error {
		rows = append(rows, row{table, slices.Clone(columns), slices.Clone(values)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("postgres", database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { raw.Close() })
	var place string
	if err := raw.QueryRowContext(t.Context(), "SELECT place FROM lineage").Scan(&place); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
	again:
		if err := open().Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := raw.ExecContext(t.Context(), "DELETE FROM lineage"); err != nil {
			t.Fatal(err)
		}
		err := open().Load(t.Context(), sqlstore.Dump{Schema: schema, Sequences: sequences}, func(put func(string, []string, [][]any) error) error {
			for _, r := range rows {
				if err := put(r.table, r.columns, [][]any{r.values}); err != nil {
					return err
				}
			}
			return nil
		})
		if errors.Is(err, sqlstore.ErrNotEmpty) {
			goto again // the servers beside it were faster, and took a lease
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := raw.ExecContext(t.Context(), "UPDATE lineage SET place = $1", place); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnOlderFileInPlaceOfALaterOne: an SQLite file does not know that it is older, so its
// operator says so.
func TestAnOlderFileInPlaceOfALaterOne(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	database := filepath.Join(folder, "vitrine.db")
	p := serving(t, database)
	kept := p.network(t).create(object{"model": "kept"})
	p.stop()
	if out, err := shell(t, folder, "cp vitrine.db older.db"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p = serving(t, database)
	c := p.network(t)
	told := c.ledger()
	lost := c.create(object{"model": "lost"})
	told.news()
	p.stop()
	if out, err := shell(t, folder, "rm -f vitrine.db-wal vitrine.db-shm; mv older.db vitrine.db; vitrine database moved --database vitrine.db"); err != nil || out == "" {
		t.Fatalf("%v: %s", err, out)
	}
	p = serving(t, database)
	d := p.network(t)
	d.get(product(kept)).is(200)
	d.get(product(lost)).refused(404, "not_found")
	next := d.create(object{"model": "next"})
	if next <= lost {
		t.Errorf("the id %d comes after %d, which was lost", next, lost)
	}
	told.c = d
	// The sandbox listens elsewhere now, and so do the logos and portraits that it serves.
	news := slices.DeleteFunc(told.news(), func(e string) bool { return !strings.HasPrefix(e, "PRODUCT_") })
	if want := fmt.Sprint("PRODUCT_CREATE ", next); len(news) != 1 || news[0] != want {
		t.Errorf("the ledger tells %v, want %s", news, want)
	}
}

// A log that a later file left is taken for that of the older one, and makes a mixture of
// both. It is found out before anybody serves it.
func TestALogThatWasLeftBesideAnOlderFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	database := filepath.Join(folder, "vitrine.db")
	moved := func() (string, error) { return shell(t, folder, "vitrine database moved --database vitrine.db") }
	if out, err := moved(); err == nil || !strings.Contains(out, "there is nothing in vitrine.db yet") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(database); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file was made: %v", err)
	}
	p := serving(t, database)
	p.network(t).create(object{"model": "kept"})
	p.stop()
	if out, err := shell(t, folder, "vitrine check --database vitrine.db --public-url https://crm.example.org; cp vitrine.db older.db"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p = serving(t, database)
	c := p.network(t)
	for i := range 300 {
		c.create(object{"model": fmt.Sprint("lost-", i)})
	}
	raw, err := sql.Open("sqlite", database)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	c.create(object{"model": "last"})
	if out, err := shell(t, folder, "cp vitrine.db-wal left"); err != nil { // as after a kill
		t.Fatalf("%v: %s", err, out)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	p.stop()
	if out, err := shell(t, folder, "mv older.db vitrine.db; mv left vitrine.db-wal"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := shell(t, folder, "vitrine check --database vitrine.db --public-url https://crm.example.org"); err == nil || !strings.Contains(out, "damaged") && !strings.Contains(out, "malformed") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := moved(); err == nil || !strings.Contains(out, "damaged") && !strings.Contains(out, "malformed") {
		t.Errorf("%v: %s", err, out)
	}
}
