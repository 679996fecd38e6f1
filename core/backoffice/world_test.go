package backoffice_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// passwords hash by writing backwards, and count how often they are asked.
type passwords struct {
	mu             sync.Mutex
	hashes, checks int
}

// Hash implements port.Passwords.
func (p *passwords) Hash(password string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hashes++
	return "hash of " + password, nil
}

// Verify implements port.Passwords.
func (p *passwords) Verify(hash, password string) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.checks++
	return hash == "hash of "+password, nil
}

// IsCommon implements port.Passwords.
func (p *passwords) IsCommon(password string) bool { return strings.HasPrefix(password, "password") }

const goodPassword = "correct horse battery"

// world is a backoffice over the network of apitest, with an administrator.
type world struct {
	*apitest.World
	*backoffice.Service
	passwords *passwords
	admin     backoffice.Actor
	// asking is who a request of the walk is by.
	asking backoffice.Actor
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return over(t, apitest.New(t))
}

func over(t *testing.T, site *apitest.World) *world {
	t.Helper()
	w := &world{World: site, passwords: &passwords{}}
	w.open(t)
	link, needed, err := w.SetUp(t.Context())
	if err != nil || !needed {
		t.Fatalf("the set-up link is needed: %v, %v", needed, err)
	}
	w.admin = w.accept(t, backoffice.Accept{Secret: link.Secret, Email: "root@example.org", Name: "Root"}).Actor
	return w
}

// open makes the use cases of operators over the world's Site API.
func (w *world) open(t *testing.T) {
	t.Helper()
	var err error
	if w.Service, err = backoffice.New(w.World.Service, w.passwords); err != nil {
		t.Fatal(err)
	}
}

// empty is a world without operators.
func empty(t *testing.T) *world {
	t.Helper()
	w := &world{World: apitest.New(t), passwords: &passwords{}}
	w.open(t)
	return w
}

// accept comes in by a link, with a good password.
func (w *world) accept(t *testing.T, in backoffice.Accept) backoffice.SignedIn {
	t.Helper()
	in.Password, in.Peer = goodPassword, "192.0.2.1"
	came, err := w.Accept(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return came
}

// operator is somebody who was invited and came.
func (w *world) operator(t *testing.T, email string, role operator.Role, sites ...int64) backoffice.Actor {
	t.Helper()
	link, err := w.InviteOperator(t.Context(), w.admin, backoffice.InviteOperator{
		Email: email, Name: "Somebody", Post: backoffice.Post{Role: string(role), Sites: sites, Everywhere: len(sites) == 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w.accept(t, backoffice.Accept{Secret: link.Secret}).Actor
}

// audit is every entry, latest first.
func (w *world) audit(t *testing.T) (entries []operator.Entry) {
	t.Helper()
	w.View(func(tx port.Tx) (err error) {
		entries, err = tx.Audit().List(port.AuditQuery{Limit: 1000})
		return err
	})
	return entries
}

// do calls a use case that must succeed.
func do[In, Out any](t *testing.T, use func(context.Context, backoffice.Actor, In) (Out, error), a backoffice.Actor, in In) Out {
	t.Helper()
	out, err := use(t.Context(), a, in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
