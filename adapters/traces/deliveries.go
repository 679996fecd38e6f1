package traces

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// sender is a port.Sender that makes a span of every attempt.
type sender struct {
	port.Sender
	tracer trace.Tracer
}

// Sender makes a span of every attempt that a sender is asked for. Each begins a trace:
// the request that caused a delivery was answered before. Receivers are not told of it.
func (p *Provider) Sender(to port.Sender) port.Sender { return sender{to, p.tracer} }

// Attributes of attempts that are the project's own.
const (
	hookKey    = attribute.Key("vitrine.webhook")
	messageKey = attribute.Key("vitrine.webhook.id")
	eventKey   = attribute.Key("vitrine.event")
	attemptKey = attribute.Key("vitrine.delivery.attempt")
	verdictKey = attribute.Key("vitrine.delivery.verdict")
)

// Send implements port.Sender.
func (s sender) Send(ctx context.Context, r webhook.Request) webhook.Answer {
	ctx, span := s.tracer.Start(ctx, "webhook.deliver", trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributesOf(r)...))
	defer span.End()
	answer := s.Sender.Send(ctx, r)
	span.SetAttributes(verdictKey.String(answer.Verdict.String()))
	if answer.Status != 0 {
		span.SetAttributes(semconv.HTTPResponseStatusCode(answer.Status))
	}
	switch answer.Verdict { //nolint:exhaustive // the others are as they should be
	case webhook.Failure:
		span.SetStatus(codes.Error, answer.Reason)
	case webhook.Refused:
		span.SetStatus(codes.Error, "") // the reason is the receiver's
	}
	return answer
}

// attributesOf returns what is told of a request: of its headers those that say which
// delivery it is, and of its URL the host. The rest may be secret.
func attributesOf(r webhook.Request) []attribute.KeyValue {
	all := []attribute.KeyValue{
		semconv.HTTPRequestMethodKey.String(http.MethodPost), siteKey.Int64(int64(r.Site)), hookKey.Int64(int64(r.Hook)),
	}
	for _, h := range r.Headers {
		switch {
		case strings.EqualFold(h.Name, "webhook-id"):
			all = append(all, messageKey.String(h.Value))
		case strings.EqualFold(h.Name, "X-Event-Type"):
			all = append(all, eventKey.String(h.Value))
		case strings.EqualFold(h.Name, "X-Delivery-Attempt"):
			if n, err := strconv.Atoi(h.Value); err == nil {
				all = append(all, attemptKey.Int(n))
			}
		}
	}
	to, err := url.Parse(r.URL)
	if err != nil {
		return all
	}
	all = append(all, semconv.ServerAddress(to.Hostname()))
	if port, err := strconv.Atoi(to.Port()); err == nil {
		all = append(all, semconv.ServerPort(port))
	}
	return all
}
