package main

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A key that is missing or another one is told before anything of a large file is read: these
// files are cut off or no files of the kind, which nobody may have noticed.
func TestAKeyIsCheckedBeforeALargeFileIsRead(t *testing.T) {
	dir := t.TempDir()
	key := func(first byte) string {
		return base64.StdEncoding.EncodeToString(append(make([]byte, 31), first))
	}
	at := filepath.Join(dir, "vitrine.db")
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	setup := write("setup.yaml", "sites: [{id: 1, name: Nord, agencies: [{id: 11, name: A}]}]\n")
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	backup, archive := filepath.Join(dir, "all.tar"), filepath.Join(dir, "site.tar")
	for _, args := range [][]string{
		{"provision", "--database", at, setup}, {"backup", "--database", at, backup},
		{"export", "--database", at, "--format", "archive", "--site", "1", "--out", archive},
	} {
		if _, err := said(t, args...); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	cut := func(path string) string {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return write(filepath.Base(path)+".cut", string(content[:4096]))
	}
	fresh := filepath.Join(dir, "fresh.db")
	broken := write("broken.yaml", "sites: [")
	const other, none = "another key than this VITRINE_SECRET_KEY", "VITRINE_SECRET_KEY is not set"
	for _, c := range []struct {
		key, want string
		args      []string
	}{
		{key(2), other, []string{"provision", "--database", at, broken}},
		{"", none, []string{"provision", "--database", at, broken}},
		{"", none, []string{"provision", "--database", fresh, broken}},
		{key(1), "setup", []string{"provision", "--database", at, broken}},
		{key(2), other, []string{"import", "--database", at, "--site", "1", "--agency", "11", broken}},
		{"", none, []string{"import", "--database", at, "--site", "1", "--agency", "11", broken}},
		{key(2), other, []string{"import", "--database", at, "--format", "archive", cut(archive)}},
		{"", "there is nothing in", []string{"import", "--database", fresh, "--site", "1", "--agency", "11", broken}},
		{key(2), "made under another secret key", []string{"import", "--database", fresh, "--format", "archive", cut(archive)}},
		{"", "VITRINE_SECRET_KEY, which is not set", []string{"import", "--database", fresh, "--format", "archive", cut(archive)}},
		{key(1), "damaged or cut off", []string{"import", "--database", fresh, "--format", "archive", cut(archive)}},
		{key(2), "does not open the backup", []string{"restore", "--database", fresh, cut(backup)}},
		{"nonsense", "VITRINE_SECRET_KEY", []string{"restore", "--database", fresh, cut(backup)}},
		{key(1), "damaged or cut off", []string{"restore", "--database", fresh, cut(backup)}},
		{"", "damaged or cut off", []string{"restore", "--database", fresh, cut(backup)}},
	} {
		t.Setenv("VITRINE_SECRET_KEY", c.key)
		if _, err := said(t, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v under %q: %v, want %s", c.args, c.key, err, c.want)
		}
		if _, err := os.Stat(fresh); err == nil {
			t.Fatalf("%v made a database", c.args)
		}
	}
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	if _, err := said(t, "restore", "--database", fresh, backup); err != nil {
		t.Error(err)
	}
}
