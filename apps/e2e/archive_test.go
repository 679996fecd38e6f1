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
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/adapters/archive"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	listing "github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	core "github.com/vitrine-crm/vitrine/core/port/archive"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

// testSecrets have the key by which worlds seal.
var testSecrets = config.Secrets{SecretKey: base64.StdEncoding.EncodeToString([]byte("32 bytes that only tests seal by"))}

func noProgress(core.Summary) {}

// leftOut are the tables that archives do not carry, and why.
var leftOut = map[string]string{
	"lineage":             "it says where the database is",
	"schema_migration":    "says of the database how far its schema has come",
	"meta":                "says things of the database; the key of the hashes goes with the archive on its own",
	"credential_usage":    "counts a day's requests of clients at all their sites, and a quota begins anew with the database",
	"credential_use":      "says when clients were last used at all their sites, which people look at and nothing depends on",
	"operator":            "operators look after an installation, not a site; a role at one is nothing at another",
	"operator_session":    "a session is of an operator",
	"passkey":             "a passkey is of an operator",
	"passkey_challenge":   "is asked of somebody who signs in, within minutes",
	"operator_invitation": "an invitation is to an installation",
	"audit":               "says what operators of an installation did there",
	"import_run":          "what a run did is in the listings; an operator started it, and a process of the installation carried it out",
	"import_line":         "is a line of the report of such a run",
	"receipt":             "answers are kept for a day, for requests that are under way when one moves",
	"calendar":            "its rows are there to be held, and say nothing",
	"follower":            "a follower begins anew at a site it does not know, and finds what was found before",
	"hook_turn":           "which webhook is due follows from the deliveries that are pending; leases are of processes",
	"sqlite_sequence":     "is of SQLite itself",
	"sequence":            "PostgreSQL has sequences of its own: what counts is that ids go on, which is looked at elsewhere",
}

// TestEveryTableIsCarriedOrLeftOutForAReason moves a site that has something in
// every column from SQLite to PostgreSQL and back, and compares the tables row by
// row. Whoever adds a table or a column has to carry it, or say why not; and has to
// fill it in porttest.FillSite.
func TestEveryTableIsCarriedOrLeftOutForAReason(t *testing.T) {
	t.Parallel()
	const id site.ID = 7
	first := database(t, "sqlite")
	porttest.FillSite(t, first.store, id)
	want := first.archive(t, id)
	databases := []*world{first, database(t, "sqlite")}
	if os.Getenv(clusterVariable) != "" {
		databases = slices.Insert(databases, 1, database(t, "postgres"))
	}
	for i, to := range databases[1:] {
		to.bring(t, databases[i].archive(t, id))
		if got := to.archive(t, id); !bytes.Equal(want, got) {
			t.Fatalf("after move %d the archive has other bytes: %d and %d", i+1, len(want), len(got))
		}
	}
	before := tables(t, first)
	for i, to := range databases[1:] {
		after := tables(t, to)
		if i == len(databases)-2 {
			if d := cmp.Diff(before, after); d != "" {
				t.Errorf("the tables of SQLite differ (-before +after):\n%s", d)
			}
		}
		if names, again := slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)); !slices.Equal(names, again) {
			t.Errorf("the tables are %q, and were %q", again, names)
		}
	}
	for name, rows := range before {
		if len(rows) == 0 {
			t.Errorf("there is nothing in the table %s: fill it in porttest.FillSite", name)
		}
	}
	for name := range leftOut {
		if _, known := first.rows(t)[name]; !known {
			t.Errorf("there is no table %s to be left out", name)
		}
	}
}

var sealed = regexp.MustCompile(`v1:[0-9a-f]{8}:[A-Za-z0-9+/]+`)

// tables are the rows of the tables that archives carry; secrets, which are sealed
// anew each time, are only said to be sealed.
func tables(t *testing.T, w *world) map[string][]string {
	t.Helper()
	all := w.rows(t)
	maps.DeleteFunc(all, func(name string, _ []string) bool { return leftOut[name] != "" })
	for _, rows := range all {
		for i := range rows {
			rows[i] = sealed.ReplaceAllString(rows[i], "sealed")
		}
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
	if _, err := wire.ExportArchive(t.Context(), &file, w.store.(*sqlstore.Store), w.blobs, testSecrets, id, false, noProgress); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func opened(t *testing.T, content []byte) *archive.File {
	t.Helper()
	keys, err := wire.ArchiveKeys(testSecrets)
	if err != nil {
		t.Fatal(err)
	}
	file, err := archive.Open(t.Context(), bytes.NewReader(content), keys)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// bring imports an archive.
func (w *world) bring(t *testing.T, content []byte) {
	t.Helper()
	store, file := w.store.(*sqlstore.Store), opened(t, content)
	if err := wire.CheckArchive(t.Context(), store, testSecrets, file); err != nil {
		t.Fatal(err)
	}
	if _, err := wire.ImportArchive(t.Context(), store, w.blobs, file, noProgress); err != nil {
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
			for _, w := range []*world{first, third} {
				porttest.FillSite(t, w.store, 7)
			}
			porttest.FillSite(t, first.store, 8)
			content := first.archive(t, 7)
			third.archive(t, 7) // which makes it draw a key of its own
			second.bring(t, content)
			second.bring(t, first.archive(t, 8)) // of the same database
			if err := wire.CheckArchive(t.Context(), third.store.(*sqlstore.Store), testSecrets, opened(t, content)); err == nil || !strings.Contains(err.Error(), "a key of its own") {
				t.Errorf("a database with another key: %v", err)
			}
			if err := wire.CheckArchive(t.Context(), second.store.(*sqlstore.Store), testSecrets, opened(t, content)); err == nil || !strings.Contains(err.Error(), "site 7 is there already") {
				t.Errorf("a site that is there: %v", err)
			}
			none := database(t, engine)
			before := none.rows(t)
			if _, err := wire.ImportArchive(t.Context(), none.store.(*sqlstore.Store), fullBlobs{none.blobs}, siteWithPicture(t), noProgress); err == nil {
				t.Error("an import whose pictures cannot be kept succeeds")
			}
			after := none.rows(t)
			for _, name := range []string{"site", "meta", "ledger"} {
				if !slices.Equal(before[name], after[name]) {
					t.Errorf("it leaves in %s: %q, and there was %q", name, after[name], before[name])
				}
			}
		})
	}
}

// fullBlobs have no room for pictures.
type fullBlobs struct{ port.Blobs }

func (fullBlobs) Put(context.Context, string, []byte) error { return errors.New("no room") }

// siteWithPicture is the archive of a site with a picture.
func siteWithPicture(t *testing.T) *archive.File {
	t.Helper()
	const content = "a picture"
	store, blobs := memstore.New(), memstore.NewBlobs(time.Now)
	sum := sha256.Sum256([]byte(content))
	p := listing.Product{ID: 1, Site: 7, Pictures: []listing.Picture{{ID: 1, SHA256: hex.EncodeToString(sum[:])}}}
	err := store.Update(t.Context(), func(tx port.Tx) error {
		return errors.Join(tx.Sites().Put(site.Site{ID: 7}), tx.Products().Add(p), blobs.Put(t.Context(), p.PictureKey(p.Pictures[0]), []byte(content)))
	})
	if err != nil {
		t.Fatal(err)
	}
	return opened(t, packed(t, store, blobs, 7))
}

// packed is the archive of a site in any store.
func packed(t *testing.T, store port.Store, blobs port.Blobs, id site.ID) []byte {
	t.Helper()
	keys, err := wire.ArchiveKeys(testSecrets)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := archive.NewWriter(&file, id, keys, "a key of hashes", true)
	if err == nil {
		_, err = core.Export(t.Context(), store, blobs, id, w, noProgress)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestAfterAMoveClientsGoOn: tokens, refresh tokens, cursors, tags, versions,
// answers and pictures are after a move what they were before.
func TestAfterAMoveClientsGoOn(t *testing.T) {
	t.Parallel()
	for _, way := range [][2]string{{"sqlite", "postgres"}, {"postgres", "sqlite"}, {"memory", "sqlite"}} {
		t.Run(way[0]+" to "+way[1], func(t *testing.T) {
			t.Parallel()
			mustHave(t, way[0])
			mustHave(t, way[1])
			at := standingStill(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
			before, after := apart(t, way[0], at), apart(t, way[1], at, described())

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
			page := c.search(object{"limit": 3}).is(200)

			content := packed(t, before.store, before.blobs, 1)
			if _, err := core.Import(t.Context(), after.store, after.blobs, opened(t, content), func(port.Tx) error { return nil }, noProgress); err != nil {
				t.Fatal(err)
			}

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
			next := object{"limit": 3, "cursor": page.at("next_cursor")}
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
// SQLite and on PostgreSQL.
func TestAnySiteMovesBetweenDatabases(t *testing.T) {
	t.Parallel()
	mustHave(t, "postgres")
	databases := []*world{database(t, "sqlite"), database(t, "postgres")}
	id := site.ID(0)
	rapid.Check(t, func(r *rapid.T) {
		id++
		model := memstore.New()
		porttest.RandomSite(r, model, id)
		content := packed(t, model, nil, id)
		want := records(t, content)
		for _, to := range databases {
			if _, err := core.Import(t.Context(), to.store, nil, opened(t, content), func(port.Tx) error { return nil }, noProgress); err != nil {
				r.Fatal(err)
			}
			content = packed(t, to.store, nil, id)
			if d := cmp.Diff(want, records(t, content), cmpopts.EquateEmpty()); d != "" {
				r.Fatalf("on %s (-before +after)\n%s", to.database, d)
			}
		}
	})
}

// byKind are the records of an archive by kind, without the sequences: all sites
// of a database have them in common.
type byKind map[string][]any

func (r byKind) Records(k core.Kind, records []any) error {
	if k.Name != "sequences" {
		r[k.Name] = append(r[k.Name], records...)
	}
	return nil
}

func (byKind) Picture(string, []byte) error { return nil }

func records(t *testing.T, content []byte) byKind {
	t.Helper()
	r := byKind{}
	if err := opened(t, content).Each(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return r
}
