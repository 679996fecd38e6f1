package e2e_test

import (
	"fmt"
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
