package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
)

// TestAnEmptyServerHasASite: after init and serve a client lists, finds and changes listings with
// the whole vocabulary, and the console has an operator come in.
func TestAnEmptyServerHasASite(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		out, err := shell(t, t.TempDir(), "vitrine init --name 'Réseau Ouest' --agency 'Ouest Nantes' --postal-code 44000 --city Nantes "+
			"--firstname Ada --lastname Martin --email ada@example.org --database '"+database+"'")
		_, record, _ := strings.Cut(out, "{\n")
		var made backoffice.CreatedSite
		if err == nil {
			err = json.Unmarshal([]byte("{"+record), &made)
		}
		if err != nil || strings.Count(out, made.Secret) != 1 || !strings.Contains(out, "curl -u site-1:$SECRET -d site_id=1 http") {
			t.Fatalf("%v: %s", err, out)
		}
		w := served(t, "--database", database, "--photos", "file://"+t.TempDir())
		if refused := w.stranger(t).form("/api/client/token/site", made.Client, "wrong", url.Values{"site_id": {"1"}}); refused.status != http.StatusUnauthorized {
			t.Errorf("a wrong secret: %s", refused)
		}
		c := &client{t: t, w: w, token: w.stranger(t).form("/api/client/token/site", made.Client, made.Secret, url.Values{"site_id": {"1"}}).is(200).text("access_token")}
		c.get("/agencies/1").is(200).equals("data.name", "Ouest Nantes").equals("data.postal_code", "44000")
		if all := c.get("/criterias/product/all").is(200).list("data"); len(all) < 60 {
			t.Errorf("there are %d criteria", len(all))
		}
		create := func(kind, city string, price int, equipment ...string) {
			t.Helper()
			c.post("/products", object{
				"agency_id": made.Agency, "user_id": made.User, "web_status": true,
				"criteria": list{
					object{"id": "TypeBien", "value": kind}, object{"id": "TypeTransaction", "value": "Vente"}, object{"id": "Prix", "value": price},
					object{"id": "CodePostal", "value": "44000"}, object{"id": "Ville", "value": city}, object{"id": "Equipements", "value": equipment},
				},
				"rooms": list{object{"type": "SEJOUR", "surface": 24.5, "exposition": "S", "sol": "PARQUET"}},
			}).is(201)
		}
		create("Maison", "Nantes", 425_000, "CHEMINEE", "ALARME")
		create("Appartement", "Nantes", 210_000, "DIGICODE")
		create("Maison", "Rezé", 310_000)
		c.post("/products", object{"agency_id": made.Agency, "criteria": list{object{"id": "TypeBien", "value": "Chateau"}}}).refused(422, "criteria_value_unrecognised", "criteria[0].value")
		found := c.post("/products/search?fetch=rooms", object{"criterias": list{
			object{"id": "TypeBien", "operator": "EGAL", "value": "Maison"}, object{"id": "Ville", "operator": "EGAL", "value": "nantes"},
			object{"id": "Prix", "operator": "INFERIEUR", "value": "500000"},
		}}).is(200)
		if all := found.list("data"); len(all) != 1 {
			t.Errorf("it finds %s", found)
		}
		found.equals("data.0.price", 425_000.0).equals("data.0.status", "EnCours")
	})
}
