package httpapi

import (
	"context"
	"net/http"
	"strings"

	kithttp "github.com/go-kit/kit/transport/http"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// gate admits only callers who are known, within their rate, and allowed by the
// rule of the operation. It runs before the decoder, so that nobody else learns
// what a request should look like.
func (s *server) gate(o operation, next kithttp.DecodeRequestFunc) kithttp.DecodeRequestFunc {
	kept := newKeeping(o)
	return func(ctx context.Context, r *http.Request) (any, error) {
		x := exchangeOf(ctx)
		x.keeping, x.keeps = kept, s.recorder != nil
		if o.Public {
			x.peer = s.opts.Peer(r)
			x.Header().Set("Cache-Control", "no-store")
			if err := checkAmbiguous(r); err != nil {
				return nil, err
			}
		} else if err := s.admit(ctx, x, r, o); err != nil {
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

// admit finds the caller of an operation that is not public, within their rate, and lets them in.
func (s *server) admit(ctx context.Context, x *exchange, r *http.Request, o operation) error {
	if err := s.identify(ctx, x, r); err != nil {
		return err
	}
	if err := s.limits.take(x, o); err != nil {
		return err
	}
	return o.Admit(x.caller)
}

// keyHeader carries an API key.
const keyHeader = "X-Api-Key"

// identify finds the caller, by the one line that says who sends the request.
func (s *server) identify(ctx context.Context, x *exchange, r *http.Request) (err error) {
	if err := checkAmbiguous(r); err != nil {
		return err
	}
	if keys := r.Header.Values(keyHeader); len(keys) > 0 {
		x.caller, err = s.who.IdentifyKey(ctx, keys[0], address(s.opts.Peer(r)))
	} else {
		x.caller, err = s.who.Identify(ctx, bearer(r.Header.Get("Authorization")))
	}
	x.caller.Request = x.id
	return err
}

// checkAmbiguous refuses a request with several lines that say who sends it:
// whatever stands before this server may have judged another one.
func checkAmbiguous(r *http.Request) error {
	lines := len(r.Header.Values("Authorization")) + len(r.Header.Values(keyHeader))
	if lines < 2 {
		return nil
	}
	return fault.New(fault.Unauthenticated, fault.CodeAmbiguousCredentials, "a request has one line of Authorization or "+keyHeader+", not %d", lines)
}

// bearer returns the token that an Authorization line carries, if it does.
func bearer(line string) string {
	scheme, token, _ := strings.Cut(line, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
