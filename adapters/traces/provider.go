// Package traces makes OpenTelemetry spans of what a server does, and sends them to a
// collector: requests, with their units of work and SQL statements, and attempts to
// deliver to webhooks.
//
// No span tells what somebody wrote: no header, query, body or value of a statement,
// of a path only the numbers that are ids, and of an error only its code.
package traces

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// scope is what spans are said to be made by.
const scope = "github.com/vitrine-crm/vitrine/adapters/traces"

// Provider makes spans and sends them, a little later and in batches. What waits is
// bounded: when a collector does not keep up, spans are lost, and no work waits.
type Provider struct {
	sdk    *sdk.TracerProvider
	tracer trace.Tracer
}

// New sends spans to the collector that the environment names, by the variables that are
// usual with OpenTelemetry. They are of a service called "vitrine", unless OTEL_SERVICE_NAME says otherwise, in
// the given version. What goes wrong with them is logged, for the whole process.
func New(ctx context.Context, version string, log *slog.Logger) (*Provider, error) {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "error", err) }))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	of, err := resource.New(ctx,
		resource.WithTelemetrySDK(), resource.WithService(),
		resource.WithAttributes(semconv.ServiceName("vitrine"), semconv.ServiceVersion(version)),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(of))
	return &Provider{provider, provider.Tracer(scope, trace.WithInstrumentationVersion(version))}, nil
}

// closing is how long Close tries to send what is left.
const closing = 3 * time.Second

// Close sends the spans that are left, for a few seconds at most. There are none after it.
func (p *Provider) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	return p.sdk.Shutdown(ctx)
}
