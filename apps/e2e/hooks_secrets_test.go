package e2e_test

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"
)

// spellings are a secret as it is, in hex, and in base64 wherever in a longer
// text it stands.
func spellings(secret string) []string {
	all := []string{secret, hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret)))}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		for before := range 3 {
			text := encoding.EncodeToString([]byte(strings.Repeat("x", before) + secret + "xxx"))
			// Only the characters that no neighbour has a part in.
			all = append(all, text[(before*8+5)/6:(before+len(secret))*8/6])
		}
	}
	return all
}

func TestSecretsAreFoundInAnySpelling(t *testing.T) {
	const secret = "canary-of-some-length"
	for _, text := range []string{
		secret, hex.EncodeToString([]byte("a" + secret + "b")), base64.StdEncoding.EncodeToString([]byte(secret)),
		base64.RawURLEncoding.EncodeToString([]byte("user:" + secret)), base64.StdEncoding.EncodeToString([]byte("key=" + secret + "&more")),
	} {
		if len(spelt(text, map[string]string{"it": secret})) != 1 {
			t.Errorf("it is not found in %s", text)
		}
	}
}

// spelt are the names of the secrets that a text holds.
func spelt(text string, secrets map[string]string) (found []string) {
	for name, secret := range secrets {
		for _, spelling := range spellings(secret) {
			if strings.Contains(text, spelling) {
				found = append(found, name)
				break
			}
		}
	}
	return found
}

// H9, H10, W14: what somebody finds who steals the database, reads the logs or looks
// at deliveries. The receivers do their worst and repeat all they were sent.
func TestW14_SecretsAreNowhereToBeFound(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		secrets := map[string]string{
			"header": "canary-header-8f14e45f", "password": "canary-password-c9f0f895", "bearer token": "canary-bearer-45c48cce",
			"API key": "canary-api-key-d3d94468", "oauth2 secret": "canary-oauth2-secret-6512bd43", "oauth2 token": "canary-oauth2-token-c20ad4d7",
			"client secret": "sandbox-network-secret", "query": "canary-query-aab32389", "query of the token URL": "canary-query-70efdf2e",
		}
		// Whoever reads a delivery may read the webhook, and may see its path.
		unshown := map[string]string{"path": "canary-path-3c59dc04", "path of the token URL": "canary-path-b6d767d2"}
		traces := collecting(t)
		p := servingWith(t, traces.variables(), database)
		granted := p.stranger(t).grant("sandbox-network", url.Values{"site_id": {"1"}}).is(200)
		secrets["access token"], secrets["refresh token"] = granted.text("access_token"), granted.text("refresh_token")
		c := p.stranger(t).with(granted.text("access_token"))

		tokenURL, _ := tokenEndpoint(t, secrets["oauth2 secret"], secrets["oauth2 token"])
		tokenURL += "/" + unshown["path of the token URL"] + "?key=" + secrets["query of the token URL"]
		receiver := recording(t)
		target := receiver.url + "/" + unshown["path"] + "?key=" + secrets["query"]
		var hooks []hook
		for kind, auth := range map[string]object{
			"basic": {"username": "vitrine", "password": secrets["password"]}, "bearer": {"token": secrets["bearer token"]},
			"api_key": {"header": "X-Key", "value": secrets["API key"]}, "ed25519": {},
			"oauth2_client_credentials": {"token_url": tokenURL, "client_id": "vitrine", "client_secret": secrets["oauth2 secret"], "scope": "hooks"},
		} {
			auth["type"] = kind
			id := c.post("/hooks/auths", auth).is(201).id("data.id")
			h := c.subscribe(target, object{"auth_id": id, "headers": object{"X-Portal": secrets["header"]}})
			secrets["signing secret of "+kind] = h.get(h.path("/secret")).is(200).text("data.secret")
			if kind == "basic" {
				secrets["new signing secret"] = h.post(h.path("/secret/rotate"), nil).is(200).text("data.secret")
			}
			receiver.answers = append(receiver.answers, echo)
			hooks = append(hooks, h)
		}
		for name, secret := range secrets {
			if raw, found := strings.CutPrefix(secret, "whsec_"); found {
				key, err := base64.StdEncoding.DecodeString(raw)
				if err != nil {
					t.Fatal(err)
				}
				secrets[name+", decoded"] = string(key)
			}
		}
		c.reprice(1)
		log := ""
		for _, h := range hooks {
			h.came("rejected")
			log += string(h.get(h.path("/deliveries")).is(200).body)
		}
		places := map[string]string{"the delivery log": log, "the database": content(t, database)}
		p.stop()
		places["the database of a server that has stopped"] = content(t, database)
		places["the log"] = p.log.String()
		places["the traces"] = traces.content()
		for where, text := range places {
			if found := spelt(text, secrets); len(found) > 0 {
				t.Errorf("%s holds %q", where, found)
			}
			if found := spelt(text, unshown); len(found) > 0 && where != "the delivery log" {
				t.Errorf("%s holds %q", where, found)
			}
			if text != "" && !strings.Contains(text, "PRODUCT_UPDATE") {
				t.Errorf("%s does not hold what it should", where)
			}
		}
	})
}
