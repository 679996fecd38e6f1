package httpapi

import (
	"context"
	"net/http"
	"strings"

	kithttp "github.com/go-kit/kit/transport/http"

	"github.com/vitrine-crm/vitrine/core/fault"
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
			if _, err := authorization(r); err != nil {
				return nil, err
			}
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
		if keys := r.Header.Values("Idempotency-Key"); len(keys) > 0 && o.Repeatable() {
			x.keys, x.print = keys, fingerprint(r)
		}
		return next(ctx, r)
	}
}

// identify finds the caller.
func (s *server) identify(ctx context.Context, x *exchange, r *http.Request) error {
	line, err := authorization(r)
	if err != nil {
		return err
	}
	caller, err := s.who.Identify(ctx, bearer(line))
	if err != nil {
		return err
	}
	x.caller = caller
	return nil
}

// authorization is the one Authorization line of a request, if it has any. With
// several, whatever stands before this server may have judged another one.
func authorization(r *http.Request) (string, error) {
	lines := r.Header.Values("Authorization")
	switch len(lines) {
	case 0:
		return "", nil
	case 1:
		return lines[0], nil
	}
	return "", fault.New(fault.Unauthenticated, fault.CodeAmbiguousCredentials, "a request has one Authorization line, not %d", len(lines))
}

// bearer is the token that an Authorization line carries, if it does.
func bearer(line string) string {
	scheme, token, _ := strings.Cut(line, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
