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
// in port.Tx: "Products". It is for a store that keeps these by itself and has the
// rest of another store. What is about them is found by carrying the law out on the
// model first, and seeing which examples ask for them. The random programs of Store
// are not among them: run it, too, before you trust the whole.
func Roles(t *testing.T, open func(testing.TB) port.Store, names ...string) {
	all := Names()
	for _, name := range names {
		if !slices.Contains(all, name) {
			t.Fatalf("port.Tx has no role %q; it has %q", name, all)
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
	tx := reflect.TypeFor[port.Tx]()
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
	return s.Store.View(ctx, func(tx port.Tx) error { return fn(askedTx{tx, s}) })
}

// Update implements port.Store.
func (s *asked) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(askedTx{tx, s}) })
}

// askedTx is a unit of work that notes which of its roles are asked for.
type askedTx struct {
	port.Tx
	by *asked
}

// role is a role of a unit of work that was asked for by its name.
func role[R any](t askedTx, name string, r R) R {
	t.by.note(name)
	return r
}

func (t askedTx) Ledger() port.Ledger { return role(t, "Ledger", t.Tx.Ledger()) }
func (t askedTx) Events() port.Events { return role(t, "Events", t.Tx.Events()) }
func (t askedTx) Sites() port.Sites   { return role(t, "Sites", t.Tx.Sites()) }
func (t askedTx) Moves() port.Moves   { return role(t, "Moves", t.Tx.Moves()) }
func (t askedTx) ScopeChanges() port.ScopeChanges {
	return role(t, "ScopeChanges", t.Tx.ScopeChanges())
}
func (t askedTx) Agencies() port.Agencies       { return role(t, "Agencies", t.Tx.Agencies()) }
func (t askedTx) Users() port.Users             { return role(t, "Users", t.Tx.Users()) }
func (t askedTx) Criteria() port.Criteria       { return role(t, "Criteria", t.Tx.Criteria()) }
func (t askedTx) Lists() port.Lists             { return role(t, "Lists", t.Tx.Lists()) }
func (t askedTx) ActionTypes() port.ActionTypes { return role(t, "ActionTypes", t.Tx.ActionTypes()) }
func (t askedTx) Actions() port.Actions         { return role(t, "Actions", t.Tx.Actions()) }
func (t askedTx) Credentials() port.Credentials { return role(t, "Credentials", t.Tx.Credentials()) }
func (t askedTx) Keys() port.Keys               { return role(t, "Keys", t.Tx.Keys()) }
func (t askedTx) Uses() port.Uses               { return role(t, "Uses", t.Tx.Uses()) }
func (t askedTx) Tokens() port.Tokens           { return role(t, "Tokens", t.Tx.Tokens()) }
func (t askedTx) CredentialTokens() port.CredentialTokens {
	return role(t, "CredentialTokens", t.Tx.CredentialTokens())
}
func (t askedTx) Customers() port.Customers { return role(t, "Customers", t.Tx.Customers()) }
func (t askedTx) Merged() port.Merged       { return role(t, "Merged", t.Tx.Merged()) }
func (t askedTx) SearchRequests() port.SearchRequests {
	return role(t, "SearchRequests", t.Tx.SearchRequests())
}
func (t askedTx) FollowUps() port.FollowUps     { return role(t, "FollowUps", t.Tx.FollowUps()) }
func (t askedTx) Leads() port.Leads             { return role(t, "Leads", t.Tx.Leads()) }
func (t askedTx) Offers() port.Offers           { return role(t, "Offers", t.Tx.Offers()) }
func (t askedTx) Agreements() port.Agreements   { return role(t, "Agreements", t.Tx.Agreements()) }
func (t askedTx) Lettings() port.Lettings       { return role(t, "Lettings", t.Tx.Lettings()) }
func (t askedTx) DealNumbers() port.DealNumbers { return role(t, "DealNumbers", t.Tx.DealNumbers()) }
func (t askedTx) Calendars() port.Calendars     { return role(t, "Calendars", t.Tx.Calendars()) }
func (t askedTx) AppointmentTypes() port.AppointmentTypes {
	return role(t, "AppointmentTypes", t.Tx.AppointmentTypes())
}
func (t askedTx) Appointments() port.Appointments {
	return role(t, "Appointments", t.Tx.Appointments())
}
func (t askedTx) Permanences() port.Permanences { return role(t, "Permanences", t.Tx.Permanences()) }
func (t askedTx) Schedules() port.Schedules     { return role(t, "Schedules", t.Tx.Schedules()) }
func (t askedTx) ImportedBusy() port.ImportedBusy {
	return role(t, "ImportedBusy", t.Tx.ImportedBusy())
}
func (t askedTx) BookingSettings() port.BookingSettings {
	return role(t, "BookingSettings", t.Tx.BookingSettings())
}
func (t askedTx) Holds() port.Holds           { return role(t, "Holds", t.Tx.Holds()) }
func (t askedTx) Bookings() port.Bookings     { return role(t, "Bookings", t.Tx.Bookings()) }
func (t askedTx) Feeds() port.Feeds           { return role(t, "Feeds", t.Tx.Feeds()) }
func (t askedTx) Products() port.Products     { return role(t, "Products", t.Tx.Products()) }
func (t askedTx) References() port.References { return role(t, "References", t.Tx.References()) }
func (t askedTx) Receipts() port.Receipts     { return role(t, "Receipts", t.Tx.Receipts()) }
func (t askedTx) Webhooks() port.Webhooks     { return role(t, "Webhooks", t.Tx.Webhooks()) }
func (t askedTx) Signings() port.Signings     { return role(t, "Signings", t.Tx.Signings()) }
func (t askedTx) WebhookAuths() port.WebhookAuths {
	return role(t, "WebhookAuths", t.Tx.WebhookAuths())
}
func (t askedTx) Deliveries() port.Deliveries   { return role(t, "Deliveries", t.Tx.Deliveries()) }
func (t askedTx) DeliveryLog() port.DeliveryLog { return role(t, "DeliveryLog", t.Tx.DeliveryLog()) }
func (t askedTx) Leases() port.Leases           { return role(t, "Leases", t.Tx.Leases()) }
func (t askedTx) Rejections() port.Rejections   { return role(t, "Rejections", t.Tx.Rejections()) }
func (t askedTx) Log() port.Log                 { return role(t, "Log", t.Tx.Log()) }
func (t askedTx) Followers() port.Followers     { return role(t, "Followers", t.Tx.Followers()) }
func (t askedTx) Usage() port.Usage             { return role(t, "Usage", t.Tx.Usage()) }
func (t askedTx) Imports() port.Imports         { return role(t, "Imports", t.Tx.Imports()) }
func (t askedTx) Operators() port.Operators     { return role(t, "Operators", t.Tx.Operators()) }
func (t askedTx) Sessions() port.Sessions       { return role(t, "Sessions", t.Tx.Sessions()) }
func (t askedTx) Invitations() port.Invitations { return role(t, "Invitations", t.Tx.Invitations()) }
func (t askedTx) Passkeys() port.Passkeys       { return role(t, "Passkeys", t.Tx.Passkeys()) }
func (t askedTx) Challenges() port.Challenges   { return role(t, "Challenges", t.Tx.Challenges()) }
func (t askedTx) Audit() port.Audit             { return role(t, "Audit", t.Tx.Audit()) }
