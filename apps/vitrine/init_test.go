package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/core/backoffice"
)

// initArgs are the arguments of a vitrine init that lacks nothing; more replace some of them.
func initArgs(more ...string) []string {
	return append([]string{
		"init", "--name", "Réseau Ouest", "--postal-code", "44000", "--city", "Nantes", "--firstname", "Ada", "--lastname", "Martin", "--email", "ada@example.org",
	}, more...)
}

func TestInitTellsWhatIsMissingOrWrong(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no flags": {[]string{"init"}, "--name is required; --postal-code is required; --city is required; --firstname is required; --lastname is required; --email is required"},
		"one":      {initArgs("--city="), "--city is required"},
		"e-mail":   {initArgs("--email=ada"), "--email is an e-mail address"},
		"code":     {initArgs("--postal-code=4400"), "--postal-code has five digits"},
		"site":     {initArgs("--site=0"), "--site is a number of at least 1"},
	} {
		t.Run(name, func(t *testing.T) {
			onNewDatabases(t, func(t *testing.T, database string) {
				if _, err := said(t, append(c.args, "--database", database)...); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("it is told %v", err)
				}
				untouched(t, database)
			})
		})
	}
	t.Run("no key", func(t *testing.T) {
		t.Setenv("VITRINE_SECRET_KEY", "")
		database := filepath.Join(t.TempDir(), "vitrine.db")
		if _, err := said(t, initArgs("--database", database)...); err == nil || !strings.Contains(err.Error(), "VITRINE_SECRET_KEY is not set") {
			t.Errorf("it is told %v", err)
		}
		untouched(t, database)
	})
	t.Run("no folder", func(t *testing.T) {
		if _, err := said(t, initArgs("--database", filepath.Join(t.TempDir(), "none", "vitrine.db"))...); err == nil || !strings.Contains(err.Error(), "there is no folder") {
			t.Errorf("it is told %v", err)
		}
	})
	t.Run("a folder of somebody else", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		if file, err := os.Create(filepath.Join(dir, "probe")); err == nil {
			file.Close()
			os.Remove(file.Name())
			t.Skip("this user may write everywhere")
		}
		database := filepath.Join(dir, "vitrine.db")
		for _, args := range [][]string{initArgs("--database", database), initArgs("--out", filepath.Join(dir, "site.yaml"))} {
			if _, err := said(t, args...); err == nil || !strings.Contains(err.Error(), dir) {
				t.Errorf("%v is told %v", args, err)
			}
		}
		untouched(t, database)
	})
}

// TestInitOnce: a second init is refused and changes nothing, and one of another number makes
// another site.
func TestInitOnce(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	onNewDatabases(t, func(t *testing.T, database string) {
		at := "--database=" + database
		first := printed[backoffice.CreatedSite](t, initArgs(at)...)
		if first.Site != 1 || first.Client != "site-1" || first.Secret == "" {
			t.Errorf("it made %+v", first)
		}
		clients := func() string {
			text, err := said(t, "credential", "list", at)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		before := clients()
		if _, err := said(t, initArgs(at, "--name=Autre")...); err == nil || !strings.Contains(err.Error(), "--site: there is a site 1 already, Réseau Ouest. Another --site makes another site") || strings.Contains(err.Error(), "credential") {
			t.Errorf("it is told %v", err)
		}
		if after := clients(); after != before {
			t.Errorf("there were %s, now %s", before, after)
		}
		if second := printed[backoffice.CreatedSite](t, initArgs(at, "--site=2")...); second.Site != 2 || second.Agency == first.Agency || second.User == first.User {
			t.Errorf("the second is %+v, after %+v", second, first)
		}
		printed[any](t, "credential", "create", "site-3", "--site=1", "--pack=websites", at)
		if _, err := said(t, initArgs(at, "--site=3")...); err == nil || !strings.Contains(err.Error(), `"site-3"`) {
			t.Errorf("it is told %v", err)
		}
	})
}

func TestInitWritesAFileForProvision(t *testing.T) {
	t.Setenv("VITRINE_SECRET_KEY", "") // a file has no secret
	file := filepath.Join(t.TempDir(), "site.yaml")
	args := initArgs("--out", file, "--site=7", "--agency=yes: no", "--postal-code=01000")
	if _, err := said(t, args...); err != nil {
		t.Fatal(err)
	}
	if _, err := said(t, args...); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("the file is written over: %v", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	described, err := setup.Decode(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := setup.French()
	if err != nil {
		t.Fatal(err)
	}
	own := described.Sites[0]
	if a := own.Agencies[0]; a.Name != "yes: no" || a.PostalCode != "01000" || own.ID != 7 || len(own.Criteria) != len(whole.Criteria) || len(described.Credentials) > 0 {
		t.Errorf("the file describes %+v, %d criteria", a, len(own.Criteria))
	}
	t.Setenv("VITRINE_SECRET_KEY", key(1))
	database := "--database=" + filepath.Join(t.TempDir(), "v.db")
	printed[any](t, "provision", file, database)
	if _, err := said(t, initArgs("--site=7", database)...); err == nil || !strings.Contains(err.Error(), "there is a site 7 already") {
		t.Errorf("it is told %v", err)
	}
}

// On a terminal it asks for what is missing or wrong, until it is right.
func TestInitAsks(t *testing.T) {
	c := initialize{Name: "Réseau Ouest", PostalCode: "4400", Site: 1}
	var asked strings.Builder
	answers := "44\n 44000 \n\nNantes\nAda\nMartin\nada\nada@example.org\n"
	if err := c.ask(t.Context(), strings.NewReader(answers), &asked); err != nil {
		t.Fatal(err)
	}
	want := backoffice.NewSite{ID: 1, Name: "Réseau Ouest", PostalCode: "44000", City: "Nantes", Firstname: "Ada", Lastname: "Martin", Email: "ada@example.org"}
	if c.wanted() != want || strings.Contains(asked.String(), "Name of the network") || strings.Count(asked.String(), "has five digits") != 2 || strings.Count(asked.String(), "Town") != 2 {
		t.Errorf("it asked %s for %+v", asked.String(), c.wanted())
	}
	if err := new(initialize).ask(t.Context(), strings.NewReader("Réseau"), &asked); err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("answers that end are %v", err)
	}
}
