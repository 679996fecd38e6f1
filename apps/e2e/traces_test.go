package e2e_test

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// collector receives spans, as OpenTelemetry sends them over HTTP.
type collector struct {
	url string

	mu       sync.Mutex
	raw      []byte
	resource map[string]any
	spans    []*tracepb.Span
}

func collecting(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/v1/traces" {
			t.Errorf("the collector is asked for %s %s", r.Method, r.URL)
		}
		body, err := io.ReadAll(r.Body)
		var sent collectorpb.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &sent)
		}
		if err != nil {
			t.Error(err)
		}
		c.take(body, &sent)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

func (c *collector) take(body []byte, sent *collectorpb.ExportTraceServiceRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw = append(c.raw, body...)
	for _, of := range sent.GetResourceSpans() {
		c.resource = attributes(of.GetResource().GetAttributes())
		for _, scope := range of.GetScopeSpans() {
			c.spans = append(c.spans, scope.GetSpans()...)
		}
	}
}

// variables have a process send its spans here, soon and all of them.
func (c *collector) variables() []string {
	return []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.url, "OTEL_BSP_SCHEDULE_DELAY=50", "OTEL_BSP_MAX_QUEUE_SIZE=1000000", "OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=test"}
}

// content is everything that came.
func (c *collector) content() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.raw)
}

// those are the spans for which something holds.
func (c *collector) those(hold func(*tracepb.Span) bool) []*tracepb.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.spans), func(s *tracepb.Span) bool { return !hold(s) })
}

// first waits for a span with a value of an attribute.
func (c *collector) first(t *testing.T, name, key string, value any) *tracepb.Span {
	t.Helper()
	var found []*tracepb.Span
	eventually(t, "there is a span "+name, func() bool {
		found = c.those(func(s *tracepb.Span) bool { return s.GetName() == name && attributes(s.GetAttributes())[key] == value })
		return len(found) > 0
	})
	return found[0]
}

// below waits for the spans below another one, by their names.
func (c *collector) below(t *testing.T, parent *tracepb.Span, names ...string) map[string]*tracepb.Span {
	t.Helper()
	children := map[string]*tracepb.Span{}
	eventually(t, "there are "+strings.Join(names, ", ")+" below "+parent.GetName(), func() bool {
		for _, s := range c.those(func(s *tracepb.Span) bool { return string(s.GetParentSpanId()) == string(parent.GetSpanId()) }) {
			children[s.GetName()] = s
		}
		return !slices.ContainsFunc(names, func(name string) bool { return children[name] == nil })
	})
	return children
}

func attributes(of []*commonpb.KeyValue) map[string]any {
	all := map[string]any{}
	for _, a := range of {
		switch v := a.GetValue().GetValue().(type) {
		case *commonpb.AnyValue_StringValue:
			all[a.GetKey()] = v.StringValue
		case *commonpb.AnyValue_IntValue:
			all[a.GetKey()] = v.IntValue
		case *commonpb.AnyValue_BoolValue:
			all[a.GetKey()] = v.BoolValue
		}
	}
	return all
}

// has fails unless a span has some attributes, among others.
func has(t *testing.T, s *tracepb.Span, want map[string]any) {
	t.Helper()
	got := attributes(s.GetAttributes())
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s of %s is %v, want %v", key, s.GetName(), got[key], value)
		}
	}
}

func TestARequestItsStatementsAndItsDeliveriesAreTraced(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		const trace, caller = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
		engine := map[bool]string{true: "sqlite", false: "postgresql"}[isFile(database)]
		traces := collecting(t)
		p := servingWith(t, traces.variables(), database)
		c, receiver := p.network(t), recording(t, answering(503, ""), answering(422, "{}"))
		h := c.subscribe(receiver.url+"/secret?of=hook", nil)

		changed := c.send("PATCH", "/products/1?secret=1", object{"product_id": 1, "criteria": criteria("Prix", 123_457)}, "traceparent", "00-"+trace+"-"+caller+"-01").is(204)
		request := traces.first(t, "product.update", "vitrine.request.id", changed.header.Get("X-Request-Id"))
		if hex.EncodeToString(request.GetTraceId()) != trace || hex.EncodeToString(request.GetParentSpanId()) != caller || request.GetKind() != tracepb.Span_SPAN_KIND_SERVER {
			t.Errorf("the span does not go on where the caller's does: %v", request)
		}
		has(t, request, map[string]any{
			"http.request.method": "PATCH", "http.route": "/api/v2/site/products/{productId}", "url.path": "/api/v2/site/products/1", "url.scheme": "http",
			"http.response.status_code": int64(204), "vitrine.site": int64(1), "vitrine.credential": "sandbox-network",
		})
		unit := traces.below(t, request, "store.update")["store.update"]
		// On PostgreSQL all that is written is one statement.
		written := map[string]string{"sqlite": "UPDATE product", "postgresql": "WITH json_to_recordset"}[engine]
		statements := traces.below(t, unit, "SELECT product", written)
		has(t, statements["SELECT product"], map[string]any{"db.system.name": engine, "db.operation.name": "SELECT", "db.collection.name": "product"})
		if text := attributes(statements[written].GetAttributes())["db.query.text"].(string); !strings.Contains(text, "UPDATE product SET ") || strings.Contains(text, "123457") {
			t.Errorf("the statement is %s", text)
		}

		refused := c.get("/products/999999").is(404)
		unknown := traces.first(t, "product.get", "vitrine.request.id", refused.header.Get("X-Request-Id"))
		has(t, unknown, map[string]any{"http.response.status_code": int64(404), "vitrine.error.code": "not_found"})
		if unknown.GetStatus().GetCode() != tracepb.Status_STATUS_CODE_UNSET {
			t.Errorf("a request for what is not there is the server's error: %v", unknown.GetStatus())
		}

		delivered := receiver.waitFor(1)[0]
		attempt := traces.first(t, "webhook.deliver", "vitrine.webhook.id", delivered.header("webhook-id"))
		has(t, attempt, map[string]any{
			"vitrine.event": "PRODUCT_UPDATE", "vitrine.webhook": h.id, "vitrine.delivery.attempt": int64(1), "vitrine.delivery.verdict": "failure",
			"http.request.method": "POST", "http.response.status_code": int64(503), "server.address": "127.0.0.1",
		})
		if attempt.GetStatus().GetCode() != tracepb.Status_STATUS_CODE_ERROR || len(attempt.GetParentSpanId()) > 0 {
			t.Errorf("the attempt is no error, or part of something: %v", attempt)
		}
		if text := strings.ToLower(strings.Join(delivered.lines, "\n")); strings.Contains(text, "traceparent") || strings.Contains(text, "tracestate") {
			t.Errorf("the receiver is told of the trace: %s", text)
		}
		if polls := traces.those(func(s *tracepb.Span) bool {
			return len(s.GetParentSpanId()) == 0 && (strings.HasPrefix(s.GetName(), "store.") || strings.HasPrefix(s.GetName(), "SELECT "))
		}); len(polls) > 0 {
			t.Errorf("what belongs to nobody is traced: %v", polls[0])
		}

		p.stop()
		if r := traces.resource; r["service.name"] != "vitrine" || r["service.version"] == nil || r["service.instance.id"] == nil || r["deployment.environment.name"] != "test" {
			t.Errorf("the spans are of %v", r)
		}
		line := lineOf(t, p.log.String(), changed.header.Get("X-Request-Id"))
		if line["trace_id"] != trace || line["span_id"] != hex.EncodeToString(request.GetSpanId()) {
			t.Errorf("the line of the log is %v", line)
		}
	})
}

// lineOf is the line of a log about a request.
func lineOf(t *testing.T, log, request string) map[string]any {
	t.Helper()
	for line := range strings.Lines(log) {
		var fields map[string]any
		if json.Unmarshal([]byte(line), &fields) == nil && fields["msg"] == "request" && fields["request_id"] == request {
			return fields
		}
	}
	t.Fatalf("there is no line about request %s", request)
	return nil
}

// Whatever a client sends in whatever field, header or place of a path.
func TestNothingPersonalIsInTraces(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		traces := collecting(t)
		p := servingWith(t, traces.variables(), database)
		described, err := wire.Describe(memstore.New())
		if err != nil {
			t.Fatal(err)
		}
		c, sent := p.network(t), map[string]bool{}
		for _, o := range described.Operations() {
			for _, id := range []string{"1", bird} {
				path := anyParameter.ReplaceAllString(o.Path, id) + "?" + queryOf(o.In, birds(bird)).Encode()
				var body any
				if o.Method != http.MethodGet && o.Method != http.MethodDelete {
					body = canaries(o.In, birds(bird))
				}
				sent[c.send(o.Method, path, body, "User-Agent", bird, "X-Request-Id", bird, "tracestate", "v="+bird, "baggage", "v="+bird).header.Get("X-Request-Id")] = true
			}
		}
		stranger := p.stranger(t)
		stranger.get("/" + bird)
		stranger.get("/calendars/1/" + bird + ".ics")
		stranger.form("/api/client/token/site", bird, bird, nil)
		stranger.send(strings.ToUpper(bird), "/products", nil)
		p.stop()
		traced := map[string]bool{}
		for _, s := range traces.those(func(*tracepb.Span) bool { return true }) {
			id, _ := attributes(s.GetAttributes())["vitrine.request.id"].(string)
			traced[id] = true
		}
		for id := range maps.Keys(sent) {
			if !traced[id] {
				t.Errorf("request %s has no span", id)
			}
		}
		if at := strings.Index(strings.ToLower(traces.content()), bird); at >= 0 {
			t.Errorf("a span tells what a client sent: %q", traces.content()[max(0, at-200):at+50])
		}
	})
}
