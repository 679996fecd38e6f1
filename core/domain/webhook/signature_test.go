package webhook_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

const secret webhook.Secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// The vectors were computed by the reference library in Go and checked with
// `openssl dgst -sha256 -hmac`; the first is the one the specification's
// libraries test themselves with.
func TestW36_SignatureVectors(t *testing.T) {
	for _, c := range []struct {
		secret  webhook.Secret
		message string
		at      int64
		body    string
		want    string
	}{
		{secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, `{"test": 2432232314}`,
			"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
		{"whsec_a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=", "msg_1", 1793620800,
			`{"event_type":"PRODUCT_UPDATE","resource_id":508,"timestamp":"2026-11-02T11:30:01.023Z"}`,
			"v1,4VpYcSMO5wdYwdc9IWNYLlMIwpL4qnOI4nrT8xYt51Q="},
		{"whsec_a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=", "msg_2", 0, "", "v1,a4BfhqmGcb1JsUafpm7MDXYjUxkJsWrQ6MIpkMLUoAI="},
		{"whsec_a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=", "msg_é", 1793620800, "\x00\xffété", "v1,VYfNAtxmmboSUyn+h+kXuX3alfa888UezOMYe4FwyFc="},
	} {
		got, err := c.secret.Sign(c.message, time.Unix(c.at, 0), []byte(c.body))
		if err != nil || got != c.want {
			t.Errorf("%s is signed %s (%v), not %s", c.message, got, err, c.want)
		}
	}
}

func signed(t *testing.T, s webhook.Secret, at time.Time, body string) webhook.Signed {
	t.Helper()
	signature, err := s.Sign("msg_1", at, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return webhook.Signed{ID: "msg_1", Timestamp: fmt.Sprint(at.Unix()), Signature: signature}
}

func TestVerify(t *testing.T) {
	const body = `{"event_type":"PRODUCT_UPDATE"}`
	good := signed(t, secret, noon, body)
	other := webhook.Secret("whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 32)))
	for name, c := range map[string]struct {
		change func(*webhook.Signed, *string, *time.Time)
		ok     bool
	}{
		"as it was sent":          {func(*webhook.Signed, *string, *time.Time) {}, true},
		"another body":            {func(_ *webhook.Signed, b *string, _ *time.Time) { *b += " " }, false},
		"another id":              {func(h *webhook.Signed, _ *string, _ *time.Time) { h.ID = "msg_2" }, false},
		"no id":                   {func(h *webhook.Signed, _ *string, _ *time.Time) { h.ID = "" }, false},
		"another timestamp":       {func(h *webhook.Signed, _ *string, _ *time.Time) { h.Timestamp = fmt.Sprint(noon.Unix() + 1) }, false},
		"no timestamp":            {func(h *webhook.Signed, _ *string, _ *time.Time) { h.Timestamp = "" }, false},
		"a timestamp in words":    {func(h *webhook.Signed, _ *string, _ *time.Time) { h.Timestamp = noon.Format(time.RFC3339) }, false},
		"a timestamp out of time": {func(h *webhook.Signed, _ *string, _ *time.Time) { h.Timestamp = "9223372036854775807" }, false},
		"no signature":            {func(h *webhook.Signed, _ *string, _ *time.Time) { h.Signature = "" }, false},
		"a signature cut short":   {func(h *webhook.Signed, _ *string, _ *time.Time) { h.Signature = h.Signature[:20] }, false},
		"another version":         {func(h *webhook.Signed, _ *string, _ *time.Time) { h.Signature = "v2" + h.Signature[2:] }, false},
		"among other signatures": {func(h *webhook.Signed, _ *string, _ *time.Time) {
			h.Signature = "v1a,AAAA " + signed(t, other, noon, body).Signature + " " + h.Signature
		}, true},
		"another secret":            {func(h *webhook.Signed, _ *string, _ *time.Time) { h.Signature = signed(t, other, noon, body).Signature }, false},
		"five minutes late":         {func(_ *webhook.Signed, _ *string, n *time.Time) { *n = n.Add(webhook.Tolerance) }, true},
		"more than that":            {func(_ *webhook.Signed, _ *string, n *time.Time) { *n = n.Add(webhook.Tolerance + 1) }, false},
		"five minutes early":        {func(_ *webhook.Signed, _ *string, n *time.Time) { *n = n.Add(-webhook.Tolerance) }, true},
		"more than that, the other": {func(_ *webhook.Signed, _ *string, n *time.Time) { *n = n.Add(-webhook.Tolerance - 1) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			h, text, now := good, body, noon
			c.change(&h, &text, &now)
			if err := secret.Verify(h, []byte(text), now); (err == nil) != c.ok {
				t.Errorf("verifying says %v", err)
			}
		})
	}
}

func TestWhatIsSignedVerifiesAndNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 64, 64).Draw(t, "random")
		own, err := webhook.NewSecret(bytes.NewReader(raw[:32]))
		if err != nil {
			t.Fatal(err)
		}
		body := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		id := rapid.StringMatching(`msg_[a-z0-9]{1,20}`).Draw(t, "id")
		signature, err := own.Sign(id, noon, body)
		if err != nil {
			t.Fatal(err)
		}
		h := webhook.Signed{ID: id, Timestamp: fmt.Sprint(noon.Unix()), Signature: signature}
		if err := own.Verify(h, body, noon); err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(raw[:32], raw[32:]) {
			return
		}
		stranger, err := webhook.NewSecret(bytes.NewReader(raw[32:]))
		if err != nil {
			t.Fatal(err)
		}
		if stranger.Verify(h, body, noon) == nil || own.Verify(h, append(body, 0), noon) == nil {
			t.Fatal("something else verifies as well")
		}
	})
}

func TestSecretsAreDrawnFromRandomness(t *testing.T) {
	got, err := webhook.NewSecret(strings.NewReader(strings.Repeat("k", 40)))
	if want := webhook.Secret("whsec_" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("k"), 32))); err != nil || got != want {
		t.Errorf("the secret is %s (%v)", got, err)
	}
	broken := errors.New("out of entropy")
	for _, random := range []io.Reader{strings.NewReader("short"), iotest.ErrReader(broken)} {
		if got, err := webhook.NewSecret(random); err == nil {
			t.Errorf("%s was drawn from nothing", got)
		}
		if _, _, err := webhook.NewEd25519(random); err == nil {
			t.Error("a key pair was drawn from nothing")
		}
	}
}

// An empty or short key would verify what anybody can forge.
func TestDamagedSecretsNeitherSignNorVerify(t *testing.T) {
	short := base64.StdEncoding.EncodeToString(make([]byte, 23))
	for _, s := range []webhook.Secret{"", "whsec_", "whsec_AAAA", "whsec_!", secret[6:], webhook.Secret("whsec_" + short)} {
		if _, err := s.Sign("msg_1", noon, nil); err == nil {
			t.Errorf("%q signs", s)
		}
		if s.Verify(signed(t, secret, noon, ""), nil, noon) == nil {
			t.Errorf("%q verifies", s)
		}
	}
}

func TestW36_ARotatedSecretSignsForADay(t *testing.T) {
	old := webhook.Signing{Current: "whsec_old"}
	rotated := old.Rotate("whsec_new", noon)
	for after, want := range map[time.Duration][]webhook.Secret{
		0:                             {"whsec_new", "whsec_old"},
		webhook.RotationPeriod - 1:    {"whsec_new", "whsec_old"},
		webhook.RotationPeriod:        {"whsec_new"},
		webhook.RotationPeriod * 1000: {"whsec_new"},
	} {
		if got := rotated.Valid(noon.Add(after)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s after the rotation %v sign, not %v", after, got, want)
		}
	}
	if got := old.Valid(noon); fmt.Sprint(got) != "[whsec_old]" {
		t.Errorf("without a rotation %v sign", got)
	}
	if twice := rotated.Rotate("whsec_newest", noon); fmt.Sprint(twice.Valid(noon)) != "[whsec_newest whsec_new]" {
		t.Errorf("after two rotations %v sign", twice.Valid(noon))
	}
}

func TestEd25519KeysAreAPair(t *testing.T) {
	private, public, err := webhook.NewEd25519(strings.NewReader(strings.Repeat("seed", 8)))
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := base64.StdEncoding.DecodeString(private)
	known, _ := base64.StdEncoding.DecodeString(public)
	if !bytes.Equal(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey), known) {
		t.Error("the public key is of another private key")
	}
}
