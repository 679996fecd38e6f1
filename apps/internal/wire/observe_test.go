package wire_test

import (
	"context"
	"database/sql"
	"encoding/base64"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func page(t *testing.T, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMetricsTellOfTheDatabaseAndProfilesStayWithOperators.
func TestMetricsTellOfTheDatabaseAndProfilesStayWithOperators(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	store := database(t, path, "")
	c := config.Server{Database: config.Database{Database: path}, Listen: free(t), AdminListen: free(t), ShutdownTimeout: 5 * time.Second}
	c.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))
	c.Hooks.Timeout = 1
	server, err := wire.NewServer(t.Context(), c, store, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Service.Transfer.Provision(t.Context(), transfer.Setup{Sites: []transfer.SetupSite{{ID: 1, Name: "Site"}}}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	metrics := page(t, "http://"+c.AdminListen+"/metrics")
	for _, want := range []string{
		`vitrine_database_unit_seconds_count{end="done",kind="update"} `, `go_sql_max_open_connections{db_name="write"} 1`, `go_sql_max_open_connections{db_name="read"} `,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("there is no %s", want)
		}
	}
	for url, want := range map[string]int{
		c.AdminListen + "/debug/pprof/": http.StatusOK, c.AdminListen + "/debug/pprof/heap": http.StatusOK,
		c.AdminListen + "/debug/pprof/cmdline": http.StatusNotFound, c.AdminListen + "/healthz": http.StatusOK,
		c.Listen + "/debug/pprof/": http.StatusNotFound, c.Listen + "/debug/pprof/heap": http.StatusNotFound,
	} {
		if got := status(t, "http://"+url); got != want {
			t.Errorf("%s answers %d, want %d", url, got, want)
		}
	}
}

// TestWhoStartsOnADatabaseThatWasSetBackSaysSo: the numbers are moved on before anything
// is served, and the log and the metrics tell of it.
func TestWhoStartsOnADatabaseThatWasSetBackSaysSo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	if err := database(t, path, "").Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	for _, statement := range []string{
		"UPDATE lineage SET place = 'elsewhere'",
		"INSERT INTO site_head (site_id, seq, last_at, settings, access) VALUES (7, 42, 1000000, 0, 0)",
	} {
		if _, err := raw.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	var lines strings.Builder
	c := config.Server{Database: config.Database{Database: path}, Listen: free(t)}
	c.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))
	store, err := wire.ReadyStore(t.Context(), c.Database, c.Secrets, slog.New(slog.NewTextHandler(&lines, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if !strings.Contains(lines.String(), "the database was set back") || store.TimelinesStarted() != 1 {
		t.Errorf("%d timelines, and the log says %q", store.TimelinesStarted(), lines.String())
	}
	// Who starts does not know that it is older, but those who run it may.
	if !strings.Contains(lines.String(), "at=1970-01-01T00:00:01.000Z site=7 event=1000042") {
		t.Errorf("the log does not say where the ledger ends: %q", lines.String())
	}
}
