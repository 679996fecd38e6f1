package backoffice_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// provider says of everybody who comes back with the code "right" what it is told to say.
type provider struct {
	now    func() time.Time
	begun  port.ProviderFlow
	claims port.ProviderClaims
}

// Begin implements port.Provider.
func (p *provider) Begin(_ context.Context, f port.ProviderFlow) (string, error) {
	p.begun = f
	return "https://id.example.org/authorize?state=" + f.State, nil
}

// Finish implements port.Provider.
func (p *provider) Finish(_ context.Context, f port.ProviderFlow, code string) (port.ProviderClaims, error) {
	f.Again = p.begun.Again
	if code != "right" || f != p.begun {
		return port.ProviderClaims{}, refusal()
	}
	c := p.claims
	if c.Authenticated.IsZero() {
		c.Authenticated = p.now()
	}
	return c, nil
}

// elsewhere is a world whose operators sign in at a provider, too.
type elsewhere struct {
	*world
	provider *provider
}

func withProvider(t *testing.T, options ...backoffice.Option) elsewhere {
	t.Helper()
	w := elsewhere{over(t, apitest.New(t)), &provider{}}
	w.provider.now = w.Clock.Now
	w.reopen(t, options...)
	w.provider.claims = ofAda("readers")
	return w
}

// reopen makes the use cases of operators anew.
func (w elsewhere) reopen(t *testing.T, options ...backoffice.Option) {
	t.Helper()
	options = append(options, backoffice.Passkeys(&webAuthn{}), backoffice.OpenID(backoffice.Provider{Provider: w.provider, Name: "Example", Groups: []operator.GroupRole{
		{Group: "admins", Role: operator.Administrator}, {Group: "readers", Role: operator.Reader, Sites: []site.ID{1}}, {Group: "makers", Role: operator.Integrator},
	}}))
	var err error
	if w.Service, err = backoffice.New(w.World.Service, w.passwords, options...); err != nil {
		t.Fatal(err)
	}
}

func ofAda(groups ...string) port.ProviderClaims {
	return port.ProviderClaims{Issuer: "https://id.example.org", Subject: "ada", Name: "Ada", Email: "Ada@example.org", EmailVerified: true, Groups: groups}
}

// begin goes to the provider.
func (w elsewhere) begin(t *testing.T, in backoffice.BeginOpenID) backoffice.OpenIDBegun {
	t.Helper()
	in.Redirect, in.Peer = console+"/back", "192.0.2.9"
	begun, err := w.BeginOpenID(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return begun
}

// back comes back from there.
func (w elsewhere) back(t *testing.T, state string, session string) (backoffice.OpenIDFinished, error) {
	t.Helper()
	return w.FinishOpenID(t.Context(), backoffice.FinishOpenID{
		State: state, Kept: state, Code: "right", Redirect: console + "/back", Former: session, Peer: "192.0.2.9", Agent: "a browser",
	})
}

// comes signs in at the provider with some groups.
func (w elsewhere) comes(t *testing.T, c port.ProviderClaims) (backoffice.OpenIDFinished, error) {
	t.Helper()
	w.provider.claims = c
	return w.back(t, w.begin(t, backoffice.BeginOpenID{}).State, "")
}

func (w elsewhere) mustCome(t *testing.T, c port.ProviderClaims) backoffice.OpenIDFinished {
	t.Helper()
	in, err := w.comes(t, c)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// refusedFor checks an error, and that the audit has the refusal of an operator.
func (w elsewhere) refusedFor(t *testing.T, err error, text string, by operator.ID) {
	t.Helper()
	if !errors.Is(err, fault.Unauthenticated) || !strings.Contains(err.Error(), text) {
		t.Errorf("%v, want %s", err, text)
	}
	if last := w.audit(t)[0]; last.Operation != backoffice.RefusedEntry || last.Operator != by || last.Peer != "192.0.2.9" {
		t.Errorf("the audit says %+v", last)
	}
}

func TestWhoHasAGroupWithARoleBecomesAnOperator(t *testing.T) {
	w := withProvider(t)
	begun := w.begin(t, backoffice.BeginOpenID{To: "/console/requests"})
	if !strings.HasPrefix(begun.Address, "https://id.example.org/") || w.provider.begun.Nonce == "" || len(w.provider.begun.Verifier) < 43 || w.provider.begun.Nonce == w.provider.begun.Verifier {
		t.Errorf("%+v, %+v", begun, w.provider.begun)
	}
	in, err := w.back(t, begun.State, "")
	if err != nil {
		t.Fatal(err)
	}
	ada := in.Actor.Operator
	if in.To != "/console/requests" || ada.Email != "ada@example.org" || ada.Name != "Ada" || ada.Role != operator.Reader || !slices.Equal(ada.Sites, []site.ID{1}) || !ada.ByProvider() {
		t.Errorf("%+v", in)
	}
	if last := w.audit(t)[0]; last.Operation != backoffice.SignedInByProviderEntry || last.Operator != ada.ID || len(last.Changes) == 0 {
		t.Errorf("the audit says %+v", last)
	}
	if a, err := w.Identify(t.Context(), in.Secret, "192.0.2.9"); err != nil || a.Operator.ID != ada.ID {
		t.Errorf("%+v, %v", a, err)
	}
	if again := w.mustCome(t, ofAda("readers")); again.Actor.Operator.ID != ada.ID {
		t.Errorf("the same account is %d and %d", ada.ID, again.Actor.Operator.ID)
	}
}

func TestEachSignInSetsTheRoleAnew(t *testing.T) {
	w := withProvider(t)
	w.mustCome(t, ofAda("readers"))
	in := w.mustCome(t, ofAda("makers"))
	if o := in.Actor.Operator; o.Role != operator.Integrator || !o.Everywhere || len(o.Sites) != 0 {
		t.Errorf("%+v", o)
	}
	var fields []string
	for _, c := range w.audit(t)[0].Changes {
		fields = append(fields, c.Field)
	}
	if !slices.Contains(fields, "Role") || !slices.Contains(fields, "Everywhere") {
		t.Errorf("the audit has %v", fields)
	}
}

func TestWithoutAGroupNobodyComesInAndSessionsEnd(t *testing.T) {
	w := withProvider(t)
	in := w.mustCome(t, ofAda("readers"))
	_, err := w.comes(t, ofAda("secret circle"))
	w.refusedFor(t, err, "you are in none of the groups that have a role here: admins, readers, makers", in.Actor.Operator.ID)
	if strings.Contains(err.Error(), "circle") {
		t.Error("it tells of other groups")
	}
	if _, err := w.Identify(t.Context(), in.Secret, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("the session goes on: %v", err)
	}
	eve := ofAda()
	eve.Subject = "eve"
	_, err = w.comes(t, eve)
	w.refusedFor(t, err, "in none of the groups", 0)
}

func TestWhoIsDisabledStaysOut(t *testing.T) {
	w := withProvider(t)
	in := w.mustCome(t, ofAda("readers"))
	do(t, w.DisableOperator, w.admin, backoffice.DisableOperator{ID: int64(in.Actor.Operator.ID), Disabled: true})
	_, err := w.comes(t, ofAda("admins"))
	w.refusedFor(t, err, "the operator is disabled", in.Actor.Operator.ID)
}

func TestAnEmailIsNotTakenOver(t *testing.T) {
	w := withProvider(t)
	for name, e := range map[string]struct {
		change func(*port.ProviderClaims)
		text   string
	}{
		"of an operator with a password": {func(c *port.ProviderClaims) { c.Email = "ROOT@example.org" }, "there is an operator with your e-mail"},
		"not verified":                   {func(c *port.ProviderClaims) { c.EmailVerified = false }, "not said to be verified"},
		"none":                           {func(c *port.ProviderClaims) { c.Email = "" }, "not said to be verified"},
	} {
		claims := ofAda("admins")
		e.change(&claims)
		_, err := w.comes(t, claims)
		w.refusedFor(t, err, e.text, 0)
		if list := do(t, w.ListOperators, w.admin, kernel.Nothing{}); len(list.Operators) != 1 {
			t.Errorf("%s: %d operators", name, len(list.Operators))
		}
	}
	w.mustCome(t, ofAda("admins"))
	other := ofAda("admins")
	other.Subject = "another"
	_, err := w.comes(t, other)
	w.refusedFor(t, err, "there is an operator with your e-mail", 0)
}

func TestAnOperatorChangesToTheProviderByALink(t *testing.T) {
	w := withProvider(t)
	eve := w.operator(t, "eve@example.org", operator.Reader, 1)
	former, err := w.SignIn(t.Context(), backoffice.SignIn{Email: "eve@example.org", Password: goodPassword})
	if err != nil {
		t.Fatal(err)
	}
	link := do(t, w.RecoverOperator, w.admin, backoffice.OperatorPath{ID: int64(eve.Operator.ID)})
	w.provider.claims = ofAda("makers")
	in, err := w.back(t, w.begin(t, backoffice.BeginOpenID{Invitation: link.Secret, To: "/elsewhere"}).State, "")
	if err != nil || in.Actor.Operator.ID != eve.Operator.ID || in.Actor.Operator.Email != "eve@example.org" || in.Actor.Operator.Role != operator.Integrator || in.To != "" {
		t.Fatalf("%+v, %v", in, err)
	}
	if last := w.audit(t)[0]; last.Operation != backoffice.AcceptedEntry || last.Operator != eve.Operator.ID {
		t.Errorf("the audit says %+v", last)
	}
	if _, err := w.Identify(t.Context(), former.Secret, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("the session of the password goes on: %v", err)
	}
	if _, err := w.SignIn(t.Context(), backoffice.SignIn{Email: "eve@example.org", Password: goodPassword}); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("the password lets in: %v", err)
	}
	if _, err := w.BeginOpenID(t.Context(), backoffice.BeginOpenID{Invitation: link.Secret}); !errors.Is(err, fault.NotFound) {
		t.Errorf("the link again: %v", err)
	}
	second := do(t, w.InviteOperator, w.admin, backoffice.InviteOperator{Email: "new@example.org", Name: "New", Post: backoffice.Post{Role: "reader", Sites: []int64{1}}})
	_, err = w.back(t, w.begin(t, backoffice.BeginOpenID{Invitation: second.Secret}).State, "")
	w.refusedFor(t, err, "your account is an operator's already", eve.Operator.ID)

	// By a link they come back with a password, and the account is nobody's.
	link = do(t, w.RecoverOperator, w.admin, backoffice.OperatorPath{ID: int64(eve.Operator.ID)})
	if came := w.accept(t, backoffice.Accept{Secret: link.Secret}); came.Actor.Operator.ByProvider() {
		t.Error("they have no password")
	}
	if in := w.mustCome(t, ofAda("makers")); in.Actor.Operator.ID == eve.Operator.ID {
		t.Error("the account is still theirs")
	}
}

func TestTheFirstOperatorIsAnAdministratorOfTheProvider(t *testing.T) {
	w := elsewhere{empty(t), &provider{}}
	w.provider.now = w.Clock.Now
	w.reopen(t)
	link, _, err := w.SetUp(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.comes(t, ofAda("readers"))
	w.refusedFor(t, err, "the first operator is an administrator", 0)
	w.provider.claims = ofAda("readers")
	if _, err := w.back(t, w.begin(t, backoffice.BeginOpenID{Invitation: link.Secret}).State, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("a reader sets up: %v", err)
	}
	w.provider.claims = ofAda("admins")
	in, err := w.back(t, w.begin(t, backoffice.BeginOpenID{Invitation: link.Secret}).State, "")
	if err != nil || !in.Actor.Operator.CanAll() {
		t.Fatalf("%+v, %v", in, err)
	}
	_, err = w.comes(t, ofAda("readers"))
	w.refusedFor(t, err, "nobody else could manage operators everywhere", in.Actor.Operator.ID)
	if _, err := w.Identify(t.Context(), in.Secret, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("their session goes on: %v", err)
	}
	w.mustCome(t, ofAda("admins"))
}

func TestAWayToTheProviderIsGoodOnceInItsBrowserForTenMinutes(t *testing.T) {
	w := withProvider(t)
	state := w.begin(t, backoffice.BeginOpenID{}).State
	if _, err := w.FinishOpenID(t.Context(), backoffice.FinishOpenID{State: state, Kept: "another", Code: "right", Redirect: console + "/back"}); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("in another browser: %v", err)
	}
	if _, err := w.FinishOpenID(t.Context(), backoffice.FinishOpenID{Code: "right"}); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("without a state: %v", err)
	}
	if _, err := w.back(t, state, ""); err != nil {
		t.Errorf("in its browser: %v", err)
	}
	if _, err := w.back(t, state, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("again: %v", err)
	}
	state = w.begin(t, backoffice.BeginOpenID{}).State
	w.Clock.Advance(operator.BackWithin)
	if _, err := w.back(t, state, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("after ten minutes: %v", err)
	}
}

func TestWhatTheProviderRefusesIsRefusedAndCounts(t *testing.T) {
	w := withProvider(t)
	bring := func(code string) error {
		w.Clock.Advance(10 * time.Second)
		state := w.begin(t, backoffice.BeginOpenID{}).State
		_, err := w.FinishOpenID(t.Context(), backoffice.FinishOpenID{State: state, Kept: state, Code: code, Redirect: console + "/back", Peer: "192.0.2.9"})
		return err
	}
	w.refusedFor(t, bring(""), "Example did not let you in", 0)
	w.refusedFor(t, bring("wrong"), "Example did not say who you are", 0)
	w.Clock.Advance(time.Hour)
	state := w.begin(t, backoffice.BeginOpenID{}).State
	for range operator.MaxFailures {
		if _, err := w.back(t, "another", ""); !errors.Is(err, fault.Unauthenticated) {
			t.Fatal(err)
		}
	}
	if _, err := w.back(t, state, ""); !errors.Is(err, fault.Limited) {
		t.Errorf("after too many failures: %v", err)
	}
	w.Clock.Advance(time.Minute)
	for range operator.MaxFailures {
		w.begin(t, backoffice.BeginOpenID{})
	}
	if _, err := w.BeginOpenID(t.Context(), backoffice.BeginOpenID{Peer: "192.0.2.9"}); !errors.Is(err, fault.Limited) {
		t.Errorf("begun too often: %v", err)
	}
}

func TestWhoComesByTheProviderShowsThereAgainWhoTheyAre(t *testing.T) {
	w := withProvider(t)
	in := w.mustCome(t, ofAda("admins"))
	w.Clock.Advance(operator.Recent)
	again := func(c port.ProviderClaims) error {
		w.provider.claims = c
		begun := w.begin(t, backoffice.BeginOpenID{Again: true, Session: in.Secret})
		if !w.provider.begun.Again {
			t.Error("it is not asked again")
		}
		out, err := w.back(t, begun.State, in.Secret)
		if out.Secret != "" {
			t.Error("it began a session")
		}
		return err
	}
	proved := func() bool {
		a, err := w.Identify(t.Context(), in.Secret, "192.0.2.9")
		return err == nil && a.Session.IsProved(w.Clock.Now())
	}
	if _, err := w.Confirm(t.Context(), in.Actor, backoffice.Confirm{}); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("an empty password: %v", err)
	}
	late := ofAda("admins")
	late.Authenticated = w.Clock.Now().Add(-5 * time.Minute)
	w.refusedFor(t, again(late), "you were not asked there", in.Actor.Operator.ID)
	other := ofAda("admins")
	other.Subject = "other"
	w.refusedFor(t, again(other), "another account", 0)
	if proved() {
		t.Error("a refusal proves")
	}
	if err := again(ofAda("admins")); err != nil || !proved() {
		t.Errorf("%v", err)
	}
	w.refusedFor(t, again(ofAda("readers")), "your groups have changed", in.Actor.Operator.ID)
	if _, err := w.Identify(t.Context(), in.Secret, ""); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("the session goes on: %v", err)
	}
}

func TestWhoComesByTheProviderHasNoOtherWay(t *testing.T) {
	w := withProvider(t)
	in := w.mustCome(t, ofAda("admins"))
	if _, err := w.ChangePassword(t.Context(), in.Actor, backoffice.ChangePassword{Password: goodPassword}); !errors.Is(err, fault.Conflict) {
		t.Errorf("a password: %v", err)
	}
	w.adds(t, in.Actor, "key")
	asked, err := w.AskPasskey(t.Context(), backoffice.AskPasskey{Origin: console})
	if err != nil {
		t.Fatal(err)
	}
	w.refused(t, "a passkey", answers(asked, "key"))
	w.Clock.Advance(operator.Recent)
	do(t, w.ConfirmWithPasskey, in.Actor, answers(do(t, w.AskConfirm, in.Actor, backoffice.AskConfirm{Origin: console}), "key"))
}

func TestThereIsNoProviderUnlessOneIsGiven(t *testing.T) {
	w := newWorld(t)
	if w.ProviderName() != "" {
		t.Error("it has a name")
	}
	if _, err := w.BeginOpenID(t.Context(), backoffice.BeginOpenID{}); !errors.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if _, err := w.FinishOpenID(t.Context(), backoffice.FinishOpenID{}); !errors.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

func TestWherePasskeysAreRequiredNothingIsDoneWithoutOne(t *testing.T) {
	w := withProvider(t, backoffice.RequirePasskey())
	in := w.signIn(t)
	lacking, err := w.Identify(t.Context(), in.Secret, "192.0.2.1")
	if err != nil || !lacking.LacksPasskey {
		t.Fatalf("%+v, %v", lacking, err)
	}
	for _, o := range w.Operations() {
		if s := steps()[o.ID]; o.WithoutPasskey != slices.Contains([]string{"session.confirm", "session.end", "session.end-all", "passkey.list", "passkey.ask", "passkey.add"}, o.ID) {
			t.Errorf("%s without a passkey: %v", o.ID, o.WithoutPasskey)
		} else if !o.WithoutPasskey {
			if _, err := o.Call(t.Context(), lacking, w.staleRequest(t, s)); !errors.Is(err, fault.Forbidden) || !strings.Contains(err.Error(), "add a passkey first") {
				t.Errorf("%s: %v", o.ID, err)
			}
		}
	}
	if _, err := w.Enter(t.Context(), lacking, 1); !errors.Is(err, fault.Forbidden) {
		t.Errorf("entering a site: %v", err)
	}
	if sites, err := w.Sites(t.Context(), lacking); err != nil || len(sites) != 0 {
		t.Errorf("%v, %v", sites, err)
	}
	w.adds(t, lacking, "first")
	free, err := w.Identify(t.Context(), in.Secret, "192.0.2.1")
	if err != nil || free.LacksPasskey {
		t.Fatalf("%+v, %v", free, err)
	}
	if _, err := w.RemovePasskey(t.Context(), free, backoffice.RemovePasskey{ID: "first"}); !errors.Is(err, fault.Conflict) {
		t.Errorf("removing the last one: %v", err)
	}
	w.adds(t, free, "second")
	do(t, w.RemovePasskey, free, backoffice.RemovePasskey{ID: "first"})

	ada := w.mustCome(t, ofAda("admins"))
	if a, err := w.Identify(t.Context(), ada.Secret, ""); err != nil || a.LacksPasskey {
		t.Errorf("who comes by the provider: %+v, %v", a, err)
	}
}

func TestPasskeysAreNotRequiredWhereNoneAreTaken(t *testing.T) {
	if _, err := backoffice.New(newWorld(t).World.Service, &passwords{}, backoffice.RequirePasskey()); err == nil {
		t.Error("it begins")
	}
}
