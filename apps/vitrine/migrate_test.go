package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlite"
)

// least is the schema that programs have to know to use a database; empty if any will do.
func least(t *testing.T, file string) string {
	t.Helper()
	store, err := sqlite.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	known, _ := store.Meta(t.Context(), "least_schema")
	return known
}

func TestAnUpgradeIsFinalizedByItsOwnCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "v.db")
	migrate := func(args ...string) error {
		return run(t.Context(), append([]string{"migrate", "--database=" + file}, args...))
	}
	if err := migrate(); err != nil {
		t.Fatal(err)
	}
	made := least(t, file)
	if made == "" {
		t.Error("a new database is open to earlier versions")
	}
	// One that earlier versions use.
	store, err := sqlite.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.RemoveMeta(t.Context(), "least_schema"); err != nil {
		t.Fatal(err)
	}
	store.Close()
	if err := migrate(); err != nil {
		t.Fatal(err)
	}
	if now := least(t, file); now != "" {
		t.Errorf("an upgrade refuses those who know less than %s", now)
	}
	if err := migrate("--status", "--finalize"); err == nil || !strings.Contains(err.Error(), "choose one") {
		t.Errorf("to look and to finalize: %v", err)
	}
	if err := migrate("--finalize"); err != nil {
		t.Fatal(err)
	}
	if now := least(t, file); now != made {
		t.Errorf("finalized, it takes %s instead of %s", now, made)
	}
}
