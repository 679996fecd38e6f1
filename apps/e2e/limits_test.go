package e2e_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

// limited makes a world with limits: requests a second and at once, failed token
// calls a minute, and what becomes of polling.
func limited(perSecond float64, burst, failures int, polling string) choice {
	return configured(func(c *config.Server) {
		c.RateLimit, c.RateBurst, c.TokenFailures, c.Polling = perSecond, burst, failures, polling
	})
}

func TestM1_M2_RateLimits(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, limited(0.01, 3, 0, "off"))
	c := w.network(t)
	left := regexp.MustCompile(`^"default";r=(\d+);t=\d+$`)
	for _, want := range []string{"2", "1", "0"} {
		got := c.get("/discovery").is(200)
		if m := left.FindStringSubmatch(got.header.Get("RateLimit")); m == nil || m[1] != want || got.header.Get("RateLimit-Policy") != `"default";q=3;w=300` {
			t.Errorf("%v, want r=%s", got.header, want)
		}
	}
	got := c.post("/products/search", "{").refused(429, "rate_limited") // before the body is looked at
	if seconds, err := strconv.Atoi(got.header.Get("Retry-After")); err != nil || seconds < 1 || seconds > 100 {
		t.Errorf("Retry-After is %q", got.header.Get("Retry-After"))
	}
	if m := left.FindStringSubmatch(got.header.Get("RateLimit")); m == nil || m[1] != "0" {
		t.Error(got.header)
	}
	w.network(t).get("/site").refused(429, "rate_limited")
	w.website(t).get("/site").is(200)                       // the limit is each credential's own
	c.with("").get("/site").refused(401, "unauthenticated") // who it is comes first
	c.get("/nowhere").refused(404, "unknown_route")         // pages are not counted
	w.as(t, "sandbox-group", 1).get("/site").is(200)        // another token of
	w.as(t, "sandbox-group", 2).get("/site").is(200)        // the same credential
	w.as(t, "sandbox-group", 1).get("/site").is(200)        // shares its bucket
	w.as(t, "sandbox-group", 2).get("/site").refused(429, "rate_limited")
}

// TestM1_TheDayGoesOnAfterARestart: what a credential sent today counts, whichever
// process it was sent to.
func TestM1_TheDayGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		first := serving(t, database, "--rate-daily=5")
		for range 3 {
			first.network(t).get("/site").is(200)
		}
		first.stop()
		second := serving(t, database, "--rate-daily=5")
		defer second.stop()
		second.network(t).get("/site").is(200)
		got := second.network(t).get("/site").is(200)
		if left := got.header.Get("RateLimit"); !strings.HasPrefix(left, `"day";r=0;t=`) || got.header.Get("RateLimit-Policy") != `"day";q=5;w=86400` {
			t.Errorf("after the restart %q are left", left)
		}
		second.network(t).get("/site").refused(429, "daily_quota_exceeded")
		second.website(t).get("/site").is(200)
	})
}

// TestM1_SearchesWithFetchAtOnce: a client that has as many under way as it may is
// told so, and the others are answered.
func TestM1_SearchesWithFetchAtOnce(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, configured(func(c *config.Server) { c.RateSearches, c.HeavyReads = 1, 1 }))
	answers, c := make(chan answer), w.network(t)
	for range 20 {
		go func() { answers <- c.search(object{}, "?fetch=rooms,statistic,customer") }()
	}
	answered := 0
	for range 20 {
		if got := <-answers; got.status == 200 {
			answered++
		} else if got.refused(429, "too_many_searches"); got.header.Get("Retry-After") != "1" {
			t.Error(got.header)
		}
	}
	if answered == 0 {
		t.Error("none is answered")
	}
	w.network(t).search(object{}, "?fetch=rooms").is(200)
}

func TestM1_NoLimitNoHeaders(t *testing.T) {
	got := sharedWorld(t, "read", "memory").network(t).get("/discovery").is(200)
	if got.header.Get("RateLimit") != "" || got.header.Get("RateLimit-Policy") != "" {
		t.Error(got.header)
	}
}

func TestS7_PollingIsNoticed(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"warn", "strict"} {
		t.Run(mode, func(t *testing.T) {
			w := ownWorld(t, limited(0, 1, 0, mode))
			c := w.network(t)
			same := object{"model": "11-1001"}
			for range 30 {
				if got := c.search(same).is(200); got.header.Get("X-Polling-Warning") != "" {
					t.Fatal("warned too early")
				}
			}
			if got := c.search(same); mode == "strict" {
				if got.refused(429, "polling_prohibited"); got.header.Get("Retry-After") == "" {
					t.Error("Retry-After is missing")
				}
			} else if got.is(200).header.Get("X-Polling-Warning") != "use webhooks" {
				t.Error(got.header)
			}
			for _, got := range []answer{c.search(object{"model": "11-1002"}), c.search(same, "?fetch=rooms"), w.website(t).search(same), c.post("/products/search/count", same)} {
				if got.is(200).header.Get("X-Polling-Warning") != "" {
					t.Errorf("%s is another search", got.request)
				}
			}
		})
	}
}

// The server as it is run: one address for the API and its operators, and an end
// that waits for who is still being served.
func TestServe(t *testing.T) {
	t.Parallel()
	for _, separate := range []bool{false, true} {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		c := config.Server{
			Database: config.Database{Database: filepath.Join(t.TempDir(), "vitrine.db")}, Listen: "127.0.0.1:0", Environment: "test",
			AccessTokenLifetime: time.Hour, RefreshTokenLifetime: time.Hour, RefreshTokenFamily: time.Hour,
			RateLimit: 100, RateBurst: 200, TokenFailures: 10, Polling: "warn", CatalogueMemory: 16, RenderMemory: 16, ShutdownTimeout: 5 * time.Second,
		}
		c.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))
		if separate {
			c.AdminListen = "127.0.0.1:0"
		}
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		log := slog.New(slog.DiscardHandler)
		store, err := wire.OpenStore(ctx, c.Database, log)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		if err := store.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		server, err := wire.NewServer(ctx, c, store, log)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() { ended <- server.Run(ctx) }()

		page := func(path string) (int, string) {
			t.Helper()
			response, err := http.Get(server.Domain + path)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			return response.StatusCode, string(read(response.Body))
		}
		if status, _ := page("/api/v2/site/discovery"); status != 401 {
			t.Errorf("the API answers %d", status)
		}
		for path, want := range map[string]string{"/healthz": "ok", "/readyz": "ready", "/metrics": `vitrine_http_request_seconds_count{code="401",op="discovery.list"} 1`} {
			status, body := page(path)
			if separate {
				if status != 404 {
					t.Errorf("%s: %d on the API's address", path, status)
				}
			} else if status != 200 || !strings.Contains(body, want) {
				t.Errorf("%s: %d %s", path, status, body)
			}
		}
		stop()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("stopping: %v", err)
			}
		case <-time.After(patience):
			t.Fatal("the server does not stop")
		}
	}
}
