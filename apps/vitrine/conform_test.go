package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/client/conform"
)

// otherServer grants tokens, has one agency, and counts what is created.
func otherServer(t *testing.T, environment string) (url string, created *atomic.Int64) {
	t.Helper()
	created = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Environment", environment)
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/client/token/"):
			fmt.Fprintf(w, `{"domain":"http://%s","token_type":"Bearer","access_token":"the token of all"}`, r.Host)
		case strings.HasSuffix(r.URL.Path, "/discovery"):
			fmt.Fprint(w, `{"data":[{"site_id":1,"agency_id":2}]}`)
		case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/products"):
			created.Add(1)
			w.WriteHeader(http.StatusCreated)
			fmt.Fprint(w, `{"data":{"id":3}}`)
		default:
			fmt.Fprint(w, `{}`)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, created
}

// conforming runs vitrine conform against a server, and returns what it prints and ends with.
func conforming(t *testing.T, url string, more ...string) (string, int) {
	t.Helper()
	t.Setenv("VITRINE_CONFORM_CLIENT_SECRET", "a secret of somebody")
	text, err := said(t, append([]string{"conform", url, "--client-id=me", "--site=1"}, more...)...)
	if couldNot, ok := errors.AsType[*couldNotRun](err); ok {
		return text, couldNot.status()
	}
	if err != nil {
		return text, 1
	}
	return text, 0
}

func TestConformEndsWithWhatItFound(t *testing.T) {
	url, _ := otherServer(t, "")
	for only, want := range map[string]int{"token.token_type": 0, "token.token_type,token.expires_in": 1, "no.such": 2} {
		if text, status := conforming(t, url, "--only="+only); status != want {
			t.Errorf("%s ends with %d, not %d: %s", only, status, want, text)
		}
	}
	if _, status := conforming(t, "http://127.0.0.1:1"); status != 2 {
		t.Errorf("without a server it ends with %d", status)
	}
	if _, err := said(t, "conform", url); err == nil || !strings.Contains(err.Error(), "--client-id") {
		t.Errorf("without a client: %v", err)
	}
}

func TestConformWritesOnlyWithConsent(t *testing.T) {
	for _, c := range []struct {
		environment   string
		more          []string
		status, wants int
	}{
		{"", nil, 0, 0},
		{"", []string{"--write"}, 2, 0}, // nobody can be asked
		{"", []string{"--write", "--yes"}, 0, 1},
		{"sandbox", []string{"--write"}, 0, 1},
	} {
		url, created := otherServer(t, c.environment)
		if text, status := conforming(t, url, append(c.more, "--only=create.answer")...); status != c.status || int(created.Load()) != c.wants {
			t.Errorf("%+v: it ends with %d, and %d products: %s", c, status, created.Load(), text)
		}
	}
	url, _ := otherServer(t, "")
	for answer, ok := range map[string]bool{"y\n": true, "yes\n": true, "n\n": false, "\n": false, "": false} {
		if err := (&conformRun{URL: url}).consent(t.Context(), conform.Target{URL: url}, strings.NewReader(answer), true); (err == nil) != ok {
			t.Errorf("%q: %v", answer, err)
		}
	}
}

func TestConformReports(t *testing.T) {
	url, _ := otherServer(t, "")
	text, status := conforming(t, url, "--only=token.*", "--report=json")
	var report conform.Report
	if err := json.Unmarshal([]byte(text), &report); err != nil || status != 1 || report.Summary.Fell == 0 {
		t.Fatalf("%d, %v: %s", status, err, text)
	}
	if strings.Contains(text, "a secret of somebody") || strings.Contains(text, "the token of all") {
		t.Error("the report has a secret")
	}
	folder := t.TempDir()
	before, after := filepath.Join(folder, "before.json"), filepath.Join(folder, "after.json")
	if err := os.WriteFile(after, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if shown, _ := conforming(t, url, "--only=token.token_type", "--report=json", "--out="+before); !strings.Contains(shown, "contract 1.1.0: 1 of 1 held") {
		t.Error(shown)
	}
	for files, want := range map[[2]string]bool{{before, after}: false, {after, before}: true, {after, after}: true} {
		if text, err := said(t, "conform", "diff", files[0], files[1]); (err == nil) != want {
			t.Errorf("%v: %v in %s", files, err, text)
		}
	}
	listed := printed[[]listedCheck](t, "conform", "--list", "--report=json")
	if len(listed) != len(conform.Checks()) || listed[0].Sentence == "" {
		t.Errorf("%d checks are listed", len(listed))
	}
}
