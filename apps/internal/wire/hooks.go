package wire

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/vitrine-crm/vitrine/adapters/background"
	"github.com/vitrine-crm/vitrine/adapters/httpapi"
	"github.com/vitrine-crm/vitrine/adapters/sender"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// Dispatcher delivers what is due.
type Dispatcher struct {
	service *siteapi.Service
	work    background.Options
}

// NewDispatcher makes a dispatcher, and tells the log of everything that webhooks
// may reach beyond the public web.
func NewDispatcher(service *siteapi.Service, c config.Hooks, metrics prometheus.Registerer, log *slog.Logger) (*Dispatcher, error) {
	options, err := senderOptions(c)
	if err != nil {
		return nil, err
	}
	for _, what := range c.Relaxed() {
		log.Warn("webhooks may reach more than the public web", "allowed", what)
	}
	options.Registerer, options.BreakerTimeout = metrics, min(30*time.Second, c.Delivery().Policy.Delays[0]/2)
	work := background.Options{Sender: sender.New(options), Deliver: c.Delivery(), Logger: log}
	work.Deliver.Agent = buildinfo.Read().Agent()
	work.Deliver.Observe = newSuspensions(metrics, log)
	metrics.MustRegister(newBacklog(service))
	return &Dispatcher{service, work}, nil
}

// senderOptions says whom requests of the server may reach, and how.
func senderOptions(c config.Hooks) (o sender.Options, err error) {
	o.Timeout = c.Timeout
	if o.Allowance, err = c.Allowance(); err == nil && c.CAFile != "" {
		o.RootCAs, err = sender.ReadRootCAs(c.CAFile)
	}
	return o, err
}

// traced has traces made of attempts.
func (d *Dispatcher) traced(by tracing) { d.work.Sender = by.sender(d.work.Sender) }

// Run delivers until ctx ends.
func (d *Dispatcher) Run(ctx context.Context) error {
	return background.Deliver(ctx, d.service, d.work)
}

// suspensions count the webhooks that are suspended, besides the log.
type suspensions struct {
	deliver.Observer
	total prometheus.Counter
}

func newSuspensions(metrics prometheus.Registerer, log *slog.Logger) suspensions {
	s := suspensions{
		background.LogDeliveries(log),
		prometheus.NewCounter(prometheus.CounterOpts{Name: "vitrine_hook_suspensions_total", Help: "Webhooks suspended because a delivery failed for good."}),
	}
	metrics.MustRegister(s.total)
	return s
}

// Suspended implements deliver.Observer.
func (s suspensions) Suspended(w webhook.Webhook, by webhook.Delivery) {
	s.total.Inc()
	s.Observer.Suspended(w, by)
}

// backlog tells what waits to be delivered, and how long.
type backlog struct {
	service  *siteapi.Service
	due      *prometheus.Desc
	webhooks *prometheus.Desc
	oldest   *prometheus.Desc
}

func newBacklog(s *siteapi.Service) *backlog {
	return &backlog{
		service:  s,
		due:      prometheus.NewDesc("vitrine_hook_deliveries_due", fmt.Sprintf("Deliveries that are due and not settled, counted up to %d.", deliver.MaxBacklog), nil, nil),
		webhooks: prometheus.NewDesc("vitrine_hooks_due", "Webhooks with due deliveries that nobody serves yet.", nil, nil),
		oldest:   prometheus.NewDesc("vitrine_hook_oldest_due_seconds", "How long the longest waiting of these webhooks has been due.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (b *backlog) Describe(out chan<- *prometheus.Desc) {
	out <- b.due
	out <- b.webhooks
	out <- b.oldest
}

// Collect implements prometheus.Collector.
func (b *backlog) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	waiting, err := b.service.Deliver.Backlog(ctx)
	if err != nil {
		return
	}
	out <- prometheus.MustNewConstMetric(b.due, prometheus.GaugeValue, float64(waiting.Deliveries))
	out <- prometheus.MustNewConstMetric(b.webhooks, prometheus.GaugeValue, float64(waiting.Webhooks))
	out <- prometheus.MustNewConstMetric(b.oldest, prometheus.GaugeValue, waiting.Wait.Seconds())
}

// Dispatch delivers and sweeps until ctx ends, in a process that serves nothing
// but the pages for operators, and those only where it is told to listen.
func Dispatch(ctx context.Context, service *siteapi.Service, store *sqlstore.Store, c config.Dispatcher, log *slog.Logger) error {
	tracing, err := openTracing(ctx, log)
	if err != nil {
		return err
	}
	defer tracing.closeLast(log)
	log = watchOutage(store, log)
	metrics := prometheus.NewRegistry()
	observe(store, metrics)
	metrics.MustRegister(buildMetric())
	dispatcher, err := NewDispatcher(service, c.Hooks, metrics, log)
	if err != nil {
		return err
	}
	dispatcher.traced(tracing)
	group, running := errgroup.WithContext(ctx)
	if c.AdminListen != "" {
		if err := administer(running, group, c.AdminListen, httpapi.Profiled(httpapi.Admin(httpapi.NewReadiness(store.Writable), metrics))); err != nil {
			return err
		}
	}
	work := dispatcher.work
	work.Retention = c.Retention.Periods()
	group.Go(func() error { return background.Run(running, service, work) })
	return group.Wait()
}

// administer answers the pages for operators until ctx ends.
func administer(ctx context.Context, group *errgroup.Group, listen string, pages http.Handler) error {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	admin := &http.Server{Handler: pages, ReadHeaderTimeout: 5 * time.Second}
	group.Go(func() error {
		if err := admin.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		return admin.Close()
	})
	return nil
}
