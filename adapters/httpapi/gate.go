package httpapi

import (
	"context"
	"net/http"
	"strings"

	kithttp "github.com/go-kit/kit/transport/http"
)

// gate admits only callers who are known, within their rate, and allowed by the
// rule of the operation. It runs before the decoder, so that nobody else learns
// what a request should look like.
func (s *server) gate(o operation, next kithttp.DecodeRequestFunc) kithttp.DecodeRequestFunc {
	return func(ctx context.Context, r *http.Request) (any, error) {
		x := exchangeOf(ctx)
		if o.Public {
			x.peer = s.opts.Peer(r)
			x.Header().Set("Cache-Control", "no-store")
		} else {
			if err := s.identify(ctx, x, r); err != nil {
				return nil, err
			}
			if err := s.limits.take(x, o); err != nil {
				return nil, err
			}
		}
		if err := o.Admit(x.caller); err != nil {
			return nil, err
		}
		if o.Compressed {
			x.encodings = r.Header.Values("Accept-Encoding")
		}
		if o.Method == http.MethodGet {
			x.noneMatch = r.Header.Values("If-None-Match")
		}
		if key := r.Header.Get("Idempotency-Key"); key != "" && o.Repeatable() {
			x.key, x.print = key, fingerprint(r)
		}
		return next(ctx, r)
	}
}

// identify finds the caller.
func (s *server) identify(ctx context.Context, x *exchange, r *http.Request) error {
	caller, err := s.who.Identify(ctx, bearer(r))
	if err != nil {
		return err
	}
	x.caller = caller
	return nil
}

// bearer is the token of the request, if it carries one.
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
