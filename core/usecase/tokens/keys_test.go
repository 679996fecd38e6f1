package tokens_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

var home = netip.MustParseAddr("192.0.2.7")

func createKey(w *apitest.World, in tokens.KeyInput) tokens.CreatedKey {
	w.T.Helper()
	made, err := w.Service.Tokens.CreateKey(w.T.Context(), kernel.Caller{}, in)
	if err != nil {
		w.T.Fatal(err)
	}
	return made
}

func nightly() tokens.KeyInput {
	return tokens.KeyInput{Credential: "full", Name: "nightly export", Site: 1, Packs: []string{"properties", "webhooks"}}
}

func TestA13_KeysAreCreatedListedAndRevoked(t *testing.T) {
	w := apitest.New(t)
	made := createKey(w, nightly())
	if !strings.HasPrefix(made.Text, "sk_live_") || !strings.HasPrefix(made.Text, made.Start) || made.Start == made.Text || made.ID == 0 {
		t.Errorf("the key is %+v", made)
	}
	caller, err := w.IdentifyKey(t.Context(), made.Text, home)
	if err != nil {
		t.Fatal(err)
	}
	if g := caller.Grant; g.Credential != "full" || g.Site != 1 || g.Packs != access.Properties|access.Webhooks || !g.Can(access.ProductGet) {
		t.Errorf("it stands for %+v", g)
	}
	other := nightly()
	other.Name = "reports"
	second := createKey(w, other)
	all, err := w.Service.Tokens.Keys(t.Context(), kernel.Caller{}, "full")
	if err != nil || len(all) != 2 || all[0].Name != "nightly export" || all[1].ID != second.ID {
		t.Errorf("the keys are %+v, %v", all, err)
	}
	for range 2 {
		if gone, err := w.Service.Tokens.RevokeKey(t.Context(), kernel.Caller{}, tokens.NamedKey{Credential: "full", ID: made.ID}); err != nil || !gone.Revoked() {
			t.Errorf("%+v, %v", gone, err)
		}
	}
	_, err = w.IdentifyKey(t.Context(), made.Text, home)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	if _, err := w.IdentifyKey(t.Context(), second.Text, home); err != nil {
		t.Errorf("the other key: %v", err)
	}
	createKey(w, nightly()) // the name is free again
}

func TestA13_KeysThatAreRefused(t *testing.T) {
	w := apitest.New(t)
	made := createKey(w, nightly())
	createKey(w, tokens.KeyInput{Credential: "full", Name: "office", Site: 1, Packs: []string{"all"}, Addresses: []string{"198.51.100.0/24"}})
	for name, key := range map[string]string{
		"none": "", "garbage": "garbage", "almost it": made.Text + "A", "its start": made.Start, "a bearer token": w.Token("full", 1).AccessToken,
		"a client secret": "full-secret",
	} {
		_, err := w.IdentifyKey(t.Context(), key, home)
		if !errors.Is(err, fault.Unauthenticated) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := w.Identify(t.Context(), made.Text)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
}

// A key and a token are remembered apart: what was sent as one is never taken for
// the other.
func TestA13_AKnownKeyIsNoToken(t *testing.T) {
	w := apitest.New(t)
	made, token := createKey(w, nightly()), w.Token("full", 1).AccessToken
	w.Bearer(token)
	if _, err := w.IdentifyKey(t.Context(), made.Text, home); err != nil {
		t.Fatal(err)
	}
	_, err := w.Identify(t.Context(), made.Text)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	_, err = w.IdentifyKey(t.Context(), token, home)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
}

func TestA13_KeysEndByThemselves(t *testing.T) {
	w := apitest.New(t)
	in := nightly()
	in.Expires = w.Clock.Now().Add(time.Hour).Format(time.RFC3339Nano)
	made := createKey(w, in)
	w.Clock.Advance(time.Hour - time.Microsecond)
	if _, err := w.IdentifyKey(t.Context(), made.Text, home); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Microsecond)
	_, err := w.IdentifyKey(t.Context(), made.Text, home)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeKeyExpired)
}

func TestA13_KeysOfSomeAddresses(t *testing.T) {
	w := apitest.New(t)
	in := nightly()
	in.Addresses = []string{"192.0.2.0/25", "2001:db8::1"}
	made := createKey(w, in)
	for from, good := range map[string]bool{"192.0.2.7": true, "2001:db8::1": true, "192.0.2.200": false, "2001:db8::2": false} {
		_, err := w.IdentifyKey(t.Context(), made.Text, netip.MustParseAddr(from))
		if good != (err == nil) {
			t.Errorf("from %s: %v", from, err)
		}
		if !good {
			apitest.Refused(t, err, fault.Forbidden, fault.CodeAddressNotAllowed)
		}
	}
	_, err := w.IdentifyKey(t.Context(), made.Text, netip.Addr{})
	apitest.Refused(t, err, fault.Forbidden, fault.CodeAddressNotAllowed)
}

// Whatever ends or narrows the credential, on another node, holds for the next
// request with a key.
func TestA13_KeysFollowTheirCredential(t *testing.T) {
	full := func(change func(*tokens.CredentialInput)) tokens.CredentialInput {
		in := apitest.Network().Credentials[0]
		change(&in)
		return in
	}
	for name, c := range map[string]struct {
		change func(context.Context, *tokens.Service) error
		kind   fault.Kind
		code   fault.Code
	}{
		"revoked": {func(ctx context.Context, s *tokens.Service) error {
			return s.RevokeCredential(ctx, kernel.Caller{}, "full")
		}, fault.Unauthenticated, fault.CodeUnauthenticated},
		"disabled": {func(ctx context.Context, s *tokens.Service) error {
			_, err := s.UpdateCredential(ctx, kernel.Caller{}, full(func(in *tokens.CredentialInput) { in.Disabled = true }))
			return err
		}, fault.Forbidden, fault.CodeSiteDisabled},
		"out of reach": {func(ctx context.Context, s *tokens.Service) error {
			_, err := s.UpdateCredential(ctx, kernel.Caller{}, full(func(in *tokens.CredentialInput) { in.Sites = []int64{2} }))
			return err
		}, fault.Forbidden, fault.CodeSiteOutOfScope},
	} {
		t.Run(name, func(t *testing.T) {
			w := apitest.New(t)
			elsewhere := apitest.Empty(t, w.Store, w.Clock)
			made := createKey(w, nightly())
			if _, err := w.IdentifyKey(t.Context(), made.Text, home); err != nil {
				t.Fatal(err)
			}
			if err := c.change(t.Context(), elsewhere.Service.Tokens); err != nil {
				t.Fatal(err)
			}
			_, err := w.IdentifyKey(t.Context(), made.Text, home)
			apitest.Refused(t, err, c.kind, c.code)
		})
	}
	w := apitest.New(t)
	made := createKey(w, nightly())
	if _, err := w.Service.Tokens.UpdateCredential(t.Context(), kernel.Caller{}, full(func(in *tokens.CredentialInput) { in.Packs = []string{"webhooks", "sales"} })); err != nil {
		t.Fatal(err)
	}
	if caller, err := w.IdentifyKey(t.Context(), made.Text, home); err != nil || caller.Grant.Packs != access.Webhooks {
		t.Errorf("with fewer packs: %s, %v", caller.Grant.Packs, err)
	}
}

// A key that is known costs one read of the head, as a token does.
func TestA13_AKnownKeyCostsOneReadOfTheHead(t *testing.T) {
	store := &counting{Store: memstore.New()}
	w := apitest.Over(t, store)
	made := createKey(w, nightly())
	cost := func() (int, int) {
		store.heads, store.units = 0, 0
		if _, err := w.IdentifyKey(t.Context(), made.Text, home); err != nil {
			t.Fatal(err)
		}
		return store.heads, store.units
	}
	cost() // the first use
	if heads, units := cost(); heads != 1 || units != 0 {
		t.Errorf("a known key costs %d reads of the head and %d units of work", heads, units)
	}
	w.Token("full", 1)
	if heads, units := cost(); heads != 1 || units != 0 {
		t.Errorf("after a token it costs %d reads of the head and %d units of work", heads, units)
	}
	createKey(w, tokens.KeyInput{Credential: "full", Name: "another", Site: 1, Packs: []string{"all"}})
	if _, units := cost(); units == 0 {
		t.Error("after a change of access nothing is read anew")
	}
}

func TestA13_KeysThatCannotBeCreated(t *testing.T) {
	w := apitest.New(t)
	createKey(w, nightly())
	if err := w.Service.Tokens.RevokeCredential(t.Context(), kernel.Caller{}, "rival"); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*tokens.KeyInput)
		code   fault.Code
		field  string
	}{
		"no name":        {func(in *tokens.KeyInput) { in.Name = " " }, fault.CodeRequired, "name"},
		"a long name":    {func(in *tokens.KeyInput) { in.Name = strings.Repeat("é", 101) }, fault.CodeOutOfRange, "name"},
		"a taken name":   {func(in *tokens.KeyInput) { in.Name = "nightly export" }, fault.CodeNameTaken, "name"},
		"no packs":       {func(in *tokens.KeyInput) { in.Packs = nil }, fault.CodeRequired, "packs"},
		"an odd pack":    {func(in *tokens.KeyInput) { in.Packs = []string{"all", "any"} }, fault.CodeInvalidFormat, "packs[1]"},
		"another's site": {func(in *tokens.KeyInput) { in.Site = 2 }, fault.CodeUnknownSite, "site"},
		"no site":        {func(in *tokens.KeyInput) { in.Site = 0 }, fault.CodeUnknownSite, "site"},
		"an odd expiry":  {func(in *tokens.KeyInput) { in.Expires = "tomorrow" }, fault.CodeInvalidFormat, "expires"},
		"an expiry past": {func(in *tokens.KeyInput) { in.Expires = "2020-01-01" }, fault.CodeOutOfRange, "expires"},
		"an odd address": {func(in *tokens.KeyInput) { in.Addresses = []string{"192.0.2.1", "localhost"} }, fault.CodeInvalidFormat, "addresses[1]"},
		"many addresses": {func(in *tokens.KeyInput) { in.Addresses = slices.Repeat([]string{"192.0.2.1"}, 51) }, fault.CodeOutOfRange, "addresses"},
	} {
		in := nightly()
		in.Name = "another"
		c.change(&in)
		before := head(w)
		_, err := w.Service.Tokens.CreateKey(t.Context(), kernel.Caller{}, in)
		if err == nil {
			t.Errorf("%s: it is created", name)
			continue
		}
		apitest.RefusedField(t, err, c.code, c.field)
		if after := head(w); after != before {
			t.Errorf("%s: the head goes from %+v to %+v", name, before, after)
		}
	}
	for id, kind := range map[string]fault.Kind{"nobody": fault.NotFound, "rival": fault.Conflict} {
		in := nightly()
		in.Credential, in.Site = id, 2
		if _, err := w.Service.Tokens.CreateKey(t.Context(), kernel.Caller{}, in); !errors.Is(err, kind) {
			t.Errorf("%s: %v", id, err)
		}
	}
	for _, in := range []tokens.NamedKey{{Credential: "full", ID: 99}, {Credential: "group", ID: 1}, {Credential: "nobody", ID: 1}} {
		if _, err := w.Service.Tokens.RevokeKey(t.Context(), kernel.Caller{}, in); !errors.Is(err, fault.NotFound) {
			t.Errorf("%+v is revoked: %v", in, err)
		}
	}
	if _, err := w.Service.Tokens.Keys(t.Context(), kernel.Caller{}, "nobody"); !errors.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

func TestA13_ACredentialHasSoManyKeys(t *testing.T) {
	w := apitest.New(t)
	in := nightly()
	for i := range 100 {
		in.Name = strings.Repeat("x", i+1)
		createKey(w, in)
	}
	in.Name = "one more"
	_, err := w.Service.Tokens.CreateKey(t.Context(), kernel.Caller{}, in)
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "site")
}

// Keys of a setup are what the file says, and a second run changes nothing.
func TestA13_KeysOfASetup(t *testing.T) {
	w := apitest.New(t)
	const text = "sk_test_abcdefghijklmnopqrstuvwxyz"
	described := transfer.SetupKey{
		Credential: "full", Name: "nightly", Site: 1, Key: text, Packs: []string{"properties"}, Expires: "2100-01-01", Addresses: []string{"192.0.2.7"},
	}
	run := func(want transfer.Provisioned, keys ...transfer.SetupKey) {
		t.Helper()
		done, err := w.Transfer.Provision(t.Context(), transfer.Setup{Keys: keys})
		if err != nil || done != want {
			t.Errorf("%+v, %v; want %+v", done, err, want)
		}
	}
	run(transfer.Provisioned{Added: 1}, described)
	run(transfer.Provisioned{Unchanged: 1}, described)
	caller, err := w.IdentifyKey(t.Context(), text, home)
	if err != nil || caller.Grant.Packs != access.Properties {
		t.Fatalf("%+v, %v", caller.Grant, err)
	}
	renamed := described
	renamed.Name, renamed.Packs = "every night", []string{"all"}
	run(transfer.Provisioned{Changed: 1}, renamed)
	if caller, err := w.IdentifyKey(t.Context(), text, home); err != nil || caller.Grant.Packs != access.AllPacks {
		t.Errorf("with all packs: %s, %v", caller.Grant.Packs, err)
	}
	replaced := renamed
	replaced.Key = "sk_test_zyxwvutsrqponmlkjihgfedcba"
	run(transfer.Provisioned{Changed: 1}, replaced)
	_, err = w.IdentifyKey(t.Context(), text, home)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	all, err := w.Service.Tokens.Keys(t.Context(), kernel.Caller{}, "full")
	if err != nil || len(all) != 1 || all[0].Start != "sk_test_zyxw" {
		t.Fatalf("%+v, %v", all, err)
	}
	if _, err := w.Service.Tokens.RevokeKey(t.Context(), kernel.Caller{}, tokens.NamedKey{Credential: "full", ID: all[0].ID}); err != nil {
		t.Fatal(err)
	}
	run(transfer.Provisioned{Unchanged: 1}, replaced)
	_, err = w.IdentifyKey(t.Context(), replaced.Key, home)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	for name, change := range map[string]func(*transfer.SetupKey){
		"a credential nobody knows": func(k *transfer.SetupKey) { k.Credential = "nobody" },
		"a site out of reach":       func(k *transfer.SetupKey) { k.Site = 2 },
		"a short key":               func(k *transfer.SetupKey) { k.Key = "sk_test_short" },
		"another's key":             func(k *transfer.SetupKey) { k.Credential, k.Key = "group", replaced.Key },
		"no packs":                  func(k *transfer.SetupKey) { k.Packs = nil },
	} {
		wrong := described
		change(&wrong)
		if _, err := w.Transfer.Provision(t.Context(), transfer.Setup{Keys: []transfer.SetupKey{wrong}}); err == nil {
			t.Errorf("%s is provisioned", name)
		}
	}
}

func TestLastUses(t *testing.T) {
	w := apitest.New(t)
	made, token := createKey(w, nightly()), w.Token("full", 1).AccessToken
	stored := func(want ...access.Use) {
		t.Helper()
		if err := w.Service.Tokens.StoreUses(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, err := w.Service.Tokens.Uses(t.Context(), kernel.Caller{}); err != nil || !slices.Equal(got, want) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	stored()
	w.Bearer(token)
	first := w.Clock.Now()
	w.Clock.Advance(time.Second)
	if _, err := w.IdentifyKey(t.Context(), made.Text, home); err != nil {
		t.Fatal(err)
	}
	second := w.Clock.Now()
	_, _ = w.Identify(t.Context(), "garbage") // which uses nothing
	stored(access.Use{Credential: "full", At: first}, access.Use{Credential: "full", Key: made.ID, At: second})
	w.Clock.Advance(time.Second)
	w.Bearer(token)
	stored(access.Use{Credential: "full", At: w.Clock.Now()}, access.Use{Credential: "full", Key: made.ID, At: second})
}

// failing fails to write.
type failing struct {
	port.Store
	broken bool
}

func (f *failing) Update(ctx context.Context, fn func(port.Tx) error) error {
	if f.broken {
		return fault.Unavailable
	}
	return f.Store.Update(ctx, fn)
}

func TestUsesThatCouldNotBeStoredAreStoredLater(t *testing.T) {
	store := &failing{Store: memstore.New()}
	w := apitest.Over(t, store)
	w.Bearer(w.Token("full", 1).AccessToken)
	store.broken = true
	if err := w.Service.Tokens.StoreUses(t.Context()); !errors.Is(err, fault.Unavailable) {
		t.Fatal(err)
	}
	store.broken = false
	if err := w.Service.Tokens.StoreUses(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Service.Tokens.Uses(t.Context(), kernel.Caller{}); err != nil || len(got) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
