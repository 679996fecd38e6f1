package httpapi

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/usecase/requests"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// recorder is told of every request that was answered. It never waits.
type recorder interface {
	// Seen counts a request, and reports for how many such as this one it is to be
	// kept; 0 when it is not.
	Seen(requests.Seen) int
	// Record keeps a request.
	Record(trace.Request)
}

// keeping says what is kept of requests to one operation, planned once at start-up.
type keeping struct {
	// writes: a request can have an effect, so that its bodies are kept.
	writes bool
	// creates: what it creates is a customer.
	creates              bool
	query, sent, answers *trace.Plan
}

func newKeeping(o operation) *keeping {
	return &keeping{
		writes: o.Writes(), creates: o.Method == http.MethodPost && o.Path == customersPath,
		query: trace.QueryPlan(o.In), sent: trace.BodyPlan(o.In), answers: trace.BodyPlan(o.Out),
	}
}

// How paths name customers.
const (
	customersPath     = "/customers"
	customerParameter = "customerId"
)

// maxAnswer is how long an answer may be of which a part is kept. Of longer ones the
// length is.
const maxAnswer = 64 << 10

// keepAnswer remembers the answer to a write, if there is somebody to keep it.
func (x *exchange) keepAnswer(body []byte) {
	if !x.keeps || !x.keeping.writes || len(body) == 0 {
		return
	}
	if len(body) > maxAnswer {
		x.tooLong = len(body)
		return
	}
	x.answer = bytes.Clone(body)
}

// record tells the recorder of a request that was answered.
func (o *observer) record(x *exchange, r *http.Request, start time.Time, took time.Duration, status int) {
	if o.recorder == nil {
		return
	}
	class := trace.Class(status)
	by := x.credential(class)
	seen := requests.Seen{
		Kind: trace.Kind{Site: x.caller.Grant.Site, Operation: x.op, Credential: cmp.Or(by, x.claimed), Class: class},
		ID:   x.id, At: start, Took: took, Deprecated: x.deprecated, Important: class > 3 || x.keeping != nil && x.keeping.writes,
	}
	oneIn := o.recorder.Seen(seen)
	if oneIn == 0 {
		return
	}
	kept := trace.Request{
		ID: x.id, Site: seen.Site, At: start.UTC().Truncate(time.Microsecond), ClientID: bounded(r.Header.Get("X-Request-Id")), Operation: x.op, Method: r.Method,
		Credential: by, Claimed: x.claimed, UnknownClient: x.unknownClient(), Status: status, Code: x.code, Took: took, Bytes: int64(x.bytes), Peer: o.peer(r), Agent: bounded(r.UserAgent()),
		Deprecated: x.deprecated, OneIn: oneIn,
	}
	x.redact(&kept, r, seen.Important)
	o.recorder.Record(kept)
}

// credential returns the client who is certain to have sent the request, if there is one.
func (x *exchange) credential(class int) access.CredentialID {
	if x.caller.Grant.Site == 0 && class == 2 {
		return access.CredentialID(x.client)
	}
	return x.caller.Grant.Credential
}

// unknownClient returns the client id that was sent, if there is no such client, as it is shown.
func (x *exchange) unknownClient() string {
	if x.claimed != access.UnknownClient || x.client == "" {
		return ""
	}
	return trace.ShownClientID(x.client)
}

// claims keeps whom a request that is refused says it is from.
func (x *exchange) claims(err error) {
	if c, ok := errors.AsType[tokens.Claimed](err); ok {
		x.claimed = c.Credential
	}
}

// redact fills in what is kept of path, query and bodies.
func (x *exchange) redact(kept *trace.Request, r *http.Request, bodies bool) {
	w := x.redactor()
	kept.Path = w.path(x.path, x.vars)
	if x.keeping != nil && x.caller.Site.SiteView != nil {
		kept.Query = w.query(x.keeping.query, r.URL.RawQuery)
		if bodies {
			kept.Sent, kept.Answered = x.sentBody(&w, r), x.answeredBody(&w)
		}
	}
	kept.Customers = w.customers
}

// sentBody returns what is kept of the body that was sent.
func (x *exchange) sentBody(w *redactor, r *http.Request) string {
	switch {
	case x.sent != nil:
		return w.body(x.sent, x.keeping.sent)
	case len(x.body) > 0:
		return trace.Hidden("no JSON", len(x.body))
	case strings.HasPrefix(mediaType(r), "multipart/"):
		return trace.Hidden("form", int(max(r.ContentLength, 0)))
	}
	return ""
}

// answeredBody returns what is kept of the body that was answered.
func (x *exchange) answeredBody(w *redactor) string {
	switch {
	case x.refusal != nil:
		return w.refusal(x.refusal.Code, x.refusal.Message, x.refusals(w))
	case x.tooLong > 0:
		return trace.Hidden("answer", x.tooLong)
	case x.answer == nil:
		return ""
	}
	answer, err := parseJSON(x.answer)
	if err != nil {
		return trace.Hidden("no JSON", len(x.answer))
	}
	if x.keeping.creates {
		w.created(answer)
	}
	return w.body(answer, x.keeping.answers)
}

// refusals returns what may be shown of the details of the error that was answered, in the request
// log and in the log of the server.
func (x *exchange) refusals(w *redactor) []trace.Refusal {
	if x.shown == nil && x.refusal != nil && x.keeping != nil {
		x.shown = w.refused(x.refusal, x.keeping, x.sent)
	}
	return x.shown
}

// redactor returns a redactor of the request.
func (x *exchange) redactor() redactor {
	w := redactor{}
	if x.caller.Site.SiteView != nil {
		w.criteria = x.caller.Site.Dictionary
	}
	return w
}

// refused keeps the error that a request was refused with.
func (x *exchange) refused(known *fault.Error) {
	x.code, x.refusal, x.shown = known.Code, known, nil
}
