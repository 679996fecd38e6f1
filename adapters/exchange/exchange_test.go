package exchange

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func opened(t *testing.T, name string, a webhook.Allowance) *File {
	t.Helper()
	f, err := Open(name, "", NewWeb(a))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func listings(t *testing.T, f *File) (all []transfer.Listing) {
	t.Helper()
	for l, err := range f.Listings(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// told is what a listing says, by criterion; of two the first.
func told(l transfer.Listing) map[string]any {
	values := map[string]any{}
	for _, c := range l.Criteria {
		if _, known := values[c.Key]; !known && c.Value.V != nil {
			values[c.Key] = c.Value.V
		}
	}
	return values
}

func textsOf(l transfer.Listing) map[string][2]string {
	all := map[string][2]string{}
	for _, d := range l.Descriptions {
		all[d.Language] = [2]string{d.Title.Or(""), d.Text.Or("")}
	}
	return all
}

func missing(l transfer.Listing) (sources []string) {
	for _, n := range l.NotUnderstood {
		sources = append(sources, n.Source)
	}
	return sources
}

func names(l transfer.Listing) (all []string) {
	for _, p := range l.Pictures {
		all = append(all, fmt.Sprint(p.Name, " ", p.Remote))
	}
	return all
}

func TestPolirisIsReadByTheRanksOfItsColumns(t *testing.T) {
	f := opened(t, "testdata/annonces.csv", webhook.Allowance{})
	all := listings(t, f)
	if n, err := f.Count(t.Context()); f.Format != Poliris || len(all) != 2 || n != 2 || err != nil {
		t.Fatalf("format %q, %d listings, counted %d, %v", f.Format, len(all), n, err)
	}
	house := all[0]
	want := map[string]any{
		"TypeTransaction": "Vente", "TypeBien": "Maison", "CodePostal": "06210", "Ville": "MANDELIEU", "Pays": "FR", "Adresse": "18 avenue Renoir",
		"Prix": "1250000", "Surface": "135.5", "SurfaceTerrain": "2500", "NbPieces": "5", "NbChambres": "3", "Etage": "0", "Meuble": false,
		"AnneeConstruction": "1985", "NbWC": "2", "Chauffage": "INDIVIDUEL", "EnergieChauffage": "GAZ", "Ascenseur": false, "Piscine": true,
		"TypeMandat": "EXCLUSIF", "NumeroMandat": "251", "DateMandat": "2003-02-13", "Remarques": "Clefs chez le gardien", "conso_energ": "191",
		"ConsoEner": "D", "valeur_GES": "42", "GES": "E", "Copropriete": false, "Alentour": "43.5467,6.9384", "ChargeHonoraires": "VENDEUR", "Exposition": "S", "DateDPE": "2021-06-25",
	}
	if diff := gocmp.Diff(want, told(house)); diff != "" {
		t.Error(diff)
	}
	wantTexts := map[string][2]string{"fr": {"Maison 5 pièces", "Très belle maison\nVue sur l'Estérel, 1 250 000 €"}, "en": {"House", "A fine house"}}
	if diff := gocmp.Diff(wantTexts, textsOf(house)); diff != "" || house.Reference != "VE950" {
		t.Error(house.Reference, diff)
	}
	if diff := gocmp.Diff([]string{"column 82"}, missing(house)); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff([]string{"ve950-1.jpg false", "ve950-2.jpg false"}, names(house)); diff != "" {
		t.Error(diff)
	}
	if flat := told(all[1]); flat["Surface"] != "45.5" || flat["Chauffage"] != "COLLECTIF" || flat["DisponibleLe"] != "2026-12-01" {
		t.Errorf("got %v", flat)
	}
}

func TestAC3IsReadByItsTags(t *testing.T) {
	f := opened(t, "testdata/ac3.xml", webhook.Allowance{})
	all := listings(t, f)
	if f.Format != AC3 || len(all) != 2 || all[0].Reference != "M-118" || all[1].Reference != "7742" {
		t.Fatalf("format %q, %+v", f.Format, all)
	}
	want := map[string]any{
		"TypeTransaction": "Vente", "TypeBien": "Maison", "Prix": "349000", "PrixNetVendeur": "335000", "TypeMandat": "Exclusif", "CodePostal": "74960",
		"Ville": "Annecy", "Pays": "France", "Surface": "112", "SurfaceTerrain": "640", "NbPieces": "5", "NbChambres": "3", "NbWC": "2",
		"EtatGeneral": "Bon état", "EnergieChauffage": "Gaz", "Exposition": "Sud-Ouest", "Jardin": true,
	}
	if diff := gocmp.Diff(want, told(all[0])); diff != "" {
		t.Error(diff)
	}
	wantTexts := map[string][2]string{"fr": {"Maison familiale", "À deux pas du lac.\nGarage."}, "en": {"Family house", ""}}
	if diff := gocmp.Diff(wantTexts, textsOf(all[0])); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff([]string{"MAISON/ASSAINISSEMENT", "MAISON/PARKING"}, missing(all[0])); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff([]string{"photos/m118-1.jpg false", "https://photos.example/m118-2.jpg true"}, names(all[0])); diff != "" {
		t.Error(diff)
	}
	if want := map[string]any{"TypeTransaction": "Location", "TypeBien": "Appartement", "Prix": "820", "NbPieces": "3", "Etage": "2"}; gocmp.Diff(want, told(all[1])) != "" {
		t.Errorf("got %v", told(all[1]))
	}
}

// Columns that tests fill.
const (
	titleColumn     = 20
	textColumn      = 21
	countryColumn   = 7
	languagesColumn = 124
)

func polirisListing(f fields) transfer.Listing { return poliris.listing(polirisRecord(f)) }

// fileOf is a file with one product.
func fileOf(t *testing.T, e transfer.Exported) io.Reader {
	t.Helper()
	var b bytes.Buffer
	w := newWriter(&b, poliris)
	if err := w.Write(e); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return &b
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	e := transfer.Exported{ID: 7, Agency: 11, Reference: `L"7`, Criteria: criteria.Values{
		"TypeTransaction": criteria.Unique("CessionFonds"), "Prix": criteria.Number(99.5), "Meuble": criteria.Flag(true), "Ascenseur": criteria.Flag(false),
		"Chauffage": criteria.Unique("COLLECTIF"), "EnergieChauffage": criteria.Unique("ELECTRICITE"), "Ville": criteria.Text("Saint-Étienne"),
		"Remarques": criteria.Text("for nobody"),
	}, Descriptions: []product.Description{{Language: "fr", Title: "Un fonds", Text: "Ligne 1\nLigne 2 !# œuf €"}, {Language: "de", Text: "Ein Laden"}},
		Pictures: []string{"https://crm.example/p.jpg"}}
	e.Criteria["DateDPE"], _ = func() (criteria.Value, bool) { d, ok := criteria.ParseDate("2026-03-01", nil); return d, ok }()
	for l, err := range polirisListings(poliris, table{}, fileOf(t, e)) {
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]any{
			"TypeTransaction": "CessionFonds", "Prix": "99.5", "Meuble": true, "Ascenseur": false, "Chauffage": "COLLECTIF", "EnergieChauffage": "ELECTRICITE",
			"Ville": "Saint-Étienne", "DateDPE": "2026-03-01",
		}
		if diff := gocmp.Diff(want, told(l)); diff != "" || l.Reference != "L'7" || len(l.NotUnderstood) > 0 {
			t.Error(l.Reference, l.NotUnderstood, diff)
		}
		if diff := gocmp.Diff(map[string][2]string{"fr": {"Un fonds", "Ligne 1\nLigne 2 ! # œuf €"}, "de": {"", "Ein Laden"}}, textsOf(l)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestEveryCodeIsReadAgainOrTheNearestThereIs(t *testing.T) {
	nearest := map[string]string{"Studio": "Appartement", "Garage": "Parking", "Hotel": "Divers", "VenteNeuf": "Vente"}
	for key, all := range map[string][]string{
		"TypeBien":        {"Appartement", "Maison", "Villa", "Studio", "Loft", "Duplex", "Chalet", "Immeuble", "Bureau", "LocalCommercial", "FondsCommerce", "Entrepot", "LocalActivite", "Terrain", "Parking", "Garage", "Divers", "Hotel"},
		"TypeTransaction": {"Vente", "Location", "LocationSaisonniere", "Viager", "VenteNeuf", "CessionBail", "CessionFonds"},
	} {
		for _, code := range all {
			line := make(fields, lastColumn)
			for _, c := range columns {
				if rank, err := strconv.Atoi(c.at); err == nil && c.key == key {
					line[rank-1] = c.write(criteria.Unique(code))
				}
			}
			got, _ := told(polirisListing(line))[key].(string)
			if got != cmp.Or(nearest[code], code) {
				t.Errorf("%s is written as %q and read as %q", code, line[3], got)
			}
		}
	}
}

func TestLinesMayBreakWithinQuotesAndHaveSpacesAroundSeparators(t *testing.T) {
	content := "\ufeff\"a\" !# \"R1\"!#\"vente\r\nagain\"!#\"x\"\r\n\r\n\"a\"!#\"R2\"!#12\n\"a\"!#\"R3\""
	var got []string
	for l, err := range polirisListings(poliris, table{}, strings.NewReader(content)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, l.Reference)
	}
	if diff := gocmp.Diff([]string{"R1", "R2", "R3"}, got); diff != "" {
		t.Error(diff)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func archive(t *testing.T, files map[string]string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "export.zip")
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(out)
	for file, content := range files {
		entry, err := w.Create(file)
		if err == nil {
			_, err = io.WriteString(entry, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func pictured(names ...string) string {
	line := make(fields, 93)
	line[1] = "R1"
	copy(line[84:], names)
	return `"` + strings.Join(line, `"!#"`) + `"`
}

func contents(t *testing.T, l transfer.Listing) (all []string) {
	t.Helper()
	for _, p := range l.Pictures {
		f, err := p.Open(t.Context())
		if err != nil {
			all = append(all, "error")
			continue
		}
		content, err := io.ReadAll(io.NewSectionReader(f.Content, 0, f.Size))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(content))
	}
	return all
}

func TestPicturesComeFromTheArchiveAndFromNowhereElse(t *testing.T) {
	name := archive(t, map[string]string{
		"Export/Annonces.csv": pictured("A.JPG", `sub\b.jpg`, "../secret", "/etc/passwd", `..\..\secret`, "absent.jpg", "sub"),
		"Export/a.jpg":        "a", "Export/sub/b.jpg": "b", "secret": "s", "../secret": "s", "/etc/passwd": "s",
	})
	all := listings(t, opened(t, name, webhook.Allowance{}))
	if diff := gocmp.Diff([]string{"a", "b", "error", "error", "error", "error", "error"}, contents(t, all[0])); diff != "" {
		t.Error(diff)
	}
}

func TestPicturesBesideAFileDoNotLeaveItsFolder(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("secret", "s")
	write("in/a.jpg", "a")
	write("in/annonces.csv", pictured("a.jpg", "../secret", "link", filepath.Join(folder, "secret")))
	if err := os.Symlink("../secret", filepath.Join(folder, "in", "link")); err != nil {
		t.Fatal(err)
	}
	all := listings(t, opened(t, filepath.Join(folder, "in", "annonces.csv"), webhook.Allowance{}))
	if diff := gocmp.Diff([]string{"a", "error", "error", "error"}, contents(t, all[0])); diff != "" {
		t.Error(diff)
	}
}

// Software packs what it likes, under the names that it likes.
func TestArchivesAreReadAsTheyCome(t *testing.T) {
	second := strings.Replace(pictured("b.jpg", "same.jpg"), `"R1"`, `"R2"`, 1)
	for name, c := range map[string]struct {
		files map[string]string
		want  map[string][]string // the pictures of each listing
	}{
		"pictures in a folder": {map[string]string{"Annonces.csv": pictured("a.JPG"), "photos/A.jpg": "a"}, map[string][]string{"R1": {"a"}}},
		"a table by another name, with settings": {
			map[string]string{"Export_12.CSV": pictured("a.jpg"), "a.jpg": "a", "Config.txt": "Version=4.12\r\nApplication=X", "Photos.cfg": "Mode=FULL", "notes.txt": "a", "manifest.xml": "<x/>"},
			map[string][]string{"R1": {"a"}},
		},
		"a text": {map[string]string{"annonces.txt": pictured()}, map[string][]string{"R1": nil}},
		"two tables": {
			map[string]string{"one/annonces.csv": pictured("same.jpg"), "two/annonces.csv": second, "one/same.jpg": "1", "two/same.jpg": "2", "b.jpg": "b"},
			map[string][]string{"R1": {"1"}, "R2": {"b", "2"}},
		},
		"two pictures of a name": {map[string]string{"annonces.csv": pictured("a.jpg"), "x/a.jpg": "x", "y/a.jpg": "y"}, map[string][]string{"R1": {"error"}}},
		"two feeds":              {map[string]string{"a.xml": "<LISTEPA>" + bienOf(1) + "</LISTEPA>", "b.xml": "<LISTEPA>" + bienOf(2) + "</LISTEPA>"}, map[string][]string{"R1": nil, "R2": nil}},
	} {
		f := opened(t, archive(t, c.files), webhook.Allowance{})
		found := map[string][]string{}
		for _, l := range listings(t, f) {
			found[l.Reference] = contents(t, l)
			if several := len(c.want) > 1; several != strings.Contains(l.Source, ", ") && !strings.Contains(l.Source, "BIEN") {
				t.Errorf("%s: %q does not say where it is", name, l.Source)
			}
		}
		if diff := gocmp.Diff(c.want, found); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestTitlesOfPicturesAndIntercabinetAreRead(t *testing.T) {
	l := readFile(t, rowOf(map[int]string{referenceColumn: "R1", 85: "a.jpg", 86: "b.jpg", 93: "i.jpg", 94: "Le <b>salon</b>", 102: "La cave", 164: "j.jpg", 110: "OUI"}))[0]
	var titles []string
	for _, p := range l.Pictures {
		titles = append(titles, p.Name+" "+p.Title)
	}
	if diff := gocmp.Diff([]string{"a.jpg Le salon", "b.jpg ", "i.jpg La cave", "j.jpg "}, titles); diff != "" {
		t.Error(diff)
	}
	if shared := l.Intercabinet.Or(false); !shared {
		t.Error("it is not shared")
	}
	if l := readFile(t, rowOf(map[int]string{referenceColumn: "R1", 110: ""}))[0]; l.Intercabinet.Set {
		t.Error("it says whether it is shared")
	}
}

func TestAnArchiveNeedsFilesOfListingsOfOneFormat(t *testing.T) {
	for _, files := range []map[string]string{{"a.jpg": "a"}, {"annonces.csv": "x", "other.xml": "<LISTEPA/>"}, {"../annonces.csv": pictured()}} {
		if f, err := Open(archive(t, files), "", nil); err == nil {
			f.Close()
			t.Errorf("%v is accepted", files)
		}
	}
}

func TestPicturesAreFetchedFromPermittedAddressesOnly(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/absent":
			http.NotFound(w, r)
		case "/endless":
			_, _ = io.Copy(w, io.LimitReader(zeros{}, product.MaxPictureBytes+1<<20))
		default:
			_, _ = io.WriteString(w, "picture")
		}
	}))
	defer server.Close()
	local := webhook.Allowance{HTTP: true, Networks: []webhook.Network{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}}
	fetch := func(a webhook.Allowance, path string) (listing.File, error) {
		return NewWeb(a).get(context.Background(), server.URL+path)
	}
	if f, err := fetch(local, "/"); err != nil || f.Size != 7 {
		t.Errorf("got %d bytes, %v", f.Size, err)
	}
	if f, err := fetch(local, "/endless"); err != nil || f.Size != product.MaxPictureBytes+1 {
		t.Errorf("an endless picture: got %d bytes, %v", f.Size, err)
	}
	for _, path := range []string{"/loop", "/absent"} {
		if _, err := fetch(local, path); err == nil {
			t.Errorf("%s is no error", path)
		}
	}
	if _, err := fetch(webhook.Allowance{HTTP: true}, "/"); err == nil {
		t.Error("an address of this machine is reached")
	}
}

// Whoever sends a file is told what is wrong with its pictures, and nothing of the
// network in which it is imported.
func TestWhyAPictureIsNotFetchedIsSaidInWords(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	shut := httptest.NewServer(http.NotFoundHandler())
	shut.Close()
	local := webhook.Allowance{HTTP: true, Networks: []webhook.Network{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}}
	for _, c := range []struct {
		may       webhook.Allowance
		url, want string
	}{
		{local, "http://photos.invalid/a.jpg", "the picture's host was not found"},
		{local, server.URL, "the certificate of the picture's host is not good"},
		{local, shut.URL, "the picture's host cannot be reached"},
		{webhook.Allowance{HTTP: true}, server.URL, "the address is not permitted"},
		{local, "http://127.0.0.1:port/", "this is no address"},
	} {
		if _, err := NewWeb(c.may).get(t.Context(), c.url); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.url, err, c.want)
		}
	}
}

// 20,000 listings of 2 kB are 40 MB; a reader that kept them would show.
func TestAFileIsReadInBoundedMemory(t *testing.T) {
	line := pictured("a.jpg") + "\r\n"
	line = strings.Replace(line, `"R1"`, `"R1"!#"`+strings.Repeat("x", 2000)+`"`, 1)
	headings, _ := plainTable.tableShape(fields{"reference", "prix", "texte"}, ";")
	for format, c := range map[*format]struct {
		begins, listing, ends string
	}{
		poliris:    {"", line, ""},
		ac3:        {"<LISTEPA>", strings.Replace(bienOf(1), "Été", strings.Repeat("x", 2000), 1), "</LISTEPA>"},
		openImmo:   {"<openimmo><anbieter>", strings.Replace(immobilieOf(1), "Été", strings.Repeat("x", 2000), 1), "</anbieter></openimmo>"},
		own:        {"{\"vitrine\":1,\"listings\":[\n", "{\"reference\":\"R1\",\"texts\":[{\"language\":\"fr\",\"text\":\"" + strings.Repeat("x", 2000) + "\"}]},\n", "]}"},
		plainTable: {"reference;prix;texte\n", "R1;250000;" + strings.Repeat("x", 2000) + "\n", ""},
		kyero:      {"<root><kyero/>", strings.Replace(propertyOf(1), "Été", strings.Repeat("x", 2000), 1), "</root>"},
	} {
		source, sink := io.Pipe()
		go func() {
			defer sink.Close()
			content := func(n int) string {
				switch n {
				case 0:
					return c.begins
				case 20_001:
					return c.ends
				}
				return c.listing
			}
			for n := range 20_002 {
				if _, err := io.WriteString(sink, content(n)); err != nil {
					return
				}
			}
		}()
		var most uint64
		n := 0
		for _, err := range format.listings(format, table{shape: map[bool]shape{true: headings}[format == plainTable]}, source) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n%2000 == 0 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
		if n != 20_000 || most > 24<<20 {
			t.Errorf("%s: %d listings, %d bytes in use", format.name, n, most)
		}
	}
}
