package e2e_test

import (
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// standbyVariable names the environment variable with the program that starts and ends
// standbys of the cluster.
const standbyVariable = "VITRINE_TEST_POSTGRES_STANDBY"

// standbyOf starts a standby of a database, which lasts until the test ends.
func standbyOf(t *testing.T, database string) string {
	t.Helper()
	program := os.Getenv(standbyVariable)
	if program == "" {
		t.Skipf("%s is not set: run the tests through go run ./apps/internal/cluster", standbyVariable)
	}
	name := strings.ToLower(t.Name())
	port, err := exec.CommandContext(t.Context(), program, "start", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if out, err := exec.Command(program, "stop", name).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	at, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	at.Host = net.JoinHostPort("127.0.0.1", strings.TrimSpace(string(port)))
	return at.String()
}

// replicated are a server that writes, another one that reads from a standby, and the
// databases of both.
type replicated struct {
	t                *testing.T
	database, copied string
	primary, standby *sql.DB
	writer           *client
}

func newReplicated(t *testing.T) *replicated {
	t.Helper()
	mustHave(t, "postgres")
	database, drop, err := newSchema()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(drop)
	r := &replicated{t: t, database: database, writer: serving(t, database).network(t), copied: standbyOf(t, database)}
	for _, end := range []struct {
		db  **sql.DB
		url string
	}{{&r.primary, r.database}, {&r.standby, r.copied}} {
		if *end.db, err = sql.Open("postgres", end.url); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { (*end.db).Close() })
	}
	return r
}

// reader is a client of another server, which reads from the standby.
func (r *replicated) reader() *client {
	r.t.Helper()
	w := served(r.t, "--database", r.database, "--replica", r.copied, "--no-warm-up", "--public-url", r.writer.w.url)
	return &client{t: r.t, w: w, token: r.writer.token}
}

// ask is what a database answers with one text.
func (r *replicated) ask(db *sql.DB, question string) (answer string) {
	r.t.Helper()
	if err := db.QueryRowContext(r.t.Context(), question).Scan(&answer); err != nil {
		r.t.Fatal(err)
	}
	return answer
}

// holdBack has the standby learn nothing any more.
func (r *replicated) holdBack() {
	r.t.Helper()
	r.ask(r.standby, "SELECT pg_wal_replay_pause()")
	eventually(r.t, "replay is paused", func() bool { return r.ask(r.standby, "SELECT pg_get_wal_replay_pause_state()") == "paused" })
}

func (r *replicated) letGo() {
	r.t.Helper()
	r.ask(r.standby, "SELECT pg_wal_replay_resume()")
}

// level waits until the standby has everything that was written.
func (r *replicated) level() {
	r.t.Helper()
	const heads = "SELECT string_agg(site_id || ' ' || seq || ' ' || settings || ' ' || access || ' ' || marks, ',' ORDER BY site_id) FROM site_head"
	now := r.ask(r.primary, heads)
	eventually(r.t, "the standby is level", func() bool { return r.ask(r.standby, heads) == now })
}

var replicaView = regexp.MustCompile(`(?m)^vitrine_replica_views_total\{outcome="(\w+)"\} (\d+)$`)

// views are what came so far of what the server of a client wanted of the standby.
func (c *client) views() map[string]int {
	c.t.Helper()
	response, err := c.w.http.Get(c.w.url + "/metrics")
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	counted := map[string]int{}
	for _, found := range replicaView.FindAllStringSubmatch(string(read(response.Body)), -1) {
		n, err := strconv.Atoi(found[2])
		if err != nil {
			c.t.Fatal(err)
		}
		counted[found[1]] = n
	}
	if len(counted) != 5 {
		c.t.Fatalf("outcomes %v", counted)
	}
	return counted
}

// came demands which outcomes grew while something was done, and that no other one did.
func (c *client) came(what string, want []string, do func()) {
	c.t.Helper()
	before := c.views()
	do()
	var grew []string
	for outcome, n := range c.views() {
		if n > before[outcome] {
			grew = append(grew, outcome)
		}
	}
	slices.Sort(grew)
	if !slices.Equal(grew, want) {
		c.t.Errorf("%s: of the views there are more that %v, want %v", what, grew, want)
	}
}

// TestAServerWithAReplicaIsNeverBehind: a server reads from a standby where that is level,
// and from the primary where it is not. Whatever another server wrote before is seen.
func TestAServerWithAReplicaIsNeverBehind(t *testing.T) {
	t.Parallel()
	r := newReplicated(t)
	w, first := r.writer, r.reader()
	// The model says which product it is, and is searched for and read.
	sees := func(c *client, id int64, model string) {
		t.Helper()
		c.get(product(id)).is(200).equals("data.model", model)
		if found := c.search(object{"model": model}).is(200).ids(); !slices.Equal(found, []int64{id}) {
			t.Errorf("%s is found as %v", model, found)
		}
	}
	levelled := w.create(object{"model": "level"})
	r.level()
	first.came("level, an index is loaded", []string{"used"}, func() { first.count(object{}) })
	first.came("level, a page is read", []string{"used"}, func() { sees(first, levelled, "level") })

	r.holdBack()
	before := first.count(object{})
	late := w.create(object{"model": "late"})
	first.came("held back, a page is read", []string{"behind"}, func() { sees(first, late, "late") })
	w.change(levelled, object{"criteria": criteria("Prix", 654321)}).is(204)
	first.came("held back, a product changed", []string{"behind"}, func() { first.get(product(levelled)).is(200).equals("data.price", 654321.0) })
	second := r.reader()
	second.came("held back, an index is loaded", []string{"behind"}, func() { sees(second, late, "late") })
	if n := second.count(object{}); n != before+1 {
		t.Errorf("%d products are counted, want %d", n, before+1)
	}
	rival := first.with(r.rival())
	first.came("held back, nothing was written about another site", []string{"used"}, func() { rival.search(object{}).is(200) })

	// Whether it is level when it is asked or not: nobody is shown what was.
	r.letGo()
	for i := range 20 {
		model := fmt.Sprint("moment-", i)
		id := w.create(object{"model": model})
		sees(first, id, model)
		w.delete(product(id)).is(204)
		first.get(product(id)).refused(404, "not_found")
	}

	last := w.create(object{"model": "level again"})
	r.level()
	first.came("level again", []string{"used"}, func() { sees(first, last, "level again") })
}

// rival is a token of another site.
func (r *replicated) rival() string { r.t.Helper(); return r.writer.w.rival(r.t).token }
