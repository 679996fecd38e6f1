package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// said is what a command prints, and how it ends.
func said(t *testing.T, args ...string) (string, error) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	stdout := os.Stdout
	os.Stdout = file
	failed := run(t.Context(), args)
	os.Stdout = stdout
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text), failed
}

// printed is what a command prints, as JSON.
func printed[T any](t *testing.T, args ...string) (value T) {
	t.Helper()
	text, err := said(t, args...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&value); err != nil && err != io.EOF {
		t.Fatalf("%v: %v in %s", args, err, text)
	}
	return value
}

func TestA13_KeysFromTheCommandLine(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	database := "--database=" + filepath.Join(t.TempDir(), "v.db")
	printed[any](t, "provision", "sandbox.yaml", database)
	made := printed[keyRecord](t, "key", "create", "sandbox-network", "nightly", "--site=1", "--pack=properties", "--pack=leads", "--environment=Test 1",
		"--expires=2100-01-01", "--address=192.0.2.7", database)
	if !strings.HasPrefix(made.Key, "sk_test1_") || len(made.Packs) != 2 || made.Addresses[0] != "192.0.2.7/32" || made.DateExpires == nil {
		t.Errorf("made %+v", made)
	}
	all := printed[[]keyRecord](t, "key", "list", "sandbox-network", database)
	if len(all) != 1 || all[0].ID != made.ID || all[0].Key != "" || all[0].Start != made.Start || all[0].DateRevoked != nil || all[0].LastUsed != nil {
		t.Errorf("listed %+v", all)
	}
	if gone := printed[keyRecord](t, "key", "revoke", "sandbox-network", "1", database); gone.DateRevoked == nil {
		t.Errorf("revoked %+v", gone)
	}
	err := run(t.Context(), []string{"key", "create", "sandbox-network", "", "--site=9", "--pack=any", "--address=x", database})
	if err == nil {
		t.Fatal("a key with nothing right is made")
	}
	for _, want := range []string{"fields are not valid", "\n  name: ", "\n  packs[0]: ", "\n  addresses[0]: "} {
		if text := explained(err); !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
}

func TestSecretsAreRotatedFromTheCommandLine(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	database := "--database=" + filepath.Join(t.TempDir(), "v.db")
	printed[any](t, "provision", "sandbox.yaml", database)
	in := func(rotated rotatedRecord, wait time.Duration) bool {
		return rotated.FormerUntil != nil && time.Until(*rotated.FormerUntil) > wait-time.Hour && time.Until(*rotated.FormerUntil) <= wait
	}
	if got := printed[rotatedRecord](t, "credential", "rotate", "sandbox-network", database); len(got.Secret) != 43 || !in(got, 24*time.Hour) {
		t.Errorf("%+v", got)
	}
	if got := printed[rotatedRecord](t, "credential", "rotate", "sandbox-network", "--former-secret-lifetime=48h", database); !in(got, 48*time.Hour) {
		t.Errorf("%+v", got)
	}
	for _, c := range printed[[]credentialRecord](t, "credential", "list", database) {
		if (c.FormerUntil != nil) != (c.ID == "sandbox-network") {
			t.Errorf("%+v", c)
		}
	}
	if got := printed[rotatedRecord](t, "credential", "rotate", "sandbox-network", "--at-once", database); got.FormerUntil != nil {
		t.Errorf("%+v", got)
	}
	if err := run(t.Context(), []string{"credential", "rotate", "nobody", database}); err == nil {
		t.Error("nobody has another secret")
	}
}
