package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

// exchange is one request on its way: it writes the answer and gathers what the
// log line and the headers say about it.
type exchange struct {
	http.ResponseWriter
	// id is the X-Request-Id.
	id string
	// op is the operation, or what else was asked for.
	op string
	// url is what was asked for.
	url *url.URL
	// path is the path as it is routed, with parameters in braces.
	path string
	// names are what the parameters of the path are, in their order, and then the
	// proof that the operation asks for.
	names  []string
	caller kernel.Caller
	// client is the client id of a token operation.
	client string
	// claimed is whom a request that was refused says it is from.
	claimed access.CredentialID
	// peer is who is at the other end, of a token operation.
	peer string
	// query and body are as they were sent.
	query string
	body  []byte
	// encodings is the Accept-Encoding of a request whose answer may be compressed.
	encodings []string
	// languages is the Accept-Language of the request.
	languages []string
	// guarded: the answer holds what must not be compressed.
	guarded bool
	// noneMatch is the If-None-Match of a read.
	noneMatch []string
	// keys are the Idempotency-Key of a request that may be repeated, print the
	// fingerprint of one that has it.
	keys  []string
	print hash.Hash
	// tag is that of the record in the answer, if it was known before the answer.
	tag string

	// leave gives back the place among the heavy requests, if it has one.
	leave func()

	// spooled are the files of the request.
	spooled []*os.File

	// ignored are names of fields that had no effect, deprecated those that are
	// deprecated.
	ignored, deprecated []string

	// keeping says what may be kept of the request, if its operation is known, and keeps whether
	// somebody keeps it; vars are the parameters of its path.
	keeping *keeping
	keeps   bool
	vars    map[string]string
	// sent is the body that was sent, refusal the error that was answered. answer is the
	// body of another answer, if it is kept, or tooLong its length.
	sent    *node
	refusal *fault.Error
	// shown is what may be shown of the refusal, once that was asked.
	shown   []trace.Refusal
	answer  []byte
	tooLong int

	// head: a body is counted, not sent.
	head    bool
	status  int
	bytes   int
	code    fault.Code
	failure error
	gone    bool
}

// WriteHeader implements http.ResponseWriter.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 {
		x.status = status
		x.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (x *exchange) Write(p []byte) (int, error) {
	if x.status == 0 {
		x.WriteHeader(http.StatusOK)
	}
	if x.head {
		return len(p), nil
	}
	n, err := x.ResponseWriter.Write(p)
	x.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController find what the server offers.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// observer tells how each request went: one line, one sample.
type observer struct {
	log     *slog.Logger
	seconds *prometheus.HistogramVec
	now     func() time.Time
	// recorder is nil when no requests are kept.
	recorder recorder
	peer     func(*http.Request) string
	// told is nil when nobody else wants to know.
	told Observer
}

func newObserver(opts Options) observer {
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "vitrine_http_request_seconds",
		Help:    "Time from a request to its answer, by operation and status.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"op", "code"})
	if opts.Registerer != nil {
		if err := opts.Registerer.Register(seconds); err != nil {
			var already prometheus.AlreadyRegisteredError
			if !errors.As(err, &already) {
				panic(err)
			}
			seconds = already.ExistingCollector.(*prometheus.HistogramVec)
		}
	}
	return observer{log: opts.Logger, seconds: seconds, now: opts.Now, peer: opts.Peer, told: opts.Observer}
}

// statusClientGone is what logs show when the client did not wait for the
// answer.
const statusClientGone = 499

// noOperation is the name of what is answered when there is no operation.
const noOperation = "none"

// seen returns the status as logs show it.
func (x *exchange) seen() int {
	switch {
	case x.gone:
		return statusClientGone
	case x.status == 0:
		return http.StatusOK
	}
	return x.status
}

// observe gives a request its id, answers when something panics, and logs how
// it went. It is outside the router, so that unknown routes are covered as
// well.
func (s *server) observe(w http.ResponseWriter, r *http.Request, next func(*exchange, *http.Request)) {
	start := s.now()
	x := &exchange{
		ResponseWriter: w, id: uuid.NewString(), op: noOperation, url: r.URL, head: r.Method == http.MethodHead,
		languages: r.Header.Values("Accept-Language"),
	}
	s.commonHeaders(w.Header(), x.id)
	if s.told != nil {
		within, end := s.told.Begin(r)
		defer func() { end(x.answered()) }()
		r = r.WithContext(within)
	}
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			s.fail(r.Context(), fmt.Errorf("panic: %v\n%s", p, debug.Stack()), x)
		}
		s.report(x, r, start, s.now().Sub(start))
	}()
	next(x, r)
}

func (o *observer) report(x *exchange, r *http.Request, start time.Time, took time.Duration) {
	status := x.seen()
	o.seconds.WithLabelValues(x.op, strconv.Itoa(status)).Observe(took.Seconds())
	o.record(x, r, start, took, status)
	level := slog.LevelInfo
	switch {
	case x.code == fault.CodeSiteMoving: // an operator moves it, and knows
		level = slog.LevelWarn
	case status >= 500:
		level = slog.LevelError
	}
	ctx := r.Context()
	if !o.log.Enabled(ctx, level) {
		return
	}
	path := x.path
	if path == "" {
		path = bounded(withoutFeed(r.URL.Path))
	}
	attrs := make([]slog.Attr, 0, 16)
	attrs = append(attrs,
		slog.String("request_id", x.id), slog.String("op", x.op), slog.String("method", r.Method), slog.String("path", path),
		slog.Int("status", status), slog.Float64("ms", float64(took.Microseconds())/1000), slog.Int("bytes", x.bytes))
	if x.caller.Grant.Site != 0 {
		attrs = append(attrs, slog.Int64("site", int64(x.caller.Grant.Site)))
	}
	if by := x.credential(trace.Class(status)); by != "" {
		attrs = append(attrs, slog.String("credential", string(by)))
	}
	if x.claimed != "" {
		attrs = append(attrs, slog.String("claimed", string(x.claimed)))
	}
	if id := x.unknownClient(); id != "" {
		attrs = append(attrs, slog.String("unknown_client", id))
	}
	if x.code != "" {
		attrs = append(attrs, slog.String("code", string(x.code)))
	}
	if shown := x.loggedRefusals(); shown != nil {
		attrs = append(attrs, slog.Any("details", shown))
	}
	if id := r.Header.Get("X-Request-Id"); id != "" {
		attrs = append(attrs, slog.String("client_request_id", bounded(id)))
	}
	if x.failure != nil {
		attrs = append(attrs, slog.String("error", x.failure.Error()))
	}
	o.log.LogAttrs(ctx, level, "request", attrs...)
}

// maxLogged is how many details of a refusal are logged.
const maxLogged = 5

// loggedRefusals returns the details of a refusal as JSON, nil if there are none.
func (x *exchange) loggedRefusals() json.RawMessage {
	if x.refusal == nil || len(x.refusal.Details) == 0 {
		return nil
	}
	w := x.redactor()
	shown := x.refusals(&w)
	if len(shown) == 0 {
		return nil
	}
	var out bytes.Buffer
	_ = appendJSON(&out, shown[:min(len(shown), maxLogged)]) // it has texts and numbers alone
	return out.Bytes()
}

// withoutFeed returns the path of no route without what may be the address of a calendar
// feed, mistyped: who knows that may read the feed.
func withoutFeed(path string) string {
	if before, _, found := strings.Cut(path, agenda.FeedsPath+"/"); found {
		return before + agenda.FeedsPath + "/…"
	}
	return path
}

// bounded keeps text that a client chose from filling the log.
func bounded(text string) string {
	const most = 128
	if len(text) > most {
		return text[:most]
	}
	return text
}
