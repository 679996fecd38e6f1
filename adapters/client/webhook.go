package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Delivery is what a webhook tells, once its signature is verified.
type Delivery struct {
	// ID is the same for each attempt, and for nothing else: a delivery may come more than once.
	ID string
	// SentAt is when it was signed.
	SentAt time.Time
	// Body is its JSON, in the format that the webhook has.
	Body []byte
}

// tolerance is how far the clocks of sender and receiver may be apart.
const tolerance = 5 * time.Minute

// Verify returns a delivery if one of the secrets signed it within the last five minutes. Secrets
// are as the API shows them, beginning with whsec_. Give the old one too while they are exchanged.
func Verify(header http.Header, body []byte, secrets ...string) (Delivery, error) {
	return verify(header, body, time.Now(), secrets)
}

func verify(header http.Header, body []byte, now time.Time, secrets []string) (Delivery, error) {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return Delivery{}, errors.New("client: the delivery has no webhook-id or webhook-timestamp")
	}
	at := time.Unix(seconds, 0)
	if distance := now.Sub(at).Abs(); distance > tolerance {
		return Delivery{}, fmt.Errorf("client: the delivery was signed %s from now", distance.Round(time.Second))
	}
	if len(secrets) == 0 {
		return Delivery{}, errors.New("client: there is no secret to verify the delivery with")
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			return Delivery{}, errors.New("client: a secret is not base64 after whsec_")
		}
		mac := hmac.New(sha256.New, key)
		_, _ = fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body) // never fails
		signed := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for signature := range strings.FieldsSeq(strings.Join(header.Values("webhook-signature"), " ")) {
			if hmac.Equal([]byte(signature), signed) {
				return Delivery{ID: id, SentAt: at, Body: body}, nil
			}
		}
	}
	return Delivery{}, errors.New("client: no secret signed the delivery")
}
