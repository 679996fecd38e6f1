package backoffice_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

func TestTheSetUpLinkLetsOneIn(t *testing.T) {
	w := newWorld(t)
	if w.admin.Operator.Role != operator.Administrator || !w.admin.Operator.Everywhere {
		t.Errorf("the first operator is %+v", w.admin.Operator)
	}
	if left := w.audit(t); len(left) != 1 || left[0].Operation != backoffice.AcceptedEntry || left[0].Operator != w.admin.Operator.ID {
		t.Errorf("the audit says %+v", left)
	}
	if _, needed, err := w.SetUp(t.Context()); needed || err != nil {
		t.Errorf("another set-up link is needed: %v, %v", needed, err)
	}
}

func TestASessionLastsHalfAnHourUnused(t *testing.T) {
	w := newWorld(t)
	came, err := w.SignIn(t.Context(), backoffice.SignIn{Email: " Root@Example.org ", Password: goodPassword, Peer: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w.Clock.Advance(operator.Idle - time.Minute)
		if _, err := w.Identify(t.Context(), came.Secret, "192.0.2.1"); err != nil {
			t.Fatal(err)
		}
	}
	w.Clock.Advance(operator.Idle)
	if _, err := w.Identify(t.Context(), came.Secret, "192.0.2.1"); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("a session that was not used for so long: %v", err)
	}
}

func TestLookingDoesNotProlongASession(t *testing.T) {
	w := newWorld(t)
	came, err := w.SignIn(t.Context(), backoffice.SignIn{Email: "root@example.org", Password: goodPassword})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(operator.Idle - time.Minute)
	if a, err := w.Look(t.Context(), came.Secret, "192.0.2.7"); err != nil || a.Peer != "192.0.2.7" || a.Operator.Name != "Root" {
		t.Fatalf("%+v, %v", a, err)
	}
	w.Clock.Advance(time.Minute)
	for name, find := range map[string]func(context.Context, string, string) (backoffice.Actor, error){"look": w.Look, "identify": w.Identify} {
		if _, err := find(t.Context(), came.Secret, ""); !errors.Is(err, fault.Unauthenticated) {
			t.Errorf("%s at a session that was only looked at for so long: %v", name, err)
		}
	}
}

func TestASessionLastsTwelveHoursInAnyCase(t *testing.T) {
	w := newWorld(t)
	came, err := w.SignIn(t.Context(), backoffice.SignIn{Email: "root@example.org", Password: goodPassword})
	if err != nil {
		t.Fatal(err)
	}
	for range 47 {
		w.Clock.Advance(15 * time.Minute)
		if _, err := w.Identify(t.Context(), came.Secret, ""); err != nil {
			t.Fatal(err)
		}
	}
	w.Clock.Advance(15 * time.Minute)
	if _, err := w.Identify(t.Context(), came.Secret, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("a session that has lasted so long: %v", err)
	}
}

func TestSignInTakesTheSameWorkForUnknownEmails(t *testing.T) {
	w := newWorld(t)
	w.operator(t, "out@example.org", operator.Reader)
	out := do(t, w.ListOperators, w.admin, kernel.Nothing{}).Operators[1]
	do(t, w.DisableOperator, w.admin, backoffice.DisableOperator{ID: out.ID, Disabled: true})
	for _, c := range []struct{ email, password string }{
		{"root@example.org", goodPassword}, {"root@example.org", "wrong"}, {"nobody@example.org", goodPassword},
		{"not an address", goodPassword}, {"", ""}, {"out@example.org", goodPassword},
	} {
		before := w.passwords.checks
		_, err := w.SignIn(t.Context(), backoffice.SignIn{Email: c.email, Password: c.password, Peer: "192.0.2.9"})
		if n := w.passwords.checks - before; n != 1 {
			t.Errorf("%q, %q: %d checks of a password (%v)", c.email, c.password, n, err)
		}
		if right := c.email == "root@example.org" && c.password == goodPassword; (err == nil) != right {
			t.Errorf("%q, %q: %v", c.email, c.password, err)
		}
	}
}
