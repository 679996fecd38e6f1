package wire_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// counted counts the units of work that change something.
type counted struct {
	port.Store
	updates *atomic.Int64
}

func (c counted) Update(ctx context.Context, unit func(port.Tx) error) error {
	c.updates.Add(1)
	return c.Store.Update(ctx, unit)
}

func TestAServerOverAnotherStoreWorksThroughIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	store := database(t, path, "")
	over := counted{store, new(atomic.Int64)}
	c := config.Server{Database: config.Database{Database: path}, Listen: "127.0.0.1:0"}
	c.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))
	c.Hooks.Timeout = 1
	server, err := wire.NewServerOver(t.Context(), c, store, func(p *kernel.Ports) { p.Store = over }, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Service.Transfer.Provision(t.Context(), transfer.Setup{Sites: []transfer.SetupSite{{ID: 1, Name: "Site"}}}); err != nil {
		t.Fatal(err)
	}
	if over.updates.Load() == 0 {
		t.Error("what it changes does not go through the other store")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := server.Run(ctx); err != nil {
		t.Error(err)
	}
}

func TestZeroIsNoLimit(t *testing.T) {
	store := database(t, filepath.Join(t.TempDir(), "vitrine.db"), "")
	for limit, want := range map[int]int{0: http.StatusUnauthorized, 1: http.StatusTooManyRequests} {
		service, err := wire.Describe(store)
		if err != nil {
			t.Fatal(err)
		}
		c := config.Server{RateLimit: float64(limit), RateBurst: 1, TokenFailures: limit}
		api, err := wire.Handler(service, c, nil, nil, prometheus.NewRegistry(), quiet)
		if err != nil {
			t.Fatal(err)
		}
		status := 0
		for range 20 {
			answer := httptest.NewRecorder()
			request := httptest.NewRequest(http.MethodPost, "/api/client/token/site", strings.NewReader("site_id=1"))
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			request.SetBasicAuth("nobody", "wrong")
			api.ServeHTTP(answer, request)
			status = answer.Code
		}
		if status != want {
			t.Errorf("after many failures with a limit of %d it answers %d, want %d", limit, status, want)
		}
	}
}
