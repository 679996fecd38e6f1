package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// remoteTo returns a remote to a server that answers as a function says; tokens are not its task.
func remoteTo(t *testing.T, answer func(method, path string, r *http.Request) (int, string)) *remote {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		code, body := answer(r.Method, strings.TrimPrefix(r.URL.Path, "/api/v2/site"), r)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	api, err := server{URL: s.URL, APIKey: "key"}.connect()
	if err != nil {
		t.Fatal(err)
	}
	return &remote{client: api, url: "https://mirror.example.org/hook/0", key: "k", once: "once", origins: needed}
}

// TestRemote_AWebhookThatWasDeletedIsSubscribedAnew: the server answers a repeated Idempotency-Key as before, with the webhook that
// was deleted.
func TestRemote_AWebhookThatWasDeletedIsSubscribedAnew(t *testing.T) {
	answered, there := map[string]int{}, map[string]bool{}
	made := 0
	r := remoteTo(t, func(method, path string, q *http.Request) (int, string) {
		switch {
		case method == http.MethodPost && path == "/hooks":
			key := q.Header.Get("Idempotency-Key")
			if answered[key] == 0 {
				made++
				answered[key], there[fmt.Sprintf("/hooks/%d", made)] = made, true
			}
			return http.StatusCreated, fmt.Sprintf(`{"data":{"id":%d,"status":"active"}}`, answered[key])
		case method == http.MethodPut && there[path]:
			return http.StatusOK, `{"data":{"status":"active"}}`
		}
		return http.StatusNotFound, `{}`
	})
	for want := int64(1); want <= 3; want++ {
		id, anew, err := r.Keep(t.Context(), want-1)
		if id != want || !anew || err != nil {
			t.Fatalf("%d %v %v, want %d", id, anew, err, want)
		}
		clear(there)
	}
	if id, anew, err := r.Keep(t.Context(), 0); id != 4 || !anew || err != nil {
		t.Errorf("after the copy was lost as well: %d %v %v", id, anew, err)
	}
	if id, _, err := r.Keep(t.Context(), 0); id != 4 || err != nil {
		t.Errorf("a process that was killed before it stored the webhook: %d %v", id, err)
	}
}

// TestRemote_RightsThatWereTakenAwayHideNoListing: 403 of a listing says that it is gone only while the credential may search.
func TestRemote_RightsThatWereTakenAwayHideNoListing(t *testing.T) {
	search := http.StatusForbidden
	r := remoteTo(t, func(_, path string, _ *http.Request) (int, string) {
		if path == "/products/search" {
			return search, `{"data":[],"has_more":false}`
		}
		return http.StatusForbidden, `{}`
	})
	key := mirror.Key{Kind: mirror.Product, ID: 7}
	if _, err := r.Read(t.Context(), key); err == nil {
		t.Error("the listing is taken for gone")
	}
	search = http.StatusOK
	if record, err := r.Read(t.Context(), key); err != nil || !record.Gone {
		t.Errorf("%+v %v", record, err)
	}
}

// TestRemote_AnswersThatLeadNowhereAreErrors: they are tried again later, and not at once for ever, nor believed.
func TestRemote_AnswersThatLeadNowhereAreErrors(t *testing.T) {
	r := remoteTo(t, func(_, path string, _ *http.Request) (int, string) {
		switch path {
		case "/products/search":
			return http.StatusOK, `{"data":[],"has_more":true,"next_cursor":"MTI="}`
		case "/events":
			return http.StatusOK, `{"data":[],"has_more":true,"last_id":9}`
		case "/products/8":
			return http.StatusOK, `<html>Connexion</html>`
		}
		return http.StatusOK, `{}`
	})
	ctx := t.Context()
	for name, ask := range map[string]func() error{
		"a cursor that does not move":  func() error { _, err := r.Products(ctx, time.Time{}, "MTI="); return err },
		"ids that do not move":         func() error { _, err := r.IDs(ctx, "MTI="); return err },
		"a log that does not move":     func() error { _, err := r.Events(ctx, 3); return err },
		"a record that is another":     func() error { _, err := r.Read(ctx, mirror.Key{Kind: mirror.Product, ID: 7}); return err },
		"a page of a portal, with 200": func() error { _, err := r.Read(ctx, mirror.Key{Kind: mirror.Product, ID: 8}); return err },
		"a webhook that has no id":     func() error { _, _, err := r.Keep(ctx, 0); return err },
	} {
		if ask() == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

// TestReceiver_AFloodIsLoggedOnce: strangers do not fill the disk with log lines.
func TestReceiver_AFloodIsLoggedOnce(t *testing.T) {
	var lines bytes.Buffer
	h := &receiver{log: slog.New(slog.NewTextHandler(&lines, nil)), token: "t"}
	for range 10_000 {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/hook/x", nil))
	}
	if n := strings.Count(lines.String(), "\n"); n != 1 || h.refused.Load() != 10_000 {
		t.Errorf("%d lines, %d refused", n, h.refused.Load())
	}
}

// TestServe_OneMirrorRunsOnAFile: a second one is refused before it touches the webhook or the file.
func TestServe_OneMirrorRunsOnAFile(t *testing.T) {
	c := &serve{Database: t.TempDir() + "/m.db"}
	lock, err := c.hold()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.hold(); err == nil || !strings.Contains(err.Error(), "another mirror runs on") {
		t.Errorf("%v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := c.hold()
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Unlock()
}
