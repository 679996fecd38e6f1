package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// stuck is a store in which, once it is told, units of work only end when their
// context does.
type stuck struct {
	port.Store
	told    chan struct{}
	entered chan struct{}
	left    chan error
	// over lets go of units whose context does not end, so that the test does.
	over chan struct{}
}

func newStuck() *stuck {
	return &stuck{told: make(chan struct{}), entered: make(chan struct{}, 1), left: make(chan error, 1), over: make(chan struct{})}
}

func (s *stuck) hold(ctx context.Context) error {
	select {
	case <-s.told:
	default:
		return nil
	}
	s.entered <- struct{}{}
	select {
	case <-ctx.Done():
		s.left <- ctx.Err()
		return ctx.Err()
	case <-s.over:
		return errors.New("the context did not end")
	}
}

func (s *stuck) View(ctx context.Context, fn func(port.Tx) error) error {
	if err := s.hold(ctx); err != nil {
		return err
	}
	return s.Store.View(ctx, fn)
}

func (s *stuck) Update(ctx context.Context, fn func(port.Tx) error) error {
	if err := s.hold(ctx); err != nil {
		return err
	}
	return s.Store.Update(ctx, fn)
}

// A client that hangs up ends what was being done for it.
func TestAClientThatLeavesEndsItsQuery(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(c *client) *http.Request{
		"search":   func(c *client) *http.Request { return c.request("POST", "/products/search?fetch=rooms", "{}") },
		"criteria": func(c *client) *http.Request { return c.request("GET", "/products/1/criteria", nil) },
		"events":   func(c *client) *http.Request { return c.request("GET", "/events", nil) },
		"create":   func(c *client) *http.Request { return c.request("POST", "/products", `{"agency_id":11}`) },
		"update":   func(c *client) *http.Request { return c.request("PATCH", "/products/1", `{"product_id":1}`) },
		"delete":   func(c *client) *http.Request { return c.request("DELETE", "/products/1", nil) },
		"token": func(c *client) *http.Request {
			r := c.request("POST", "/api/client/token/site", "site_id=1", "Content-Type", "application/x-www-form-urlencoded")
			r.SetBasicAuth("sandbox-network", "sandbox-network-secret")
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			gate := newStuck()
			w := ownWorld(t, over(func(s port.Store) port.Store { gate.Store = s; return gate }))
			t.Cleanup(func() { close(gate.over) }) // before the world ends, which waits for its requests
			c := w.network(t)
			c.search(object{}).is(200) // others would wait for the index as well, so its load goes on
			close(gate.told)

			ctx, leave := context.WithCancel(t.Context())
			gone := make(chan error, 1)
			go func() {
				response, err := w.http.Do(ask(c).WithContext(ctx))
				if err == nil {
					response.Body.Close()
				}
				gone <- err
			}()
			await(t, gate.entered, "the query does not begin")
			leave()
			if err := await(t, gone, "the client does not leave"); !errors.Is(err, context.Canceled) {
				t.Errorf("the client got %v", err)
			}
			if err := await(t, gate.left, "the query goes on"); !errors.Is(err, context.Canceled) {
				t.Errorf("the query ended with %v", err)
			}
		})
	}
}

func await[T any](t *testing.T, c <-chan T, otherwise string) (value T) {
	t.Helper()
	select {
	case value = <-c:
	case <-time.After(patience):
		t.Fatal(otherwise)
	}
	return value
}

// A store that cannot be reached is 503, one that breaks is 500, both in the
// shape of every error and without a word about themselves.
func TestE4_AStoreThatFails(t *testing.T) {
	t.Parallel()
	away := &failing{}
	w := ownWorld(t, over(func(s port.Store) port.Store { away.Store = s; return away }))
	c := w.network(t)
	c.get("/site").is(200)
	for _, failure := range []struct {
		err    error
		status int
		code   string
		retry  string
	}{
		{fmt.Errorf("dial tcp db.internal:5432: %w", fault.Unavailable), 503, "unavailable", "2"},
		{errors.New("pq: relation db.internal does not exist"), 500, "internal_error", ""},
	} {
		away.err = failure.err
		for _, o := range w.Operations() {
			got := c.attempt(o).refused(failure.status, failure.code)
			if got.header.Get("Retry-After") != failure.retry || strings.Contains(string(got.body), "internal:") || strings.Contains(string(got.body), "pq") {
				t.Errorf("%s %v", got, got.header)
			}
		}
		c.grant("sandbox-network", url.Values{"site_id": {"1"}}).refused(failure.status, failure.code)
	}
	away.err = nil
	c.search(object{}).is(200)
}

// failing is a store that fails while it has an error.
type failing struct {
	port.Store
	err error
}

func (s *failing) Head(ctx context.Context, id site.ID) (port.Head, error) {
	if s.err != nil {
		return port.Head{}, s.err
	}
	return s.Store.Head(ctx, id)
}

func (s *failing) View(ctx context.Context, fn func(port.Tx) error) error {
	if s.err != nil {
		return s.err
	}
	return s.Store.View(ctx, fn)
}

func (s *failing) Update(ctx context.Context, fn func(port.Tx) error) error {
	if s.err != nil {
		return s.err
	}
	return s.Store.Update(ctx, fn)
}
