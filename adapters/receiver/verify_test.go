package receiver_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/vitrine-crm/vitrine/adapters/receiver"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

func secretOf(letter string) webhook.Secret {
	return webhook.Secret("whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, 32))))
}

// delivery is a request as the service composes it, signed now.
func delivery(t *testing.T, format webhook.Format, signing webhook.Signing) webhook.Request {
	t.Helper()
	c := webhook.Composition{
		Webhook: webhook.Webhook{Site: 1, ID: 7, URL: "http://127.0.0.1/", Format: format, Epoch: 1, Headers: map[string]string{"X-Api-Key": "k"}},
		Signing: signing, Base: "https://crm.example.org/api/v2/site", Agent: "Vitrine/1.2.3",
	}
	r, err := c.Request(webhook.Delivery{
		ID: 1, Site: 1, Hook: 7, Event: 1042, Message: "msg_1", Type: event.ProductUpdate, Resource: 508, At: time.Now(),
	}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func received(r webhook.Request) *http.Request {
	got := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(r.Body))
	for _, h := range r.Headers {
		got.Header.Set(h.Name, h.Value)
	}
	return got
}

func TestVerify(t *testing.T) {
	old, fresh, other := secretOf("o"), secretOf("f"), secretOf("x")
	rotated := webhook.Signing{Current: old}.Rotate(fresh, time.Now())
	for _, format := range webhook.Formats() {
		sent := delivery(t, format, rotated)
		for _, secrets := range [][]webhook.Secret{{old}, {fresh}, {other, old}, {fresh, other}, {"damaged", fresh}} {
			body, err := receiver.Verify(received(sent), secrets...)
			if err != nil || !bytes.Equal(body, sent.Body) {
				t.Errorf("%s with %v: %v", format, secrets, err)
			}
		}
		for _, secrets := range [][]webhook.Secret{nil, {other}, {"damaged"}, {""}} {
			if body, err := receiver.Verify(received(sent), secrets...); err == nil || body != nil {
				t.Errorf("%s is genuine to %v", format, secrets)
			}
		}
	}
}

func TestVerifyReadsWithinBounds(t *testing.T) {
	r := received(delivery(t, webhook.Default, webhook.Signing{Current: secretOf("k")}))
	r.Body = io.NopCloser(strings.NewReader(strings.Repeat("x", 2<<20)))
	if _, err := receiver.Verify(r, secretOf("k")); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a large body: %v", err)
	}
	broken := errors.New("broken")
	r.Body = io.NopCloser(iotest.ErrReader(broken))
	if _, err := receiver.Verify(r, secretOf("k")); !errors.Is(err, broken) {
		t.Errorf("a broken body: %v", err)
	}
}

// Deliveries verify with the library the specification's authors publish, so
// with theirs for other languages as well.
func TestW36_DeliveriesVerifyWithTheStandardLibrary(t *testing.T) {
	old, fresh := secretOf("o"), secretOf("f")
	rotated := webhook.Signing{Current: old}.Rotate(fresh, time.Now())
	for _, secret := range []webhook.Secret{old, fresh} {
		library, err := standardwebhooks.NewWebhook(string(secret))
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range webhook.Formats() {
			r := received(delivery(t, format, rotated))
			body, _ := io.ReadAll(r.Body)
			if err := library.Verify(body, r.Header); err != nil {
				t.Errorf("%s: %v", format, err)
			}
			if library.Verify(append(body, ' '), r.Header) == nil {
				t.Errorf("%s verifies although it was changed", format)
			}
		}
	}
	// And the other way round: what the library signs, Verify accepts.
	library, err := standardwebhooks.NewWebhook(string(fresh))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	signature, err := library.Sign("msg_2", now, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
	r.Header = http.Header{"Webhook-Id": {"msg_2"}, "Webhook-Timestamp": {fmt.Sprint(now.Unix())}, "Webhook-Signature": {signature}}
	if _, err := receiver.Verify(r, fresh); err != nil {
		t.Error(err)
	}
}

// offline is what npm says without a network.
var offline = regexp.MustCompile(`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT`)

const verifyInNode = `
const { Webhook } = require("standardwebhooks");
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
for (const { secret, headers, body } of input) {
  new Webhook(secret).verify(body, headers);
  try {
    new Webhook(secret).verify(body + " ", headers);
  } catch (e) {
    continue;
  }
  throw new Error("a changed body verifies");
}
console.log("verified " + input.length);
`

func TestW36_DeliveriesVerifyWithTheNodePackage(t *testing.T) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed")
	}
	dir := t.TempDir()
	install := exec.CommandContext(t.Context(), npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--fetch-retries=0",
		"--prefix", dir, "standardwebhooks@1.1.1")
	if out, err := install.CombinedOutput(); err != nil && offline.Match(out) {
		t.Skipf("npm cannot reach its registry, so the package for Node is not tried:\n%s", out)
	} else if err != nil {
		t.Fatalf("npm install: %v\n%s", err, out)
	}
	type signed struct {
		Secret  webhook.Secret    `json:"secret"`
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	}
	var all []signed
	old, fresh := secretOf("o"), secretOf("f")
	for _, format := range webhook.Formats() {
		r := delivery(t, format, webhook.Signing{Current: old}.Rotate(fresh, time.Now()))
		headers := map[string]string{}
		for _, h := range r.Headers {
			headers[h.Name] = h.Value
		}
		all = append(all, signed{old, headers, string(r.Body)}, signed{fresh, headers, string(r.Body)})
	}
	input, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "verify.js")
	if err := os.WriteFile(script, []byte(verifyInNode), 0o600); err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", script)
	node.Stdin = bytes.NewReader(input)
	if out, err := node.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "verified 8" {
		t.Errorf("node: %v\n%s", err, out)
	}
}
