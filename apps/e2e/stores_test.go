package e2e_test

import (
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"
)

// engines are the stores there are.
var engines = []string{"memory", "sqlite", "postgres"}

// oneConnection is PostgreSQL over a single connection.
const oneConnection = "postgres with one connection"

const (
	// clusterVariable names the environment variable with the URL of a throw-away
	// PostgreSQL cluster.
	clusterVariable = "VITRINE_TEST_POSTGRES"
	// everyStoreVariable names the environment variable that, not empty, has every scenario
	// run on all engines.
	everyStoreVariable = "VITRINE_EVERY_STORE"
	// proofVariable names the environment variable that, not empty, has every guarded
	// scenario run over a single connection, too.
	proofVariable = "VITRINE_PROOF"
)

// onEveryStore is the choice of a scenario that moves or restarts. Those in worlds that
// deliver run on every store, too.
func onEveryStore(c *choices) { c.everyStore = true }

// racing is the choice of a scenario whose requests race. It runs on every store, and
// nothing but the store itself makes its units of work wait for each other.
func racing(c *choices) { c.everyStore, c.races = true, true }

// overOneConnection is the choice of a scenario that reaches what the SQL store does by
// itself, beside units of work: deliveries, the log of requests, what is told of a whole
// site. It runs on every store, and over a single connection.
func overOneConnection(c *choices) { c.everyStore, c.oneConnection = true, true }

// guarded is the choice of a world that notices a unit of work inside another one.
func guarded(c *choices) { c.guarded = true }

// stores are those on which the test of a name runs: memory, and one of the databases in
// turn, unless it asks for more or the environment does.
func (c choices) stores(test string) []string {
	stores := slices.Clone(engines)
	delivers := len(c.config.Hooks.RetryDelays) > 0
	if !c.everyStore && !delivers && os.Getenv(everyStoreVariable) == "" {
		skipped := 1 + crc32.ChecksumIEEE([]byte(test))%2
		stores = slices.Delete(stores, int(skipped), int(skipped)+1)
	}
	if c.oneConnection || c.guarded && os.Getenv(proofVariable) != "" {
		stores = append(stores, oneConnection)
	}
	return stores
}

// onStores runs a scenario on the stores that its choices ask for, at once, and beside
// other tests.
func onStores(t *testing.T, scenario func(t *testing.T, engine string), picked ...choice) {
	t.Helper()
	t.Parallel()
	for _, engine := range choicesOf(picked).stores(t.Name()) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			mustHave(t, engine)
			scenario(t, engine)
		})
	}
}

// separately runs a scenario on its stores, in a world of its own on each.
func separately(t *testing.T, scenario func(t *testing.T, w *world), picked ...choice) {
	t.Helper()
	onStores(t, func(t *testing.T, engine string) { scenario(t, withOwnStore(t, engine, picked...)) }, picked...)
}

// onEach runs a scenario on its stores, on each in the world that scenarios of a sort
// share.
func onEach(t *testing.T, sort string, scenario func(t *testing.T, w *world), picked ...choice) {
	t.Helper()
	picked = append(slices.Clone(picked), guarded)
	onStores(t, func(t *testing.T, engine string) { scenario(t, sharedWorld(t, sort, engine, picked...)) }, picked...)
}

// reading runs a scenario that writes nothing.
func reading(t *testing.T, scenario func(t *testing.T, w *world)) {
	t.Helper()
	onEach(t, "read", scenario)
}

// writing runs a scenario that writes, and minds only what it wrote itself.
func writing(t *testing.T, scenario func(t *testing.T, w *world), picked ...choice) {
	t.Helper()
	onEach(t, "write", scenario, picked...)
}

// mustHave skips a test whose engine is not there.
func mustHave(t testing.TB, engine string) {
	t.Helper()
	if strings.HasPrefix(engine, "postgres") && os.Getenv(clusterVariable) == "" {
		t.Skipf("%s is not set: run the tests through go run ./apps/internal/cluster", clusterVariable)
	}
}

// withOwnStore is a world for one test on an engine.
func withOwnStore(t testing.TB, engine string, picked ...choice) *world {
	t.Helper()
	mustHave(t, engine)
	w, err := newWorld(engine, picked...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.end)
	return w
}

// ownWorld is a world in memory for one test.
func ownWorld(t testing.TB, picked ...choice) *world {
	t.Helper()
	return withOwnStore(t, "memory", picked...)
}

// Whatever a scenario asks for, it runs in memory and on a database.
func TestEveryScenarioRunsInMemoryAndOnADatabase(t *testing.T) {
	t.Setenv(everyStoreVariable, "")
	t.Setenv(proofVariable, "")
	for _, c := range []struct {
		picked []choice
		want   [2]string // in both turns
	}{
		{[]choice{guarded}, [2]string{"memory postgres", "memory sqlite"}},
		{[]choice{onEveryStore}, [2]string{"memory sqlite postgres", "memory sqlite postgres"}},
		{[]choice{guarded, racing}, [2]string{"memory sqlite postgres", "memory sqlite postgres"}},
		{[]choice{guarded, overOneConnection}, [2]string{"memory sqlite postgres " + oneConnection, "memory sqlite postgres " + oneConnection}},
	} {
		var got []string
		for _, test := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			got = append(got, strings.Join(choicesOf(c.picked).stores(test), " "))
		}
		slices.Sort(got)
		if turns := [2]string{got[0], got[len(got)-1]}; turns != c.want {
			t.Errorf("it runs on %q, want %q", turns, c.want)
		}
	}
	t.Setenv(everyStoreVariable, "yes")
	t.Setenv(proofVariable, "yes")
	if got := choicesOf([]choice{guarded}).stores("a"); !slices.Equal(got, append(slices.Clone(engines), oneConnection)) {
		t.Errorf("a guarded scenario runs on %q in a proof on every store", got)
	}
}
