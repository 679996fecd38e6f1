package hooks_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

func TestSecretsOfConfigurationsAreNotShown(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	for kind, in := range map[string]hooks.HookAuthInput{
		"basic":                     {Username: opt.Of("u"), Password: opt.Of("hidden")},
		"bearer":                    {Token: opt.Of("hidden")},
		"api_key":                   {Header: opt.Of("X-Api-Key"), Value: opt.Of("hidden")},
		"oauth2_client_credentials": {TokenURL: opt.Of("https://login.example.org/token"), ClientID: opt.Of("c"), ClientSecret: opt.Of("hidden"), Scope: opt.Of("s")},
		"ed25519":                   {Name: opt.Of(" signing ")},
	} {
		in.Type = opt.Of(kind)
		created, err := w.Hooks.CreateHookAuth(t.Context(), full, in)
		if err != nil || !strings.HasSuffix(created.Location, fmt.Sprint("/hooks/auths/", created.ID)) {
			t.Fatalf("%s: %+v, %v", kind, created, err)
		}
		read, err := w.Hooks.GetHookAuth(t.Context(), full, hooks.HookAuthPath{ID: created.ID})
		if err != nil || read.Type != kind || (read.PublicKey != nil) != (kind == "ed25519") || (read.Name != nil) != (kind == "ed25519") {
			t.Errorf("%s: %+v, %v", kind, read, err)
		}
		if text, err := json.Marshal(read); err != nil || strings.Contains(string(text), "hidden") {
			t.Errorf("%s shows %s, %v", kind, text, err)
		}
	}
	all, err := w.Hooks.ListHookAuths(t.Context(), full, kernel.Nothing{})
	if err != nil || len(all) != 5 {
		t.Errorf("%+v, %v", all, err)
	}
	if theirs, err := w.Hooks.ListHookAuths(t.Context(), w.As("rival", 2), kernel.Nothing{}); err != nil || len(theirs) != 0 {
		t.Errorf("another site lists %+v, %v", theirs, err)
	}
}

func TestConfigurationsThatLackSomething(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		in    hooks.HookAuthInput
		code  fault.Code
		field string
	}{
		{hooks.HookAuthInput{}, fault.CodeRequired, "type"},
		{hooks.HookAuthInput{Type: opt.Of("digest")}, fault.CodeInvalidFormat, "type"},
		{hooks.HookAuthInput{Type: opt.Of("bearer")}, fault.CodeRequired, "token"},
		{hooks.HookAuthInput{Type: opt.Of("bearer"), Token: opt.Of("a\r\nb")}, fault.CodeInvalidFormat, "type"},
		{hooks.HookAuthInput{Type: opt.Of("bearer"), Token: opt.Of(strings.Repeat("x", 2049))}, fault.CodeOutOfRange, "token"},
		{hooks.HookAuthInput{Type: opt.Of("basic"), Username: opt.Of("u")}, fault.CodeRequired, "password"},
		{hooks.HookAuthInput{Type: opt.Of("api_key"), Value: opt.Of("v")}, fault.CodeRequired, "header"},
		{hooks.HookAuthInput{Type: opt.Of("api_key"), Header: opt.Of("Host"), Value: opt.Of("v")}, fault.CodeInvalidHeader, "header"},
		{hooks.HookAuthInput{Type: opt.Of("oauth2_client_credentials"), TokenURL: opt.Of("http://a.example"), ClientID: opt.Of("c"), ClientSecret: opt.Of("s")}, fault.CodeInvalidURL, "token_url"},
	} {
		_, err := w.Hooks.CreateHookAuth(t.Context(), w.As("full", 1), c.in)
		apitest.RefusedField(t, err, c.code, c.field)
	}
}

// A change of a configuration names a new version, keeps what it does not say, and
// cannot make it one of another type.
func TestConfigurationsChangeUnderTheirCondition(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	created, err := w.Hooks.CreateHookAuth(t.Context(), full, hooks.HookAuthInput{Type: opt.Of("basic"), Username: opt.Of("u"), Password: opt.Of("p")})
	if err != nil {
		t.Fatal(err)
	}
	before, err := w.Hooks.GetHookAuth(t.Context(), full, hooks.HookAuthPath{ID: created.ID})
	if err != nil {
		t.Fatal(err)
	}
	change := hooks.UpdateHookAuth{ID: created.ID, IfMatch: kernel.IfMatch{Given: true, Versions: []kernel.Version{before.Version}}}
	change.Name = opt.Of("ours")
	after, err := w.Hooks.UpdateHookAuth(t.Context(), full, change)
	if err != nil || *after.Name != "ours" || *after.Username != "u" || after.Version <= before.Version {
		t.Errorf("%+v, %v", after, err)
	}
	_, err = w.Hooks.UpdateHookAuth(t.Context(), full, change)
	apitest.Refused(t, err, fault.Stale, fault.CodePreconditionFailed)
	change.Type = opt.Of("bearer") // what is wrong comes before the condition
	_, err = w.Hooks.UpdateHookAuth(t.Context(), full, change)
	apitest.RefusedField(t, err, fault.CodeInvalidFormat, "type")
	_, err = w.Hooks.UpdateHookAuth(t.Context(), w.As("rival", 2), change)
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)

	in := apitest.HookFor("PRODUCT_CREATE")
	in.AuthID = opt.Of(created.ID)
	hook := w.Subscribe(full, in)
	_, err = w.Hooks.DeleteHookAuth(t.Context(), full, hooks.DeleteHookAuth{ID: created.ID})
	apitest.Refused(t, err, fault.Conflict, fault.CodeConflict)
	if _, err := w.Hooks.DeleteHook(t.Context(), full, hooks.DeleteHook{ID: hook}); err != nil {
		t.Fatal(err)
	}
	_, err = w.Hooks.DeleteHookAuth(t.Context(), full, hooks.DeleteHookAuth{ID: created.ID, IfMatch: change.IfMatch})
	apitest.Refused(t, err, fault.Stale, fault.CodePreconditionFailed)
	if _, err := w.Hooks.DeleteHookAuth(t.Context(), full, hooks.DeleteHookAuth{ID: created.ID}); err != nil {
		t.Error(err)
	}
	_, err = w.Hooks.GetHookAuth(t.Context(), full, hooks.HookAuthPath{ID: created.ID})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
}
