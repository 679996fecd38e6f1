// Package receiver is for those who receive deliveries and have the core: Verify checks that one
// is genuine, as Verify of adapters/client does without it. Trial is a receiver to try things with.
package receiver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// maxBody is far more than a delivery has.
const maxBody = 1 << 20

// The headers of the Standard Webhooks specification.
const (
	headerID        = "webhook-id"
	headerTimestamp = "webhook-timestamp"
	headerSignature = "webhook-signature"
)

// Verify reads the body of a delivery and returns it if one of the secrets
// signed it within the last five minutes. Give it the old secret next to the new
// one while they are being exchanged.
//
// Deliveries come at least once: a webhook-id that was seen before is the same
// event again.
func Verify(r *http.Request, secrets ...webhook.Secret) ([]byte, error) {
	body, err := read(r)
	if err != nil {
		return nil, err
	}
	if err := verify(r.Header, body, time.Now(), secrets); err != nil {
		return nil, err
	}
	return body, nil
}

func read(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("reading the delivery: %w", err)
	}
	if len(body) > maxBody {
		return nil, errors.New("the delivery is too large")
	}
	return body, nil
}

func verify(h http.Header, body []byte, now time.Time, secrets []webhook.Secret) error {
	signed := webhook.Signed{
		ID: h.Get(headerID), Timestamp: h.Get(headerTimestamp), Signature: strings.Join(h.Values(headerSignature), " "),
	}
	err := errors.New("there is no secret to verify the delivery with")
	for _, secret := range secrets {
		if err = secret.Verify(signed, body, now); err == nil {
			return nil
		}
	}
	return err
}
