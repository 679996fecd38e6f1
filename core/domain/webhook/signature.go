package webhook

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Secret signs deliveries as the Standard Webhooks specification says. It is
// written whsec_ and base64.
type Secret string

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
	// minSecretBytes is the least the specification lets a secret have.
	minSecretBytes = 24
)

// NewSecret draws a secret from random.
func NewSecret(random io.Reader) (Secret, error) {
	raw := make([]byte, secretBytes)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", fmt.Errorf("drawing a signing secret: %w", err)
	}
	return Secret(secretPrefix + base64.StdEncoding.EncodeToString(raw)), nil
}

func (s Secret) key() ([]byte, error) {
	text, ok := strings.CutPrefix(string(s), secretPrefix)
	if !ok {
		return nil, fmt.Errorf("a signing secret begins with %s", secretPrefix)
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) < minSecretBytes {
		return nil, fmt.Errorf("a signing secret is %s and at least %d bytes in base64", secretPrefix, minSecretBytes)
	}
	return key, nil
}

// Sign returns the signature of one attempt: v1, and an HMAC over the message id,
// the moment in seconds, and the body.
func (s Secret) Sign(message string, at time.Time, body []byte) (string, error) {
	key, err := s.key()
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.", message, at.Unix())
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}

// Signed are the headers that let a receiver verify a delivery.
type Signed struct {
	ID        string // webhook-id
	Timestamp string // webhook-timestamp, in seconds
	Signature string // webhook-signature, one or more separated by spaces
}

// Tolerance is how far the clocks of sender and receiver may differ.
const Tolerance = 5 * time.Minute

// Verify checks a delivery that was received now, or says what is wrong with
// it. Any one of several signatures, as there are while a secret is rotated,
// will do.
func (s Secret) Verify(h Signed, body []byte, now time.Time) error {
	seconds, err := strconv.ParseInt(h.Timestamp, 10, 64)
	if err != nil || h.ID == "" {
		return fmt.Errorf("the webhook-id or webhook-timestamp header is missing or malformed")
	}
	at := time.Unix(seconds, 0)
	if at.Before(now.Add(-Tolerance)) || at.After(now.Add(Tolerance)) {
		return fmt.Errorf("the webhook-timestamp %s is more than %s away", at.UTC().Format(time.RFC3339), Tolerance)
	}
	want, err := s.Sign(h.ID, at, body)
	if err != nil {
		return err
	}
	for _, signature := range strings.Fields(h.Signature) {
		if hmac.Equal([]byte(signature), []byte(want)) {
			return nil
		}
	}
	return fmt.Errorf("no signature matches")
}

// NewEd25519 draws a key pair for signatures of the kind v1a, both keys in
// base64.
func NewEd25519(random io.Reader) (private, public string, err error) {
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(random, seed); err != nil {
		return "", "", fmt.Errorf("drawing a signing key: %w", err)
	}
	key := ed25519.NewKeyFromSeed(seed)
	public = base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
	return base64.StdEncoding.EncodeToString(seed), public, nil
}

func signEd25519(private, message string, at time.Time, body []byte) (string, error) {
	seed, err := base64.StdEncoding.DecodeString(private)
	if err != nil || len(seed) != ed25519.SeedSize {
		return "", fmt.Errorf("the signing key is damaged")
	}
	signed := fmt.Appendf(nil, "%s.%d.%s", message, at.Unix(), body)
	return "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(ed25519.NewKeyFromSeed(seed), signed)), nil
}
