package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealthIsWhatTheServerSays(t *testing.T) {
	ready := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" || !ready {
			http.Error(w, "not ready", http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	t.Setenv("VITRINE_LISTEN", "127.0.0.1:1")
	t.Setenv("VITRINE_ADMIN_LISTEN", strings.TrimPrefix(server.URL, "http://"))
	if text, err := said(t, "health"); err != nil || text != "ready\n" {
		t.Errorf("%v, and it says %q", err, text)
	}
	ready = false
	if _, err := said(t, "health"); err == nil || !strings.Contains(err.Error(), "answers 503 Service Unavailable: not ready") {
		t.Errorf("a server that is not ready: %v", err)
	}
	server.Close()
	if _, err := said(t, "health", "--url="+server.URL+"/readyz"); err == nil {
		t.Error("a server that is gone is ready")
	}
}
