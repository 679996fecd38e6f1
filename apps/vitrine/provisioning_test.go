package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// TestGoldenProvisioning carries the provisioning file of its page out: it answers what the page
// shows.
func TestGoldenProvisioning(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "operating", "provisioning.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, block := range fencedBlock.FindAllStringSubmatch(string(page), -1) {
		shown[block[1]] = block[2]
	}
	described, err := setup.Decode(strings.NewReader(shown["yaml"]))
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
	var want struct{ Added, Changed, Unchanged int }
	if err := json.Unmarshal([]byte(shown["json"]), &want); err != nil {
		t.Fatal(err)
	}
	if want.Added == 0 || done != transfer.Provisioned(want) {
		t.Errorf("the page shows %+v, it was %+v", want, done)
	}
}
