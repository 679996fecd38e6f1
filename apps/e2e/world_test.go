package e2e_test

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
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
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// world is the API over one store, listening, with the data of the sandbox.
type world struct {
	*siteapi.Service
	// url is scheme and host.
	url   string
	store port.Store
	// database is where the store is, empty in memory.
	database string
	// drop removes the database, which stays where the world is a template when it ends.
	drop       func()
	isTemplate bool
	blobs      port.Blobs
	clock      *clock
	ports      kernel.Ports
	handler    http.Handler
	http       *http.Client
	hooks      config.Hooks
	log        *slog.Logger
	// turn is held by the test that uses a world which tests share.
	turn sync.Mutex

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

	// Which stores a scenario runs on, and what stands in front of them.
	everyStore, races, oneConnection, guarded bool
	isTemplate                                bool // of databases of other worlds
}

// choicesOf are the choices that are left to a world with what was picked.
func choicesOf(picked []choice) choices {
	c := choices{
		config: usualServer,
		clock:  &clock{}, wrap: func(s port.Store) port.Store { return s }, log: slog.New(slog.DiscardHandler), stages: stages(),
	}
	for _, pick := range picked {
		pick(&c)
	}
	return c
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
	w, err := undispatched(engine, picked...)
	if err != nil {
		return nil, err
	}
	stop, err := w.dispatch()
	if err != nil {
		return nil, err
	}
	w.close = append(w.close, stop)
	return w, nil
}

// undispatched is a world in which nothing is delivered until it is told to dispatch.
func undispatched(engine string, picked ...choice) (*world, error) {
	c := choicesOf(picked)
	w := &world{isTemplate: c.isTemplate, hooks: c.config.Hooks, log: c.log, clock: c.clock, tokens: map[string]string{}}
	template, err := c.template(engine)
	if err != nil {
		return nil, err
	}
	store, err := w.open(engine, c.connect, template)
	if err != nil {
		return nil, err
	}
	if engine == oneConnection || engine == "memory" && c.guarded && !c.races {
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
	ports := kernel.Ports{
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
		kernel.Options{Domain: w.url, Environment: c.config.Environment, Pepper: []byte("a pepper that only tests know"), Hooks: allowance, CatalogueBytes: c.catalogueBytes},
	)
	if err != nil {
		return nil, err
	}
	if w.handler, err = wire.Handler(w.Service, c.config, wire.Quota(w.Service, c.config), nil, prometheus.NewRegistry(), c.log); err != nil {
		return nil, err
	}
	if template != "" {
		c.stages = nil // they are in it
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
	return w, nil
}

// dispatch delivers what is due until it is stopped, in a world that delivers.
func (w *world) dispatch() (stop func(), err error) {
	if len(w.hooks.RetryDelays) == 0 {
		return func() {}, nil
	}
	dispatcher, err := wire.NewDispatcher(w.Service, w.hooks, prometheus.NewRegistry(), w.log)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = dispatcher.Run(ctx) })
	return func() { cancel(); running.Wait() }, nil
}

func (w *world) end() {
	for _, undo := range slices.Backward(w.close) {
		undo()
	}
	if w.drop != nil && !w.isTemplate {
		w.drop()
	}
}

// open opens a store in a new database, which is a copy of a template unless that is empty.
func (w *world) open(engine string, connect func(*config.Database) error, template string) (port.Store, error) {
	var err error
	database := config.Database{Connections: 16, DatabasePatience: time.Minute}
	switch engine {
	case "memory":
		return memstore.New(), nil
	case "sqlite":
		database.Database, w.drop, err = newFile(template)
	case "postgres", oneConnection:
		if engine == oneConnection {
			database.Connections = 1
		}
		database.Database, w.drop, err = newDatabase(template)
	}
	if err != nil {
		return nil, err
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
	schema := "e2e_" + strings.ToLower(rand.Text())
	query := cluster.Query()
	query.Set("search_path", schema)
	query.Set("connect_timeout", "60") // the machine may be busy
	cluster.RawQuery = query.Encode()
	return cluster.String(), func() { _ = inCluster("DROP SCHEMA IF EXISTS " + schema + " CASCADE") }, inCluster("CREATE SCHEMA " + schema)
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
// writes, so that scenarios may count; one delivers, while a scenario runs there.
var (
	sharedMu sync.Mutex
	shared   = map[string]func() (*world, error){}
)

// sharedWorld lends a test the world of a sort, which is guarded, until it ends.
func sharedWorld(t testing.TB, sort, engine string, picked ...choice) *world {
	t.Helper()
	mustHave(t, engine)
	picked = append(slices.Clone(picked), guarded)
	if engine == "memory" && choicesOf(picked).races {
		sort += " of races" // which is not guarded
	}
	name := sort + " " + engine
	sharedMu.Lock()
	if shared[name] == nil {
		shared[name] = sync.OnceValues(func() (*world, error) { return undispatched(engine, picked...) })
	}
	made := shared[name]
	sharedMu.Unlock()
	w, err := made()
	if err != nil {
		t.Fatal(err)
	}
	w.turn.Lock()
	t.Cleanup(w.turn.Unlock)
	stop, err := w.dispatch()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return w
}

// atOnceUnlessTold is how many tests run at once, whatever the machine has: they wait for
// deliveries, processes and each other's worlds.
const atOnceUnlessTold = "6"

func TestMain(m *testing.M) {
	flag.Parse()
	told := false
	flag.Visit(func(f *flag.Flag) { told = told || f.Name == "test.parallel" })
	if !told {
		_ = flag.Set("test.parallel", atOnceUnlessTold) // a number
	}
	code := m.Run()
	for _, made := range shared {
		if w, err := made(); err == nil {
			w.end()
		}
	}
	dropTemplates()
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
