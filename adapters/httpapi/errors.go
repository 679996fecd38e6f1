package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/internal/language"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Status returns the HTTP status a kind of fault is answered with.
func Status(k fault.Kind) int { return statusOf[k] }

// statusOf is the one translation of faults to HTTP.
var statusOf = [fault.Kinds]int{
	fault.Internal:        http.StatusInternalServerError,
	fault.Unrecognised:    http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.NotAllowed:      http.StatusMethodNotAllowed,
	fault.Conflict:        http.StatusConflict,
	fault.Stale:           http.StatusPreconditionFailed,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.Unsupported:     http.StatusUnsupportedMediaType,
	fault.Invalid:         http.StatusUnprocessableEntity,
	fault.Limited:         http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
	fault.Moved:           http.StatusPermanentRedirect,
	fault.Gone:            http.StatusGone,
}

// later is a fault with the time after which trying again makes sense.
type later struct {
	error
	after time.Duration
}

func (l later) Unwrap() error { return l.error }

// The waits of faults that do not say.
const (
	limitedWait     = time.Minute
	unavailableWait = 2 * time.Second
)

type errorBody struct {
	Error     errorObject `json:"error"`
	RequestID string      `json:"request_id"`
}

type errorObject struct {
	Code    fault.Code    `json:"code"`
	Message string        `json:"message"`
	Details []errorDetail `json:"details,omitempty"`
}

type errorDetail struct {
	Field    string     `json:"field"`
	Code     fault.Code `json:"code"`
	Message  string     `json:"message"`
	Value    any        `json:"value,omitempty"`
	Accepted []string   `json:"accepted_values,omitempty"`
}

// fail answers with an error. What made it is kept for the log: a client only
// sees what a fault.Error says for clients.
func (s *server) fail(ctx context.Context, err error, w http.ResponseWriter) {
	x := exchangeOf(ctx)
	known := told(err)
	x.refused(known)
	x.claims(err)
	if err.Error() != known.Message.String() {
		x.failure = err
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		x.gone, x.failure = true, nil
	}
	if x.status != 0 {
		return
	}
	header := w.Header()
	x.tellSpelling(header)
	tellRetry(header, known, err)
	if known.Elsewhere != "" {
		header.Set("Location", known.Elsewhere+x.url.RequestURI())
		header.Set("Cache-Control", "no-store") // it may come back
	}
	if known.Kind == fault.Unauthenticated {
		challenge := `Bearer error="invalid_token"`
		if s.tokenPaths[x.path] {
			challenge = `Basic realm="site"`
		}
		header.Set("WWW-Authenticate", challenge)
	}
	header.Add("Vary", "Accept-Language")
	in := language.Preferred(x.languages)
	if in == fault.French {
		header.Set("Content-Language", "fr")
	}
	send(w, statusOf[known.Kind], errorJSON(known, in, x.id))
}

// told returns the fault as the client sees it.
func told(err error) *fault.Error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.New(fault.Unavailable, fault.CodeUnavailable, "the request could not be answered in time")
	}
	known := fault.From(err)
	if known.Kind == fault.Internal || known.Kind >= fault.Kinds {
		return fault.New(fault.Internal, fault.CodeInternalError, "internal error; quote the request_id to support")
	}
	return known
}

func tellRetry(header http.Header, told *fault.Error, err error) {
	var wait time.Duration
	switch told.Kind {
	case fault.Limited:
		wait = limitedWait
	case fault.Unavailable:
		wait = unavailableWait
	default:
		return
	}
	if known, ok := errors.AsType[later](err); ok {
		wait = known.after
	} else if told.Wait > 0 {
		wait = told.Wait
	}
	header.Set("Retry-After", strconv.Itoa(seconds(wait)))
}

// seconds returns a wait in whole seconds, rounded up.
func seconds(wait time.Duration) int {
	return max(1, int((wait+time.Second-1)/time.Second))
}

func errorJSON(known *fault.Error, in fault.Language, id string) []byte {
	body := errorBody{Error: errorObject{Code: known.Code, Message: known.Message.In(in)}, RequestID: id}
	for _, d := range known.Details {
		body.Error.Details = append(body.Error.Details, errorDetail{
			Field: d.Field, Code: d.Code, Message: d.Message.In(in), Value: d.Value, Accepted: d.Accepted,
		})
	}
	var out bytes.Buffer
	if appendJSON(&out, body) != nil {
		// A value that JSON cannot show is not worth losing the error for.
		for i := range body.Error.Details {
			body.Error.Details[i].Value = nil
		}
		out.Reset()
		_ = appendJSON(&out, body)
	}
	return out.Bytes()
}

// appendJSON writes a value without the escapes that only HTML needs.
func appendJSON(out *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1)
	return nil
}

// send writes a whole JSON body.
func send(w http.ResponseWriter, status int, body []byte) {
	header := w.Header()
	header["Content-Type"] = jsonType
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

var jsonType = []string{"application/json"}
