package tokens_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/tokens"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

func TestCredentialsAreCreatedListedAndRevoked(t *testing.T) {
	w := apitest.New(t)
	secret, err := w.Service.Tokens.CreateCredential(t.Context(), transfer.SetupCredential{ID: "portal", Sites: []int64{1}, Packs: []string{"websites"}})
	if err != nil || len(secret) < 43 {
		t.Fatalf("the secret is %q, %v", secret, err)
	}
	obtain := func() error {
		_, err := w.Tokens.IssueToken(t.Context(), api.Caller{}, tokens.IssueToken{
			Basic: tokens.Basic{ClientID: "portal", ClientSecret: secret}, SiteID: opt.Of("1"),
		})
		return err
	}
	if err := obtain(); err != nil {
		t.Error(err)
	}
	if _, err := w.Service.Tokens.CreateCredential(t.Context(), transfer.SetupCredential{ID: "portal", Sites: []int64{1}}); err == nil {
		t.Error("the id was given out twice")
	}
	if all, err := w.Service.Tokens.Credentials(t.Context()); err != nil || len(all) != 6 {
		t.Errorf("%d credentials, %v", len(all), err)
	}
	if err := w.Service.Tokens.RevokeCredential(t.Context(), "portal"); err != nil {
		t.Error(err)
	}
	if obtain() == nil {
		t.Error("a revoked credential still obtains tokens")
	}
	if err := w.Service.Tokens.RevokeCredential(t.Context(), "nobody"); err == nil {
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
	if err := elsewhere.Service.Tokens.RevokeCredential(t.Context(), "full"); err != nil {
		t.Fatal(err)
	}
	_, err := w.Identify(t.Context(), token)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	_, err = w.Tokens.IssueToken(t.Context(), api.Caller{}, tokens.IssueToken{Basic: apitest.Basic("full"), SiteID: opt.Of("1")})
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
	for name, change := range map[string]func(*tokens.CredentialInput){
		"no id":             func(in *tokens.CredentialInput) { in.ID = "" },
		"an id with spaces": func(in *tokens.CredentialInput) { in.ID = "por tal" },
		"a long id":         func(in *tokens.CredentialInput) { in.ID = strings.Repeat("x", 101) },
		"unknown pack":      func(in *tokens.CredentialInput) { in.Packs = []string{"everything"} },
		"no permission":     func(in *tokens.CredentialInput) { in.Permissions = []string{"PRODUCT"} },
		"no right":          func(in *tokens.CredentialInput) { in.Rights = []string{"SITE_PRODUCT:READ"} },
		"unknown site":      func(in *tokens.CredentialInput) { in.Sites = []int64{1, 9} },
		"one there is":      func(in *tokens.CredentialInput) { in.ID = "full" },
	} {
		in := tokens.CredentialInput{ID: "portal", Sites: []int64{1}, Packs: []string{"websites"}}
		change(&in)
		before := head(w)
		if _, err := w.Service.Tokens.CreateCredential(t.Context(), in); err == nil {
			t.Errorf("%s: it is created", name)
		}
		if after := head(w); after != before {
			t.Errorf("%s: the head goes from %+v to %+v", name, before, after)
		}
	}
	in := tokens.CredentialInput{ID: strings.Repeat("x", 100), Sites: []int64{2, 1, 2}, Permissions: []string{"all", "SITE_CONFIG"}, Rights: []string{"RS:PRODUCT_GET"}}
	if secret, err := w.Service.Tokens.CreateCredential(t.Context(), in); err != nil || secret == "" {
		t.Error(err)
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
