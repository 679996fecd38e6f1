package e2e_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
)

// stuck is a store in which, once it is told, units of work only end when their
// context does.
type stuck struct {
	port.Store
	told    chan struct{}
	entered chan struct{}
	left    chan error
}

func newStuck() *stuck {
	return &stuck{told: make(chan struct{}), entered: make(chan struct{}, 1), left: make(chan error, 1)}
}

func (s *stuck) hold(ctx context.Context) error {
	select {
	case <-s.told:
	default:
		return nil
	}
	s.entered <- struct{}{}
	<-ctx.Done()
	s.left <- ctx.Err()
	return ctx.Err()
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
	for name, ask := range map[string]func(c *client) *http.Request{
		"search":   func(c *client) *http.Request { return c.request("POST", "/products/search", "{}") },
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
			c := w.network(t)
			c.get("/site").is(200)
			close(gate.told)

			ctx, leave := context.WithCancel(t.Context())
			gone := make(chan error)
			go func() {
				_, err := w.http.Do(ask(c).WithContext(ctx))
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
	case <-time.After(5 * time.Second):
		t.Fatal(otherwise)
	}
	return value
}

// A store that does not answer is 503 in the shape of every error, and tells
// nothing of itself.
func TestE4_AStoreThatIsAway(t *testing.T) {
	away := &failing{}
	w := ownWorld(t, over(func(s port.Store) port.Store { away.Store = s; return away }))
	c := w.network(t)
	c.get("/site").is(200)
	away.err = errors.New("dial tcp db.internal:5432: connection refused")
	for _, o := range w.Operations() {
		if got := c.attempt(o); got.status == 500 {
			got.refused(500, "internal_error")
			if strings.Contains(string(got.body), "db.internal") {
				t.Errorf("%s", got)
			}
		} else if got.status != 422 && got.status != 404 && got.status != 200 {
			t.Errorf("%s", got)
		}
	}
	c.search(object{}).refused(500, "internal_error")
	c.post("/products", object{"agency_id": 11}).refused(500, "internal_error")
	away.err = nil
	c.search(object{}).is(200)
}

// failing is a store whose units of work fail while it has an error.
type failing struct {
	port.Store
	err error
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
