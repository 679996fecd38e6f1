package e2e_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/adapters/backup"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	listing "github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

// testSecrets have the key by which worlds seal.
var testSecrets = config.Secrets{SecretKey: base64.StdEncoding.EncodeToString([]byte("32 bytes that only tests seal by"))}

func noProgress(wire.Summary) {}

// ofDatabase are the tables that no archive carries, and why.
var ofDatabase = map[string]string{
	"lineage":          "says where the database is",
	"schema_migration": "says of the database how far its schema has come",
	"sqlite_sequence":  "is of SQLite itself",
	"calendar":         "its rows are there to be held, which only PostgreSQL needs",
}

// notOfTheSample are the tables of which the sample site has no row, or a row that says
// little, and what looks at them.
var notOfTheSample = []string{
	"audit", "operator", "operator_email", "operator_session", "operator_invitation", "passkey", "passkey_challenge", "operator_identity", "credential_usage", // the installation comes along
	"import_run", "import_line", "follower", "hook_turn", "meta", // a site is copied whole
	"alert_board", "alert_channel", "alert_notice", // of one installation: no site has any
}

// TestASiteComesBackAsItWent brings a site that has something in every column from SQLite to
// PostgreSQL and on to SQLite. Its archive is the same wherever it is, and so are its rows,
// apart from leases and from the ids of token families, which each copy draws anew.
func TestASiteComesBackAsItWent(t *testing.T) {
	t.Parallel()
	const id site.ID = 7
	first := database(t, "sqlite")
	porttest.FillSite(t, first.store, id)
	want := first.archive(t, id)
	databases := []*world{first, database(t, "sqlite"), database(t, "sqlite")}
	if os.Getenv(clusterVariable) != "" {
		databases = slices.Insert(databases, 1, database(t, "postgres"))
	}
	for i, to := range databases[1:] {
		to.bring(t, databases[i].archive(t, id))
		if got := to.archive(t, id); !bytes.Equal(want, got) {
			t.Fatalf("after move %d the archive has other bytes: %d and %d", i+1, len(want), len(got))
		}
	}
	before, after, again := tables(t, first), tables(t, databases[len(databases)-2]), tables(t, databases[len(databases)-1])
	if d := cmp.Diff(after, again); d != "" {
		t.Errorf("of two that were brought the tables differ:\n%s", d)
	}
	for _, name := range []string{"token", "token_family", "sequence", "follower"} {
		if len(before[name]) != len(after[name]) {
			t.Errorf("%s: %q, and was %q", name, after[name], before[name])
		}
		delete(before, name)
		delete(after, name)
	}
	if d := cmp.Diff(before, after); d != "" {
		t.Errorf("(-before +after):\n%s", d)
	}
}

// tables are the rows of all tables that are of a site or its clients.
func tables(t *testing.T, w *world) map[string][]string {
	t.Helper()
	all := w.rows(t)
	maps.DeleteFunc(all, func(name string, _ []string) bool { return ofDatabase[name] != "" })
	for _, rows := range all {
		slices.Sort(rows)
	}
	return all
}

// neverFilled are the columns that hold nothing, and why.
var neverFilled = map[string]string{
	"sale_offer.type":             "offers have no type; the tables of offers, agreements and leases have the same columns",
	"sale_offer.offer_id":         "only agreements are made from an offer",
	"letting.offer_id":            "only agreements are made from an offer",
	"sale_offer.later_at":         "the clock changes an offer once",
	"sale_offer.later_status":     "the clock changes an offer once",
	"sale_agreement.later_at":     "the clock changes an agreement once",
	"sale_agreement.later_status": "the clock changes an agreement once",
	"site_head.state":             "a site that is being moved, or was, is not archived",
	"site_head.move_id":           "a site that is being moved, or was, is not archived",
	"site_head.moved_to":          "a site that is being moved, or was, is not archived",
	"site_head.moved_until":       "a site that is being moved, or was, is not archived",
}

// TestEveryColumnIsFilled: a column that is empty in every row of the sample site
// would be carried by any archive.
func TestEveryColumnIsFilled(t *testing.T) {
	t.Parallel()
	w := database(t, "sqlite")
	porttest.FillSite(t, w.store, 7)
	db := w.raw(t, "sqlite")
	defer db.Close()
	for table := range tables(t, w) {
		if slices.Contains(notOfTheSample, table) {
			continue
		}
		for _, column := range rowsOf(t, db, "SELECT name FROM pragma_table_info('"+table+"')") {
			values := rowsOf(t, db, fmt.Sprintf("SELECT DISTINCT %s FROM %s", column, table))
			empty := []string{"", "0", "0.0", "null", "[]", "{}"}
			if neverFilled[table+"."+column] == "" && !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(empty, v) }) {
				t.Errorf("%s.%s is empty in every row: fill it in porttest.FillSite", table, column)
			}
		}
	}
}

// database is an empty database.
func database(t *testing.T, engine string) *world {
	t.Helper()
	w := &world{clock: &clock{}, tokens: map[string]string{}}
	store, err := w.open(engine, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.end)
	w.store, w.blobs = store, memstore.NewBlobs(time.Now)
	return w
}

// archive is what a site of the world is as an archive.
func (w *world) archive(t *testing.T, id site.ID) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := wire.ExportSite(t.Context(), &file, w.store.(*sqlstore.Store), w.blobs, testSecrets, id, false, noProgress); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// imports imports an archive.
func (w *world) imports(t *testing.T, content []byte, c config.Secrets, older ...[]byte) error {
	t.Helper()
	keys, err := wire.ArchiveKeys(c, older...)
	if err != nil {
		return err
	}
	file, err := wire.OpenArchive(t.Context(), bytes.NewReader(content), keys)
	if err != nil {
		return err
	}
	_, err = wire.ImportSite(t.Context(), w.store.(*sqlstore.Store), w.blobs, c, file, false, noProgress)
	return err
}

// bring imports an archive, which must succeed.
func (w *world) bring(t *testing.T, content []byte) {
	t.Helper()
	if err := w.imports(t, content, testSecrets); err != nil {
		t.Fatal(err)
	}
}

// TestTheKeyOfTheHashesMovesOrTheImportIsRefused: hashes under another key would
// be worth nothing.
func TestTheKeyOfTheHashesMovesOrTheImportIsRefused(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			mustHave(t, engine)
			first, second, third := database(t, engine), database(t, engine), database(t, engine)
			porttest.FillSite(t, first.store, 7)
			porttest.FillSite(t, first.store, 8)
			porttest.FillSite(t, third.store, 9)
			content := first.archive(t, 7)
			third.archive(t, 9) // which makes it draw a key of its own
			second.bring(t, content)
			second.bring(t, first.archive(t, 8)) // of the same database
			if err := third.imports(t, content, testSecrets); err == nil || !strings.Contains(err.Error(), "a key of its own") {
				t.Errorf("a database with another key: %v", err)
			}
			if err := second.imports(t, content, testSecrets); err == nil || !strings.Contains(err.Error(), "site 7 is there already") {
				t.Errorf("a site that is there: %v", err)
			}
			crowded := database(t, engine)
			if err := crowded.store.Update(t.Context(), func(tx port.Tx) error {
				return errors.Join(tx.Sites().Put(site.Site{ID: 3}), tx.Agencies().Put(site.Agency{ID: 7001, Site: 3}))
			}); err != nil {
				t.Fatal(err)
			}
			if err := crowded.imports(t, content, testSecrets); err == nil || !strings.Contains(err.Error(), "agency 7001 is there already, as one of site 3") {
				t.Errorf("an agency that is there: %v", err)
			}
			none := database(t, engine)
			none.blobs = fullBlobs{none.blobs}
			if err := none.imports(t, siteWithPicture(t), testSecrets); err == nil {
				t.Error("an import whose pictures cannot be kept succeeds")
			}
			after := none.rows(t)
			if len(after["site"]) > 0 || len(after["site_head"]) > 0 || strings.Contains(fmt.Sprint(after["meta"]), "pepper") {
				t.Errorf("it leaves %q, %q, %q", after["site"], after["site_head"], after["meta"])
			}
		})
	}
}

// fullBlobs have no room for pictures.
type fullBlobs struct{ port.Blobs }

func (fullBlobs) Put(context.Context, string, []byte) error { return errors.New("no room") }

// siteWithPicture is the archive of a site with a picture.
func siteWithPicture(t *testing.T) []byte {
	t.Helper()
	const content = "a picture"
	w := database(t, "sqlite")
	sum := sha256.Sum256([]byte(content))
	p := listing.Product{ID: 1, Site: 7, Pictures: []listing.Picture{{ID: 1, SHA256: hex.EncodeToString(sum[:])}}}
	err := w.store.Update(t.Context(), func(tx port.Tx) error {
		return errors.Join(tx.Sites().Put(site.Site{ID: 7}), tx.Products().Add(p), w.blobs.Put(t.Context(), p.PictureKey(p.Pictures[0]), []byte(content)))
	})
	if err != nil {
		t.Fatal(err)
	}
	return w.archive(t, 7)
}

// TestAnArchiveUnderAnotherKeyIsSealedAnew: who knows the key of its day keeps its secrets
// under the own one, and nobody else can open or change it.
func TestAnArchiveUnderAnotherKeyIsSealedAnew(t *testing.T) {
	t.Parallel()
	from, to := database(t, "sqlite"), database(t, "sqlite")
	porttest.FillSite(t, from.store, 7)
	content := from.archive(t, 7)
	another := config.Secrets{SecretKey: base64.StdEncoding.EncodeToString([]byte("another key of 32 bytes of tests"))}
	for what, err := range map[string]error{
		"under another key": to.imports(t, content, another),
		"changed":           to.imports(t, forged(t, content), testSecrets),
	} {
		if err == nil || !strings.Contains(err.Error(), "another secret key") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := to.imports(t, content, another, []byte("32 bytes that only tests seal by")); err != nil {
		t.Fatal(err)
	}
	alone := database(t, "sqlite")
	var file bytes.Buffer
	if _, err := wire.ExportSite(t.Context(), &file, to.store.(*sqlstore.Store), to.blobs, another, 7, false, noProgress); err != nil {
		t.Fatal(err)
	}
	if err := alone.imports(t, file.Bytes(), another); err != nil {
		t.Errorf("under the new key alone: %v", err)
	}
}

// forged is an archive with the same content, made by somebody without the key.
func forged(t *testing.T, content []byte) []byte {
	t.Helper()
	from, err := backup.Open(t.Context(), bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := backup.NewWriter(&file, from.Manifest, false)
	if err == nil {
		err = from.Each(t.Context(), backup.Sink{Rows: func(table string, columns []string, rows [][]any) (err error) {
			for _, row := range rows {
				err = errors.Join(err, w.Row(table, columns, row))
			}
			return err
		}})
	}
	if err == nil {
		_, err = w.Close(from.Sequences, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestAfterAMoveClientsGoOn: tokens, refresh tokens, cursors, tags, versions,
// answers and pictures are after a move what they were before.
func TestAfterAMoveClientsGoOn(t *testing.T) {
	t.Parallel()
	for _, way := range [][2]string{{"sqlite", "postgres"}, {"postgres", "sqlite"}} {
		t.Run(way[0]+" to "+way[1], func(t *testing.T) {
			t.Parallel()
			mustHave(t, way[0])
			mustHave(t, way[1])
			at := standingStill(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
			before, after := withOwnStore(t, way[0], at), withOwnStore(t, way[1], at, described())

			c := before.network(t)
			session := c.grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200)
			id := c.create(object{"model": "moving-1", "web_status": true, "criteria": criteria("Prix", 1234567, "Ville", "Lyon")})
			shown := c.add(id, "public", picture(900, 600))
			c.add(id, "private", picture(901, 600))
			gone := c.create(object{"model": "moving-2"})
			c.delete(product(gone)).is(204)
			h := c.subscribe("https://receiver.example/hook", object{"headers": object{"X-Secret": "said to nobody"}})
			secret := c.get(h.path("/secret")).is(200).text("data.secret")
			c.reprice(id)
			events := c.get("/events?limit=2").is(200)
			tag := c.get(product(gone-1, "?fetch=rooms")).is(200)
			page := c.search(object{"count": 3}).is(200)

			after.bring(t, before.archive(t, 1))

			d := &client{t: t, w: after, token: c.token}
			for _, path := range []string{
				"/discovery", "/site", "/agencies", "/criterias/product/all", "/configs/listes", "/actions/types", "/users", "/users/groups",
				product(id, "?fetch=rooms,descriptions,products_photos,customer,created_by,actions_history,log_actions,statistic"), product(id, "/pictures"), product(id, "/actions"), customerPath(1101), customerPath(1101, "searches"),
				customerPath(1101, "follow-ups"), customerPath(1101, "export"), customerPath(1101, "searches/1/matching-products"), "/leads",
				"/hooks", h.path(""), h.path("/deliveries"), h.path("/secret"), "/events", "/events?after=" + fmt.Sprint(events.id("last_id")),
			} {
				was, is := c.get(path), d.get(path)
				if same := fromAnywhere(was, before) == fromAnywhere(is, after); was.status != is.status || !same {
					t.Errorf("%s\nwas %s", is, was)
				}
			}
			d.get(product(gone)).is(404)
			d.get(h.path("/secret")).is(200).equals("data.secret", secret)
			next := object{"count": 3, "cursor": page.at("next_cursor")}
			if was, is := c.search(next).is(200), d.search(next).is(200); fromAnywhere(was, before) != fromAnywhere(is, after) {
				t.Errorf("%s\nwas %s", is, was)
			}
			if d.count(object{"keyword": "moving"}) != c.count(object{"keyword": "moving"}) {
				t.Error("a search counts something else")
			}
			d.get(d.get(product(id, "/pictures/"+shown)).is(200).text("data.url")).is(200)
			d.send("PATCH", product(gone-1), object{"product_id": gone - 1, "color": 2}, "If-Match", tag.tag()).is(204)
			d.send("PATCH", product(gone-1), object{"product_id": gone - 1, "color": 3}, "If-Match", tag.tag()).refused(412, "precondition_failed")
			d.post("/products", object{"agency_id": 11, "model": "moving-2"}).refused(422, "reference_taken", "model")
			if fresh := d.create(object{"model": "moving-3"}); fresh <= gone {
				t.Errorf("the id %d was used before", fresh)
			}
			if last := d.lastEvent(); last <= events.id("last_id") {
				t.Errorf("the ledger goes on at %d", last)
			}
			refreshed := d.form("/api/client/token/refresh", "sandbox-network", "sandbox-network-secret", url.Values{"refresh_token": {session.text("refresh_token")}}).is(200)
			d.with(refreshed.text("access_token")).get("/site").is(200)
			d.grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200)
			d.grant("sandbox-network", url.Values{"site_id": {"2"}}).refused(404, "unknown_site") // which did not move
		})
	}
}

// fromAnywhere is an answer without where it comes from.
func fromAnywhere(a answer, w *world) string {
	return strings.ReplaceAll(string(a.body), w.url, "https://crm.example")
}

// TestAnySiteMovesBetweenDatabases: whatever was done at a site, it is the same on
// SQLite and on PostgreSQL. Ten sites stand for the hundred of a proof.
func TestAnySiteMovesBetweenDatabases(t *testing.T) {
	t.Parallel()
	mustHave(t, "postgres")
	from, databases := database(t, "sqlite"), []*world{database(t, "postgres"), database(t, "sqlite")}
	id := site.ID(0)
	rapid.Check(t, func(r *rapid.T) {
		if id++; id > 10 && os.Getenv(proofVariable) == "" {
			return
		}
		porttest.RandomSite(r, from.store, id)
		want := from.archive(t, id)
		content := want
		for _, to := range databases {
			if err := to.imports(t, content, testSecrets); err != nil {
				r.Fatal(err)
			}
			if content = to.archive(t, id); !bytes.Equal(want, content) {
				r.Fatalf("on %s the archive has other bytes: %d and %d", to.database, len(want), len(content))
			}
		}
	})
}
