package e2e_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/lib/pq" // the driver, for schemas of one's own
	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/httpapi"
	"github.com/vitrine-crm/vitrine/adapters/images"
	"github.com/vitrine-crm/vitrine/adapters/phones"
	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/requestlog"
	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/porttest"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

// engines are the stores every scenario runs on. Scenarios that share a world run
// on narrow, too.
var engines = []string{"memory", "sqlite", "postgres"}

const narrow = "postgres" + withOneConnection

// clusterVariable names the environment variable with the URL of a throw-away
// PostgreSQL cluster.
const clusterVariable = "VITRINE_TEST_POSTGRES"

// world is the API over one store, listening, with the data of the sandbox.
type world struct {
	*siteapi.Service
	// url is scheme and host.
	url   string
	store port.Store
	// database is where the store is, empty in memory.
	database string
	blobs    port.Blobs
	clock    *clock
	ports    api.Ports
	handler  http.Handler
	http     *http.Client

	mu     sync.Mutex
	tokens map[string]string
	close  []func()
}

// clock is the present moment of a world: that of the machine, or one that only
// moves when told.
type clock struct {
	mu    sync.Mutex
	fixed time.Time
	ahead time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fixed.IsZero() {
		return time.Now().Add(c.ahead)
	}
	return c.fixed.Add(c.ahead)
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// choice changes how a world is made.
type choice func(*choices)

type choices struct {
	config config.Server
	clock  *clock
	wrap   func(port.Store) port.Store
	stages []transfer.Setup
	log    *slog.Logger
	// requests keeps requests in what it makes of a request log of the engine; without it
	// they are kept in memory.
	requests func(porttest.RequestLog) porttest.RequestLog
	// catalogueBytes is the memory for what is kept of sites; 0 is no limit.
	catalogueBytes int
	// noRequests keeps none at all.
	noRequests bool
	// connect, if not nil, changes how the database is reached.
	connect func(*config.Database) error
}

func standingStill(at time.Time) choice { return func(c *choices) { c.clock.fixed = at } }

func configured(change func(*config.Server)) choice { return func(c *choices) { change(&c.config) } }

// described provisions something else than the stages of the usual world.
func described(as ...transfer.Setup) choice { return func(c *choices) { c.stages = as } }

func logging(to io.Writer) choice {
	return func(c *choices) {
		c.log = slog.New(slog.NewJSONHandler(to, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
}

func over(wrap func(port.Store) port.Store) choice { return func(c *choices) { c.wrap = wrap } }

// keepingRequests keeps requests, in what wrap makes of a request log of the engine.
func keepingRequests(wrap func(porttest.RequestLog) porttest.RequestLog) choice {
	return func(c *choices) { c.requests = wrap }
}

// keepingNoRequests makes a server without a request log.
func keepingNoRequests(c *choices) { c.noRequests = true }

// usualServer is how a server of a world is set up unless a choice says otherwise.
var usualServer = config.Server{Environment: "sandbox", RateBurst: 1, RenderMemory: 16, Polling: "off"}

// newWorld provisions a store of an engine and listens. Nothing limits it unless
// a choice says so, and nothing is delivered unless one gives waits for retries.
func newWorld(engine string, picked ...choice) (*world, error) {
	c := choices{
		config: usualServer,
		clock:  &clock{}, wrap: func(s port.Store) port.Store { return s }, log: slog.New(slog.DiscardHandler), stages: stages(),
	}
	for _, pick := range picked {
		pick(&c)
	}
	w := &world{clock: c.clock, tokens: map[string]string{}}
	store, err := w.open(engine, c.connect)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(engine, withOneConnection) {
		store = narrowed(store, 10*time.Second)
	}
	w.store, w.blobs = c.wrap(store), memstore.NewBlobs(w.clock.now)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.handler.ServeHTTP(rw, r) }))
	w.url = "http://" + server.Listener.Addr().String()
	server.Listener, server.Config.ConnContext = httpapi.Guard(server.Listener), httpapi.GuardContext
	allowance, err := c.config.Hooks.Allowance()
	if err != nil {
		return nil, err
	}
	ports := api.Ports{
		Store: w.store, Now: w.clock.now, Rand: rand.Reader, Zone: time.LoadLocation, E164: phones.E164,
		Blobs: w.blobs, Images: images.New(images.Options{Memory: 128 << 20}),
	}
	if plain, ok := w.store.(*sqlstore.Store); ok {
		ports.Changes, ports.ProductRows = plain.Changes(), plain.ProductRows()
	}
	if kept := memstore.NewRequestLog(); !c.noRequests {
		ports.Requests, ports.Traffic = kept, kept
	}
	if c.requests != nil {
		log, err := w.openRequests()
		if err != nil {
			return nil, err
		}
		log = c.requests(log)
		ports.Requests, ports.Traffic = log, log
	}
	w.ports = ports
	w.Service, err = siteapi.New(
		ports,
		api.Options{Domain: w.url, Environment: c.config.Environment, Pepper: []byte("a pepper that only tests know"), Hooks: allowance, CatalogueBytes: c.catalogueBytes},
	)
	if err != nil {
		return nil, err
	}
	if w.handler, err = wire.Handler(w.Service, c.config, wire.Quota(w.Service, c.config), nil, prometheus.NewRegistry(), c.log); err != nil {
		return nil, err
	}
	for _, stage := range c.stages {
		if _, err := w.Transfer.Provision(context.Background(), stage); err != nil {
			return nil, err
		}
	}
	server.Start()
	w.http = server.Client()
	w.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	w.close = append(w.close, server.Close)
	if len(c.config.Hooks.RetryDelays) == 0 {
		return w, nil
	}
	return w, w.dispatch(c.config.Hooks, c.log)
}

// dispatch delivers what is due until the world ends.
func (w *world) dispatch(c config.Hooks, log *slog.Logger) error {
	dispatcher, err := wire.NewDispatcher(w.Service, c, prometheus.NewRegistry(), log)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = dispatcher.Run(ctx) })
	w.close = append(w.close, func() { stop(); running.Wait() })
	return nil
}

func (w *world) end() {
	for _, undo := range slices.Backward(w.close) {
		undo()
	}
}

func (w *world) open(engine string, connect func(*config.Database) error) (port.Store, error) {
	database := config.Database{Connections: 16, DatabasePatience: time.Minute}
	engine, one := strings.CutSuffix(engine, withOneConnection)
	if one {
		database.Connections = 1
	}
	switch engine {
	case "memory":
		return memstore.New(), nil
	case "sqlite":
		folder, err := os.MkdirTemp("", "vitrine-e2e-")
		if err != nil {
			return nil, err
		}
		w.close = append(w.close, func() { os.RemoveAll(folder) })
		w.database = filepath.Join(folder, "vitrine.db")
		database.Database = w.database
	case "postgres":
		schema, drop, err := newSchema()
		if err != nil {
			return nil, err
		}
		w.close = append(w.close, drop)
		database.Database = schema
	}
	if connect != nil {
		if err := connect(&database); err != nil {
			return nil, err
		}
	}
	w.database = database.Database
	store, err := wire.OpenStore(context.Background(), database, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	w.close = append(w.close, func() { store.Close() })
	keyring, err := sqlstore.NewKeyring([]byte("32 bytes that only tests seal by"))
	if err != nil {
		return nil, err
	}
	sqlstore.Sealed(keyring)(store)
	return store, store.Migrate(context.Background())
}

// openRequests opens the request log beside the store.
func (w *world) openRequests() (porttest.RequestLog, error) {
	if w.database == "" {
		return memstore.NewRequestLog(), nil
	}
	keys, err := sqlstore.NewKeyring([]byte("32 bytes that only tests seal by"))
	if err != nil {
		return nil, err
	}
	var log *requestlog.Log
	if strings.Contains(w.database, "://") {
		log, err = postgres.OpenRequests(context.Background(), w.database, keys)
	} else {
		log, err = sqlite.OpenRequests(context.Background(), w.database+"-requests", keys)
	}
	if err != nil {
		return nil, err
	}
	w.close = append(w.close, func() { log.Close() })
	return log, log.Migrate(context.Background())
}

// newSchema makes an empty schema and returns the URL of a database in which it
// is the only one seen.
func newSchema() (database string, drop func(), err error) {
	cluster, err := url.Parse(os.Getenv(clusterVariable))
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", clusterVariable, err)
	}
	run := func(statement string) error {
		db, err := sql.Open("postgres", os.Getenv(clusterVariable))
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = db.ExecContext(context.Background(), statement)
		return err
	}
	schema := "e2e_" + strings.ToLower(rand.Text())
	query := cluster.Query()
	query.Set("search_path", schema)
	query.Set("connect_timeout", "60") // the machine may be busy
	cluster.RawQuery = query.Encode()
	return cluster.String(), func() { _ = run("DROP SCHEMA IF EXISTS " + schema + " CASCADE") }, run("CREATE SCHEMA " + schema)
}

// What the sandbox is told beside its file, so that every rule has its case.
const (
	// formerAgency has left the manufacturers list of site 1, and formerModel is
	// one of its products.
	formerAgency = 13
	formerModel  = "13-1001"
)

// sandbox is the setup of the real sandbox.
var sandbox = sync.OnceValue(func() transfer.Setup {
	file, err := os.Open("../vitrine/sandbox.yaml")
	if err != nil {
		panic(err)
	}
	defer file.Close()
	described, err := setup.Decode(file)
	if err != nil {
		panic(err)
	}
	return described
})

// stages are the setups of a world, one after the other: the sandbox with an
// agency more, and that agency leaving the network.
func stages() []transfer.Setup {
	all, no := []string{"all"}, false
	joined := sandbox()
	joined.Sites = slices.Clone(joined.Sites)
	network := joined.Sites[0]
	former := transfer.SetupAgency{ID: formerAgency, Name: "Belvédère Chambéry", City: "Chambéry"}
	network.Agencies = append(slices.Clone(network.Agencies), former)
	network.Users = append(slices.Clone(network.Users), transfer.SetupUser{ID: 131, AgencyID: formerAgency, Firstname: "Odile", Lastname: "Partie"})
	network.Customers = append(slices.Clone(network.Customers), transfer.SetupCustomer{ID: 1301, AgencyID: formerAgency, Type: "VENDEUR", Lastname: "Dehors"})
	network.Products = append(slices.Clone(network.Products), transfer.SetupProduct{
		Model: formerModel, AgencyID: formerAgency, CustomerID: 1301, Criteria: map[string]any{"Ville": "Chambéry"},
		Rooms: []transfer.SetupRoom{{Type: "SEJOUR"}},
	})
	joined.Sites[0] = network
	joined.Credentials = append(slices.Clone(joined.Credentials),
		transfer.SetupCredential{ID: "no-pack", Secret: "no-pack-secret", Sites: []int64{1}, Permissions: all, Rights: all},
		transfer.SetupCredential{ID: "no-permission", Secret: "no-permission-secret", Sites: []int64{1}, Packs: all, Rights: all},
		transfer.SetupCredential{ID: "no-right", Secret: "no-right-secret", Sites: []int64{1}, Packs: all, Permissions: all},
		transfer.SetupCredential{ID: "disabled", Secret: "disabled-secret", Sites: []int64{1}, Packs: all, Permissions: all, Rights: all, Disabled: true},
	)

	former.InScope = &no
	network.Agencies = append(slices.Clone(sandbox().Sites[0].Agencies), former)
	network.Customers, network.Products = nil, nil
	left := transfer.Setup{Sites: []transfer.SetupSite{network}}
	return []transfer.Setup{joined, left}
}

// Worlds that scenarios share, one of each sort per engine: in one nobody
// writes, so that scenarios may count; one delivers.
var (
	sharedMu sync.Mutex
	shared   = map[string]func() (*world, error){}
)

func sharedWorld(t testing.TB, sort, engine string, picked ...choice) *world {
	t.Helper()
	mustHave(t, engine)
	sharedMu.Lock()
	name := sort + " " + engine
	if shared[name] == nil {
		shared[name] = sync.OnceValues(func() (*world, error) { return newWorld(engine, picked...) })
	}
	made := shared[name]
	sharedMu.Unlock()
	w, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// mustHave skips a test whose engine is not there.
func mustHave(t testing.TB, engine string) {
	t.Helper()
	if strings.HasPrefix(engine, "postgres") && os.Getenv(clusterVariable) == "" {
		t.Skipf("%s is not set: run the tests through go run ./apps/internal/cluster", clusterVariable)
	}
}

// ownWorld is a world in memory for one test.
func ownWorld(t testing.TB, picked ...choice) *world {
	t.Helper()
	w, err := newWorld("memory", picked...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.end)
	return w
}

// reading runs a scenario that writes nothing on every store.
func reading(t *testing.T, scenario func(t *testing.T, w *world)) {
	t.Helper()
	onEach(t, "read", scenario)
}

// writing runs a scenario that writes, and minds only what it wrote itself, on
// every store.
func writing(t *testing.T, scenario func(t *testing.T, w *world)) {
	t.Helper()
	onEach(t, "write", scenario)
}

// onEach runs a scenario on all stores at once. Scenarios that share a world come
// one after the other.
func onEach(t *testing.T, sort string, scenario func(t *testing.T, w *world), picked ...choice) {
	t.Helper()
	for _, engine := range append(slices.Clone(engines), narrow) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			scenario(t, sharedWorld(t, sort, engine, picked...))
		})
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, made := range shared {
		if w, err := made(); err == nil {
			w.end()
		}
	}
	os.RemoveAll(built)
	os.Exit(code)
}

// read is the whole of a reader.
func read(r io.Reader) []byte {
	all, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return all
}
