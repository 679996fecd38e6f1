package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestABackupBroughtElsewhereAnswersTheSame backs up a server under writes, and serves
// what is restored of it on either engine.
func TestABackupBroughtElsewhereAnswersTheSame(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		folder := t.TempDir()
		p := serving(t, database, "--photos=file://"+folder+"/photos")
		c := p.network(t)
		id := c.create(object{"model": "kept", "web_status": true})
		shown := c.get(product(id, "/pictures/", c.add(id, "public", picture(900, 600)))).is(200).text("data.url")
		image := c.get(shown).is(200)
		h := c.subscribe("https://receiver.example/hook", object{"origines": list{"CUSTOMER_DELETE"}, "headers": object{"X-Secret": "kept"}})
		same := []string{product(id, "?fetch=rooms,descriptions"), h.path(""), h.path("/secret"), customerPath(1101, "searches"), "/criterias/product/all", "/agencies"}
		var before []answer
		for _, path := range same {
			before = append(before, c.get(path).is(200))
		}

		// Each write changes a product and adds an event: a backup has both or neither.
		busy := c.create(object{"model": "busy"})
		stop, stopped := make(chan struct{}), make(chan int)
		change := func(n int) { c.change(busy, object{"criteria": criteria("Prix", 1000+n)}).is(204) }
		change(1)
		go func() {
			for n := 2; ; n++ {
				change(n)
				select {
				case <-stop:
					stopped <- n
					return
				default:
				}
			}
		}()
		args := " --photos file://" + folder + "/photos --database '" + database + "'"
		out, err := shell(t, folder, "unset VITRINE_SECRET_KEY; vitrine backup backup.tar.gz"+args)
		close(stop)
		writes := <-stopped
		if err != nil || !regexp.MustCompile(`(?m)^\d{3,} records, [1-9]\d* pictures$`).MatchString(out) {
			t.Fatalf("%v: %s", err, out)
		}
		if info, err := os.Stat(filepath.Join(folder, "backup.tar.gz")); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		p.stop()

		for name, target := range restoreTargets(t) {
			t.Run("to "+name, func(t *testing.T) {
				to := " --photos file://" + folder + "/" + name + " --database '" + target + "' "
				refused := func(what, command, want string) {
					t.Helper()
					if out, err := shell(t, folder, command); err == nil || !strings.Contains(out, want) {
						t.Errorf("%s: %v: %s", what, err, out)
					}
				}
				refused("a damaged file", "head -c 30000 backup.tar.gz > "+name+".cut; vitrine restore "+name+".cut"+to, "damaged or cut off; nothing was written")
				refused("another file", "echo x > "+name+".txt; vitrine restore "+name+".txt"+to, "no backup and no archive of Vitrine")
				refused("a foreign place", "mkdir -p "+name+".other; echo x > "+name+".other/owner; vitrine restore backup.tar.gz"+
					strings.Replace(to, "/"+name+" ", "/"+name+".other ", 1), "belong to another database")
				if out, err := shell(t, folder, "vitrine restore backup.tar.gz"+to); err != nil || !strings.Contains(out, " records, ") {
					t.Fatalf("%v: %s", err, out)
				}
				refused("a database that is not empty", "vitrine restore backup.tar.gz"+to, "it holds data already")

				w := served(t, "--database", target, "--photos", "file://"+folder+"/"+name, "--public-url", p.url)
				d := &client{t: t, w: w, token: c.token}
				for i, path := range same {
					if after := d.get(path).is(200); !bytes.Equal(after.body, before[i].body) || after.tag() != before[i].tag() {
						t.Errorf("%s: %s\nwas %s", path, after, before[i])
					}
				}
				if got := d.get(strings.ReplaceAll(shown, p.url, w.url)).is(200); !bytes.Equal(got.body, image.body) {
					t.Errorf("the picture has %d bytes, and had %d", len(got.body), len(image.body))
				}
				changes := 0
				for _, event := range (&ledger{c: d}).news() {
					if event == fmt.Sprint("PRODUCT_UPDATE ", busy) {
						changes++
					}
				}
				price := d.get(product(busy)).is(200).id("data.price")
				if price != int64(1000+changes) || changes == 0 || changes > writes {
					t.Errorf("after %d of %d changes the price is %v", changes, writes, price)
				}
				if next := d.create(object{"model": "next"}); next <= busy {
					t.Errorf("a product gets the id %d, after %d", next, busy)
				}
			})
		}
	})
}

// restoreTargets are empty databases, one of each engine there is.
func restoreTargets(t *testing.T) map[string]string {
	t.Helper()
	targets := map[string]string{"file": filepath.Join(t.TempDir(), "restored.db")}
	if os.Getenv(clusterVariable) != "" {
		database, drop, err := newSchema()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(drop)
		targets["server"] = database
	}
	return targets
}
