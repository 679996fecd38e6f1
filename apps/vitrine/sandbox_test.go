package main

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// Whoever starts a sandbox twice finds the first one's data where it was.
func TestASandboxThatCannotListenTouchesNoDatabase(t *testing.T) {
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	database := filepath.Join(t.TempDir(), "sandbox.db")
	if err := run(t.Context(), []string{"sandbox", "--listen", taken.Addr().String(), "--database", database}); err == nil {
		t.Error("it starts")
	}
	if _, err := os.Stat(database); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the database: %v", err)
	}
}

// The welcome prints what the demo operator signs in with.
func TestTheDemoOperatorComesInByThePrintedPassword(t *testing.T) {
	store := memstore.New()
	service, err := wire.Describe(store)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // as with --keep
		if err := addDemoOperator(t.Context(), service); err != nil {
			t.Fatal(err)
		}
	}
	text := welcome("http://127.0.0.1:8080", "http://127.0.0.1:8080/console/", "x.db")
	printed := regexp.MustCompile(`console +(\S+)\n +(\S+), password (\S+)\n`).FindStringSubmatch(text)
	if printed == nil || printed[1] != "http://127.0.0.1:8080/console/" {
		t.Fatalf("the welcome is %s", text)
	}
	office, err := wire.Backoffice(service)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := office.SignIn(t.Context(), backoffice.SignIn{Email: printed[2], Password: printed[3]}); err != nil {
		t.Error(err)
	}
}
