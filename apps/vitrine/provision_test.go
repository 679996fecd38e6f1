package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// onNewDatabases runs a test on the name of a SQLite file that is not there, and on a PostgreSQL
// database without tables, where there is one.
func onNewDatabases(t *testing.T, test func(t *testing.T, database string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "vitrine.db")) })
	t.Run("postgres", func(t *testing.T) {
		server := os.Getenv("VITRINE_TEST_POSTGRES")
		if server == "" {
			t.Skip("VITRINE_TEST_POSTGRES is not set: run the tests through go run ./apps/internal/cluster")
		}
		database := rig.Postgres{Server: server, Name: "new_" + strings.ToLower(rand.Text())}
		if err := database.Create(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = database.Drop(context.WithoutCancel(t.Context())) })
		test(t, database.URL())
	})
}

// goodProducts are entries of a list of products, without a mistake.
func goodProducts(n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, "      - {model: M%d, agency_id: 1}\n", i)
	}
	return all.String()
}

// untouched fails the test if there is anything in a database that was new.
func untouched(t *testing.T, database string) {
	t.Helper()
	if !strings.HasPrefix(database, "postgres") {
		left, err := os.ReadDir(filepath.Dir(database))
		if err != nil || len(left) > 0 {
			t.Errorf("there is %v, %v", left, err)
		}
		return
	}
	store, err := postgres.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if content, err := store.Content(t.Context()); err != nil || content != sqlstore.Empty {
		t.Errorf("the database holds %v, %v", content, err)
	}
}

func TestAWrongProvisioningFileLeavesNoDatabase(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	site := func(rest string) string {
		return "sites:\n  - id: 1\n    name: Nord\n    agencies: [{id: 1, name: A}]\n" + rest
	}
	products := func(good int) string {
		return site("    products:\n" + goodProducts(good) + "      - {model: wrong, agency_id: 9}\n")
	}
	for name, c := range map[string]struct{ file, want string }{
		"no YAML":            {"sites: [", "reading the setup"},
		"nothing":            {"# a comment\n", "empty"},
		"an unknown key":     {site("    citeria: []\n"), "citeria"},
		"a doubled key":      {site("    name: Sud\n"), "name"},
		"an octal number":    {site("    users: [{id: 1, agency_id: 1, phone: 0240000000}]\n"), "in quotes"},
		"an agency":          {site("    users: [{id: 1, agency_id: 9}]\n"), "the site has no agency 9"},
		"a time zone":        {site("    timezone: Paris\n"), `"Paris"`},
		"a type":             {site("    criteria: [{id: 1, key: Prix, type: PRICE}]\n"), "Prix"},
		"a customer":         {site("    products:\n      - {model: M, agency_id: 1, customer_id: 5}\n"), "there is no customer 5"},
		"a site":             {site("") + "credentials: [{id: web, secret: s, sites: [2], packs: [all]}]\n", "there is no site 2"},
		"no secret":          {site("") + "credentials: [{id: web, sites: [1], packs: [all]}]\n", "it needs a secret"},
		"a product":          {products(0), "there is no agency 9"},
		"a product far down": {products(triedProducts - 1), "there is no agency 9"},
	} {
		t.Run(name, func(t *testing.T) {
			onNewDatabases(t, func(t *testing.T, database string) {
				file := filepath.Join(t.TempDir(), "site.yaml")
				if err := os.WriteFile(file, []byte(c.file), 0o600); err != nil {
					t.Fatal(err)
				}
				if _, err := said(t, "provision", "--database", database, file); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("it is told %v", err)
				}
				untouched(t, database)
			})
		})
	}
}

// What is not tried before is found in the database, which is empty again afterwards. What was
// there stays.
func TestAMistakeThatIsFoundLateLeavesNoDatabase(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	file := filepath.Join(t.TempDir(), "site.yaml")
	write := func(agency int) {
		text := fmt.Sprintf("sites:\n  - id: 1\n    name: Nord\n    agencies: [{id: 1, name: A}]\n    products:\n%s      - {model: last, agency_id: %d}\n",
			goodProducts(triedProducts), agency)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	onNewDatabases(t, func(t *testing.T, database string) {
		late := func() {
			t.Helper()
			write(9)
			if _, err := said(t, "provision", "--database", database, file); err == nil || !strings.Contains(err.Error(), "there is no agency 9") {
				t.Errorf("it is told %v", err)
			}
		}
		late()
		untouched(t, database)
		write(1)
		if _, err := said(t, "provision", "--database", database, file); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Stat(database)
		late()
		late()
		if after, _ := os.Stat(database); before != nil && !os.SameFile(before, after) {
			t.Errorf("the file that was there is %v", after)
		}
		write(1)
		if products, err := said(t, "provision", "--database", database, file); err != nil || !strings.Contains(products, `"added": 0`) {
			t.Errorf("of what was there is left: %s, %v", products, err)
		}
	})
}

// Tables that somebody else is connected to stay.
func TestTablesThatOthersUseStayAfterAMistake(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	onNewDatabases(t, func(t *testing.T, database string) {
		if !strings.HasPrefix(database, "postgres") {
			t.Skip("a file has a lock for it")
		}
		other, err := postgres.Open(t.Context(), database)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		file := filepath.Join(t.TempDir(), "site.yaml")
		text := "sites:\n  - id: 1\n    name: Nord\n    agencies: [{id: 1, name: A}]\n    products:\n" +
			goodProducts(triedProducts) + "      - {model: last, agency_id: 9}\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := said(t, "provision", "--database", database, file); err == nil || !strings.Contains(err.Error(), "there is no agency 9") {
			t.Errorf("it is told %v", err)
		}
		if content, err := other.Content(t.Context()); err != nil || content != sqlstore.Ours {
			t.Errorf("the database holds %v, %v", content, err)
		}
	})
}

func TestAMistypedCellIsNotMade(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	database, other := filepath.Join(t.TempDir(), "vitrine.db"), filepath.Join(t.TempDir(), "cell.db")
	if _, err := said(t, "provision", "--database", database, "--pepper-from", other, "sandbox.yaml"); err == nil || !strings.Contains(err.Error(), "--pepper-from") {
		t.Errorf("it is told %v", err)
	}
	untouched(t, database)
	untouched(t, other)
}
