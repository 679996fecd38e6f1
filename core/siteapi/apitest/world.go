package apitest

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// World is a service over a store, with a clock that stands still until it is
// moved.
type World struct {
	*siteapi.Service
	// The use cases without the check of pack, permission and right: who may call
	// them is tested apart. Those that check are in Service.
	Office  office.API
	Tokens  tokens.API
	Listing listing.API
	People  people.API
	Hooks   hooks.API

	Fixture
}

// New is a world with Network in it, in memory.
func New(t *testing.T) *World {
	t.Helper()
	return Over(t, memstore.New())
}

// Over is a world with Network in it, over an empty store.
func Over(t *testing.T, store port.Store) *World {
	t.Helper()
	w := Empty(t, store, NewClock())
	w.Provision(Network())
	return w
}

// Empty is a world over a store as it is. Two of them over the same store are two
// processes.
func Empty(t *testing.T, store port.Store, c *Clock) *World {
	t.Helper()
	return Limited(t, store, c, 0)
}

// Limited returns a world with a limit of the memory for indexes; 0 is no limit.
func Limited(t *testing.T, store port.Store, c *Clock, catalogueBytes int) *World {
	t.Helper()
	return made(t, Ports(store, c), c, catalogueBytes)
}

// Drawing is Over for a store of which whole products are read by rows; in units of work
// without.
func Drawing(t *testing.T, store port.Store, rows port.ProductRows) *World {
	t.Helper()
	clock := NewClock()
	ports := Ports(store, clock)
	ports.ProductRows = rows
	w := made(t, ports, clock, 0)
	w.Provision(Network())
	return w
}

func made(t *testing.T, ports kernel.Ports, c *Clock, catalogueBytes int) *World {
	t.Helper()
	service, err := siteapi.New(ports, kernel.Options{
		Domain: "https://crm.example.org", Pepper: make([]byte, 32), CatalogueBytes: catalogueBytes,
	})
	if err != nil {
		t.Fatal(err)
	}
	return &World{
		Service: service, Office: service.Office.Unchecked(), Tokens: service.Tokens.Unchecked(), Listing: service.Listing.Unchecked(),
		People: service.People.Unchecked(), Hooks: service.Hooks.Unchecked(), Fixture: Fixture{t, ports.Store, c},
	}
}

// Ports are the ports of a World over a store. One that wraps another is read in units of
// work.
func Ports(store port.Store, c *Clock) kernel.Ports {
	ports := kernel.Ports{Store: store, Now: c.Now, Rand: &random{stream: rand.NewChaCha8([32]byte{1})}, Zone: time.LoadLocation, E164: frenchE164}
	if plain, ok := store.(*memstore.Store); ok {
		ports.Changes, ports.ProductRows = plain.Changes(), plain.ProductRows()
	}
	return ports
}

// Clock is the present moment of a World.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock stands at half past ten of a Wednesday in September, in Paris.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)} }

// Now is the present moment.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// random gives bytes that are the same in every run.
type random struct {
	mu     sync.Mutex
	stream *rand.ChaCha8
}

// Read implements io.Reader.
func (d *random) Read(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stream.Read(p)
}

// frenchE164 knows French numbers, which is enough for tests.
func frenchE164(number, country string) string {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, number)
	switch {
	case strings.HasPrefix(digits, "0033"):
		return "+" + digits[2:]
	case strings.HasPrefix(digits, "33") && len(digits) == 11:
		return "+" + digits
	case country == "FR" && len(digits) == 10:
		return "+33" + digits[1:]
	}
	return ""
}
