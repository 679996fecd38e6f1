package background

import (
	"context"
	"log/slog"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/engine/locate"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

const (
	// gather is how long results of deliveries wait for others, while more is under way.
	gather = 2 * time.Millisecond
	// lookForAddresses is how often addresses are looked for that nobody in this
	// process announced.
	lookForAddresses = 2 * time.Second
	// lookAtClock is how often what the clock made of offers, agreements and leases is
	// stored, and reminders are told of. Both have to be within a minute.
	lookAtClock = 20 * time.Second
	// signOfLife is how often imports give signs of life, and are told to stop.
	signOfLife = 5 * time.Second
)

// poll returns how often due deliveries are looked for that nobody announced. Short
// retry delays need short polls, lest the waits stop growing.
func poll(first time.Duration) time.Duration {
	return min(500*time.Millisecond, max(10*time.Millisecond, first/10))
}

// Deliver is the part of Run that delivers to webhooks, for a process that does
// nothing else.
func Deliver(ctx context.Context, service *siteapi.Service, o Options) error {
	return newWork(service, o).deliver(ctx)
}

func (w *work) deliver(ctx context.Context) error {
	o := w.Deliver
	if len(o.Policy.Delays) == 0 {
		o = deliver.DefaultOptions()
		o.Observe = w.Deliver.Observe
	}
	if o.Observe == nil {
		o.Observe = LogDeliveries(w.log)
	}
	ticker := time.NewTicker(poll(o.Policy.Delays[0]))
	defer ticker.Stop()
	o.Tick = ticker.C
	o.Gather = func() <-chan time.Time { return time.After(gather) }
	return w.service.Deliver.Run(ctx, w.Sender, o)
}

// LogDeliveries logs what becomes of deliveries.
func LogDeliveries(log *slog.Logger) deliver.Observer { return deliveryLog{log} }

type deliveryLog struct{ log *slog.Logger }

// Attempted implements deliver.Observer. The reason for which a receiver refuses
// an event is in its own words, which may name people: no log line repeats it.
func (l deliveryLog) Attempted(d webhook.Delivery, a webhook.Answer) {
	reason := a.Reason
	if a.Verdict == webhook.Refused {
		reason = ""
	}
	l.log.LogAttrs(context.Background(), slog.LevelInfo, "delivery",
		slog.Int64("site", int64(d.Site)), slog.Int64("hook", int64(d.Hook)), slog.Int64("delivery", int64(d.ID)),
		slog.String("webhook_id", d.Message), slog.String("event", string(d.Type)), slog.Int64("resource", d.Resource),
		slog.Int("attempt", d.Number+1), slog.String("verdict", a.Verdict.String()), slog.Int("status", a.Status),
		slog.Int64("ms", a.Duration.Milliseconds()), slog.String("reason", reason))
}

// Suspended implements deliver.Observer.
func (l deliveryLog) Suspended(w webhook.Webhook, by webhook.Delivery) {
	l.log.Warn("webhook suspended", "site", int64(w.Site), "hook", int64(w.ID), "delivery", int64(by.ID), "reason", w.SuspendedReason)
}

// Trouble implements deliver.Observer.
func (l deliveryLog) Trouble(err error) { l.log.Error("delivering", "error", err) }

func (w *work) locate(ctx context.Context) error {
	o := w.Locate
	if o.Batch == 0 {
		o = locate.DefaultOptions()
		o.Observe = w.Locate.Observe
	}
	if o.Observe == nil {
		o.Observe = addressLog{w.log}
	}
	ticker := time.NewTicker(lookForAddresses)
	defer ticker.Stop()
	o.Tick = ticker.C
	return w.service.Locate.Run(ctx, w.Geocoder, o)
}

// addressLog logs what goes wrong with addresses.
type addressLog struct{ log *slog.Logger }

// GivenUp implements locate.Observer.
func (l addressLog) GivenUp(id site.ID, p product.ID, err error) {
	l.log.Warn("an address is not looked up", "site", int64(id), "product", int64(p), "error", err)
}

// Trouble implements locate.Observer.
func (l addressLog) Trouble(err error) { l.log.Error("looking up addresses", "error", err) }

// followClock has an area store, or tell, what the clock makes of its records.
func (w *work) followClock(area string, follow func(context.Context, <-chan time.Time, func(error)) error) func(context.Context) error {
	return func(ctx context.Context) error {
		ticker := time.NewTicker(lookAtClock)
		defer ticker.Stop()
		err := follow(ctx, ticker.C, func(err error) { w.log.Error("following the clock", "area", area, "error", err) })
		w.log.Debug("the clock is followed no more", "area", area, "reason", err)
		return nil
	}
}

func (w *work) carryOutImports(ctx context.Context) error {
	ticker := time.NewTicker(signOfLife)
	defer ticker.Stop()
	w.service.Imports.Run(ctx, w.Files, transfer.ImportOptions{Tick: ticker.C, Trouble: func(err error) { w.log.Error("importing", "error", err) }})
	return nil
}

func (w *work) lookAtSources(ctx context.Context) error {
	trouble := func(err error) { w.log.Error("importing from a source", "error", err) }
	looking(w.SourceEnded, trouble, func(o lease.Options) { w.service.Sources.Run(ctx, w.Sources, o) })
	return nil
}

// looking runs an engine that looks at what is due by leases.
func looking(ended func(outcome string), trouble func(error), run func(lease.Options)) {
	ticker := time.NewTicker(signOfLife)
	defer ticker.Stop()
	run(lease.Options{Tick: ticker.C, Ended: ended, Trouble: trouble})
}

func (w *work) handOver(ctx context.Context) error {
	trouble := func(err error) { w.log.Error("handing listings over to a portal", "error", err) }
	looking(w.PortalEnded, trouble, func(o lease.Options) { w.service.Portals.Run(ctx, w.Portals, o) })
	return nil
}

func (w *work) makeCopies(ctx context.Context) error {
	w.service.Listing.MakeCopies(ctx, func(err error) { w.log.Error("making copies of a picture", "error", err) })
	return nil
}

func (w *work) tellOperators(ctx context.Context) error {
	trouble := func(err error) { w.log.Error("telling operators of what stands", "error", err) }
	looking(nil, trouble, func(o lease.Options) { w.service.Alerts.Run(ctx, w.Console, o) })
	return nil
}
