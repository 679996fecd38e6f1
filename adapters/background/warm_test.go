package background

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// warming warms a world of another process than the one that filled it.
func warming(ctx context.Context, t *testing.T, store port.Store, limit int) (w *apitest.World, warmed int, log string) {
	t.Helper()
	var lines bytes.Buffer
	w = apitest.Limited(t, store, apitest.NewClock(), limit)
	o := Options{Warm: true, Warmed: func() { warmed++ }, Logger: slog.New(slog.NewTextHandler(&lines, nil))}
	if err := newWork(w.Service, o).warm(ctx); err != nil {
		t.Fatal(err)
	}
	return w, warmed, lines.String()
}

func TestTheLargestSitesAreLoadedFirstWithinTheirMemory(t *testing.T) {
	store := memstore.New()
	w := apitest.Over(t, store)
	for range 5 {
		w.CreateProductAs(w.As("rival", 2), apitest.InAgency(21))
	}
	if sites, err := w.Service.Listing.Largest(t.Context()); err != nil || len(sites) != 2 || sites[0] != 2 {
		t.Errorf("the largest are %v, %v", sites, err)
	}
	all, warmed, _ := warming(t.Context(), t, store, 0)
	if kept := all.Cached()["catalogue"]; warmed != 2 || kept.Values != 2 || kept.Loads != 2 {
		t.Errorf("of two sites %d are loaded: %+v", warmed, kept)
	}
	if _, err := all.Service.Listing.Index(t.Context(), all.As("rival", 2)); err != nil || all.Cached()["catalogue"].Loads != 2 {
		t.Errorf("the first search loads again: %v", err)
	}
	if some, warmed, _ := warming(t.Context(), t, store, 1000); warmed != 1 || some.Cached()["catalogue"].Evictions != 0 {
		t.Errorf("in no memory %d are loaded: %+v", warmed, some.Cached())
	}
}

// unscanned is a store whose products cannot be read.
type unscanned struct{ port.Store }

// View implements port.Store.
func (s unscanned) View(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.View(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: unscannedTx{tx.Roles}}) })
}

type unscannedTx struct{ port.Roles }

// Products implements port.Roles.
func (unscannedTx) Products() port.Products { panic(errors.New("unreadable")) }

func TestASiteThatCannotBeLoadedEndsNothing(t *testing.T) {
	store := memstore.New()
	apitest.Over(t, store)
	if _, warmed, log := warming(t.Context(), t, unscanned{store}, 0); warmed != 0 || strings.Count(log, "unreadable") != 2 {
		t.Errorf("%d sites are loaded: %s", warmed, log)
	}
}

func TestWarmingEndsWithTheServer(t *testing.T) {
	store := memstore.New()
	apitest.Over(t, store)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if w, warmed, log := warming(ctx, t, store, 0); warmed != 0 || w.Cached()["catalogue"].Loads != 0 || strings.Contains(log, "ERROR") {
		t.Errorf("%d sites are loaded by a server that stops: %s", warmed, log)
	}
}
