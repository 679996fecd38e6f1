package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// elsewhere is a second process with a connection of its own to the database of a world; in memory it is
// on the same store.
func (w *world) elsewhere(t *testing.T) *siteapi.Service {
	t.Helper()
	if w.database == "" {
		return w.another(t)
	}
	other := &world{url: w.url, clock: w.clock, blobs: w.blobs}
	t.Cleanup(other.end)
	var err error
	other.store, err = other.open("", func(d *config.Database) error {
		d.Database, d.Connections = w.database, 2
		return nil
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	return other.another(t)
}

// betweenServers runs a scenario in which two servers have one database.
func betweenServers(t *testing.T, scenario func(t *testing.T, w *world)) {
	t.Helper()
	onEach(t, "between servers", scenario, racing)
}

// writings are requests that change something, by what their operation is called.
func writings(c *client) map[string]func() answer {
	id := c.create(nil)
	owner := c.post("/customers", object{"agency_id": 11, "type": "ACQUEREUR", "lastname": "Premier"}).is(201).id("data.id")
	price := 100_000
	return map[string]func() answer{
		"product.create": func() answer { return c.post("/products", object{"agency_id": 11}) },
		"product.update": func() answer { price++; return c.change(id, object{"criteria": criteria("Prix", price)}) },
		"customer.create": func() answer {
			return c.post("/customers", object{"agency_id": 11, "type": "ACQUEREUR", "lastname": "Suivant"})
		},
		"customer.update": func() answer {
			price++
			return c.patch(fmt.Sprint("/customers/", owner), object{"customer_id": owner, "lastname": fmt.Sprint("Premier ", price)})
		},
	}
}

// A token that was revoked at another server changes nothing, whatever it was good for a moment ago,
// and is told nothing else.
func TestA11_NothingIsWrittenWithATokenThatWasRevokedElsewhere(t *testing.T) {
	betweenServers(t, func(t *testing.T, w *world) {
		other := w.elsewhere(t)
		for name := range writings(w.network(t)) {
			token := w.stranger(t).grant("sandbox-network", map[string][]string{"site_id": {"1"}}).is(200).text("access_token")
			c := w.stranger(t).with(token)
			request := writings(c)[name]
			for range 3 {
				if a := request(); a.status >= 300 {
					t.Fatal(name, a)
				}
			}
			ledger := w.network(t).ledger()
			_, err := other.Tokens.RevokeToken(t.Context(), kernel.Caller{}, tokens.RevokeToken{
				Basic: tokens.Basic{ClientID: "sandbox-network", ClientSecret: "sandbox-network-secret"}, Token: token,
			})
			if err != nil {
				t.Fatal(err)
			}
			request().refused(401, "unauthenticated")
			c.post("/products", "{").refused(401, "unauthenticated")
			c.post("/products", object{"agency_id": 11, "color": 99}).refused(401, "unauthenticated")
			c.patch(product(999_999), object{}).refused(401, "unauthenticated")
			ledger.tells()
		}
	})
}

// What was changed at another server about a site holds for the next thing that is written.
func TestSettingsOfAnotherServerHoldForTheNextProduct(t *testing.T) {
	betweenServers(t, func(t *testing.T, w *world) {
		other, c := w.elsewhere(t), w.network(t)
		site := sandbox().Sites[0]
		site.Customers, site.Products = nil, nil
		change := func(status string, disabled bool) {
			t.Helper()
			site.DefaultStatus, site.Disabled = status, disabled
			if _, err := other.Transfer.Provision(t.Context(), transfer.Setup{Sites: []transfer.SetupSite{site}}); err != nil {
				t.Fatal(err)
			}
		}
		defer change(sandbox().Sites[0].DefaultStatus, false)
		for _, status := range []string{"Suspendu", "EnCours", "Suspendu"} {
			c.create(nil)
			change(status, false)
			if got := c.criterion(c.create(nil), "Statut"); got != status {
				t.Errorf("a product gets the status %v, not %s", got, status)
			}
		}
		id := c.create(nil)
		for _, request := range []func() answer{
			func() answer { return c.post("/products", object{"agency_id": 11}) },
			func() answer { return c.change(id, object{"color": 3}) },
			func() answer { return c.patch(product(999_999), object{"product_id": 999_999}) },
		} {
			c.create(nil) // the server has seen the site as it was
			change("EnCours", true)
			request().refused(403, "site_disabled")
			change("EnCours", false)
		}
		change("EnCours", true)
		c.post("/products", "{").refused(403, "site_disabled")
		change("EnCours", false)
		c.create(nil)
	})
}

// Whose right was withdrawn at another server hears of that, and not of what is there.
func TestARightThatWasWithdrawnElsewhere(t *testing.T) {
	betweenServers(t, func(t *testing.T, w *world) {
		other, all := w.elsewhere(t), []string{"all"}
		grant := func(rights []string) {
			t.Helper()
			_, err := other.Transfer.Provision(t.Context(), transfer.Setup{Credentials: []transfer.SetupCredential{{
				ID: "withdrawn", Secret: "withdrawn-secret", Sites: []int64{1}, Packs: all, Permissions: all, Rights: rights,
			}}})
			if err != nil {
				t.Fatal(err)
			}
		}
		grant(all)
		c := w.as(t, "withdrawn", 1)
		id := c.create(nil)
		ledger := w.network(t).ledger()
		for _, request := range []func() answer{
			func() answer { return c.change(id, object{"color": 3}) },
			func() answer { return c.patch(product(999_999), object{"product_id": 999_999}) },
			func() answer { return c.patch(product(999_999), "{") },
		} {
			grant(all)
			c.get(product(id)).is(200)
			grant([]string{"RS:PRODUCT_GET"})
			request().refused(403, "right_missing")
		}
		ledger.tells()
	})
}

// What another server wrote to a site is in the way of nothing.
func TestServersThatWriteInTurn(t *testing.T) {
	betweenServers(t, func(t *testing.T, w *world) {
		c := w.network(t)
		second, err := wire.Handler(w.elsewhere(t), usualServer, nil, nil, nil, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		first := w.handler
		defer func() { w.handler = first }()
		before := c.count(object{})
		for i := range 8 {
			w.handler = []http.Handler{first, second}[i%2]
			for range 1 + i%3 {
				c.create(nil)
			}
		}
		if got, want := c.count(object{})-before, 1+2+3+1+2+3+1+2; got != want {
			t.Errorf("%d products are there, not %d", got, want)
		}
	})
}

// unconfirming is a store that stores, and says that it does not know.
type unconfirming struct {
	port.Store
	on      atomic.Bool
	updates atomic.Int64
}

func (s *unconfirming) Update(ctx context.Context, fn func(port.Tx) error) error {
	err := s.Store.Update(ctx, fn)
	if err == nil && s.on.Load() {
		s.updates.Add(1)
		err = fault.New(fault.Unavailable, fault.CodeUnavailable, "the database did not confirm the change").Because(errors.New("it fell silent"))
	}
	return err
}

// What may have been stored is not done again.
func TestWhatMayHaveHappenedIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	var store unconfirming
	w := ownWorld(t, over(func(s port.Store) port.Store { store.Store = s; return &store }))
	c := w.network(t)
	all := writings(c)
	for _, request := range all {
		request()
	}
	for name, request := range all {
		before := store.updates.Load()
		store.on.Store(true)
		a := request()
		store.on.Store(false)
		if a.status != 503 || store.updates.Load() != before+1 {
			t.Errorf("%s: %d changes were stored for\n%s", name, store.updates.Load()-before, a)
		}
	}
}
