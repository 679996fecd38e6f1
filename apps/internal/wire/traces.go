package wire

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/vitrine-crm/vitrine/adapters/httpapi"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/adapters/traces"
	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/port"
)

// tracing has traces made of what a process does. The zero tracing makes none, and puts
// nothing between those who work together.
type tracing struct{ spans *traces.Provider }

// openTracing makes traces if the environment asks for them.
func openTracing(ctx context.Context, log *slog.Logger) (tracing, error) {
	to, err := config.TracesEndpoint()
	if err != nil || to == "" {
		return tracing{}, err
	}
	spans, err := traces.New(ctx, buildinfo.Read().Version, log)
	if err != nil {
		return tracing{}, err
	}
	log.Info("sending traces", "to", to)
	return tracing{spans}, nil
}

// logger writes the lines of a log with the trace they belong to.
func (t tracing) logger(log *slog.Logger) *slog.Logger {
	if t.spans == nil {
		return log
	}
	return slog.New(traces.Handler(log.Handler()))
}

// store has a store tell of its work.
func (t tracing) store(s *sqlstore.Store, c config.Database) {
	if t.spans != nil {
		sqlstore.Observed(t.spans.Database(c.IsPostgres()))(s)
	}
}

// sender has a sender tell of its attempts.
func (t tracing) sender(s port.Sender) port.Sender {
	if t.spans == nil {
		return s
	}
	return t.spans.Sender(s)
}

// requests returns who is told of requests; nil for nobody.
func (t tracing) requests() httpapi.Observer {
	if t.spans == nil {
		return nil
	}
	return requestSpans(t)
}

// close sends what is left.
func (t tracing) close() error {
	if t.spans == nil {
		return nil
	}
	return t.spans.Close()
}

// closeLast is close for a process that ends: what cannot be sent is logged.
func (t tracing) closeLast(log *slog.Logger) {
	if err := t.close(); err != nil {
		log.Warn("the last traces were not sent", "error", err)
	}
}

// requestSpans is an httpapi.Observer.
type requestSpans struct{ spans *traces.Provider }

// Begin implements httpapi.Observer.
func (r requestSpans) Begin(request *http.Request) (within context.Context, end func(httpapi.Answered)) {
	within, told := r.spans.Request(request)
	return within, func(a httpapi.Answered) { told(traces.Answer(a)) }
}
