package wire_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

func TestZeroIsNoLimit(t *testing.T) {
	store := database(t, filepath.Join(t.TempDir(), "vitrine.db"), "")
	for limit, want := range map[int]int{0: http.StatusUnauthorized, 1: http.StatusTooManyRequests} {
		service, err := wire.Describe(store)
		if err != nil {
			t.Fatal(err)
		}
		c := config.Server{RateLimit: float64(limit), RateBurst: 1, TokenFailures: limit}
		api, err := wire.Handler(service, c, prometheus.NewRegistry(), quiet)
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
