package e2e_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

func TestV1_V2_V3_W16_EveryFormat(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c := w.network(t)
		product := c.create(nil)
		// What the request looks like: its body, in which the changing parts are named.
		for format, want := range map[string]struct{ contentType, body string }{
			"default":  {"application/json", `{"event_type":"PRODUCT_UPDATE","resource_id":{id},"timestamp":"{at}"}`},
			"standard": {"application/json", `{"type":"product.update","timestamp":"{at}","data":{"id":{id},"resource_type":"product"}}`},
			"cloudevents": {"application/cloudevents+json", `{"specversion":"1.0","id":"{message}","source":"{base}","type":"product.update","subject":"{id}","resourcetype":"product","time":"{at}",` +
				`"datacontenttype":"application/json","data":{"event_type":"PRODUCT_UPDATE","resource_id":{id},"timestamp":"{at}"}}`},
			"reso": {"application/json", `{"@reso.context":"urn:reso:metadata:2.0:resource:entityevent",` +
				`"value":[{"EntityEventSequence":{sequence},"ResourceName":"Property","ResourceRecordKey":"{id}"}]}`},
		} {
			receiver := recording(t)
			h := c.subscribe(receiver.url, object{"format": format})
			c.reprice(product)
			got := receiver.next(0)
			sequence := c.lastEvent()
			at := c.get(fmt.Sprintf("/events?after=%d", sequence-1)).is(200).text("data.0.timestamp")
			body := strings.NewReplacer("{message}", fmt.Sprint("evt_1_", sequence), "{id}", fmt.Sprint(product), "{sequence}", fmt.Sprint(sequence),
				"{at}", at, "{base}", w.url+"/api/v2/site").Replace(want.body)
			if diff := cmp.Diff(body, got.body); diff != "" {
				t.Errorf("%s (-want +got):\n%s", format, diff)
			}
			if !json.Valid([]byte(got.body)) || got.header("Content-Type") != want.contentType {
				t.Errorf("%s comes as %s: %s", format, got.header("Content-Type"), got.body)
			}
			h.delete(h.path("")).is(204)
		}
	})
}

// The id that ACTION_CREATE carries is that of a product or of a customer.
func TestW16_StandardAndCloudEventsSayWhatAnActionIsAbout(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c := w.network(t)
		home, who := c.create(nil), c.prospect(11)
		receivers := map[string]*recorder{}
		var hooks []hook
		for _, format := range []string{"default", "standard", "cloudevents"} {
			receivers[format] = recording(t)
			hooks = append(hooks, c.subscribe(receivers[format].url, object{"format": format, "origines": list{"ACTION_CREATE"}}))
		}
		said := func(n int, id int64, kind string) {
			t.Helper()
			for format, want := range map[string]string{
				"default":     fmt.Sprintf(`{"event_type":"ACTION_CREATE","resource_id":%d,"timestamp":"`, id),
				"standard":    fmt.Sprintf(`"data":{"id":%d,"resource_type":%q}}`, id, kind),
				"cloudevents": fmt.Sprintf(`"subject":"%d","resourcetype":%q,`, id, kind),
			} {
				if got := receivers[format].next(n).body; !strings.Contains(got, want) || format == "default" && strings.Contains(got, kind) {
					t.Errorf("%s: %s\ndoes not say %s", format, got, want)
				}
			}
		}
		c.act(home, object{"action_id": visit})
		said(0, home, "product")
		c.actAbout(customerPath(who), who, object{"action_id": reminder})
		said(1, who, "customer")
		// What is sent again says the same.
		for _, h := range hooks {
			h.post(h.path("/replay"), object{"after_event_id": c.lastEvent() - 1}).is(202)
		}
		said(2, who, "customer")
	})
}

func TestW13_W36_W37_TheHeadersOfADelivery(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), recording(t)
		product := c.create(nil)
		custom := object{"x-aPI-kEY": "k-1", "X_snake": "s", "camelCase": "c", "Authorization": "custom", "Accept": "a/b"}
		h := c.subscribe(receiver.url, object{"headers": custom})
		h.get(h.path("")).is(200).equals("data.headers", custom)
		c.reprice(product)
		got := receiver.next(0)
		for name, value := range custom {
			if got.header(name) != value {
				t.Errorf("%s is %s", name, got.header(name))
			}
		}
		if id := fmt.Sprint("evt_1_", c.lastEvent()); got.header("webhook-id") != id || got.header("X-Event-Type") != "PRODUCT_UPDATE" ||
			got.header("X-Delivery-Attempt") != "1" || !strings.HasPrefix(got.header("User-Agent"), "Vitrine/") {
			t.Errorf("the headers are %q", got.lines)
		}
		for _, name := range []string{"webhook-id", "Webhook-Signature", "WEBHOOK-OWN", "content-TYPE", "Content-Length", "Host", "user-agent",
			"X-Request-Id", "x-event-type", "X-Delivery-Attempt", "Transfer-Encoding", "Connection", "proxy-authorization", "bad name", ""} {
			h.update(object{"headers": object{name: "mine"}}).refused(422, "invalid_header", strings.TrimSuffix("headers."+name, "."))
		}
		for _, value := range []string{"a\r\nHost: b", "a\nb", "a\x00b"} {
			if got := h.update(object{"headers": object{"X-A": value}}); got.status != 422 {
				t.Errorf("the value %q: %s", value, got)
			}
		}
	})
}

// tokenEndpoint grants tokens to client vitrine, and counts them.
func tokenEndpoint(t *testing.T, secret, token string) (url string, granted *atomic.Int64) {
	t.Helper()
	granted = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, given, _ := r.BasicAuth()
		if id != "vitrine" || given != secret || r.FormValue("grant_type") != "client_credentials" || r.FormValue("scope") != "hooks" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		granted.Add(1)
		fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":3600}`, token)
	}))
	t.Cleanup(s.Close)
	return s.URL, granted
}

func TestA18_WhatTheReceiverGetsOfEachAuthentication(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c := w.network(t)
		tokenURL, granted := tokenEndpoint(t, "client-secret", "granted-token")
		for _, auth := range []struct {
			fields, changed           object
			header, first, afterwards string
		}{
			{object{"type": "basic", "username": "vitrine", "password": "sésame:1"}, object{"password": "p2"}, "Authorization",
				"Basic " + base64.StdEncoding.EncodeToString([]byte("vitrine:sésame:1")), "Basic " + base64.StdEncoding.EncodeToString([]byte("vitrine:p2"))},
			{object{"type": "bearer", "token": "token-1"}, object{"token": "token-2"}, "Authorization", "Bearer token-1", "Bearer token-2"},
			{object{"type": "api_key", "header": "X-aPI-Key", "value": "v1"}, object{"value": "v2"}, "X-aPI-Key", "v1", "v2"},
			{object{"type": "oauth2_client_credentials", "token_url": tokenURL, "client_id": "vitrine", "client_secret": "client-secret", "scope": "hooks"},
				object{"name": "portal"}, "Authorization", "Bearer granted-token", "Bearer granted-token"},
		} {
			receiver := recording(t)
			product := c.create(nil)
			id := c.post("/hooks/auths", auth.fields).is(201).id("data.id")
			path := fmt.Sprint("/hooks/auths/", id)
			// It wins over a custom header of the same name, however that is spelt.
			h := c.subscribe(receiver.url, object{"auth_id": id, "headers": object{strings.ToUpper(auth.header): "custom"}})
			h.get(h.path("")).is(200).equals("data.auth_id", int(id))
			c.reprice(product)
			first := receiver.next(0)
			c.send("PUT", path, auth.changed).is(200)
			c.reprice(product)
			second := receiver.next(1)
			if first.header(auth.header) != auth.first || second.header(auth.header) != auth.afterwards {
				t.Errorf("%v: %q, then %q", auth.fields, first.lines, second.lines)
			}
			if strings.Contains(strings.Join(first.lines, "\n"), "custom") {
				t.Errorf("a custom header comes beside that of the authentication: %q", first.lines)
			}
			c.delete(path).refused(409, "conflict")
			h.update(object{"auth_id": nil}).is(200).equals("data.auth_id", nil)
			c.delete(path).is(204)
			c.get(path).refused(404, "not_found")
		}
		if granted.Load() != 1 {
			t.Errorf("%d tokens were obtained for two deliveries", granted.Load())
		}
	})
}

func TestA18_ConfigurationsAreReadWithoutTheirSecrets(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.post("/hooks/auths", object{"type": "basic", "name": "portal", "username": "u", "password": "never-shown"}).is(201).id("data.id")
		path := fmt.Sprint("/hooks/auths/", id)
		for _, got := range []answer{c.get(path), c.get("/hooks/auths"), c.send("PUT", path, object{"password": "never-shown-2"})} {
			if got.is(200); strings.Contains(string(got.body), "never-shown") {
				t.Errorf("a password is shown: %s", got)
			}
		}
		c.get(path).equals("data.name", "portal").equals("data.username", "u").equals("data.type", "basic")
		w.rival(t).get(path).refused(404, "not_found")
		w.rival(t).post("/hooks", object{"url": "https://portal.example/", "origines": list{"PRODUCT_UPDATE"}, "auth_id": id}).refused(422, "unknown_auth", "auth_id")
		for field, body := range map[string]object{
			"password":  {"type": "basic", "username": "u"},
			"token":     {"type": "bearer"},
			"header":    {"type": "api_key", "header": "webhook-id", "value": "v"},
			"token_url": {"type": "oauth2_client_credentials", "token_url": "http://10.0.0.1/", "client_id": "c", "client_secret": "s"},
			"type":      {"type": "kerberos"},
		} {
			c.post("/hooks/auths", body).is(422).equals("error.details.0.field", field)
		}
		c.send("PUT", path, object{"type": "bearer", "token": "t"}).refused(422, "invalid_format", "type")
		c.delete(path).is(204)
	})
}

// standard are the headers of a request as the libraries of Standard Webhooks
// read them.
func (r recorded) standard() http.Header {
	h := http.Header{}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		h[textproto.CanonicalMIMEHeaderKey(name)] = []string{r.header(name)}
	}
	return h
}

func TestW36_WhatArrivesVerifiesWithTheStandardLibrary(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), recording(t, answering(500, "again"))
		product := c.create(nil)
		auth := c.post("/hooks/auths", object{"type": "ed25519"}).is(201).id("data.id")
		h := c.subscribe(receiver.url, object{"auth_id": auth})
		verifies := func(got recorded, secrets ...string) {
			t.Helper()
			for _, secret := range secrets {
				library, err := standardwebhooks.NewWebhook(secret)
				if err != nil {
					t.Fatal(err)
				}
				if err := library.Verify([]byte(got.body), got.standard()); err != nil {
					t.Errorf("with %d secrets: %v in %q", len(secrets), err, got.lines)
				}
			}
		}
		first := h.get(h.path("/secret")).is(200).text("data.secret")
		c.reprice(product)
		for _, got := range receiver.waitFor(2) {
			verifies(got, first)
		}
		second := h.post(h.path("/secret/rotate"), nil).is(200).text("data.secret")
		c.reprice(product)
		got := receiver.next(2)
		verifies(got, first, second)

		// The third signature is that of the key pair.
		signatures := strings.Fields(got.header("webhook-signature"))
		public, _ := base64.StdEncoding.DecodeString(c.get(fmt.Sprint("/hooks/auths/", auth)).is(200).text("data.public_key"))
		raw, found := strings.CutPrefix(signatures[len(signatures)-1], "v1a,")
		signature, _ := base64.StdEncoding.DecodeString(raw)
		signed := got.header("webhook-id") + "." + got.header("webhook-timestamp") + "." + got.body
		if len(signatures) != 3 || !found || !ed25519.Verify(public, []byte(signed), signature) {
			t.Errorf("the signatures are %q", signatures)
		}
	})
}

func TestW36_TheOldSecretSignsForADay(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, deliveringTo("127.0.0.0/8:*"), standingStill(time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)))
	receiver := recording(t)
	h := w.network(t).subscribe(receiver.url, nil)
	first := h.get(h.path("/secret")).is(200).text("data.secret")
	second := h.post(h.path("/secret/rotate"), nil).is(200).text("data.secret")
	for i, step := range []struct {
		wait time.Duration
		want []string
	}{{0, []string{second, first}}, {24*time.Hour - time.Second, []string{second, first}}, {time.Second, []string{second}}} {
		w.clock.advance(step.wait)
		w.network(t).with(w.stranger(t).grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200).text("access_token")).post(h.path("/test"), nil).is(202)
		got := receiver.next(i)
		var want []string
		for _, secret := range step.want {
			one, err := webhook.Secret(secret).Sign(got.header("webhook-id"), w.clock.now(), []byte(got.body))
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, one)
		}
		if !slices.Equal(strings.Fields(got.header("webhook-signature")), want) {
			t.Errorf("after %s the signatures are %s", step.wait, got.header("webhook-signature"))
		}
		if i == 0 { // the clock must not go past the lease while a result is on its way to the store
			h.came("succeeded")
		}
	}
}
