package traces

import (
	"context"
	"net/http"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Answer is how a request was answered.
type Answer struct {
	// ID is the id of the request that the client was told.
	ID string
	// Operation is the id of the operation, and Route its path with parameters in
	// braces; both are empty when there is none.
	Operation, Route string
	// Path is the path without anything that could be secret.
	Path   string
	Status int
	// Site and Credential are those of the caller, if one is known.
	Site       site.ID
	Credential access.CredentialID
	// Code is that of the error, if there is one.
	Code fault.Code
}

// Attributes that are the project's own.
const (
	requestKey    = attribute.Key("vitrine.request.id")
	siteKey       = attribute.Key("vitrine.site")
	credentialKey = attribute.Key("vitrine.credential")
	codeKey       = attribute.Key("vitrine.error.code")
)

// Request begins the span of a request, below that of the caller if the request has a
// traceparent. end ends it.
func (p *Provider) Request(r *http.Request) (within context.Context, end func(Answer)) {
	method := methodOf(r)
	caller := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	within, span := p.tracer.Start(caller, method.Value.AsString(), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(method, schemeOf(r)))
	return within, func(a Answer) {
		defer span.End()
		if !span.IsRecording() {
			return
		}
		if a.Operation != "" {
			span.SetName(a.Operation)
		}
		span.SetAttributes(a.attributes()...)
		if a.failed() {
			span.SetStatus(codes.Error, string(a.Code))
			span.SetAttributes(semconv.ErrorTypeKey.String(string(a.Code)))
		}
	}
}

// failed reports whether the server is at fault.
func (a Answer) failed() bool { return a.Status >= 500 || a.Code == fault.CodeInternalError }

func (a Answer) attributes() []attribute.KeyValue {
	all := []attribute.KeyValue{semconv.HTTPResponseStatusCode(a.Status), requestKey.String(a.ID)}
	if a.Route != "" {
		all = append(all, semconv.HTTPRoute(a.Route), semconv.URLPath(a.Path))
	}
	if a.Site != 0 {
		all = append(all, siteKey.Int64(int64(a.Site)), credentialKey.String(string(a.Credential)))
	}
	if a.Code != "" {
		all = append(all, codeKey.String(string(a.Code)))
	}
	return all
}

var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// methodOf returns the method of a request. Others than the usual are text of the client's.
func methodOf(r *http.Request) attribute.KeyValue {
	if !slices.Contains(methods, r.Method) {
		return semconv.HTTPRequestMethodOther
	}
	return semconv.HTTPRequestMethodKey.String(r.Method)
}

func schemeOf(r *http.Request) attribute.KeyValue {
	if r.TLS != nil {
		return semconv.URLScheme("https")
	}
	return semconv.URLScheme("http")
}
