package main

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/adapters/folder"
	"github.com/vitrine-crm/vitrine/adapters/images"
	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// office is a service with the sites of the sandbox, and pictures in a folder.
type office struct {
	*siteapi.Service
	t     *testing.T
	store port.Store
	// to is where files are imported to, and agencies those of the codes in them.
	to       transfer.Portfolio
	agencies map[string]site.AgencyID
	// unreadOnWeb is mover.unreadOnWeb.
	unreadOnWeb bool
}

var quays = transfer.Portfolio{Site: 2, Agency: 21}

func newOffice(t *testing.T, store port.Store) *office {
	t.Helper()
	blobs, err := folder.Open(filepath.Join(t.TempDir(), "photos"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blobs.Close() })
	ports := wire.Ports(store)
	ports.Blobs, ports.Images = blobs, images.New(images.Options{})
	service, err := siteapi.New(ports, kernel.Options{Domain: "https://crm.example", Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	described, err := setup.Decode(strings.NewReader(sandboxSetup))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.Transfer.Provision(t.Context(), described); err != nil {
		t.Fatal(err)
	}
	return &office{Service: service, t: t, store: store, to: quays}
}

// onStores runs a test on the model, on SQLite, and on PostgreSQL where there is one.
func onStores(t *testing.T, test func(t *testing.T, o *office)) {
	t.Run("memory", func(t *testing.T) { test(t, newOffice(t, memstore.New())) })
	onDatabases(t, test)
}

// onDatabases runs a test on SQLite, and on PostgreSQL where there is one.
func onDatabases(t *testing.T, test func(t *testing.T, o *office)) {
	onNewDatabases(t, func(t *testing.T, database string) {
		store, err := wire.OpenStore(t.Context(), config.Database{Database: database}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		test(t, newOffice(t, migrated(t, store)))
	})
}

// migrated brings a database up to date, and closes it when the test ends.
func migrated(t *testing.T, store *sqlstore.Store) *sqlstore.Store {
	t.Helper()
	t.Cleanup(func() { store.Close() })
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return store
}

func (o *office) seq() int64 {
	o.t.Helper()
	head, err := o.store.Head(o.t.Context(), quays.Site)
	if err != nil {
		o.t.Fatal(err)
	}
	return head.Seq
}

// listings counts the products there are.
func (o *office) listings() (n int) {
	o.t.Helper()
	if err := o.store.View(o.t.Context(), func(tx port.Tx) error {
		found, err := tx.Products().Scan(quays.Site, 0, 1_000_000)
		n = len(found)
		return err
	}); err != nil {
		o.t.Fatal(err)
	}
	return n
}

// gauge counts what is done.
type gauge struct {
	done, total int
	after       func(done int)
}

func (g *gauge) Add(n int) {
	g.done += n
	if g.after != nil {
		g.after(g.done)
	}
}

func (g *gauge) End() {}

// move imports a file and returns its report.
func (o *office) move(ctx context.Context, name string, dryRun bool, g *gauge) (string, error) {
	o.t.Helper()
	file, err := exchange.Open(name, "", exchange.NewWeb(webhook.Allowance{}))
	if err != nil {
		o.t.Fatal(err)
	}
	defer file.Close()
	var out bytes.Buffer
	err = mover{service: o.Service, to: o.to, agencies: o.agencies, unreadOnWeb: o.unreadOnWeb, dryRun: dryRun, out: &out, progress: func(total int) terminal.Counter {
		g.total = total
		return g
	}}.run(ctx, file)
	return out.String(), err
}

func photo(t *testing.T, width int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, width, 8)), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// portfolio is an archive of n listings, each with a picture of its own content
// in two columns.
func portfolio(t *testing.T, n int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "portfolio.zip")
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := zip.NewWriter(out)
	put := func(file string, content []byte) {
		entry, err := w.Create(file)
		if err == nil {
			_, err = entry.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put("house.jpg", photo(t, 801))
	put("same.jpg", photo(t, 801))
	var csv bytes.Buffer
	for i := range n {
		columns := make([]string, 93)
		columns[1], columns[2], columns[3], columns[4], columns[5] = fmt.Sprintf("IMP-%05d", i), "Vente", "maison/villa", "44000", "Nantes"
		columns[10], columns[15], columns[19], columns[20] = fmt.Sprint(200_000+i), "100", "Maison", strings.Repeat("Belle. ", 100)
		columns[84], columns[85] = "house.jpg", "same.jpg"
		fmt.Fprintf(&csv, "\"%s\"\r\n", strings.Join(columns, `"!#"`))
	}
	put("annonces.csv", csv.Bytes())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAnImportIsDoneOnceHoweverOftenItIsRepeated(t *testing.T) {
	onStores(t, func(t *testing.T, o *office) {
		name, before := portfolio(t, 30), o.seq()
		for _, step := range []struct {
			dryRun bool
			want   string
			events int64
		}{
			{true, "30 listings: 30 created, 0 changed, 0 unchanged, 0 refused; 30 pictures added", 0},
			{false, "30 listings: 30 created, 0 changed, 0 unchanged, 0 refused; 30 pictures added", 60},
			{true, "30 listings: 0 created, 0 changed, 30 unchanged, 0 refused; 0 pictures added", 60},
			{false, "30 listings: 0 created, 0 changed, 30 unchanged, 0 refused; 0 pictures added", 60},
		} {
			g := &gauge{}
			report, err := o.move(t.Context(), name, step.dryRun, g)
			if err != nil || !strings.Contains(report, step.want) || g.done != 30 || g.total != 30 {
				t.Errorf("%+v: %v, %d of %d, %s", step, err, g.done, g.total, report)
			}
			if events := o.seq() - before; events != step.events {
				t.Errorf("%+v: %d events so far", step, events)
			}
		}
	})
}

func TestAnInterruptedImportGoesOnWhereItIsRepeated(t *testing.T) {
	onStores(t, func(t *testing.T, o *office) {
		name, before := portfolio(t, 20), o.seq()
		ctx, cancel := context.WithCancel(t.Context())
		g := &gauge{after: func(done int) {
			if done == 7 {
				cancel()
			}
		}}
		report, err := o.move(ctx, name, false, g)
		// Those stored together with the seventh are there too; how many depends on how fast the machine is.
		created := 0
		_, _ = fmt.Sscanf(report, "7 of 20 listings: %d created", &created)
		if err == nil || !strings.Contains(err.Error(), "after 7 of 20 listings: interrupted") || created < 7 || created == 20 || g.done != 7 {
			t.Errorf("%v, %d done, %s", err, g.done, report)
		}
		rest := fmt.Sprintf("20 listings: %d created, 0 changed, %d unchanged", 20-created, created)
		if report, err = o.move(t.Context(), name, false, &gauge{}); err != nil || !strings.Contains(report, rest) {
			t.Errorf("%v, %s", err, report)
		}
		if events := o.seq() - before; events != 40 {
			t.Errorf("%d events", events)
		}
	})
}

func TestWhatIsExportedAndImportedElsewhereIsTheSame(t *testing.T) {
	onStores(t, func(t *testing.T, o *office) {
		first, second := filepath.Join(t.TempDir(), "annonces.csv"), filepath.Join(t.TempDir(), "annonces.csv")
		n, err := export(t.Context(), o.Service, transfer.Portfolio{Site: 1}, exchange.Poliris, first, terminal.Silent{})
		if err != nil || n == 0 {
			t.Fatalf("%d listings, %v", n, err)
		}
		o.agencies = map[string]site.AgencyID{"11": quays.Agency, "12": quays.Agency}
		report, err := o.move(t.Context(), first, false, &gauge{})
		if err != nil || !strings.Contains(report, fmt.Sprintf("%d listings: %d created", n, n)) {
			t.Fatalf("%v: %s", err, report)
		}
		before := o.seq()
		report, err = o.move(t.Context(), first, false, &gauge{})
		if err != nil || o.seq() != before || !strings.Contains(report, fmt.Sprintf("0 changed, %d unchanged", n)) {
			t.Errorf("the second time: %v: %s", err, report)
		}
		if _, err := export(t.Context(), o.Service, quays, exchange.Poliris, second, terminal.Silent{}); err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, line := range told(t, second) {
			known[line] = true
		}
		for _, line := range told(t, first) {
			if !known[line] {
				t.Errorf("not exported as it was imported: %s", line)
			}
		}
	})
}

// told are the lines of an export, without what is of the one site alone: the
// ids of agency and product.
func told(t *testing.T, name string) (lines []string) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(content)), "\r\n") {
		columns := strings.Split(line, "!#")
		columns[0], columns[174] = "", ""
		lines = append(lines, strings.Join(columns, "!#"))
	}
	return lines
}

func TestAReportSaysWhatWasRefusedAndWhatWasNotUnderstood(t *testing.T) {
	o := newOffice(t, memstore.New())
	name := filepath.Join(t.TempDir(), "annonces.csv")
	lines := []string{
		`"a"!#"R1"!#"troc"!#"terrain"!#"44000"!#"Nantes"!#"France"!#""!#""!#"bar"`,
		`"a"!#"r1"!#"vente"!#"terrain"`, `"a"!#""!#"vente"`, `"a"!#"R2"!#"vente"!#"terrain"!#""!#""!#""!#""!#""!#"tabac"`,
	}
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\r\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := o.move(t.Context(), name, false, &gauge{})
	if err == nil || err.Error() != "2 of 4 listings were refused" {
		t.Errorf("got %v", err)
	}
	for _, want := range []string{
		"4 listings: 2 created, 0 changed, 0 unchanged, 2 refused", `"r1" (line 2): model: the file has this reference more than once`, `refused   "" (line 3): model: `,
		`2 × column 10: the column has no criterion, such as "bar"`, `1 × column 3 (TypeTransaction)`, `such as "troc"`,
	} {
		if !strings.Contains(report, want) {
			t.Errorf("%q is not in the report:\n%s", want, report)
		}
	}
}

// What an import keeps in memory does not grow with the file, but for the
// references it has seen.
func TestManyListingsAreImportedInBoundedMemory(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "vitrine.db"))
	if err != nil {
		t.Fatal(err)
	}
	o := newOffice(t, migrated(t, store))
	const listings = 10_000
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	name, before, most := portfolio(t, listings), inUse(), uint64(0)
	g := &gauge{after: func(done int) {
		if done%1000 == 0 {
			most = max(most, inUse())
		}
	}}
	report, err := o.move(t.Context(), name, true, g)
	if err != nil || g.done != listings || !strings.Contains(report, "10000 listings: 10000 created") {
		t.Fatalf("%v, %d done", err, g.done)
	}
	if grown := int64(most) - int64(before); grown > 16<<20 {
		t.Errorf("%d bytes more in use than at the beginning", grown)
	}
}

// What could not be read of a listing must not be on the web before somebody has seen it.
func TestAListingThatCouldNotBeReadIsNotOnTheWeb(t *testing.T) {
	row := func(reference, kind, code, price string) string {
		return fmt.Sprintf(`"a"!#"%s"!#"Vente"!#"%s"!#"%s"!#"Nantes"!#"France"!#""!#""!#""!#"%s"`+"\r\n", reference, kind, code, price)
	}
	file := []byte(row("READ-1", "maison/villa", "44000", "250000") + row("READ-2", "soucoupe", "44000", "250000") + row("READ-3", "maison/villa", "Nantes", "250000") +
		row("READ-4", "maison/villa", "44000", "sur demande") + row("READ-5", "maison/villa", "44000", ""))
	for _, onWeb := range []bool{false, true} {
		o := newOffice(t, memstore.New())
		o.unreadOnWeb = onWeb
		report, err := o.moveContent("annonces.csv", file, false)
		if err != nil || !strings.Contains(report, "5 listings: 5 created") || !strings.Contains(report, "\n3 listings have a price, type or place that could not be read") ||
			!strings.Contains(report, `created   "READ-4" (line 4): Prix could not be read`) || strings.Contains(report, "not on the web") == onWeb {
			t.Fatalf("%v: %s", err, report)
		}
		shown := map[string]bool{}
		if err := o.store.View(t.Context(), func(tx port.Tx) error {
			found, err := tx.Products().Scan(quays.Site, 0, 100_000)
			for _, p := range found {
				if strings.HasPrefix(p.Reference, "READ-") {
					shown[p.Reference] = p.WebStatus
				}
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if want := map[string]bool{"READ-1": true, "READ-2": onWeb, "READ-3": onWeb, "READ-4": onWeb, "READ-5": true}; !maps.Equal(shown, want) {
			t.Errorf("on the web are %v, want %v", shown, want)
		}
		// A repetition changes nothing, and says it again.
		if report, err = o.moveContent("annonces.csv", file, false); err != nil || !strings.Contains(report, "5 unchanged") || !strings.Contains(report, "\n3 listings have") {
			t.Errorf("%v: %s", err, report)
		}
	}
}

func TestPicturesHaveTheOrderAndTheTitlesOfTheFile(t *testing.T) {
	onStores(t, func(t *testing.T, o *office) {
		pack := func(shared string, pictures, titles []string) string {
			columns := make([]string, 112)
			columns[0], columns[1], columns[2], columns[3], columns[4], columns[109] = "a", "ORDER-1", "Vente", "maison/villa", "44000", shared
			copy(columns[84:], pictures)
			copy(columns[93:], titles)
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			for name, content := range map[string][]byte{
				"Annonces.csv": []byte(`"` + strings.Join(columns, `"!#"`) + `"`), "photos/a.jpg": photo(t, 801), "photos/b.jpg": photo(t, 802), "photos/c.jpg": photo(t, 803),
			} {
				entry, err := w.Create(name)
				if err == nil {
					_, err = entry.Write(content)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		for _, step := range []struct {
			shared           string
			pictures, titles []string
			want             string
			events           int64
		}{
			{"OUI", []string{"a.jpg", "b.jpg"}, []string{"Salon", ""}, "801 Salon, 802 , true", 4},
			{"OUI", []string{"a.jpg", "b.jpg"}, []string{"Salon", ""}, "801 Salon, 802 , true", 0},
			{"", []string{"c.jpg", "b.jpg"}, []string{"", "Jardin"}, "803 , 802 Jardin, 801 Salon, true", 2},
			{"NON", []string{"b.jpg", "absent.jpg", "a.jpg"}, nil, "803 , 802 Jardin, 801 Salon, false", 1},
		} {
			before := o.seq()
			if report, err := o.moveContent("export.zip", []byte(pack(step.shared, step.pictures, step.titles)), false); err != nil {
				t.Fatalf("%v: %s", err, report)
			}
			got := ""
			if err := o.store.View(t.Context(), func(tx port.Tx) error {
				found, err := tx.Products().Scan(quays.Site, 0, 100_000)
				for _, s := range found {
					if s.Reference != "ORDER-1" {
						continue
					}
					p, err := tx.Products().Get(quays.Site, s.ID)
					if err != nil {
						return err
					}
					for _, q := range p.PublicPictures() {
						got += fmt.Sprint(q.Width, " ", q.Label, ", ")
					}
					got += fmt.Sprint(p.Intercabinet)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if events := o.seq() - before; got != step.want || events != step.events {
				t.Errorf("%v: %s with %d events, want %s with %d", step.pictures, got, events, step.want, step.events)
			}
		}
	})
}

func TestTheCommandsOfferTheFormatsThereAre(t *testing.T) {
	offered := func(command any) string {
		field, _ := reflect.TypeOf(command).FieldByName("Format")
		return field.Tag.Get("enum")
	}
	names := func(all []exchange.Format) (text string) {
		for _, f := range all {
			text += string(f) + ","
		}
		return text + archiveFormat
	}
	if want := "auto," + names(exchange.Formats()); offered(importFile{}) != want {
		t.Errorf("import offers %s, not %s", offered(importFile{}), want)
	}
	if want := names(exchange.Written()); offered(exportFile{}) != want {
		t.Errorf("export offers %s, not %s", offered(exportFile{}), want)
	}
}
