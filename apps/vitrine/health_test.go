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

// The certificate of a server is for the name by which clients come, and of an
// authority that this machine need not know.
func TestHealthOfAServerThatSpeaksTLS(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	t.Setenv("VITRINE_LISTEN", strings.TrimPrefix(server.URL, "https://"))
	t.Setenv("VITRINE_TLS_CERT", "/not/to/be/read.pem")
	t.Setenv("VITRINE_TLS_KEY", "/not/to/be/read.key")
	if text, err := said(t, "health"); err != nil || text != "ready\n" {
		t.Errorf("%v, and it says %q", err, text)
	}
	if _, err := said(t, "health", "--url="+server.URL+"/readyz"); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a URL of somewhere is believed whatever its certificate: %v", err)
	}
}
