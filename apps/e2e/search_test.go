package e2e_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
)

// condition is a clause of a search.
func condition(id, operator string, value any) object {
	return object{"id": id, "operator": operator, "value": value}
}

// catalogue is what a client can read of every product, which the expectations
// of these tests are computed from.
func catalogue(c *client) []object {
	c.t.Helper()
	return c.everything("criteres_text,criteres_number,criteres_fulltext,criteres_flag,customer")
}

// value is the value of a criterion of a product, nil without one.
func value(p object, key string) any {
	for _, block := range []string{"criteres_text", "criteres_number", "criteres_fulltext", "criteres_flag"} {
		for _, item := range p[block].(list) {
			if item.(object)["id"] == key {
				return item.(object)["value"]
			}
		}
	}
	return nil
}

// fold forgets case and accents.
func fold(text string) string {
	var out strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		if !unicode.Is(unicode.Mn, r) {
			out.WriteRune(r)
		}
	}
	return out.String()
}

func chosen(products []object, wanted func(object) bool) []int64 {
	ids := []int64{}
	for _, p := range products {
		if wanted(p) {
			ids = append(ids, int64(p["id"].(float64)))
		}
	}
	return ids
}

func numberIs(key string, holds func(float64) bool) func(object) bool {
	return func(p object) bool { n, ok := value(p, key).(float64); return ok && holds(n) }
}

func textIs(key string, holds func(string) bool) func(object) bool {
	return func(p object) bool { text, ok := value(p, key).(string); return ok && holds(text) }
}

func setHas(key string, codes ...string) func(object) bool {
	return func(p object) bool {
		set, _ := value(p, key).(list)
		return slices.ContainsFunc(set, func(code any) bool { return slices.Contains(codes, code.(string)) })
	}
}

func not(holds func(object) bool) func(object) bool {
	return func(p object) bool { return !holds(p) }
}

func both(a, b func(object) bool) func(object) bool {
	return func(p object) bool { return a(p) && b(p) }
}

func is(want string) func(string) bool { return func(text string) bool { return text == want } }

func contains(part string) func(string) bool {
	return func(text string) bool { return strings.Contains(fold(text), part) }
}

// Every operator on every type it applies to, and every filter, find what a
// reader of all products would pick by hand; the walk by cursor, the walk by
// offset and the count agree.
func TestQ15_EveryOperatorAndFilter(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		all := catalogue(c)
		day := func(text string) float64 {
			at, err := time.Parse(time.DateOnly, text)
			if err != nil {
				t.Fatal(err)
			}
			return float64(at.Unix())
		}
		dateIs := func(key string, holds func(float64) bool) func(object) bool {
			return textIs(key, func(text string) bool { return holds(day(text)) })
		}
		flagged := func(key string) func(object) bool { return func(p object) bool { return value(p, key) == 1.0 } }
		keyword := func(folded string) func(object) bool {
			return func(p object) bool {
				place := fmt.Sprint(p["address"], " ", p["city"])
				names := ""
				if owner, ok := p["customer"].(object); ok {
					names = fmt.Sprintf("%[1]v %[2]v|%[2]v %[1]v|%[3]v", owner["firstname"], owner["lastname"], owner["company"])
				}
				return contains(folded)(p["model"].(string)) || contains(folded)(place) || contains(folded)(names)
			}
		}
		priced := func(low, high float64) func(object) bool {
			return numberIs("Prix", func(n float64) bool { return n >= low && n <= high })
		}
		either := func(a, b func(object) bool) func(object) bool { return func(p object) bool { return a(p) || b(p) } }
		maison, lyon := textIs("TypeBien", is("Maison")), textIs("Ville", func(v string) bool { return fold(v) == "lyon" })

		for name, test := range map[string]struct {
			body   object
			wanted func(object) bool
		}{
			"EGAL UNIQUE":              {object{"criterias": list{condition("TypeBien", "EGAL", "Maison")}}, maison},
			"EGAL by numeric id":       {object{"criterias": list{condition("1", "EGAL", "Maison")}}, maison},
			"EGAL by key in any case":  {object{"criterias": list{condition("typebien", "EGAL", "Maison")}}, maison},
			"DIFFERENT UNIQUE":         {object{"criterias": list{condition("EtatGeneral", "DIFFERENT", "BON")}}, not(textIs("EtatGeneral", is("BON")))},
			"EGAL NUMBER":              {object{"criterias": list{condition("NbPieces", "EGAL", 4)}}, numberIs("NbPieces", func(n float64) bool { return n == 4 })},
			"EGAL NUMBER as text":      {object{"criterias": list{condition("NbPieces", "EGAL", "4")}}, numberIs("NbPieces", func(n float64) bool { return n == 4 })},
			"DIFFERENT NUMBER":         {object{"criterias": list{condition("Etage", "DIFFERENT", 1)}}, not(numberIs("Etage", func(n float64) bool { return n == 1 }))},
			"SUPERIEUR NUMBER":         {object{"criterias": list{condition("Surface", "SUPERIEUR", 93.5)}}, numberIs("Surface", func(n float64) bool { return n >= 93.5 })},
			"INFERIEUR NUMBER":         {object{"criterias": list{condition("Prix", "INFERIEUR", 443000)}}, priced(0, 443000)},
			"a range (Q14)":            {object{"criterias": list{condition("Prix", "SUPERIEUR", 200000), condition("Prix", "INFERIEUR", "400000")}}, priced(200000, 400000)},
			"EGAL FLAG":                {object{"criterias": list{condition("Ascenseur", "EGAL", "1")}}, flagged("Ascenseur")},
			"EGAL FLAG 0 (Q21)":        {object{"criterias": list{condition("Ascenseur", "EGAL", 0)}}, not(flagged("Ascenseur"))},
			"DIFFERENT FLAG":           {object{"criterias": list{condition("Ascenseur", "DIFFERENT", true)}}, not(flagged("Ascenseur"))},
			"EGAL TEXT (Q22)":          {object{"criterias": list{condition("Ville", "EGAL", " LYÔN ")}}, lyon},
			"DIFFERENT TEXT":           {object{"criterias": list{condition("Ville", "DIFFERENT", "lyon")}}, not(lyon)},
			"CONTIENT TEXT":            {object{"criterias": list{condition("Ville", "CONTIENT", "ETIENNE")}}, textIs("Ville", contains("etienne"))},
			"CONTIENT any (Q16)":       {object{"criterias": list{condition("Ville", "CONTIENT", list{"annecy", "lyon"})}}, textIs("Ville", func(v string) bool { return contains("annecy")(v) || contains("lyon")(v) })},
			"COMPREND MULTIPLE (Q17)":  {object{"criterias": list{condition("Equipements", "COMPREND", list{"FIBRE", "CHEMINEE"})}}, setHas("Equipements", "FIBRE", "CHEMINEE")},
			"COMPREND one":             {object{"criterias": list{condition("Equipements", "COMPREND", "FIBRE")}}, setHas("Equipements", "FIBRE")},
			"COMPREND twice":           {object{"criterias": list{condition("Equipements", "COMPREND", "FIBRE"), condition("Equipements", "COMPREND", "CHEMINEE")}}, both(setHas("Equipements", "FIBRE"), setHas("Equipements", "CHEMINEE"))},
			"COMPREND UNIQUE":          {object{"criterias": list{condition("TypeBien", "COMPREND", list{"Maison", "Villa"})}}, textIs("TypeBien", func(v string) bool { return v == "Maison" || v == "Villa" })},
			"NE_COMPREND_PAS":          {object{"criterias": list{condition("Equipements", "NE_COMPREND_PAS", list{"FIBRE", "CHEMINEE"})}}, not(setHas("Equipements", "FIBRE", "CHEMINEE"))},
			"NE_COMPREND_PAS UNIQUE":   {object{"criterias": list{condition("EtatGeneral", "NE_COMPREND_PAS", "NEUF")}}, not(textIs("EtatGeneral", is("NEUF")))},
			"EGAL MULTIPLE (Q18)":      {object{"criterias": list{condition("Annexes", "EGAL", list{"CAVE"})}}, func(p object) bool { set, _ := value(p, "Annexes").(list); return len(set) == 1 && set[0] == "CAVE" }},
			"SUPERIEUR DATE":           {object{"criterias": list{condition("DateMandat", "SUPERIEUR", "01/06/2026")}}, dateIs("DateMandat", func(d float64) bool { return d >= day("2026-06-01") })},
			"INFERIEUR DATE":           {object{"criterias": list{condition("DateMandat", "INFERIEUR", "2025-12-31")}}, dateIs("DateMandat", func(d float64) bool { return d <= day("2025-12-31") })},
			"EGAL DATE":                {object{"criterias": list{condition("DateMandat", "EGAL", "2025-06-01")}}, dateIs("DateMandat", func(d float64) bool { return d == day("2025-06-01") })},
			"the alias criteria (G29)": {object{"criteria": list{condition("TypeBien", "EGAL", "Maison")}}, maison},

			"model":                     {object{"model": "11-1001"}, func(p object) bool { return p["model"] == "11-1001" }},
			"customer_id":               {object{"customer_id": 1006}, func(p object) bool { return p["customer_id"] == 1006.0 }},
			"agency_id":                 {object{"agency_id": 12}, func(p object) bool { return p["agency_id"] == 12.0 }},
			"agency_id as text (G8)":    {object{"agency_id": "12"}, func(p object) bool { return p["agency_id"] == 12.0 }},
			"products_admin_id":         {object{"products_admin_id": list{101, 121}}, func(p object) bool { return p["user_id"] == 101.0 || p["user_id"] == 121.0 }},
			"products_admin_id (Q33)":   {object{"products_admin_id": "101, 121"}, func(p object) bool { return p["user_id"] == 101.0 || p["user_id"] == 121.0 }},
			"last_modified":             {object{"last_modified": "2026-10-15T14:53:29Z"}, func(p object) bool { return p["last_modified"].(string) >= "2026-10-15T14:53:29.000Z" }},
			"last_modified, zoned":      {object{"last_modified": "2026-10-15T16:53:29+02:00"}, func(p object) bool { return p["last_modified"].(string) >= "2026-10-15T14:53:29.000Z" }},
			"last_modified, naive (G13": {object{"last_modified": "2026-10-15T16:53:29"}, func(p object) bool { return p["last_modified"].(string) >= "2026-10-15T14:53:29.000Z" }},
			"last_modified, day (Q34)":  {object{"last_modified": "2026-07-01"}, func(p object) bool { return p["last_modified"].(string) >= "2026-06-30T22:00:00.000Z" }},
			"status_web":                {object{"status_web": true}, func(p object) bool { return p["web_status"] == true }},
			"web_status (Q35)":          {object{"web_status": false}, func(p object) bool { return p["web_status"] == false }},
			"has_visit360":              {object{"has_visit360": true}, func(p object) bool { return p["has_visit360"] == true }},
			"hasVisit360 (Q36)":         {object{"hasVisit360": false}, func(p object) bool { return p["has_visit360"] == false }},
			"has_visit_360":             {object{"has_visit_360": true}, func(p object) bool { return value(p, "VisiteVirtuelle") != nil }},
			"parent_id null (L4)":       {object{"parent_id": nil}, func(p object) bool { return p["parent_id"] == nil }},

			"keyword: reference":        {object{"keyword": "11-100"}, keyword("11-100")},
			"keyword: address and city": {object{"keyword": "croix"}, keyword("croix")},
			"keyword: across the two":   {object{"keyword": "du Mail LYON"}, keyword("du mail lyon")},
			"keyword: accents":          {object{"keyword": "Saint-etienne"}, keyword("saint-etienne")},
			"keyword: first last":       {object{"keyword": "clemence bouchardon"}, keyword("clemence bouchardon")},
			"keyword: last first":       {object{"keyword": "Bouchardon Clé"}, keyword("bouchardon cle")},
			"keyword: company":          {object{"keyword": "sci les tanneurs"}, keyword("sci les tanneurs")},
			"keyword: a price (Q28)":    {object{"keyword": "400 000 €"}, priced(360000, 440000)},
			"keyword: a price in EUR":   {object{"keyword": "250000EUR"}, priced(225000, 275000)},
			"keyword: a number":         {object{"keyword": "445"}, either(keyword("445"), priced(400.5, 489.5))},
			"keyword: with decimals":    {object{"keyword": "445,00"}, priced(400.5, 489.5)},

			"nulls are absent (G30)": {object{"keyword": nil, "model": nil, "customer_id": nil, "agency_id": nil, "products_admin_id": nil, "last_modified": nil, "status_web": nil, "has_visit360": nil, "criterias": nil, "cursor": nil}, func(object) bool { return true }},
			"empty ones (Q30)":       {object{"keyword": "", "criterias": list{}, "products_admin_id": ""}, func(object) bool { return true }},
			"all at once":            {object{"criterias": list{condition("TypeTransaction", "EGAL", "Vente"), condition("Ville", "CONTIENT", "lyon")}, "agency_id": 11, "status_web": true, "keyword": "rue"}, both(both(textIs("TypeTransaction", is("Vente")), textIs("Ville", contains("lyon"))), func(p object) bool { return p["agency_id"] == 11.0 && p["web_status"] == true && keyword("rue")(p) })},
		} {
			want := chosen(all, test.wanted)
			if len(want) == 0 || len(want) == len(all) && !strings.Contains(name, "(G30)") && !strings.Contains(name, "(Q30)") {
				t.Errorf("%s: %d of %d products prove little", name, len(want), len(all))
			}
			if diff := gocmp.Diff(want, c.walk(test.body)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			byOffset := copied(test.body)
			byOffset["count"], byOffset["sort_order"] = 2000, "asc"
			if diff := gocmp.Diff(want, c.search(byOffset).is(200).ids()); diff != "" {
				t.Errorf("%s, by offset (-want +got):\n%s", name, diff)
			}
			if got := c.count(test.body); got != len(want) {
				t.Errorf("%s: a count of %d, want %d", name, got, len(want))
			}
		}
	})
}

func TestQ32_UnknownFilterValuesMatchNothing(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for name, body := range map[string]object{
			"customer":       {"customer_id": 999999},
			"agent":          {"products_admin_id": list{999999}},
			"no agent (Q33)": {"products_admin_id": list{}},
			"parent":         {"parent_id": 999999},
			"reference":      {"model": "no such"},
			"keyword":        {"keyword": "xyzzy"},
			"a later change": {"last_modified": "2999-01-01"},
			"beyond an int":  {"customer_id": int64(math.MaxInt64)},
			"an old code":    {"criterias": list{condition("EtatGeneral", "EGAL", "HABITABLE")}}, // K8: fine in a search
			"half a keyword": {"keyword": "' OR 1=1 --"},
			"a percent sign": {"keyword": "%"},
			"an underscore":  {"criterias": list{condition("Ville", "CONTIENT", "L_on")}},
		} {
			if got := c.search(body).is(200); len(got.ids()) != 0 || got.at("next_cursor") != nil || got.at("has_more") != false {
				t.Errorf("%s: %s", name, got)
			}
			if got := c.count(body); got != 0 {
				t.Errorf("%s: a count of %d", name, got)
			}
		}
	})
}

func TestQ25_SearchesThatCannotBeMeant(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		one := func(id, operator string, value any) object {
			return object{"criterias": list{condition(id, operator, value)}}
		}
		many := list{}
		for range 201 {
			many = append(many, condition("Prix", "SUPERIEUR", 1))
		}
		for name, test := range map[string]struct {
			body   object
			code   string
			fields []string
		}{
			"unknown criterion":       {one("Rien", "EGAL", "x"), "unknown_criterion", []string{"criterias[0].id"}},
			"no criterion":            {object{"criterias": list{object{"operator": "EGAL", "value": 1}}}, "required", []string{"criterias[0].id"}},
			"no operator":             {object{"criterias": list{object{"id": "Prix", "value": 1}}}, "required", []string{"criterias[0].operator"}},
			"unknown operator":        {one("Prix", "egal", 1), "invalid_format", []string{"criterias[0].operator"}},
			"no value (Q26)":          {object{"criterias": list{object{"id": "Prix", "operator": "EGAL"}}}, "required", []string{"criterias[0].value"}},
			"null value":              {one("Prix", "EGAL", nil), "required", []string{"criterias[0].value"}},
			"empty array":             {one("Ville", "CONTIENT", list{}), "required", []string{"criterias[0].value"}},
			"unknown code":            {one("TypeBien", "EGAL", "Château"), "criteria_value_unrecognised", []string{"criterias[0].value"}},
			"a label":                 {one("TypeBien", "EGAL", "Péniche"), "criteria_value_unrecognised", []string{"criterias[0].value"}},
			"one unknown of two":      {one("TypeBien", "COMPREND", list{"Maison", "?"}), "criteria_value_unrecognised", []string{"criterias[0].value"}},
			"an array for EGAL (Q18)": {one("TypeBien", "EGAL", list{"Maison"}), "invalid_criteria_value", []string{"criterias[0].value"}},
			"text for a number":       {one("Prix", "EGAL", "1 000"), "invalid_criteria_value", []string{"criterias[0].value"}},
			"an impossible date":      {one("DateMandat", "EGAL", "31/02/2026"), "invalid_criteria_value", []string{"criterias[0].value"}},
			"SUPERIEUR on TEXT":       {one("Ville", "SUPERIEUR", "a"), "operator_not_supported", []string{"criterias[0].operator"}},
			"SUPERIEUR on UNIQUE":     {one("TypeBien", "SUPERIEUR", "Maison"), "operator_not_supported", []string{"criterias[0].operator"}},
			"CONTIENT on NUMBER":      {one("Prix", "CONTIENT", "1"), "operator_not_supported", []string{"criterias[0].operator"}},
			"COMPREND on TEXT":        {one("Ville", "COMPREND", "Lyon"), "operator_not_supported", []string{"criterias[0].operator"}},
			"INFERIEUR on FLAG":       {one("Ascenseur", "INFERIEUR", 1), "operator_not_supported", []string{"criterias[0].operator"}},
			"not searchable":          {one("Remarques", "CONTIENT", "x"), "operator_not_supported", []string{"criterias[0].operator"}},
			"too many (M4)":           {object{"criterias": many}, "out_of_range", []string{"criterias"}},
			"a long keyword (Q30)":    {object{"keyword": strings.Repeat("é", 256)}, "out_of_range", []string{"keyword"}},
			"a date that is none":     {object{"last_modified": "yesterday"}, "invalid_format", []string{"last_modified"}},
			"ids below 1":             {object{"customer_id": 0}, "out_of_range", []string{"customer_id"}},
			"ids beyond int64":        {object{"customer_id": "9223372036854775808"}, "out_of_range", []string{"customer_id"}},
			"agent 0":                 {object{"products_admin_id": "101,0"}, "out_of_range", []string{"products_admin_id"}},
			"agents that are words":   {object{"products_admin_id": "a,b"}, "invalid_type", []string{"products_admin_id"}},
			"a word for a flag":       {object{"status_web": "yes"}, "invalid_type", []string{"status_web"}},
			"both spellings (G29)":    {object{"criteria": list{}, "criterias": list{}}, "ambiguous_field", []string{"criterias"}},
			"both flags":              {object{"status_web": true, "web_status": true}, "ambiguous_field", []string{"status_web"}},
			"two mistakes":            {object{"keyword": 1, "status_web": 1}, "invalid_type", []string{"keyword", "status_web"}},
			"two kinds of mistakes":   {object{"customer_id": 0, "last_modified": "x"}, "validation_error", nil},
		} {
			c.search(test.body).refused(422, test.code, test.fields...)
			c.post("/products/search/count", test.body).refused(422, test.code, test.fields...) // Q39
			if t.Failed() {
				t.Fatal(name)
			}
		}
		c.search(object{"agency_id": 21}).refused(403, "agency_out_of_scope", "agency_id")
		c.search(object{"agency_id": 99}).refused(403, "agency_out_of_scope", "agency_id")
		accepted := c.search(one("TypeTransaction", "EGAL", "?")).list("error.details.0.accepted_values")
		if len(accepted) != 7 || accepted[0] != "Vente" {
			t.Errorf("accepted values are %v", accepted)
		}
	})
}

func TestQ1_TheModeOfPaging(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		all := c.walk(object{})
		first := cursor(all[0])
		for name, test := range map[string]struct {
			body object
			mode string
			ids  []int64
			next any
			more bool
		}{
			"nothing":             {object{}, "cursor", all[:100], cursor(all[99]), true},
			"a filter":            {object{"model": "11-1001"}, "cursor", nil, nil, false},
			"null everywhere":     {object{"skip": nil, "count": nil, "sort_type": nil, "sort_order": nil}, "cursor", all[:100], cursor(all[99]), true},
			"a cursor":            {object{"cursor": first}, "cursor", all[1:101], cursor(all[100]), true},
			"a cursor wins (Q5)":  {object{"cursor": first, "skip": -1, "count": 9999, "sort_type": "?", "sort_order": "?"}, "cursor", all[1:101], cursor(all[100]), true},
			"skip":                {object{"skip": 1}, "offset", reversed(all)[1:101], nil, true},
			"count":               {object{"count": 3}, "offset", reversed(all)[:3], nil, true},
			"count and skip":      {object{"count": 2, "skip": 5}, "offset", reversed(all)[5:7], nil, true},
			"sort_type":           {object{"sort_type": "id"}, "offset", reversed(all)[:100], nil, true},
			"sort_order":          {object{"sort_order": "asc"}, "offset", all[:100], nil, true},
			"skip beyond the end": {object{"skip": 100000}, "offset", []int64{}, nil, false},
			"skip all there is":   {object{"skip": json.Number("9223372036854775807"), "sort_type": "prix", "model": "11-1001"}, "offset", []int64{}, nil, false},
			"the last page (Q7)":  {object{"skip": len(all) - 2, "count": 2}, "offset", reversed(all)[len(all)-2:], nil, false},
			"all of it":           {object{"count": 2000}, "offset", reversed(all), nil, false},
			"behind the last":     {object{"cursor": cursor(all[len(all)-1])}, "cursor", []int64{}, nil, false},
			"behind any (Q4)":     {object{"cursor": cursor(math.MaxInt64)}, "cursor", []int64{}, nil, false},
			"unpadded (Q4)":       {object{"cursor": strings.TrimRight(first, "=")}, "cursor", all[1:101], cursor(all[100]), true},
		} {
			got := c.search(test.body).is(200)
			if mode := got.header.Get("X-Pagination-Mode"); mode != test.mode {
				t.Errorf("%s: the mode is %q, want %q", name, mode, test.mode)
			}
			if test.ids != nil {
				if diff := gocmp.Diff(test.ids, got.ids()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
			got.equals("next_cursor", test.next).equals("has_more", test.more)
		}
		for _, bad := range []string{"", " ", "abc", "MTI", cursor(0), cursor(-5), first + "=", "MDE=", "====", "9999999999999999999999", "MTIz\n"} {
			if bad == "MTI" { // 12, unpadded
				continue
			}
			c.search(object{"cursor": bad}).refused(422, "invalid_cursor", "cursor")
		}
		c.search(object{"cursor": 5}).refused(422, "invalid_type", "cursor")
	})
}

func reversed(ids []int64) []int64 {
	ids = slices.Clone(ids)
	slices.Reverse(ids)
	return ids
}

func TestQ8_LimitsOfAPage(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for _, body := range []object{{"count": 0}, {"count": -1}, {"count": 2001}} {
			got := c.search(body).refused(422, "out_of_range", "count")
			if !strings.Contains(string(got.body), "2000") {
				t.Errorf("%s\nshould name the maximum", got)
			}
		}
		got := c.search(object{"count": 101}, "?fetch=rooms").refused(422, "out_of_range", "count")
		if !strings.Contains(got.text("error.message"), "100") {
			t.Errorf("%s\nshould name the maximum", got)
		}
		if n := len(c.search(object{"count": 100}, "?fetch=rooms").is(200).list("data")); n != 100 {
			t.Errorf("%d products", n)
		}
		if n := len(c.search(object{"sort_type": "prix"}, "?fetch=rooms").is(200).list("data")); n != 100 {
			t.Errorf("Q10: %d products", n)
		}
		c.search(object{"count": 101}, "?fetch=").is(200) // R3: an empty fetch is none
		c.search(object{"skip": -1}).refused(422, "out_of_range", "skip")
		c.search(object{"count": "10", "skip": "0"}).is(200) // G8
		c.search(object{"count": 1.5}).refused(422, "invalid_type", "count")
		c.search(object{"sort_type": "price"}).refused(422, "invalid_format", "sort_type")
		c.search(object{"sort_order": "up"}).refused(422, "invalid_format", "sort_order")
	})
}

func TestQ12_EverySort(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		all := c.everything("insee")
		for sort, field := range map[string]string{"id": "id", "prix": "price", "surface": "surface", "date": "last_modified", "date_added": "date_added"} {
			for _, order := range []string{"asc", "desc"} {
				direction := map[string]int{"asc": 1, "desc": -1}[order]
				wanted := slices.Clone(all)
				slices.SortFunc(wanted, func(a, b object) int {
					if missing := cmp.Compare(btoi(a[field] == nil), btoi(b[field] == nil)); missing != 0 {
						return missing // Q11: those without the value come last
					}
					return direction * cmp.Or(compare(a[field], b[field]), compare(a["id"], b["id"]))
				})
				got := c.search(object{"sort_type": sort, "sort_order": order, "count": 2000}).is(200).ids()
				if diff := gocmp.Diff(chosen(wanted, func(object) bool { return true }), got); diff != "" {
					t.Errorf("%s %s (-want +got):\n%s", sort, order, diff)
				}
				var paged []int64
				for skip := 0; skip < len(all); skip += 60 {
					paged = append(paged, c.search(object{"sort_type": sort, "sort_order": order, "count": 60, "skip": skip}).is(200).ids()...)
				}
				if diff := gocmp.Diff(got, paged); diff != "" {
					t.Errorf("%s %s in pages (-whole +pages):\n%s", sort, order, diff)
				}
			}
		}
		byDefault := c.search(object{"sort_type": "prix"}).is(200).ids() // Q13
		if diff := gocmp.Diff(c.search(object{"sort_type": "prix", "sort_order": "desc"}).ids(), byDefault); diff != "" {
			t.Error(diff)
		}
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func compare(a, b any) int {
	switch a := a.(type) {
	case float64:
		return cmp.Compare(a, b.(float64))
	case string:
		return cmp.Compare(a, b.(string))
	}
	return 0
}

func TestG4_AnEmptyBodyIsAnEmptyObject(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for _, body := range []any{nil, "", "  \n", "{}"} {
			c.post("/products/search", body).is(200).equals("has_more", true)
			c.post("/products/search/count", body).is(200)
		}
		c.post("/products/search/count", object{"cursor": 5, "skip": -1, "count": "?"}).is(200) // Q38
	})
}

func TestQ40_SearchesStayInScope(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		for credential, agencies := range map[*client][]float64{w.network(t): {11, 12}, w.rival(t): {21}, w.as(t, "sandbox-group", 2): {21}} {
			for _, p := range credential.everything("scopes") {
				if !slices.Contains(agencies, p["agency_id"].(float64)) {
					t.Errorf("%v is of agency %v", p["id"], p["agency_id"])
				}
			}
		}
		if n := w.network(t).count(object{"keyword": formerModel}); n != 0 {
			t.Errorf("%d products of an agency that left", n)
		}
	})
}
