package kit

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"

	"github.com/vitrine-crm/vitrine/adapters/internal/look"
)

// newNonce draws what marks the scripts of one answer. It is URL-safe base64:
// html/template writes the + of the other alphabet as &#43;, which hx-csp does not
// know again when it reads an answer as text.
func newNonce(random io.Reader) (string, error) {
	raw := make([]byte, 18)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// secure sets what browsers are told about every answer of the console: to run
// nothing but its own scripts, to show it in no other page, to keep nothing.
func secure(header http.Header, nonce string) {
	look.Policy{Scripts: "'nonce-" + nonce + "'", Images: "data:", TrustedTypes: "htmx"}.Set(header)
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Permissions-Policy", "publickey-credentials-get=(self)")
	header.Set("Cache-Control", "no-store")
}

type nonceKey struct{}

func withNonce(ctx context.Context, nonce string) context.Context {
	return context.WithValue(ctx, nonceKey{}, nonce)
}

func nonceOf(ctx context.Context) string {
	nonce, _ := ctx.Value(nonceKey{}).(string)
	return nonce
}
