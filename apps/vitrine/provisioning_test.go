package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

var copyOfTheFile = regexp.MustCompile(`(?m)^(sed .*) > site\.yaml$`)

// TestGoldenProvisioning copies the provisioning file out of its page as the quick
// start does, and carries it out: it answers what the page shows.
func TestGoldenProvisioning(t *testing.T) {
	pages := map[string]string{}
	for _, page := range documentation(t) {
		pages[page.path] = page.text
	}
	command := copyOfTheFile.FindStringSubmatch(pages["docs/quickstart.md"])
	if command == nil {
		t.Fatal("the quick start does not copy the file")
	}
	shell := exec.CommandContext(t.Context(), "sh", "-c", command[1])
	shell.Dir = filepath.Join("..", "..")
	file, err := shell.Output()
	if err != nil {
		t.Fatal(err)
	}
	described, err := setup.Decode(strings.NewReader(string(file)))
	if err != nil {
		t.Fatal(err)
	}
	service, err := wire.Describe(memstore.New())
	if err != nil {
		t.Fatal(err)
	}
	done, err := service.Transfer.Provision(t.Context(), described)
	if err != nil {
		t.Fatal(err)
	}
	var shown struct{ Added, Changed, Unchanged int }
	for _, block := range fencedBlock.FindAllStringSubmatch(pages["docs/operating/provisioning.md"], -1) {
		if block[1] == "json" {
			if err := json.Unmarshal([]byte(block[2]), &shown); err != nil {
				t.Fatal(err)
			}
		}
	}
	if shown.Added == 0 || done.Added != shown.Added || done.Changed != shown.Changed || done.Unchanged != shown.Unchanged {
		t.Errorf("the page shows %+v, it was %+v", shown, done)
	}
}
