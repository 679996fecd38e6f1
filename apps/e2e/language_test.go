package e2e_test

import (
	"net/url"
	"strings"
	"testing"
)

// Whichever part of the server refuses a request, it does so in French.
func TestG18_EveryPartRefusesInFrench(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		network, stranger, website := w.network(t), w.stranger(t), w.website(t)
		send := func(c *client, method, path string, body any) answer {
			return c.send(method, path, body, "Accept-Language", "fr-FR, fr;q=0.9, en;q=0.8")
		}
		form := func(id, secret string, form url.Values) answer {
			return stranger.form("/api/client/token/site", id, secret, form, "Accept-Language", "fr")
		}
		for what, test := range map[string]struct {
			got    answer
			status int
			want   string
		}{
			"no token":            {send(stranger, "GET", "/discovery", nil), 401, "un jeton est obligatoire dans Authorization: Bearer"},
			"a wrong secret":      {form("sandbox-network", "wrong", url.Values{"site_id": {"1"}}), 401, "le client id ou le secret est absent ou erroné"},
			"a token of no site":  {form("sandbox-network", "sandbox-network-secret", url.Values{"site_id": {"x"}}), 422, "site_id est un entier strictement positif"},
			"a pack":              {send(website, "GET", "/customers/1", nil), 403, "cette opération exige l'un des packs : "},
			"an unknown record":   {send(network, "GET", "/products/987654", nil), 404, "aucun bien n'a cet id"},
			"an unknown path":     {send(network, "GET", "/nowhere", nil), 404, "aucune opération n'a ce chemin"},
			"another method":      {send(network, "PUT", "/discovery", nil), 405, "ce chemin accepte GET, HEAD, OPTIONS"},
			"a body that is none": {send(network, "POST", "/products/search", "{"), 422, "le corps s'arrête là où l'on attend une clé entre guillemets"},
			"several fields": {
				send(network, "POST", "/products/search", `{"criterias":[{"id":"Prix","operator":"EGAL","value":"cher"},{"id":"Nul","operator":"EGAL","value":1}]}`),
				422, "2 champs ne sont pas valides ; voyez les détails",
			},
			"a criterion": {
				send(network, "POST", "/products/search", `{"criterias":[{"id":"Prix","operator":"EGAL","value":"cher"}]}`),
				422, "Prix : un nombre avec un point décimal est attendu, sans espace ni unité",
			},
			"a customer":   {send(network, "POST", "/customers", `{"email":"nobody"}`), 422, "email est une adresse e-mail, écrite nom@example.com"},
			"a lease":      {send(network, "POST", "/leases", `{}`), 422, "le champ product_id est obligatoire"},
			"a webhook":    {send(network, "POST", "/hooks", `{"url":"https://user@example.org/","origines":["PRODUCT_CREATE"]}`), 422, "l'url ne peut pas porter de nom d'utilisateur ni de mot de passe"},
			"another type": {send(network, "POST", product(1, "/pictures/", "public"), `{}`), 415, "cette opération lit multipart/form-data"},
		} {
			if test.got.status != test.status || !strings.Contains(string(test.got.body), test.want) || test.got.header.Get("Content-Language") != "fr" {
				t.Errorf("%s: %s", what, test.got)
			}
		}
	})
}
