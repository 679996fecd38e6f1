package e2e_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A portal meets the API for the first time: it obtains a token, finds out what
// it reaches, learns the vocabulary, reads the whole active catalogue once, and
// from then on only reads what the ledger says has changed.
func TestReadme_APortalsFirstSession(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		agent := w.network(t)
		visible := agent.create(object{"web_status": true, "criteria": criteria("Ville", "Lyon", "TypeBien", "Maison", "Prix", 300000)})
		agent.create(object{"web_status": false})

		granted := w.stranger(t).grant("sandbox-website", url.Values{"site_id": {"1"}}).is(200)
		granted.equals("domain", w.url).equals("token_type", "Bearer").equals("expires_in", 3600)
		portal := w.stranger(t).with(granted.text("access_token"))

		agencies := portal.get("/discovery").is(200)
		if got := len(agencies.list("data")); got != 2 {
			t.Errorf("the token reaches %d agencies", got)
		}
		agencies.equals("data.0.agency_id", 11).equals("data.0.site_id", 1).equals("data.0.siren", "998734776")

		vocabulary := portal.get("/criterias/product/all").is(200)
		if len(vocabulary.list("data")) < 14 {
			t.Error("the vocabulary is too small")
		}
		portal.get("/criterias/product/TypeBien/values").is(200).equals("data.0.model", "Appartement")

		seen := agent.ledger().after // subscribe first, then read
		active := object{"status_web": true, "criterias": list{object{"id": "Statut", "operator": "EGAL", "value": "EnCours"}}}
		ids := portal.walk(active)
		if !slices.Contains(ids, visible) || len(ids) != portal.count(active) {
			t.Errorf("%d ids, a count of %d, and %d must be among them", len(ids), portal.count(active), visible)
		}
		portal.get(product(visible, "?fetch=descriptions,rooms,criteres_text,products_photos")).is(200).
			equals("data.price", 300000).equals("data.city", "Lyon").equals("data.rooms", list{})

		agent.change(visible, object{"criteria": criteria("Prix", 290000)}).is(204)
		news := portal.get("/events?after=" + strconv.FormatInt(seen, 10)).is(200)
		news.equals("data.0.event_type", "PRODUCT_UPDATE").equals("data.0.resource_id", int(visible)).equals("has_more", false)
		portal.get(product(news.id("data.0.resource_id"))).is(200).equals("data.price", 290000)
	})
}

// The requests of that session, as the documentation shows them, are within the
// OpenAPI document.
func TestTheDocumentAdmitsDocumentedRequests(t *testing.T) {
	w := sharedWorld(t, "read", "memory")
	c := w.network(t)
	form := c.request("POST", "/api/client/token/site", "site_id=1", "Content-Type", "application/x-www-form-urlencoded")
	for _, r := range []*http.Request{
		form,
		c.request("GET", "/discovery", nil),
		c.request("GET", "/agencies?per_page=10", nil),
		c.request("GET", "/agencies/11?format=tag_document", nil),
		c.request("POST", "/products/search?fetch=rooms,customer", object{
			"criterias": list{object{"id": "Ville", "operator": "CONTIENT", "value": list{"Lyon", "Annecy"}}},
			"keyword":   "Lyon", "model": nil, "customer_id": 1, "agency_id": 11, "products_admin_id": "101,102",
			"last_modified": "2026-01-01T00:00:00Z", "status_web": true, "has_visit360": nil,
			"sort_type": "prix", "sort_order": "asc", "cursor": nil, "skip": 0, "count": 10,
		}),
		c.request("POST", "/products/search/count", object{"products_admin_id": list{101}}),
		c.request("POST", "/products", object{
			"agency_id": 11, "criteria": criteria("TypeBien", "Maison", "6", 1.5, "Ascenseur", 1, "Equipements", list{"FIBRE"}),
			"rooms": list{object{"type": "SEJOUR", "surface": 12.5, "niveau": 0, "exposition": "N", "vue": nil, "sol": "PARQUET", "commentaire": "x"}},
			"color": 5, "next_contact": "2026-11-30", "web_status": true,
			"descriptions": list{object{"language": "fr", "text": "x"}},
		}),
		c.request("PATCH", "/products/1", object{"product_id": 1, "user_id": nil, "rooms": list{object{"id": 1, "vue": "MER"}}}),
		c.request("GET", "/events?after=0&limit=10&origines=PRODUCT_CREATE", nil),
	} {
		if err := document().admits(r); err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		}
	}
	if document().admits(c.request("PATCH", "/products/1", object{"color": 9})) == nil {
		t.Error("the document admits anything")
	}
}

func TestA4_TheOrderOfTokenErrors(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.stranger(t)
		const id, secret = "sandbox-network", "sandbox-network-secret"
		for _, test := range []struct {
			name, id, secret string
			form             string
			status           int
			code             string
		}{
			{"no credentials, nothing else right", "", "", "site_id=x", 401, "invalid_client"},
			{"an unknown client", "nobody", "secret", "site_id=1", 401, "invalid_client"},
			{"a wrong secret", id, "wrong", "site_id=x", 401, "invalid_client"},
			{"a disabled client", "disabled", "disabled-secret", "site_id=1", 403, "site_disabled"},
			{"neither id (A3)", id, secret, "", 422, "exactly_one_of"},
			{"both ids (A1)", id, secret, "site_id=1&manufacturer_id=11", 422, "exactly_one_of"},
			{"an empty id (A2)", id, secret, "site_id=", 422, "invalid_type"},
			{"no integer", id, secret, "site_id=abc", 422, "invalid_type"},
			{"zero", id, secret, "site_id=0", 422, "invalid_type"},
			{"a negative one", id, secret, "manufacturer_id=-1", 422, "invalid_type"},
			{"beyond int64", id, secret, "site_id=9223372036854775808", 422, "invalid_type"},
			{"the other grant (A6)", id, secret, "grant_type=refresh_token&site_id=1", 422, "invalid_format"},
			{"an unknown site", id, secret, "site_id=99", 404, "unknown_site"},
			{"an unknown agency", id, secret, "manufacturer_id=99", 404, "unknown_agency"},
			{"another's site", id, secret, "site_id=2", 403, "site_out_of_scope"},
			{"another's agency", id, secret, "manufacturer_id=21", 403, "site_out_of_scope"},
			{"an agency that left", id, secret, fmt.Sprintf("manufacturer_id=%d", formerAgency), 403, "site_out_of_scope"},
		} {
			form, err := url.ParseQuery(test.form)
			if err != nil {
				t.Fatal(err)
			}
			got := c.form("/api/client/token/site", test.id, test.secret, form).refused(test.status, test.code)
			challenge := map[int]string{401: `Basic realm="site"`}[test.status]
			if got.header.Get("WWW-Authenticate") != challenge {
				t.Errorf("%s: WWW-Authenticate is %q (A7)", test.name, got.header.Get("WWW-Authenticate"))
			}
		}
		json := c.request("POST", "/api/client/token/site", `{"site_id":1}`)
		json.SetBasicAuth(id, secret)
		if got := c.do(json).refused(422, "exactly_one_of"); !strings.Contains(got.text("error.message"), "application/x-www-form-urlencoded") {
			t.Errorf("%s\nA3: the message should name the media type", got)
		}
	})
}

func TestA5_AnAgencyStandsForItsSite(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		for manufacturer, site := range map[string]int{"12": 1, "21": 2} {
			granted := w.stranger(t).grant("sandbox-group", url.Values{"manufacturer_id": {manufacturer}, "grant_type": {"client_credentials"}, "scope": {"x"}}).is(200)
			w.stranger(t).with(granted.text("access_token")).get("/site").is(200).equals("data.id", site)
		}
	})
}

func TestA8_ARefreshTokenIsExchangedAgainForAMinute(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.stranger(t)
		refresh := func(token string) answer {
			return c.form("/api/client/token/refresh", "sandbox-network", "sandbox-network-secret", url.Values{"refresh_token": {token}})
		}
		first := c.grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200)
		second := refresh(first.text("refresh_token")).is(200)
		c.with(first.text("access_token")).get("/site").is(200)
		again := refresh(first.text("refresh_token")).is(200) // the answer may have been lost
		c.with(again.text("access_token")).get("/site").is(200)
		c.with(second.text("access_token")).get("/site").is(200)
		third := refresh(second.text("refresh_token")).is(200)
		refresh(first.text("refresh_token")).refused(403, "invalid_grant")
		for _, pair := range []answer{first, second, again, third} {
			c.with(pair.text("access_token")).get("/site").refused(401, "unauthenticated")
			refresh(pair.text("refresh_token")).refused(403, "invalid_grant")
		}

		refresh("").refused(422, "required")
		refresh("garbage").refused(403, "invalid_grant")
		refresh(c.grant("sandbox-network", url.Values{"site_id": {"1"}}).text("access_token")).refused(403, "invalid_grant")
		others := c.grant("sandbox-rival", url.Values{"site_id": {"2"}}).is(200)
		refresh(others.text("refresh_token")).refused(403, "invalid_grant")
		c.form("/api/client/token/refresh", "sandbox-network", "wrong", url.Values{}).refused(401, "invalid_client")
	})
}

func TestA11_RevokedTokensEndAtOnce(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.stranger(t)
		revoke := func(client, token string) answer {
			return c.form("/api/client/token/revoke", client, client+"-secret", url.Values{"token": {token}})
		}
		one, two := c.grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200), c.grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200)
		c.with(one.text("access_token")).get("/site").is(200)
		revoke("sandbox-rival", one.text("access_token")).is(200)
		c.with(one.text("access_token")).get("/site").is(200)
		revoke("sandbox-network", one.text("access_token")).is(200)
		c.with(one.text("access_token")).get("/site").refused(401, "unauthenticated")
		c.with(two.text("access_token")).get("/site").is(200) // A12: tokens live side by side
		revoke("sandbox-network", two.text("refresh_token")).is(200)
		c.with(two.text("access_token")).get("/site").refused(401, "unauthenticated")
		revoke("sandbox-network", "unknown").is(200)
		c.form("/api/client/token/revoke", "", "", url.Values{"token": {"x"}}).refused(401, "invalid_client")
	})
}

func TestA9_TokensExpire(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, standingStill(time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)))
	c := w.network(t)
	w.clock.advance(time.Hour - time.Second)
	c.get("/site").is(200)
	w.clock.advance(time.Second)
	if got := c.get("/site").refused(401, "token_expired"); got.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
		t.Errorf("A14: %v", got.header)
	}
}

func TestA20_GuessingSecretsIsSlow(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, limited(0, 1, 3, "off"))
	c := w.stranger(t)
	for range 3 {
		c.form("/api/client/token/site", "sandbox-network", "guess", url.Values{"site_id": {"1"}}).refused(401, "invalid_client")
	}
	got := c.form("/api/client/token/site", "sandbox-network", "guess", url.Values{"site_id": {"1"}}).refused(429, "rate_limited")
	if seconds, err := strconv.Atoi(got.header.Get("Retry-After")); err != nil || seconds < 1 || seconds > 60 {
		t.Errorf("Retry-After is %q", got.header.Get("Retry-After"))
	}
	c.form("/api/client/token/site", "sandbox-network", "sandbox-network-secret", url.Values{"site_id": {"1"}}).is(200)
}

func TestS9_DiscoveryListsTheAgenciesInScope(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		for credential, want := range map[*client][]int{w.network(t): {11, 12}, w.rival(t): {21}, w.as(t, "sandbox-group", 2): {21}} {
			got := []int{}
			for _, record := range credential.get("/discovery").is(200).list("data") {
				got = append(got, int(record.(object)["agency_id"].(float64)))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		}
		w.network(t).get("/site").is(200).equals("data.manufacturers_list", list{11.0, 12.0}).equals("data.settings.default_status", "EnCours")
		w.as(t, "no-pack", 1).get("/discovery").is(200) // S3: any valid token
	})
}

func TestAG2_AgencyPagesAreLinked(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		first := c.get("/agencies?per_page=1").is(200).equals("data.0.id", 11).equals("meta.per_page", 1).
			equals("links.prev", nil).equals("links.first", nil).equals("links.last", nil).equals("meta.path", w.url+"/api/v2/site/agencies")
		second := c.get(first.text("links.next")).is(200).equals("data.0.id", 12).equals("links.next", nil).equals("meta.next_cursor", nil)
		back := c.get(second.text("links.prev")).is(200).equals("data.0.id", 11)
		c.get("/agencies?per_page=1&cursor="+url.QueryEscape(back.text("meta.next_cursor"))).is(200).equals("data.0.id", 12)
		c.get("/agencies").is(200).equals("meta.per_page", 50).equals("data.1.city", "Annecy")
		for _, query := range []string{"per_page=0", "per_page=201", "per_page=-1"} {
			c.get("/agencies?"+query).refused(422, "out_of_range", "per_page") // AG3
		}
		c.get("/agencies?per_page=200").is(200)
		c.get("/agencies?per_page=many").refused(422, "invalid_type", "per_page")
		c.get("/agencies?cursor=%21%21").refused(422, "invalid_cursor", "cursor")
		c.get("/agencies?unknown=1").is(200) // G6
	})
}

func TestAG4_OneAgencyInTwoForms(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		full := c.get("/agencies/11").is(200).equals("data.professional_card.mentions", list{"T", "G", "S"}).equals("data.users.0.id", 101)
		for _, u := range full.list("data.users") {
			if u.(object)["agency_id"] != 11.0 {
				t.Errorf("%v is not of this agency", u)
			}
		}
		for key, value := range c.get("/agencies/11?format=tag_document").is(200).at("data").(object) {
			if _, isText := value.(string); !isText {
				t.Errorf("AG5: %s is %T, want text", key, value)
			}
		}
		c.get("/agencies/11?format=other").refused(422, "invalid_format", "format")
		c.get(fmt.Sprintf("/agencies/%d", formerAgency)).refused(403, "resource_out_of_scope") // AG6
		for _, id := range []string{"21", "99", "0", "-1", "abc", "9223372036854775808"} {
			c.get("/agencies/"+id).refused(404, "not_found")
		}
	})
}

func TestC_CriteriaAndLists(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		all := c.get("/criterias/product/all").is(200).list("data")
		if got, want := len(all), len(sandbox().Sites[0].Criteria); got != want {
			t.Errorf("%d definitions, want %d (C3)", got, want)
		}
		position := 0.0
		for _, definition := range all {
			d := definition.(object)
			if d["position"].(float64) < position {
				t.Errorf("%v is out of order (C7)", d["key"])
			}
			position = d["position"].(float64)
			if _, found := d["values"]; found {
				t.Errorf("%v comes with its values (C3)", d["key"])
			}
			if d["is_active"] != (d["key"] != "Gardien") {
				t.Errorf("%v: is_active is %v", d["key"], d["is_active"])
			}
		}
		byKey, byID := c.get("/criterias/product/EtatGeneral").is(200), c.get("/criterias/product/29").is(200)
		if diff := cmp.Diff(byKey.at("data"), byID.at("data")); diff != "" {
			t.Errorf("C2: %s", diff)
		}
		byKey.equals("data.values.6", object{"id": 2907.0, "model": "HABITABLE", "label": "Habitable en l'état", "is_active": false})
		if got := len(c.get("/criterias/product/EtatGeneral/values").is(200).list("data")); got != 6 {
			t.Errorf("C5: %d active values", got)
		}
		for _, yes := range []string{"1", "true"} {
			if got := len(c.get("/criterias/product/EtatGeneral/values?include_inactive=" + yes).is(200).list("data")); got != 7 {
				t.Errorf("C5: %d values in all", got)
			}
		}
		c.get("/criterias/product/Prix/values").is(200).equals("data", list{}) // C4
		for _, unknown := range []string{"Rien", "999", "0", "TypeBien%00", "%ff"} {
			c.get("/criterias/product/"+unknown).refused(404, "not_found")
			c.get("/criterias/product/"+unknown+"/values").refused(404, "not_found")
		}
		for id, first := range map[int]string{1: "SEJOUR", 2: "N", 3: "DEGAGEE", 4: "PARQUET", 16: "MANDAT", 17: "ACCORD"} {
			c.get(fmt.Sprintf("/configs/listes/%d/values", id)).is(200).equals("data.0.model", first)
		}
		if got := len(c.get("/configs/listes").is(200).list("data")); got != 17 {
			t.Errorf("C9: %d lists", got)
		}
		for _, unknown := range []string{"99", "0", "-1", "abc", "9223372036854775808"} {
			c.get("/configs/listes/"+unknown+"/values").refused(404, "not_found") // C6
		}
	})
}

// cursor is the cursor behind a product, as the contract describes it.
func cursor(id int64) string {
	return base64.StdEncoding.EncodeToString([]byte(strconv.FormatInt(id, 10)))
}
