package console

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
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
	header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'nonce-"+nonce+"'; style-src 'self'; img-src 'self' data:; font-src 'self'; "+
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types htmx")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
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
