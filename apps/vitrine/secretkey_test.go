package main

import (
	"bytes"
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"
)

func key(n byte) string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{n}, 32)) }

func TestWhateverOpensSecretsRefusesWithoutAKey(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", "")
	file := filepath.Join(t.TempDir(), "v.db")
	database := "--database=" + file
	if err := run(t.Context(), []string{"migrate", database}); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"serve", "--listen=127.0.0.1:0"}, {"serve", "--listen=127.0.0.1:0", "--no-dispatch"}, {"dispatch"}, {"provision", "sandbox.yaml"}, {"credential", "list"}, {"credential", "revoke", "x"},
		{"credential", "create", "x", "--site=1", "--pack=all"},
		{"credential", "rotate", "x"}, {"key", "create", "x", "y", "--site=1", "--pack=all"}, {"key", "list", "x"}, {"key", "revoke", "x", "1"},
		{"secret-key", "rotate", "--old-key=" + key(1)},
	} {
		err := run(t.Context(), append(args, database))
		if err == nil || !strings.Contains(err.Error(), "VITRINE_SECRET_KEY is not set") || !strings.Contains(err.Error(), "openssl rand -base64 32") {
			t.Errorf("%v: %v", args, err)
		}
	}
	err := run(t.Context(), []string{"provision", "sandbox.yaml", database, "--secret-key=short"})
	if err == nil || !strings.Contains(err.Error(), "not the base64 of 32 bytes") {
		t.Errorf("a key that is none: %v", err)
	}
}

func TestTheKeyIsExchangedFromTheCommandLine(t *testing.T) {
	file := "--database=" + filepath.Join(t.TempDir(), "v.db")
	steps := func(want bool, args ...string) {
		t.Helper()
		if err := run(t.Context(), append(args, file)); (err == nil) != want {
			t.Errorf("%v: %v", args, err)
		}
	}
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	steps(false, "secret-key", "rotate", "--old-key="+key(1)) // nothing is there
	steps(true, "provision", "sandbox.yaml")
	t.Setenv("VITRINE_SECRET_KEY", key(2))
	steps(false, "credential", "list")
	steps(false, "secret-key", "rotate")
	steps(false, "secret-key", "rotate", "--old-key=nonsense")
	t.Setenv("VITRINE_OLD_SECRET_KEYS", key(3)+","+key(1))
	steps(true, "secret-key", "rotate")
	steps(true, "credential", "list")
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	steps(false, "credential", "list")
}

func TestRetryDelaysAreTheContractsOrRefused(t *testing.T) {
	for delays, ok := range map[string]bool{"10ms,20ms,40ms": true, "1m,5m": false, "1m,1m,1m": false, "5m,1m,25m": false, "1s,1100ms,2s": false} {
		parser, err := newParser(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"serve", "dispatch", "sandbox"} {
			_, err := parser.Parse([]string{command, "--hooks-retry-delays=" + delays})
			if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "--hooks-retry-delays") {
				t.Errorf("%s with %s: %v", command, delays, err)
			}
		}
	}
}
