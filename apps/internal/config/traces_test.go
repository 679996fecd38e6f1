package config_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// unset takes away what the machine of the test may say.
func unset(t *testing.T) {
	t.Helper()
	for _, name := range []string{
		"OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
		"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
	} {
		t.Setenv(name, "")
	}
}

func TestTheUsualVariablesSayWhereTracesAreSent(t *testing.T) {
	const machine = "OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318"
	for variables, want := range map[string]string{
		"":                          "",
		"OTEL_TRACES_EXPORTER=otlp": "http://localhost:4318/v1/traces",
		machine:                     "http://collector:4318/v1/traces",
		machine + "/base/":          "http://collector:4318/base/v1/traces",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://collector/as/it/is":      "https://collector/as/it/is",
		machine + " OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://other/own":    "https://other/own",
		machine + " OTEL_TRACES_EXPORTER=otlp":                               "http://collector:4318/v1/traces",
		machine + " OTEL_TRACES_EXPORTER=none":                               "",
		machine + " OTEL_SDK_DISABLED=TRUE":                                  "",
		machine + " OTEL_SDK_DISABLED=false":                                 "http://collector:4318/v1/traces",
		machine + " OTEL_EXPORTER_OTLP_PROTOCOL=http/json":                   "http://collector:4318/v1/traces",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://user:secret@collector":           "http://user:xxxxx@collector/v1/traces",
		"OTEL_SERVICE_NAME=vitrine OTEL_TRACES_SAMPLER=always_on":            "",
		machine + " OTEL_TRACES_EXPORTER=none OTEL_EXPORTER_OTLP_PROTOCOL=x": "",
	} {
		t.Run(variables, func(t *testing.T) {
			set(t, variables)
			if got, err := config.TracesEndpoint(); err != nil || got != want {
				t.Errorf("they are sent to %q, want %q; %v", got, want, err)
			}
		})
	}
}

func set(t *testing.T, variables string) {
	t.Helper()
	unset(t)
	for assignment := range strings.FieldsSeq(variables) {
		name, value, _ := strings.Cut(assignment, "=")
		t.Setenv(name, value)
	}
}

func TestTracesThatCannotBeSentNameTheVariable(t *testing.T) {
	const machine = "OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 "
	for variables, want := range map[string]string{
		"OTEL_TRACES_EXPORTER=zipkin":                                `OTEL_TRACES_EXPORTER: there is no exporter "zipkin": it may be otlp or none`,
		machine + "OTEL_EXPORTER_OTLP_PROTOCOL=grpc":                 `OTEL_EXPORTER_OTLP_PROTOCOL: traces cannot be sent by "grpc": it may be http/protobuf or http/json`,
		machine + "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=grpc":          `OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: traces cannot be sent by "grpc": it may be http/protobuf or http/json`,
		"OTEL_EXPORTER_OTLP_ENDPOINT=collector:4318":                 `OTEL_EXPORTER_OTLP_ENDPOINT: it must be a URL, such as http://localhost:4318`,
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=unix:///run/collector":   `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: it must be a URL, such as http://localhost:4318`,
		machine + "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=collector/own": `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: it must be a URL, such as http://localhost:4318`,
	} {
		t.Run(variables, func(t *testing.T) {
			set(t, variables)
			if got, err := config.TracesEndpoint(); err == nil || err.Error() != want {
				t.Errorf("it is %q, and the error %v, want %s", got, err, want)
			}
		})
	}
}
