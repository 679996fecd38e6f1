package httpapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// stalling is a store whose views wait, while it stalls, until it goes on.
type stalling struct {
	port.Store
	stalls     atomic.Bool
	begun, end chan struct{}
}

// View implements port.Store.
func (s *stalling) View(ctx context.Context, fn func(port.Tx) error) error {
	if s.stalls.Load() {
		s.begun <- struct{}{}
		<-s.end
	}
	return s.Store.View(ctx, fn)
}

// overdue is a context whose deadline is over when somebody says so.
type overdue struct {
	context.Context
	over chan struct{}
}

// Done implements context.Context.
func (b overdue) Done() <-chan struct{} { return b.over }

// Err implements context.Context.
func (b overdue) Err() error {
	select {
	case <-b.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestWhoWaitsForALoadTooLongIsToldToComeBack(t *testing.T) {
	for language, want := range map[string]string{
		"en": "the site is still being loaded; try again in a few seconds",
		"fr": "le site est encore en cours de chargement ; réessayez dans quelques secondes",
	} {
		store := &stalling{Store: memstore.New(), begun: make(chan struct{}), end: make(chan struct{})}
		c := crmOver(t, serviceOver(t, store), Options{})
		c.ask("GET", "/discovery", "") // who asks and where is known from now on
		store.stalls.Store(true)
		over := make(chan struct{})
		go func() {
			<-store.begun
			close(over)
		}()
		req := httptest.NewRequestWithContext(overdue{t.Context(), over}, http.MethodPost, base+"/products/search/count", strings.NewReader("{}"))
		req.Header.Set("Authorization", "Bearer "+c.token)
		req.Header.Set("Accept-Language", language)
		w := c.send(req)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		store.stalls.Store(false)
		close(store.end)
		if w := c.ask("POST", "/products/search/count", "{}"); w.Code != http.StatusOK {
			t.Errorf("then %d %s", w.Code, w.Body)
		}
	}
}
