package webhook_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

func composition() webhook.Composition {
	return webhook.Composition{Webhook: active(), Signing: webhook.Signing{Current: secret}, Base: base, Agent: "Vitrine/1.2.3"}
}

func compose(t *testing.T, c webhook.Composition, d webhook.Delivery) webhook.Request {
	t.Helper()
	r, err := c.Request(d, noon)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// header is the value of a header that must be there once, in any case.
func header(t *testing.T, r webhook.Request, name string) string {
	t.Helper()
	var values []string
	for _, h := range r.Headers {
		if strings.EqualFold(h.Name, name) {
			values = append(values, h.Value)
		}
	}
	if len(values) != 1 {
		t.Fatalf("%s comes %d times: %v", name, len(values), values)
	}
	return values[0]
}

func TestW36_W37_HeadersOfEveryDelivery(t *testing.T) {
	d := update()
	d.Number = 2
	r := compose(t, composition(), d)
	signature, err := secret.Sign("msg_1", noon, r.Body)
	if err != nil {
		t.Fatal(err)
	}
	want := []webhook.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "User-Agent", Value: "Vitrine/1.2.3"},
		{Name: "webhook-id", Value: "msg_1"},
		{Name: "webhook-timestamp", Value: fmt.Sprint(noon.Unix())},
		{Name: "webhook-signature", Value: signature},
		{Name: "X-Event-Type", Value: "PRODUCT_UPDATE"},
		{Name: "X-Delivery-Attempt", Value: "3"},
	}
	if diff := cmp.Diff(want, r.Headers); diff != "" {
		t.Error(diff)
	}
	if r.URL != "https://portal.example/hook" || r.Hook != 7 || r.Site != 1 || r.Epoch != 3 || r.OAuth2 != nil {
		t.Errorf("the request is %+v", r)
	}
	if err := secret.Verify(webhook.Signed{ID: "msg_1", Timestamp: want[3].Value, Signature: signature}, r.Body, noon); err != nil {
		t.Error(err)
	}
}

func TestW30_ARetryUsesThePresentConfiguration(t *testing.T) {
	c := composition()
	c.Webhook = c.Webhook.Reconfigured(noon)
	c.Webhook.URL, c.Webhook.Format = "https://corrected.example/", webhook.CloudEvents
	r := compose(t, c, update())
	if r.URL != "https://corrected.example/" || r.Epoch != 4 || header(t, r, "content-type") != "application/cloudevents+json" {
		t.Errorf("the request is %+v", r)
	}
}

func TestW33_TheMessageIDStaysWhileTimestampAndAttemptMove(t *testing.T) {
	first := compose(t, composition(), update())
	again := update()
	again.Number = 1
	later, err := composition().Request(again, noon.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	for name, same := range map[string]bool{
		"webhook-id": true, "webhook-timestamp": false, "webhook-signature": false, "x-delivery-attempt": false,
	} {
		if (header(t, first, name) == header(t, later, name)) != same {
			t.Errorf("%s goes from %s to %s", name, header(t, first, name), header(t, later, name))
		}
	}
}

func TestW13_CustomHeadersComeAsTheyWereGiven(t *testing.T) {
	c := composition()
	c.Webhook.Headers = map[string]string{"x-api-KEY": "k1", "X_Portal": "42", "content-type": "text/plain", "Webhook-ID": "forged"}
	r := compose(t, c, update())
	custom := r.Headers[7:]
	if diff := cmp.Diff([]webhook.Header{{Name: "X_Portal", Value: "42"}, {Name: "x-api-KEY", Value: "k1"}}, custom); diff != "" {
		t.Error(diff)
	}
	if header(t, r, "content-type") != "application/json" || header(t, r, "webhook-id") != "msg_1" {
		t.Error("custom headers overrule those of the delivery")
	}
}

func TestA18_Authentication(t *testing.T) {
	custom := map[string]string{"authorization": "mine", "x-api-key": "mine"}
	for name, c := range map[string]struct {
		auth         webhook.Auth
		header, want string
	}{
		"basic": {webhook.Auth{Type: webhook.AuthBasic, Username: "jo", Secret: "p:é"}, "authorization",
			"Basic " + base64.StdEncoding.EncodeToString([]byte("jo:p:é"))},
		"bearer":  {webhook.Auth{Type: webhook.AuthBearer, Secret: "t0ken"}, "authorization", "Bearer t0ken"},
		"api key": {webhook.Auth{Type: webhook.AuthAPIKey, Header: "X-API-Key", Secret: "k"}, "x-api-key", "k"},
		"an api key in a header of ours is not sent": {
			webhook.Auth{Type: webhook.AuthAPIKey, Header: "User-agent", Secret: "k"}, "user-agent", "Vitrine/1.2.3"},
		"oauth2 leaves the token to the sender": {webhook.Auth{Type: webhook.AuthOAuth2, Secret: "s"}, "authorization", "mine"},
	} {
		t.Run(name, func(t *testing.T) {
			with := composition()
			with.Webhook.Headers, with.Auth = custom, &c.auth
			r := compose(t, with, update())
			if got := header(t, r, c.header); got != c.want {
				t.Errorf("%s is %q, not %q", c.header, got, c.want)
			}
			if (r.OAuth2 != nil) != (c.auth.Type == webhook.AuthOAuth2) {
				t.Errorf("the client to obtain a token for is %v", r.OAuth2)
			}
		})
	}
}

// What a receiver could repeat to us, and must not be kept: nothing so short that
// it would be found everywhere, and nothing that never travels.
func TestW14_TheSecretsOfARequest(t *testing.T) {
	for name, c := range map[string]struct {
		auth *webhook.Auth
		want []string
	}{
		"none":    {nil, nil},
		"basic":   {&webhook.Auth{Type: webhook.AuthBasic, Username: "jo", Secret: "password"}, []string{"password", "am86cGFzc3dvcmQ="}},
		"bearer":  {&webhook.Auth{Type: webhook.AuthBearer, Secret: "a-token-"}, []string{"a-token-", "Bearer a-token-"}},
		"api key": {&webhook.Auth{Type: webhook.AuthAPIKey, Header: "X-Key", Secret: "the-value"}, []string{"the-value", "the-value"}},
		"oauth2":  {&webhook.Auth{Type: webhook.AuthOAuth2, ClientID: "client-id", Secret: "client-secret"}, []string{"client-secret"}},
		"short":   {&webhook.Auth{Type: webhook.AuthAPIKey, Header: "X-Key", Secret: "v"}, nil},
	} {
		composed := composition()
		composed.Webhook.Headers = map[string]string{"X-Portal": "portal-key", "X-Env": "test"}
		composed.Auth = c.auth
		if diff := cmp.Diff(append([]string{"portal-key"}, c.want...), compose(t, composed, update()).Secrets); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What a URL holds beside the host may be secret too, as a whole and in parts.
func TestW14_TheSecretsOfAURL(t *testing.T) {
	for address, want := range map[string][]string{
		"https://portal.example":                  {},
		"https://portal.example/in?k=v":           {},
		"https://portal.example/webhooks?k=v":     {"/webhooks", "/webhooks"},
		"https://portal.example/in?key=a%20key!!": {"key=a%20key!!"},
		"https://portal.example/T0/abcdefghijklmnop?token=canary-7f3a": {
			"/T0/abcdefghijklmnop", "/T0/abcdefghijklmnop", "token=canary-7f3a", "canary-7f3a", "abcdefghijklmnop",
		},
	} {
		composed := composition()
		composed.Webhook.Headers, composed.Webhook.URL = nil, address
		if diff := cmp.Diff(want, compose(t, composed, update()).Secrets); diff != "" {
			t.Errorf("%s (-want +got):\n%s", address, diff)
		}
	}
}

func TestA18_Ed25519SignsBesideTheSecret(t *testing.T) {
	private, public, err := webhook.NewEd25519(strings.NewReader(strings.Repeat("seed", 8)))
	if err != nil {
		t.Fatal(err)
	}
	c := composition()
	c.Auth = &webhook.Auth{Type: webhook.AuthEd25519, Secret: private, PublicKey: public}
	r := compose(t, c, update())
	parts := strings.Split(header(t, r, "webhook-signature"), " ")
	if len(parts) != 2 || !strings.HasPrefix(parts[0], "v1,") || !strings.HasPrefix(parts[1], "v1a,") {
		t.Fatalf("the signatures are %v", parts)
	}
	key, _ := base64.StdEncoding.DecodeString(public)
	signature, _ := base64.StdEncoding.DecodeString(parts[1][len("v1a,"):])
	if !ed25519.Verify(key, fmt.Appendf(nil, "msg_1.%d.%s", noon.Unix(), r.Body), signature) {
		t.Error("the public key does not verify the signature")
	}
	c.Auth.Secret = "damaged"
	if _, err := c.Request(update(), noon); err == nil {
		t.Error("a damaged key signs")
	}
}

func TestW36_BothSecretsSignAfterARotation(t *testing.T) {
	fresh := webhook.Secret("whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("n", 32))))
	c := composition()
	c.Signing = c.Signing.Rotate(fresh, noon.Add(-time.Hour))
	r := compose(t, c, update())
	h := webhook.Signed{ID: "msg_1", Timestamp: header(t, r, "webhook-timestamp"), Signature: header(t, r, "webhook-signature")}
	for _, s := range []webhook.Secret{fresh, secret} {
		if err := s.Verify(h, r.Body, noon); err != nil {
			t.Error(err)
		}
	}
	c.Signing.Current = "damaged"
	if _, err := c.Request(update(), noon); err == nil {
		t.Error("a damaged secret signs")
	}
}

func TestA18_TypesOfAuthentication(t *testing.T) {
	want := []webhook.AuthType{"basic", "bearer", "api_key", "oauth2_client_credentials", "ed25519"}
	if !slices.Equal(webhook.AuthTypes(), want) {
		t.Errorf("the types are %v", webhook.AuthTypes())
	}
}
