package showcase

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// kept is a source in memory.
type kept struct {
	records  map[mirror.Key]mirror.Record
	revision int64
}

func (k *kept) ProductsSince(_ context.Context, revision int64, give func(mirror.Record) error) (int64, error) {
	for _, r := range k.records {
		if r.Kind == mirror.Product && revision < k.revision {
			if err := give(r); err != nil {
				return 0, err
			}
		}
	}
	return k.revision, nil
}

func (k *kept) Record(_ context.Context, key mirror.Key) (mirror.Record, error) {
	return k.records[key], nil
}

func (k *kept) put(r mirror.Record) {
	k.revision++
	k.records[r.Key] = r
}

// served is a site of a source.
func served(k *kept) http.Handler {
	mux := http.NewServeMux()
	siteOf(k, "").Register(mux, func(h http.HandlerFunc) http.HandlerFunc { return h })
	return mux
}

// siteOf is a site of a source that keeps its photographs in a folder.
func siteOf(k *kept, photographs string) *Site {
	s, err := New(Config{Source: k, PublicURL: "https://www.example.org/", Photographs: photographs, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		panic(err)
	}
	return s
}

func get(t *testing.T, h http.Handler, path string) (int, string, http.Header) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String(), w.Header()
}

// flat is a listing for sale with all that the law wants.
func flat() map[string]any {
	return map[string]any{
		"id": 7, "agency_id": 11, "title": "Appartement </script> à Lyon", "city": "Lyon", "postal_code": "69003", "price": 443000.55, "surface": 80, "rooms_number": 4,
		"date_added": "2026-03-01T09:00:00Z", "transaction_type": "Vente", "property_type": "Appartement",
		"descriptions":  []any{map[string]any{"language": "fr", "text": "Clair & calme"}, map[string]any{"language": "en", "text": "CANARY"}},
		"assigned_to":   map[string]any{"firstname": "Salomé", "lastname": "Kerdrouin", "email": "CANARY", "phone": "CANARY", "id": 3},
		"last_modified": "2026-03-02T09:00:00Z", "position": map[string]any{"latitude": 45.123456, "longitude": 4.654321, "source": "alentour"},
		"products_photos": []any{map[string]any{"url": "https://img.example.org/1.jpg", "width": 960, "height": 640, "visibility": "public", "sha256": "0123456789abcdef0123", "sizes": []any{map[string]any{"url": "https://img.example.org/1-320.jpg", "width": 320}}}, map[string]any{"url": "https://img.example.org/CANARY.jpg", "visibility": "private"}},
		"criteres_text": []any{
			criterion("TypeBien", "Appartement", "Appartement"), criterion("TypeTransaction", "Vente", "Vente"), criterion("ConsoEner", "F", "F"), criterion("GES", "E", "E"),
			criterion("ChargeHonoraires", "ACQUEREUR", "Acquéreur"), criterion("DateDPE", "2024-05-02", ""), criterion("Exposition", "S", "Sud"),
		},
		"criteres_number": []any{
			criterion("PrixNetVendeur", 425000, ""), criterion("conso_energ", 370, ""), criterion("valeur_GES", 45, ""), criterion("NbLotsCopro", 12, ""), criterion("ChargesCopro", 1200, ""),
			criterion("DepensesEnergieMin", 900, ""), criterion("DepensesEnergieMax", 1300, ""), criterion("AnneeRefEnergie", 2021, ""), criterion("Surface", 80, ""),
		},
		"criteres_flag": []any{criterion("Copropriete", 1, ""), criterion("ProcedureCopro", 0, ""), criterion("Georisques", 1, ""), criterion("Balcon", true, ""), criterion("Cave", 0, "")},
	}
}

func criterion(id string, value any, label string) map[string]any {
	return map[string]any{"id": id, "value": value, "label": label}
}

func shown(t testing.TB, of map[string]any) mirror.Record {
	t.Helper()
	body, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	id, _ := of["id"].(int)
	return mirror.Record{Key: mirror.Key{Kind: mirror.Product, ID: int64(id)}, Shown: true, Body: body}
}

func agencies() mirror.Record {
	return mirror.Record{Key: mirror.Key{Kind: mirror.Agencies}, Shown: true, Body: []byte(`[{"id":11,"name":"Belvédère Lyon","phone":"04 65 71 11 00","email":"lyon@belvedere.example","city":"Lyon","siret":"CANARY","insurance":{"policy":"CANARY"},"settings":"CANARY",
		"users":[{"id":3,"firstname":"Salomé","lastname":"Kerdrouin","email":"CANARY","phone":"CANARY"},{"id":4,"firstname":"CANARY","lastname":"CANARY"}]}]`)}
}

// TestOnlyWhatIsNamedIsPublished: every other field of a product, and every other criterion, holds
// a canary that is on no page. The fields are those of the API document.
func TestOnlyWhatIsNamedIsPublished(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	read := map[string]bool{}
	for f := range reflect.TypeFor[record]().Fields() {
		read[f.Tag.Get("json")] = true
	}
	product, canaries := flat(), 0
	for name := range document.Components.Schemas["Product"].Properties {
		if !read[name] {
			product[name], canaries = map[string]any{"id": "CANARY", "label": "CANARY", "value": "CANARY " + name}, canaries+1
		}
	}
	if canaries < 20 {
		t.Fatalf("the document names %d other fields", canaries)
	}
	for _, key := range []string{"NumeroMandat", "TypeMandat", "DateMandat", "DateFinMandat", "Adresse", "Alentour", "Remarques", "AdresseMasquee", "AnythingElse"} {
		product["criteres_text"] = append(product["criteres_text"].([]any), criterion(key, "CANARY "+key, "CANARY"))
	}
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	k.put(shown(t, product))
	k.put(agencies())
	other := flat()
	other["id"], other["title"] = 8, "Autre"
	k.put(shown(t, other))
	h := served(k)
	for _, path := range []string{"/", "/annonces", "/annonces/appartement-script-a-lyon-7", "/sitemap.xml", "/flux.xml", "/carte", "/agences/belvedere-lyon-11", "/mentions-legales", "/confidentialite"} {
		code, page, _ := get(t, h, path)
		if i := strings.Index(page, "CANARY"); code != http.StatusOK || i >= 0 {
			t.Errorf("%s is %d and has %q", path, code, page[max(0, i-60):min(len(page), i+60)])
		}
	}
}

// TestAListingSaysWhatTheLawWants is about a sale with fees of the buyer, in copropriété.
func TestAListingSaysWhatTheLawWants(t *testing.T) {
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	k.put(shown(t, flat()))
	k.put(agencies())
	_, page, header := get(t, served(k), "/annonces/appartement-script-a-lyon-7")
	for _, want := range []string{
		"443\u202f000,55\u00a0€", "honoraires inclus, 425\u202f000\u00a0€ sans honoraires", "4,24 % du prix hors honoraires",
		"copropriété, 12 lots, charges courantes de 1\u202f200\u00a0€ par an", "Aucune procédure n’est en cours", "consommation énergétique excessive : classe F", "02/05/2024",
		"entre 900\u00a0€ et 1\u202f300\u00a0€ (prix de 2021)", "georisques.gouv.fr", `aria-label="classe énergie F, 370` + "\u00a0" + `kWh/m²/an"`, `aria-label="classe climat E, 45`,
		`<data class="price" value="443000.55">`, `rel="canonical" href="https://www.example.org/annonces/appartement-script-a-lyon-7"`, "Belvédère Lyon", "04 65 71 11 00", "Salomé Kerdrouin",
		"Clair &amp; calme", `srcset="/photos/7/0123456789abcdef-320.jpg 320w, /photos/7/0123456789abcdef-960.jpg 960w"`,
		`property="og:image" content="https://www.example.org/photos/7/0123456789abcdef-960.jpg"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if strings.Contains(page, "<dt>Cave</dt>") || !strings.Contains(page, "<dt>Balcon</dt><dd>oui</dd>") {
		t.Error("the page names a cellar that is not there, or no balcony")
	}
	if strings.Count(page, "</script>") != 2 {
		t.Error("a title ends the script")
	}
	if !strings.HasPrefix(header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Error(header)
	}
}

func TestAddresses(t *testing.T) {
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	k.put(shown(t, flat()))
	h := served(k)
	for path, want := range map[string]int{
		"/annonces/appartement-script-a-lyon-7": 200, "/annonces/7": 301, "/annonces/other-7": 301, "/annonces/x": 404, "/annonces/x-9": 404, "/nothing": 404,
		"/assets/old/style.css": 200, "/assets/old/other.css": 404, "/robots.txt": 200, "/carte": 200, "/flux.xml": 200, "/mentions-legales": 200, "/confidentialite": 200, "/agences/x-4": 404, "/annonces?page=99&prix_min=abc&surface_min=-4&tri=x": 200,
	} {
		if code, _, _ := get(t, h, path); code != want {
			t.Errorf("%s is %d", path, code)
		}
	}
	k.put(mirror.Record{Key: mirror.Key{Kind: mirror.Product, ID: 7}, Gone: true})
	if code, page, _ := get(t, h, "/annonces/appartement-script-a-lyon-7"); code != http.StatusGone || !strings.Contains(page, "plus en ligne") {
		t.Errorf("what is gone is %d", code)
	}
	if _, page, _ := get(t, h, "/annonces"); strings.Contains(page, "data-listing") {
		t.Error("what is gone is found")
	}
}

// TestFacetsSayWhatAChoiceFinds: choosing a facet finds as many as it says, and pages have each
// result once.
func TestFacetsSayWhatAChoiceFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []*Listing
		for id := range rapid.IntRange(0, 60).Draw(t, "listings") {
			all = append(all, &Listing{
				ID: int64(id + 1), City: rapid.SampledFrom([]string{"Lyon", "Annecy", ""}).Draw(t, "city"), Transaction: rapid.SampledFrom([]string{"Vente", "Location"}).Draw(t, "transaction"),
				Type: rapid.SampledFrom([]string{"Maison", "Garage"}).Draw(t, "type"), Price: float64(rapid.IntRange(0, 5).Draw(t, "price")), Surface: float64(rapid.IntRange(0, 5).Draw(t, "surface")),
				Added: time.Unix(int64(-id), 0),
			})
		}
		q := query{
			City: rapid.SampledFrom([]string{"", "Lyon", "Nowhere"}).Draw(t, "in"), Transaction: rapid.SampledFrom([]string{"", "Vente"}).Draw(t, "to"),
			PriceMin: float64(rapid.IntRange(0, 3).Draw(t, "from")), PriceMax: float64(rapid.IntRange(0, 5).Draw(t, "most")), Sort: rapid.SampledFrom([]string{recent, priceUp, priceDown, larger}).Draw(t, "sort"), Page: 1,
		}
		r := search(all, q)
		for _, f := range r.Types {
			chosen := q
			chosen.Type = f.Value
			if got := search(all, chosen).Count; got != f.Count {
				t.Fatalf("%s says %d and finds %d", f.Value, f.Count, got)
			}
		}
		for _, f := range r.Cities {
			chosen := q
			chosen.City = f.Value
			if got := search(all, chosen).Count; got != f.Count {
				t.Fatalf("%s says %d and finds %d", f.Value, f.Count, got)
			}
		}
		seen := map[int64]bool{}
		for page := 1; ; page++ {
			q.Page = page
			of := search(all, q)
			for _, l := range of.Listings {
				if seen[l.ID] || !q.matches(l, noChoice) {
					t.Fatalf("%d is on two pages, or not looked for", l.ID)
				}
				seen[l.ID] = true
			}
			if of.Next == "" {
				break
			}
		}
		if len(seen) != r.Count {
			t.Fatalf("%d of %d are on pages", len(seen), r.Count)
		}
	})
}

func TestAQueryIsItsAddress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := query{
			City: rapid.SampledFrom([]string{"", "Lyon", "L'Isle & Co"}).Draw(t, "city"), PriceMax: float64(rapid.IntRange(0, 900_000).Draw(t, "price")),
			Sort: rapid.SampledFrom([]string{recent, priceUp}).Draw(t, "sort"), Page: rapid.IntRange(1, 50).Draw(t, "page"),
		}
		r := httptest.NewRequest(http.MethodGet, q.address(q.Page), nil)
		if got := queryOf(r.URL.Query()); got != q {
			t.Fatalf("%+v became %+v", q, got)
		}
	})
}

func TestEuros(t *testing.T) {
	for price, want := range map[float64]string{443000.55: "443\u202f000,55\u00a0€", 900: "900\u00a0€", 1285000: "1\u202f285\u202f000\u00a0€", 0.999: "1\u00a0€"} {
		if got := Euros(price); got != want {
			t.Errorf("%v is %s", price, got)
		}
	}
}

func BenchmarkResultsOf10000(b *testing.B) {
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	for id := range 10_000 {
		of := flat()
		of["id"], of["city"] = id+1, fmt.Sprintf("Ville %d", id%200)
		k.put(shown(b, of))
	}
	h := served(k)
	paths := slices.Collect(maps.Keys(map[string]bool{"/annonces": true, "/annonces?ville=Ville+7&tri=prix": true}))
	for i := 0; b.Loop(); i++ {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, paths[i%2], nil))
	}
}
