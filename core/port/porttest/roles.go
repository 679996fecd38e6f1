package porttest

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// Roles holds a store to the law as far as it is about some roles, which are named as
// in port.Roles: "Products". It is for a store that keeps these by itself and has the
// rest of another store. What is about them is found by carrying the law out on the
// model first, and seeing which examples ask for them. Run Store, too, before you trust
// the whole.
func Roles(t *testing.T, open func(testing.TB) port.Store, names ...string) {
	all := Names()
	for _, name := range names {
		if !slices.Contains(all, name) {
			t.Fatalf("port.Roles has no role %q; it has %q", name, all)
		}
	}
	for _, s := range suites() {
		var about []example
		t.Run("Model/"+s.name, func(t *testing.T) { about = s.about(t, names) })
		if len(about) == 0 {
			continue
		}
		suite{s.name, about}.run(t, open)
	}
}

// Names are the names of the roles of a unit of work.
func Names() (names []string) {
	tx := reflect.TypeFor[port.Roles]()
	for i := range tx.NumMethod() {
		if m := tx.Method(i); m.Type.NumIn() == 0 && m.Type.NumOut() == 1 {
			names = append(names, m.Name)
		}
	}
	return names
}

// about are the examples of a suite that ask for one of some roles.
func (s suite) about(t *testing.T, names []string) (found []example) {
	seen := &asked{Store: memstore.New()}
	w := &world{Store: seen}
	for _, c := range s.cases {
		seen.clear()
		t.Run(c.name, func(t *testing.T) { c.run(t, w) })
		if seen.any(names) {
			found = append(found, c)
		}
	}
	return found
}

// asked is a store that notes which roles of its units are asked for.
type asked struct {
	port.Store
	mu    sync.Mutex
	names map[string]bool
}

func (s *asked) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names = map[string]bool{}
}

func (s *asked) note(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name] = true
}

func (s *asked) any(names []string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(names, func(name string) bool { return s.names[name] })
}

// View implements port.Store.
func (s *asked) View(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.View(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: askedRoles{tx.Roles, s}}) })
}

// Update implements port.Store.
func (s *asked) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: askedRoles{tx.Roles, s}}) })
}

// askedRoles is a unit of work that notes which of its roles are asked for.
type askedRoles struct {
	port.Roles
	by *asked
}

// role is a role of a unit of work that was asked for by its name.
func role[R any](t askedRoles, name string, r R) R {
	t.by.note(name)
	return r
}

func (t askedRoles) Records() port.Records { return role(t, "Records", t.Roles.Records()) }
func (t askedRoles) Claims() port.Claims   { return role(t, "Claims", t.Roles.Claims()) }
func (t askedRoles) Ledger() port.Ledger   { return role(t, "Ledger", t.Roles.Ledger()) }
func (t askedRoles) Sites() port.Sites     { return role(t, "Sites", t.Roles.Sites()) }
func (t askedRoles) Actions() port.Actions { return role(t, "Actions", t.Roles.Actions()) }
func (t askedRoles) Credentials() port.Credentials {
	return role(t, "Credentials", t.Roles.Credentials())
}
func (t askedRoles) Tokens() port.Tokens         { return role(t, "Tokens", t.Roles.Tokens()) }
func (t askedRoles) Customers() port.Customers   { return role(t, "Customers", t.Roles.Customers()) }
func (t askedRoles) Calendars() port.Calendars   { return role(t, "Calendars", t.Roles.Calendars()) }
func (t askedRoles) Products() port.Products     { return role(t, "Products", t.Roles.Products()) }
func (t askedRoles) Receipts() port.Receipts     { return role(t, "Receipts", t.Roles.Receipts()) }
func (t askedRoles) Webhooks() port.Webhooks     { return role(t, "Webhooks", t.Roles.Webhooks()) }
func (t askedRoles) Deliveries() port.Deliveries { return role(t, "Deliveries", t.Roles.Deliveries()) }
func (t askedRoles) Rejections() port.Rejections { return role(t, "Rejections", t.Roles.Rejections()) }
func (t askedRoles) Imports() port.Imports       { return role(t, "Imports", t.Roles.Imports()) }
