package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// TestAMistypedDatabaseIsNotBegun: commands about what a database holds leave no file
// where there is none.
func TestAMistypedDatabaseIsNotBegun(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	file := filepath.Join(t.TempDir(), "typo.db")
	for _, command := range [][]string{
		{"operator", "invite"}, {"operator", "list"}, {"credential", "list"}, {"key", "list", "website"}, {"export", "--site=1", "--out=" + filepath.Join(t.TempDir(), "out.csv")},
	} {
		err := run(t.Context(), append(command, "--database="+file))
		if err == nil || !strings.Contains(err.Error(), "there is nothing in") {
			t.Errorf("%v: %v", command, err)
		}
		if left, _ := filepath.Glob(file + "*"); len(left) > 0 {
			t.Fatalf("%v leaves %v", command, left)
		}
	}
}

// TestOperatorsAreLetInFromTheCommandLine plays a first run, an invitation, a lost
// password and somebody who leaves.
func TestOperatorsAreLetInFromTheCommandLine(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	file := filepath.Join(t.TempDir(), "v.db")
	database := "--database=" + file
	printed[any](t, "provision", "sandbox.yaml", database)
	accept := func(link, email string) backoffice.Actor {
		t.Helper()
		store, err := wire.OpenStore(t.Context(), config.Database{Database: file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		service, err := wire.Service(t.Context(), store, config.Secrets{SecretKey: key(1)}, kernel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		office, err := wire.Backoffice(service)
		if err != nil {
			t.Fatal(err)
		}
		came, err := office.Accept(t.Context(), backoffice.Accept{
			Secret: link[strings.LastIndex(link, "/")+1:], Email: email, Name: "Somebody", Password: "trombone agrafe lune",
		})
		if err != nil {
			t.Fatal(err)
		}
		return came.Actor
	}
	link := printed[linkRecord](t, "operator", "invite", database, "--console-url=https://console.example.org/")
	if !strings.HasPrefix(link.Link, "https://console.example.org/console/set-up/") {
		t.Errorf("the link is %s", link.Link)
	}
	accept(link.Link, "root@example.org")
	if err := run(t.Context(), []string{"operator", "invite", database}); err == nil {
		t.Error("another first operator is let in")
	}
	err := run(t.Context(), []string{"operator", "invite", "anne", database})
	if err == nil || !strings.Contains(explained(err), "email: ") || !strings.Contains(explained(err), "name: ") || !strings.Contains(explained(err), "--name") {
		t.Errorf("somebody without a name and an e-mail: %v", err)
	}
	for _, name := range []string{"--name=Anne", "--name="} { // invited, and then locked out
		link = printed[linkRecord](t, "operator", "invite", "anne@example.org", name, "--role=integrator", "--site=1", database)
		if !strings.HasPrefix(link.Link, "/console/invitations/") {
			t.Errorf("the link is %s", link.Link)
		}
		accept(link.Link, "")
	}
	all := printed[[]operatorRecord](t, "operator", "list", database)
	if len(all) != 2 || all[1].Email != "anne@example.org" || all[1].Role != "integrator" || all[1].Everywhere || all[1].SignedIn == nil {
		t.Errorf("the operators are %+v", all)
	}
	printed[any](t, "operator", "disable", " Anne@Example.org ", database)
	if err := run(t.Context(), []string{"operator", "disable", "root@example.org", database}); err == nil {
		t.Error("nobody is left who can do everything")
	}
	if err := run(t.Context(), []string{"operator", "disable", "nobody@example.org", database}); err == nil {
		t.Error("nobody was disabled")
	}
	all = printed[[]operatorRecord](t, "operator", "list", database)
	if !all[1].Disabled || all[0].Disabled {
		t.Errorf("the operators are %+v", all)
	}
}
