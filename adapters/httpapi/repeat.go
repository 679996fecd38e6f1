package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"net/http"

	"github.com/go-kit/kit/endpoint"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// repeats remembers requests with an idempotency key.
type repeats interface {
	Once(ctx context.Context, c kernel.Caller, k kernel.IdempotencyKey) (kernel.Caller, error)
}

// fingerprint begins the fingerprint of a request that may be repeated: of its
// path and query. The reader of the body adds what is in it. What differs from
// one repetition to the next, such as the boundary of a multipart body, must be
// left out.
func fingerprint(r *http.Request) hash.Hash {
	h := sha256.New()
	_, _ = h.Write([]byte(r.URL.EscapedPath() + "?" + r.URL.RawQuery + "\n"))
	return h
}

// replay is an answer that was given before.
type replay string

// once lets a request with an idempotency key have its effect only once.
func (s *server) once(o operation, e *encoder) endpoint.Middleware {
	if s.repeats == nil || !o.Repeatable() {
		return pass
	}
	return func(next endpoint.Endpoint) endpoint.Endpoint {
		return func(ctx context.Context, in any) (out any, err error) {
			x := exchangeOf(ctx)
			switch len(x.keys) {
			case 0:
				return next(ctx, in)
			case 1:
			default:
				return nil, kernel.Invalid("Idempotency-Key", fault.CodeAmbiguousField, "Idempotency-Key is present more than once")
			}
			x.caller, err = s.repeats.Once(ctx, x.caller, kernel.IdempotencyKey{
				Operation: o.ID, Key: x.keys[0], Fingerprint: hex.EncodeToString(x.print.Sum(nil)),
				Encode: func(answer any) (string, error) { return e.keep(ctx, answer) },
			})
			if err == nil {
				out, err = next(ctx, in)
			}
			if answered, ok := errors.AsType[*kernel.Answered](err); ok {
				return replay(answered.Answer), nil
			}
			return out, err
		}
	}
}

// kept is the form in which an answer is kept. Its status is that of the
// operation.
type kept struct {
	Header map[string]string `json:"header,omitempty"`
	Body   string            `json:"body,omitempty"`
}

// keep turns an answer into the form in which it is kept.
func (e *encoder) keep(ctx context.Context, answer any) (string, error) {
	a, err := e.compose(ctx, answer)
	if err != nil {
		return "", err
	}
	defer reuse(a.body)
	text, err := json.Marshal(kept{a.header, a.body.String()})
	return string(text), err
}

// replay gives an answer once more.
func (e *encoder) replay(ctx context.Context, w http.ResponseWriter, answer replay) error {
	var k kept
	if err := json.Unmarshal([]byte(answer), &k); err != nil {
		return err
	}
	w.Header().Set("Idempotent-Replayed", "true")
	e.send(w, k.Header, []byte(k.Body))
	exchangeOf(ctx).keepAnswer([]byte(k.Body))
	return nil
}
