package openapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/swaggest/swgui/v5emb"
)

// Page is an interactive page about the document at a path, to be served at base
// and below. Its assets are embedded. Browsers are told to run nothing but these,
// to send nothing to other hosts, and not to show the page inside another one.
func Page(title, document, base string) http.Handler {
	assets := v5emb.New(title, document, base)
	page := rendered(assets, base)
	policy := contentPolicy(page)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Frame-Options", "DENY")
		if strings.TrimSuffix(r.URL.Path, "/") != base {
			assets.ServeHTTP(w, r)
			return
		}
		header.Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	})
}

// rendered is the page itself, which is the same for everybody.
func rendered(assets http.Handler, base string) []byte {
	var page buffer
	assets.ServeHTTP(&page, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: base}})
	return page.Bytes()
}

// buffer is a ResponseWriter that keeps the body.
type buffer struct{ bytes.Buffer }

// Header implements http.ResponseWriter.
func (*buffer) Header() http.Header { return http.Header{} }

// WriteHeader implements http.ResponseWriter.
func (*buffer) WriteHeader(int) {}

// inline are the scripts and styles that stand in the page. The others have a
// source of their own.
var inline = regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`)

// contentPolicy admits what stands in the page by its hash.
func contentPolicy(page []byte) string {
	sources := map[string]string{"script": "'self'", "style": "'self'"}
	for _, found := range inline.FindAllSubmatch(page, -1) {
		// Browsers read line ends as this before they hash.
		hash := sha256.Sum256(bytes.ReplaceAll(found[2], []byte("\r\n"), []byte("\n")))
		sources[string(found[1])] += " 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
	}
	return strings.Join([]string{
		"default-src 'none'", "script-src " + sources["script"], "style-src " + sources["style"], "img-src 'self' data:", "connect-src 'self'",
		"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
	}, "; ")
}
