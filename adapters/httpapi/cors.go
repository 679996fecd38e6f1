package httpapi

import (
	"net/http"
	"slices"
)

// allowOrigin lets the pages of the configured origins read the answer. There
// are no cookies, so nothing else is granted.
func (s *server) allowOrigin(header http.Header, r *http.Request) {
	if len(s.opts.CORSOrigins) == 0 {
		return
	}
	header.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" || !slices.Contains(s.opts.CORSOrigins, origin) && !slices.Contains(s.opts.CORSOrigins, "*") {
		return
	}
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Expose-Headers", "X-Request-Id, X-Contract-Version, X-Ignored-Fields, X-Pagination-Mode, "+
		"X-Polling-Warning, X-Picture-Id, Deprecation, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After")
	if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
		header.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
		header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Api-Key, X-Request-Id")
		header.Set("Access-Control-Max-Age", "600")
	}
}
