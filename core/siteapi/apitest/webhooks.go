package apitest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

// HookFor is a request to subscribe to events of some types.
func HookFor(origines ...string) (in hooks.CreateHook) {
	in.URL, in.Origines = opt.Of("https://portal.example.org/in"), opt.Of(origines)
	return in
}

// Subscribe adds a webhook.
func (w *World) Subscribe(c kernel.Caller, in hooks.CreateHook) int64 {
	w.T.Helper()
	created, err := w.Hooks.CreateHook(w.T.Context(), c, in)
	if err != nil {
		w.T.Fatal(err)
	}
	return created.ID
}

// Statuses are those of all deliveries of a webhook, oldest first.
func (w *World) Statuses(c kernel.Caller, hook int64) (statuses []string) {
	w.T.Helper()
	page, err := w.Hooks.ListDeliveries(w.T.Context(), c, hooks.ReadDeliveries{ID: hook})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, d := range page.Data {
		statuses = append(statuses, d.Status)
	}
	slices.Reverse(statuses)
	return statuses
}

// ListEvents reads a page of the ledger.
func (w *World) ListEvents(c kernel.Caller, in hooks.ListEvents) hooks.EventPage {
	w.T.Helper()
	page, err := w.Hooks.ListEvents(w.T.Context(), c, in)
	if err != nil {
		w.T.Fatal(err)
	}
	return page
}

// Dispatch delivers in the background until end is called, or the test ends, and looks for
// due deliveries all the time: what is due is decided by the clock of the world.
func (w *World) Dispatch(send port.Sender) (end func()) {
	o := deliver.DefaultOptions()
	return w.Background(func(ctx context.Context, tick <-chan time.Time) error {
		o.Tick = tick
		return w.Deliver.Run(ctx, send, o)
	})
}

// Receiver is a port.Sender that answers by a script, whose last verdict repeats,
// and keeps what it was sent.
type Receiver struct {
	mu     sync.Mutex
	script []webhook.Verdict
	got    []webhook.Request
}

// NewReceiver answers by a script first, and then accepts everything.
func NewReceiver(script ...webhook.Verdict) *Receiver {
	return &Receiver{script: append(script, webhook.Accepted)}
}

// Send implements port.Sender.
func (r *Receiver) Send(_ context.Context, request webhook.Request) webhook.Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, request)
	verdict := r.script[0]
	if len(r.script) > 1 {
		r.script = r.script[1:]
	}
	return webhook.Answer{Verdict: verdict, Status: 200, Reason: map[webhook.Verdict]string{webhook.Failure: "answered 500", webhook.Refused: "a duplicate"}[verdict]}
}

// Requests are what it was sent.
func (r *Receiver) Requests() []webhook.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// Header is the value of a header of a request, or "".
func Header(r webhook.Request, name string) string {
	for _, h := range r.Headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}
