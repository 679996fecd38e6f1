package e2e_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// target is an operation with a body, and a good one to begin with.
type target struct{ method, path, body string }

// targets are the operations whose bodies are mutated. Those that change
// something change a product and a webhook made for them.
func targets(c *client) []target {
	c.t.Helper()
	id := c.create(nil)
	hook := `{"url":"https://hooks.example.org/vitrine?a=1","origines":["PRODUCT_UPDATE","PRODUCT_CREATE"],"headers":{"X-Api-Key":"secret","X-B":"é"},"auth_id":null,"format":"standard","skip_own":false}`
	hookID := c.post("/hooks", hook).is(201).id("data.id")
	auth := `{"name":"n","type":"oauth2_client_credentials","token_url":"https://auth.example.org/token","client_id":"i","client_secret":"s","scope":"a b"}`
	authID := c.post("/hooks/auths", auth).is(201).id("data.id")
	create := `{"agency_id":11,"user_id":101,"customer_id":1006,"color":3,"web_status":true,"next_contact":"2026-12-01",` +
		`"criteria":[{"id":"TypeBien","value":"Maison"},{"id":"6","value":250000.5},{"id":"Ville","value":"Saint-Étienne"},{"id":"Alentour","value":"45.75, 4.85"},` +
		`{"id":"Equipements","value":["FIBRE","CHEMINEE"]},{"id":"DateMandat","value":"16/09/2026 08:30"},{"id":"Ascenseur","value":1}],` +
		`"rooms":[{"type":"SEJOUR","surface":30.5,"niveau":-1,"exposition":"S","vue":"MER","sol":"PARQUET","commentaire":"clair"}],` +
		`"descriptions":[{"language":"fr","title":"Titre","text":"Texte","short_text":"court"}],"parent_id":1}`
	update := strings.Replace(create, `"agency_id":11`, fmt.Sprintf(`"product_id":%d,"agency_id":12,"model":"F-1"`, id), 1)
	update = strings.Replace(update, `"vue":"MER",`, "", 1)
	search := `{"criterias":[{"id":"Prix","operator":"SUPERIEUR","value":"100000"},{"id":"Ville","operator":"CONTIENT","value":["lyon","annecy"]},` +
		`{"id":"DateMandat","operator":"INFERIEUR","value":"2026-06-01T10:00:00+02:00"},{"id":"Equipements","operator":"COMPREND","value":["FIBRE"]}],` +
		`"keyword":"250 000 €","model":"11-1001","customer_id":1006,"agency_id":11,"products_admin_id":"101, 102","last_modified":"2026-01-01T00:00:00Z",` +
		`"status_web":true,"hasVisit360":false,"parent_id":null,"near":{"latitude":45.75,"longitude":4.85,"radius_km":30},"within":{"south":45,"west":4,"north":46,"east":"5.5"},"sort_type":"prix","sort_order":"asc","cursor":null,"skip":0,"count":10}`
	facets := strings.Replace(search, "{", `{"facets":[{"id":"TypeBien"},{"id":"6","bands":[100000,"200000.5"]},{"id":"DateMandat","bands":["2026-01-01","01/06/2026"]},{"id":"Ascenseur"}],`, 1)
	return []target{
		{"POST", "/products", create},
		{"PATCH", product(id), update},
		{"POST", "/products/search", search},
		{"POST", "/products/search?fetch=rooms,customer,criteres_text", search},
		{"POST", "/products/search/count", search},
		{"POST", "/products/search/facets", facets},
		{"PUT", fmt.Sprintf("/hooks/%d", hookID), strings.Replace(hook, "{", `{"status":"active",`, 1)},
		{"POST", fmt.Sprintf("/hooks/%d/replay", hookID), `{"after_event_id":100000,"from":"2026-11-01T00:00:00Z","to":"2026-11-01T00:00:01","missed_only":true}`},
		{"PUT", fmt.Sprintf("/hooks/auths/%d", authID), auth},
		{"POST", "/hooks", strings.Replace(hook, `"format":"standard"`, `"format":"unknown"`, 1)},
	}
}

// answers sends a body straight to the handler and says what is wrong with the
// answer, whatever the body was.
func answers(w *world, token string, to target, body []byte) (status int, problems []string) {
	r := httptest.NewRequest(to.method, w.address(to.path), strings.NewReader(string(body)))
	r.Header.Set("Authorization", "Bearer "+token)
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	a := answer{request: to.method + " " + to.path, status: rec.Code, header: rec.Header(), body: rec.Body.Bytes()}
	problems = wrongWith(r, a)
	if a.status >= 500 {
		problems = append(problems, fmt.Sprintf("%d %s", a.status, a.body))
	}
	if !utf8.Valid(a.body) {
		problems = append(problems, "the answer is not UTF-8")
	}
	return a.status, problems
}

// H5: whatever is done to good bodies, no answer is 500 or worse, and every one
// is as documented.
func TestH5_MutatedBodies(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		m := &mutator{rand.New(rand.NewPCG(*seed, 2))}
		all := targets(c)
		statuses := map[int]int{}
		for n := range 2 * *requests {
			to := all[n%len(all)]
			body := m.mutate(to.body)
			status, problems := answers(w, c.token, to, body)
			statuses[status]++
			for _, problem := range problems {
				t.Errorf("%s %s %q: %s", to.method, to.path, body, problem)
			}
		}
		t.Logf("by status: %v", statuses)
		for _, status := range []int{200, 201, 204, 403, 422} {
			if statuses[status] == 0 {
				t.Errorf("no answer is %d: the bodies are too much alike", status)
			}
		}
	})
}

// mutator spoils bodies: mostly a value or a key of the JSON, sometimes the
// bytes.
type mutator struct{ *rand.Rand }

// nasty values have broken parsers, stores and encoders before.
var nasty = []any{
	nil, true, "", " ", "\x00", "a\x00b", "\u2028", "\u202e", "é", "e\u0301", "🏠", "\ufffd", strings.Repeat("x", 70_000), "' OR 1=1 --", "%", "_", `\`, "\r\n", "<script>", "${jndi:x}",
	0, -1, 0.1, 1e15, 1e-15, 1e308, 9007199254740993, json.Number("9223372036854775807"), json.Number("9223372036854775808"), json.Number("-9223372036854775809"),
	json.Number("1e400"), json.Number("1e-400"), json.Number("-0"), json.Number("0.1e1"), json.Number("123456789012345678901234567890.5"), json.Number("1E+2"), json.Number("12.0"),
	"1e5", "0x10", "١٢", "1_000", "+5", "-0", "NaN", "Infinity", "0001-01-01", "9999-12-31T23:59:59.999999999Z", "10000-01-01", "2026-13-01", "2026-06-01T10:00:00+99:99", "31/12/0000",
	"-90,-180", "90.000000001,0", "1e1,1e1", "45.7,4.8,", list{}, list{nil}, list{list{list{}}}, object{}, object{"a": object{}}, list{"FIBRE", 1}, list{object{}},
	"MTIz", "MA==", "LTE=", "desc", "prix", "EGAL", "Maison", "11-1001", "Prix", "6", "9999999999999999999999", "TYPEBIEN", "Remarques", "Gardien",
}

func (m *mutator) mutate(body string) []byte {
	var whole any
	if err := json.Unmarshal([]byte(body), &whole); err != nil {
		panic(err)
	}
	for range 1 + m.IntN(2) {
		whole = m.spoil(whole, 0)
	}
	text, err := json.Marshal(whole)
	if err != nil {
		panic(err)
	}
	if m.IntN(5) > 0 {
		return text
	}
	for range 1 + m.IntN(4) {
		at := m.IntN(len(text))
		switch m.IntN(4) {
		case 0:
			text[at] = byte(m.IntN(256))
		case 1:
			text = slices.Delete(text, at, min(at+1+m.IntN(8), len(text)))
		case 2:
			text = slices.Insert(text, at, []byte(m.pick(`"`, `\`, `\u0000`, `\ud83d`, "\xff", "\xc0\x80", "{", "]", ",", ":", "null", "1e999", "\ufeff"))...)
		case 3:
			text = append(text, text[at:]...)
		}
		if len(text) == 0 {
			return text
		}
	}
	return text
}

func (m *mutator) pick(from ...string) string { return from[m.IntN(len(from))] }

// spoil changes one thing somewhere in a value.
func (m *mutator) spoil(value any, depth int) any {
	if depth > 0 && m.IntN(4) == 0 {
		return m.nasty()
	}
	switch v := value.(type) {
	case object:
		if len(v) == 0 {
			break
		}
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		key := keys[m.IntN(len(keys))]
		switch m.IntN(8) {
		case 0:
			delete(v, key)
		case 1:
			v[m.pick("agencyId", "agency_id", "criteria", "criterias", "Criteria", "id", "\x00", "web_status", "status_web", "value", "é")] = v[key]
		default:
			v[key] = m.spoil(v[key], depth+1)
		}
		return v
	case list:
		if len(v) == 0 {
			break
		}
		n := m.IntN(len(v))
		switch m.IntN(6) {
		case 0:
			return slices.Delete(v, n, n+1)
		case 1:
			return append(v, v[n])
		default:
			v[n] = m.spoil(v[n], depth+1)
		}
		return v
	}
	return m.nasty()
}

// nasty is one of the nasty values, a copy that may be spoilt further.
func (m *mutator) nasty() any { return deepCopy(nasty[m.IntN(len(nasty))]) }

func deepCopy(value any) any {
	switch v := value.(type) {
	case object:
		out := object{}
		for key, member := range v {
			out[key] = deepCopy(member)
		}
		return out
	case list:
		out := make(list, len(v))
		for i := range v {
			out[i] = deepCopy(v[i])
		}
		return out
	}
	return value
}

// FuzzHTTP looks for bodies that any operation answers with 500 or worse, or not
// as documented.
func FuzzHTTP(f *testing.F) {
	w, err := newWorld("memory")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(w.end)
	c := w.network(f)
	all := targets(c)
	for i, to := range all {
		f.Add(uint8(i), []byte(to.body))
		f.Add(uint8(i), []byte(`{}`))
	}
	f.Add(uint8(0), []byte(`{"agencyId":11,"criteria":[{"id":"Prix","value":"\u0000"}]}`))
	f.Fuzz(func(t *testing.T, operation uint8, body []byte) {
		to := all[int(operation)%len(all)]
		if _, problems := answers(w, c.token, to, body); len(problems) > 0 {
			t.Errorf("%s %s: %q", to.method, to.path, problems)
		}
	})
}
