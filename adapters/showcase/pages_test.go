package showcase

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/color"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// TestAMaskedAddressIsNowhere: neither a page nor what machines read has the place of a masked address; its town is on the
// map where the server tells the town's place.
func TestAMaskedAddressIsNowhere(t *testing.T) {
	for masked, want := range map[bool]bool{false: true, true: false} {
		k := &kept{records: map[mirror.Key]mirror.Record{}}
		product := flat()
		product["criteres_flag"] = append(product["criteres_flag"].([]any), criterion("AdresseMasquee", masked, ""))
		k.put(shown(t, product))
		h := served(k)
		var all strings.Builder
		for _, path := range []string{"/", "/annonces", "/carte", "/annonces/appartement-script-a-lyon-7", "/flux.xml", "/sitemap.xml"} {
			_, page, _ := get(t, h, path)
			all.WriteString(page)
		}
		if got := strings.Contains(all.String(), "45.12"); got != want {
			t.Errorf("masked %v: the place is on pages: %v", masked, got)
		}
		product["position"] = map[string]any{"latitude": 45.76, "longitude": 4.83, "source": "city"}
		k.put(shown(t, product))
		if _, page, _ := get(t, h, "/carte"); !strings.Contains(page, `data-latitude="45.76"`) {
			t.Errorf("masked %v: the town is not on the map", masked)
		}
		if _, page, _ := get(t, h, "/annonces/appartement-script-a-lyon-7"); strings.Contains(page, "45.76") {
			t.Errorf("masked %v: the place of the town is given for that of the property", masked)
		}
	}
}

// TestTownsOnTheMapCountEveryResult is about any listings.
func TestTownsOnTheMapCountEveryResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []*Listing
		for id := range rapid.IntRange(0, 40).Draw(t, "listings") {
			l := &Listing{ID: int64(id), City: rapid.SampledFrom([]string{"Lyon", "Annecy"}).Draw(t, "city"), Price: float64(rapid.IntRange(1, 9).Draw(t, "price"))}
			if rapid.Bool().Draw(t, "placed") {
				l.Place = &Place{rapid.Float64Range(45, 46).Draw(t, "latitude"), rapid.Float64Range(4, 5).Draw(t, "longitude"), rapid.Bool().Draw(t, "exact")}
			}
			all = append(all, l)
		}
		q := query{PriceMin: 4, Sort: recent, Page: 1}
		counted := 0
		for _, town := range towns(all, q) {
			counted += town.Count
			if town.Shown() && (town.Latitude < 45 || town.Latitude > 46 || town.Longitude < 4 || town.Longitude > 5) {
				t.Fatalf("%s is at %v, %v", town.Name, town.Latitude, town.Longitude)
			}
		}
		if found := search(all, q).Count; counted != found {
			t.Fatalf("%d on the map, %d in the list", counted, found)
		}
	})
}

// pictured is a server of pictures that counts how often it was asked.
func pictured(t *testing.T) (address string, asked func() int, down func()) {
	t.Helper()
	count, fails := make(chan struct{}, 100), make(chan struct{})
	server := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count <- struct{}{}
		select {
		case <-fails:
			w.WriteHeader(http.StatusBadGateway)
			return
		default:
		}
		switch r.URL.Path {
		case "/page.jpg":
			_, _ = w.Write([]byte("<html>not a picture</html>"))
		case "/none.jpg":
			http.NotFound(w, r)
		default:
			_, _ = w.Write([]byte("\xff\xd8\xff\xe0 a picture of " + r.URL.Path))
		}
	})}
	listener := listen(t)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String(), func() int { return len(count) }, func() { close(fails) }
}

func pictures(address string, names ...string) (photos []any) {
	for n, name := range names {
		photos = append(photos, map[string]any{"url": address + "/" + name, "width": 1600, "height": 900, "visibility": "public", "sha256": strings.Repeat(fmt.Sprint(n), 64)})
	}
	return photos
}

// TestPhotographsAreKept: one is read from the server once, and shown when the server is gone. What left the record, or is
// private, is not served, and leaves the disk.
func TestPhotographsAreKept(t *testing.T) {
	address, asked, down := pictured(t)
	k, folder := &kept{records: map[mirror.Key]mirror.Record{}}, filepath.Join(t.TempDir(), "photographs")
	product := flat()
	product["products_photos"] = append(pictures(address, "a.jpg", "b.jpg", "page.jpg", "none.jpg"), map[string]any{"url": address + "/private.jpg", "width": 9, "visibility": "private", "sha256": strings.Repeat("f", 64)})
	k.put(shown(t, product))
	site := siteOf(k, folder)
	mux := http.NewServeMux()
	site.Register(mux, func(h http.HandlerFunc) http.HandlerFunc { return h })
	a, b := "/photos/7/0000000000000000-1600.jpg", "/photos/7/1111111111111111-1600.jpg"
	for range 2 {
		code, body, header := get(t, mux, a)
		if code != http.StatusOK || !strings.HasSuffix(body, "/a.jpg") || header.Get("Content-Type") != "image/jpeg" || !strings.Contains(header.Get("Cache-Control"), "immutable") {
			t.Fatal(code, body, header)
		}
	}
	if asked() != 1 {
		t.Errorf("the server was asked %d times", asked())
	}
	for path, want := range map[string]int{
		b: 200, "/photos/7/2222222222222222-1600.jpg": 404, "/photos/7/3333333333333333-1600.jpg": 404, "/photos/7/ffffffffffffffff-9.jpg": 404,
		"/photos/8/0000000000000000-1600.jpg": 404, "/photos/07/0000000000000000-1600.jpg": 404, "/photos/+7/0000000000000000-1600.jpg": 404, "/photos/7/..%2f..%2fsecret": 404, "/photos/x/0": 404,
	} {
		if code, _, _ := get(t, mux, path); code != want {
			t.Errorf("%s is %d", path, code)
		}
	}
	down()
	if code, _, _ := get(t, mux, a); code != http.StatusOK {
		t.Errorf("with the server gone a kept photograph is %d", code)
	}
	product["products_photos"] = pictures(address, "a.jpg", "b.jpg")[:1]
	k.put(shown(t, product))
	if code, _, _ := get(t, mux, b); code != http.StatusNotFound {
		t.Errorf("a photograph that left the record is %d", code)
	}
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"0000000000000000-1600.jpg", "1111111111111111-1600.jpg"} {
		if err := os.Chtimes(filepath.Join(folder, "7", name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	left := func() string {
		if err := site.CleanPhotographs(t.Context()); err != nil {
			t.Fatal(err)
		}
		found, _ := filepath.Glob(filepath.Join(folder, "*", "*"))
		return strings.Join(found, " ")
	}
	if got := left(); got != filepath.Join(folder, "7", "0000000000000000-1600.jpg") {
		t.Errorf("on the disk are %s", got)
	}
	k.put(mirror.Record{Key: mirror.Key{Kind: mirror.Product, ID: 7}, Gone: true})
	if got := left(); got != "" {
		t.Errorf("of a listing that is gone there are %s", got)
	}
}

// TestAPhotographThatCannotBeReadNowIsAskedForAgain: 502 is not kept by browsers.
func TestAPhotographThatCannotBeReadNowIsAskedForAgain(t *testing.T) {
	address, _, down := pictured(t)
	down()
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	product := flat()
	product["products_photos"] = pictures(address, "a.jpg")
	k.put(shown(t, product))
	code, _, header := get(t, served(k), "/photos/7/0000000000000000-1600.jpg")
	if code != http.StatusBadGateway || header.Get("Cache-Control") != "" {
		t.Error(code, header)
	}
}

// TestInitialsStandWhereThereIsNoPicture is about logos and portraits.
func TestInitialsStandWhereThereIsNoPicture(t *testing.T) {
	address, _, _ := pictured(t)
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	k.put(mirror.Record{Key: mirror.Key{Kind: mirror.Agencies}, Shown: true, Body: fmt.Appendf(nil, `[{"id":11,"name":"L'Agence & fils","logo_url":"%[1]s/none.jpg","users":[
		{"id":3,"firstname":"Salomé","lastname":"Kerdrouin","photo_url":"%[1]s/face.jpg"},{"id":4,"firstname":"Élise","photo_url":null}]}]`, address)})
	h := served(k)
	for path, want := range map[string]string{"/logos/11": ">LF<", "/portraits/11/3": "/face.jpg", "/portraits/11/4": ">É<"} {
		if code, body, _ := get(t, h, path); code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s is %d %s", path, code, body)
		}
	}
	if code, _, _ := get(t, h, "/portraits/11/9"); code != http.StatusNotFound {
		t.Errorf("the portrait of nobody is %d", code)
	}
}

// TestTheLegalPageSaysWhoPublishes has all that the law wants of an agency.
func TestTheLegalPageSaysWhoPublishes(t *testing.T) {
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	k.put(mirror.Record{Key: mirror.Key{Kind: mirror.Agencies}, Shown: true, Body: []byte(`[{"id":11,"name":"Belvédère Lyon","legal_name":"Belvédère Lyon SARL","legal_form":"SARL","capital":"50000","siren":"998734776",
		"rcs":"RCS Lyon 998 734 776","vat_number":"FR52998734776","professional_card":{"number":"CPI 6901","mentions":["T","G"],"issued_by":"CCI de Lyon"},"guarantee":{"provider":"Garantie du Rhône","amount":140000},
		"insurance":{"provider":"Assurances de la Presqu'île"},"mediator":{"name":"Médiation Habitat","url":"https://mediation.example.org"},"fees_schedule_url":"https://a.example.org/honoraires.pdf"}]`)})
	site, err := New(Config{Source: k, PublicURL: "https://www.example.org", Host: "Hébergeur Exemple", Publisher: "Violaine Gerbaudin"})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	site.Register(mux, func(h http.HandlerFunc) http.HandlerFunc { return h })
	_, page, _ := get(t, mux, "/mentions-legales")
	for _, want := range []string{"Belvédère Lyon SARL", "50\u202f000\u00a0€", "998734776", "RCS Lyon", "FR52998734776", "CPI 6901, délivrée par CCI de Lyon (transactions, gestion immobilière)", "Garantie du Rhône, 140\u202f000\u00a0€", "Presqu&#39;île", "https://mediation.example.org", "honoraires.pdf", "Hébergeur Exemple", "Violaine Gerbaudin"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

// TestASitemapOfManyListingsHasParts: each address is in one of them.
func TestASitemapOfManyListingsHasParts(t *testing.T) {
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	site := siteOf(k, "")
	for id := range mostLocations + 10 {
		site.catalogue.newest = append(site.catalogue.newest, &Listing{ID: int64(id), Path: fmt.Sprintf("/annonces/x-%d", id)})
	}
	mux := http.NewServeMux()
	site.Register(mux, func(h http.HandlerFunc) http.HandlerFunc { return h })
	places := regexp.MustCompile(`<loc>https://www\.example\.org([^<]*)</loc>`)
	_, index, _ := get(t, mux, "/sitemap.xml")
	seen := map[string]bool{}
	for _, part := range places.FindAllStringSubmatch(index, -1) {
		_, page, _ := get(t, mux, part[1])
		found := places.FindAllStringSubmatch(page, -1)
		if len(found) > mostLocations {
			t.Errorf("%s has %d addresses", part[1], len(found))
		}
		for _, place := range found {
			if seen[place[1]] {
				t.Fatalf("%s is there twice", place[1])
			}
			seen[place[1]] = true
		}
	}
	if len(seen) != mostLocations+13 {
		t.Errorf("%d addresses", len(seen))
	}
}

// TestTheFeedIsAtom has what RFC 4287 wants of a feed and of an entry.
func TestTheFeedIsAtom(t *testing.T) {
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	k.put(shown(t, flat()))
	_, page, header := get(t, served(k), "/flux.xml")
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string   `xml:"id"`
		Updated string   `xml:"updated"`
		Author  string   `xml:"author>name"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(page), &feed); err != nil || header.Get("Content-Type") != "application/atom+xml; charset=utf-8" {
		t.Fatal(err, header)
	}
	if feed.ID == "" || feed.Author == "" || feed.Updated != "2026-03-02T09:00:00Z" || len(feed.Entries) != 1 || feed.Entries[0].Title != "Appartement </script> à Lyon" || feed.Entries[0].Updated != feed.Updated {
		t.Errorf("%+v", feed)
	}
}

// TestMachinesReadTheFiguresOfThePage: the data in the words of schema.org are a document with the price and the agency.
func TestMachinesReadTheFiguresOfThePage(t *testing.T) {
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	k.put(shown(t, flat()))
	k.put(agencies())
	_, page, _ := get(t, served(k), "/annonces/appartement-script-a-lyon-7")
	_, text, _ := strings.Cut(page, `<script type="application/ld+json">`)
	text, _, _ = strings.Cut(text, "</script>")
	var data struct {
		Graph []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err, text)
	}
	said := fmt.Sprint(data.Graph)
	for _, want := range []string{"443000.55", "RealEstateListing", "BreadcrumbList", "RealEstateAgent", "latitude:45.123456", "price"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s is not in %s", want, said)
		}
	}
}

// TestAnAccentCanBeRead is about any colour, on both papers and under the ink of buttons.
func TestAnAccentCanBeRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		byteOf := rapid.Uint8()
		c := color.RGBA{byteOf.Draw(t, "red"), byteOf.Draw(t, "green"), byteOf.Draw(t, "blue"), 0xff}
		light, dark := readable(c, lightShade, black), readable(c, darkShade, white)
		for _, pair := range [][2]color.RGBA{{light, lightShade}, {light, white}, {dark, darkShade}, {dark, color.RGBA{0x16, 0x15, 0x13, 0xff}}} {
			if contrast(pair[0], pair[1]) < leastContrast {
				t.Fatalf("%s on %s is %.2f", hexOf(pair[0]), hexOf(pair[1]), contrast(pair[0], pair[1]))
			}
		}
	})
	for _, wrong := range []string{"green", "#12345", "#1234567", "#gggggg"} {
		if _, err := New(Config{Accent: wrong}); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// TestStreetsAreTheOnlyThingOfOthers: without tiles a page may load nothing from elsewhere, with them their pictures alone.
func TestStreetsAreTheOnlyThingOfOthers(t *testing.T) {
	site, err := New(Config{Tiles: "https://tiles.example.org/{z}/{x}/{y}.png"})
	if err != nil || !strings.HasSuffix(site.policy, "img-src 'self' data: https://tiles.example.org") {
		t.Error(site, err)
	}
	if none := siteOf(&kept{}, ""); strings.Contains(none.policy, "http") {
		t.Error(none.policy)
	}
	for _, wrong := range []string{"tiles", "https://tiles.example.org/", "ftp://a/{z}/{x}/{y}"} {
		if _, err := New(Config{Tiles: wrong}); err == nil {
			t.Errorf("%s is an address of tiles", wrong)
		}
	}
}

// TestWhatIsGoneNamesThoseMostLikeIt: the words of the address are all that is left of a listing.
func TestWhatIsGoneNamesThoseMostLikeIt(t *testing.T) {
	all := []*Listing{{ID: 1, Path: "/annonces/garage-annecy-1"}, {ID: 2, Path: "/annonces/maison-lyon-2"}, {ID: 3, Path: "/annonces/maison-annecy-3"}}
	if got := alike(all, "maison-de-ville-annecy-9", 2); got[0].ID != 3 || got[1].ID != 1 {
		t.Errorf("%d, then %d", got[0].ID, got[1].ID)
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// TestWhatTheLawWantsAndARecordLacksIsTold: each mention is told when it is taken out of a whole record, and none before.
func TestWhatTheLawWantsAndARecordLacksIsTold(t *testing.T) {
	without := func(key string) []string {
		product := flat()
		product["criteres_number"] = append(product["criteres_number"].([]any), criterion("Honoraires", 18000, ""))
		for _, list := range []string{"criteres_text", "criteres_number", "criteres_flag"} {
			var left []any
			for _, c := range product[list].([]any) {
				if c.(map[string]any)["id"] != key {
					left = append(left, c)
				}
			}
			product[list] = left
		}
		if key == "price" {
			product["price"] = nil
		}
		l, err := Read(shown(t, product).Body)
		if err != nil {
			t.Fatal(err)
		}
		return l.Lacks
	}
	if lacks := without("nothing"); len(lacks) > 0 {
		t.Errorf("a whole record lacks %v", lacks)
	}
	for key, want := range map[string]string{
		"price": "the price", "ChargeHonoraires": "who bears the fees", "ConsoEner": "the letters of the DPE", "DepensesEnergieMin": "the yearly costs of energy",
		"NbLotsCopro": "the number of lots", "ChargesCopro": "the charges of the copropriété", "Georisques": "the sentence about risks",
	} {
		if lacks := without(key); len(lacks) != 1 || lacks[0] != want {
			t.Errorf("without %s it lacks %v", key, lacks)
		}
	}
}

// TestAmountsAreReadAsPeopleTypeThem is about those of the search.
func TestAmountsAreReadAsPeopleTypeThem(t *testing.T) {
	for text, want := range map[string]float64{
		"200000": 200000, "200 000": 200000, "200.000": 200000, "1,250,000 €": 1250000, "93,5": 93.5, "93.5": 93.5, "NaN": 0, "1e309": 0, "-4": 0, "x": 0, "": 0, "200\u202f000\u00a0€": 200000,
	} {
		if got := typed(text); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

// TestATownIsFoundWhateverItsSpelling: case and accents are those of the listings, and the choice is shown once.
func TestATownIsFoundWhateverItsSpelling(t *testing.T) {
	all := []*Listing{{ID: 1, City: "Saint-Étienne"}, {ID: 2, City: "Lyon"}}
	for city, want := range map[string]int{"saint-etienne": 1, "SAINT ÉTIENNE": 1, "Lyon": 1, "lyon": 1, "Paris": 0} {
		r := search(all, query{City: city, Sort: recent, Page: 1})
		if r.Count != want || want == 1 && len(r.Cities) != 2 {
			t.Errorf("%s finds %d in %d towns", city, r.Count, len(r.Cities))
		}
	}
}

// TestAPageBeyondTheLastIsTheLast is about an address that was longer once.
func TestAPageBeyondTheLastIsTheLast(t *testing.T) {
	r := search([]*Listing{{ID: 1}}, query{Sort: recent, Page: 999_999})
	if r.Query.Page != 1 || len(r.Listings) != 1 || r.Previous != "" {
		t.Errorf("%+v", r)
	}
}

// TestARentIsNoPriceOfASale: wherever it is shown, it is said to be by the month.
func TestARentIsNoPriceOfASale(t *testing.T) {
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	product := flat()
	product["transaction_type"] = "Location"
	product["criteres_text"] = append(product["criteres_text"].([]any), criterion("TypeTransaction", "Location", "Location"))
	k.put(shown(t, product))
	h := served(k)
	for path, want := range map[string]string{"/": "par mois", "/annonces": "Location · ", "/annonces/appartement-script-a-lyon-7": `"unitCode":"MON"`, "/flux.xml": "par mois"} {
		if _, page, _ := get(t, h, path); !strings.Contains(page, want) {
			t.Errorf("%s does not have %s", path, want)
		}
	}
}
