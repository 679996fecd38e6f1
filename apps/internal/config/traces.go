package config

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// TraceVariables are variables of OpenTelemetry's that have a say in traces. They are no
// options: other programs read them as well, and most of them the OpenTelemetry SDK reads.
type TraceVariables struct {
	Names []string
	Help  string
}

// AllTraceVariables returns those that are of use here.
func AllTraceVariables() []TraceVariables {
	return []TraceVariables{
		{[]string{endpointVariable}, "Collector that traces are sent to, such as " + usualEndpoint + "; /v1/traces is added. This or the next one switches traces on."},
		{[]string{tracesEndpointVariable}, "The same for traces alone; nothing is added."},
		{[]string{exporterVariable}, "otlp sends traces without an endpoint too, to " + usualEndpoint + "; none sends none."},
		{[]string{disabledVariable}, "true sends none."},
		{[]string{protocolVariable, tracesProtocolVariable}, "http/protobuf, the default, or http/json."},
		{[]string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"}, "Headers for the collector, such as one that says who sends."},
		{[]string{"OTEL_EXPORTER_OTLP_CERTIFICATE", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", "OTEL_EXPORTER_OTLP_CLIENT_KEY"}, "Files in PEM, for a collector that is reached by https."},
		{[]string{"OTEL_EXPORTER_OTLP_COMPRESSION", "OTEL_EXPORTER_OTLP_TIMEOUT"}, "gzip; and how many milliseconds a batch may take, 10000 by default."},
		{[]string{"OTEL_SERVICE_NAME"}, "What the server is called; vitrine by default."},
		{[]string{"OTEL_RESOURCE_ATTRIBUTES"}, "What else is said of it, such as deployment.environment.name=production."},
		{[]string{"OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"}, "Which requests are traced, such as parentbased_traceidratio and 0.1; by default all, but those whose caller says that it does not trace them."},
		{[]string{"OTEL_BSP_MAX_QUEUE_SIZE", "OTEL_BSP_SCHEDULE_DELAY"}, "How many spans wait to be sent, 2048 by default, and how many milliseconds at most, 5000; what is more is lost."},
	}
}

// Those by which traces are switched on and off.
const (
	disabledVariable       = "OTEL_SDK_DISABLED"
	exporterVariable       = "OTEL_TRACES_EXPORTER"
	endpointVariable       = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesEndpointVariable = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	protocolVariable       = "OTEL_EXPORTER_OTLP_PROTOCOL"
	tracesProtocolVariable = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
)

// usualEndpoint is where a collector on the same machine listens.
const usualEndpoint = "http://localhost:4318"

// TracesEndpoint returns where the environment has traces sent, without a password; empty if
// it does not ask for any. It fails if it asks for what cannot be done here.
func TracesEndpoint() (string, error) {
	if strings.EqualFold(variable(disabledVariable), "true") {
		return "", nil
	}
	variableOf, endpoint := tracesEndpointVariable, variable(tracesEndpointVariable)
	if endpoint == "" {
		variableOf, endpoint = endpointVariable, variable(endpointVariable)
	}
	switch exporter := variable(exporterVariable); {
	case exporter == "none" || exporter == "" && endpoint == "":
		return "", nil
	case exporter != "" && exporter != "otlp":
		return "", fmt.Errorf("%s: there is no exporter %q: it may be otlp or none", exporterVariable, exporter)
	case endpoint == "":
		endpoint = usualEndpoint
	}
	if err := checkProtocol(); err != nil {
		return "", err
	}
	to, err := url.Parse(endpoint)
	if err == nil && (to.Scheme != "http" && to.Scheme != "https" || to.Host == "") {
		err = errors.New("it must be a URL, such as " + usualEndpoint)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", variableOf, err)
	}
	if variableOf == endpointVariable {
		to = to.JoinPath("v1/traces")
	}
	return to.Redacted(), nil
}

// checkProtocol reports a protocol other than those over HTTP.
func checkProtocol() error {
	for _, name := range []string{tracesProtocolVariable, protocolVariable} {
		switch protocol := variable(name); protocol {
		case "":
			continue
		case "http/protobuf", "http/json":
			return nil
		default:
			return fmt.Errorf("%s: traces cannot be sent by %q: it may be http/protobuf or http/json", name, protocol)
		}
	}
	return nil
}

func variable(name string) string { return strings.TrimSpace(os.Getenv(name)) }
