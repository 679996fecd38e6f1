package e2e_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	imported "github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

const sourceKey = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

const sourceSetup = `
sites:
  - id: 1
    name: Réseau
    vocabulary: french
    agencies:
      - {id: 1, name: Nantes, city: Nantes}
    products:
      - {model: "BY-PEOPLE", agency_id: 1, web_status: true}
    import_sources:
      - {id: 1, name: Nantes, folder: nantes, agency_id: 1, mode: full, every: 1m}
`

// sourceWorld is a database with a source, and the folder of that.
type sourceWorld struct {
	*testing.T
	database, folder string
}

func newSourceWorld(t *testing.T) sourceWorld {
	t.Helper()
	w := sourceWorld{t, filepath.Join(t.TempDir(), "vitrine.db"), t.TempDir()}
	setup := filepath.Join(t.TempDir(), "site.yaml")
	if err := errors.Join(os.WriteFile(setup, []byte(sourceSetup), 0o600), os.Mkdir(filepath.Join(w.folder, "nantes"), 0o700)); err != nil {
		t.Fatal(err)
	}
	moved(t, w.database, nil, 0, "provision", setup)
	return w
}

// put writes a file for the source at a minute, to which nobody has written for a while.
func (w sourceWorld) put(minute int, content string) {
	w.Helper()
	name := filepath.Join(w.folder, "nantes", "annonces.csv")
	at := time.Now().Add(-time.Hour + time.Duration(minute)*time.Minute)
	if err := errors.Join(os.WriteFile(name, []byte(content), 0o600), os.Chtimes(name, at, at)); err != nil {
		w.Fatal(err)
	}
}

// in does something in the database, on which no server runs.
func (w sourceWorld) in(do func(port.Tx) error) {
	w.Helper()
	key, err := base64.StdEncoding.DecodeString(sourceKey)
	if err != nil {
		w.Fatal(err)
	}
	keys, err := sqlstore.NewKeyring(key)
	if err != nil {
		w.Fatal(err)
	}
	store, err := sqlite.Open(w.Context(), w.database, sqlstore.Sealed(keys))
	if err != nil {
		w.Fatal(err)
	}
	defer store.Close()
	if err := store.Update(w.Context(), do); err != nil {
		w.Fatal(err)
	}
}

func (w sourceWorld) source() (s imported.ImportSource) {
	w.Helper()
	w.in(func(tx port.Tx) (err error) {
		s, err = tx.ImportSources().Get(1, 1)
		return err
	})
	return s
}

// becomesDue makes the source due, as time would.
func (w sourceWorld) becomesDue() {
	w.Helper()
	w.in(func(tx port.Tx) error {
		s, err := tx.ImportSources().Get(1, 1)
		if err != nil {
			return err
		}
		s.State.Due = time.Now()
		return tx.ImportSources().Put(s)
	})
}

// serves has a server work for a while, and kills it.
func (w sourceWorld) serves(during time.Duration) {
	w.Helper()
	p, _ := startedWith(w.T, []string{"VITRINE_SECRET_KEY=" + sourceKey, "VITRINE_PHOTOS=file://" + w.TempDir()},
		"serve", "--listen=127.0.0.1:0", "--public-url=https://crm.example.org", "--import-folder", w.folder, "--database", w.database)
	time.Sleep(during)
	_ = p.command.Process.Kill()
	_ = p.command.Wait()
}

// looks has servers work until the source was looked at once more, and returns it then.
func (w sourceWorld) looks() imported.ImportSource {
	w.Helper()
	w.becomesDue()
	before := w.source().State.Looked
	// What one server could not do in its time, the next one has more of.
	for round := range 12 {
		w.serves(time.Duration(10+10*round) * time.Second)
		if s := w.source(); s.State.Run == 0 && s.State.Looked.After(before) {
			return s
		}
	}
	w.Fatal("the source is not looked at")
	return imported.ImportSource{}
}

// shown are the products by reference: whether they are on the web.
func (w sourceWorld) shown() map[string]bool {
	w.Helper()
	shown := map[string]bool{}
	w.in(func(tx port.Tx) error {
		all, err := tx.Products().Scan(1, 0, 1_000_000)
		for _, p := range all {
			if _, twice := shown[p.Reference]; twice {
				w.Errorf("%s is there twice", p.Reference)
			}
			shown[p.Reference] = p.WebStatus
		}
		return err
	})
	return shown
}

// feed is a file with the listings from one number to another, at a price.
func feed(from, to, price int) string {
	var text strings.Builder
	for n := from; n < to; n++ {
		columns := make([]string, 329)
		columns[0], columns[1], columns[2], columns[3], columns[4], columns[5] = "a", fmt.Sprint("L-", n), "vente", "maison", "44000", "Nantes"
		columns[10], columns[19], columns[20], columns[300] = fmt.Sprint(price), "Maison", "Belle maison", "4.09"
		text.WriteString(`"` + strings.Join(columns, `"!#"`) + "\"\r\n")
	}
	return text.String()
}

// TestASourceLosesAndDoublesNothingWhenItsServerIsKilled: a full source of which a tenth goes and a tenth
// comes, again and again, while servers are killed.
func TestASourceLosesAndDoublesNothingWhenItsServerIsKilled(t *testing.T) {
	t.Parallel()
	listings, kills := 300, 2
	if os.Getenv(proofVariable) != "" {
		listings, kills = 5000, 20
	}
	w := newSourceWorld(t)
	w.put(0, feed(0, listings, 1000))
	w.looks()
	interrupted, from := 0, 0
	for n := 1; n <= kills; n++ {
		from += listings / 10
		w.put(n, feed(from, from+listings, 1000+n))
		w.becomesDue()
		// It looks at the file for 5 s before it reads it.
		w.serves(5*time.Second + 800*time.Millisecond + time.Duration(rand.N(2*listings))*time.Millisecond) //nolint:gosec // any moment will do
		if w.source().State.Run != 0 {
			interrupted++
		}
		if s := w.looks(); s.State.Problem != "" {
			t.Errorf("after %d kills: %s", n, s.State.Problem)
		}
		shown := w.shown()
		if len(shown) != 1+from+listings || !shown["BY-PEOPLE"] {
			t.Errorf("after %d kills there are %d products, want %d", n, len(shown), 1+from+listings)
		}
		for reference, onTheWeb := range shown {
			var number int
			if _, err := fmt.Sscanf(reference, "L-%d", &number); err == nil && onTheWeb != (number >= from) {
				t.Fatalf("after %d kills %s on the web: %t; the file begins with L-%d", n, reference, onTheWeb, from)
			}
		}
	}
	t.Logf("%d of %d kills were in the middle of a run", interrupted, kills)
}

// TestAFileThatIsNoneWithdrawsNothing: through the program, as it reads files.
func TestAFileThatIsNoneWithdrawsNothing(t *testing.T) {
	t.Parallel()
	w := newSourceWorld(t)
	w.put(0, feed(0, 10, 1000))
	w.looks()
	whole := feed(0, 9, 1000)
	for n, c := range []struct{ content, problem string }{
		{"<!doctype html><html><head><title>503 Service Unavailable</title></head></html>", "the file is a web page"},
		{"", "the file is empty"},
		{whole[:len(whole)-len(whole)/9-200], "could not be read"},
		{`<?xml version="1.0"?><propertyList><residential/></propertyList>`, "propertyList"},
		{feed(0, 7, 1000), "3 of the 10 listings"},
	} {
		w.put(n+1, c.content)
		s := w.looks()
		if !strings.Contains(s.State.Problem, c.problem) {
			t.Errorf("%.40q: the problem is %q, want %q", c.content, s.State.Problem, c.problem)
		}
		for reference, onTheWeb := range w.shown() {
			if !onTheWeb {
				t.Errorf("%.40q: %s was withdrawn", c.content, reference)
			}
		}
	}
}
