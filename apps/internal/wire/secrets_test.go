package wire

import (
	"bytes"
	"context"
	"encoding/base64"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// keyOf is a key, told apart by a number.
func keyOf(n byte) config.Secrets {
	return config.Secrets{SecretKey: base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{n}, 32))}
}

func rawKey(n byte) []byte { return bytes.Repeat([]byte{n}, 32) }

// opened is a database in a file, its schema up to date. Each store on it is
// like another process.
func opened(t *testing.T, file string) *sqlstore.Store {
	t.Helper()
	store := asItIs(t, file)
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return store
}

// network has one site, one agency and one client with every right.
func network() transfer.Setup {
	all := []string{access.All}
	return transfer.Setup{
		Sites: []transfer.SetupSite{{ID: 1, Name: "Réseau", Agencies: []transfer.SetupAgency{{ID: 11, Name: "Onze"}}}},
		Credentials: []transfer.SetupCredential{
			{ID: "client", Secret: "client-secret", Sites: []int64{1}, Packs: all, Permissions: all, Rights: all},
		},
	}
}

// enters checks that a service comes up with a key, that the client's secret is
// still known, and that its webhook's secret is what it was.
func enters(t *testing.T, file string, c config.Secrets, signing string) string {
	t.Helper()
	service, err := Service(t.Context(), opened(t, file), c, kernel.Options{Domain: "https://crm.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.Transfer.Provision(t.Context(), network()); err != nil {
		t.Fatal(err)
	}
	token, err := service.Tokens.IssueToken(t.Context(), kernel.Caller{}, tokens.IssueToken{
		Basic: tokens.Basic{ClientID: "client", ClientSecret: "client-secret"}, SiteID: opt.Of("1"),
	})
	if err != nil {
		t.Fatal(err)
	}
	caller, err := service.Identify(t.Context(), token.AccessToken)
	if err != nil {
		t.Fatal(err)
	}
	subscribed, err := service.Hooks.ListHooks(t.Context(), caller, hooks.ListHooks{})
	if err != nil {
		t.Fatal(err)
	}
	if len(subscribed.Data) == 0 {
		in := hooks.CreateHook{}
		in.URL, in.Origines = opt.Of("https://portal.example.org/in"), opt.Of([]string{"PRODUCT_UPDATE"})
		if _, err := service.Hooks.CreateHook(t.Context(), caller, in); err != nil {
			t.Fatal(err)
		}
	}
	secret, err := service.Hooks.GetHookSecret(t.Context(), caller, hooks.HookPath{ID: 1})
	if err != nil || signing != "" && secret.Secret != signing {
		t.Fatalf("the webhook signs with %q, not %q: %v", secret.Secret, signing, err)
	}
	return secret.Secret
}

// stays checks that a service does not come up, for a reason.
func stays(t *testing.T, file string, c config.Secrets, reason string) {
	t.Helper()
	if _, err := Service(t.Context(), opened(t, file), c, kernel.Options{}); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("%v, want an error about %q", err, reason)
	}
}

func TestADatabaseNeedsTheKeyItsSecretsAreKeptUnder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "v.db")
	stays(t, file, config.Secrets{}, "openssl rand -base64 32")
	signing := enters(t, file, keyOf(1), "")
	stays(t, file, config.Secrets{}, "openssl rand -base64 32")
	stays(t, file, config.Secrets{SecretKey: "c2hvcnQ="}, "not the base64 of 32 bytes")
	stays(t, file, keyOf(2), "another key")
	enters(t, file, keyOf(1), signing)
}

// The pepper is sealed too: the database alone does not let anybody try tokens.
func TestThePepperIsSealed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "v.db")
	store := opened(t, file)
	// A database from before peppers were sealed goes on with its own.
	old, err := access.NewSecret(strings.NewReader(strings.Repeat("old pepper", 10)))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.SetMeta(t.Context(), pepperFact, old); err != nil {
		t.Fatal(err)
	}
	enters(t, file, keyOf(1), "")
	stored, err := store.Meta(t.Context(), pepperFact)
	if err != nil || stored == old || !strings.HasPrefix(stored, "v1:") {
		t.Errorf("the pepper is stored as %q, %v", stored, err)
	}
	again := opened(t, file)
	if err := openSecrets(t.Context(), again, keyOf(1)); err != nil {
		t.Fatal(err)
	}
	key, err := pepper(t.Context(), again)
	if err != nil || base64.RawURLEncoding.EncodeToString(key) != old {
		t.Errorf("the pepper changed: %v", err)
	}
}

func TestASandboxHasAKeyOfItsOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "v.db")
	if err := SetEnvironment(t.Context(), opened(t, file), SandboxEnvironment); err != nil {
		t.Fatal(err)
	}
	signing := enters(t, file, config.Secrets{}, "")
	enters(t, file, config.Secrets{}, signing)
	enters(t, file, keyOf(1), signing) // what its own key sealed stays readable
}

func TestOnlyASandboxOpensWithoutAKey(t *testing.T) {
	ready := func(file string, c config.Secrets) error {
		store, err := ReadyStore(t.Context(), config.Database{Database: file}, c, slog.New(slog.DiscardHandler))
		if err == nil {
			store.Close()
		}
		return err
	}
	file := filepath.Join(t.TempDir(), "v.db")
	if err := ready(file, config.Secrets{}); err == nil || !strings.Contains(err.Error(), "openssl rand -base64 32") {
		t.Errorf("an empty database without a key: %v", err)
	}
	if content, err := asItIs(t, file).Content(t.Context()); content != sqlstore.Empty || err != nil {
		t.Errorf("what was refused was written to: %v, %v", content, err)
	}
	if err := ready(file, keyOf(1)); err != nil {
		t.Error(err)
	}
	if err := ready(file, config.Secrets{}); err == nil {
		t.Error("a database that is no sandbox opens without a key")
	}
	if err := SetEnvironment(t.Context(), opened(t, file), SandboxEnvironment); err != nil {
		t.Fatal(err)
	}
	if err := ready(file, config.Secrets{}); err != nil {
		t.Errorf("a sandbox without a key: %v", err)
	}
}

// asItIs is a database as it is.
func asItIs(t *testing.T, file string) *sqlstore.Store {
	t.Helper()
	store, err := OpenStore(t.Context(), config.Database{Database: file}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func TestTheKeyIsExchanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "v.db")
	signing := enters(t, file, keyOf(1), "")
	rotate := func(c config.Secrets, older ...[]byte) (int, error) {
		return RotateKey(context.WithoutCancel(t.Context()), opened(t, file), c, older...)
	}
	if n, err := rotate(config.Secrets{}, rawKey(1)); n != 0 || err == nil || !strings.Contains(err.Error(), "openssl") {
		t.Errorf("without a new key: %d, %v", n, err)
	}
	if n, err := rotate(keyOf(2), rawKey(3)); n != 0 || err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("with the wrong old key: %d, %v", n, err)
	}
	enters(t, file, keyOf(1), signing)
	for range 2 { // again, it changes nothing that anybody would notice
		if n, err := rotate(keyOf(2), rawKey(3), rawKey(1)); n != 3 || err != nil { // the pepper, the headers, the secrets
			t.Errorf("%d records, %v", n, err)
		}
	}
	enters(t, file, keyOf(2), signing)
	stays(t, file, keyOf(1), "another key")
}

// What a sandbox kept under a key of its own moves to the configured one, and the own key
// goes.
func TestExchangingTheKeyEndsADatabasesOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "v.db")
	if err := SetEnvironment(t.Context(), opened(t, file), SandboxEnvironment); err != nil {
		t.Fatal(err)
	}
	signing := enters(t, file, config.Secrets{}, "")
	store := opened(t, file)
	if n, err := RotateKey(t.Context(), store, keyOf(1)); n != 3 || err != nil {
		t.Errorf("%d records, %v", n, err)
	}
	if own, err := ownKey(t.Context(), store); own != nil || err != nil {
		t.Errorf("the database still holds a key: %v", err)
	}
	enters(t, file, keyOf(1), signing)
	stays(t, file, config.Secrets{}, "another key")
}
