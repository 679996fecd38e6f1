package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// On a terminal, lists are tables.
func TestListsAreTablesForPeople(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	database := "--database=" + filepath.Join(t.TempDir(), "v.db")
	printed[any](t, "provision", "sandbox.yaml", database)
	printed[keyRecord](t, "key", "create", "sandbox-network", "nightly", "--site=1", "--pack=properties", "--pack=leads", "--expires=2100-01-01", database)
	printed[any](t, "credential", "revoke", "sandbox-rival", database)
	for _, c := range []struct {
		args  string
		wants []string
	}{
		{"credential list", []string{"ID ", "LAST USED", "sandbox-group", "1, 2", "revoked", "active"}},
		{"key list sandbox-network", []string{"START ", "nightly", "properties", "2100-01-01", "active"}},
		{"operator list", []string{"E-MAIL ", "SIGNED IN"}},
	} {
		text, err := said(t, append(strings.Fields(c.args), "--output=table", database)...)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.wants {
			if !strings.Contains(text, want) {
				t.Errorf("vitrine %s does not say %q:\n%s", c.args, want, text)
			}
		}
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		state := strings.Index(lines[0], "STATE")
		for _, line := range lines[1:] {
			if rest := string([]rune(line)[state:]); !strings.HasPrefix(rest, "active") && !strings.HasPrefix(rest, "revoked") {
				t.Errorf("vitrine %s: the column is not below its title:\n%s", c.args, text)
			}
		}
	}
}
