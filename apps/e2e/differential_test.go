package e2e_test

import (
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Another seed and more requests look further: go test ./apps/e2e -seed 7 -requests 20000.
var (
	seed     = flag.Uint64("seed", 20261101, "what random requests and bodies are made from")
	requests = flag.Int("requests", 1000, "how many random requests, and bodies, are sent to each store")
)

// The same random requests, one after the other, get the same answers from every
// store. Time moves alike in all worlds, and ids are compared by when they were
// first met.
func TestD15_TheStoresAgree(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var worlds []*twin
	for _, engine := range engines {
		if engine == "postgres" && os.Getenv(clusterVariable) == "" {
			t.Logf("%s is not set: compared without PostgreSQL", clusterVariable)
			continue
		}
		w, err := newWorld(engine, standingStill(noon))
		if err != nil {
			t.Fatal(err)
		}
		defer w.end()
		worlds = append(worlds, &twin{engine: engine, w: w, names: map[string]string{}})
	}
	g := &generator{Rand: rand.New(rand.NewPCG(*seed, 1))}
	statuses := map[int]int{}
	for n := range *requests {
		ask := g.request()
		var want string
		for i, world := range worlds {
			world.w.clock.advance(123457 * time.Microsecond)
			got := world.play(t, ask)
			if i == 0 {
				want = got
				statuses[world.status]++
				continue
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("request %d, seed %d: %s %s %v\n%s and %s differ:\n%s", n, *seed, ask.method, ask.path, ask.body, worlds[0].engine, world.engine, diff)
			}
		}
		g.made = worlds[0].made
	}
	t.Logf("%d requests, by status: %v", *requests, statuses)
	for _, status := range []int{200, 201, 204, 400, 403, 404, 422} {
		if statuses[status] < *requests/100 {
			t.Errorf("%d of %d answers are %d: the requests are too much alike", statuses[status], *requests, status)
		}
	}
}

// twin is one of the worlds that are compared.
type twin struct {
	engine string
	w      *world
	// products are those created, and rooms those seen, in order.
	products, rooms []int64
	made            int
	status          int
	names           map[string]string
}

// ask is a request with places for ids: {p3} is the fourth product created,
// {r1} the second room seen.
type ask struct {
	client       string
	site         int
	method, path string
	body         any
}

var place = regexp.MustCompile(`"?\{([pr])(\d+)\}"?`)

// play sends a request and returns all of the answer that must be the same
// elsewhere.
func (w *twin) play(t *testing.T, a ask) string {
	fill := func(text string) string {
		return place.ReplaceAllStringFunc(text, func(found string) string {
			m := place.FindStringSubmatch(found)
			known := map[string][]int64{"p": w.products, "r": w.rooms}[m[1]]
			n, _ := strconv.Atoi(m[2])
			if n >= len(known) {
				return "987654"
			}
			return strconv.FormatInt(known[n], 10)
		})
	}
	var body any
	if a.body != nil {
		text, err := json.Marshal(a.body)
		if err != nil {
			t.Fatal(err)
		}
		body = fill(string(text))
	}
	got := w.w.as(t, a.client, a.site).send(a.method, fill(a.path), body)
	w.status = got.status
	if got.status == 201 {
		w.products = append(w.products, got.id("data.id"))
		w.made = len(w.products)
	}
	shown := []string{fmt.Sprint(got.status)}
	for _, name := range []string{"X-Pagination-Mode", "X-Ignored-Fields", "Deprecation", "Content-Type", "Location"} {
		shown = append(shown, name+": "+w.known("product", strings.TrimPrefix(got.header.Get(name), w.w.url+"/api/v2/site/products/")))
	}
	if len(got.body) > 0 {
		var whole any
		if err := json.Unmarshal(got.body, &whole); err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(w.neutral(whole, ""), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, string(text))
	}
	return strings.Join(shown, "\n")
}

// known names an id by when it was met.
func (w *twin) known(sort, id string) string {
	if _, err := strconv.ParseInt(id, 10, 64); err != nil {
		return id
	}
	key := sort + " " + id
	if w.names[key] == "" {
		w.names[key] = fmt.Sprintf("%s #%d", sort, len(w.names))
	}
	return w.names[key]
}

// neutral is a value without what may differ between stores.
func (w *twin) neutral(value any, within string) any {
	switch v := value.(type) {
	case object:
		out := object{}
		for _, key := range slices.Sorted(maps.Keys(v)) { // in order, because names are given in order
			member := v[key]
			id, isNumber := member.(float64)
			text := strconv.FormatFloat(id, 'f', -1, 64)
			switch {
			case key == "request_id":
			case key == "id" && v["event_type"] != nil: // of the ledger, the same everywhere
				out[key] = member
			case key == "id" && within == "rooms" && isNumber:
				w.see(int64(id))
				out[key] = w.known("room", text)
			case isNumber && (key == "resource_id" || key == "parent_id" || key == "product_id" || key == "id" && (within == "data" || within == "")):
				out[key] = w.known("product", text)
			case key == "value" && isNumber && within == "details":
				out[key] = "a value"
			case key == "next_cursor" && member != nil:
				if decoded, err := base64.StdEncoding.DecodeString(member.(string)); err == nil {
					out[key] = w.known("product", string(decoded))
				} else {
					out[key] = member // of the ledger
				}
			default:
				out[key] = w.neutral(member, key)
			}
		}
		return out
	case list:
		out := make(list, len(v))
		for i := range v {
			out[i] = w.neutral(v[i], within)
		}
		return out
	case string:
		return visitAddress.ReplaceAllStringFunc(strings.ReplaceAll(v, w.w.url, ""), func(path string) string {
			return w.known("product", strings.TrimPrefix(path, "/visites/"))
		})
	}
	return value
}

// visitAddress is the end of the address of a live visit.
var visitAddress = regexp.MustCompile(`/visites/\d+$`)

func (w *twin) see(room int64) {
	for _, known := range w.rooms {
		if known == room {
			return
		}
	}
	w.rooms = append(w.rooms, room)
}

// generator makes requests that are often right and often not.
type generator struct {
	*rand.Rand
	made int
}

func one[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generator) product() string {
	if g.made == 0 || g.chance(5) {
		return one(g, "1", "5", "120", "987654", "0", "abc")
	}
	return fmt.Sprintf("{p%d}", g.IntN(g.made))
}

func (g *generator) request() ask {
	a := ask{client: "sandbox-network", site: 1}
	if g.chance(20) {
		a.client, a.site = one(g, "sandbox-rival", "sandbox-group"), 2
	} else if g.chance(10) {
		a.client = "sandbox-website"
	}
	some := func(n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = one(g, fetchValues...)
		}
		return strings.Join(names, ",")
	}
	switch n := g.IntN(100); {
	case n < 25:
		a.method, a.path, a.body = "POST", "/products", g.fields(object{"agency_id": one[any](g, 11, 11, 12, 21, nil, 99)})
	case n < 30:
		id := g.product()
		a.method, a.path, a.body = "PATCH", "/products/"+id, object{"product_id": id, "color": 2, "criteria": criteria(one(g, "TypeBien", "Statut"), "?")}
	case n < 52:
		id := g.product()
		body := g.fields(object{"product_id": id})
		if !strings.HasPrefix(id, "{") {
			body["product_id"] = one[any](g, 1, 5, 120, 987654)
		}
		a.method, a.path, a.body = "PATCH", "/products/"+id, body
	case n < 55:
		a.method, a.path = "DELETE", "/products/"+g.product()
	case n < 58:
		a.method, a.path = "DELETE", fmt.Sprintf("/products/%s/rooms/{r%d}", g.product(), g.IntN(10))
	case n < 72:
		a.method, a.path = "GET", "/products/"+g.product()+one(g, "", "", "/criteria", "/lots", "?fetch=rooms", "?fetch="+some(5))
	case n < 90:
		a.method, a.path, a.body = "POST", "/products/search"+one(g, "", "", "?fetch="+some(3), "?fetch=rooms,descriptions,customer"), g.filters()
	case n < 93:
		a.method, a.path, a.body = "POST", "/products/search/count", g.filters()
	case n < 95:
		a.method, a.path, a.body = "POST", "/products/search/facets", g.filters()
		a.body.(object)["facets"] = list{
			object{"id": one(g, "TypeBien", "Equipements", "AdresseMasquee", "Ville")},
			object{"id": "Prix", "bands": one(g, list{100000, 250000.5}, list{200000})},
		}
	default:
		a.method, a.path = "GET", one(g, "/discovery", "/agencies", "/agencies/12?format=tag_document", "/criterias/product/EtatGeneral", "/configs/listes/3/values",
			fmt.Sprintf("/events?after=%d&limit=%d", 200+g.IntN(200), 1+g.IntN(20)), "/events?after=300&origines=PRODUCT_DELETE")
	}
	return a
}

// fields are those of a product, on top of some.
func (g *generator) fields(on object) object {
	maybe := func(percent int, key string, values ...any) {
		if g.chance(percent) {
			on[key] = one(g, values...)
		}
	}
	maybe(30, "web_status", true, false, true, nil)
	maybe(15, "intercabinet", true, false)
	maybe(15, "seller_statistics", true, "x")
	maybe(20, "color", 1, 3, 5, nil, "4", 6)
	maybe(20, "next_contact", "2026-12-24", "2027-01-31", nil, "31/12/2026")
	maybe(20, "user_id", 101, 121, 211, nil, 123, 9999)
	maybe(15, "model", "R-"+strconv.Itoa(g.IntN(30)), "r-"+strconv.Itoa(g.IntN(30)), "É-1", "e-1", nil, "")
	maybe(10, "customer_id", 1006, 1001, 2001, 9999)
	maybe(10, "parent_id", g.product())
	maybe(8, "agency_id", 11, 12, 21)
	maybe(5, "unknown", 1)
	maybe(5, "nextContact", "2026-12-25")
	maybe(15, "descriptions", list{object{"language": one(g, "fr", "en", "fra"), "title": one(g, "Titre", "🏠 maison", ""), "text": one[any](g, "Texte", nil, "e\u0301te\u0301")}})
	if g.chance(25) {
		room := object{"type": one[any](g, "SEJOUR", "CHAMBRE", "WC", "?", nil), "surface": one[any](g, 12.5, 0, nil, 9.99, -1), "niveau": one[any](g, -1, 0, 3, nil)}
		if g.chance(30) {
			room["vue"] = one(g, "MER", "RUE")
		}
		if g.chance(20) {
			room["sol"] = one(g, "PARQUET", "LINO")
		}
		if g.chance(30) {
			room["id"] = fmt.Sprintf("{r%d}", g.IntN(10))
		}
		on["rooms"] = list{room}
	}
	if g.chance(70) {
		on["criteria"] = g.criteria()
	}
	return on
}

func (g *generator) criteria() list {
	all := []object{
		{"id": "TypeBien", "value": one[any](g, "Maison", "Appartement", "Villa", "Château", nil)},
		{"id": "Statut", "value": one[any](g, "EnCours", "Vendu", "Archive", "")},
		{"id": "Prix", "value": one[any](g, 100000, 250000.5, "399999.99", 0, nil, 1e15, "12 000")},
		{"id": "5", "value": one[any](g, 10, 55.55, 120, -3)},
		{"id": "Ville", "value": one(g, "Lyon", "LYON", "Saint-Étienne", "saint-etienne", "Annecy", "l'Œuvre", "日本", "a%b_c", "")},
		{"id": "Adresse", "value": one(g, "1 rue de la Paix", "12 Rue d'Été", "ß straße", "İstanbul")},
		{"id": "AdresseMasquee", "value": one[any](g, 1, 0, true, "oui")},
		{"id": "Equipements", "value": one[any](g, list{"FIBRE"}, list{"CHEMINEE", "FIBRE"}, "FIBRE", list{}, list{"?"})},
		{"id": "DateMandat", "value": one(g, "2026-01-01", "31/12/2025", "2026-06-01T10:00:00+02:00", "01/06/2026 10:00", "0001-01-01", "31/02/2026")},
		{"id": "Alentour", "value": one(g, "45.75,4.85", "-90,180", "0,0", "")},
		{"id": "VisiteVirtuelle", "value": one(g, "https://visite.example/1", "")},
		{"id": "Remarques", "value": one(g, strings.Repeat("à lire, ", 200), "x\ty\nz")},
		{"id": "Rien", "value": 1},
	}
	g.Shuffle(len(all)-1, func(i, j int) { all[i], all[j] = all[j], all[i] })
	if !g.chance(10) {
		all = all[:len(all)-1]
	}
	out := list{}
	for _, c := range all[:g.IntN(5)] {
		out = append(out, c)
	}
	return out
}

func (g *generator) filters() object {
	on := object{}
	maybe := func(percent int, key string, values ...any) {
		if g.chance(percent) {
			on[key] = one(g, values...)
		}
	}
	maybe(25, "keyword", "lyon", "rue", "250000", "R-1", "été", "Bouchardon", "100 000 €", "%", "œ")
	maybe(15, "model", "11-1001", "r-3", "E-1", "21-1001")
	maybe(10, "customer_id", 1006, 2010, 9999)
	maybe(15, "agency_id", 11, 12, 21)
	maybe(15, "products_admin_id", list{101, 102}, "211,121", list{})
	maybe(15, "last_modified", "2026-11-01T12:00:00Z", "2026-11-01T13:00:40", "2026-10-01", "hier")
	maybe(20, "status_web", true, false, nil)
	maybe(10, "has_visit360", true, false)
	maybe(10, "parent_id", nil, g.product())
	maybe(10, "near", object{"latitude": 45.75, "longitude": 4.85, "radius_km": one(g, 0.001, 5, 50)}, object{"latitude": -90, "longitude": 0, "radius_km": 1}, object{})
	maybe(10, "within", object{"south": -90, "west": one(g, 4.85, 170), "north": 45.75, "east": one(g, 4.85, 180)})
	maybe(25, "sort_type", "id", "prix", "date", "surface", "date_added", "?")
	maybe(20, "sort_order", "asc", "desc")
	maybe(20, "skip", 0, 3, 150, -1)
	maybe(2, "skip", int64(math.MaxInt64))
	on["count"] = one(g, 1, 5, 10)
	maybe(10, "count", 100, 2000, 0, nil)
	maybe(10, "cursor", "MTA=", "MTAw", "!", nil)
	if g.chance(50) {
		clauses := []any{
			condition("TypeBien", one(g, "EGAL", "DIFFERENT", "COMPREND"), one(g, "Maison", "Villa", "Château")),
			condition("Prix", one(g, "SUPERIEUR", "INFERIEUR", "EGAL", "CONTIENT"), one[any](g, 250000.5, 100000, "x")),
			condition("Ville", one(g, "EGAL", "CONTIENT", "DIFFERENT"), one[any](g, "lyon", "SAINT-ETIENNE", "a%b_c", list{"oe", "annecy"})),
			condition("Equipements", one(g, "COMPREND", "NE_COMPREND_PAS", "EGAL"), one[any](g, "FIBRE", list{"FIBRE", "CHEMINEE"})),
			condition("DateMandat", one(g, "SUPERIEUR", "INFERIEUR", "EGAL"), one(g, "2026-01-01", "2026-06-01T08:00:00Z")),
			condition("AdresseMasquee", one(g, "EGAL", "DIFFERENT"), one[any](g, 0, 1)),
		}
		g.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
		on["criterias"] = clauses[:1+g.IntN(2)]
	}
	return on
}
