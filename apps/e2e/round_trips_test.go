package e2e_test

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/pages"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/demo"
)

// wiretap stands between a server and PostgreSQL, and counts the round trips: how often the
// server sends something after it was answered.
type wiretap struct {
	net.Listener
	database           string
	trips, connections atomic.Int64
	closing            sync.WaitGroup
}

func newWiretap(t *testing.T, database string) *wiretap {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wiretap{Listener: listener, database: database}
	w.closing.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			w.connections.Add(1)
			w.closing.Go(func() { w.carry(conn) })
		}
	})
	return w
}

// nowAndThen is what the server asks once a second, whatever it is asked: it is not counted.
const nowAndThen = "SELECT value FROM meta"

// carry takes what is sent over a connection to PostgreSQL, and the answers back.
func (w *wiretap) carry(server net.Conn) {
	defer server.Close()
	postgres, err := net.Dial("tcp", w.database)
	if err != nil {
		return
	}
	var answered atomic.Bool
	answered.Store(true)
	w.closing.Go(func() {
		defer server.Close()
		pass(server, postgres, func([]byte) { answered.Store(true) })
	})
	defer postgres.Close()
	pass(postgres, server, func(sent []byte) {
		if answered.CompareAndSwap(true, false) && !bytes.Contains(sent, []byte(nowAndThen)) {
			w.trips.Add(1)
		}
	})
}

// pass carries bytes in one direction, and tells of them before they arrive.
func pass(to, from net.Conn, tell func([]byte)) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		tell(buffer[:n])
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// tapped has a world reach its database through a wiretap, over one connection, and prepare
// no statement: to prepare one is a round trip, which is made once for each connection.
func tapped(t *testing.T, at **wiretap) choice {
	return func(c *choices) {
		c.connect = func(d *config.Database) error {
			database, err := url.Parse(d.Database)
			if err != nil {
				return err
			}
			*at = newWiretap(t, database.Host)
			t.Cleanup(func() {
				_ = (*at).Close()
				(*at).closing.Wait()
			})
			database.Host = (*at).Addr().String()
			d.Database, d.Connections, d.Pooled = database.String(), 1, true
			return nil
		}
	}
}

// tripScript counts the round trips of requests.
type tripScript struct {
	t      *testing.T
	tap    *wiretap
	client *exampleScript
	// requests are those of the docs page, in the names of the world.
	requests []pages.Request
	// rows are those of the page, and known are the operations that are in them.
	rows  bytes.Buffer
	known map[string]bool
}

// start makes a world in which nothing was asked yet.
func (s *tripScript) start() {
	s.t.Helper()
	look := &pages.Demo{}
	w := startedSandbox(s.t, "postgres", tapped(s.t, &s.tap),
		standingStill(time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)),
		configured(func(c *config.Server) { c.Demo = look }))
	*look = *demo.Look(w.ports)
	for _, pool := range w.store.(*sqlstore.Store).Pools() {
		pool.SetConnMaxLifetime(0) // to open one is round trips
	}
	s.client = &exampleScript{client: w.network(s.t), kept: map[string]example{}}
	var err error
	if s.requests, err = demo.Requests(s.t.Context(), w.ports); err != nil {
		s.t.Fatal(err)
	}
	for range 2 { // a server learns what to expect of a site by the first
		s.client.post("/products", object{"agency_id": 11, "customer_id": 1006}).is(201)
	}
}

// warm has the server load what it caches of a site: its settings, its products and its open
// search requests, as they are after the request before.
func (s *tripScript) warm() {
	s.t.Helper()
	s.client.post("/products/search", object{}).is(200)
	home := s.client.post("/products/search", object{"model": "11-1001"}).is(200).ids()[0]
	s.client.get(product(home, "/matching-searches")).is(200)
}

// count plays a request of the script, and writes down how many round trips it took. It is
// played in another world if it cannot be played after those before it. What only reads is
// played twice, and the second time counts.
func (s *tripScript) count(n int) {
	s.t.Helper()
	for range 2 {
		s.warm()
		q := s.requests[n]
		if q.Method == http.MethodGet {
			s.client.ask(q)
		}
		connections, before := s.tap.connections.Load(), s.tap.trips.Load()
		request, _, a := s.client.ask(q)
		took := s.tap.trips.Load() - before
		if s.tap.connections.Load() != connections {
			s.t.Fatal("a connection was opened")
		}
		if a.status < 300 {
			s.note(request, took)
			return
		}
		s.start()
	}
	s.t.Fatalf("%s %s cannot be played", s.requests[n].Method, s.requests[n].Path)
}

// note adds a row to the page, for the first request of an operation.
func (s *tripScript) note(request *http.Request, took int64) {
	s.t.Helper()
	in, err := document().input(request)
	if err != nil {
		s.t.Fatal(err)
	}
	id, isOperation := in.Route.Operation.Extensions["x-operation"].(string)
	if isOperation && !s.known[id] {
		s.known[id] = true
		fmt.Fprintf(&s.rows, "- `%s`: %d\n", id, took)
	}
}

const tripPage = `<!-- Written by ` + "`make golden`" + `; do not edit. -->

# Round trips

How often each operation waits for PostgreSQL, counted on the wire by a test. The request is the one that the API document shows. Nobody else writes to
the site; the server has read from it and written to it before, and the statements are prepared. The sites have webhooks. That the tables are those the server knows is asked once a second,
and not counted. Methods and paths are in [authorisation.md](authorisation.md).

`

// TestRoundTripsGolden: every operation waits for the database as often as the page says.
func TestRoundTripsGolden(t *testing.T) {
	t.Parallel()
	mustHave(t, "postgres")
	s := &tripScript{t: t, known: map[string]bool{}}
	s.start()
	for n := range s.requests {
		s.count(n)
	}
	for _, o := range s.client.w.Operations() {
		if !s.known[o.ID] && o.ID != withoutExample {
			t.Errorf("%s is not counted", o.ID)
		}
	}
	path := filepath.Join("..", "..", "docs", "reference", "round-trips.md")
	page := tripPage + s.rows.String()
	if os.Getenv("VITRINE_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	known, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	had := map[string]bool{}
	for line := range strings.Lines(string(known)) {
		had[line] = true
	}
	for line := range strings.Lines(page) {
		if !had[line] {
			t.Errorf("docs/reference/round-trips.md lacks %s", strings.TrimSpace(line))
		}
	}
	if !t.Failed() && string(known) != page {
		t.Error("docs/reference/round-trips.md has more than was counted")
	}
	if t.Failed() {
		t.Log("run `make golden` and look at the difference")
	}
}
