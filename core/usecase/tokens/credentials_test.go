package tokens_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestCredentialsAreCreatedListedAndRevoked(t *testing.T) {
	w := apitest.New(t)
	secret, err := w.Service.Tokens.CreateCredential(t.Context(), kernel.Caller{}, transfer.SetupCredential{ID: "portal", Sites: []int64{1}, Packs: []string{"websites"}})
	if err != nil || len(secret) < 43 {
		t.Fatalf("the secret is %q, %v", secret, err)
	}
	obtain := func() error {
		_, err := w.Tokens.IssueToken(t.Context(), kernel.Caller{}, tokens.IssueToken{
			Basic: tokens.Basic{ClientID: "portal", ClientSecret: secret}, SiteID: opt.Of("1"),
		})
		return err
	}
	if err := obtain(); err != nil {
		t.Error(err)
	}
	if _, err := w.Service.Tokens.CreateCredential(t.Context(), kernel.Caller{}, transfer.SetupCredential{ID: "portal", Sites: []int64{1}}); err == nil {
		t.Error("the id was given out twice")
	}
	if all, err := w.Service.Tokens.Credentials(t.Context(), kernel.Caller{}); err != nil || len(all) != 6 {
		t.Errorf("%d credentials, %v", len(all), err)
	}
	if err := w.Service.Tokens.RevokeCredential(t.Context(), kernel.Caller{}, "portal"); err != nil {
		t.Error(err)
	}
	if obtain() == nil {
		t.Error("a revoked credential still obtains tokens")
	}
	if err := w.Service.Tokens.RevokeCredential(t.Context(), kernel.Caller{}, "nobody"); err == nil {
		t.Error("nobody was revoked")
	}
}

// TestA19_ChangesHoldForTheNextRequest: what is remembered on one node must not
// outlive a change made on another.
func TestA19_ChangesHoldForTheNextRequest(t *testing.T) {
	w := apitest.New(t)
	elsewhere := apitest.Empty(t, w.Store, w.Clock)
	token := w.Token("full", 1).AccessToken
	if scope := w.Bearer(token).Scope; !scope.Has(12) {
		t.Fatal("agency 12 should be in scope")
	}
	setup := apitest.Network()
	no := false
	setup.Sites[0].Agencies[1].InScope = &no
	if _, err := elsewhere.Transfer.Provision(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	if scope := w.Bearer(token).Scope; scope.Has(12) {
		t.Error("agency 12 left the site and is still in scope")
	}
	setup.Credentials[0].Rights = nil
	if _, err := elsewhere.Transfer.Provision(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	if w.Bearer(token).Grant.Can(access.ProductGet) {
		t.Error("a right that was taken away still counts")
	}
	if err := elsewhere.Service.Tokens.RevokeCredential(t.Context(), kernel.Caller{}, "full"); err != nil {
		t.Fatal(err)
	}
	_, err := w.Identify(t.Context(), token)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	_, err = w.Tokens.IssueToken(t.Context(), kernel.Caller{}, tokens.IssueToken{Basic: apitest.Basic("full"), SiteID: opt.Of("1")})
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeInvalidClient)
}

func TestS10_DisabledIsForbidden(t *testing.T) {
	for name, change := range map[string]func(*transfer.Setup){
		"site":       func(s *transfer.Setup) { s.Sites[0].Disabled = true },
		"credential": func(s *transfer.Setup) { s.Credentials[0].Disabled = true },
		"no agency": func(s *transfer.Setup) {
			no := false
			for i := range s.Sites[0].Agencies {
				s.Sites[0].Agencies[i].InScope = &no
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := apitest.New(t)
			token := w.Token("full", 1).AccessToken
			setup := apitest.Network()
			change(&setup)
			w.Provision(setup)
			_, err := w.Identify(t.Context(), token)
			apitest.Refused(t, err, fault.Forbidden, fault.CodeSiteDisabled)
		})
	}
}

func TestCredentialsThatCannotBeCreated(t *testing.T) {
	w := apitest.New(t)
	for name, c := range map[string]struct {
		change func(*tokens.CredentialInput)
		code   fault.Code
		field  string
	}{
		"no id":             {func(in *tokens.CredentialInput) { in.ID = "" }, fault.CodeInvalidFormat, "id"},
		"an id with spaces": {func(in *tokens.CredentialInput) { in.ID = "por tal" }, fault.CodeInvalidFormat, "id"},
		"a long id":         {func(in *tokens.CredentialInput) { in.ID = strings.Repeat("x", 101) }, fault.CodeInvalidFormat, "id"},
		"a long name":       {func(in *tokens.CredentialInput) { in.Name = strings.Repeat("x", 256) }, fault.CodeOutOfRange, "name"},
		"unknown pack":      {func(in *tokens.CredentialInput) { in.Packs = []string{"all", "everything"} }, fault.CodeInvalidFormat, "packs[1]"},
		"no permission":     {func(in *tokens.CredentialInput) { in.Permissions = []string{"PRODUCT"} }, fault.CodeInvalidFormat, "permissions[0]"},
		"no right":          {func(in *tokens.CredentialInput) { in.Rights = []string{"all", "SITE_PRODUCT:READ"} }, fault.CodeInvalidFormat, "rights[1]"},
		"unknown site":      {func(in *tokens.CredentialInput) { in.Sites = []int64{1, 9} }, fault.CodeUnknownSite, "sites[1]"},
		"one there is":      {func(in *tokens.CredentialInput) { in.ID = "full" }, fault.CodeNameTaken, "id"},
	} {
		in := tokens.CredentialInput{ID: "portal", Sites: []int64{1}, Packs: []string{"websites"}}
		c.change(&in)
		before := head(w)
		_, err := w.Service.Tokens.CreateCredential(t.Context(), kernel.Caller{}, in)
		apitest.RefusedField(t, err, c.code, c.field)
		if after := head(w); after != before {
			t.Errorf("%s: the head goes from %+v to %+v", name, before, after)
		}
		if name == "one there is" || c.field == "id" {
			continue
		}
		in.ID = "full"
		_, err = w.Service.Tokens.UpdateCredential(t.Context(), kernel.Caller{}, in)
		apitest.RefusedField(t, err, c.code, c.field)
	}
	in := tokens.CredentialInput{ID: strings.Repeat("x", 100), Sites: []int64{2, 1, 2}, Permissions: []string{"all", "SITE_CONFIG"}, Rights: []string{"RS:PRODUCT_GET"}}
	if secret, err := w.Service.Tokens.CreateCredential(t.Context(), kernel.Caller{}, in); err != nil || secret == "" {
		t.Error(err)
	}
	wrong := tokens.CredentialInput{ID: "a b", Packs: []string{"x"}, Rights: []string{"y"}}
	_, err := w.Service.Tokens.CreateCredential(t.Context(), kernel.Caller{}, wrong)
	if told := fault.From(err); len(told.Details) != 3 {
		t.Errorf("everything that is wrong is told at once: %+v", told.Details)
	}
}

func head(w *apitest.World) port.Head {
	w.T.Helper()
	h, err := w.Store.Head(w.T.Context(), 1)
	if err != nil {
		w.T.Fatal(err)
	}
	return h
}

func issue(w *apitest.World, id, secret string) error {
	_, err := w.Tokens.IssueToken(w.T.Context(), kernel.Caller{}, tokens.IssueToken{
		Basic: tokens.Basic{ClientID: id, ClientSecret: secret}, SiteID: opt.Of("1"),
	})
	return err
}

func TestSecretsOverlapAfterARotation(t *testing.T) {
	w := apitest.New(t)
	good := func(what string, secrets map[string]bool) {
		t.Helper()
		for secret, want := range secrets {
			if err := issue(w, "full", secret); (err == nil) != want {
				t.Errorf("%s: %q: %v", what, secret, err)
			}
		}
	}
	rotate := func(atOnce bool) tokens.RotatedSecret {
		t.Helper()
		got, err := w.Service.Tokens.RotateSecret(t.Context(), kernel.Caller{}, tokens.RotateSecret{Credential: "full", AtOnce: atOnce})
		if err != nil || len(got.Secret) < 43 {
			t.Fatalf("%+v, %v", got, err)
		}
		return got
	}
	token := w.Token("full", 1).AccessToken
	first := rotate(false)
	if want := w.Clock.Now().Add(24 * time.Hour); !first.Former.Until.Equal(want) {
		t.Errorf("the former secret is good until %v, not %v", first.Former.Until, want)
	}
	good("for a day", map[string]bool{"full-secret": true, first.Secret: true, "": false})
	second := rotate(false)
	good("rotated again", map[string]bool{"full-secret": false, first.Secret: true, second.Secret: true})
	w.Bearer(token) // tokens stay
	w.Clock.Advance(24*time.Hour - time.Microsecond)
	good("in the last tick", map[string]bool{first.Secret: true, second.Secret: true})
	w.Clock.Advance(time.Microsecond)
	good("after a day", map[string]bool{first.Secret: false, second.Secret: true})
	third := rotate(true)
	good("at once", map[string]bool{second.Secret: false, third.Secret: true})
	if third.Former != (access.Former{}) {
		t.Errorf("%+v is kept", third.Former)
	}
	for id, kind := range map[access.CredentialID]fault.Kind{"nobody": fault.NotFound, "rival": fault.Conflict} {
		_ = w.Service.Tokens.RevokeCredential(t.Context(), kernel.Caller{}, "rival")
		if _, err := w.Service.Tokens.RotateSecret(t.Context(), kernel.Caller{}, tokens.RotateSecret{Credential: id}); !errors.Is(err, kind) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// A file that says another secret than the credential has takes effect at once, one
// that says the present secret leaves the former one.
func TestProvisioningAndRotatedSecrets(t *testing.T) {
	w := apitest.New(t)
	described := apitest.Network().Credentials[0]
	provision := func(secret string) transfer.Provisioned {
		t.Helper()
		described.Secret = secret
		done, err := w.Transfer.Provision(t.Context(), transfer.Setup{Credentials: []transfer.SetupCredential{described}})
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	rotated, err := w.Service.Tokens.RotateSecret(t.Context(), kernel.Caller{}, tokens.RotateSecret{Credential: "full"})
	if err != nil {
		t.Fatal(err)
	}
	if done := provision(rotated.Secret); done.Unchanged != 1 || issue(w, "full", "full-secret") != nil {
		t.Errorf("the present secret: %+v", done)
	}
	if done := provision("of the file"); done.Changed != 1 || issue(w, "full", rotated.Secret) == nil || issue(w, "full", "full-secret") == nil {
		t.Errorf("another secret: %+v", done)
	}
	if err := issue(w, "full", "of the file"); err != nil {
		t.Error(err)
	}
}

func TestCredentialsAreUpdated(t *testing.T) {
	w := apitest.New(t)
	token := w.Token("full", 1).AccessToken
	wanted := tokens.CredentialInput{
		ID: "full", Name: "Renamed", Sites: []int64{1, 2}, Packs: []string{"websites"}, Permissions: []string{"SITE_CONFIG"}, Rights: []string{"RS:PRODUCT_GET"},
	}
	got, err := w.Service.Tokens.UpdateCredential(t.Context(), kernel.Caller{}, wanted)
	if err != nil {
		t.Fatal(err)
	}
	known, err := w.Service.Tokens.Credential(t.Context(), kernel.Caller{}, "full")
	if err != nil || !reflect.DeepEqual(got, known) || known.Name != "Renamed" || known.Added.IsZero() {
		t.Errorf("%+v is kept of %+v, %v", known, got, err)
	}
	if g := w.Bearer(token).Grant; g.Packs != access.Websites || !g.May(access.Config) || g.May(access.ProductRead) {
		t.Errorf("the token stands for %+v", g)
	}
	if err := issue(w, "full", "full-secret"); err != nil {
		t.Errorf("the secret is lost: %v", err)
	}
	wanted.Disabled = true
	if _, err := w.Service.Tokens.UpdateCredential(t.Context(), kernel.Caller{}, wanted); err != nil {
		t.Fatal(err)
	}
	_, err = w.Identify(t.Context(), token)
	apitest.Refused(t, err, fault.Forbidden, fault.CodeSiteDisabled)
	wanted.ID = "nobody"
	_, err = w.Service.Tokens.UpdateCredential(t.Context(), kernel.Caller{}, wanted)
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	if _, err := w.Service.Tokens.Credential(t.Context(), kernel.Caller{}, "nobody"); !errors.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if err := w.Service.Tokens.RevokeCredential(t.Context(), kernel.Caller{}, "full"); err != nil {
		t.Fatal(err)
	}
	wanted.ID = "full"
	_, err = w.Service.Tokens.UpdateCredential(t.Context(), kernel.Caller{}, wanted)
	apitest.Refused(t, err, fault.Conflict, fault.CodeConflict)
}

func TestAllTokensOfACredentialAreRevoked(t *testing.T) {
	w := apitest.New(t)
	one, two, other := w.Token("group", 1), w.Token("group", 2), w.Token("full", 1)
	w.Bearer(one.AccessToken)
	live := func(want int) {
		t.Helper()
		if n, err := w.Service.Tokens.LiveTokens(t.Context(), kernel.Caller{}, "group"); n != want || err != nil {
			t.Errorf("%d tokens are live, %v; want %d", n, err, want)
		}
	}
	live(2)
	for _, want := range []int{2, 0} {
		before := head(w)
		if n, err := w.Service.Tokens.RevokeTokens(t.Context(), kernel.Caller{}, "group"); n != want || err != nil {
			t.Errorf("%d chains are revoked, %v; want %d", n, err, want)
		}
		if touched := head(w).Access != before.Access; touched != (want > 0) {
			t.Errorf("the count of access has changed: %t", touched)
		}
	}
	live(0)
	for _, token := range []string{one.AccessToken, two.AccessToken} {
		_, err := w.Identify(t.Context(), token)
		apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	}
	_, err := refresh(w, "group", one.RefreshToken)
	apitest.Refused(t, err, fault.Forbidden, fault.CodeInvalidGrant)
	w.Bearer(other.AccessToken)
	w.Token("group", 1) // its secret is good as before
	live(1)
	w.Clock.Advance(time.Hour)
	live(0)
	if _, err := w.Service.Tokens.RevokeTokens(t.Context(), kernel.Caller{}, "nobody"); !errors.Is(err, fault.NotFound) {
		t.Error(err)
	}
}
