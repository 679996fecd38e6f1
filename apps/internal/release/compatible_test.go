package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheClientsBreakNobodyUnsaid compares them with their last version.
func TestTheClientsBreakNobodyUnsaid(t *testing.T) {
	if _, err := here().git(t.Context(), "rev-parse"); err != nil {
		t.Skip("there is no repository to have versions: ", err)
	}
	if err := checkClients(t.Context(), here()); err != nil {
		t.Error(err)
	}
}

// TestWhatBreaksUsersOfAClientIsInTheChangelog changes the exported names of clients that have a version.
func TestWhatBreaksUsersOfAClientIsInTheChangelog(t *testing.T) {
	const exported = "package client\n\ntype Client struct{}\n\nfunc (*Client) DeleteProduct() {}\n\ntype Product struct{ Price float64 }\n"
	folder, git := repository(t)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(golang, typescript, changelog string) error {
		write("adapters/client/client.go", golang)
		write("adapters/client/typescript/src/index.ts", typescript)
		write("docs/CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n"+changelog+"\n## [0.1.0]\n\n### Removed\n\n- `connect`, long ago\n")
		return checkClients(t.Context(), source{folder: folder})
	}
	const typescript = "export { connect, type Config } from \"./client.js\";\n"
	git("init", "--quiet")
	write("adapters/client/go.mod", "module example.org/client\n\ngo 1.26.0\n")
	if err := check(exported, typescript, ""); err != nil {
		t.Fatalf("without a version: %v", err)
	}
	git("add", ".")
	git("commit", "--quiet", "--message=All")
	git("tag", "adapters/client/v0.1.0")
	without := func(text string) string { return strings.Replace(exported, text, "", 1) }
	more := strings.Replace(exported, "{ Price float64 }", "{ Price float64; City string }", 1)
	other := strings.Replace(exported, "float64", "string", 1)
	for name, c := range map[string]struct{ golang, typescript, changelog, unsaid string }{
		"nothing":                     {exported, typescript, "", ""},
		"a field more":                {more, typescript, "", ""},
		"an export more":              {exported, typescript + "export { verify } from \"./webhook.js\";\n", "", ""},
		"a method less":               {without("func (*Client) DeleteProduct() {}\n"), typescript, "### Added\n\n- `Client.DeleteProduct`\n", "Client.DeleteProduct"},
		"a method less, as it says":   {without("func (*Client) DeleteProduct() {}\n"), typescript, "### Removed\n\n- `Client.DeleteProduct`\n", ""},
		"another type":                {other, typescript, "", "Product.Price"},
		"another type, as it says":    {other, typescript, "### Changed\n\n- `Product.Price` is a text.\n", ""},
		"an export less":              {exported, "export { connect } from \"./client.js\";\n", "", "Config"},
		"an export that came to less": {exported, "export { type Config } from \"./client.js\";\n", "", "connect"},
	} {
		err := check(c.golang, c.typescript, c.changelog)
		if c.unsaid == "" && err != nil || c.unsaid != "" && (err == nil || !strings.Contains(err.Error(), "has not `"+c.unsaid+"`")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
