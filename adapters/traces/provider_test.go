package traces

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// remembering makes spans that the test sees when they have ended.
func remembering() (*Provider, *tracetest.InMemoryExporter) {
	spans := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(spans))
	return &Provider{provider, provider.Tracer(scope)}, spans
}

func request() *http.Request { return httptest.NewRequest(http.MethodGet, "/", nil) }

func TestOnlyWhatTheServerIsToBlameForIsAnError(t *testing.T) {
	for code, want := range map[Answer]codes.Code{
		{Status: 200}:                                codes.Unset,
		{Status: 404, Code: fault.CodeNotFound}:      codes.Unset,
		{Status: 422, Code: fault.CodeConflict}:      codes.Unset,
		{Status: 503, Code: fault.CodeUnavailable}:   codes.Error,
		{Status: 500, Code: fault.CodeInternalError}: codes.Error,
		{Status: 200, Code: fault.CodeInternalError}: codes.Error, // it broke off
	} {
		p, spans := remembering()
		_, end := p.Request(request())
		end(code)
		if got := spans.GetSpans()[0].Status.Code; got != want {
			t.Errorf("%d %s is %v, want %v", code.Status, code.Code, got, want)
		}
	}
}

// driverError is an error of an engine, which quotes a value.
type driverError struct{}

func (driverError) Error() string    { return "there is a secret already" }
func (driverError) SQLState() string { return "23505" }

func TestStatementsAreTracedWithinWhatIsTracedAndTheirErrorsAreNotQuoted(t *testing.T) {
	p, spans := remembering()
	database := p.Database(true)
	database.Statement(t.Context(), "SELECT 1")(nil)
	_, end := database.Begin(t.Context(), true)
	end(false, nil)
	if got := spans.GetSpans(); len(got) != 0 {
		t.Fatalf("what belongs to nothing has a span: %v", got[0])
	}
	within, answered := p.Request(request())
	unit, ended := database.Begin(within, true)
	database.Statement(unit, "INSERT INTO product (id) VALUES ($1)")(driverError{})
	database.Statement(unit, "SELECT id FROM product WHERE id = $1")(context.Canceled)
	ended(false, fault.New(fault.Unavailable, fault.CodeUnavailable, "a secret"))
	for _, err := range []error{nil, fmt.Errorf("site 7: %w", fault.NotFound), fault.New(fault.Conflict, fault.CodeConflict, "a secret"), context.Canceled} {
		_, ended := database.Begin(within, false)
		ended(false, err)
	}
	_, ended = database.Begin(within, true)
	ended(true, errors.New("it met another one"))
	answered(Answer{Status: 503})
	told := spans.GetSpans()
	for i, want := range []struct {
		name string
		code codes.Code
	}{
		{"INSERT product", codes.Error}, {"SELECT product", codes.Unset}, {"store.update", codes.Error},
		{"store.view", codes.Unset}, {"store.view", codes.Unset}, {"store.view", codes.Unset}, {"store.view", codes.Unset}, {"store.update", codes.Unset},
	} {
		if got := told[i]; got.Name != want.name || got.Status.Code != want.code {
			t.Errorf("span %d is %s with %v, want %s with %v", i, got.Name, got.Status, want.name, want.code)
		}
	}
	if all, err := json.Marshal(told); err != nil || bytes.Contains(all, []byte("secret")) || !bytes.Contains(all, []byte("23505")) {
		t.Errorf("%v; the spans are %s", err, all)
	}
}

func TestSummariesOfStatements(t *testing.T) {
	for text, want := range map[string][2]string{
		"SELECT id, name FROM product WHERE id = ?":                       {"SELECT", "product"},
		"insert into customer_action (id) VALUES (?)":                     {"INSERT", "customer_action"},
		"UPDATE site_head SET seq = seq + 1":                              {"UPDATE", "site_head"},
		"DELETE FROM token":                                               {"DELETE", "token"},
		"SELECT nextval('family_id') FROM generate_series(1, $1::bigint)": {"SELECT", "generate_series"},
		"WITH old AS (SELECT id FROM token) DELETE FROM token":            {"WITH", "token"},
		"SELECT 1": {"SELECT", ""},
		"":         {"", ""},
	} {
		if operation, table := summary(text); operation != want[0] || table != want[1] {
			t.Errorf("%s is %s of %q", text, operation, table)
		}
	}
}

// answering is a sender whose every attempt ends alike.
type answering webhook.Answer

// Send implements port.Sender.
func (a answering) Send(context.Context, webhook.Request) webhook.Answer { return webhook.Answer(a) }

func TestAttemptsShowWhatTheSenderSaysAndNotWhatTheReceiverDoes(t *testing.T) {
	for _, c := range []struct {
		answer webhook.Answer
		code   codes.Code
		why    string
	}{
		{webhook.Answer{Verdict: webhook.Accepted, Status: 200}, codes.Unset, ""},
		{webhook.Answer{Verdict: webhook.Refused, Status: 422, Reason: "a secret"}, codes.Error, ""},
		{webhook.Answer{Verdict: webhook.Failure, Reason: "no answer within 10s"}, codes.Error, "no answer within 10s"},
		{webhook.Answer{Verdict: webhook.Deferred, Reason: "too many attempts of the webhook failed"}, codes.Unset, ""},
	} {
		p, spans := remembering()
		within, _ := p.Request(request())
		if got := p.Sender(answering(c.answer)).Send(within, webhook.Request{URL: "https://user:secret@receiver.example:8443/secret?secret"}); got != c.answer {
			t.Errorf("the answer becomes %v", got)
		}
		span := spans.GetSpans()[0]
		if span.Status.Code != c.code || span.Status.Description != c.why || span.Parent.IsValid() {
			t.Errorf("%v is %v below %v", c.answer, span.Status, span.Parent)
		}
		if all, err := json.Marshal(span); err != nil || bytes.Contains(all, []byte("secret")) || !bytes.Contains(all, []byte("receiver.example")) {
			t.Errorf("%v; the span is %s", err, all)
		}
	}
}

func TestLinesOfTheLogNameTheirTrace(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(Handler(slog.NewJSONHandler(&log, nil))).With("site", 1)
	p, _ := remembering()
	within, _ := p.Request(request())
	logger.InfoContext(within, "traced")
	logger.InfoContext(t.Context(), "not traced")
	var lines [2]map[string]any
	decoder := json.NewDecoder(&log)
	for i := range lines {
		if err := decoder.Decode(&lines[i]); err != nil {
			t.Fatal(err)
		}
	}
	id, _ := lines[0]["trace_id"].(string)
	if of, _ := lines[0]["span_id"].(string); len(id) != 32 || len(of) != 16 || lines[0]["site"] != 1.0 {
		t.Errorf("the line is %v", lines[0])
	}
	if _, told := lines[1]["trace_id"]; told {
		t.Errorf("the line is %v", lines[1])
	}
}

// A collector that does not answer keeps a server that ends for a few seconds.
func TestClosingDoesNotWaitForACollectorThatIsSilent(t *testing.T) {
	released := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-released }))
	defer silent.Close()
	defer close(released)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", silent.URL)
	p, err := New(t.Context(), "v1.2.3", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	_, end := p.Request(request())
	end(Answer{Status: 200})
	if err := p.Close(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("closing ends with %v", err)
	}
}
